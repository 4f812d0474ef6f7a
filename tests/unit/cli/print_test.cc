#include "cli/print.h"

#include <gtest/gtest.h>

namespace repath::cli {
namespace {

v1::Path two_waypoints() {
  v1::Path path;
  path.set_status(v1::PATH_STATUS_COMPLETE);
  path.set_optimality(v1::OPTIMALITY_OPTIMAL);
  path.set_cost(4);
  path.set_revision(3);
  for (const int value : {4, 0, 4, 4}) path.add_cells(value);
  for (const double value : {4.5, 0.0, 0.5, 4.5, 0.0, 4.5}) path.add_positions(value);
  return path;
}

TEST(Print, APathHasTheKeysThatOthersHoldOnTo) {
  const Json row = json_of(two_waypoints());
  EXPECT_EQ(row["status"], "COMPLETE");
  EXPECT_EQ(row["cost"], 4.0);
  EXPECT_EQ(row["revision"], 3);
  EXPECT_EQ(row["optimality"], "OPTIMAL");
  ASSERT_EQ(row["waypoints"].size(), 2u);
  EXPECT_EQ(row["waypoints"][1]["cell"], (Json{4, 4}));
  EXPECT_EQ(row["waypoints"][1]["position"], (Json{4.5, 0.0, 4.5}));
}

TEST(Print, NoPathHasNoCost) {
  v1::Path path;
  path.set_status(v1::PATH_STATUS_UNREACHABLE);
  const Json row = json_of(path);
  EXPECT_EQ(row["status"], "UNREACHABLE");
  EXPECT_TRUE(row["cost"].is_null());
  EXPECT_TRUE(row["waypoints"].empty());
  EXPECT_EQ(text_of(path), "UNREACHABLE at revision 0");
}

TEST(Print, AWorldHasNameKindAndRevision) {
  v1::World world;
  world.set_name("town");
  world.set_kind("grid");
  world.set_revision(7);
  world.set_state_hash(0xabcdef);
  const Json row = json_of(world);
  EXPECT_EQ(row["name"], "town");
  EXPECT_EQ(row["kind"], "grid");
  EXPECT_EQ(row["revision"], 7);
  EXPECT_EQ(row["state_hash"], "0000000000abcdef");
}

TEST(Print, AVerdictIsOneLine) {
  v1::PathEvent event;
  event.set_type(v1::EVENT_TYPE_INVALIDATED);
  event.set_agent_id(7);
  event.set_revision(2);
  event.mutable_cell()->set_x(4);
  event.set_first_invalid_waypoint(1);
  event.add_cause_obstacles(1);
  EXPECT_EQ(line_of(event),
            "revision 2  agent 7  INVALIDATED  at 4,0  broken before waypoint 1  obstacle 1");
  EXPECT_EQ(json_of(event)["first_invalid_waypoint"], 1);
  EXPECT_FALSE(json_of(event).contains("path"));
}

TEST(Print, AnEventSaysHowManyEarlierOnesItReplaces) {
  v1::PathEvent event;
  event.set_type(v1::EVENT_TYPE_UNREACHABLE);
  event.set_agent_id(7);
  event.set_revision(2);
  event.mutable_cell();
  event.mutable_path()->set_status(v1::PATH_STATUS_UNREACHABLE);
  EXPECT_EQ(line_of(event), "revision 2  agent 7  UNREACHABLE  at 0,0  UNREACHABLE");
  event.set_coalesced(1);
  EXPECT_EQ(line_of(event),
            "revision 2  agent 7  UNREACHABLE  at 0,0  UNREACHABLE  replaces 1 earlier event");
  event.set_coalesced(2);
  EXPECT_NE(line_of(event).find("replaces 2 earlier events"), std::string::npos);
  EXPECT_EQ(json_of(event)["coalesced"], 2);
}

TEST(Print, AnAgentWithoutACellIsShownAtItsPosition) {
  v1::AgentState state;
  v1::Vec3* at = state.mutable_agent()->mutable_position()->mutable_position();
  at->set_x(2);
  at->set_y(-0.0);
  at->set_z(14.5);
  EXPECT_EQ(place_of(state), "2,0,14.5");
  EXPECT_TRUE(json_of(state, false)["cell"].is_null());
  EXPECT_EQ(json_of(state, false)["position"], (Json{2.0, 0.0, 14.5}));
  state.mutable_cell()->set_x(3);
  EXPECT_EQ(place_of(state), "3,0");
}

TEST(Print, AnAgentWithoutAPathHasNoCost) {
  v1::AgentState state;
  state.mutable_verdict()->mutable_path()->set_status(v1::PATH_STATUS_UNREACHABLE);
  EXPECT_TRUE(json_of(state, false)["cost"].is_null());
  state.mutable_verdict()->mutable_path()->set_status(v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(json_of(state, false)["cost"], 0);  // the agent stands on its goal
}

TEST(Print, WaypointsOfGraphsAreNodes) {
  v1::Path path = two_waypoints();
  path.clear_cells();
  EXPECT_EQ(text_of(path), "COMPLETE, length 4.00, OPTIMAL at revision 3\n  4.5,0,0.5 4.5,0,4.5");
  for (const std::uint64_t node : {71, 70}) path.add_nodes(node);
  EXPECT_EQ(text_of(path), "COMPLETE, length 4.00, OPTIMAL at revision 3\n  nodes 71 70");
}

TEST(Print, AnEdgeBesideAnotherIsNamedByItsKey) {
  v1::Path path = two_waypoints();
  path.clear_cells();
  for (const std::uint64_t node : {7u, 9u}) path.add_nodes(node);
  for (const std::uint32_t key : {3u, 0u}) path.add_edge_keys(key);
  EXPECT_NE(text_of(path).find("7 =edge 3=>"), std::string::npos) << text_of(path);
  EXPECT_EQ(json_of(path)["waypoints"][0]["edge_key"], 3);
}

TEST(Print, WaypointsOfSmoothedPathsArePositions) {
  const v1::Path path = two_waypoints();
  EXPECT_EQ(text_of(path), "COMPLETE, length 4.00, OPTIMAL at revision 3\n  4,0 4,4");
  EXPECT_EQ(text_of(path, true),
            "COMPLETE, length 4.00, OPTIMAL at revision 3\n  4.5,0,0.5 4.5,0,4.5");
}

TEST(Print, AWorldHasItsStateAndWhyItIsNotServed) {
  v1::World world;
  EXPECT_EQ(json_of(world)["state"], "SERVING");
  world.set_state(v1::WORLD_STATE_QUARANTINED);
  world.set_quarantine_reason("a check failed");
  EXPECT_EQ(json_of(world)["state"], "QUARANTINED");
  EXPECT_EQ(json_of(world)["quarantine_reason"], "a check failed");
}

TEST(Print, ACostThatIsNotKnownIsNoZero) {
  v1::PathEvent event;
  event.set_type(v1::EVENT_TYPE_REPLANNED);
  event.set_revision(2);
  event.set_agent_id(7);
  event.mutable_cell();
  event.set_cost(5);
  EXPECT_EQ(line_of(event), "revision 2  agent 7  REPLANNED  at 0,0  length - -> 5.00");
  EXPECT_TRUE(json_of(event)["old_cost"].is_null());
  event.set_old_cost(8);
  EXPECT_EQ(line_of(event), "revision 2  agent 7  REPLANNED  at 0,0  length 8.00 -> 5.00");
  EXPECT_EQ(json_of(event)["old_cost"], 8);
}

TEST(Print, JsonIsOneLineAndOneObject) {
  CommandContext context;
  testing::internal::CaptureStdout();
  context.print_json({{"name", "two\nlines"}, {"value", 1.5}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "{\"name\":\"two\\nlines\",\"value\":1.5}\n");
}

TEST(CommandContext, EachKindOfFailureHasItsExitStatus) {
  testing::internal::CaptureStderr();
  CommandContext context;
  EXPECT_EQ(context.exit_code, 0);
  context.check_failed("no");
  EXPECT_EQ(context.exit_code, 1);
  context.usage_error("no");
  EXPECT_EQ(context.exit_code, 2);
  context.refused(grpc::Status(grpc::StatusCode::NOT_FOUND, "no world"));
  EXPECT_EQ(context.exit_code, 3);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("NOT_FOUND: no world"), std::string::npos);
}

TEST(CommandContext, ARefusalIsOneJsonObjectToo) {
  CommandContext context;
  context.json = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  context.refused(
      client::Error{client::Code::kNotFound, "WORLD_UNKNOWN", "world", "no world \"x\""});
  EXPECT_NE(testing::internal::GetCapturedStderr().find("WORLD_UNKNOWN in world"),
            std::string::npos);
  const Json printed = Json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(printed["error"]["reason"], "WORLD_UNKNOWN");
  EXPECT_EQ(printed["error"]["field"], "world");
}

TEST(CommandContext, OneWhoMayNotChangeAnAgentIsToldHow) {
  CommandContext context;
  testing::internal::CaptureStderr();
  context.refused(
      client::Error{client::Code::kPermissionDenied, "AGENT_OWNED", "agents[0]", "agent 7"});
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("AGENT_OWNED in agents[0]: agent 7"), std::string::npos);
  EXPECT_NE(told.find("--session ID"), std::string::npos);
  EXPECT_NE(told.find("--take-over"), std::string::npos);
}

TEST(CommandContext, JsonIsOneObjectWhateverFails) {
  CommandContext context;
  context.json = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  context.usage_error("--window: draws cells");
  context.refused(client::Error{client::Code::kNotFound, "WORLD_UNKNOWN", "world", "no world"});
  context.check_failed("not settled");
  context.finish();
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("not settled"), std::string::npos);
  const Json printed =
      Json::parse(testing::internal::GetCapturedStdout());  // throws if there is a second document
  EXPECT_EQ(printed["error"]["reason"], "WRONG_USAGE");
}

TEST(CommandContext, AFailedCheckWithoutAnAnswerIsAnErrorObject) {
  CommandContext context;
  context.json = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  context.check_failed("not settled");
  context.finish();
  testing::internal::GetCapturedStderr();
  const Json printed = Json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(printed["error"]["reason"], "CHECK_FAILED");
  EXPECT_EQ(printed["error"]["message"], "not settled");
}

}  // namespace
}  // namespace repath::cli

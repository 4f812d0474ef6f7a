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

TEST(Print, ACostThatIsNotKnownIsNoZero) {
  v1::PathEvent event;
  event.set_type(v1::EVENT_TYPE_REPLANNED);
  event.set_revision(2);
  event.set_agent_id(7);
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

}  // namespace
}  // namespace repath::cli

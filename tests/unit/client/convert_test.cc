// Conversions between messages and the client's plain values.
#include <gtest/gtest.h>

#include "repath/internal/convert.h"

namespace repath::client {
namespace {

v1::FindReachableResponse two_pieces() {
  v1::FindReachableResponse answer;
  for (const double x : {0.0, 4.0}) {
    for (const double part : {x, 0.0, 1.0}) answer.add_positions(part);
    answer.add_costs(x);
    answer.add_previous(x == 0 ? -1 : 0);
    answer.add_areas(x == 0 ? 1 : 2);
  }
  for (const std::uint32_t corners : {3u, 4u}) {
    answer.add_corner_counts(corners);
    for (std::uint32_t i = 0; i < 3 * corners; ++i) answer.add_corners(corners);
  }
  answer.set_optimality(v1::OPTIMALITY_OPTIMAL);
  return answer;
}

TEST(Convert, PiecesHaveTheirOwnCorners) {
  const Reachable reachable = from_proto(two_pieces());
  ASSERT_EQ(reachable.pieces.size(), 2u);
  EXPECT_TRUE(reachable.cells.empty());
  EXPECT_EQ(reachable.optimality, Optimality::kOptimal);
  EXPECT_EQ(reachable.pieces[0].corners.size(), 3u);
  EXPECT_EQ(reachable.pieces[1].corners.size(), 4u);
  EXPECT_EQ(reachable.pieces[1].corners[0].x, 4);
  EXPECT_EQ(reachable.pieces[1].position.x, 4);
  EXPECT_EQ(reachable.pieces[1].previous, 0);
  EXPECT_EQ(reachable.pieces[1].area, 2u);
}

TEST(Convert, OptionsOfAnImportReachItsHeader) {
  v1::ImportWorldRequest::Header header;
  to_proto(ImportOptions{}, &header);
  EXPECT_EQ(header.ByteSizeLong(), 0u);
  to_proto(ImportOptions{MapFormat::kFloorPlan, PlanMethod::kAnavmg, 0.25, 0.5}, &header);
  EXPECT_EQ(header.format(), v1::MAP_FORMAT_FLOOR_PLAN);
  EXPECT_EQ(header.plan_method(), v1::PLAN_METHOD_ANAVMG);
  EXPECT_EQ(header.plan_tau_radians(), 0.25);
  EXPECT_EQ(header.base_radius(), 0.5);
  for (const auto& [format, message] : {std::pair{MapFormat::kGuessed, v1::MAP_FORMAT_UNSPECIFIED},
                                        {MapFormat::kMovingAi, v1::MAP_FORMAT_MOVING_AI},
                                        {MapFormat::kText, v1::MAP_FORMAT_TEXT},
                                        {MapFormat::kObj, v1::MAP_FORMAT_OBJ},
                                        {MapFormat::kMset, v1::MAP_FORMAT_MSET},
                                        {MapFormat::kPolyanya, v1::MAP_FORMAT_POLYANYA},
                                        {MapFormat::kGraph, v1::MAP_FORMAT_GRAPH},
                                        {MapFormat::kVisibility, v1::MAP_FORMAT_VISIBILITY},
                                        {MapFormat::kSight, v1::MAP_FORMAT_SIGHT}}) {
    to_proto(ImportOptions{.format = format}, &header);
    EXPECT_EQ(header.format(), message);
  }
}

TEST(Convert, ListsThatDoNotMatchGiveWhatThereIs) {
  v1::FindReachableResponse answer = two_pieces();
  answer.mutable_corners()->Truncate(10);
  answer.mutable_costs()->Truncate(1);
  const Reachable reachable = from_proto(answer);
  ASSERT_EQ(reachable.pieces.size(), 1u);
  EXPECT_EQ(reachable.pieces[0].corners.size(), 3u);
}

TEST(Convert, AFlowFieldOfPiecesSaysWhereToGo) {
  v1::GetFlowFieldResponse answer;
  for (const double x : {0.0, 4.0}) {
    for (const double part : {x, 0.0, 1.0}) answer.add_positions(part);
    answer.add_costs(x);
    answer.add_next(x == 0 ? -1 : 0);
    for (const double part : {x + 1, x + 2}) answer.add_toward(part);
    answer.add_links(x == 0 ? 0 : 7);
    answer.add_areas(3);
    answer.add_corner_counts(1);
    for (const double part : {x, 0.0, 5.0}) answer.add_corners(part);
  }
  answer.set_next_piece(2);
  const FlowField field = from_proto(answer);
  ASSERT_EQ(field.pieces.size(), 2u);
  EXPECT_TRUE(field.costs.empty() && field.directions.empty());
  EXPECT_EQ(field.pieces[0].next, -1);
  EXPECT_EQ(field.pieces[1].toward_x, 5);
  EXPECT_EQ(field.pieces[1].toward_z, 6);
  EXPECT_EQ(field.pieces[1].link, 7u);
  ASSERT_EQ(field.pieces[1].corners.size(), 1u);
  EXPECT_EQ(field.pieces[1].corners[0].x, 4);
  EXPECT_EQ(field.next_piece, 2u);
  answer.mutable_next()->Truncate(1);
  EXPECT_EQ(from_proto(answer).pieces.size(), 1u);
}

TEST(Convert, PlacementsAreOneByteEach) {
  v1::FindPlacementsResponse answer;
  answer.mutable_area()->set_x1(2);
  answer.set_placements("\1\4");
  answer.set_revision(7);
  const Placements placements = from_proto(answer);
  EXPECT_EQ(placements.area.x1, 2);
  EXPECT_EQ(placements.placements, (std::vector{Placement::kFree, Placement::kCutsOff}));
  EXPECT_EQ(placements.revision, 7u);
}

TEST(Convert, WaypointsOfGraphsHaveNodesAndKeysOfEdges) {
  v1::Path path;
  for (const double part : {0.0, 0.0, 0.0, 1.0, 0.0, 2.0}) path.add_positions(part);
  for (const std::uint64_t node : {7u, 9u}) path.add_nodes(node);
  EXPECT_EQ(from_proto(path).waypoints[0].edge_key, 0u);
  for (const std::uint32_t key : {3u, 0u}) path.add_edge_keys(key);
  const Path read = from_proto(path);
  ASSERT_EQ(read.waypoints.size(), 2u);
  EXPECT_EQ(read.waypoints[1].node, 9u);
  EXPECT_EQ(read.waypoints[0].edge_key, 3u);
}

TEST(Convert, AnObstacleHasTheShapeThatItIsGiven) {
  ChangeBatch batch;
  batch.upsert.push_back({1, Capsule{{1, 0, 2}, {3, 0, 4}, 0.5}});
  batch.upsert.push_back({2, Cylinder{{5, 0, 6}, 7}});
  v1::ChangeBatch message;
  to_proto(batch, &message);
  ASSERT_EQ(message.upsert_obstacles_size(), 2);
  const v1::CapsuleShape& wall = message.upsert_obstacles(0).capsule();
  EXPECT_EQ(wall.from().z(), 2);
  EXPECT_EQ(wall.to().x(), 3);
  EXPECT_EQ(wall.radius(), 0.5);
  EXPECT_EQ(message.upsert_obstacles(1).cylinder().radius(), 7);
}

TEST(Convert, AnAgentSaysHowItKeepsClearOfOthers) {
  Agent agent;
  v1::Agent message;
  to_proto(agent, &message);
  EXPECT_FALSE(message.has_crowd());
  agent.crowd = Crowd{2, 8, 0.25};
  to_proto(agent, &message);
  EXPECT_EQ(message.crowd().penalty(), 2);
  EXPECT_EQ(message.crowd().radius(), 8);
  EXPECT_EQ(message.crowd().max_detour(), 0.25);
}

TEST(Convert, AnAgentSaysThatItKeepsItsTurningRadius) {
  Agent agent;
  v1::Agent message;
  to_proto(agent, &message);
  EXPECT_FALSE(message.curves());
  agent.curves = true;
  to_proto(agent, &message);
  EXPECT_TRUE(message.curves());
  v1::Path path;
  EXPECT_FALSE(from_proto(path).turn_too_tight);
  path.set_turn_too_tight(true);
  EXPECT_TRUE(from_proto(path).turn_too_tight);
  for (const double c : {1.0, 0.0, 2.0, 3.5, 0.0, 4.0}) path.add_line(c);
  const std::vector<Vec3> line{{1, 0, 2}, {3.5, 0, 4}};
  ASSERT_EQ(from_proto(path).line.size(), 2u);
  EXPECT_EQ(from_proto(path).line[1].x, line[1].x);
  EXPECT_EQ(from_proto(path).line[1].z, line[1].z);
}

}  // namespace
}  // namespace repath::client

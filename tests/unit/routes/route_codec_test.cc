#include "routes/route_codec.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

RouteBatch one_of_each() {
  RouteBatch batch;
  batch.add_profiles = {
      {.name = "cart", .radius = 0.75, .include = 3, .exclude = 8, .areas = {{2, 4.5}, {63, 1}}},
      {}};
  batch.remove_obstacles = {ObstacleId{1}, ObstacleId{~std::uint64_t{0}}};
  batch.switch_obstacles = {{ObstacleId{2}, false}, {ObstacleId{3}, true}};
  batch.upsert_obstacles = {
      {.id = ObstacleId{4}, .shape = Box{{1, -2}, 3, 4, 0.5}, .teams = 6, .enabled = false},
      {.id = ObstacleId{5}, .shape = Circle{{-1.25, 7}, 2}, .bottom = -3, .top = 9},
      {.id = ObstacleId{6}, .shape = Polygon{{{0, 0}, {1, 0}, {0, 1}}}},
      {.id = ObstacleId{7}, .effect = {.blocks = false, .factor = 2.5}},
      {.id = ObstacleId{8}, .effect = {.blocks = false, .area = 9}}};
  batch.switch_links = {{77, false}};
  batch.graph_edits = {
      GraphNode{8, 1, 2, 3, 4, 5, false}, RemoveGraphNode{9},
      SwitchGraphNode{10, false},         GraphEdge{11, 12, 1.5, 3, 6, true, false},
      GraphEdge{.from = 12, .to = 11},    RemoveGraphEdge{13, 14},
      SwitchGraphEdge{15, 16, true},      PriceGraphEdge{17, 18, 0.25}};
  return batch;
}

TEST(RouteCodec, WhatIsEncodedComesBack) {
  const RouteBatch batch = one_of_each();
  const auto decoded = decode_route_batch(encode_route_batch(batch));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_TRUE(*decoded == batch);
  EXPECT_EQ(*decode_route_batch(encode_route_batch({})), RouteBatch{});
}

// Records written before effects existed are read as they were written, and written in the same
// form.
TEST(RouteCodec, BatchesWithoutEffectsHaveTheBytesTheyHadBefore) {
  RouteBatch batch = one_of_each();
  const std::size_t with_effects = encode_route_batch(batch).size();
  batch.upsert_obstacles.resize(3);
  const std::string bytes = encode_route_batch(batch);
  EXPECT_EQ(bytes[0], '\x01');
  EXPECT_TRUE(*decode_route_batch(bytes) == batch);
  batch.upsert_obstacles[2].effect = {.blocks = false, .factor = 2};
  EXPECT_EQ(encode_route_batch(batch)[0], '\x02');
  EXPECT_GT(with_effects, bytes.size());
  EXPECT_EQ(encode_route_batch(batch).size(), bytes.size() + 3 * 10);
}

TEST(RouteCodec, BytesCutOffAnywhereAreDamaged) {
  const std::string bytes = encode_route_batch(one_of_each());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_EQ(error_reason(decode_route_batch(bytes.substr(0, n)).status()), "BATCH_DAMAGED") << n;
  EXPECT_EQ(error_reason(decode_route_batch(bytes + '\0').status()), "BATCH_DAMAGED");
}

TEST(RouteCodec, AnyByteMayBeWrong) {
  const std::string bytes = encode_route_batch(one_of_each());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string wrong = bytes;
      wrong[n] = static_cast<char>(wrong[n] ^ flip);
      const auto decoded = decode_route_batch(wrong);
      if (decoded.ok()) {
        EXPECT_EQ(encode_route_batch(*decoded), wrong);
      }
    }
  EXPECT_EQ(error_reason(decode_route_batch("\x03").status()), "BATCH_VERSION");
}

TEST(RouteCodec, AHugeCountIsNotBelieved) {
  std::string bytes = encode_route_batch({});
  for (std::size_t list = 0; list < 6; ++list) {
    std::string wrong = bytes;
    for (std::size_t i = 1 + 4 * list; i < 5 + 4 * list; ++i) wrong[i] = '\x7f';
    EXPECT_EQ(error_reason(decode_route_batch(wrong).status()), "BATCH_DAMAGED");
  }
}

}  // namespace
}  // namespace repath

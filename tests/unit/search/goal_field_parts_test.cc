// The parts of a goal field beside its labels: its queues, its patience, and the paths it has
// written.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "search/incremental/field_buckets.h"
#include "search/incremental/field_paths.h"
#include "search/incremental/raise_patience.h"

namespace repath {
namespace {

// A node that counts how often nodes are moved.
struct Counted {
  Counted() = default;
  Counted(const Counted&) { ++moves; }
  Counted& operator=(const Counted&) {
    ++moves;
    return *this;
  }
  ~Counted() = default;

  static inline std::uint64_t moves = 0;
};

class FieldBucketsWork : public testing::Test {
 protected:
  static constexpr std::uint64_t kMax = FieldBuckets<Counted>::kBucketsMax;
  static constexpr std::uint32_t kNodes = 1 << 14;
  // A heap moves a node about this often when it takes it in or gives it out.
  static constexpr std::uint64_t kDeep = std::bit_width(kNodes);

  FieldBucketsWork() { Counted::moves = 0; }
  void push(std::uint64_t bucket) {
    buckets_.push(bucket, {});
    ++pushed_;
  }
  // Returns the bucket of the node that it takes out.
  std::uint64_t take() {
    buckets_.seek();
    buckets_.pop();
    return buckets_.first();
  }
  void expect_little_work() {
    EXPECT_LE(Counted::moves, 4 * kDeep * pushed_) << "for " << pushed_ << " nodes";
  }

  FieldBuckets<Counted> buckets_;
  std::uint32_t pushed_ = 0;
};

TEST_F(FieldBucketsWork, FallingPushesAfterAFarNodeWasTakenOut) {
  push(5 * kMax);
  EXPECT_EQ(take(), 5 * kMax);
  for (std::uint32_t i = kNodes; i > 0; --i) push(3 * kMax / kNodes * i);
  for (std::uint32_t i = 1; i <= kNodes; ++i) ASSERT_EQ(take(), 3 * kMax / kNodes * i);
  expect_little_work();
}

TEST_F(FieldBucketsWork, FallingPushesWhileAFarNodeIsLeft) {
  push(5 * kMax);
  push(5 * kMax);
  EXPECT_EQ(take(), 5 * kMax);
  for (std::uint32_t i = kNodes; i > 0; --i) push(3 * kMax / kNodes * i);
  for (std::uint32_t i = 1; i <= kNodes; ++i) ASSERT_EQ(take(), 3 * kMax / kNodes * i);
  EXPECT_EQ(take(), 5 * kMax);
  expect_little_work();
}

TEST_F(FieldBucketsWork, NearNodesThatComeAndGoBeforeManyFarOnes) {
  for (std::uint32_t i = 0; i < kNodes; ++i) push(2 * kMax + i);
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    push(i % 2);
    ASSERT_EQ(take(), i % 2);
    buckets_.seek();
  }
  expect_little_work();
}

TEST_F(FieldBucketsWork, NodesSpreadOverManyTimesTheArray) {
  for (std::uint32_t i = 0; i < kNodes; ++i) push(i * 7919 % kNodes * (kMax / 4));
  for (std::uint32_t i = 0; i < kNodes; ++i) ASSERT_EQ(take(), i * (kMax / 4));
  expect_little_work();
}

constexpr std::uint64_t kAll = 100'000;

// Returns how many of `wanted` nodes are raised; fewer if the labels were dropped.
std::uint64_t raise(RaisePatience& patience, std::uint64_t wanted) {
  for (std::uint64_t raised = 1; raised <= wanted; ++raised)
    if (!patience.goes_on(raised, kAll)) return raised;
  patience.note_end();
  return wanted;
}

TEST(RaisePatience, LearnsWhetherMuchThatFellIsMostOfIt) {
  RaisePatience patience;
  EXPECT_EQ(raise(patience, kAll), 20'001u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(raise(patience, kAll), 5'001u);
  EXPECT_EQ(raise(patience, 5'000), 5'000u);
  EXPECT_EQ(raise(patience, 8'000), 5'001u);
}

TEST(RaisePatience, TriesAgainNowAndThen) {
  RaisePatience patience;
  raise(patience, kAll);
  std::uint32_t past = 1;
  while (raise(patience, 8'000) == 5'001u) ++past;
  EXPECT_EQ(past + 1, RaisePatience::kTryEvery);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(raise(patience, 8'000), 8'000u);
  EXPECT_EQ(raise(patience, kAll), 20'001u);
  EXPECT_EQ(raise(patience, 8'000), 8'000u) << "once is not always";
}

TEST(RaisePatience, FewNodesNeverDropLabels) {
  RaisePatience patience;
  for (std::uint64_t raised = 1; raised < RaisePatience::kMin; ++raised)
    EXPECT_TRUE(patience.goes_on(raised, raised));
}

std::vector<NodeId> nodes(std::uint32_t first, std::uint32_t count) {
  std::vector<NodeId> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) nodes[i] = NodeId{first + i};
  return nodes;
}

TEST(FieldTrunks, CopiesWhatFollowsATurnThroughAllThatItLedInto) {
  FieldTrunks trunks;
  trunks.keep(nodes(10, 5), std::array<std::uint32_t, 1>{2}, false);  // turns at 12, ends at 14
  std::vector<NodeId> out{NodeId{12}};
  ASSERT_TRUE(trunks.copy_after(NodeId{12}, &out));
  EXPECT_EQ(out, nodes(12, 3));

  std::vector<NodeId> own = nodes(30, 3);
  own.push_back(NodeId{12});
  trunks.keep(own, std::array<std::uint32_t, 2>{0, 1}, true);
  out = {NodeId{99}, NodeId{31}};
  ASSERT_TRUE(trunks.copy_after(NodeId{31}, &out));
  EXPECT_EQ(out, (std::vector<NodeId>{NodeId{99}, NodeId{31}, NodeId{32}, NodeId{12}, NodeId{13},
                                      NodeId{14}}));
  EXPECT_FALSE(trunks.copy_after(NodeId{32}, &out)) << "it went straight on there";
  EXPECT_EQ(out.size(), 6u);

  trunks.clear();
  EXPECT_FALSE(trunks.copy_after(NodeId{12}, &out));
}

TEST(FieldTrunks, FullTheyBeginAnewWithAPathThatLeadsIntoNoOther) {
  FieldTrunks trunks;
  const std::array<std::uint32_t, 1> turn{0};
  const auto most = static_cast<std::uint32_t>(FieldTrunks::kNodesMax);
  trunks.keep(nodes(0, most - 10), turn, false);
  std::vector<NodeId> out;
  ASSERT_TRUE(trunks.copy_after(NodeId{0}, &out));
  EXPECT_EQ(out.size(), most - 11);
  trunks.keep(nodes(most, 20), turn, true);
  EXPECT_FALSE(trunks.copy_after(NodeId{most}, &out)) << "there is no room for it";
  out.clear();
  EXPECT_TRUE(trunks.copy_after(NodeId{0}, &out));
  trunks.keep(nodes(most, 20), turn, false);
  EXPECT_FALSE(trunks.copy_after(NodeId{0}, &out));
  out.clear();
  EXPECT_TRUE(trunks.copy_after(NodeId{most}, &out));
  EXPECT_EQ(out, nodes(most + 1, 19));
}

}  // namespace
}  // namespace repath

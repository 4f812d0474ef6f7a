// OpenList, NodePages, FieldPages and FieldBuckets against the standard containers.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "base/random.h"
#include "search/incremental/field_buckets.h"
#include "search/incremental/field_pages.h"
#include "search/node_pages.h"
#include "search/open_list.h"
#include "support/seed.h"

namespace repath {
namespace {

TEST(OpenListProperty, BehavesAsASortedSet) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  constexpr std::uint32_t kNodes = 300;
  std::vector<HeapSlot> slots(kNodes);
  std::vector<Key> keys(kNodes);
  OpenList<Key> list;
  std::set<std::pair<Key, NodeId>> model;
  for (int i = 0; i < 50'000; ++i) {
    const NodeId n{random.below(kNodes)};
    HeapSlot& slot = slots[index(n)];
    const bool was_queued = slot.is_queued();
    if (was_queued) model.erase({keys[index(n)], n});
    if (was_queued && random.below(3) == 0) {
      list.remove(&slot);
    } else {
      keys[index(n)] = {random.below(50), random.below(5)};
      list.put(n, keys[index(n)], &slot);
      model.emplace(keys[index(n)], n);
    }
    ASSERT_EQ(list.size(), model.size());
    ASSERT_EQ(list.empty(), model.empty());
    ASSERT_EQ(slot.is_queued(), model.contains({keys[index(n)], n}));
    ASSERT_EQ(list.top_key(), model.empty() ? Key{} : model.begin()->first);
    if (!model.empty()) {
      ASSERT_EQ(list.top(), model.begin()->second);
    }
  }
}

TEST(NodePagesProperty, BehavesAsAMap) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  NodePages<int> pages(kNodesMax);
  std::map<NodeId, int> model;
  for (int i = 1; i < 20'000; ++i) {
    // Near, far and at both ends.
    const NodeId n{random.below(2) == 0 ? random.below(1000)
                                        : kNodesMax - 1 - random.below(1000) * 7919};
    ASSERT_EQ(pages.read(n), model.contains(n) ? model[n] : 0);
    if (random.below(2) == 0) pages.touch(n) = model[n] = i;
  }
  std::map<NodeId, int> seen;
  NodeId last{0};
  pages.for_each([&](NodeId n, int value) {
    EXPECT_LE(last, n);
    last = n;
    if (value != 0) seen[n] = value;
  });
  EXPECT_EQ(seen, model);
}

TEST(FieldPagesProperty, BehavesAsAMap) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  constexpr std::uint64_t kWord = 7;
  FieldPages pages(100'001, kWord);
  std::map<NodeId, std::uint64_t> model;
  for (std::uint64_t i = 1; i < 50'000; ++i) {
    const NodeId n{random.below(2) == 0 ? random.below(1000) : 100'000 - random.below(20'000)};
    if (random.below(5'000) == 0) {
      random.below(2) == 0 ? pages.fill() : pages.clear();
      model.clear();
    }
    ASSERT_EQ(pages.read(n), model.contains(n) ? model[n] : kWord);
    if (random.below(2) == 0) pages.touch(n) = model[n] = i + kWord;
  }
}

// The newest node of the lowest bucket, over ranges that fit the array and ranges that do not.
TEST(FieldBucketsProperty, BehaveAsASortedMapOfStacks) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (const std::uint64_t range : {300u, 100'000u, 3'000'000u, 100'000'000u}) {
    FieldBuckets<NodeId> buckets;
    std::map<std::uint64_t, std::vector<NodeId>> model;
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < 30'000; ++i) {
      if (random.below(10'000) == 0) {
        buckets.clear();
        model.clear();
      }
      // Mostly a little above the last bucket taken out.
      if (random.below(100) < 52) {
        const bool far = random.below(10) == 0;
        const std::uint64_t bucket =
            far ? static_cast<std::uint64_t>(random.unit() * static_cast<double>(range))
                : at + random.below(3);
        buckets.push(bucket, NodeId{i});
        model[bucket].push_back(NodeId{i});
      }
      ASSERT_EQ(buckets.empty(), model.empty());
      if (model.empty() || random.below(2) == 0) continue;
      buckets.seek();
      ASSERT_EQ(buckets.first(), model.begin()->first);
      at = buckets.first();
      auto& nodes = model.begin()->second;
      ASSERT_TRUE(buckets.has_first());
      ASSERT_EQ(buckets.pop(), nodes.back());
      nodes.pop_back();
      if (nodes.empty()) model.erase(model.begin());
      ASSERT_EQ(buckets.has_first(), model.contains(at));
    }
  }
}

// Many nodes are pushed before any is taken out, into buckets that rise, fall or are drawn, after
// nodes beyond the array were taken out or while one is left there.
TEST(FieldBucketsProperty, AnyOrderOfPushesComesOutSorted) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  FieldBuckets<NodeId> buckets;
  std::multimap<std::uint64_t, NodeId> model;
  const auto push = [&](std::uint64_t bucket, std::uint32_t n) {
    buckets.push(bucket, NodeId{n});
    model.emplace_hint(model.lower_bound(bucket), bucket, NodeId{n});  // the newest comes first
  };
  const auto take_until = [&](std::size_t left) {
    while (model.size() > left) {
      buckets.seek();
      ASSERT_EQ(buckets.first(), model.begin()->first);
      ASSERT_EQ(buckets.pop(), model.begin()->second);
      model.erase(model.begin());
    }
  };
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t stride = std::uint64_t{1} << random.below(16);
    const std::uint32_t pattern = random.below(3);
    constexpr std::uint32_t kPushes = 1000;
    for (std::uint32_t i = 0; i < kPushes; ++i) {
      const std::uint32_t place = pattern == 0   ? i
                                  : pattern == 1 ? kPushes - i
                                                 : random.below(kPushes);
      push(place / 2 * stride, i);
    }
    ASSERT_NO_FATAL_FAILURE(take_until(random.below(2) == 0 ? 0 : random.below(kPushes)));
    ASSERT_EQ(buckets.empty(), model.empty());
  }
}

}  // namespace
}  // namespace repath

// OpenList and NodePages against the standard containers.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
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
    if (random.below(5'000) == 0) {
      pages.clear();
      model.clear();
    }
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

}  // namespace
}  // namespace repath

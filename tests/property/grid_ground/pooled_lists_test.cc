// PooledLists against vectors.
#include "grid_ground/pooled_lists.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

using Lists = PooledLists<std::uint64_t>;

std::vector<std::uint64_t> all_of(const Lists& lists, std::size_t list) {
  std::vector<std::uint64_t> all;
  lists.for_each(list, [&](std::uint64_t entry) { all.push_back(entry); });
  return all;
}

TEST(PooledListsProperty, AreWhatVectorsAre) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  constexpr std::size_t kLists = 20;
  Lists lists(kLists);
  std::vector<std::vector<std::uint64_t>> model(kLists);
  for (int i = 0; i < 30'000; ++i) {
    const std::size_t list = random.below(kLists);
    if (random.below(40) == 0) {
      // Drops none, some or all entries, in turn long runs of them.
      const std::uint32_t share = random.below(5);
      const auto dead = [&](std::uint64_t entry) { return entry / 7 % 4 < share; };
      lists.drop_if(list, dead);
      std::erase_if(model[list], dead);
    } else {
      const std::uint64_t entry = random.below(1'000'000);
      lists.push(list, entry);
      model[list].push_back(entry);
    }
    ASSERT_EQ(all_of(lists, list), model[list]);
    std::size_t size = 0;
    for (const auto& entries : model) size += entries.size();
    ASSERT_EQ(lists.size(), size);
  }
}

TEST(PooledListsProperty, TakeNoMoreMemoryThanAtTheirFullest) {
  constexpr std::size_t kLists = 100;
  constexpr std::uint64_t kEntries = 10'000;
  Lists lists(kLists);
  std::uint64_t most = 0;
  for (std::size_t list = 0; list < kLists; ++list) {
    for (std::uint64_t i = 0; i < kEntries; ++i) lists.push(list, i);
    if (list == 0) most = lists.bytes();
    lists.drop_if(list, [](std::uint64_t) { return true; });
  }
  EXPECT_EQ(lists.bytes(), most) << "each list takes what the one before gave back";
  EXPECT_LT(most, kEntries * sizeof(std::uint64_t) * 5 / 4);
}

}  // namespace
}  // namespace repath

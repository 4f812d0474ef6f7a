#include "grid/jps/jump_records.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

using Key = JumpRecords::Key;

TEST(JumpRecords, KnowsNothingOfTheSearchBefore) {
  JumpRecords records;
  records.touch(7).g = 40;
  EXPECT_EQ(records.touch(7).g, 40U);
  records.clear();
  EXPECT_EQ(records.touch(7).g, JumpRecords::kNoCost);
}

// Numbers of searches repeat after 65,535. A record of an earlier search must not be taken for one
// of a later search with the same number.
TEST(JumpRecords, KnowsNothingOfASearchWithTheSameNumber) {
  constexpr int kSearches = 140'000;
  constexpr Key kKeys = 3;
  JumpRecords records;
  for (int search = 0; search < kSearches; ++search) {
    const auto key = static_cast<Key>(search % 11);
    for (Key k = key; k < key + kKeys; ++k) {
      ASSERT_EQ(records.touch(k).g, JumpRecords::kNoCost) << "search " << search;
      records.touch(k).g = k;
    }
    records.clear();
  }
}

TEST(JumpRecords, KeepsWhatItHasWhileItGrows) {
  constexpr Key kKeys = 5'000;
  JumpRecords records;
  for (int search = 0; search < 3; ++search) {
    for (Key k = 0; k < kKeys; ++k) {
      JumpRecords::Record& record = records.touch(k * 37);
      ASSERT_EQ(record.g, JumpRecords::kNoCost);
      record.g = (Cost{k} << 30) & JumpRecords::kNoCost;
    }
    for (Key k = 0; k < kKeys; ++k) ASSERT_EQ(records.at(k * 37).g, Cost{k} << 30);
    records.clear();
  }
}

}  // namespace
}  // namespace repath

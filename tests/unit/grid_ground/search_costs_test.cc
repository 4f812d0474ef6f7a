#include "grid_ground/search_costs.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

constexpr std::uint32_t kNodes = 100'000;

TEST(SearchCosts, AFieldPaysOnlyBesideWhatJumpsHaveCost) {
  SearchCosts costs(kNodes);
  EXPECT_FALSE(costs.field_pays(1'000'000, std::nullopt));
  costs.note_fresh(SearchKind::kJump, 300);
  EXPECT_TRUE(costs.field_pays(1'000'000, std::nullopt));
}

TEST(SearchCosts, AFieldPaysForAsManyAsWouldCostMoreOneByOne) {
  SearchCosts costs(kNodes);
  costs.note_fresh(SearchKind::kJump, 200);
  costs.note_fresh(SearchKind::kJump, 400);
  costs.note_fresh(SearchKind::kField, 30'000);
  EXPECT_FALSE(costs.field_pays(99, std::nullopt));
  EXPECT_TRUE(costs.field_pays(100, std::nullopt));
}

TEST(SearchCosts, AFieldCostsTheMoreTheLongerItWasLeftBehind) {
  SearchCosts costs(kNodes);
  costs.note_fresh(SearchKind::kJump, 300);
  costs.note_fresh(SearchKind::kField, 30'000);
  costs.note_field(600, 2);
  costs.note_field(2'400, 3);  // 600 for each revision
  EXPECT_TRUE(costs.field_pays(2, 1));
  EXPECT_FALSE(costs.field_pays(1, 1));
  EXPECT_FALSE(costs.field_pays(19, 10));
  EXPECT_TRUE(costs.field_pays(20, 10));
  EXPECT_TRUE(costs.field_pays(100, 1'000'000));  // making it from scratch is its largest cost
}

TEST(SearchCosts, AFieldThatIsUpToDateCostsNothing) {
  SearchCosts costs(kNodes);
  costs.note_fresh(SearchKind::kJump, 300);
  costs.note_field(600, 2);
  EXPECT_TRUE(costs.field_pays(1, 0));
}

TEST(SearchCosts, LabelsThatNeverSaySoAreAskedLater) {
  SearchCosts costs(kNodes);
  constexpr WorkUnits kOnce = 20;  // expansions that take as long as 10 units of labels
  EXPECT_EQ(costs.units_before_labels(10), kOnce);
  costs.note_labels(false);
  EXPECT_EQ(costs.units_before_labels(10), 2 * kOnce);
  for (int i = 0; i < 100; ++i) costs.note_labels(false);
  EXPECT_EQ(costs.units_before_labels(10), 16 * kOnce);
  costs.note_labels(true);
  EXPECT_EQ(costs.units_before_labels(10), kOnce);
}

}  // namespace
}  // namespace repath

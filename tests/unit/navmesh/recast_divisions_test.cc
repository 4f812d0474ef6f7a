#include "navmesh/import/recast_divisions.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <vector>

namespace repath {
namespace {

using Outcome = DivisionResult::Outcome;

constexpr std::size_t kWayCount = std::size(kDivisionWays);
constexpr std::size_t kPlainWays = 3;  // without facets

// Divides by a script: one result for each way; ways beyond its end are at fault.
struct Script {
  TileGround run(double tolerance) {
    return choose_division(
        tolerance,
        [this](const DivisionWay& way) {
          const auto at = static_cast<std::size_t>(&way - kDivisionWays);
          tried.push_back(at);
          return at < results.size() ? results[at] : DivisionResult{Outcome::kFault};
        },
        [this] { kept.push_back(tried.back()); });
  }

  std::vector<DivisionResult> results;
  std::vector<std::size_t> tried;
  std::vector<std::size_t> kept;
};
using Places = std::vector<std::size_t>;

TEST(Divisions, FacetsComeLastAndBecomePlainer) {
  for (std::size_t k = 0; k < kWayCount; ++k) {
    EXPECT_EQ(kDivisionWays[k].facets == FacetsOf::kNothing, k < kPlainWays);
    // Layers would join facets.
    EXPECT_TRUE(k < kPlainWays || kDivisionWays[k].division != Division::kLayers);
    EXPECT_TRUE(k <= kPlainWays || kDivisionWays[k].reach <= kDivisionWays[k - 1].reach);
  }
  EXPECT_EQ(kDivisionWays[0].division, Division::kWatershed);
  EXPECT_EQ(kDivisionWays[1].division, Division::kLayers);
  EXPECT_EQ(kDivisionWays[2].division, Division::kMonotone);
}

TEST(Divisions, TheFirstGoodOneIsTaken) {
  Script script;
  script.results = {{Outcome::kDivided, 5}};
  EXPECT_EQ(script.run(5), TileGround::kBuilt);
  EXPECT_EQ(script.tried, Places({0}));
  EXPECT_EQ(script.kept, Places({0}));
}

TEST(Divisions, FaultsAndFailuresLeadToTheNext) {
  Script script;
  script.results = {{Outcome::kFailed}, {Outcome::kFault}, {Outcome::kDivided, 1}};
  EXPECT_EQ(script.run(5), TileGround::kBuilt);
  EXPECT_EQ(script.tried, Places({0, 1, 2}));
  EXPECT_EQ(script.kept, Places({2}));
}

TEST(Divisions, HeightsThatAreOffNeedFacets) {
  Script script;
  script.results = {{Outcome::kDivided, 12}, {}, {}, {Outcome::kDivided, 13}, {Outcome::kFault},
                    {Outcome::kDivided, 4}};
  EXPECT_EQ(script.run(5), TileGround::kBuilt);
  EXPECT_EQ(script.tried, Places({0, 3, 4, 5}));
  EXPECT_EQ(script.kept, Places({0, 5}));
}

TEST(Divisions, TheNearestIsKeptIfNoneIsGood) {
  Script script;
  script.results = {{Outcome::kFault},      {Outcome::kDivided, 12}, {},
                    {Outcome::kDivided, 9}, {Outcome::kDivided, 7},  {Outcome::kDivided, 8},
                    {Outcome::kTooDear}};
  EXPECT_EQ(script.run(5), TileGround::kBuilt);
  EXPECT_EQ(script.tried, Places({0, 1, 3, 4, 5, 6}));
  EXPECT_EQ(script.kept, Places({1, 3, 4}));
}

TEST(Divisions, OnlyFaultsMakeGroundFolded) {
  Script faults;
  EXPECT_EQ(faults.run(5), TileGround::kFolded);
  EXPECT_EQ(faults.tried.size(), kWayCount);
  Script failures;
  failures.results.assign(kWayCount, {Outcome::kFailed});
  EXPECT_EQ(failures.run(5), TileGround::kStopped);
  EXPECT_EQ(failures.tried.size(), kWayCount);
  Script stopped;
  stopped.results = {{Outcome::kFault}, {Outcome::kStopped}};
  EXPECT_EQ(stopped.run(5), TileGround::kStopped);
  EXPECT_EQ(stopped.tried, Places({0, 1}));
}

}  // namespace
}  // namespace repath

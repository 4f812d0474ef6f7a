// HPA* on the scenarios of the test data and, if present, of the shared data: the mean excess over
// the optimal lengths in the files, and each answer within its own bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "grid/hpa/hpa_search.h"
#include "support/moving_ai.h"

namespace repath {
namespace {

constexpr double kExcessMeanMax = 0.01;

Progress run_to_end(HpaSearch* search) {
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget) {
    std::uint32_t plenty = 10'000'000;
    progress = search->advance(&plenty);
  }
  return progress;
}

// Tests every `every`-th query.
void expect_small_excess(const std::filesystem::path& scenario, int levels, std::size_t every) {
  std::filesystem::path map_file = scenario;
  const GridLayer layer = test::read_moving_ai_map(map_file.replace_extension());
  HpaShape shape = hpa_shape_for(layer.width(), layer.height());
  shape.levels = levels;
  const HpaMap map(layer, Topology::k8, CornerRule::kNone, shape);
  double excess = 0;
  const std::vector<test::ScenQuery> queries = test::read_queries(scenario, layer);
  std::size_t asked = 0;
  for (std::size_t i = 0; i < queries.size(); i += every, ++asked) {
    const test::ScenQuery& query = queries[i];
    HpaSearch search(map, query.from, GoalSet{query.to});
    ASSERT_EQ(run_to_end(&search), Progress::kPathFound) << scenario << ": " << query.line;
    const double length = cells_from_cost(search.path_cost());
    const double tolerance = 6e-3 + 1e-5 * query.length;
    ASSERT_GE(length, query.length - tolerance) << scenario << ": " << query.line;
    ASSERT_LE(cells_from_cost(search.lower_bound()), query.length + tolerance) << query.line;
    if (query.length > 0) excess += std::max(0.0, length / query.length - 1);
  }
  EXPECT_LE(excess / static_cast<double>(asked), kExcessMeanMax) << scenario;
}

TEST(Hpa, StaysNearTheLengthsOfTheScenarios) {
  const std::vector<std::filesystem::path> files = test::scenarios();
  for (const auto& file : files) expect_small_excess(file, 1, 2);
  EXPECT_GE(files.size(), 5u);
}

TEST(Hpa, StaysNearThemOnTwoLevelsToo) {
  for (const auto& file : test::scenarios()) expect_small_excess(file, 2, 4);
}

}  // namespace
}  // namespace repath

// Jump point search on the scenarios of the test data and, if present, of the shared data: the
// optimal lengths in the files.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "grid/jps/jps.h"
#include "support/moving_ai.h"
#include "support/node_goals.h"

namespace repath {
namespace {

void expect_lengths(const std::filesystem::path& scenario) {
  std::filesystem::path map_file = scenario;
  const GridLayer layer = test::read_moving_ai_map(map_file.replace_extension());
  const JumpMap map(layer, CornerRule::kNone);
  const std::vector<test::ScenQuery> queries = test::read_queries(scenario, layer);
  for (const test::ScenQuery& query : queries) {
    const test::NodeGoals goal(layer, {query.to});
    JumpPointSearch search = goal.search(layer, map, query.from);
    std::uint32_t plenty = 10'000'000;
    ASSERT_EQ(search.advance(&plenty), Progress::kPathFound) << scenario << ": " << query.line;
    // Lengths in the files use the square root of two, and some are rounded to two digits.
    ASSERT_NEAR(cells_from_cost(search.path_cost()), query.length, 6e-3 + 1e-5 * query.length)
        << scenario << ": " << query.line;
  }
  EXPECT_FALSE(queries.empty()) << scenario;
}

TEST(JumpPoints, FindTheLengthsOfTheScenarios) {
  const std::vector<std::filesystem::path> files = test::scenarios();
  for (const auto& file : files) expect_lengths(file);
  EXPECT_GE(files.size(), 5u);
}

}  // namespace
}  // namespace repath

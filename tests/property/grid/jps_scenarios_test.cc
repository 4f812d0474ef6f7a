// Jump point search on the scenarios of the test data and, where they are, of the shared ones: the
// optimal lengths that stand in the files.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "grid/jps.h"
#include "support/ascii_grid.h"
#include "support/shared_data.h"

namespace repath {
namespace {

// Ground and swamp are free at the same cost, all else is blocked, as in the scenarios.
GridLayer read_layer(const std::filesystem::path& file) {
  std::istringstream text(test::read_file(file));
  std::vector<std::string> rows;
  bool is_map = false;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (is_map && !line.empty()) {
      for (char& c : line) c = c == '.' || c == 'G' || c == 'S' ? '.' : '#';
      rows.push_back(line);
    }
    is_map = is_map || line == "map";
  }
  return test::draw_layer({rows.begin(), rows.end()});
}

void expect_lengths(const std::filesystem::path& scenario) {
  std::filesystem::path map_file = scenario;
  const GridLayer layer = read_layer(map_file.replace_extension());
  const JumpMap map(layer, CornerRule::kNone);
  std::istringstream text(test::read_file(scenario));
  std::string line;
  std::getline(text, line);
  int queries = 0;
  for (; std::getline(text, line); ++queries) {
    std::istringstream fields(line);
    std::string bucket, name;
    std::int32_t width = 0, height = 0, sx = 0, sy = 0, gx = 0, gy = 0;
    double length = 0;
    if (!(fields >> bucket >> name >> width >> height >> sx >> sy >> gx >> gy >> length)) break;
    JumpPointSearch search(layer, map, layer.node_at(sx, sy), GoalSet{layer.node_at(gx, gy)});
    std::uint32_t plenty = 10'000'000;
    ASSERT_EQ(search.advance(&plenty), Progress::kPathFound) << scenario << ": " << line;
    // Lengths in the files have the square root of two, some of them rounded to two digits.
    ASSERT_NEAR(cells_from_cost(search.path_cost()), length, 6e-3 + 1e-5 * length)
        << scenario << ": " << line;
  }
  EXPECT_GT(queries, 0) << scenario;
}

TEST(JumpPoints, FindTheLengthsOfTheScenarios) {
  std::vector<std::filesystem::path> files =
      test::files_in(std::filesystem::path(REPATH_SOURCE_DIR) / "tests" / "data" / "maps", ".scen");
  if (const auto shared = test::shared_data("grid"))
    for (const auto& file : test::files_in(*shared, ".scen")) files.push_back(file);
  std::size_t read = 0;
  for (const auto& file : files) {
    if (file.stem().extension() != ".map") continue;  // of worlds that change
    expect_lengths(file);
    ++read;
  }
  EXPECT_GE(read, 5u);
}

}  // namespace
}  // namespace repath

// Every map of the shared test data can be read and keeps its size.
#include <gtest/gtest.h>

#include "grid/cells/map_import.h"
#include "support/shared_data.h"

namespace repath {
namespace {

TEST(SharedMaps, AreAllRead) {
  const auto folder = test::shared_data("grid");
  if (!folder) GTEST_SKIP() << "the shared test data is not here";
  const auto files = test::files_in(*folder, ".map");
  ASSERT_FALSE(files.empty());
  for (const auto& file : files) {
    const std::string text = test::read_file(file);
    const auto map = import_map(text, MapFormat::kAuto, default_terrain(), {});
    ASSERT_TRUE(map.ok()) << file << ": " << map.status();
    EXPECT_GT(map->cells.size() + 60, text.size() - 2 * static_cast<std::size_t>(map->height))
        << file;
    std::size_t free_cells = 0;
    for (const TerrainId t : map->cells) free_cells += map->classes[index(t)].forbidden ? 0 : 1;
    EXPECT_GT(free_cells, 0u) << file;
  }
}

}  // namespace
}  // namespace repath

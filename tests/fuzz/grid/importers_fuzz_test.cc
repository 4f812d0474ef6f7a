// Every reader of grid maps.
#include <gtest/gtest.h>

#include <string>

#include "grid/cells/map_import.h"
#include "grid/cells/terrain.h"
#include "support/fuzz.h"
#include "support/hostile.h"

namespace repath {
namespace {

absl::Status read(const std::string& text, MapFormat format) {
  const auto map = import_map(text, format, default_terrain(), {});
  if (!map.ok()) return map.status();
  EXPECT_EQ(map->cells.size(),
            static_cast<std::size_t>(map->width) * static_cast<std::size_t>(map->height));
  return absl::OkStatus();
}

TEST(Fuzz, MovingAi) {
  test::feed(
      {"type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\nGG.O\n"},
      [](const std::string& text) { return read(text, MapFormat::kMovingAi); }, test::hostile_map);
}

TEST(Fuzz, MapText) {
  test::feed(
      {"....\n.##.\n....\n", "..@\r\n...\r\n"},
      [](const std::string& text) { return read(text, MapFormat::kAuto); }, test::hostile_map);
}

}  // namespace
}  // namespace repath

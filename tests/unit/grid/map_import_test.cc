#include "grid/cells/map_import.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace repath {
namespace {

absl::StatusOr<GridMap> import(std::string_view text, ImportLimits limits = {}) {
  return import_map(text, MapFormat::kAuto, default_terrain(), limits);
}

std::string symbols(const GridMap& map) {
  std::string text;
  for (const TerrainId t : map.cells) text += map.classes[index(t)].symbol;
  return text;
}

void expect_refused(std::string_view text, const std::string& reason, const std::string& message) {
  const auto map = import(text);
  ASSERT_FALSE(map.ok());
  EXPECT_EQ(error_reason(map.status()), reason) << map.status();
  EXPECT_NE(std::string(map.status().message()).find(message), std::string::npos) << map.status();
}

TEST(MapImport, ReadsMovingAi) {
  const auto map = import("type octile\nheight 2\nwidth 3\nmap\n.G@\nSTW\n");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->width, 3);
  EXPECT_EQ(map->height, 2);
  EXPECT_EQ(symbols(*map), "..@STW");
}

TEST(MapImport, TakesCrLfAndAMissingLastLineBreak) {
  const auto map = import("type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.O");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(symbols(*map), ".@");
}

TEST(MapImport, ReadsPlainTextWithFactors) {
  const auto map = import("..#\n 59\n");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(symbols(*map), "..#.59");
  EXPECT_EQ(map->classes[index(map->cells[4])].factor, 5.0);
}

TEST(MapImport, UsesTheGivenTerrainClasses) {
  const TerrainTable classes{{.name = "sand", .symbol = 's', .factor = 2},
                             {.name = "gate", .symbol = 'G'}};
  const auto map = import_map("sG\n", MapFormat::kText, classes, {});
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(index(map->cells[1]), 1u) << "a class of the table goes before the alias";
  EXPECT_FALSE(import_map("s.\n", MapFormat::kText, classes, {}).ok());
}

TEST(MapImport, NamesLineAndColumnOfAnUnknownSymbol) {
  expect_refused("...\n.?.\n", "MAP_SYMBOL", "line 2, column 2: '?'");
  expect_refused("type octile\nheight 1\nwidth 2\nmap\n.\x01\n", "MAP_SYMBOL",
                 "line 5, column 2: the byte 1");
}

TEST(MapImport, NamesARowOfTheWrongLength) {
  expect_refused("...\n....\n...\n", "MAP_SYNTAX",
                 "line 2, column 4: the row has 4 cells instead of 3");
  expect_refused("type octile\nheight 2\nwidth 3\nmap\n.....\n.\n", "MAP_SYNTAX",
                 "line 5, column 4");
}

TEST(MapImport, RefusesMissingAndSurplusRows) {
  expect_refused("type octile\nheight 3\nwidth 2\nmap\n..\n..\n", "MAP_SYNTAX",
                 "ends after 2 of 3 rows");
  expect_refused("type octile\nheight 1\nwidth 2\nmap\n..\n..\n", "MAP_SYNTAX",
                 "line 6, column 1: text after");
}

TEST(MapImport, RefusesBrokenHeaders) {
  expect_refused("type octile\nheight x\nwidth 2\nmap\n..\n", "MAP_SYNTAX", "line 2");
  expect_refused("type octile\nheight 1\nheight 1\nmap\n..\n", "MAP_SYNTAX", "line 3");
  expect_refused("type octile\nheight -1\nwidth 2\nmap\n..\n", "MAP_SYNTAX", "line 2");
  expect_refused("type octile\nheight 1\nwidth 2\nrows\n..\n", "MAP_SYNTAX", "line 4");
  expect_refused("type octile\n", "MAP_SYNTAX", "line 2");
  expect_refused("", "MAP_SYNTAX", "no cells");
}

TEST(MapImport, RefusesADeclaredSizeThatTheFileDoesNotHoldWithoutAllocatingIt) {
  expect_refused("type octile\nheight 16384\nwidth 16384\nmap\n..\n", "MAP_SYNTAX",
                 "too few or too short");
}

TEST(MapImport, RefusesSidesAndSizesBeyondTheLimits) {
  expect_refused("type octile\nheight 16385\nwidth 1\nmap\n..\n", "MAP_TOO_LARGE", "at most 16384");
  const auto map = import("....\n....\n", {.side_max = 16384, .cells_max = 7});
  EXPECT_EQ(map.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(error_reason(map.status()), "MAP_TOO_LARGE");
}

TEST(DefaultTerrain, KeepsItsNumbers) {
  const std::string expected = ".#STW@123456789";
  ASSERT_EQ(default_terrain().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(default_terrain()[i].symbol, expected[i]);
  EXPECT_EQ(default_terrain()[2].factor, 1.0);
  EXPECT_FALSE(default_terrain()[2].forbidden);
}

}  // namespace
}  // namespace repath

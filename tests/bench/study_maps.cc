#include "bench/study_maps.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "base/check.h"
#include "base/random.h"
#include "bench/scapes.h"

namespace repath::bench {
namespace {

constexpr TerrainId kOpen{0};
constexpr TerrainId kStone{1};

enum class Kind { kSquare, kBar, kLongWall, kAngle, kCup, kCross, kDisc, kDiamond };

// An obstacle in shares of the map's side: its middle, and half its extent.
struct Obstacle {
  Kind kind;
  double x, y, half;
};

constexpr std::array<Obstacle, kStudyObstaclesMax> kObstacles{{
    {Kind::kSquare, .22, .20, .05},
    {Kind::kLongWall, .62, .20, .07},
    {Kind::kBar, .20, .62, .07},
    {Kind::kAngle, .80, .32, .06},
    {Kind::kCup, .38, .80, .06},
    {Kind::kCross, .80, .56, .07},
    {Kind::kDisc, .12, .40, .05},
    {Kind::kDiamond, .42, .12, .06},
    {Kind::kSquare, .60, .85, .05},
    {Kind::kLongWall, .42, .40, .07},
    {Kind::kDisc, .14, .86, .05},
    {Kind::kBar, .60, .62, .07},
    {Kind::kCross, .88, .12, .06},
    {Kind::kSquare, .84, .82, .07},
    {Kind::kCup, .24, .21, .06},
}};

// Whether the obstacle covers a point that is dx and dy from its middle, in halves of its extent.
bool covers(Kind kind, double dx, double dy) {
  const double ax = std::abs(dx);
  const double ay = std::abs(dy);
  if (ax > 1 || ay > 1) return false;
  constexpr double kThin = .25;
  switch (kind) {
    case Kind::kSquare:
      return true;
    case Kind::kBar:
      return ay <= kThin;
    case Kind::kLongWall:
      return ax <= kThin;
    case Kind::kAngle:
      return dx > 1 - 2 * kThin || dy > 1 - 2 * kThin;
    case Kind::kCup:
      return dx > 1 - 2 * kThin || ay > 1 - 2 * kThin;
    case Kind::kCross:
      return ax <= kThin || ay <= kThin;
    case Kind::kDisc:
      return dx * dx + dy * dy <= 1;
    case Kind::kDiamond:
      return ax + ay <= 1;
  }
  return false;
}

GridMap open_map(std::int32_t side) {
  GridMap map;
  map.width = side;
  map.height = side;
  map.cells.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), kOpen);
  return map;
}

TerrainId& cell(GridMap* map, std::int32_t x, std::int32_t y) {
  return map->cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(map->width) +
                    static_cast<std::size_t>(x)];
}

// A U of walls two cells thick over most of the map. It opens to the left.
GridMap trap(std::int32_t side) {
  GridMap map = open_map(side);
  const std::int32_t low = side / 8;
  const std::int32_t high = side - 1 - low;
  const std::int32_t left = side / 4;
  const std::int32_t right = side - side / 4 - 3;
  for (std::int32_t y = low; y <= high; ++y)
    for (std::int32_t x = left; x <= right; ++x)
      if (x >= right - 1 || y <= low + 1 || y >= high - 1) cell(&map, x, y) = kStone;
  return map;
}

}  // namespace

GridMap scattered_obstacles(std::int32_t side, int count) {
  REPATH_CHECK(side >= 100 && count >= 0 && count <= kStudyObstaclesMax);
  GridMap map = open_map(side);
  for (int i = 0; i < count; ++i) {
    const Obstacle& it = kObstacles[static_cast<std::size_t>(i)];
    const double half = it.half * side;
    for (std::int32_t y = 0; y < side; ++y)
      for (std::int32_t x = 0; x < side; ++x)
        if (covers(it.kind, (x + 0.5 - it.x * side) / half, (y + 0.5 - it.y * side) / half))
          cell(&map, x, y) = kStone;
  }
  return map;
}

const std::vector<std::string>& study_grid_names() {
  static const std::vector<std::string> names{"forest", "lakes", "cubicles", "obstacle", "rooms"};
  return names;
}

GridMap make_study_grid(std::string_view name) {
  constexpr std::int32_t kSide = 44;
  if (name == "obstacle") return trap(kSide);
  return make_scape(name, kSide, 0.2, 7);
}

GridMap forest_with_free_cells(std::uint32_t cells, std::uint64_t seed) {
  REPATH_CHECK(cells >= 100);
  const auto side = static_cast<std::int32_t>(std::ceil(std::sqrt(1.2 * cells)));
  GridMap map = open_map(side);
  Random random(seed);
  for (auto free = static_cast<std::uint32_t>(map.cells.size()); free > cells;) {
    TerrainId& place = map.cells[random.below(static_cast<std::uint32_t>(map.cells.size()))];
    if (place == kStone) continue;
    place = kStone;
    --free;
  }
  return map;
}

GridMap pillars(std::int32_t side) {
  GridMap map = open_map(side);
  for (std::int32_t y = 1; y < side; y += 3)
    for (std::int32_t x = 1; x < side; x += 3) cell(&map, x, y) = kStone;
  return map;
}

std::string hall_of_pillars(double side, int columns) {
  const auto point = [](double x, double z) {
    return "[" + std::to_string(x) + "," + std::to_string(z) + "]";
  };
  const std::string outer = "[" + point(0, 0) + "," + point(side, 0) + "," + point(side, side) +
                            "," + point(0, side) + "]";
  std::string holes;
  const double apart = side / columns;
  for (int row = 0; row < columns; ++row)
    for (int column = 0; column < columns; ++column) {
      const double x = (column + 0.5) * apart;
      const double z = (row + 0.5) * apart;
      const double a = 0.25 * apart;
      const double b = 0.05 * apart * ((row + 2 * column) % 5 - 2);
      if (!holes.empty()) holes += ",";
      holes += "[" + point(x - a, z - b) + "," + point(x + b, z - a) + "," + point(x + a, z + b) +
               "," + point(x - b, z + a) + "]";
    }
  return R"({"outer":)" + outer + R"(,"holes":[)" + holes + "]}";
}

}  // namespace repath::bench

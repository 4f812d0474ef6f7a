#include "grid/cells/clearance.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "grid/bits/spread.h"

namespace repath {
namespace {

struct Offset {
  double x;
  double y;
};

// Returns the distance from the origin to the unit square around `centre`.
double distance_to_square(Offset centre) {
  const double x = std::max(std::abs(centre.x) - 0.5, 0.0);
  const double y = std::max(std::abs(centre.y) - 0.5, 0.0);
  return std::sqrt(x * x + y * y);
}

// Returns the distance from a point to the segment.
double distance_to_segment(Offset p, Offset a, Offset b) {
  const Offset ab{b.x - a.x, b.y - a.y};
  const double along = ((p.x - a.x) * ab.x + (p.y - a.y) * ab.y) / (ab.x * ab.x + ab.y * ab.y);
  const double t = std::clamp(along, 0.0, 1.0);
  const double x = a.x + t * ab.x - p.x;
  const double y = a.y + t * ab.y - p.y;
  return std::sqrt(x * x + y * y);
}

// Returns the distance from the origin to the regular hexagon of width 1 around `centre`, pointing
// up. `centre` is not the origin. Uses symmetry: moves the origin into the hexagon's first
// quadrant.
double distance_to_hexagon(Offset centre) {
  const double corner = 0.5 / std::sqrt(3.0);  // above the middle of a side
  const Offset p{std::abs(centre.x), std::abs(centre.y)};
  return std::min(distance_to_segment(p, {0.5, -corner}, {0.5, corner}),
                  distance_to_segment(p, {0.5, corner}, {0, 2 * corner}));
}

// Returns the distance from the centre of a cell to another cell, `dx` columns and `dy` rows away.
// `odd`: the first cell is in an odd row.
double distance_to_cell(std::int32_t dx, std::int32_t dy, bool odd, Topology topology) {
  if (dx == 0 && dy == 0) return 0;
  if (topology != Topology::kHex) return distance_to_square({double(dx), double(dy)});
  const double shift = dy % 2 == 0 ? 0 : odd ? -0.5 : 0.5;
  return distance_to_hexagon({dx + shift, dy * std::sqrt(3.0) / 2});
}

}  // namespace

Disc::Disc(double radius_cells, Topology topology) {
  REPATH_CHECK(radius_cells >= 0 && radius_cells <= kRadiusCellsMax);
  const double limit = radius_cells - kRadiusTolerance;
  constexpr auto kColumnsMax = static_cast<std::int32_t>(kRadiusCellsMax);
  for (const std::int32_t odd : {0, 1})
    for (std::int32_t dy = -kReachMax; dy <= kReachMax; ++dy) {
      Columns& columns =
          columns_[static_cast<std::size_t>(odd)][static_cast<std::size_t>(dy + kReachMax)];
      const auto bars = [&](std::int32_t dx) {
        return distance_to_cell(dx, dy, odd == 1, topology) < limit;
      };
      // Column 0 is nearest to the middle; on hexagons a column beside it may be just as near.
      if (!bars(0)) continue;
      columns = {0, 0};
      while (columns.lo > -kColumnsMax && bars(columns.lo - 1)) --columns.lo;
      while (columns.hi < kColumnsMax && bars(columns.hi + 1)) ++columns.hi;
      reach_ = std::max({reach_, std::abs(dy), -columns.lo, columns.hi});
    }
}

std::array<std::uint64_t, 3> blocked_row(const GridLayer& base, std::int32_t tx, std::int32_t y) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  if (y < 0 || y >= base.height()) return {kAll, kAll, kAll};
  return {tx > 0 ? ~base.free_word(tx - 1, y) : kAll, ~base.free_word(tx, y),
          tx + 1 < base.tiles_x() ? ~base.free_word(tx + 1, y) : kAll};
}

std::uint64_t barred_word(const GridLayer& base, const Disc& disc, std::int32_t tx,
                          std::int32_t y) {
  std::uint64_t barred = ~base.free_word(tx, y);
  for (std::int32_t dy = -disc.reach(); dy <= disc.reach() && ~barred != 0; ++dy) {
    const auto row = blocked_row(base, tx, y + dy);
    if ((row[0] | row[1] | row[2]) == 0) continue;
    const Disc::Columns columns = disc.columns(dy, y);
    if (columns.lo <= columns.hi) barred |= bits::spread(row, columns.lo, columns.hi);
  }
  return barred;
}

}  // namespace repath

#include "grid/clearance.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "grid/bits/spread.h"

namespace repath {

Disc::Disc(double radius_cells) {
  REPATH_CHECK(radius_cells >= 0 && radius_cells <= kRadiusCellsMax);
  const double limit = radius_cells - kRadiusTolerance;
  // From a cell's centre to the square of the cell dx columns and dy rows away.
  const auto distance = [](std::int32_t dx, std::int32_t dy) {
    const double x = std::max(dx - 0.5, 0.0);
    const double y = std::max(dy - 0.5, 0.0);
    return std::sqrt(x * x + y * y);
  };
  const auto rows = static_cast<std::int32_t>(width_.size());
  while (reach_ + 1 < rows && distance(0, reach_ + 1) < limit) ++reach_;
  for (std::int32_t dy = 0; dy < rows; ++dy) {
    std::int32_t width = dy <= reach_ ? 0 : -1;
    while (width >= 0 && width < reach_ && distance(width + 1, dy) < limit) ++width;
    width_[static_cast<std::size_t>(dy)] = width;
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
    barred |= bits::spread(row, -disc.width(dy), disc.width(dy));
  }
  return barred;
}

}  // namespace repath

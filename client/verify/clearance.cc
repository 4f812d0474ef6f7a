#include "verify/clearance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace repath::verify {
namespace {

constexpr double kTolerance = 1e-9;

// From a cell's centre to the square of the cell that is so far off.
double gap(int dx, int dy) {
  const double x = std::max(0.0, std::abs(dx) - 0.5);
  const double y = std::max(0.0, std::abs(dy) - 0.5);
  return std::hypot(x, y);
}

}  // namespace

Clearance::Clearance(const Ground& ground, double radius)
    : width_(ground.width),
      height_(ground.height),
      stride_(ground.stride),
      base_(ground.factor),
      near_(ground.factor.size(), 0) {
  const int reach = static_cast<int>(std::ceil(radius)) + 1;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      if (gap(dx, dy) < radius - kTolerance) offsets_.push_back({dx, dy});
    }
  }
  for (int y = -reach; y < height_ + reach; ++y) {
    for (int x = -reach; x < width_ + reach; ++x) {
      const bool blocked = !ground.on_map(x, y) || !ground.free(ground.cell(x, y));
      if (!blocked) continue;
      for (const auto [dx, dy] : offsets_) {
        if (ground.on_map(x + dx, y + dy))
          ++near_[static_cast<std::size_t>(ground.cell(x + dx, y + dy))];
      }
    }
  }
}

void Clearance::set(Cell cell, double factor, std::vector<Cell>& touched) {
  double& base = base_[static_cast<std::size_t>(cell)];
  const bool was_blocked = base == 0;
  base = factor;
  touched.push_back(cell);
  if (was_blocked != (factor == 0)) count(cell, was_blocked ? -1 : 1, touched);
}

void Clearance::count(Cell cell, int by, std::vector<Cell>& touched) {
  const int x = cell % stride_ - 1;
  const int y = cell / stride_ - 1;
  for (const auto [dx, dy] : offsets_) {
    if (x + dx < 0 || y + dy < 0 || x + dx >= width_ || y + dy >= height_) continue;
    const Cell barred = cell + dy * stride_ + dx;
    near_[static_cast<std::size_t>(barred)] += by;
    touched.push_back(barred);
  }
}

}  // namespace repath::verify

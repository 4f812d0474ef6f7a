#include "verify/clearance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace repath::verify {
namespace {

constexpr double kTolerance = 1e-9;

double to_square(double right, double down) {
  const double x = std::max(0.0, std::abs(right) - 0.5);
  const double y = std::max(0.0, std::abs(down) - 0.5);
  return std::hypot(x, y);
}

// Returns the distance of a point to a hexagon: turned by sixths until it lies beyond one side, the
// point is as far from the hexagon as from that side.
double to_hexagon(double right, double down) {
  const double length = std::hypot(right, down);
  const double sixth = std::numbers::pi / 3;
  const double angle = std::atan2(down, right);
  const double turned = angle - sixth * std::round(angle / sixth);
  const double beyond = length * std::cos(turned) - 0.5;
  const double along = std::abs(length * std::sin(turned)) - 0.5 / std::sqrt(3.0);
  return along > 0 ? std::hypot(beyond, along) : beyond;
}

// Returns the distance from the centre of the cell at this offset to the shape of a cell in row
// `y`.
double gap(Topology topology, int y, int dx, int dy) {
  if (dx == 0 && dy == 0) return 0;
  if (topology != Topology::kHex) return to_square(dx, dy);
  // Rows from 100 on, so that none is negative.
  const Point a = Ground::hex_centre(0, 100 + y);
  const Point b = Ground::hex_centre(dx, 100 + y + dy);
  return to_hexagon(b.x - a.x, b.y - a.y);
}

}  // namespace

Clearance::Clearance(const Ground& ground, double radius)
    : width_(ground.width),
      height_(ground.height),
      stride_(ground.stride),
      base_(ground.factor),
      near_(ground.factor.size(), 0) {
  const int reach = static_cast<int>(std::ceil(1.2 * radius)) + 1;
  for (const int odd : {0, 1}) {
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        if (gap(ground.topology, odd, dx, dy) < radius - kTolerance)
          offsets_[static_cast<std::size_t>(odd)].push_back({dx, dy});
      }
    }
  }
  for (int y = -reach; y < height_ + reach; ++y) {
    for (int x = -reach; x < width_ + reach; ++x) {
      const bool blocked = !ground.on_map(x, y) || !ground.free(ground.cell(x, y));
      if (!blocked) continue;
      for (const auto [dx, dy] : offsets_[static_cast<std::size_t>(y & 1)]) {
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
  for (const auto [dx, dy] : offsets_[static_cast<std::size_t>(y & 1)]) {
    if (x + dx < 0 || y + dy < 0 || x + dx >= width_ || y + dy >= height_) continue;
    const Cell barred = cell + dy * stride_ + dx;
    near_[static_cast<std::size_t>(barred)] += by;
    touched.push_back(barred);
  }
}

}  // namespace repath::verify

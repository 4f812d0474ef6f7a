#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "engine/queries.h"

namespace repath {
namespace {

constexpr int kTries = 1000;

struct Range {
  std::int32_t first = 0;
  std::int32_t last = -1;  // included
  std::int32_t pick(Random* random) const {
    return first +
           static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(last - first + 1)));
  }
};

// Returns the columns or rows of [0, count) whose centres may be within reach.
Range around(double middle, double radius, std::int32_t count) {
  const double first = std::clamp(std::ceil(middle - radius - 0.5), 0.0, double{1} * count);
  const double last = std::clamp(std::floor(middle + radius - 0.5), -1.0, double{1} * count - 1);
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
}

}  // namespace

std::optional<NodeId> random_free_cell(const GridLayer& layer, MapPoint near, double radius,
                                       std::uint64_t seed) {
  const Range columns = around(near.x, radius, layer.width());
  const Range rows = around(near.y, radius, layer.height());
  if (columns.first > columns.last || rows.first > rows.last) return std::nullopt;
  Random random(seed);
  for (int i = 0; i < kTries; ++i) {
    const std::int32_t x = columns.pick(&random);
    const std::int32_t y = rows.pick(&random);
    if (squared_distance({x + 0.5, y + 0.5}, near) > radius * radius) continue;
    if (const NodeId node = layer.node_at(x, y); layer.is_free(node)) return node;
  }
  return std::nullopt;
}

}  // namespace repath

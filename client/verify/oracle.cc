#include "verify/oracle.h"

#include <algorithm>

namespace repath::verify {
namespace {

constexpr std::size_t kFieldBytesMax = std::size_t{256} << 20;
constexpr double kSameMetric = 1e-9;

}  // namespace

double metric_to(const Ground& ground, const std::vector<Cell>& goals, Cell cell) {
  double least = kInfinity;
  for (const Cell goal : goals) least = std::min(least, ground.metric(cell, goal));
  return least;
}

void Oracle::make_room() {
  while (bytes_ > kFieldBytesMax && fields_.size() > 1) {
    const auto oldest = std::min_element(
        fields_.begin(), fields_.end(),
        [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    bytes_ -= oldest->second.field.bytes();
    fields_.erase(oldest);
  }
}

Field& Oracle::field(int view, std::uint64_t revision, const std::vector<Cell>& goals) {
  Key key{view, world_.view(view).same_since(revision), goals};
  auto found = fields_.find(key);
  if (found == fields_.end()) {
    make_room();
    found = fields_.emplace(std::move(key), Kept{Field(ground(view, revision), goals), 0}).first;
    bytes_ += found->second.field.bytes();
  }
  found->second.used = ++clock_;
  return found->second.field;
}

double Oracle::distance(int view, std::uint64_t revision, const std::vector<Cell>& goals,
                        Cell from) {
  return field(view, revision, goals).distance_to(ground(view, revision), from);
}

Oracle::Nearest Oracle::nearest_reachable(int view, std::uint64_t revision,
                                          const std::vector<Cell>& goals, Cell from) {
  const Ground& g = ground(view, revision);
  const std::vector<double>& costs = field(view, revision, {from}).all(g);
  Nearest nearest;
  for (int y = 0; y < g.height; ++y) {
    for (int x = 0; x < g.width; ++x) {
      const Cell c = g.cell(x, y);
      const double cost = costs[static_cast<std::size_t>(c)];
      if (cost == kInfinity) continue;
      const double metric = metric_to(g, goals, c);
      if (metric < nearest.metric - kSameMetric) {
        nearest = {metric, cost};
      } else if (metric < nearest.metric + kSameMetric) {
        nearest.cost = std::min(nearest.cost, cost);
      }
    }
  }
  return nearest;
}

}  // namespace repath::verify

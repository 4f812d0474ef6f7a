#include "grid/cells/edges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>

namespace repath {
namespace {

// Finds whether a cell changed, and the cause.
class Causes {
 public:
  explicit Causes(const std::vector<ChangedRun>& changed) : changed_(changed) {
    one_ = std::all_of(changed.begin(), changed.end(), [&changed](const ChangedRun& run) {
      return run.cause == changed.front().cause;
    });
  }

  std::uint32_t of_edge(std::int32_t x, std::int32_t y, Direction d) const {
    if (one_) return changed_.front().cause;
    const std::array<Direction, 4> cells{{{0, 0}, {d.dx, d.dy}, {d.dx, 0}, {0, d.dy}}};
    for (const auto [dx, dy] : cells)
      if (const ChangedRun* run = run_at(changed_, x + dx, y + dy)) return run->cause;
    return kNoCause;
  }

 private:
  const std::vector<ChangedRun>& changed_;
  bool one_ = true;
};

CellSpans cells_of(const std::vector<ChangedRun>& changed) {
  CellSpans cells;
  cells.reserve(changed.size());
  for (const ChangedRun& run : changed) cells.push_back(run.cells);
  return cells;
}

// Appends the edges out of one node that differ.
void diff_node(const GridGraph& before, const GridGraph& after, std::int32_t x, std::int32_t y,
               const Causes& causes, EdgeDelta* delta) {
  const std::array<Cost, 8> old_costs = before.costs_around(x, y);
  const std::array<Cost, 8> new_costs = after.costs_around(x, y);
  if (old_costs == new_costs) return;
  const NodeId from = before.layer().node_at(x, y);
  delta->changed_nodes.push_back(from);
  for (std::size_t d = 0; d < kDirections.size(); ++d) {
    const Cost was = old_costs[d];
    const Cost is = new_costs[d];
    if (was == is) continue;
    const NodeId to = before.layer().node_at(x + kDirections[d].dx, y + kDirections[d].dy);
    (is > was ? delta->risen : delta->fallen)
        .push_back({from, to, was, is, causes.of_edge(x, y, kDirections[d])});
  }
}

}  // namespace

const ChangedRun* run_at(const std::vector<ChangedRun>& runs, std::int32_t x, std::int32_t y) {
  const auto after = std::partition_point(runs.begin(), runs.end(), [x, y](const ChangedRun& run) {
    return run.cells.y < y || (run.cells.y == y && run.cells.x0 <= x);
  });
  if (after == runs.begin()) return nullptr;
  const ChangedRun& run = *(after - 1);
  return run.cells.y == y && x < run.cells.x1 ? &run : nullptr;
}

std::uint64_t count_switched_edges(const GridGraph& before, const GridGraph& after,
                                   const std::vector<ChangedRun>& changed,
                                   std::uint64_t edges_max) {
  std::uint64_t count = 0;
  const GridLayer& layer = before.layer();
  for (const CellSpan& span : dilate(cells_of(changed), layer.width(), layer.height())) {
    for (std::int32_t x = span.x0; x < span.x1; ++x)
      count += static_cast<std::uint64_t>(
          std::popcount(before.directions_from(x, span.y) ^ after.directions_from(x, span.y)));
    if (count > edges_max) break;
  }
  return count;
}

bool diff_edges(const GridGraph& before, const GridGraph& after,
                const std::vector<ChangedRun>& changed, std::uint64_t edges_max, EdgeDelta* delta) {
  *delta = EdgeDelta{};
  if (changed.empty()) return true;
  const Causes causes(changed);
  // An edge depends on its ends and flanks, which are all within one step of its start.
  const GridLayer& layer = before.layer();
  for (const CellSpan& span : dilate(cells_of(changed), layer.width(), layer.height())) {
    for (std::int32_t x = span.x0; x < span.x1; ++x)
      diff_node(before, after, x, span.y, causes, delta);
    if (delta->risen.size() + delta->fallen.size() > edges_max) return false;
  }
  return true;
}

}  // namespace repath

// Cheapest paths between all pairs of free cells of a small map: Floyd-Warshall on the free cells
// only.
//
// Source: search/classic/floyd_warshall.h. Not thread-safe. Copies what it needs of the graph.
// Memory: 10 bytes for each pair of free cells, 40 MB for the most cells allowed; blocked cells
// take none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "search/classic/floyd_warshall.h"

namespace repath {

class CellPairs {
 public:
  static constexpr std::uint32_t kCellsMax = FloydWarshall::kPairNodesMax;

  // Returns whether there are at most kCellsMax free cells. O(rows of tiles), less if there are
  // more.
  [[nodiscard]] static bool fits(const GridLayer& layer);

  // REQUIRES: fits(graph.layer()). O(cells of the map + pairs).
  explicit CellPairs(const GridGraph& graph);

  // Works like FloydWarshall::advance: `n` free cells take n^2 rows of n.
  [[nodiscard]] bool advance(std::uint32_t* rows) { return pairs_->advance(rows); }
  // Returns kUnreachable if there is no path or one of the cells is blocked. REQUIRES for this and
  // the functions below: advance() returned true; nodes of the graph. O(log cells).
  Cost cost(NodeId from, NodeId to) const;
  // Appends the cells of a cheapest path, both ends included. REQUIRES: there is a path. O(length).
  void append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const;
  // Returns the free cells, ascending.
  const std::vector<NodeId>& cells() const { return cells_; }

  // Number of rows worked on.
  std::uint64_t expanded() const { return pairs_->expanded(); }
  std::size_t bytes() const;

 private:
  // Returns the cell's index among the free cells; kNoNode if it is blocked.
  NodeId id_of(NodeId cell) const;

  std::vector<NodeId> cells_;  // the free cells, ascending
  std::optional<FloydWarshall> pairs_;
};

}  // namespace repath

// Cheapest paths between all pairs of a small map's free cells: Floyd-Warshall on them alone.
//
// Source: search/classic/floyd_warshall.h. Not thread-safe. Copies what it needs of the graph.
// Memory: 10 bytes a pair, 40 MB for the most cells allowed; nothing for blocked cells, however
// many.
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

  // Whether there are no more than kCellsMax free cells. O(rows of tiles), less if there are more.
  [[nodiscard]] static bool fits(const GridLayer& layer);

  // REQUIRES: fits(graph.layer()). O(cells of the map + pairs).
  explicit CellPairs(const GridGraph& graph);

  // As FloydWarshall::advance: `n` free cells take n^2 rows of n.
  [[nodiscard]] bool advance(std::uint32_t* rows) { return pairs_->advance(rows); }
  // kUnreachable if there is none, or one of them is blocked. REQUIRES for this and what follows:
  // advance() returned true; nodes of the graph. O(log cells).
  Cost cost(NodeId from, NodeId to) const;
  // Appends the cells of a cheapest path, both ends included. REQUIRES: there is one. O(length).
  void append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const;
  // The free cells, ascending.
  const std::vector<NodeId>& cells() const { return cells_; }

  // Rows worked on.
  std::uint64_t expanded() const { return pairs_->expanded(); }
  std::size_t bytes() const;

 private:
  // Its place among the free cells; kNoNode: blocked.
  NodeId id_of(NodeId cell) const;

  std::vector<NodeId> cells_;  // the free ones, ascending
  std::optional<FloydWarshall> pairs_;
};

}  // namespace repath

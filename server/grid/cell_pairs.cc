#include "grid/cell_pairs.h"

#include <bit>

#include "base/check.h"

namespace repath {

bool CellPairs::fits(const GridLayer& layer) {
  std::uint32_t free = 0;
  for (std::int32_t y = 0; y < layer.height(); ++y)
    for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx) {
      free += static_cast<std::uint32_t>(std::popcount(layer.free_word(tx, y)));
      if (free > kCellsMax) return false;
    }
  return true;
}

CellPairs::CellPairs(const GridGraph& graph) : ids_(graph.node_count(), kNoNode) {
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    if (!graph.layer().is_free(NodeId{n})) continue;
    ids_[n] = NodeId{static_cast<std::uint32_t>(cells_.size())};
    cells_.push_back(NodeId{n});
  }
  std::vector<ListedEdge> edges;
  for (const NodeId from : cells_)
    graph.for_each_successor(from, [&](NodeId to, Cost cost) {
      edges.push_back({ids_[index(from)], ids_[index(to)], static_cast<std::int64_t>(cost)});
    });
  pairs_.emplace(static_cast<std::uint32_t>(cells_.size()), edges);
}

Cost CellPairs::cost(NodeId from, NodeId to) const {
  const NodeId a = ids_[index(from)];
  const NodeId b = ids_[index(to)];
  return a == kNoNode || b == kNoNode ? kUnreachable : pairs_->cost(a, b);
}

void CellPairs::append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const {
  const std::size_t first = out->size();
  REPATH_CHECK(pairs_->append_path(ids_[index(from)], ids_[index(to)], out));
  for (std::size_t i = first; i < out->size(); ++i) (*out)[i] = cells_[index((*out)[i])];
}

std::size_t CellPairs::bytes() const {
  return pairs_->bytes() + ids_.capacity() * sizeof(ids_[0]) + cells_.capacity() * sizeof(ids_[0]);
}

}  // namespace repath

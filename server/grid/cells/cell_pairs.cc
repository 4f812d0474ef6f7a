#include "grid/cells/cell_pairs.h"

#include <algorithm>
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

CellPairs::CellPairs(const GridGraph& graph) {
  const GridLayer& layer = graph.layer();
  for (std::int32_t y = 0; y < layer.height(); ++y)
    for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx)
      for (std::uint64_t word = layer.free_word(tx, y); word != 0; word &= word - 1)
        cells_.push_back(layer.node_at(tx * kTileSide + std::countr_zero(word), y));
  std::vector<ListedEdge> edges;
  for (const NodeId from : cells_)
    graph.for_each_successor(from, [&](NodeId to, Cost cost) {
      edges.push_back({id_of(from), id_of(to), static_cast<std::int64_t>(cost)});
    });
  pairs_.emplace(static_cast<std::uint32_t>(cells_.size()), edges);
}

NodeId CellPairs::id_of(NodeId cell) const {
  const auto at = std::ranges::lower_bound(cells_, cell);
  if (at == cells_.end() || *at != cell) return kNoNode;
  return NodeId{static_cast<std::uint32_t>(at - cells_.begin())};
}

Cost CellPairs::cost(NodeId from, NodeId to) const {
  const NodeId a = id_of(from);
  const NodeId b = id_of(to);
  return a == kNoNode || b == kNoNode ? kUnreachable : pairs_->cost(a, b);
}

void CellPairs::append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const {
  const std::size_t first = out->size();
  REPATH_CHECK(pairs_->append_path(id_of(from), id_of(to), out));
  for (std::size_t i = first; i < out->size(); ++i) (*out)[i] = cells_[index((*out)[i])];
}

std::size_t CellPairs::bytes() const {
  return pairs_->bytes() + cells_.capacity() * sizeof(cells_[0]);
}

}  // namespace repath

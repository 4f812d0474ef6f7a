// A grid in which a change of direction costs something. Its states are a cell and the direction of
// the step that led there, eight to a cell. Source: the usual product of a graph with its last
// edge, as in S. Winter, "Modeling costs of turns in route planning", GeoInformatica 2002.
//
// The start is its cell with direction 0; no first step from this state costs a turn. A path that
// comes back to this state saves nothing by that, because it could have begun there. Borrows the
// graph. Reads only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/cells/place.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class TurnGraph {
 public:
  static constexpr std::uint32_t kDirectionsEach = 8;
  // Returns whether the kernels can take the layer's states; larger layers have too many.
  static bool fits(const GridLayer& layer) {
    return layer.node_count() <= kNodesMax / kDirectionsEach;
  }

  // REQUIRES: fits(graph.layer()), start is a node.
  TurnGraph(const GridGraph& graph, NodeId start, Cost penalty)
      : graph_(&graph), start_(state(start, 0)), penalty_(penalty) {}

  static NodeId cell_of(NodeId state) { return NodeId{index(state) / kDirectionsEach}; }
  NodeId start() const { return start_; }
  // Returns all states of these cells, whatever the direction.
  static GoalSet states_of(const GoalSet& cells) {
    std::vector<NodeId> states;
    states.reserve(cells.nodes().size() * kDirectionsEach);
    for (const NodeId cell : cells.nodes())
      for (std::uint32_t d = 0; d < kDirectionsEach; ++d) states.push_back(state(cell, d));
    return GoalSet(std::move(states));
  }
  // Counts the places where two steps of a path of neighbours differ in direction. O(length).
  std::uint64_t turns_of(std::span<const NodeId> cells) const {
    std::uint64_t turns = 0;
    for (std::size_t i = 2; i < cells.size(); ++i)
      turns += direction(cells[i - 2], cells[i - 1]) != direction(cells[i - 1], cells[i]) ? 1 : 0;
    return turns;
  }

  std::uint32_t node_count() const { return graph_->node_count() * kDirectionsEach; }
  Cost heuristic(NodeId a, NodeId b) const { return graph_->heuristic(cell_of(a), cell_of(b)); }
  template <class Visit>
  void for_each_successor(NodeId from, Visit&& visit) const {
    const NodeId cell = cell_of(from);
    graph_->for_each_successor(cell, [&](NodeId to, Cost step) {
      const std::uint32_t d = direction(cell, to);
      visit(state(to, d), step + turn(from, d));
    });
  }
  template <class Visit>
  void for_each_predecessor(NodeId to, Visit&& visit) const {
    const NodeId cell = cell_of(to);
    const std::uint32_t d = index(to) % kDirectionsEach;
    graph_->for_each_predecessor(cell, [&](NodeId before, Cost step) {
      if (direction(before, cell) != d) return;
      for (std::uint32_t arrival = 0; arrival < kDirectionsEach; ++arrival) {
        const NodeId from = state(before, arrival);
        visit(from, step + turn(from, d));
      }
    });
  }

 private:
  static NodeId state(NodeId cell, std::uint32_t d) {
    return NodeId{index(cell) * kDirectionsEach + d};
  }
  Cost turn(NodeId from, std::uint32_t d) const {
    return from == start_ || index(from) % kDirectionsEach == d ? 0 : penalty_;
  }
  // Returns the direction of a step between neighbours, in [0, 8). On hexagons a step up or down in
  // one direction changes the column differently from row to row. So its direction is measured from
  // the middle of the row.
  std::uint32_t direction(NodeId a, NodeId b) const {
    const Place from = place_of(graph_->layer(), a);
    const Place to = place_of(graph_->layer(), b);
    std::int32_t dx = to.x - from.x;
    const std::int32_t dy = to.y - from.y;
    if (graph_->topology() == Topology::kHex && dy != 0) dx = 2 * dx + ((from.y & 1) != 0 ? -1 : 1);
    const std::int32_t place = (dy + 1) * 3 + dx + 1;  // of the eight around 4, the middle
    return static_cast<std::uint32_t>(place > 4 ? place - 1 : place);
  }

  const GridGraph* graph_;
  NodeId start_;
  Cost penalty_;
};

}  // namespace repath

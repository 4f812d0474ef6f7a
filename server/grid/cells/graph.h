// A layer as the graph that the kernels search (concept SearchGraph of search/graph.h).
//
// Nodes are cells, row-major: y * width + x. A step leads from a free cell to a free neighbour, as
// topology and corner rule allow; a blocked cell has no edges in or out. Costs are those of
// grid/cells/costs.h. They are symmetric, so successors and predecessors are the same; they are
// visited by ascending node id. Borrows the layer, which must outlive it. Only reads, so it is as
// safe on any thread as the layer is.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/costs.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid/cells/topology.h"
#include "search/incremental/arrival_graph.h"

namespace repath {

// The eight directions, in ascending order of node ids.
struct Direction {
  std::int32_t dx;
  std::int32_t dy;
};
inline constexpr std::array<Direction, 8> kDirections{
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
constexpr bool is_diagonal(std::size_t direction) {
  return kDirections[direction].dx != 0 && kDirections[direction].dy != 0;
}

// Returns the direction of kDirections that goes by (dx, dy).
constexpr std::uint32_t direction_by(std::int32_t dx, std::int32_t dy) {
  const auto nine = static_cast<std::uint32_t>((dy + 1) * 3 + dx + 1);
  return nine > 4 ? nine - 1 : nine;
}

// For each 3 x 3 pattern of free cells (GridLayer::free_around) the open directions from its
// middle; bit d stands for kDirections[d].
using MoveTable = std::array<std::uint8_t, 512>;

// The steps of an agent: the open directions from even rows and from odd rows, which differ on
// hexagons only, and the length of a step in each direction.
struct StepRules {
  std::array<MoveTable, 2> open;
  std::array<Cost, 8> lengths;
};
const StepRules& step_rules(Topology topology, CornerRule rule);

// The directions in which a cheapest path may continue on uniform ground with eight neighbours; bit
// d stands for kDirections[d]. Indices: the direction of arrival (kDirections; 8 for the start),
// and the 3 x 3 pattern of free cells. The table keeps one cheapest path out of many: one that
// makes its diagonal steps as early as possible (D. Harabor, A. Grastien, "Online graph pruning for
// pathfinding on grid maps", AAAI 2011).
using JumpTable = std::array<std::array<std::uint8_t, 512>, 9>;
const JumpTable& jump_table(CornerRule rule);

class GridGraph {
 public:
  static constexpr bool kIsSymmetric = true;

  // Borrows `layer`.
  GridGraph(const GridLayer* layer, Topology topology, CornerRule rule);

  const GridLayer& layer() const { return *layer_; }
  Topology topology() const { return topology_; }
  CornerRule corner_rule() const { return corner_rule_; }

  std::uint32_t node_count() const { return layer_->node_count(); }

  // Returns the octile, Manhattan or hexagonal distance at factor 1.
  Cost heuristic(NodeId a, NodeId b) const {
    return Metric{topology_}.between(place_of(*layer_, a), place_of(*layer_, b));
  }

  // Calls visit(NodeId, Cost) for each edge. REQUIRES: n is a node.
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    const Place at = place_of(*layer_, n);
    const unsigned open = moves(at.x, at.y);
    for_each_edge(at, is_uniform_around(at.x, at.y), open,
                  [&](std::uint32_t d, Cost cost) { visit(node_beside(n, d), cost); });
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    for_each_successor(n, static_cast<Visit&&>(visit));
  }

  // Visits the edges along which a cheapest path may continue from `n` when it was reached by
  // kDirections[arrival]; all edges if `arrival` is 8. A goal field uses it
  // (search/incremental/arrival_graph.h). On uniform ground with eight neighbours these are the
  // edges of jump point search. A straight move is left out only if the previous cell is nearer. A
  // diagonal move is also left out if the other neighbour of the previous cell continues straight,
  // which is less than a step more from the goal. Calls visit(NodeId, Cost, arrival there).
  // REQUIRES: n is a node, arrival <= 8.
  template <class Visit>
  void for_each_predecessor_after(NodeId n, std::uint32_t arrival, Visit&& visit) const {
    const Place at = place_of(*layer_, n);
    const unsigned around = layer_->free_around(at.x, at.y);
    const bool is_uniform = is_uniform_around(at.x, at.y);
    const unsigned open = is_uniform && topology_ == Topology::k8
                              ? (*onward_)[arrival][around]
                              : steps_->open[static_cast<std::size_t>(at.y & 1)][around];
    for_each_edge(at, is_uniform, open,
                  [&](std::uint32_t d, Cost cost) { visit(node_beside(n, d), cost, d); });
  }

  // Returns how many cells from `m` on, straight ahead by `arrival`, have no other onward edge; 0
  // on rough ground. Along rows it works word by word. REQUIRES: as above; m was reached by
  // `arrival`.
  FieldRun run_from(NodeId m, std::uint32_t arrival) const;

  // Returns the directions of the edges out of (x, y); bit d stands for kDirections[d]. REQUIRES:
  // the cell is on the map.
  unsigned directions_from(std::int32_t x, std::int32_t y) const { return moves(x, y); }
  // Returns the cost of the edge; kUnreachable if there is none or the cells are not neighbours.
  // REQUIRES: both are nodes.
  Cost cost_between(NodeId a, NodeId b) const;
  // Returns the costs of the edges out of (x, y) in each direction; kUnreachable where there is no
  // edge. REQUIRES: the cell is on the map.
  std::array<Cost, 8> costs_around(std::int32_t x, std::int32_t y) const;

 private:
  unsigned moves(std::int32_t x, std::int32_t y) const {
    return steps_->open[static_cast<std::size_t>(y & 1)][layer_->free_around(x, y)];
  }
  // Calls visit(d, cost) for the edges in these directions.
  template <class Visit>
  void for_each_edge(Place at, bool is_uniform, unsigned open, Visit visit) const {
    if (is_uniform) {
      for (; open != 0; open &= open - 1) {
        const auto d = static_cast<std::uint32_t>(std::countr_zero(open));
        visit(d, steps_->lengths[d]);
      }
      return;
    }
    const Factor own = layer_->factor(at.x, at.y);
    for (; open != 0; open &= open - 1) {
      const auto d = static_cast<std::uint32_t>(std::countr_zero(open));
      const Factor other = layer_->factor(at.x + kDirections[d].dx, at.y + kDirections[d].dy);
      visit(d, step_cost(steps_->lengths[d], own, other));
    }
  }
  bool is_uniform_around(std::int32_t x, std::int32_t y) const {
    if (layer_->is_uniform()) return true;
    const std::int32_t lx = x & kTileMask;
    const std::int32_t ly = y & kTileMask;
    const bool inside = lx != 0 && ly != 0 && lx != kTileMask && ly != kTileMask;
    return inside && !layer_->tile(x >> kTileBits, y >> kTileBits).factors;
  }
  FieldRun run_along_row(std::int32_t x, std::int32_t y, std::int32_t dx) const;
  FieldRun run_along_column(std::int32_t x, std::int32_t y, std::int32_t dy,
                            std::uint32_t arrival) const;
  unsigned free_beside(std::int32_t x, std::int32_t y) const;
  NodeId node_beside(NodeId n, std::size_t d) const { return NodeId{index(n) + offsets_[d]}; }

  const GridLayer* layer_;
  const StepRules* steps_;
  const JumpTable* onward_;
  Topology topology_;
  CornerRule corner_rule_;
  std::array<std::uint32_t, 8> offsets_;  // added modulo 2^32
};

}  // namespace repath

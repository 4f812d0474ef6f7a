// The portals of a carved mesh as a graph that incremental kernels can search (search/graph.h), for
// one goal and a start that may move.
//
// A portal is the common edge of two cells. It is one node, whatever cells obstacles make of the
// ground, because it is known by its two end points and the base cells beside it. So an edit of the
// mesh leaves all portals alone that still exist. Each portal is passed at one point, where the way
// from the first start over the portal to the goal is shortest; without a start, at its point
// nearest to the goal. So what an edge costs does not depend on the way before it. Other nodes are
// the goal, the start, and links in each of their directions, at their far end.
//
// Costs are lattice steps times factors, rounded up, and at least 1. Points count as rounded to the
// lattice, so that the straight distance, rounded up, is a metric and bounds every edge exactly.
// Nodes get their ids when they are first met. Not thread-safe, not even for const functions, which
// number nodes. Borrows the ground that it reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/equal_run.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/search/corridor_path.h"
#include "routes/nav_ground.h"
#include "search/graph.h"

namespace repath {

class PortalGraph {
 public:
  static constexpr NodeId kGoal{0};

  // `first`: where portals take their points from. The goal is placed with place_goal().
  PortalGraph(const NavGround* ground, Point goal, std::optional<Point> first);

  // ---- the graph ----
  // Number of nodes that there may be, those that are gone among them.
  std::uint32_t node_count() const { return node_count_; }
  Cost heuristic(NodeId a, NodeId b) const { return steps(at(a), at(b)); }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    if (n == kGoal) return;
    for_each_cell_out_of(n, [&](std::uint32_t cell) { visit_onward(n, cell, visit); });
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    if (node(n).kind == Kind::kStart) return;
    for_each_cell_into(n, [&](std::uint32_t cell) { visit_backward(n, cell, visit); });
  }

  // ---- what it reads ----
  void read(const NavGround* ground);
  // Takes in that the ground of these base cells changed, ascending. Appends the nodes whose edges
  // may have changed. REQUIRES: it reads the ground as it is now. O(portals of the base cells and
  // of those next to them, and links).
  void take_in(std::span<const NodeId> base_cells, std::vector<NodeId>* changed);
  // Sets in which cells the goal is today; empty: in none.
  void place_goal(const std::optional<MeshPlace>& goal);
  // Does the same for the start. At another place it is another node, and the one before leads
  // nowhere. Appends those of both whose edges may have changed.
  void place_start(const MeshPlace& start, std::vector<NodeId>* changed);
  // Appends the goal and the portals that the start and the goal lead to. Their edges change with
  // the cells of these two.
  void append_ends(std::vector<NodeId>* changed) const;
  NodeId start() const { return start_; }

  // ---- ways ----
  // Puts the way over these nodes, from the start to the goal, into `path`. REQUIRES: each leads to
  // the next.
  void trace(std::span<const NodeId> nodes, CorridorPath* path) const;

  // Returns whether there is room for another start, and for all portals and links of the ground
  // that it reads. If there is none, another graph must be made.
  bool has_room() const { return nodes_.size() + 1 + most_portals_and_links() <= node_count_; }
  // Return the number of nodes known, and of those among them that are no more.
  std::size_t size() const { return nodes_.size(); }
  std::size_t gone() const { return gone_; }
  std::size_t bytes() const;

 private:
  enum class Kind : std::uint8_t { kGoal, kStart, kPortal, kLink };
  struct Node {
    Kind kind{};
    LatticePoint at{};             // as costs count it
    Point pass{};                  // as ways pass it, lattice steps
    std::uint32_t edge = kNoEdge;  // of a portal: its edge in one of its cells; kNoEdge: it is gone
    std::uint32_t base = kNoCell;  // base cells beside it
    std::uint32_t other = kNoCell;
    std::uint32_t ride = 0;  // of a link: twice its place, and 1 for the way back
  };
  struct Key {
    LatticePoint least;
    LatticePoint most;
    std::uint32_t base;
    std::uint32_t other;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  const NavMesh& mesh() const { return ground_->mesh(); }
  const NavFilter& filter() const { return ground_->filter(); }
  bool allows(std::uint32_t cell) const {
    return cell != kNoCell && filter().allows(mesh().cell(cell).flags);
  }
  double factor_of(std::uint32_t cell) const { return filter().factor(mesh().cell(cell)); }
  const Node& node(NodeId n) const { return nodes_[index(n)]; }
  LatticePoint at(NodeId n) const { return node(n).at; }
  static Cost steps(LatticePoint a, LatticePoint b);
  // Returns the cost of the straight way between two points of ground of that factor.
  static Cost cost_of(LatticePoint a, LatticePoint b, double factor);

  LinkRide ride_of(std::uint32_t ride) const { return {mesh(), ride / 2, ride % 2 == 0}; }
  std::size_t most_portals_and_links() const;
  NodeId add(const Node& node) const;
  std::uint32_t near_cell_of(std::uint32_t ride) const;
  bool is_open(std::uint32_t ride) const;
  Cost cost_of_ride(std::uint32_t ride) const;

  void append_cells_at(const MeshPlace& place, std::vector<std::uint32_t>* cells) const;
  Key key_of(std::uint32_t edge) const;
  NodeId portal_of(std::uint32_t edge) const;
  NodeId link_of(std::uint32_t ride) const;
  Point passed_at(const Key& key) const;
  void list_exits();
  std::span<const NodeId> portals_beside(std::uint32_t base) const;
  bool is_near_known(std::uint32_t base) const;
  void attach_portals(std::uint32_t base);
  void append_beside_gone(std::span<const NodeId> detached, std::vector<NodeId>* changed) const;

  template <class Visit>
  void for_each_portal(std::uint32_t cell, Visit&& visit) const;
  // Visits the cells through which ways lead on from the node, and those through which they come.
  template <class Visit>
  void for_each_cell_out_of(NodeId n, Visit&& visit) const;
  template <class Visit>
  void for_each_cell_into(NodeId n, Visit&& visit) const;
  template <class Visit>
  void for_each_cell_beside(NodeId n, Visit&& visit) const;
  template <class Visit>
  void visit_onward(NodeId n, std::uint32_t cell, Visit&& visit) const;
  template <class Visit>
  void visit_backward(NodeId n, std::uint32_t cell, Visit&& visit) const;
  std::uint32_t cell_between(NodeId from, NodeId to, std::uint32_t now) const;

  const NavGround* ground_;
  const std::uint32_t node_count_;
  Point goal_;  // lattice steps, as the next
  std::optional<Point> first_;
  mutable std::vector<Node> nodes_;
  mutable std::unordered_map<Key, NodeId, KeyHash> portals_;  // never iterated
  // Portals that are known, by base cell beside them; never iterated.
  mutable std::unordered_map<std::uint32_t, std::vector<NodeId>> beside_;
  mutable std::unordered_map<std::uint32_t, NodeId> links_;  // by ride; never iterated
  mutable std::vector<NodeId> link_nodes_;
  std::vector<std::uint32_t> exits_;  // rides by the cell that they lead to
  NodeId start_ = kNoNode;
  std::vector<std::uint32_t> start_cells_;
  std::vector<std::uint32_t> goal_cells_;
  std::size_t gone_ = 0;
};

// ---- templates ----

template <class Visit>
void PortalGraph::for_each_portal(std::uint32_t cell, Visit&& visit) const {
  const std::uint32_t first = mesh().cell(cell).first;
  for (const NavMesh::Edge& edge : mesh().edges_of(cell))
    if (edge.twin != kNoEdge && allows(edge.neighbour)) visit(portal_of(first + edge.place));
}

template <class Visit>
void PortalGraph::for_each_cell_beside(NodeId n, Visit&& visit) const {
  const std::uint32_t edge = node(n).edge;
  if (edge == kNoEdge) return;
  const std::uint32_t cell = mesh().cell_of(edge);
  const std::uint32_t behind = mesh().edge(edge).neighbour;
  if (!allows(cell) || !allows(behind)) return;
  visit(cell);
  visit(behind);
}

template <class Visit>
void PortalGraph::for_each_cell_out_of(NodeId n, Visit&& visit) const {
  const Kind kind = node(n).kind;
  if (kind == Kind::kPortal) return for_each_cell_beside(n, visit);
  if (kind == Kind::kLink && is_open(node(n).ride)) visit(ride_of(node(n).ride).far_cell);
  if (n != start_) return;
  for (const std::uint32_t cell : start_cells_) visit(cell);
}

template <class Visit>
void PortalGraph::for_each_cell_into(NodeId n, Visit&& visit) const {
  const Kind kind = node(n).kind;
  if (kind == Kind::kPortal) return for_each_cell_beside(n, visit);
  if (kind == Kind::kLink && is_open(node(n).ride)) visit(near_cell_of(node(n).ride));
  if (kind != Kind::kGoal) return;
  for (const std::uint32_t cell : goal_cells_) visit(cell);
}

template <class Visit>
void PortalGraph::visit_onward(NodeId n, std::uint32_t cell, Visit&& visit) const {
  const double factor = factor_of(cell);
  const LatticePoint from = at(n);
  for_each_portal(cell, [&](NodeId to) {
    if (to != n) visit(to, cost_of(from, at(to), factor));
  });
  for (const NavMesh::LinkEnd& end : mesh().link_ends_of(cell)) {
    const std::uint32_t ride = 2 * end.link + (end.is_from ? 0 : 1);
    if (!is_open(ride)) continue;
    const NodeId to = link_of(ride);  // both its ends may lie in one cell
    if (to != n) visit(to, cost_of(from, ride_of(ride).near, factor) + cost_of_ride(ride));
  }
  if (std::ranges::find(goal_cells_, cell) != goal_cells_.end())
    visit(kGoal, cost_of(from, at(kGoal), factor));
}

template <class Visit>
void PortalGraph::visit_backward(NodeId n, std::uint32_t cell, Visit&& visit) const {
  const double factor = factor_of(cell);
  const bool is_link = node(n).kind == Kind::kLink;
  const LatticePoint to = is_link ? ride_of(node(n).ride).near : at(n);
  const Cost more = is_link ? cost_of_ride(node(n).ride) : 0;
  for_each_portal(cell, [&](NodeId from) {
    if (from != n) visit(from, cost_of(at(from), to, factor) + more);
  });
  const auto leads_to = [this](std::uint32_t ride) { return ride_of(ride).far_cell; };
  for (const std::uint32_t ride : equal_run(exits_, cell, leads_to))
    if (is_open(ride)) {
      const NodeId from = link_of(ride);
      if (from != n) visit(from, cost_of(at(from), to, factor) + more);
    }
  if (std::ranges::find(start_cells_, cell) != start_cells_.end())
    visit(start_, cost_of(at(start_), to, factor) + more);
}

}  // namespace repath

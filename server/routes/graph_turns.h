// A graph in which a change of direction costs something, and A* over it.
//
// Its states are the start and the edges that an agent may use, one for each pair of nodes: the
// cheapest. Source: the usual product of a graph with its last edge, as in S. Winter, "Modeling
// costs of turns in route planning", GeoInformatica 2002. Directions are those in space. A change
// of more than one degree is a turn, because nodes on a straight road are rounded to the lattice.
// An edge of no length has no direction, so nothing turns there.
//
// Borrows graph, view and goals. Not thread-safe. Memory: 16 bytes for each pair, and what A*
// takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "routes/graph_ground.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

// Returns whether a walk from a to b to c changes its direction. Exact.
inline bool turns_at(const WaypointGraph& graph, NodeId a, NodeId b, NodeId c) {
  const std::array<std::int64_t, 3> in = graph.way(a, b);
  const std::array<std::int64_t, 3> out = graph.way(b, c);
  Wide in_squared = 0;
  Wide out_squared = 0;
  Wide cross_squared = 0;
  Wide dot = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const Wide cross = Wide{in[i]} * out[j] - Wide{in[j]} * out[i];
    in_squared += Wide{in[i]} * in[i];
    out_squared += Wide{out[i]} * out[i];
    cross_squared += cross * cross;
    dot += Wide{in[i]} * out[i];
  }
  if (in_squared == 0 || out_squared == 0) return false;
  constexpr int kSquaredCosecant = 3283;  // of one degree
  return dot <= 0 || cross_squared * kSquaredCosecant > in_squared * out_squared;
}

class RouteTurns {
 public:
  // O(graph).
  RouteTurns(const WaypointGraph& graph, const RouteGraph& routes, NodeId start, Cost penalty)
      : graph_(&graph), routes_(&routes), start_(start), penalty_(penalty) {
    first_.reserve(graph.node_count() + 1);
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
      first_.push_back(static_cast<std::uint32_t>(pairs_.size()));
      if (!graph.is_live(NodeId{n})) continue;
      routes.for_each_successor(NodeId{n}, [&](NodeId to, Cost cost) {
        pairs_.push_back({NodeId{n}, to, cost});
      });
    }
    first_.push_back(static_cast<std::uint32_t>(pairs_.size()));
  }

  NodeId start() const { return NodeId{node_count() - 1}; }
  NodeId node_of(NodeId state) const { return state == start() ? start_ : pairs_[index(state)].to; }
  // Returns all states in which a walk is at one of the nodes.
  GoalSet states_of(const GoalSet& nodes) const {
    std::vector<NodeId> states;
    for (std::uint32_t i = 0; i < pairs_.size(); ++i)
      if (nodes.contains(pairs_[i].to)) states.push_back(NodeId{i});
    if (nodes.contains(start_)) states.push_back(start());
    return GoalSet(std::move(states));
  }
  std::uint64_t turns_of(std::span<const NodeId> nodes) const {
    std::uint64_t turns = 0;
    for (std::size_t i = 2; i < nodes.size(); ++i)
      turns += turns_at(*graph_, nodes[i - 2], nodes[i - 1], nodes[i]) ? 1 : 0;
    return turns;
  }
  Cost penalty() const { return penalty_; }
  std::size_t bytes() const {
    return first_.capacity() * sizeof(first_[0]) + pairs_.capacity() * sizeof(Pair);
  }

  // ---- SearchGraph ----
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(pairs_.size()) + 1; }
  Cost heuristic(NodeId a, NodeId b) const { return routes_->heuristic(node_of(a), node_of(b)); }
  template <class Visit>
  void for_each_successor(NodeId state, Visit&& visit) const {
    const NodeId at = node_of(state);
    const std::uint32_t end = first_[index(at) + 1];
    routes_->note_edges(end - first_[index(at)]);
    for (std::uint32_t i = first_[index(at)]; i < end; ++i)
      visit(NodeId{i}, pairs_[i].cost + price(state, pairs_[i]));
  }
  // O(all pairs): A* does not ask.
  template <class Visit>
  void for_each_predecessor(NodeId state, Visit&& visit) const {
    if (state == start()) return;
    const Pair& pair = pairs_[index(state)];
    for (std::uint32_t i = 0; i < node_count(); ++i)
      if (node_of(NodeId{i}) == pair.from) visit(NodeId{i}, pair.cost + price(NodeId{i}, pair));
  }

 private:
  struct Pair {
    NodeId from{};
    NodeId to{};
    Cost cost = 0;
  };
  Cost price(NodeId before, const Pair& pair) const {
    if (before == start()) return 0;
    const bool turns = turns_at(*graph_, pairs_[index(before)].from, pair.from, pair.to);
    return turns ? penalty_ : 0;
  }

  const WaypointGraph* graph_;
  const RouteGraph* routes_;
  NodeId start_;
  Cost penalty_;
  std::vector<std::uint32_t> first_;  // of the pairs from each node, and the end
  std::vector<Pair> pairs_;
};

// A* over RouteTurns, which reports its path and what it expanded as nodes of the graph.
template <LowerBound Bound>
class TurnSearch {
 public:
  TurnSearch(const WaypointGraph& graph, const RouteGraph& routes, NodeId start,
             const GoalSet& goals, Bound bound, Cost penalty)
      : turns_(graph, routes, start, penalty),
        kernel_(turns_, turns_.start(), turns_.states_of(goals), {&turns_, std::move(bound)}) {}
  TurnSearch(const TurnSearch&) = delete;
  TurnSearch& operator=(const TurnSearch&) = delete;

  [[nodiscard]] Progress advance(std::uint32_t* expansions) { return kernel_.advance(expansions); }
  void append_path(std::vector<NodeId>* nodes) const {
    const std::size_t first = nodes->size();
    kernel_.append_path(nodes);
    for (NodeId& node : std::span(*nodes).subspan(first)) node = turns_.node_of(node);
  }
  // Number of turns on the path. REQUIRES: kPathFound.
  std::uint64_t turns() const {
    std::vector<NodeId> nodes;
    append_path(&nodes);
    return turns_.turns_of(nodes);
  }
  // Returns the cost of the path without its turns.
  Cost path_cost() const {
    const Cost whole = kernel_.path_cost();
    return whole == kUnreachable ? whole : whole - turns() * turns_.penalty();
  }
  // Visits each node in the state that was cheapest to reach.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    std::vector<TouchedNode> touched;
    kernel_.for_each_touched([&](TouchedNode node) {
      node.node = turns_.node_of(node.node);
      if (node.parent != kNoNode) node.parent = turns_.node_of(node.parent);
      touched.push_back(node);
    });
    std::ranges::sort(touched, {}, [](const TouchedNode& n) { return std::pair(n.node, n.g); });
    const auto end = std::unique(touched.begin(), touched.end(),
                                 [](const auto& a, const auto& b) { return a.node == b.node; });
    std::for_each(touched.begin(), end, visit);
  }
  NodeId last_expanded() const {
    const NodeId state = kernel_.last_expanded();
    return state == kNoNode ? kNoNode : turns_.node_of(state);
  }
  std::uint64_t expanded() const { return kernel_.expanded(); }
  std::uint64_t generated() const { return kernel_.generated(); }
  std::size_t bytes() const { return kernel_.bytes() + turns_.bytes(); }

 private:
  struct BoundOfStates {
    const RouteTurns* turns;
    Bound bound;
    Cost operator()(NodeId state) const { return bound(turns->node_of(state)); }
  };

  RouteTurns turns_;
  AStar<RouteTurns, BoundOfStates> kernel_;
};

}  // namespace repath

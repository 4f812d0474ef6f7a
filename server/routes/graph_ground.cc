#include "routes/graph_ground.h"

#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "routes/boxes.h"
#include "search/classic/dijkstra.h"

namespace repath {
namespace {

// The same graph with all edges reversed.
class TurnedGraph {
 public:
  TurnedGraph(const WaypointGraph* graph, const GraphFilter* filter, EdgeWork* work)
      : routes_(graph, filter, work) {}

  std::uint32_t node_count() const { return routes_.node_count(); }
  Cost heuristic(NodeId a, NodeId b) const { return routes_.heuristic(b, a); }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    routes_.for_each_predecessor(n, visit);
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    routes_.for_each_successor(n, visit);
  }

 private:
  RouteGraph routes_;
};

template <class Graph>
class NodeFlood final : public RouteFlood {
 public:
  NodeFlood(const WaypointGraph* graph, const GraphFilter* filter, std::span<const Source> sources,
            Cost most)
      : graph_(graph),
        filter_(filter),
        routes_(graph, filter, &work_),
        search_(routes_, sources, {}, most) {}

  Progress advance(std::uint32_t* expansions) override {
    return advance_counted(work_, expansions,
                           [&](std::uint32_t* one) { return search_.advance(one); });
  }
  bool is_exact() const override { return true; }
  void append_pieces(std::vector<ReachedPiece>* out) const override {
    std::vector<std::uint32_t> places(graph_->node_count());
    const std::span<const NodeId> settled = search_.settled();
    for (std::uint32_t i = 0; i < settled.size(); ++i) {
      const NodeId n = settled[i];
      places[index(n)] = i;
      const NodeId before = node_before(n);
      out->push_back({.cell = index(n),
                      .at = spot_of(graph_->node(n)),
                      .cost = search_.cost(n),
                      .before = before == kNoNode ? i : places[index(before)],
                      .key = before == kNoNode ? std::uint8_t{0} : key_between(before, n)});
    }
  }
  std::uint64_t expanded() const override { return search_.expanded(); }
  std::uint64_t take_edge_units() override { return work_.take(); }

 private:
  // Returns the node before n on a cheapest way to n; of several, the one with the lowest id.
  // kNoNode where ways begin.
  NodeId node_before(NodeId n) const {
    NodeId best = search_.parent(n);
    if (best == kNoNode) return best;
    routes_.for_each_predecessor(n, [&](NodeId m, Cost step) {
      const bool is_as_cheap =
          search_.is_settled(m) && saturating_add(search_.cost(m), step) == search_.cost(n);
      if (is_as_cheap && graph_->node(m).id < graph_->node(best).id) best = m;
    });
    return best;
  }

  // Returns the key of the edge that a walker takes. On a turned graph ways lead to `before`.
  std::uint8_t key_between(NodeId before, NodeId n) const {
    constexpr bool kIsTurned = std::is_same_v<Graph, TurnedGraph>;
    const NodeId from = kIsTurned ? n : before;
    return cheapest_edge(*graph_, *filter_, from, kIsTurned ? before : n).edge->key;
  }

  const WaypointGraph* graph_;
  const GraphFilter* filter_;
  EdgeWork work_;
  Graph routes_;
  Dijkstra<Graph> search_;
};

double distance_to_nearest(std::span<const Spot> threats, const Spot& at) {
  double least = std::numeric_limits<double>::infinity();
  for (const Spot& threat : threats) least = std::min(least, distance_between(threat, at));
  return least;
}

// Settles nodes until one is far enough, then all others of the same cost.
class NodeAway final : public RouteAway {
 public:
  NodeAway(const WaypointGraph* graph, const GraphFilter* filter, NodeId start,
           std::span<const Spot> threats, double distance)
      : graph_(graph),
        routes_(graph, filter, &work_),
        threats_(threats.begin(), threats.end()),
        distance_(distance),
        source_{start, 0},
        search_(routes_, {&source_, 1}) {}

  Progress advance(std::uint32_t* expansions) override {
    return advance_counted(work_, expansions, [&](std::uint32_t* one) { return settle(one); });
  }
  RoutePlace place() const override { return {spot_of(graph_->node(best_)), index(best_)}; }
  Cost lower_bound() const override { return search_.cost(best_); }
  std::uint64_t expanded() const override { return search_.expanded(); }
  std::uint64_t take_edge_units() override { return work_.take(); }

 private:
  // Settles at most one node and looks at it.
  Progress settle(std::uint32_t* one) {
    const std::size_t settled = search_.settled().size();
    if (settled > 0 && is_past(search_.settled().back())) return Progress::kPathFound;
    const Progress progress = search_.advance(one);
    if (search_.settled().size() == settled) {
      if (progress == Progress::kOutOfBudget) return progress;
      return best_ == kNoNode ? Progress::kNoPath : Progress::kPathFound;
    }
    if (const NodeId last = search_.settled().back(); !is_past(last)) look_at(last);
    return Progress::kOutOfBudget;
  }
  bool is_past(NodeId n) const { return best_ != kNoNode && search_.cost(n) > search_.cost(best_); }
  void look_at(NodeId n) {
    const GraphNode& node = graph_->node(n);
    if (best_ != kNoNode && node.id > graph_->node(best_).id) return;
    if (distance_to_nearest(threats_, spot_of(node)) >= distance_) best_ = n;
  }

  const WaypointGraph* graph_;
  EdgeWork work_;
  RouteGraph routes_;
  std::vector<Spot> threats_;
  double distance_;
  Source source_;
  Dijkstra<RouteGraph> search_;
  NodeId best_ = kNoNode;
};

}  // namespace

GraphFilter graph_filter(const Profile& profile) {
  GraphFilter filter{.include = profile.include,
                     .exclude = profile.exclude,
                     .width = to_edge_width(2 * profile.radius)};
  for (const AreaFactor& rule : profile.areas)
    filter.factors[rule.area] = in_thousandths(rule.factor);
  return filter;
}

// A node lies within a step of its lattice point.
Cost RouteGraph::bound(double steps) const {
  if (!(steps > 2)) return 0;
  return static_cast<Cost>((Wide{static_cast<std::int64_t>(steps - 2)} * ratio_) >>
                           WaypointGraph::kRatioBits);
}

LazyParts::LazyParts(const LazyParts& other) {
  const Parts* parts = other.parts_.load(std::memory_order_acquire);
  if (parts != nullptr) parts_.store(new Parts(*parts), std::memory_order_release);
}

bool LazyParts::are_together(const WaypointGraph& graph, NodeId a, NodeId b) const {
  const Parts* parts = parts_.load(std::memory_order_acquire);
  if (parts == nullptr) {
    auto made = std::make_unique<const Parts>(weak_components(graph));
    if (parts_.compare_exchange_strong(parts, made.get(), std::memory_order_acq_rel))
      parts = made.release();
  }
  return (*parts)[index(a)] == (*parts)[index(b)];
}

std::optional<RoutePlace> GraphGround::locate(const Spot& at, std::uint64_t* looks) const {
  return nearest(at, std::numeric_limits<double>::infinity(), looks);
}

std::optional<RoutePlace> GraphGround::nearest(const Spot& at, double radius,
                                               std::uint64_t* looks) const {
  const std::optional<NodeId> found = space_->nodes.nearest(space_->graph, at, radius, looks);
  if (!found) return std::nullopt;
  return place_of(*found);
}

// Returns the node with that id; kNoNode if there is none. The next node of a route mostly lies one
// edge from the last, and looking at a few neighbours takes less time than a look-up.
NodeId GraphGround::find_beside(NodeId at, std::uint64_t id) const {
  constexpr std::size_t kEdgesMax = 8;
  const WaypointGraph& nodes = space_->graph;
  const std::span<const WaypointGraph::Edge> edges = nodes.edges_from(at);
  for (const WaypointGraph::Edge& edge : edges.first(std::min(edges.size(), kEdgesMax)))
    if (nodes.node(edge.to).id == id) return edge.to;
  return nodes.find(id);
}

// Calls visit(cost) for each leg, up to the first broken one.
template <class Visit>
RouteWalk GraphGround::walk_legs(std::span<const RoutePoint> route, const Visit& visit) const {
  REPATH_CHECK(!route.empty());
  const WaypointGraph& nodes = space_->graph;
  const RouteGraph routes = graph();
  NodeId at = nodes.find(route[0].node);
  if (at == kNoNode || !nodes.is_enabled(at)) return {kUnreachable, 0};
  RouteWalk walk;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const NodeId to = find_beside(at, route[i].node);
    const std::uint8_t key = route[i - 1].key;
    if (to == kNoNode || spot_of(nodes.node(to)) != route[i].at) return {kUnreachable, i};
    const Cost step = to == at ? 0 : routes.cost_by(at, to, key);
    if (step == kUnreachable) return {kUnreachable, i};
    visit(step);
    walk.cost = saturating_add(walk.cost, step);
    at = to;
  }
  return walk;
}

RouteWalk GraphGround::walk(std::span<const RoutePoint> route) const {
  return walk_legs(route, [](Cost) {});
}

bool GraphGround::append_legs(std::span<const RoutePoint> route, std::vector<Cost>* legs) const {
  const std::size_t first = legs->size();
  const RouteWalk walk = walk_legs(route, [legs](Cost cost) { legs->push_back(cost); });
  if (walk.cost == kUnreachable) legs->resize(first);
  return walk.cost != kUnreachable;
}

// Returns the nodes that a position may mean, ascending by the clients' ids.
std::vector<NodeId> GraphGround::nodes_meant(const Spot& at) const {
  std::vector<NodeId> nodes = space_->nodes.at(space_->graph, at);
  if (nodes.size() > kNodesAtPlace) nodes.resize(kNodesAtPlace);
  if (!nodes.empty()) return nodes;
  const std::optional<NodeId> near =
      space_->nodes.nearest(space_->graph, at, std::numeric_limits<double>::infinity());
  if (near) nodes.push_back(*near);
  return nodes;
}

// Keeps the cheapest walk to each of the nodes that a position may mean.
RouteWalk GraphGround::walk_positions(std::span<const RoutePoint> route) const {
  REPATH_CHECK(!route.empty());
  struct Reached {
    NodeId node;
    Cost cost;
  };
  const WaypointGraph& nodes = space_->graph;
  const RouteGraph routes = graph();
  std::vector<Reached> reached;
  for (const NodeId n : nodes_meant(route[0].at))
    if (reached.empty() && nodes.is_enabled(n)) reached.push_back({n, 0});
  if (reached.empty()) return {kUnreachable, 0};
  for (std::size_t i = 1; i < route.size(); ++i) {
    std::vector<Reached> next;
    for (const NodeId to : nodes_meant(route[i].at)) {
      Cost least = kUnreachable;
      for (const Reached& from : reached) {
        const Cost step = from.node == to ? 0 : routes.cost(from.node, to);
        least = std::min(least, saturating_add(from.cost, step));
      }
      if (least != kUnreachable) next.push_back({to, least});
    }
    if (next.empty()) return {kUnreachable, i};
    reached = std::move(next);
  }
  return {reached.front().cost, 0};
}

bool GraphGround::may_reach(const RoutePlace& from, const RoutePlace& to) const {
  return space_->parts.are_together(space_->graph, NodeId{from.cell}, NodeId{to.cell});
}

RoutePlace GraphGround::nearest_reachable(const RoutePlace& from,
                                          std::span<const RoutePlace> goals) const {
  const RouteGraph routes = graph();
  std::vector<bool> is_met(routes.node_count(), false);
  std::vector<NodeId> met{NodeId{from.cell}};
  is_met[from.cell] = true;
  for (std::size_t i = 0; i < met.size(); ++i)
    routes.for_each_successor(met[i], [&](NodeId to, Cost) {
      if (is_met[index(to)]) return;
      is_met[index(to)] = true;
      met.push_back(to);
    });
  const auto rank = [&](NodeId n) {
    const GraphNode& node = space_->graph.node(n);
    double least = std::numeric_limits<double>::infinity();
    for (const RoutePlace& goal : goals)
      least = std::min(least, distance_between(spot_of(node), goal.at));
    return std::tuple(least, node.x, node.z, node.id);
  };
  return place_of(std::ranges::min(met, {}, rank));
}

Cost GraphGround::least_cost(const RouteBox& from, const RouteBox& to) const {
  // No two points of the graph lie farther apart, but boxes may.
  const double apart = std::min(distance_between(from, to), 4 * kLatticeExtent);
  return graph().bound(apart * kLatticePerUnit);
}

std::unique_ptr<RouteSearch> GraphGround::search_by(const SearchWish& wish, const RoutePlace& from,
                                                    std::span<const RoutePlace> goals) const {
  REPATH_CHECK(offers(wish.method) && !goals.empty() && goals.size() <= kRouteGoalsMax);
  std::vector<NodeId> nodes;
  for (const RoutePlace& goal : goals) nodes.push_back(NodeId{goal.cell});
  return search_graph(wish, &space_->graph, &filter_, NodeId{from.cell}, GoalSet(std::move(nodes)));
}

std::unique_ptr<RouteFlood> GraphGround::flood(const RoutePlace& from, Cost most) const {
  const Source source{NodeId{from.cell}, 0};
  return std::make_unique<NodeFlood<RouteGraph>>(&space_->graph, &filter_, std::span(&source, 1),
                                                 most);
}

std::unique_ptr<RouteFlood> GraphGround::flood_to(std::span<const RoutePlace> goals,
                                                  Cost most) const {
  REPATH_CHECK(!goals.empty() && goals.size() <= kRouteGoalsMax);
  std::vector<Source> sources;
  for (const RoutePlace& goal : goals) sources.push_back({NodeId{goal.cell}, 0});
  return std::make_unique<NodeFlood<TurnedGraph>>(&space_->graph, &filter_, sources, most);
}

std::unique_ptr<RouteAway> GraphGround::away(const RoutePlace& from, std::span<const Spot> threats,
                                             double distance) const {
  return std::make_unique<NodeAway>(&space_->graph, &filter_, NodeId{from.cell}, threats, distance);
}

RoutePlace GraphGround::farthest_reachable(const RoutePlace& from,
                                           std::span<const Spot> threats) const {
  const RouteGraph routes = graph();
  const Source source{NodeId{from.cell}, 0};
  Dijkstra<RouteGraph> search(routes, {&source, 1});
  std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
  REPATH_CHECK(search.advance(&all) == Progress::kNoPath);
  return place_of(std::ranges::min(search.settled(), {}, [&](NodeId n) {
    const GraphNode& node = space_->graph.node(n);
    return std::tuple(-distance_to_nearest(threats, spot_of(node)), search.cost(n), node.id);
  }));
}

double GraphGround::distance_from(const Spot& threat, const Spot& at) const {
  return distance_between(threat, at);
}

std::optional<RoutePlace> GraphGround::random_place(const Spot& near, double radius,
                                                    Random* random) const {
  const std::vector<NodeId> nodes = space_->nodes.within(space_->graph, near, radius);
  if (nodes.empty()) return std::nullopt;
  return place_of(nodes[random->below(static_cast<std::uint32_t>(nodes.size()))]);
}

}  // namespace repath

// A waypoint graph as agents and queries see it.
//
// Costs are those of the graph times 2^22 / 5741, that is in units of kRouteCostUnit. Each edge's
// cost is rounded up: sums of legs are the costs of searches, and the heuristic stays a lower
// bound.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph_view.h"
#include "graph/waypoint_graph.h"
#include "routes/edge_work.h"
#include "routes/node_grid.h"
#include "routes/query_ground.h"
#include "search/goal_set.h"
#include "world/profile.h"

namespace repath {

// Converts a cost of the graph by the factor 2^30 / kStraightStep = 2^22 / 5741. REQUIRES: c <=
// to_graph_cost(kGraphCostMax), or kUnreachable.
constexpr Cost route_cost_of_edge(Cost c) {
  static_assert(kStraightStep == 5741u * 256u);
  return c == kUnreachable ? kUnreachable : ((c << 22) + 5740) / 5741;
}

// Returns the filter of the profile, with factors in thousandths; fractions are rounded up. Its
// width is twice the radius.
GraphFilter graph_filter(const Profile& profile);

// A SearchGraph over a graph in route costs. Borrows its arguments; graph and filter must not
// change while it lives. It counts the edges that are looked at into `work`, unless that is null.
class RouteGraph {
 public:
  RouteGraph(const WaypointGraph* graph, const GraphFilter* filter, EdgeWork* work = nullptr)
      : graph_(graph), filter_(filter), work_(work), ratio_((graph->ratio() << 22) / 5741) {}

  std::uint32_t node_count() const { return graph_->node_count(); }
  Cost heuristic(NodeId a, NodeId b) const { return least_cost_of(graph_->length(a, b)); }
  // Returns the least ratio of cost to length times a distance in lattice steps, rounded up.
  Cost least_cost_of(std::uint64_t steps) const {
    constexpr Wide kUp = (Wide{1} << WaypointGraph::kRatioBits) - 1;
    return static_cast<Cost>((Wide{steps} * ratio_ + kUp) >> WaypointGraph::kRatioBits);
  }
  // Returns a lower bound of the cost between two points `steps` lattice steps apart, rounded down.
  Cost bound(double steps) const;
  // Returns the cost of the cheapest edge; kUnreachable if none is open to this profile.
  Cost cost(NodeId from, NodeId to) const {
    return route_cost_of_edge(cheapest_edge(*graph_, *filter_, from, to).cost);
  }
  // Returns the cost of the edge with that key.
  Cost cost_by(NodeId from, NodeId to, std::uint8_t key) const {
    return route_cost_of_edge(filter_->cost(graph_->state(from, to, key)));
  }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    note_edges(GraphView(graph_, *filter_).for_each_successor(n, [&](NodeId to, Cost c) {
      visit(to, route_cost_of_edge(c));
    }));
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    note_edges(GraphView(graph_, *filter_).for_each_predecessor(n, [&](NodeId from, Cost c) {
      visit(from, route_cost_of_edge(c));
    }));
  }
  // Counts a look at `edges` edges of a node that did not go through this graph.
  void note_edges(std::size_t edges) const {
    if (work_ != nullptr) work_->add(edges);
  }

 private:
  const WaypointGraph* graph_;
  const GraphFilter* filter_;
  EdgeWork* work_;
  std::uint64_t ratio_;  // route costs of a lattice step, in 2^-kRatioBits
};

// Weak components, computed on the first question. Any number of threads may ask at once; threads
// that ask at the same time before the first answer each compute them.
class LazyParts {
 public:
  LazyParts() = default;
  LazyParts(const LazyParts& other);
  LazyParts& operator=(const LazyParts&) = delete;
  ~LazyParts() { forget(); }
  // Drops the components. REQUIRES: no thread asks at the same time.
  void forget() { delete parts_.exchange(nullptr); }
  // Returns whether both nodes are in one weak component. O(1) after the first question, which is
  // O(graph).
  bool are_together(const WaypointGraph& graph, NodeId a, NodeId b) const;

 private:
  using Parts = std::vector<NodeId>;
  mutable std::atomic<const Parts*> parts_{nullptr};
};

// Data that the views of one graph share.
struct GraphSpace {
  explicit GraphSpace(WaypointGraph made) : graph(std::move(made)), nodes(graph) {}
  WaypointGraph graph;
  NodeGrid nodes;
  LazyParts parts;
};

// As QueryGround::pair_table_need. O(edges).
PairTableNeed pair_table_need(const WaypointGraph& graph, const GraphFilter& filter);
// Appends the points of a way along these nodes, each with area and key of the edge that follows:
// the cheapest that the filter lets through. REQUIRES: there is one for each pair.
void append_points(const WaypointGraph& graph, const GraphFilter& filter,
                   std::span<const NodeId> nodes, std::vector<RoutePoint>* out);

// Makes a search for one way by a kernel of search/. Borrows graph and filter. kBest is A*.
// REQUIRES: as QueryGround::search_by. All pairs take the memory that pair_table_need() states.
std::unique_ptr<RouteSearch> search_graph(const SearchWish& wish, const WaypointGraph* graph,
                                          const GraphFilter* filter, NodeId start, GoalSet goals);

// The ground of a graph. A place's cell is the index of its node in the graph. If the ground is
// given an owner, it keeps its space alive.
class GraphGround final : public QueryGround {
 public:
  GraphGround(const GraphSpace* space, const GraphFilter& filter,
              std::shared_ptr<const GraphSpace> owner = nullptr)
      : space_(space), filter_(filter), owner_(std::move(owner)) {}

  bool is_continuous() const override { return false; }
  std::optional<RoutePlace> locate(const Spot& at, std::uint64_t* looks = nullptr) const override;
  std::optional<RoutePlace> nearest(const Spot& at, double radius,
                                    std::uint64_t* looks = nullptr) const override;
  std::uint64_t node_id(const RoutePlace& place) const override {
    return space_->graph.node(NodeId{place.cell}).id;
  }
  RouteWalk walk(std::span<const RoutePoint> route) const override;
  bool append_legs(std::span<const RoutePoint> route, std::vector<Cost>* legs) const override;
  // Maximum number of nodes at one place that count, the first by id.
  static constexpr std::size_t kNodesAtPlace = 16;
  RouteWalk walk_positions(std::span<const RoutePoint> route) const override;
  bool may_reach(const RoutePlace& from, const RoutePlace& to) const override;
  std::unique_ptr<ReachTable> reach_table(WorkMeter* meter) const override;
  std::uint64_t reach_bytes() const override;
  bool reaches_as(const RouteGround& other) const override;
  RoutePlace nearest_reachable(const RoutePlace& from,
                               std::span<const RoutePlace> goals) const override;
  Cost least_cost(const RouteBox& from, const RouteBox& to) const override;
  // Offers all methods.
  bool offers(RouteMethod) const override { return true; }
  PairTableNeed pair_table_need() const override {
    return repath::pair_table_need(space_->graph, filter_);
  }
  std::unique_ptr<RouteSearch> search_by(const SearchWish& wish, const RoutePlace& from,
                                         std::span<const RoutePlace> goals) const override;
  // Offers LPA*, D* Lite and fields (graph_kept.cc).
  bool keeps_searches(std::size_t) const override { return true; }
  std::unique_ptr<KeptRouteSearch> kept_search(SearchKind kind, const RoutePlace& from,
                                               std::span<const RoutePlace> goals) const override;
  std::unique_ptr<RouteFlood> flood(const RoutePlace& from, Cost most) const override;
  std::unique_ptr<RouteFlood> flood_to(std::span<const RoutePlace> goals, Cost most) const override;
  std::unique_ptr<RouteAway> away(const RoutePlace& from, std::span<const Spot> threats,
                                  double distance) const override;
  RoutePlace farthest_reachable(const RoutePlace& from,
                                std::span<const Spot> threats) const override;
  double distance_from(const Spot& threat, const Spot& at) const override;
  std::optional<RouteRay> cast_ray(const RoutePlace&, const Spot&) const override {
    return std::nullopt;
  }
  std::optional<RoutePlace> random_place(const Spot& near, double radius,
                                         Random* random) const override;

  const GraphFilter& filter() const { return filter_; }
  const WaypointGraph& waypoints() const { return space_->graph; }

 private:
  NodeId find_beside(NodeId at, std::uint64_t id) const;
  template <class Visit>
  RouteWalk walk_legs(std::span<const RoutePoint> route, const Visit& visit) const;
  std::vector<NodeId> nodes_meant(const Spot& at) const;
  RoutePlace place_of(NodeId n) const { return {spot_of(space_->graph.node(n)), index(n)}; }
  RouteGraph graph() const { return {&space_->graph, &filter_}; }

  const GraphSpace* space_;
  GraphFilter filter_;
  std::shared_ptr<const GraphSpace> owner_;
};

}  // namespace repath

#include "grid_ground/aside.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grid/cells/graph.h"
#include "grid_ground/settling.h"
#include "search/classic/a_star.h"

namespace repath {
namespace {

constexpr int kTries = 3;
constexpr Cost kPenaltyDivisor = 4;  // from one try to the next

// The cells of a box that a way aside may take, and by how many others each is about to be used.
class Window {
 public:
  // Borrows the graph. Beyond `radius` cells from the centre it is half as wide again: so a way
  // aside has room to come back to its path where nothing is counted any more.
  Window(const GridGraph& graph, Place centre, double radius)
      : graph_(graph), centre_(centre), radius_(radius) {
    const auto reach = static_cast<std::int32_t>(std::ceil(radius));
    const auto half = reach + std::max(2, (reach + 1) / 2);
    box_ = {std::max(centre.x - half, 0), std::max(centre.y - half, 0),
            std::min(centre.x + half, graph.layer().width() - 1),
            std::min(centre.y + half, graph.layer().height() - 1)};
    near_ = {centre.x - reach, centre.y - reach, centre.x + reach, centre.y + reach};
    uses_.resize(static_cast<std::size_t>(width()) *
                 static_cast<std::size_t>(box_.y1 - box_.y0 + 1));
  }

  const GridGraph& graph() const { return graph_; }
  const PlaceBox& box() const { return box_; }
  // Where others must be to be counted.
  const PlaceBox& near() const { return near_; }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(uses_.size()); }
  Place place(NodeId map_node) const { return place_of(graph_.layer(), map_node); }
  bool contains(NodeId map_node) const { return box_.contains(place(map_node)); }

  // Converts between nodes of the map and the window's own nodes, which are the cells of the box by
  // rows. own() REQUIRES: contains(map_node).
  NodeId own(NodeId map_node) const {
    const Place p = place(map_node);
    return NodeId{static_cast<std::uint32_t>((p.y - box_.y0) * width() + p.x - box_.x0)};
  }
  NodeId on_map(NodeId own_node) const {
    const auto at = static_cast<std::int32_t>(index(own_node));
    return graph_.layer().node_at(box_.x0 + at % width(), box_.y0 + at / width());
  }

  // Counts one more agent that is about to use the cell. No effect beyond the radius.
  void use(NodeId map_node) {
    const Place p = place(map_node);
    const double dx = p.x - centre_.x;
    const double dy = p.y - centre_.y;
    if (dx * dx + dy * dy <= radius_ * radius_) ++uses_[index(own(map_node))];
  }
  // Closes the cell to all ways aside.
  void close(NodeId map_node) { uses_[index(own(map_node))] = kClosed; }
  bool is_closed(NodeId own_node) const { return uses_[index(own_node)] == kClosed; }
  // REQUIRES: not closed.
  std::uint32_t uses(NodeId own_node) const { return uses_[index(own_node)]; }

 private:
  static constexpr std::uint32_t kClosed = ~std::uint32_t{0};
  std::int32_t width() const { return box_.x1 - box_.x0 + 1; }

  const GridGraph& graph_;
  Place centre_;
  double radius_;
  PlaceBox box_;
  PlaceBox near_;
  std::vector<std::uint32_t> uses_;
};

// The window as a SearchGraph between two of its cells. A step costs what it does on the map and
// the penalty for each other that is about to use the cell it leads to. Cells through which no path
// costs as little as `most` are left out.
class AsideGraph {
 public:
  AsideGraph(const Window& window, NodeId from, NodeId to, Cost penalty, Cost most)
      : window_(window), from_(from), to_(to), penalty_(penalty), most_(most) {}

  std::uint32_t node_count() const { return window_.cells(); }
  Cost heuristic(NodeId a, NodeId b) const {
    return window_.graph().heuristic(window_.on_map(a), window_.on_map(b));
  }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    for_each_beside(n, [&](NodeId m, Cost step) { visit(m, step + penalty_of(m)); });
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    const Cost penalty = penalty_of(n);
    for_each_beside(n, [&](NodeId m, Cost step) { visit(m, step + penalty); });
  }
  Cost penalty_of(NodeId n) const { return penalty_ * window_.uses(n); }

 private:
  template <class Visit>
  void for_each_beside(NodeId n, Visit&& visit) const {
    window_.graph().for_each_successor(window_.on_map(n), [&](NodeId map_node, Cost step) {
      if (!window_.contains(map_node)) return;
      const NodeId m = window_.own(map_node);
      if (window_.is_closed(m) || heuristic(from_, m) + heuristic(m, to_) > most_) return;
      visit(m, step);
    });
  }

  const Window& window_;
  NodeId from_;
  NodeId to_;
  Cost penalty_;
  Cost most_;
};

// Counts the cells that other agents nearby are about to use: the cells they stand on, and as many
// next steps of their paths as the radius spans. Returns the number of cells and entries looked at.
std::uint64_t count_others(const ReplanState& state, Slot slot, double radius, Window* window) {
  std::vector<Slot> others;
  std::uint64_t looked_at =
      state.index.find_walkers(window->graph().layer(), window->near(), kAsideOthersMax, &others);
  const auto steps = static_cast<std::size_t>(2 * std::ceil(radius));
  for (const Slot other : others) {
    if (other == slot) continue;
    const Agent& agent = state.agents[other];
    const std::size_t open = agent.broken_at.value_or(agent.path.points.size());
    const std::size_t end = std::min(open, agent.path.at + steps + 1);
    for (std::size_t i = agent.path.at; i < end; ++i, ++looked_at)
      if (window->contains(agent.path.points[i])) window->use(agent.path.points[i]);
  }
  return looked_at;
}

// Returns the place of the path's last node before it leaves the window for the first time.
std::size_t place_of_exit(const Window& window, std::span<const NodeId> path) {
  std::size_t exit = 0;
  while (exit + 1 < path.size() && window.contains(path[exit + 1])) ++exit;
  return exit;
}

// Closes the cells where the path comes back to the window later, for a way aside through them
// would cross it. Returns the number of nodes looked at.
std::uint64_t close_returns(std::span<const NodeId> path, std::size_t exit, Window* window) {
  std::uint64_t looked_at = 0;
  for (std::size_t i = exit + 1; i < path.size(); ++looked_at) {
    const std::uint32_t ahead = window->box().steps_to(window->place(path[i]));
    if (ahead == 0) window->close(path[i]);
    i += std::max(ahead, 1u);
  }
  return looked_at;
}

struct WayOut {
  std::vector<NodeId> nodes;  // nodes of the map
  Cost cost = 0;              // without penalties
};

// Returns a path from one cell of the window to another that costs `most` or less. With its
// penalties it costs less than `own_way` with those of `own_way`. Empty if there is none.
WayOut find_way_out(const Window& window, std::span<const NodeId> own_way, Cost own_cost,
                    Cost penalty, Cost most, std::uint32_t* expansions) {
  const NodeId from = window.own(own_way.front());
  const NodeId to = window.own(own_way.back());
  WayOut way;
  for (int i = 0; i < kTries; ++i, penalty /= kPenaltyDivisor) {
    const AsideGraph graph(window, from, to, penalty, most);
    Cost own_penalties = 0;
    for (const NodeId node : own_way.subspan(1))
      own_penalties += graph.penalty_of(window.own(node));
    AStar<AsideGraph> search(graph, from, GoalSet{to});
    if (search.advance(expansions) != Progress::kPathFound ||
        search.path_cost() >= own_cost + own_penalties)
      return {};
    way.nodes.clear();
    search.append_path(&way.nodes);
    way.cost = search.path_cost();
    for (std::size_t k = 1; k < way.nodes.size(); ++k) way.cost -= graph.penalty_of(way.nodes[k]);
    if (way.cost > most) continue;
    for (NodeId& node : way.nodes) node = window.on_map(node);
    return way;
  }
  return {};
}

// Ends a way at the first goal that it comes by.
bool end_at_goal(const GridGraph& graph, const GoalSet& goals, WayOut* way) {
  const auto goal =
      std::ranges::find_if(way->nodes, [&](NodeId node) { return goals.contains(node); });
  if (goal == way->nodes.end()) return false;
  way->nodes.erase(goal + 1, way->nodes.end());
  way->cost = cost_of_open(graph, way->nodes);
  return true;
}

}  // namespace

std::optional<AsidePath> step_aside(const ReplanState& state, Slot slot,
                                    std::span<const NodeId> optimal, Cost cost, Cost most,
                                    WorkUnits* units) {
  const CrowdSpec& crowd = *state.agents[slot].spec.crowd;
  const GridGraph graph = state.world.graph(state.agents.row(slot).view);
  Window window(graph, place_of(graph.layer(), optimal.front()), crowd.radius);
  std::uint64_t looked_at = count_others(state, slot, crowd.radius, &window);
  const std::size_t exit = place_of_exit(window, optimal);
  const auto own_way = optimal.first(exit + 1);
  looked_at += own_way.size();
  const bool is_in_the_way = std::ranges::any_of(
      own_way.subspan(1), [&](NodeId node) { return window.uses(window.own(node)) > 0; });
  WayOut way;
  Cost rest = 0;
  if (is_in_the_way) {
    looked_at += close_returns(optimal, exit, &window);
    const Cost own_cost = cost_of_open(graph, own_way);
    rest = cost - own_cost;
    std::uint32_t expansions = kAsideExpansionsMax;
    const auto penalty = static_cast<Cost>(crowd.penalty * static_cast<double>(kStraightStep));
    way = find_way_out(window, own_way, own_cost, penalty, most - rest, &expansions);
    *units += kAsideExpansionsMax - expansions;
  }
  *units += (looked_at + kTestsPerUnit - 1) / kTestsPerUnit;
  if (way.nodes.empty()) return std::nullopt;
  const bool ends_there = end_at_goal(graph, state.goals_of(slot).goals.nodes(), &way);
  if (ends_there) rest = 0;
  const auto after = optimal.subspan(ends_there ? optimal.size() : exit + 1);
  AsidePath path{{}, way.cost + rest, static_cast<std::uint32_t>(way.nodes.size() - 1), rest};
  path.nodes.reserve(way.nodes.size() + after.size());
  path.nodes.insert(path.nodes.end(), way.nodes.begin(), way.nodes.end());
  path.nodes.insert(path.nodes.end(), after.begin(), after.end());
  return path;
}

}  // namespace repath

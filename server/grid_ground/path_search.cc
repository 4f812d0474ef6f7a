#include "grid_ground/path_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "grid_ground/flood.h"
#include "search/classic/a_star.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/goal_field.h"
#include "search/incremental/lpa_star.h"

namespace repath {
namespace {

// lb as a heuristic: zero on every goal node and consistent, for the metric is.
class GoalsBound {
 public:
  GoalsBound(const GridGraph& graph, const Goals& goals) : graph_(&graph), goals_(&goals) {}
  Cost operator()(NodeId n) const { return goals_->bound(place_of(graph_->layer(), n)); }

 private:
  const GridGraph* graph_;
  const Goals* goals_;
};

// No step costs less than a straight one on the best ground.
class GridField final : public GoalRooted<GoalField<GridGraph>> {
 public:
  GridField(const GridGraph& graph, const Goals& goals)
      : GoalRooted(graph, goals.nodes(), kStraightStep) {}

  Progress advance(NodeId target, std::uint32_t* expansions) override {
    const std::uint32_t most =
        std::min(*expansions, std::numeric_limits<std::uint32_t>::max() / kStepsPerUnit) *
        kStepsPerUnit;
    std::uint32_t left = most;
    const Progress progress = kernel_.advance_to(target, &left);
    *expansions -= (most - left + kStepsPerUnit - 1) / kStepsPerUnit;
    return progress;
  }
  Cost known_cost(NodeId target) const override { return kernel_.cost(target); }

 private:
  // Number of nodes looked at, which is what the field counts, that take as long as one expansion
  // of A*.
  static constexpr std::uint32_t kStepsPerUnit = 4;
};

// For a single goal it searches from the goal to the agent. A new obstacle in a walker's way is
// soon behind the walker, but an obstacle near the goal stays there for every later search. In
// either direction the search speaks for the agent at `start` alone.
class JumpsOnce final : public PathSearch {
 public:
  JumpsOnce(const GridLayer& layer, const JumpMap& jumps, IdleJumps& idle, const Goals& goals,
            NodeId start)
      : root_(start),
        is_from_goal_(goals.nodes().nodes().size() == 1),
        idle_(idle),
        kernel_(is_from_goal_ ? idle.take(layer, jumps, goals.nodes().nodes().front(), start)
                              : idle.take(layer, jumps, start, goals)) {}
  ~JumpsOnce() override { idle_.give_back(std::move(kernel_)); }

  Progress advance(NodeId, std::uint32_t* expansions) override {
    return kernel_->advance(expansions);
  }
  Cost known_cost(NodeId target) const override {
    return target == root_ ? kernel_->path_cost() : kUnreachable;
  }
  bool append_path(NodeId target, std::vector<NodeId>* out) const override {
    const std::size_t first = out->size();
    if (is_from_goal_)
      kernel_->append_way_back(out);
    else
      kernel_->append_path(out);
    return keep_rest(first, target, out);
  }
  NodeId root() const override { return root_; }
  std::size_t bytes() const override { return kernel_->bytes(); }

 private:
  NodeId root_;
  bool is_from_goal_;
  IdleJumps& idle_;
  std::unique_ptr<JumpPointSearch> kernel_;
};

}  // namespace

std::unique_ptr<PathSearch> make_search(SearchKind kind, const GridGraph& graph,
                                        const JumpMap& jumps, IdleJumps& idle, const Goals& goals,
                                        NodeId start) {
  switch (kind) {
    case SearchKind::kAStar:
      return std::make_unique<StartRooted<AStar<GridGraph, GoalsBound>>>(
          start, graph, start, goals.nodes(), GoalsBound(graph, goals));
    case SearchKind::kLpa:
      return std::make_unique<StartRooted<LpaStar<GridGraph, GoalsBound>>>(
          start, graph, start, goals.nodes(), GoalsBound(graph, goals));
    case SearchKind::kDStarLite:
      return std::make_unique<DStarLiteKept<GridGraph>>(graph, start, goals.nodes());
    case SearchKind::kField:
      return std::make_unique<GridField>(graph, goals);
    case SearchKind::kJump:
      return std::make_unique<JumpsOnce>(graph.layer(), jumps, idle, goals, start);
    case SearchKind::kFlood:
      break;
  }
  return std::make_unique<Flood>(graph, goals, start);
}

}  // namespace repath

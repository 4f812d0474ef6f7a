#include "bench/sides.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/executor.h"
#include "grid/jps/idle_jumps.h"
#include "grid_ground/fall_filter.h"
#include "grid_ground/replanner.h"
#include "search/classic/a_star.h"
#include "search/incremental/d_star_lite.h"

namespace repath::bench {
namespace {

constexpr WorkUnits kNoLimit = WorkUnits{1} << 40;

// The replanner itself, with one agent and an unlimited budget.
class Auto final : public Side {
 public:
  Auto(World& world, ViewId, std::set<SettlerId> without)
      : world_(world), replanner_(world, {.without = without}, executor_) {}

  void begin(NodeId from, NodeId to) override {
    AgentSpec agent;
    agent.id = kAgent;
    agent.position = centre(from);
    agent.goals = {centre(to)};
    from_ = from;
    REPATH_CHECK(replanner_.upsert(std::span(&agent, 1), kNoOwner, now_).ok());
    settle();
  }
  void move(std::span<const NodeId> rest) override {
    const NodeId from = rest.front();
    from_ = from;
    replanner_.report({kAgent, centre(from), version_}, now_);
    settle();
  }
  void before_change() override { replanner_.before_commit(); }
  void on_change(Commit commit) override {
    replanner_.on_commit(std::move(commit), now_);
    settle();
  }
  Answer answer() const override {
    const AgentView view = *replanner_.view(kAgent, true);
    if (view.held_cost == kUnreachable || !view.verdict.path) return {};
    const auto& nodes = view.verdict.path->nodes;
    return {view.held_cost, {std::ranges::find(nodes, from_), nodes.end()}};
  }

 private:
  static constexpr AgentId kAgent{1};

  MapPoint centre(NodeId node) const {
    const auto width = static_cast<std::uint32_t>(world_.width());
    const std::uint32_t y = index(node) / width;
    return {index(node) - y * width + 0.5, y + 0.5};
  }
  void settle() {
    while (replanner_.waiting().size() > 0) replanner_.step(kNoLimit, now_ += 16'667);
    for (const AgentEvent& event : replanner_.take_events()) version_ = event.path_version;
  }

  World& world_;
  InlineExecutor executor_;
  Replanner replanner_;
  NodeId from_ = kNoNode;
  PathVersion version_{};  // version that it was sent last
  Micros now_ = 0;
};

// Searches from scratch.
struct AStarSearch {
  AStarSearch(World& world, ViewId view) : graph(world.graph(view)) {}
  AStar<GridGraph> from_to(NodeId from, const GoalSet& goal) const { return {graph, from, goal}; }

  GridGraph graph;
};

// The kernel that `static` measures as jps, in the same way.
struct FreshJumps {
  FreshJumps(World& world_in, ViewId view_in) : world(world_in), view(view_in) {
    REPATH_CHECK(world.keep_jumps(view));
  }
  JumpPointSearch& from_to(NodeId from, const GoalSet& goal) {
    if (search) idle.give_back(std::move(search));
    search = idle.take(world.layer(view), *world.jumps(view), from, goal.nodes().front());
    return *search;
  }

  World& world;
  ViewId view;
  IdleJumps idle{std::numeric_limits<std::size_t>::max()};
  std::unique_ptr<JumpPointSearch> search;
};

// Searches from scratch after each change.
template <class Search>
class Fresh : public Side {
 public:
  Fresh(World& world, ViewId view) : search_(world, view) {}

  void begin(NodeId from, NodeId to) override {
    from_ = from;
    to_ = to;
    search();
  }
  void move(std::span<const NodeId> rest) override { from_ = rest.front(); }
  void on_change(Commit) override { search(); }
  Answer answer() const override { return answer_; }

 protected:
  void search() {
    auto&& kernel = search_.from_to(from_, GoalSet{to_});
    std::uint32_t expansions = ~std::uint32_t{0};
    answer_.path.clear();
    if (kernel.advance(&expansions) == Progress::kPathFound) kernel.append_path(&answer_.path);
    answer_.cost = kernel.path_cost();
  }

  Search search_;
  NodeId from_{};
  NodeId to_{};
  Answer answer_;
};

// Searches from scratch after each change that passes the two filters of the promise.
class FilteredJump final : public Fresh<FreshJumps> {
 public:
  using Fresh::Fresh;

  void begin(NodeId from, NodeId to) override {
    Fresh::begin(from, to);
    const GridLayer& layer = search_.world.layer(search_.view);
    const MapPoint goal{layer.x_of(to) + 0.5, layer.y_of(to) + 0.5};
    goals_.emplace(layer, Topology::k8, std::span(&goal, 1), 0.0);
  }
  void move(std::span<const NodeId> rest) override {
    Fresh::move(rest);
    answer_.path.assign(rest.begin(), rest.end());
    answer_.cost = 0;
    const GridGraph graph = search_.world.graph(search_.view);
    for (std::size_t i = 0; i + 1 < rest.size(); ++i)
      answer_.cost += graph.cost_between(rest[i], rest[i + 1]);
  }
  void on_change(Commit commit) override {
    for (const ViewDelta& delta : commit.views)
      if (delta.view == search_.view && !keeps_path(delta)) return search();
  }

 private:
  bool keeps_path(const ViewDelta& delta) const {
    const GridLayer& layer = search_.world.layer(search_.view);
    const FallFilter falls(layer, goals_->metric(), delta.fallen);
    if (answer_.path.empty()) return !falls.opens();
    for (std::size_t i = 0; i + 1 < answer_.path.size(); ++i) {
      const auto step = std::pair(answer_.path[i], answer_.path[i + 1]);
      const auto at = std::ranges::lower_bound(delta.risen, step, {}, ends_of);
      if (at != delta.risen.end() && ends_of(*at) == step) return false;
    }
    std::uint64_t tests = 0;
    return falls.to_goals(place_of(layer, from_), *goals_, answer_.cost, &tests).edge == nullptr;
  }
  static std::pair<NodeId, NodeId> ends_of(const EdgeChange& change) {
    return {change.from, change.to};
  }

  std::optional<Goals> goals_;
};

// One search for the agent's life, repaired completely after each change.
class DStarLiteKept final : public Side {
 public:
  DStarLiteKept(World& world, ViewId view) : graph_(world.graph(view)), view_(view) {}

  void begin(NodeId from, NodeId to) override {
    kernel_.emplace(graph_, from, GoalSet{to});
    advance();
  }
  void move(std::span<const NodeId> rest) override {
    kernel_->move_start(rest.front());
    advance();
  }
  void on_change(Commit commit) override {
    for (const ViewDelta& delta : commit.views) {
      if (delta.view != view_) continue;
      for (const NodeId node : delta.changed_nodes) kernel_->on_edges_changed(node);
    }
    advance();
  }
  Answer answer() const override {
    Answer answer;
    answer.cost = kernel_->path_cost();
    if (answer.cost != kUnreachable)
      REPATH_CHECK(kernel_->append_path(kernel_->start(), &answer.path));
    return answer;
  }

 private:
  void advance() {
    std::uint32_t expansions = ~std::uint32_t{0};
    REPATH_CHECK(kernel_->advance(&expansions) != Progress::kOutOfBudget);
  }

  GridGraph graph_;
  ViewId view_;
  std::optional<DStarLite<GridGraph>> kernel_;
};

struct Entry {
  std::string_view name;
  std::unique_ptr<Side> (*make)(World& world, ViewId view, std::set<SettlerId> without);
};

template <class T>
std::unique_ptr<Side> make(World& world, ViewId view, std::set<SettlerId> without) {
  if constexpr (std::is_constructible_v<T, World&, ViewId, std::set<SettlerId>>)
    return std::make_unique<T>(world, view, without);
  else
    return std::make_unique<T>(world, view);
}

constexpr std::array kEntries{
    Entry{"auto", make<Auto>}, Entry{"fresh_jps", make<Fresh<FreshJumps>>},
    Entry{"filtered_jps", make<FilteredJump>}, Entry{"dstar_lite", make<DStarLiteKept>},
    Entry{"fresh_astar", make<Fresh<AStarSearch>>}};

}  // namespace

const std::vector<std::string>& side_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kEntries.size());
    std::ranges::transform(kEntries, all.begin(), [](const Entry& e) { return e.name; });
    return all;
  }();
  return names;
}

std::unique_ptr<Side> make_side(const SideName& name, World& world, ViewId view) {
  const auto entry = std::ranges::find(kEntries, name.strategy, &Entry::name);
  return entry == kEntries.end() ? nullptr : entry->make(world, view, name.without);
}

}  // namespace repath::bench

#include "bench/crowd_sides.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/executor.h"
#include "bench/path_book.h"
#include "grid/jps/idle_jumps.h"
#include "grid_ground/fall_filter.h"
#include "grid_ground/replanner.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/goal_field.h"

namespace repath::bench {
namespace {

constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};
constexpr WorkUnits kNoBudget = WorkUnits{1} << 40;

// The data that all sides keep: a path for each agent, and its cost.
class Keeping : public CrowdSide {
 public:
  Keeping(World& world, ViewId view, const Crowd& crowd)
      : world_(world),
        view_(view),
        crowd_(crowd),
        goals_{crowd.goal},
        book_(world.layer(view), crowd.agents.size()),
        costs_(crowd.agents.size(), kUnreachable) {}

  Cost cost(std::uint32_t agent) const override { return costs_[agent]; }
  std::span<const NodeId> path(std::uint32_t agent) const override { return book_.path(agent); }
  std::size_t bytes() const override { return 0; }

 protected:
  std::uint32_t agents() const { return static_cast<std::uint32_t>(crowd_.agents.size()); }

  const World& world_;
  ViewId view_;
  const Crowd& crowd_;
  GoalSet goals_;
  PathBook book_;
  std::vector<Cost> costs_;
  std::vector<NodeId> nodes_;  // the path being made
};

// A field that all agents share. After each change it gives every agent's cost; an agent that walks
// reads its path from the field. `Kernel` makes it.
template <class Kernel>
class Shared final : public CrowdSide {
 public:
  Shared(World& world, ViewId view, const Crowd& crowd)
      : crowd_(crowd),
        graph_(world.graph(view)),
        kernel_(graph_, GoalSet{crowd.goal}),
        costs_(crowd.agents.size(), kUnreachable) {}

  void begin() override {
    for (std::size_t agent = 0; agent < costs_.size(); ++agent) {
      const NodeId from = crowd_.agents[agent];
      std::uint32_t expansions = kNoLimit;
      if (!kernel_.field.proves(from))
        REPATH_CHECK(kernel_.field.advance_to(from, &expansions) != Progress::kOutOfBudget);
      costs_[agent] = kernel_.field.cost(from);
    }
  }
  void on_change(const Commit&, const ViewDelta& delta) override {
    for (const NodeId node : delta.changed_nodes) kernel_.field.on_edges_changed(node);
    begin();
  }
  Cost cost(std::uint32_t agent) const override { return costs_[agent]; }
  std::span<const NodeId> path(std::uint32_t agent) const override {
    path_.clear();
    (void)kernel_.field.append_path(crowd_.agents[agent], &path_);
    return path_;
  }
  std::size_t bytes() const override { return kernel_.field.bytes(); }

 private:
  const Crowd& crowd_;
  GridGraph graph_;
  Kernel kernel_;
  std::vector<Cost> costs_;
  mutable std::vector<NodeId> path_;
};

// The same field; an agent whose cost changed or whose path was cut gets a new path written down.
class Written final : public Keeping {
 public:
  Written(World& world, ViewId view, const Crowd& crowd)
      : Keeping(world, view, crowd),
        graph_(world.graph(view)),
        field_(graph_, goals_, kStraightStep) {}

  void begin() override {
    for (std::uint32_t agent = 0; agent < agents(); ++agent) look_at(agent, false);
  }
  void on_change(const Commit&, const ViewDelta& delta) override {
    for (const NodeId node : delta.changed_nodes) field_.on_edges_changed(node);
    cut_.clear();
    book_.find(delta.risen, &cut_);
    auto cut = cut_.begin();
    for (std::uint32_t agent = 0; agent < agents(); ++agent) {
      const bool is_cut = cut != cut_.end() && *cut == agent;
      look_at(agent, is_cut);
      cut += is_cut;
    }
  }
  std::size_t bytes() const override { return field_.bytes(); }

 private:
  void look_at(std::uint32_t agent, bool is_cut) {
    const NodeId from = crowd_.agents[agent];
    std::uint32_t expansions = kNoLimit;
    if (!field_.proves(from))
      REPATH_CHECK(field_.advance_to(from, &expansions) != Progress::kOutOfBudget);
    const Cost cost = field_.cost(from);
    if (cost == costs_[agent] && !is_cut) return;
    costs_[agent] = cost;
    nodes_.clear();
    if (cost != kUnreachable) REPATH_CHECK(field_.append_path(from, &nodes_));
    book_.hold(agent, &nodes_);
  }

  GridGraph graph_;
  GoalField<GridGraph> field_;
  std::vector<std::uint32_t> cut_;
};

struct TwoPhases {
  TwoPhases(const GridGraph& graph, const GoalSet& goals) : field(graph, goals, kStraightStep) {}
  GoalField<GridGraph> field;
};

struct DStarLiteField {
  DStarLiteField(const GridGraph& graph, const GoalSet& goals)
      : field(graph, goals.nodes().front(), goals, Focus::kNone) {}
  DStarLite<GridGraph> field;
};

// A field that starts from scratch after each change.
struct AnewField {
  struct Field : GoalField<GridGraph> {
    using GoalField::GoalField;
    void on_edges_changed(NodeId) {
      if (expanded() > 0) reset();
    }
  };
  AnewField(const GridGraph& graph, const GoalSet& goals) : field(graph, goals, kStraightStep) {}
  Field field;
};

// A jump point search for each agent after each change.
class Fresh : public Keeping {
 public:
  using Keeping::Keeping;

  void begin() override {
    for (std::uint32_t agent = 0; agent < agents(); ++agent) search(agent);
  }
  void on_change(const Commit&, const ViewDelta&) override { begin(); }

 protected:
  void search(std::uint32_t agent) {
    IdleJumps none;
    const auto kernel =
        none.take(world_.layer(view_), *world_.jumps(view_), crowd_.agents[agent], crowd_.goal);
    std::uint32_t expansions = kNoLimit;
    nodes_.clear();
    if (kernel->advance(&expansions) == Progress::kPathFound) kernel->append_path(&nodes_);
    costs_[agent] = kernel->path_cost();
    book_.hold(agent, &nodes_);
  }
};

// The same for the agents that the two filters of the promise do not exclude.
class Filtered final : public Fresh {
 public:
  Filtered(World& world, ViewId view, const Crowd& crowd)
      : Fresh(world, view, crowd), goal_box_(world.layer(view), Topology::k8, centre_of_goal(), 0) {
    for (const NodeId agent : crowd.agents) places_.push_back(place_of(world.layer(view), agent));
  }

  void on_change(const Commit&, const ViewDelta& delta) override {
    const FallFilter falls(world_.layer(view_), goal_box_.metric(), delta.fallen);
    cut_.clear();
    book_.find(delta.risen, &cut_);
    auto cut = cut_.begin();
    for (std::uint32_t agent = 0; agent < agents(); ++agent) {
      const bool is_cut = cut != cut_.end() && *cut == agent;
      cut += is_cut;
      if (is_cut || may_gain(falls, agent)) search(agent);
    }
  }

 private:
  std::array<MapPoint, 1> centre_of_goal() const {
    const GridLayer& layer = world_.layer(view_);
    return {{{layer.x_of(crowd_.goal) + 0.5, layer.y_of(crowd_.goal) + 0.5}}};
  }
  bool may_gain(const FallFilter& falls, std::uint32_t agent) const {
    if (falls.empty()) return false;
    if (costs_[agent] == kUnreachable) return true;
    if (falls.excludes(places_[agent], goal_box_.box(), costs_[agent])) return false;
    std::uint64_t tests = 0;
    return falls.to_goals(places_[agent], goal_box_, costs_[agent], &tests).edge != nullptr;
  }

  Goals goal_box_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> cut_;
};

// The replanner itself with an unlimited budget: filters, verdicts, events and everything else.
class Auto final : public CrowdSide {
 public:
  Auto(World& world, ViewId view, const Crowd& crowd, std::set<SettlerId> without)
      : layer_(world.layer(view)),
        crowd_(crowd),
        replanner_(world, {.without = without}, executor_) {}

  void begin() override {
    std::vector<AgentSpec> agents;
    for (std::size_t i = 0; i < crowd_.agents.size(); ++i) {
      AgentSpec agent;
      agent.id = AgentId{i + 1};
      agent.position = centre(crowd_.agents[i]);
      agent.goals = {centre(crowd_.goal)};
      agents.push_back(std::move(agent));
    }
    REPATH_CHECK(replanner_.upsert(agents, kNoOwner, now_).ok());
    settle();
  }
  void before_change() override { replanner_.before_commit(); }
  void on_change(const Commit& commit, const ViewDelta&) override {
    replanner_.on_commit(commit, now_);
    settle();
  }
  Cost cost(std::uint32_t agent) const override { return view(agent, false).held_cost; }
  std::span<const NodeId> path(std::uint32_t agent) const override {
    AgentView seen = view(agent, true);
    path_.clear();
    if (seen.held_cost != kUnreachable) path_ = std::move(seen.verdict.path->nodes);
    return path_;
  }
  std::size_t bytes() const override { return replanner_.memory_bytes(); }

 private:
  MapPoint centre(NodeId node) const { return {layer_.x_of(node) + 0.5, layer_.y_of(node) + 0.5}; }
  AgentView view(std::uint32_t agent, bool with_path) const {
    return *replanner_.view(AgentId{agent + 1}, with_path);
  }
  void settle() {
    while (replanner_.waiting().size() > 0) replanner_.step(kNoBudget, now_ += 16'667);
    replanner_.take_events();
  }

  const GridLayer& layer_;
  const Crowd& crowd_;
  InlineExecutor executor_;
  Replanner replanner_;
  Micros now_ = 0;
  mutable std::vector<NodeId> path_;
};

struct Entry {
  std::string_view name;
  std::unique_ptr<CrowdSide> (*make)(World& world, ViewId view, const Crowd& crowd,
                                     std::set<SettlerId> without);
};

template <class T>
std::unique_ptr<CrowdSide> make(World& world, ViewId view, const Crowd& crowd,
                                std::set<SettlerId> without) {
  if constexpr (std::is_constructible_v<T, World&, ViewId, const Crowd&, std::set<SettlerId>>)
    return std::make_unique<T>(world, view, crowd, without);
  else
    return std::make_unique<T>(world, view, crowd);
}

constexpr std::array kEntries{Entry{"auto", make<Auto>},
                              Entry{"field", make<Shared<TwoPhases>>},
                              Entry{"field_paths", make<Written>},
                              Entry{"fresh", make<Fresh>},
                              Entry{"filtered", make<Filtered>},
                              Entry{"dstar_lite", make<Shared<DStarLiteField>>},
                              Entry{"anew", make<Shared<AnewField>>}};

}  // namespace

const std::vector<std::string>& crowd_side_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kEntries.size());
    std::ranges::transform(kEntries, all.begin(), [](const Entry& e) { return e.name; });
    return all;
  }();
  return names;
}

std::unique_ptr<CrowdSide> make_crowd_side(const SideName& name, World& world, ViewId view,
                                           const Crowd& crowd) {
  const auto entry = std::ranges::find(kEntries, name.strategy, &Entry::name);
  return entry == kEntries.end() ? nullptr : entry->make(world, view, crowd, name.without);
}

}  // namespace repath::bench

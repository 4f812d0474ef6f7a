#include "bench/field_bench.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <queue>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/crowd_sides.h"
#include "bench/ground.h"
#include "bench/journey.h"
#include "bench/output.h"
#include "bench/samples.h"

namespace repath::bench {
namespace {

constexpr std::uint32_t kGoalTries = 64;
// Rounds over the kinds before giving up if none finds a place.
constexpr std::uint32_t kEventTries = 8;

// Returns the costs of every agent's path, by the plainest search.
std::vector<Cost> plain_costs(const GridGraph& graph, NodeId goal) {
  using Entry = std::pair<Cost, NodeId>;
  std::vector<Cost> costs(graph.node_count(), kUnreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.push({costs[index(goal)] = 0, goal});
  while (!open.empty()) {
    const auto [cost, at] = open.top();
    open.pop();
    if (cost != costs[index(at)]) continue;
    graph.for_each_successor(at, [&, so_far = cost](NodeId next, Cost step) {
      if (so_far + step >= costs[index(next)]) return;
      open.push({costs[index(next)] = so_far + step, next});
    });
  }
  return costs;
}

bool is_right(const GridGraph& graph, std::span<const NodeId> path, Cost told, NodeId from,
              NodeId to, Cost cost) {
  if (cost == kUnreachable || told != cost) return told == cost;
  if (path.empty() || path.front() != from || path.back() != to) return false;
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(path[i], path[i + 1]));
  return sum == cost;
}

// Draws a goal from which most of the ground can be reached, and agents anywhere on that ground.
bool draw_crowd(const GridGraph& graph, std::uint32_t agents, Random* random, Crowd* crowd) {
  std::vector<Cost> best;
  std::int64_t most = 1;
  for (std::uint32_t i = 0, drawn = 0; i < 100 * kGoalTries && drawn < 4; ++i) {
    const NodeId goal{random->below(graph.node_count())};
    if (!graph.layer().is_free(goal)) continue;
    ++drawn;
    std::vector<Cost> costs = plain_costs(graph, goal);
    const auto reached =
        std::ranges::count_if(costs, [](Cost c) { return c != kUnreachable && c != 0; });
    if (reached <= most) continue;
    most = reached;
    best = std::move(costs);
    crowd->goal = goal;
  }
  if (best.empty()) return false;
  while (crowd->agents.size() < agents) {
    const NodeId agent{random->below(graph.node_count())};
    if (best[index(agent)] != kUnreachable && agent != crowd->goal) crowd->agents.push_back(agent);
  }
  return true;
}

struct Measured {
  std::string strategy;
  std::unique_ptr<CrowdSide> side;
  double begin_us = 0;
  std::uint64_t mismatches = 0;
  Samples us;
  Hasher hash;
};

class Field {
 public:
  explicit Field(const FieldOptions& options) : options_(options) {}

  // Returns false if there is no ground, or no change finds a place.
  bool run(std::uint32_t agents) {
    Random random(options_.seed);
    const std::unique_ptr<World> world = load_world(options_.map);
    const absl::StatusOr<ViewId> view = world->acquire_view("default", TeamId{});
    REPATH_CHECK(view.ok() && world->layer(*view).is_uniform() && world->keep_jumps(*view));
    Crowd crowd;
    if (!draw_crowd(world->graph(*view), agents, &random, &crowd)) return false;
    std::vector<Measured> sides;
    for (const SideName& name : sides_of(options_.strategies, options_.without)) {
      sides.emplace_back();
      Measured& m = sides.back();
      m.strategy = name.label;
      m.side = make_crowd_side(name, *world, *view, crowd);
      const CpuStopwatch watch;
      m.side->begin();
      m.begin_us = watch.us();
    }
    Journey journey(*world, *view, crowd.goal, random);
    std::uint32_t kind = 0;
    std::uint32_t events = 0;
    for (std::uint32_t tries = 0; events < options_.events; ++kind) {
      const std::uint32_t agent = random.below(agents);
      const auto of = ChangeKind{static_cast<std::uint8_t>(kind % kChangeNames.size())};
      ChangeBatch batch;
      if (!journey.make(of, crowd.agents[agent], sides.front().side->path(agent), &batch)) {
        if (++tries == kEventTries * kChangeNames.size()) return false;
        continue;
      }
      tries = 0;
      events += change(*world, *view, crowd, batch, &sides);
    }
    for (const Measured& m : sides) report(m, agents);
    return true;
  }

  int print_all() {
    Json figures;
    figures["results"] = std::move(rows_);
    figures["events"] = options_.events;
    figures["seed"] = options_.seed;
    figures["hash"] = hex(hash_.value());
    print(std::move(figures), options_.json);
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  // Returns false if nothing changed for the view.
  static bool change(World& world, ViewId view, const Crowd& crowd, const ChangeBatch& batch,
                     std::vector<Measured>* sides) {
    auto staged = world.stage(batch);
    REPATH_CHECK(staged.ok());
    for (Measured& m : *sides) m.side->before_change();
    const Commit commit = world.commit(*std::move(staged));
    const auto delta = std::ranges::find(commit.views, view, &ViewDelta::view);
    if (delta == commit.views.end()) return false;
    const GridGraph graph = world.graph(view);
    const std::vector<Cost> costs = plain_costs(graph, crowd.goal);
    for (Measured& m : *sides) {
      const CpuStopwatch watch;
      m.side->on_change(commit, *delta);
      m.us.add(watch.us());
      for (std::uint32_t agent = 0; agent < crowd.agents.size(); ++agent) {
        const NodeId from = crowd.agents[agent];
        m.mismatches += !is_right(graph, m.side->path(agent), m.side->cost(agent), from, crowd.goal,
                                  costs[index(from)]);
        m.hash.add(m.side->cost(agent));
      }
    }
    return true;
  }

  void report(const Measured& m, std::uint32_t agents) {
    Json row;
    row["map"] = std::filesystem::path(options_.map).stem().string();
    row["agents"] = agents;
    row["strategy"] = m.strategy;
    row["n"] = m.us.size();
    row["mismatches"] = m.mismatches;
    row["mean_us"] = m.us.mean();
    row["p50_us"] = m.us.quantile(0.5);
    row["p99_us"] = m.us.quantile(0.99);
    row["per_agent_us"] = m.us.mean() / agents;
    row["begin_us"] = m.begin_us;
    row["bytes"] = m.side->bytes();
    rows_.push_back(std::move(row));
    mismatches_ += m.mismatches;
    hash_.add(m.hash.value());
  }

  const FieldOptions& options_;
  Json rows_ = Json::array();
  std::uint64_t mismatches_ = 0;
  Hasher hash_;
};

}  // namespace

int run_field(const FieldOptions& options) {
  for (const std::string& name : options.strategies) {
    if (std::ranges::find(crowd_side_names(), name) != crowd_side_names().end()) continue;
    std::cerr << "repath-bench: there is no strategy '" << name << "'; there are:";
    for (const std::string& known : crowd_side_names()) std::cerr << " " << known;
    std::cerr << "\n";
    return 2;
  }
  Field bench(options);
  for (const std::uint32_t agents : options.agents) {
    if (bench.run(agents)) continue;
    std::cerr << "repath-bench: there is no ground for agents, or none to change\n";
    return 2;
  }
  return bench.print_all();
}

}  // namespace repath::bench

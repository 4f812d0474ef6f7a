#include "bench/graph_settle_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "route_ground/rerouter.h"
#include "routes/graph_world.h"

namespace repath::bench {
namespace {

constexpr double kApart = 100;      // world units between neighbours of the lattice
constexpr double kJitter = 30;      // greatest shift of a node from the lattice
constexpr unsigned kMainEach = 11;  // every so many rows and columns are main roads
constexpr double kMainFactor = 0.5;
constexpr WorkUnits kEndlessUnits = WorkUnits{1} << 40;
constexpr OwnerId kDispatcher{1};
constexpr std::size_t kFirstShut = 50;  // one road in so many is shut from the start

// A change of one edge, both ways.
enum class Op : std::uint8_t { kNear, kNearAgain, kFar, kFarAgain, kOpening, kDearer };
constexpr std::array<const char*, 6> kOpNames{"shut_near", "open_again", "shut_far",
                                              "open_far",  "opening",    "dearer_near"};

struct Contender {
  const char* name;
  Strategy strategy;
};
constexpr std::array kContenders{
    Contender{"auto", Strategy::kAuto}, Contender{"astar", Strategy::kAStar},
    Contender{"dstar_lite", Strategy::kDStarLite}, Contender{"lpa", Strategy::kLpa},
    Contender{"field", Strategy::kField}};
constexpr std::size_t kAuto = 0;
constexpr std::size_t kFresh = 1;
constexpr std::size_t kRepair = 2;

using Edge = std::pair<std::uint64_t, std::uint64_t>;

// Roads on a jittered lattice: a fifth of the minor ones is missing, and main roads are twice as
// fast.
GraphSource roads(unsigned side, Random* random) {
  GraphSource graph;
  const auto off = [&] { return kJitter * (2 * random->unit() - 1); };
  for (unsigned y = 0; y < side; ++y)
    for (unsigned x = 0; x < side; ++x)
      graph.nodes.push_back({.id = 1 + x + std::uint64_t{y} * side,
                             .x = kApart * x + off(),
                             .y = 0,
                             .z = kApart * y + off()});
  const auto add = [&](std::size_t a, std::size_t b, bool is_main) {
    if (!is_main && random->below(5) == 0) return;
    const double length =
        std::hypot(graph.nodes[a].x - graph.nodes[b].x, graph.nodes[a].z - graph.nodes[b].z);
    const double factor = is_main ? kMainFactor : 1 + 0.5 * random->unit();
    graph.edges.push_back({.from = graph.nodes[a].id,
                           .to = graph.nodes[b].id,
                           .cost = length * factor,
                           .both = true});
  };
  for (unsigned y = 0; y < side; ++y)
    for (unsigned x = 0; x < side; ++x) {
      const std::size_t n = x + std::size_t{y} * side;
      if (x > 0) add(n - 1, n, y % kMainEach == 0);
      if (y > 0) add(n - side, n, x % kMainEach == 0);
    }
  return graph;
}

// One strategy with a world of its own.
struct Entrant {
  Entrant(const Contender& side, const GraphSource& graph) {
    world = *GraphWorld::create({"roads", graph, {}});
    rerouter =
        std::make_unique<Rerouter>(*world, RouteOptions{.strategy = side.strategy}, executor);
  }
  // Returns the time and the work until no agent waits.
  std::pair<double, WorkUnits> settle() {
    double time = 0;
    const WorkUnits before = rerouter->stats().work_units;
    for (int frame = 0; frame < 1000 && rerouter->waiting().waiting(kDispatcher) != 0; ++frame) {
      const OnceStopwatch watch;
      rerouter->step(kEndlessUnits, ++now);
      time += watch.us();
    }
    rerouter->take_events();
    return {time, rerouter->stats().work_units - before};
  }

  InlineExecutor executor;
  std::unique_ptr<GraphWorld> world;
  std::unique_ptr<Rerouter> rerouter;
  Micros now = 0;
  std::array<Samples, kOpNames.size()> us;     // by Op, per agent that waited
  std::array<Samples, kOpNames.size()> units;  // by Op, per agent that waited
};

class GraphSettleBench {
 public:
  explicit GraphSettleBench(const GraphSettleOptions& options)
      : options_(options), random_(options.seed), graph_(roads(options.side, &random_)) {
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      if (i % kFirstShut != 0) continue;
      graph_.edges[i].enabled = false;
      shut_.emplace_back(graph_.edges[i].from, graph_.edges[i].to);
    }
    for (const Contender& side : kContenders)
      entrants_.push_back(std::make_unique<Entrant>(side, graph_));
  }

  bool prepare() {
    std::vector<MapPoint> goals;
    while (goals.size() < options_.goals) goals.push_back(some_node());
    std::vector<AgentSpec> agents;
    for (std::size_t k = 0; k < options_.agents; ++k) {
      AgentSpec agent;
      agent.id = AgentId{k + 1};
      agent.position = some_node();
      agent.goals = {goals.empty() ? some_node() : goals[k % goals.size()]};
      agents.push_back(agent);
    }
    for (const auto& entrant : entrants_) {
      if (!entrant->rerouter->upsert(agents, kDispatcher, 0).ok()) return false;
      entrant->settle();
    }
    return true;
  }

  void run() {
    for (std::size_t e = 0; e < options_.events; ++e) {
      if (const std::optional<Edge> near = edge_on_a_path()) {
        measure(Op::kNear, switched(*near, false));
        measure(Op::kNearAgain, switched(*near, true));
      }
      if (const std::optional<Edge> near = edge_on_a_path()) {
        const double cost = graph_.edges[edge_index(*near)].cost.value();
        measure(Op::kDearer, priced(*near, 3 * cost));
        apply(priced(*near, cost));
        for (const auto& entrant : entrants_) entrant->settle();
      }
      if (const std::optional<Edge> far = edge_far_from_paths()) {
        measure(Op::kFar, switched(*far, false));
        measure(Op::kFarAgain, switched(*far, true));
      }
      if (e < shut_.size()) measure(Op::kOpening, switched(shut_[e], true));
    }
  }

  int report() const {
    Json rows = Json::array();
    for (std::size_t op = 0; op < kOpNames.size(); ++op)
      for (std::size_t side = 0; side < kContenders.size(); ++side) rows.push_back(row(op, side));
    Json figures;
    figures["results"] = std::move(rows);
    figures["nodes"] = graph_.nodes.size();
    figures["edges"] = graph_.edges.size();
    figures["agents"] = options_.agents;
    figures["goals"] = options_.goals;
    figures["mismatches"] = mismatches_;
    figures["hash"] = hex(hash_.value());
    print(std::move(figures), options_.json);
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  MapPoint some_node() {
    const GraphNode& node =
        graph_.nodes[random_.below(static_cast<std::uint32_t>(graph_.nodes.size()))];
    return {node.x, node.z, node.y};
  }
  static ChangeBatch switched(const Edge& edge, bool enabled) {
    ChangeBatch batch;
    batch.graph_edits.push_back(SwitchGraphEdge{edge.first, edge.second, enabled});
    batch.graph_edits.push_back(SwitchGraphEdge{edge.second, edge.first, enabled});
    return batch;
  }
  static ChangeBatch priced(const Edge& edge, double cost) {
    ChangeBatch batch;
    batch.graph_edits.push_back(PriceGraphEdge{edge.first, edge.second, cost});
    batch.graph_edits.push_back(PriceGraphEdge{edge.second, edge.first, cost});
    return batch;
  }
  std::size_t edge_index(const Edge& edge) {
    if (index_.empty())
      for (std::size_t i = 0; i < graph_.edges.size(); ++i)
        index_[{graph_.edges[i].from, graph_.edges[i].to}] = i;
    const auto found = index_.find(edge);
    return found != index_.end() ? found->second : index_.at({edge.second, edge.first});
  }
  std::vector<RoutePoint> route_of(std::size_t agent) const {
    const auto view = entrants_[kAuto]->rerouter->view(AgentId{agent + 1}, true);
    return view && view->verdict.path ? view->verdict.path->points : std::vector<RoutePoint>{};
  }
  std::optional<Edge> edge_on_a_path() {
    for (int tries = 0; tries < 100; ++tries) {
      const std::vector<RoutePoint> route =
          route_of(random_.below(static_cast<std::uint32_t>(options_.agents)));
      if (route.size() < 2) continue;
      const std::size_t leg = random_.below(static_cast<std::uint32_t>(route.size() - 1));
      return Edge{route[leg].node, route[leg + 1].node};
    }
    return std::nullopt;
  }
  std::optional<Edge> edge_far_from_paths() {
    std::set<std::uint64_t> nodes;
    for (std::size_t k = 0; k < options_.agents; ++k)
      for (const RoutePoint& point : route_of(k)) nodes.insert(point.node);
    for (int tries = 0; tries < 100; ++tries) {
      const GraphEdge& edge =
          graph_.edges[random_.below(static_cast<std::uint32_t>(graph_.edges.size()))];
      if (edge.enabled && !nodes.contains(edge.from) && !nodes.contains(edge.to))
        return Edge{edge.from, edge.to};
    }
    return std::nullopt;
  }

  void apply(const ChangeBatch& batch) {
    for (const auto& entrant : entrants_) {
      entrant->rerouter->before_commit();
      auto commit = entrant->world->apply(batch);
      if (commit.ok()) entrant->rerouter->on_commit(*std::move(commit), ++entrant->now);
    }
  }

  // The sides take turns at being the first.
  void measure(Op op, const ChangeBatch& batch) {
    apply(batch);
    const std::size_t at = static_cast<std::size_t>(op);
    ++turn_;
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      Entrant& entrant = *entrants_[(turn_ + i) % entrants_.size()];
      const std::size_t waiting = entrant.rerouter->waiting().waiting(kDispatcher);
      const auto [us, units] = entrant.settle();
      if (waiting == 0) continue;
      entrant.us[at].add(us / static_cast<double>(waiting));
      entrant.units[at].add(static_cast<double>(units) / static_cast<double>(waiting));
    }
    for (std::size_t k = 0; k < options_.agents; ++k) {
      const Cost held = entrants_[kFresh]->rerouter->view(AgentId{k + 1}, false)->held_cost;
      hash_.add(held);
      for (const auto& entrant : entrants_)
        mismatches_ += entrant->rerouter->view(AgentId{k + 1}, false)->held_cost != held ? 1 : 0;
    }
  }

  // `better` is that of fresh search and repair.
  Json row(std::size_t op, std::size_t side) const {
    const auto ratio = [&](const auto& figure) {
      const double better = std::min(figure(*entrants_[kFresh]), figure(*entrants_[kRepair]));
      return better > 0 ? figure(*entrants_[side]) / better : 1.0;
    };
    const auto p50_us = [op](const Entrant& e) { return e.us[op].quantile(0.5); };
    const auto mean_us = [op](const Entrant& e) { return e.us[op].mean(); };
    const auto p50_units = [op](const Entrant& e) { return e.units[op].quantile(0.5); };
    const auto mean_units = [op](const Entrant& e) { return e.units[op].mean(); };
    const Entrant& e = *entrants_[side];
    return {{"op", kOpNames[op]},
            {"strategy", kContenders[side].name},
            {"events", e.us[op].size()},
            {"p50_us", p50_us(e)},
            {"mean_us", mean_us(e)},
            {"p50_units", p50_units(e)},
            {"mean_units", mean_units(e)},
            {"p50_to_better", ratio(p50_us)},
            {"mean_to_better", ratio(mean_us)},
            {"p50_units_to_better", ratio(p50_units)},
            {"mean_units_to_better", ratio(mean_units)}};
  }

  const GraphSettleOptions& options_;
  Random random_;
  GraphSource graph_;
  std::map<Edge, std::size_t> index_;
  std::vector<Edge> shut_;
  std::vector<std::unique_ptr<Entrant>> entrants_;  // by side
  std::size_t turn_ = 0;
  std::size_t mismatches_ = 0;
  Hasher hash_;  // of the costs found
};

}  // namespace

int run_graph_settle(const GraphSettleOptions& options) {
  GraphSettleBench bench(options);
  if (!bench.prepare()) {
    std::cerr << "repath-bench: no room for so many agents\n";
    return 2;
  }
  bench.run();
  return bench.report();
}

}  // namespace repath::bench

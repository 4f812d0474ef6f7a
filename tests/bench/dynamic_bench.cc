#include "bench/dynamic_bench.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/ground.h"
#include "bench/journey.h"
#include "bench/output.h"
#include "bench/peer.h"
#include "bench/samples.h"
#include "bench/scapes.h"
#include "bench/sides.h"
#include "bench/without.h"
#include "grid/components/components.h"
#include "grid/jps/jump_map.h"

namespace repath::bench {
namespace {

// Each agent meets every kind this many times.
constexpr int kRounds = 6;
// Between two changes an agent walks one such part of its path.
constexpr std::size_t kWalkParts = 48;
constexpr std::size_t kStepsMin = 40;       // shorter paths have no middle
constexpr std::size_t kRandomQueries = 64;  // on generated maps

// Returns the cost of a path from `from`, by the plainest search.
Cost plain_cost(const GridGraph& graph, NodeId from, NodeId to) {
  using Entry = std::pair<Cost, NodeId>;
  std::vector<Cost> costs(graph.node_count(), kUnreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.push({0, from});
  costs[index(from)] = 0;
  while (!open.empty()) {
    const auto [cost, at] = open.top();
    open.pop();
    if (at == to) return cost;
    if (cost != costs[index(at)]) continue;
    graph.for_each_successor(at, [&, so_far = cost](NodeId next, Cost step) {
      if (so_far + step >= costs[index(next)]) return;
      costs[index(next)] = so_far + step;
      open.push({so_far + step, next});
    });
  }
  return kUnreachable;
}

bool is_right(const GridGraph& graph, const Answer& answer, NodeId from, NodeId to, Cost cost) {
  if (cost == kUnreachable || answer.cost == kUnreachable) return cost == answer.cost;
  if (answer.path.empty() || answer.path.front() != from || answer.path.back() != to) return false;
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < answer.path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(answer.path[i], answer.path[i + 1]));
  return sum == cost && answer.cost == cost;
}

// The least time of each call in a row, over several passes, in us.
class Least {
 public:
  void note(std::size_t call, double us) {
    if (call == us_.size()) us_.push_back(us);
    us_[call] = std::min(us_[call], us);
  }
  double of(std::size_t call) const { return us_[call]; }
  double sum() const { return std::accumulate(us_.begin(), us_.end(), 0.0); }
  void add_to(Samples* samples) const {
    for (const double us : us_) samples->add(us);
  }

 private:
  std::vector<double> us_;
};

// Times of one side along one travel.
struct TravelTimes {
  Least begin;
  Least changes;
  Least moves;
};

// The data that views keep for searches, updated apart from everything else.
class Upkeep {
 public:
  explicit Upkeep(const GridLayer& layer) : jumps_(layer, CornerRule::kNone), labels_(layer) {
    WorkUnits units = kNoLimit;
    REPATH_CHECK(labels_.update(layer, &units));
  }

  struct Times {
    double jumps_us = 0;
    double labels_us = 0;
  };
  Times take(const GridLayer& layer, const ViewDelta& delta) {
    Times times;
    std::vector<NodeId> cells = delta.freed;
    cells.insert(cells.end(), delta.blocked.begin(), delta.blocked.end());
    const Stopwatch jumps_watch;
    jumps_.update(layer, cells);
    times.jumps_us = jumps_watch.us();
    WorkUnits units = kNoLimit;
    const Stopwatch labels_watch;
    for (const NodeId cell : cells) labels_.touch(cell);
    REPATH_CHECK(labels_.update(layer, &units));
    times.labels_us = labels_watch.us();
    return times;
  }

  // Returns the time of one query, measured over a thousand, because a single one is too short for
  // the clock.
  double query_ns(const GridLayer& layer, NodeId a, NodeId b) const {
    constexpr std::uint32_t kQueries = 1000;
    std::uint32_t together = 0;
    const Stopwatch watch;
    for (std::uint32_t i = 0; i < kQueries; ++i) {
      const NodeId other{(index(b) + i * 7919) % layer.node_count()};
      together += labels_.component_of(layer, a) == labels_.component_of(layer, other) ? 1 : 0;
    }
    const double us = watch.us();
    REPATH_CHECK(together <= kQueries);
    return us * 1000 / kQueries;
  }

 private:
  static constexpr WorkUnits kNoLimit = WorkUnits{1} << 40;
  JumpMap jumps_;
  Components labels_;
};

Json json_of(const Samples& samples) {
  return {
      {"mean", samples.mean()}, {"p50", samples.quantile(0.5)}, {"p99", samples.quantile(0.99)}};
}

struct Measured {
  SideName side;
  std::array<Samples, kChangeNames.size()> by_kind;
  std::array<std::uint64_t, kChangeNames.size()> mismatches{};
  Samples all;
  double total_us = 0;  // of everything, including the first search and moves
  Hasher hash;
};

class Dynamic {
 public:
  explicit Dynamic(const DynamicOptions& options)
      : options_(options), map_(map_of(options)), random_(options.seed) {
    for (SideName& side : sides_of(options.strategies, options.without)) {
      measured_.emplace_back();
      measured_.back().side = std::move(side);
    }
    if (!options.peer.empty()) peer_.emplace().measured.side.label = "peer";
  }

  // Returns false if no query is long enough, or no change finds a place.
  bool run() {
    const Snapshot ground = ground_of(map_);
    std::vector<Query> queries = is_generated()
                                     ? random_queries(ground.graph(), kRandomQueries, options_.seed)
                                     : load_queries(options_.scen, ground.layer, 0);
    std::erase_if(queries, [](const Query& q) { return q.length < kStepsMin; });
    if (queries.empty()) return false;
    const std::size_t agents =
        std::max<std::size_t>(1, options_.events / (kRounds * kChangeNames.size()));
    std::size_t events = 0;
    std::vector<Travel> travels;
    for (std::size_t i = 0; events < options_.events; ++i) {
      if (i == agents && events == 0) return false;
      travels.push_back(scout(queries[i % agents * queries.size() / agents]));
      events += travels.back().steps.size();
    }
    for (Measured& m : measured_) {
      follow(m.side, &travels.front(), nullptr, false);
      std::vector<TravelTimes> least(travels.size());
      for (unsigned pass = 0; pass < options_.passes; ++pass)
        for (std::size_t i = 0; i < travels.size(); ++i)
          follow(m.side, &travels[i], &least[i], pass == 0);
      for (std::size_t i = 0; i < travels.size(); ++i) add_up(travels[i], least[i], &m);
    }
    measure_upkeep(travels);
    for (const Travel& travel : travels) check(travel);
    return true;
  }

  bool peer_failed() const { return peer_ && peer_->has_failed; }

  int report() const {
    Json rows = Json::array();
    std::uint64_t mismatches = 0;
    Hasher hash;
    for (const Measured& m : measured_) {
      mismatches += add_rows(m, &rows);
      hash.add(m.hash.value());
    }
    if (peer_) add_rows(peer_->measured, &rows);
    Json figures;
    figures["results"] = std::move(rows);
    figures["jump_map_us"] = json_of(jump_map_us_);
    figures["labels_us"] = json_of(labels_us_);
    figures["label_query_ns"] = json_of(label_query_ns_);
    figures["seed"] = options_.seed;
    figures["passes"] = options_.passes;
    figures["hash"] = hex(hash.value());
    print(std::move(figures), options_.json);
    return mismatches == 0 ? 0 : 1;
  }

 private:
  // One change in the life of an agent, as the scout met it, and the answer of each side.
  struct Step {
    std::size_t kind = 0;
    ChangeBatch batch;
    NodeId from;                  // place of the agent
    std::vector<NodeId> rest;     // path to continue from there; empty: it stays
    std::vector<Answer> answers;  // by side
  };
  struct Travel {
    Query query;
    std::vector<Step> steps;
  };
  // A world for each side, so that the sides do not warm the caches for each other.
  struct Ground {
    explicit Ground(const GridMap& map) : world(world_of(map)) {
      const absl::StatusOr<ViewId> acquired = world->acquire_view("default", TeamId{});
      REPATH_CHECK(acquired.ok());
      view = *acquired;
    }
    std::unique_ptr<World> world;
    ViewId view{};
  };

  // A program beside the project: it gets the map and is asked for the path again after every
  // change.
  struct Peer {
    PeerFolder folder;
    Measured measured;
    bool has_failed = false;
  };

  // Adds the rows: for all changes, and by kind. Returns the number of wrong answers.
  std::uint64_t add_rows(const Measured& m, Json* rows) const {
    std::uint64_t wrong = 0;
    for (const std::uint64_t of_kind : m.mismatches) wrong += of_kind;
    rows->push_back(row_of(m.side.label, "all", m.all, wrong, m.total_us));
    for (std::size_t k = 0; k < kChangeNames.size(); ++k)
      rows->push_back(row_of(m.side.label, kChangeNames[k], m.by_kind[k], m.mismatches[k], {}));
    return wrong;
  }

  // Runs the first strategy, whose paths decide where changes fall. Not measured, because looking
  // for places to change empties the caches.
  Travel scout(const Query& query) {
    const Ground ground(map_);
    Journey journey(*ground.world, ground.view, query.to, random_);
    const auto side = make_side(measured_.front().side, *ground.world, ground.view);
    side->begin(query.from, query.to);
    std::vector<NodeId> path = side->answer().path;
    std::vector<Step> steps;
    NodeId from = query.from;
    for (int round = 0; round < kRounds; ++round)
      for (std::size_t kind = 0; kind < kChangeNames.size(); ++kind) {
        Step step;
        step.kind = kind;
        step.from = from;
        if (!journey.make(ChangeKind{static_cast<std::uint8_t>(kind)}, from, path, &step.batch))
          continue;
        change(side.get(), ground, step);
        path = side->answer().path;
        const std::size_t walked = path.empty() ? 0 : (path.size() - 1) / kWalkParts;
        if (walked > 0) {
          path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(walked));
          step.rest = path;
          from = path.front();
          side->move(step.rest);
        }
        steps.push_back(std::move(step));
      }
    return {query, std::move(steps)};
  }

  // Runs one side. All sides meet the same changes and walk the same path, each one travel after
  // the other. So a travel is new to the side, but its code is warm. `least`: null if the times do
  // not count.
  void follow(const SideName& name, Travel* travel, TravelTimes* least, bool keeps_answers) const {
    const Ground ground(map_);
    const Stopwatch watch;
    const auto side = make_side(name, *ground.world, ground.view);
    side->begin(travel->query.from, travel->query.to);
    const double begin_us = watch.us();
    if (least != nullptr) least->begin.note(0, begin_us);
    std::size_t moves = 0;
    for (std::size_t i = 0; i < travel->steps.size(); ++i) {
      Step& step = travel->steps[i];
      const double us = change(side.get(), ground, step);
      if (keeps_answers) step.answers.push_back(side->answer());
      const double move_us = step.rest.empty() ? 0 : move(side.get(), step);
      if (least == nullptr) continue;
      least->changes.note(i, us);
      if (!step.rest.empty()) least->moves.note(moves++, move_us);
    }
  }

  static void add_up(const Travel& travel, const TravelTimes& least, Measured* measured) {
    for (std::size_t i = 0; i < travel.steps.size(); ++i) {
      measured->all.add(least.changes.of(i));
      measured->by_kind[travel.steps[i].kind].add(least.changes.of(i));
    }
    measured->total_us += least.begin.sum() + least.changes.sum() + least.moves.sum();
  }

  // Both return the time of the side, in us.
  static double change(Side* side, const Ground& ground, const Step& step) {
    auto staged = ground.world->stage(step.batch);
    REPATH_CHECK(staged.ok());
    side->before_change();
    Commit commit = ground.world->commit(*std::move(staged));
    const Stopwatch watch;
    side->on_change(std::move(commit));
    return watch.us();
  }
  static double move(Side* side, const Step& step) {
    const Stopwatch watch;
    side->move(step.rest);
    return watch.us();
  }

  void measure_upkeep(const std::vector<Travel>& travels) {
    Least jumps;
    Least labels;
    Least queries;
    for (unsigned pass = 0; pass < options_.passes; ++pass) {
      std::size_t changes = 0;
      for (const Travel& travel : travels) {
        const Ground ground(map_);
        Upkeep upkeep(ground.world->layer(ground.view));
        for (const Step& step : travel.steps) {
          auto staged = ground.world->stage(step.batch);
          REPATH_CHECK(staged.ok());
          const Commit commit = ground.world->commit(*std::move(staged));
          const GridLayer& layer = ground.world->layer(ground.view);
          for (const ViewDelta& delta : commit.views) {
            const Upkeep::Times times = upkeep.take(layer, delta);
            jumps.note(changes, times.jumps_us);
            labels.note(changes, times.labels_us);
            queries.note(changes++, upkeep.query_ns(layer, step.from, travel.query.to));
          }
        }
      }
    }
    jumps.add_to(&jump_map_us_);
    labels.add_to(&labels_us_);
    queries.add_to(&label_query_ns_);
  }

  void check(const Travel& travel) {
    const Ground ground(map_);
    const NodeId to = travel.query.to;
    for (const Step& step : travel.steps) {
      auto staged = ground.world->stage(step.batch);
      REPATH_CHECK(staged.ok());
      ground.world->commit(*std::move(staged));
      const GridGraph graph = ground.world->graph(ground.view);
      const Cost cost = plain_cost(graph, step.from, to);
      if (peer_ && !peer_->has_failed) ask(graph.layer(), step, to, cost);
      for (std::size_t i = 0; i < measured_.size(); ++i) {
        measured_[i].mismatches[step.kind] +=
            !is_right(graph, step.answers[i], step.from, to, cost);
        measured_[i].hash.add(step.answers[i].cost);
      }
    }
  }

  // Where there is no path, the peer's length is ignored.
  void ask(const GridLayer& layer, const Step& step, NodeId to, Cost cost) {
    const auto answer = peer_->folder.ask(options_.peer, layer, step.from, to);
    peer_->has_failed |= !answer;
    if (!answer) return;
    Measured& m = peer_->measured;
    m.total_us += answer->us;
    m.all.add(answer->us);
    m.by_kind[step.kind].add(answer->us);
    if (cost == kUnreachable) return;
    const double length = cells_from_cost(cost);
    m.mismatches[step.kind] += std::abs(answer->length - length) > 1e-4 * length ? 1 : 0;
  }

  Json row_of(std::string_view strategy, std::string_view event, const Samples& us,
              std::uint64_t mismatches, std::optional<double> total_us) const {
    Json row;
    row["map"] =
        is_generated() ? options_.scape : std::filesystem::path(options_.map).stem().string();
    row["strategy"] = strategy;
    row["event"] = event;
    row["n"] = us.size();
    row["mismatches"] = mismatches;
    row["mean_us"] = us.mean();
    row["p50_us"] = us.quantile(0.5);
    row["p99_us"] = us.quantile(0.99);
    row["total_us"] = nullptr;
    if (total_us) row["total_us"] = *total_us;
    return row;
  }

  bool is_generated() const { return !options_.scape.empty(); }
  static GridMap map_of(const DynamicOptions& options) {
    if (options.scape.empty()) return load_map(options.map);
    return make_scape(options.scape, options.side, options.density, options.seed);
  }

  const DynamicOptions& options_;
  const GridMap map_;
  Random random_;
  std::vector<Measured> measured_;
  std::optional<Peer> peer_;
  Samples jump_map_us_;  // for each change
  Samples labels_us_;
  Samples label_query_ns_;  // to find whether two cells are connected
};

}  // namespace

int run_dynamic(const DynamicOptions& options) {
  for (const std::string& name : options.strategies) {
    if (std::ranges::find(side_names(), name) != side_names().end()) continue;
    std::cerr << "repath-bench: there is no strategy '" << name << "'; there are:";
    for (const std::string& known : side_names()) std::cerr << " " << known;
    std::cerr << "\n";
    return 2;
  }
  Dynamic bench(options);
  if (!bench.run()) {
    std::cerr << "repath-bench: no query of " << kStepsMin
              << " cells or more to change things on\n";
    return 2;
  }
  if (bench.peer_failed()) return report_failed_peer();
  return bench.report();
}

}  // namespace repath::bench

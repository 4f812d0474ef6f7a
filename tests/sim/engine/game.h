// A random game against one engine: agents walk and stray, doors and terrain change, budgets are
// random. The model judges all events and all silence of the engine.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "engine/engine.h"
#include "sim/engine/judge.h"
#include "sim/engine/model.h"

namespace repath::test {

enum class Walkers { kPoints, kSizes, kHexes };  // kSizes: with a radius; kHexes: on hexagons

struct GameOptions {
  std::uint64_t seed = 1;
  Strategy strategy = Strategy::kAuto;
  Walkers walkers = Walkers::kPoints;
  int side_max = 40;
  int agents = 14;
  int frames = 60;
  WorkUnits budget_max = 400;
  bool judged = true;   // false: only hashed
  bool crowds = false;  // whether most agents keep clear of others
  bool curves = false;  // whether most agents keep a turning radius
  bool legs = false;    // whether agents get a first leg, however small the map
  std::uint64_t search_memory_bytes = std::uint64_t{1} << 30;
  std::optional<std::size_t> log_changes_max = {};
};

struct GameResult {
  std::uint64_t events_hash = 0;
  std::uint64_t events = 0;
  std::uint64_t bounded = 0;  // paths sent as BOUNDED
  Stats stats;
  // Paths with curves, paths of which a turn has no room, and lines closed beside open cells.
  std::uint64_t driven = 0;
  std::uint64_t tight = 0;
  std::uint64_t broken_beside = 0;
};

inline std::uint64_t hash_of(const AgentEvent& e) {
  Hasher h;
  h.add(static_cast<std::uint64_t>(e.type)).add(static_cast<std::uint64_t>(e.reason));
  h.add(value(e.agent))
      .add(value(e.revision))
      .add(std::uint64_t{index(e.position)})
      .add(value(e.path_version));
  h.add(e.old_cost)
      .add(e.cost)
      .add(std::uint64_t{e.first_invalid_node.value_or(0)})
      .add(e.waited_frames);
  for (const Revision r : e.cause_revisions) h.add(value(r));
  for (const ObstacleId o : e.cause_obstacles) h.add(value(o));
  if (e.path)
    for (const NodeId n : e.path->nodes) h.add(std::uint64_t{index(n)});
  return h.value();
}

class Game {
 public:
  Game(const GameOptions& options, Executor& executor)
      : options_(options),
        random_(options.seed),
        map_(make_map()),
        model_(map_, make_profiles(options)) {
    WorldSpec spec{"game", map_, 1.0, make_profiles(options)};
    EngineOptions engine_options;
    engine_options.strategy = options.strategy;
    engine_options.search_memory_bytes = options.search_memory_bytes;
    engine_options.log_changes_max = options.log_changes_max;
    if (options.legs) engine_options.first_leg_cells = 1;
    engine_ =
        Engine::create(*World::create(std::move(spec), WorldLimits{}), engine_options, executor);
    judge_ = std::make_unique<Judge>(model_, *engine_);
  }

  GameResult play() {
    for (int i = 0; i < options_.agents; ++i) upsert(AgentId{below(1000)}, true);
    for (int frame = 0; frame < options_.frames && !failed(); ++frame) {
      SCOPED_TRACE(::testing::Message() << "frame " << frame);
      for (std::uint32_t edits = below(3); edits > 0 && !failed(); --edits) change();
      move_agents();
      if (below(6) == 0) upsert(AgentId{below(1000)}, false);
      if (below(25) == 0) remove_one();
      step(below(static_cast<std::uint32_t>(options_.budget_max)));
    }
    come_to_rest();
    return {hash_,
            events_,
            bounded_,
            engine_->stats(),
            judge_->driven,
            judge_->tight,
            judge_->broken_beside};
  }

 private:
  static bool failed() { return ::testing::Test::HasFatalFailure(); }
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::uint32_t>(most - least + 1)));
  }

  GridMap make_map() {
    GridMap map{.width = between(8, options_.side_max),
                .height = between(8, options_.side_max),
                .cells = {}};
    const std::uint32_t walls = below(options_.walkers == Walkers::kSizes ? 6 : 40);
    const bool weighted = below(2) == 0;
    for (int i = 0; i < map.width * map.height; ++i) {
      std::uint8_t terrain = below(100) < walls ? 1 : 0;
      if (weighted && terrain == 0 && below(4) == 0)
        terrain = static_cast<std::uint8_t>(6 + below(9));
      map.cells.push_back(TerrainId{terrain});
    }
    return map;
  }

  static std::vector<Profile> make_profiles(const GameOptions& options) {
    const Walkers walkers = options.walkers;
    Profile cutter{"cutter", Topology::k8, CornerRule::kOne, {}};
    Profile rook{"rook", Topology::k4, CornerRule::kNone, {{TerrainId{8}, 1.5, false}}};
    Profile dry{"default", Topology::k8, CornerRule::kNone, {{TerrainId{9}, 1, true}}};
    if (walkers == Walkers::kSizes) {
      dry.radius = 0.6;  // bars the four cells around a blocked one
      cutter.radius = 1.2;
      rook.radius = 2.6;
    }
    if (walkers == Walkers::kHexes) {
      dry.topology = rook.topology = Topology::kHex;
      cutter = dry;
      cutter.name = "cutter";
      cutter.radius = 0.55;  // bars the six neighbours of a blocked one
    }
    if (options.curves) {
      dry.turning_radius = 0.7;
      cutter.turning_radius = 2;
      rook.turning_radius = 0.3;
    }
    return {dry, cutter, rook};
  }

  MapPoint random_point() {
    return {static_cast<double>(below(static_cast<std::uint32_t>(map_.width))) + 0.5,
            static_cast<double>(below(static_cast<std::uint32_t>(map_.height))) + 0.5};
  }

  AgentSpec random_agent(AgentId id) {
    AgentSpec spec;
    spec.id = id;
    spec.profile = std::vector<std::string>{"default", "cutter", "rook"}[below(3)];
    spec.team = static_cast<TeamId>(below(2));
    spec.position = random_point();
    if (below(3) == 0) {  // a goal that agents share
      spec.profile = "default";
      spec.goals = {{1.5, 1.5}};
    } else {
      for (std::uint32_t goals = 1 + below(3); goals > 0; --goals)
        spec.goals.push_back(random_point());
      spec.goal_radius = below(2) == 0 ? 0 : below(30) / 10.0;
    }
    spec.priority = below(3);
    spec.max_staleness_ms = below(200);
    spec.min_improvement_ratio = below(3) == 0 ? below(40) / 100.0 : 0;
    spec.allow_partial = below(3) == 0;
    spec.snap_start = below(2) == 0;
    spec.confirm = below(4) == 0;
    if (options_.curves) spec.curves = below(5) != 0;
    if (options_.crowds && below(5) != 0)
      spec.crowd = CrowdSpec{1 + below(60) / 4.0, 1 + below(60) / 5.0, (1 + below(20)) / 20.0};
    return spec;
  }

  void upsert(AgentId id, bool is_new) {
    if (judge_->clients.contains(id) && is_new) return;
    AgentSpec spec = random_agent(id);
    if (!is_new && !judge_->clients.empty()) {
      auto it = judge_->clients.begin();
      std::advance(it, below(static_cast<std::uint32_t>(judge_->clients.size())));
      if (below(2) == 0) spec.id = it->first;
    }
    ASSERT_TRUE(engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, now_).ok());
    const auto known = judge_->clients.find(spec.id);
    if (known != judge_->clients.end() && is_same_question(known->second.spec, spec)) {
      known->second.spec = spec;
      stray(known->second, node_of(spec.position));
      return listen(nullptr);
    }
    Client& c = judge_->clients[spec.id];
    const PathVersion version = c.version;
    c = Client{};
    c.version = version;
    c.spec = spec;
    c.node = node_of(spec.position);
    listen(nullptr);
  }

  void remove_one() {
    if (judge_->clients.size() < 3) return;
    const AgentId id = judge_->clients.begin()->first;
    ASSERT_EQ(engine_->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient), 1u);
    listen(nullptr);
    judge_->clients.erase(id);
  }

  NodeId node_of(MapPoint p) const {
    return NodeId{
        static_cast<std::uint32_t>(static_cast<int>(p.y) * map_.width + static_cast<int>(p.x))};
  }
  MapPoint centre(NodeId n) const {
    return {index(n) % static_cast<std::uint32_t>(map_.width) + 0.5,
            index(n) / static_cast<std::uint32_t>(map_.width) + 0.5};
  }

  // Returns a cell to change, often on some agent's path.
  std::pair<int, int> random_cell() {
    if (below(2) == 0 && !judge_->clients.empty()) {
      auto it = judge_->clients.begin();
      std::advance(it, below(static_cast<std::uint32_t>(judge_->clients.size())));
      const Client& c = it->second;
      const NodeId n =
          c.path.empty() ? c.node : c.path[below(static_cast<std::uint32_t>(c.path.size()))];
      const MapPoint p = centre(n);
      return {static_cast<int>(p.x), static_cast<int>(p.y)};
    }
    const MapPoint p = random_point();
    return {static_cast<int>(p.x), static_cast<int>(p.y)};
  }

  CellRect random_rect() {
    const auto [x, y] = random_cell();
    const int w = between(1, 3);
    const int h = between(1, 3);
    return {x, y, std::min(x + w, map_.width), std::min(y + h, map_.height)};
  }

  void change() {
    ChangeBatch batch;
    std::set<ObstacleId> used;
    for (std::uint32_t entries = 1 + below(3); entries > 0; --entries) {
      const std::uint32_t what = below(10);
      const auto& obstacles = model_.obstacles();
      if (what < 4 || obstacles.size() < 4) {
        ObstacleSpec o;
        o.id = ObstacleId{below(30)};
        if (!used.insert(o.id).second) continue;
        o.shape = random_rect();
        o.effect.blocked = below(3) != 0;
        o.effect.factor = 1 + below(60) / 10.0;
        o.teams = below(3) == 0 ? TeamMask{1u << below(2)} : kAllTeams;
        o.enabled = below(5) != 0;
        batch.upsert_obstacles.push_back(o);
      } else if (what < 9) {
        auto it = obstacles.begin();
        std::advance(it, below(static_cast<std::uint32_t>(obstacles.size())));
        if (!used.insert(it->first).second) continue;
        if (what < 7) {
          batch.switch_obstacles.push_back({it->first, !it->second.enabled});
        } else {
          batch.remove_obstacles.push_back(it->first);
        }
      } else {
        batch.terrain_edits.push_back(
            {random_rect(),
             TerrainId{static_cast<std::uint8_t>(below(3) == 0 ? 1 : below(2) * (6 + below(9)))}});
      }
    }
    if (batch.entries() == 0) return;
    const auto costs = judge_->costs();
    const auto answer = engine_->apply({batch, "", std::nullopt}, now_);
    ASSERT_TRUE(answer.ok()) << answer.status();
    model_.apply(batch);
    ASSERT_EQ(answer->revision, model_.revision());
    std::map<EventType, std::set<AgentId>> told;
    listen(&told);
    if (options_.judged && !failed())
      judge_->no_missed(told[EventType::kInvalidated], told[EventType::kCostChanged],
                        told[EventType::kStartBlocked], costs);
    if (options_.judged && !failed()) judge_->silence();
  }

  void move_agents() {
    for (auto& [id, c] : judge_->clients) {
      if (failed()) return;
      PositionReport report{id, c.spec.position, c.version};
      const std::uint32_t how = below(20);
      if (how < 10 && !c.path.empty() && c.at + 1 < c.path.size() && !c.off) {
        c.at = std::min(c.path.size() - 1, c.at + 1 + below(2));
        c.node = c.path[c.at];
        report.position = centre(c.node);
      } else if (how == 19) {
        report.position = random_point();
        if (below(2) == 0) {  // beside its cell
          report.position = centre(c.node);
          report.position.x = std::clamp(report.position.x + between(-1, 1), 0.5, map_.width - 0.5);
          report.position.y =
              std::clamp(report.position.y + between(-1, 1), 0.5, map_.height - 0.5);
        }
        stray(c, node_of(report.position));
      } else {
        continue;
      }
      ASSERT_TRUE(engine_->report_positions(std::span(&report, 1), now_).ok());
      ASSERT_EQ(engine_->agent(id)->node, c.node);
    }
    listen(nullptr);
  }

  void stray(Client& c, NodeId to) {
    if (to == c.node) return;
    c.node = to;
    const auto on = std::find(
        c.path.begin() + static_cast<std::ptrdiff_t>(c.path.empty() ? 0 : c.at), c.path.end(), to);
    if (!c.path.empty() && !c.off && on != c.path.end()) {
      c.at = static_cast<std::size_t>(on - c.path.begin());
      return;
    }
    if (!c.path.empty()) c.off = true;
    c.path.clear();
  }

  void step(WorkUnits budget) {
    const StepReport report = engine_->step(budget, now_ += 16'000);
    ASSERT_LE(report.used, budget);
    listen(nullptr);
    if (options_.judged && !failed()) judge_->silence();
  }

  void come_to_rest() {
    for (int frame = 0; frame < 40000 && !failed(); ++frame) {
      step(options_.budget_max / 2 + 1);
      if (engine_->waiting(std::nullopt, now_).agents == 0) break;
    }
    if (failed()) return;
    ASSERT_EQ(engine_->waiting(std::nullopt, now_).agents, 0u) << "unsettled";
    ASSERT_EQ(engine_->settled_revision(OwnerId{1}), model_.revision());
    ASSERT_LE(engine_->stats().max_passed_over, 2u);
    if (options_.judged) judge_->listed();
  }

  void listen(std::map<EventType, std::set<AgentId>>* told) {
    for (const AgentEvent& e : engine_->take_events()) {
      if (e.type == EventType::kAsked) continue;  // not sent to clients
      hash_ = mix(hash_ ^ hash_of(e));
      ++events_;
      if (e.path && options_.legs)
        hash_ = mix(hash_ ^ static_cast<std::uint64_t>(e.path->weight * 65536));
      if (e.path && e.path->optimality == Optimality::kBounded) ++bounded_;
      if (told != nullptr) (*told)[e.type].insert(e.agent);
      if (!failed()) judge_->hear(e);
    }
  }

  GameOptions options_;
  Random random_;
  GridMap map_;
  ModelWorld model_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Judge> judge_;
  Micros now_ = 0;
  std::uint64_t hash_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t bounded_ = 0;
};

}  // namespace repath::test

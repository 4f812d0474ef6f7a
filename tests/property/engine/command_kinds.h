// Worlds of every kind, and random commands for them: batches with every kind of entry, sometimes
// one that must be rejected. A fresh query checks the verdicts that agents were sent.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/queries.h"
#include "grid/cells/snap.h"
#include "routes/places.h"
#include "support/ascii_grid.h"
#include "support/route_kinds.h"

namespace repath::test {

// One kind of world. The same object makes the same world every time.
class CommandKind {
 public:
  virtual ~CommandKind() = default;
  virtual std::unique_ptr<Engine> make(const EngineOptions& options, Executor& executor) = 0;
  virtual ChangeBatch batch(Random* random) = 0;
  virtual MapPoint point(Random* random) = 0;
  virtual std::vector<std::string> profiles() const = 0;
  virtual bool has_crowds() const = 0;
  // The centre of a cell. Only grids have cells.
  virtual MapPoint centre(NodeId) const { return {}; }
  // Expects that the latest verdict of a settled agent equals a fresh query of its engine.
  virtual void check_settled(Engine* engine, const AgentView& view) = 0;
};

template <class T>
const T& one_of(Random* random, const std::vector<T>& list) {
  return list[random->below(static_cast<std::uint32_t>(list.size()))];
}

// Checks the cost of a path against its claimed optimality, for an agent for which a query finds
// the cost `found`, within `bound` of the optimum.
inline void check_claim(const AgentPath& path, Cost held, Cost found, double bound, Cost slack) {
  const double weight = path.optimality == Optimality::kBounded ? path.weight : 1;
  const Cost allowance = path.optimality == Optimality::kWithin ? path.allowance : 0;
  const auto most = static_cast<Cost>(weight * static_cast<double>(found) * (1 + 1e-9));
  if (path.optimality != Optimality::kValidOnly) {
    EXPECT_LE(held, most + allowance + slack) << "a query finds " << found;
  }
  EXPECT_LE(static_cast<double>(found), bound * static_cast<double>(held + slack) * (1 + 1e-9));
}

class GridCommands final : public CommandKind {
 public:
  explicit GridCommands(Random* random) {
    map_ = open_map(3 + static_cast<std::int32_t>(random->below(90)),
                    3 + static_cast<std::int32_t>(random->below(60)));
    const std::uint32_t walls = random->below(35);
    const bool is_weighted = random->below(2) == 0;
    for (TerrainId& cell : map_.cells) {
      if (random->below(100) < walls) cell = TerrainId{1};
      if (is_weighted && random->below(4) == 0)
        cell = TerrainId{static_cast<std::uint8_t>(6 + random->below(9))};
    }
    names_ = {"default", "rook", "cutter", "wide", "hex"};
  }

  std::unique_ptr<Engine> make(const EngineOptions& options, Executor& executor) override {
    WorldSpec spec{"grid", map_, 1.0, {}};
    spec.profiles = {{.name = "rook", .topology = Topology::k4},
                     {.name = "cutter", .corner_rule = CornerRule::kOne, .radius = 0.6},
                     {.name = "wide", .radius = 1.3},
                     {.name = "hex", .topology = Topology::kHex}};
    std::unique_ptr<World> world = *World::create(std::move(spec), {});
    const World* const known = world.get();
    std::unique_ptr<Engine> engine = Engine::create(std::move(world), options, executor);
    worlds_[engine.get()] = known;
    return engine;
  }
  bool has_crowds() const override { return true; }
  MapPoint centre(NodeId node) const override {
    const auto width = static_cast<std::uint32_t>(map_.width);
    return {index(node) % width + 0.5, index(node) / width + 0.5};
  }
  std::vector<std::string> profiles() const override { return names_; }
  MapPoint point(Random* random) override {
    MapPoint p{random->unit() * map_.width, random->unit() * map_.height};
    if (random->below(2) == 0) p = {std::floor(p.x) + 0.5, std::floor(p.y) + 0.5};
    return p;
  }

  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    for (std::uint32_t entries = 1 + random->below(4); entries > 0; --entries) add(random, &batch);
    return batch;
  }

  void check_settled(Engine* engine, const AgentView& view) override {
    const World& world = *worlds_.at(engine);
    const AgentSpec& spec = view.spec;
    if (spec.stands && world.body(spec.id) != nullptr) return;  // a query sees the body
    const AnySnapshot snapshot = *engine->capture(spec.profile, spec.team);
    const GridLayer& layer = snapshot.grid->layer;
    const auto x = static_cast<std::int32_t>(spec.position.x);
    const auto y = static_cast<std::int32_t>(spec.position.y);
    PathQuery query;
    query.from = spec.position;
    if (layer.node_at(x, y) != view.node) query.from = centre_of(place_of(layer, view.node));
    query.goals = spec.goals;
    query.goal_radius = spec.goal_radius;
    query.allow_partial = spec.allow_partial;
    query.snap_start = spec.snap_start;
    const PathAnswer answer = find_path(*snapshot.grid, query, {});
    const AgentPath& path = *view.verdict.path;
    SCOPED_TRACE("a query says " + std::to_string(static_cast<int>(answer.state)) +
                 " at a cost of " + std::to_string(answer.cost));
    if (path.nodes.empty()) {
      EXPECT_TRUE(answer.nodes.empty()) << "a query finds a path";
      EXPECT_EQ(path.state == PathState::kStartBlocked, answer.state == QueryState::kStartBlocked);
      return;
    }
    ASSERT_FALSE(answer.nodes.empty()) << "a query finds none";
    const CheckAnswer check = check_path(*snapshot.grid, path.nodes);
    EXPECT_TRUE(check.valid);
    EXPECT_EQ(check.cost, path.cost);
    EXPECT_EQ(view.held_cost, path.cost);
    if (answer.state == QueryState::kPartial || view.verdict.type == EventType::kPartial) {
      EXPECT_EQ(view.verdict.type, EventType::kPartial);
      EXPECT_EQ(path.nodes.back(), answer.nodes.back());
    }
    check_claim(path, path.cost, answer.cost, 1, 0);
  }

 private:
  std::int32_t at(Random* random, std::int32_t side) const {
    return static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(side)));
  }
  CellRect rect(Random* random) const {
    const std::int32_t x = at(random, map_.width);
    const std::int32_t y = at(random, map_.height);
    const std::int32_t kind = at(random, 4);
    if (kind == 0) return {x, 0, x + 1, map_.height - at(random, 2)};
    if (kind == 1) return {0, y, map_.width - at(random, 2), y + 1};
    return {x, y, x + 1 + at(random, 4), y + 1 + at(random, 4)};
  }
  Shape shape(Random* random) const {
    const Point centre{random->unit() * map_.width, random->unit() * map_.height};
    switch (random->below(6)) {
      case 0:
        return Circle{centre, 0.3 + 3 * random->unit()};
      case 1:
        return Box{centre, 0.3 + 5 * random->unit(), 0.3 + random->unit(), random->unit()};
      case 2:
        return Polygon{{centre, {centre.x + 3, centre.z + 1}, {centre.x + 1, centre.z + 4}}};
      case 3:
        return Capsule{centre, {centre.x + 6 * random->unit() - 3, centre.z + 2}, 0.4};
      default:
        return rect(random);
    }
  }
  TeamId team(Random* random) const { return TeamId{static_cast<std::uint8_t>(random->below(3))}; }

  void add(Random* random, ChangeBatch* batch) {
    const auto layer = static_cast<std::uint8_t>(random->below(2));
    const ObstacleId id{1 + random->below(9)};
    switch (random->below(13)) {
      case 0:
      case 1:
      case 2: {
        ObstacleSpec spec{.id = id, .shape = shape(random)};
        if (random->below(3) == 0) spec.effect = {false, 1 + 8 * random->unit()};
        if (random->below(3) == 0) spec.teams = TeamMask{1u << random->below(3)};
        spec.enabled = random->below(6) != 0;
        batch->upsert_obstacles.push_back(spec);
        return;
      }
      case 3:
      case 4:
      case 5:
        batch->switch_obstacles.push_back({id, random->below(2) == 0});
        return;
      case 6:
        batch->remove_obstacles.push_back(id);
        return;
      case 7:
        batch->terrain_edits.push_back(
            {rect(random), TerrainId{static_cast<std::uint8_t>(
                               random->below(3) == 0 ? 1 : random->below(2) * (6 + layer))}});
        return;
      case 8: {
        if (names_.size() >= 9 || random->below(4) != 0) return;
        Profile profile{.name = "p" + std::to_string(random->below(6))};
        profile.radius = random->unit() * 2;
        if (random->below(2) == 0)
          profile.terrain_rules = {{TerrainId{7}, layer == 0 ? 1.0 : 2.0, layer == 0}};
        batch->add_profiles.push_back(profile);
        if (!std::ranges::count(names_, profile.name)) names_.push_back(profile.name);
        return;
      }
      case 9: {
        InfluenceDecay decay{team(random), layer, static_cast<std::int32_t>(random->below(1000))};
        if (random->below(2) == 0) decay.cells = rect(random);
        batch->decay_influence.push_back(decay);
        return;
      }
      case 10:
        batch->influence_edits.push_back(
            {shape(random),
             team(random),
             layer,
             {random->below(2) == 0 ? LevelChange::Kind::kAdd : LevelChange::Kind::kSet,
              static_cast<std::int32_t>(random->below(300))}});
        return;
      case 11:
        batch->fog_edits.push_back({shape(random), team(random), random->below(2) == 0});
        return;
      default: {
        const AgentId agent{1 + random->below(12)};
        if (random->below(2) == 0) {
          batch->walk_on.push_back(agent);
        } else {
          batch->stand.push_back({agent, rect(random)});
        }
      }
    }
  }

  GridMap map_;
  std::vector<std::string> names_;  // names to ask for; some may be unknown
  std::map<const Engine*, const World*> worlds_;
};

class RouteCommands final : public CommandKind {
 public:
  // Makes a mesh or a graph.
  RouteCommands(Random* random, bool is_mesh) : is_mesh_(is_mesh), seed_(random->next()) {
    if (is_mesh) {
      is_uneven_ = random->below(2) == 0;
      kind_ = std::make_unique<NavKind>();
    } else {
      kind_ = std::make_unique<GraphKind>();
    }
  }

  std::unique_ptr<Engine> make(const EngineOptions& options, Executor& executor) override {
    Random random(seed_);
    std::unique_ptr<RouteWorld> world = kind_->make(&random);
    if (is_uneven_) world = uneven_world(&random, /*has_areas=*/true);
    return Engine::create(std::move(world), options, executor);
  }
  bool has_crowds() const override { return false; }
  std::vector<std::string> profiles() const override { return names_; }
  MapPoint point(Random* random) override { return kind_->point(random); }

  ChangeBatch batch(Random* random) override {
    ChangeBatch batch = kind_->batch(random);
    if (random->below(6) == 0 && names_.size() < 5) {
      Profile profile{.name = "p" + std::to_string(random->below(4))};
      if (is_mesh_) profile.radius = random->unit();
      profile.areas = {{1, 1 + random->unit()}};
      batch.add_profiles.push_back(profile);
      if (!std::ranges::count(names_, profile.name)) names_.push_back(profile.name);
    }
    if (is_mesh_) {
      for (ObstacleSpec& obstacle : batch.upsert_obstacles)
        if (random->below(4) == 0)
          obstacle.effect = {.blocked = false, .factor = 1 + random->unit()};
      if (random->below(5) == 0) batch.remove_obstacles.push_back(ObstacleId{1 + random->below(7)});
      if (is_uneven_ && random->below(4) == 0)
        batch.switch_links.push_back({1 + random->below(4), random->below(2) == 0});
    } else if (random->below(3) == 0) {
      batch.graph_edits.push_back(graph_edit(random));
    }
    return batch;
  }

  void check_settled(Engine* engine, const AgentView& view) override {
    const AgentSpec& spec = view.spec;
    const AnySnapshot snapshot = *engine->capture(spec.profile, spec.team);
    const QueryGround& ground = *snapshot.routes;
    PathQuery query;
    query.from = {view.spot.x, view.spot.z, view.spot.y};
    query.goals = spec.goals;
    query.goal_radius = spec.goal_radius;
    query.allow_partial = spec.allow_partial;
    query.snap_start = spec.snap_start;
    const PathAnswer answer = find_path(ground, query, {});
    const AgentPath& path = *view.verdict.path;
    SCOPED_TRACE("a query says " + std::to_string(static_cast<int>(answer.state)) +
                 " at a cost of " + std::to_string(units_from_route_cost(answer.cost)));
    // A covered start stays blocked for the agent that stood there, but a query finds another floor
    // nearby.
    const bool is_blocked = path.state == PathState::kStartBlocked;
    if (is_blocked && stand_at(ground, spot_of(query.from))) return;
    // Where pieces of a mesh touch in a point (a vertex), an agent there stands on each of them.
    const bool is_on_vertex =
        std::floor(view.spot.x) == view.spot.x && std::floor(view.spot.z) == view.spot.z;
    if (is_mesh_ && is_on_vertex) return;
    if (path.points.empty()) {
      EXPECT_TRUE(answer.route.empty()) << "a query finds a route";
      EXPECT_EQ(is_blocked, !stand_at(ground, spot_of(query.from)).has_value());
      return;
    }
    ASSERT_FALSE(answer.route.empty()) << "a query finds none";
    SCOPED_TRACE("held" + drawn(path.points) + "; found" + drawn(answer.route));
    // Where a mesh is carved, places move by the rounding to its lattice.
    const Cost slack = ground.is_continuous() ? static_cast<Cost>(0.004 * kRouteCostUnit) : 0;
    const RouteWalk walk = walk_route(ground, path.points);
    ASSERT_NE(walk.cost, kUnreachable) << "broken at " << walk.broken;
    EXPECT_LE(std::max(walk.cost, path.cost) - std::min(walk.cost, path.cost), slack);
    EXPECT_EQ(view.held_cost, path.cost);
    const bool is_partial = view.verdict.type == EventType::kPartial;
    EXPECT_EQ(answer.state == QueryState::kStartBlocked, is_blocked);
    if (!is_blocked) {
      EXPECT_EQ(answer.state == QueryState::kPartial, is_partial);
    }
    // If several places are equally near to the goals, any of them is a right answer.
    if (!is_partial) check_claim(path, path.cost, answer.cost, answer.bound, slack);
  }

 private:
  static std::string drawn(const std::vector<RoutePoint>& points) {
    std::string text;
    for (const RoutePoint& p : points)
      text += " (" + std::to_string(p.at.x) + ", " + std::to_string(p.at.y) + ", " +
              std::to_string(p.at.z) + ")";
    return text;
  }
  static GraphEdit graph_edit(Random* random) {
    constexpr std::uint32_t kNodes = GraphKind::kSide * GraphKind::kSide;
    const std::uint64_t added = 100 + random->below(4);
    const std::uint64_t known = random->below(kNodes);
    switch (random->below(4)) {
      case 0:
        return GraphNode{.id = added, .x = between(random, 0, 18), .z = between(random, 0, 18)};
      case 1:
        return RemoveGraphNode{random->below(2) == 0 ? added : known};
      case 2:
        return GraphEdge{.from = added,
                         .to = known,
                         .cost = 1 + random->unit() * 9,
                         .both = known % 2 == 0,
                         .key = static_cast<std::uint8_t>(known % 3)};
      default:
        return RemoveGraphEdge{known, known + 1};
    }
  }

  bool is_mesh_;
  bool is_uneven_ = false;
  std::uint64_t seed_;
  std::unique_ptr<RouteKind> kind_;
  std::vector<std::string> names_ = {"default"};
};

}  // namespace repath::test

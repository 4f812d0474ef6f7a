// Meshes and graphs of every kind, and random batches and places for them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "support/carved_worlds.h"
#include "support/plane_world.h"

namespace repath::test {

// A kind of world, and random changes of it.
class RouteKind {
 public:
  virtual ~RouteKind() = default;
  virtual std::unique_ptr<RouteWorld> make(Random* random) = 0;
  virtual ChangeBatch batch(Random* random) = 0;
  virtual MapPoint point(Random* random) = 0;
  // Returns a further goal of an agent that has this one.
  virtual MapPoint goal_beside(const MapPoint& /*goal*/, Random* random) { return point(random); }

  double turning_radius = 0;   // of the profile "default"; meshes and planes
  bool wants_partial = false;  // all agents take a partial path
};

inline double between(Random* random, double least, double most) {
  return least + (most - least) * random->unit();
}

inline TeamMask some_teams(Random* random) {
  return random->below(4) == 0 ? 1 + random->below(2) : kAllTeams;
}

class PlaneKind final : public RouteKind {
 public:
  explicit PlaneKind(double bound_ratio) : bound_ratio_(bound_ratio) {}
  std::unique_ptr<RouteWorld> make(Random* random) override {
    PlaneGround ground;
    ground.width = ground.depth = 30;
    ground.work = random->below(2) == 0 ? 1 : 60;
    ground.bound_ratio = bound_ratio_;
    return std::make_unique<PlaneWorld>(std::move(ground),
                                        Profile{.turning_radius = turning_radius});
  }
  // Whole numbers, so that sides and corners meet.
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    std::map<std::uint64_t, bool> taken;
    for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
      const std::uint64_t id = 1 + random->below(7);
      if (std::exchange(taken[id], true)) continue;
      if (known_.contains(id) && random->below(2) == 0) {
        batch.switch_obstacles.push_back({ObstacleId{id}, random->below(2) == 0});
        continue;
      }
      known_[id] = true;
      const double half_x = 1 + random->below(12);
      const double half_z = 1 + random->below(3);
      const bool is_turned = random->below(2) == 0;
      ObstacleSpec obstacle{ObstacleId{id}, Box{{static_cast<double>(random->below(31)),
                                                 static_cast<double>(random->below(31))},
                                                is_turned ? half_z : half_x,
                                                is_turned ? half_x : half_z,
                                                0}};
      obstacle.teams = some_teams(random);
      batch.upsert_obstacles.push_back(obstacle);
    }
    return batch;
  }
  MapPoint point(Random* random) override {
    return {static_cast<double>(random->below(61)) / 2, static_cast<double>(random->below(61)) / 2,
            0};
  }

 private:
  double bound_ratio_;
  std::map<std::uint64_t, bool> known_;
};

// Even ground with holes in it, or two floors and a ramp. With a `rise` always floors, that far
// apart, and positions at all heights.
class NavKind final : public RouteKind {
 public:
  explicit NavKind(std::optional<double> rise = {})
      : has_any_height_(rise.has_value()), rise_(rise.value_or(4)) {}
  std::unique_ptr<RouteWorld> make(Random* random) override {
    std::vector<std::string> rows(10, std::string(17, '.'));
    for (std::string& row : rows)
      for (char& c : row)
        if (random->below(8) == 0) c = '#';
    NavWorld::Source source;
    source.name = "nav";
    has_floors_ = has_any_height_ || random->below(2) != 0;
    const int overlap = has_any_height_ ? 9 : 2;
    source.mesh = has_floors_ ? two_floors(random, 14, 10, rise_, overlap) : squares(rows);
    if (random->below(2) == 0) source.landmarks = 1 + random->below(16);
    // Some agents are wider than the mesh was made for.
    if (random->below(3) == 0) source.profiles = {{.radius = between(random, 0.1, 0.3)}};
    if (turning_radius > 0) {
      source.profiles.resize(1);
      source.profiles[0].turning_radius = turning_radius;
    }
    auto world = NavWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    std::map<std::uint64_t, bool> taken;
    for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
      const std::uint64_t id = 1 + random->below(7);
      if (std::exchange(taken[id], true)) continue;
      if (known_.contains(id) && random->below(2) == 0) {
        batch.switch_obstacles.push_back({ObstacleId{id}, random->below(2) == 0});
        continue;
      }
      known_[id] = true;
      ObstacleSpec obstacle{ObstacleId{id}, shape(random)};
      obstacle.teams = some_teams(random);
      const std::uint32_t floor = random->below(4);  // 1: the lower one, 2: the upper one
      if (floor == 1) obstacle.top = 0.5 * rise_;
      if (floor == 2) obstacle.bottom = 0.75 * rise_;
      batch.upsert_obstacles.push_back(obstacle);
    }
    return batch;
  }
  MapPoint point(Random* random) override {
    if (has_any_height_)
      return {between(random, 0, 17), between(random, 0, 10), between(random, -1, rise_ + 1)};
    // Sometimes where there is no ground at that height.
    const bool is_high = random->below(has_floors_ ? 3 : 30) == 0;
    const double least = is_high && random->below(8) != 0 ? 12 : 0;
    return {between(random, least, 17), between(random, 0, 10), is_high ? 4.0 : 0.0};
  }

 private:
  static Shape shape(Random* random) {
    const Point centre{between(random, 0, 17), between(random, 0, 10)};
    if (random->below(2) == 0) return Circle{centre, between(random, 0.2, 2)};
    return Box{centre, between(random, 0.2, 4), between(random, 0.2, 1), between(random, 0, 3)};
  }
  bool has_any_height_;
  double rise_;
  bool has_floors_ = false;
  std::map<std::uint64_t, bool> known_;
};

class GraphKind final : public RouteKind {
 public:
  static constexpr std::uint32_t kSide = 7;
  // kLowPrices: edges also get cheaper than their length. kMovedNodes: nodes are also taken out and
  // put in again beside their place, besides low prices. kParts: many nodes hang together with few
  // others, and goals lie close together, so that one node often stands for two of them.
  enum class Shape : std::uint8_t { kStays, kLowPrices, kMovedNodes, kParts };
  explicit GraphKind(Shape shape = Shape::kStays) : shape_(shape) {
    wants_partial = shape == Shape::kParts;
  }
  std::unique_ptr<RouteWorld> make(Random* random) override {
    GraphWorld::Source source{"graph", {}, {}};
    for (std::uint32_t i = 0; i < kSide * kSide; ++i)
      source.graph.nodes.push_back(
          {.id = i, .x = 3.0 * (i % kSide), .y = 0, .z = 3.0 * static_cast<double>(i / kSide)});
    for (std::uint32_t i = 0; i < kSide * kSide; ++i)
      for (const std::uint32_t to : {i + 1, i + kSide}) {
        if (to >= kSide * kSide || (to == i + 1 && to % kSide == 0)) continue;
        if (random->below(6) < (shape_ == Shape::kParts ? 4 : 1)) continue;
        source.graph.edges.push_back(
            {.from = i, .to = to, .cost = 3.0 + random->below(5), .both = random->below(5) != 0});
        edges_.push_back({i, to});
      }
    auto world = GraphWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    if (shape_ == Shape::kParts && random->below(2) == 0) {
      batch.graph_edits.push_back(
          SwitchGraphNode{random->below(kSide * kSide), random->below(2) == 0});
      return batch;
    }
    if (shape_ == Shape::kMovedNodes && random->below(6) == 0)
      move_node(random->below(kSide * kSide), &batch);
    for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
      const auto& [from, to] = edges_[random->below(static_cast<std::uint32_t>(edges_.size()))];
      const std::uint32_t kind = random->below(5);
      if (kind == 0) {
        batch.graph_edits.push_back(
            SwitchGraphNode{random->below(kSide * kSide), random->below(3) != 0});
      } else if (kind < 3) {
        batch.graph_edits.push_back(SwitchGraphEdge{from, to, random->below(2) == 0});
      } else {
        const double least = shape_ != Shape::kStays && random->below(8) == 0 ? 0 : 3.0;
        batch.graph_edits.push_back(PriceGraphEdge{from, to, least + random->below(6)});
      }
    }
    return batch;
  }
  MapPoint point(Random* random) override {
    return {between(random, -1, 3.0 * kSide - 2), between(random, -1, 3.0 * kSide - 2), 0};
  }
  MapPoint goal_beside(const MapPoint& goal, Random* random) override {
    if (shape_ != Shape::kParts) return point(random);
    return {goal.x + between(random, -4, 4), goal.y + between(random, -4, 4), 0};
  }

 private:
  void move_node(std::uint64_t id, ChangeBatch* batch) const {
    batch->graph_edits.push_back(RemoveGraphNode{id});
    batch->graph_edits.push_back(GraphNode{.id = id,
                                           .x = 3.0 * static_cast<double>(id % kSide) + 0.5,
                                           .y = 0,
                                           .z = 3.0 * static_cast<double>(id / kSide)});
    for (const auto& [from, to] : edges_)
      if (from == id || to == id)
        batch->graph_edits.push_back(GraphEdge{.from = from, .to = to, .cost = 4.0, .both = true});
  }

  Shape shape_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges_;
};

// Areas that cost more, ground that is barred, and links that lead one way or both ways.
inline std::unique_ptr<NavWorld> uneven_world(Random* random, bool has_areas,
                                              double turning_radius = 0) {
  MeshSource mesh = two_floors(random, 12, 9);
  for (MeshSource::Cell& cell : mesh.cells) {
    if (!has_areas) break;
    cell.area = AreaType(random->below(3));
    cell.flags = random->below(9) == 0 ? 2 : 1;
  }
  for (std::uint64_t id = 1; id <= 4; ++id) {
    const auto end = [&](std::uint32_t* cell, LatticePoint* at, double* y) {
      *cell = random->below(static_cast<std::uint32_t>(mesh.cells.size()));
      const auto& vertex = mesh.vertices[mesh.corners[mesh.cells[*cell].first]];
      *at = vertex.at;
      *y = vertex.y;
    };
    NavLink link{.id = id, .flags = 1, .both_ways = random->below(2) == 0};
    end(&link.from_cell, &link.from, &link.from_y);
    end(&link.to_cell, &link.to, &link.to_y);
    mesh.links.push_back(link);
  }
  Profile profile{.name = "default", .turning_radius = turning_radius};
  if (has_areas) profile.areas = {{1, 2.5}, {2, 7}};
  if (has_areas) profile.exclude = 2;
  auto world = NavWorld::create({.name = "w", .mesh = mesh, .profiles = {profile}, .cell_side = 4});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Two floors of such ground, and obstacles that come and go.
class UnevenKind final : public RouteKind {
 public:
  explicit UnevenKind(bool has_areas = true) : has_areas_(has_areas) {}
  std::unique_ptr<RouteWorld> make(Random* random) override {
    return uneven_world(random, has_areas_, turning_radius);
  }
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    if (random->below(5) == 0) {
      batch.switch_links.push_back({1 + random->below(4), random->below(2) == 0});
      return batch;
    }
    const std::uint64_t id = 1 + random->below(7);
    if (known_.contains(id) && random->below(2) == 0) {
      batch.switch_obstacles.push_back({ObstacleId{id}, random->below(2) == 0});
      return batch;
    }
    known_[id] = true;
    ObstacleSpec obstacle{ObstacleId{id}, Box{{between(random, 0, 14), between(random, 0, 9)},
                                              between(random, 0.2, 3),
                                              between(random, 0.2, 1),
                                              between(random, 0, 3)}};
    obstacle.teams = some_teams(random);
    if (random->below(3) == 0) obstacle.top = 2;
    batch.upsert_obstacles.push_back(obstacle);
    return batch;
  }
  MapPoint point(Random* random) override {
    return {between(random, 0, 14), between(random, 0, 9), random->below(2) == 0 ? 0.0 : 4.0};
  }

 private:
  bool has_areas_;
  std::map<std::uint64_t, bool> known_;
};

}  // namespace repath::test

// Worlds of every kind for random sessions: an engine, and random batches and places for it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "engine/engine.h"
#include "support/route_kinds.h"

namespace repath::test {

class SessionStage {
 public:
  virtual ~SessionStage() = default;
  virtual std::unique_ptr<Engine> make(Random* random, Executor& executor) = 0;
  virtual ChangeBatch batch(Random* random) = 0;
  virtual MapPoint point(Random* random) = 0;
};

class GridStage final : public SessionStage {
 public:
  std::unique_ptr<Engine> make(Random* random, Executor& executor) override {
    WorldSpec spec;
    spec.name = "sessions";
    spec.map = GridMap{.width = kSide, .height = kSide, .cells = {}};
    for (int i = 0; i < kSide * kSide; ++i)
      spec.map.cells.push_back(TerrainId{std::uint8_t{random->below(6) == 0}});
    EngineOptions options;
    if (random->below(4) == 0) options.first_leg_cells = 1;
    return Engine::create(*World::create(std::move(spec), WorldLimits{}), options, executor);
  }
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    std::map<std::uint64_t, bool> taken;
    for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
      const std::uint64_t id = 1 + random->below(9);
      if (std::exchange(taken[id], true)) continue;
      if (known_.contains(id) && random->below(2) == 0) {
        batch.switch_obstacles.push_back({ObstacleId{id}, random->below(2) == 0});
        continue;
      }
      known_[id] = true;
      ObstacleSpec obstacle;
      obstacle.id = ObstacleId{id};
      const auto x = static_cast<std::int32_t>(random->below(kSide));
      const auto y = static_cast<std::int32_t>(random->below(kSide));
      const auto long_side = static_cast<std::int32_t>(1 + random->below(9));
      const bool is_turned = random->below(2) == 0;
      obstacle.shape = CellRect{x, y, std::min(kSide, x + (is_turned ? 1 : long_side)),
                                std::min(kSide, y + (is_turned ? long_side : 1))};
      obstacle.effect.blocked = random->below(3) != 0;
      obstacle.effect.factor = 1 + random->below(30) / 10.0;
      batch.upsert_obstacles.push_back(obstacle);
    }
    return batch;
  }
  MapPoint point(Random* random) override {
    return {random->below(kSide) + 0.5, random->below(kSide) + 0.5};
  }

 private:
  static constexpr int kSide = 14;
  std::map<std::uint64_t, bool> known_;
};

class RouteStage final : public SessionStage {
 public:
  explicit RouteStage(std::unique_ptr<RouteKind> kind) : kind_(std::move(kind)) {}
  std::unique_ptr<Engine> make(Random* random, Executor& executor) override {
    return Engine::create(kind_->make(random), EngineOptions{}, executor);
  }
  ChangeBatch batch(Random* random) override { return kind_->batch(random); }
  MapPoint point(Random* random) override { return kind_->point(random); }

 private:
  std::unique_ptr<RouteKind> kind_;
};

}  // namespace repath::test

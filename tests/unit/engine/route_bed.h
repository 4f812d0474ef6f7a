// An engine over a mesh or graph, and short names for the actions of tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "routes/graph_world.h"
#include "support/plane_world.h"

namespace repath::test {

class RouteBed {
 public:
  explicit RouteBed(std::unique_ptr<RouteWorld> world, EngineOptions options = {})
      : engine_(Engine::create(std::move(world), options, executor_)) {}

  Engine& operator*() { return *engine_; }
  Engine* operator->() { return engine_.get(); }

  static AgentSpec walker(std::uint64_t id, MapPoint from, MapPoint to) {
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.position = from;
    spec.goals = {to};
    return spec;
  }
  void put(const AgentSpec& spec) {
    const auto status = engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, now);
    ASSERT_TRUE(status.ok()) << status;
  }
  void report(std::uint64_t id, MapPoint position, PathVersion version = {}) {
    const PositionReport r{AgentId{id}, position, version};
    ASSERT_TRUE(engine_->report_positions(std::span(&r, 1), now).ok());
  }

  static ObstacleSpec block(std::uint64_t id, const PlaneBlock& b) {
    return {ObstacleId{id},
            Box{{(b.x0 + b.x1) / 2, (b.z0 + b.z1) / 2}, (b.x1 - b.x0) / 2, (b.z1 - b.z0) / 2, 0}};
  }
  ChangeAnswer put_block(std::uint64_t id, const PlaneBlock& b) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(block(id, b));
    return apply(batch);
  }
  ChangeAnswer shut(std::uint64_t id, bool shut) {
    ChangeBatch batch;
    batch.switch_obstacles.push_back({ObstacleId{id}, shut});
    return apply(batch);
  }
  ChangeAnswer edit(const GraphEdit& edit) {
    ChangeBatch batch;
    batch.graph_edits.push_back(edit);
    return apply(batch);
  }
  ChangeAnswer apply(const ChangeBatch& batch) {
    const auto answer = engine_->apply({batch, "", std::nullopt}, now);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : ChangeAnswer{};
  }

  // Steps until no agent waits. Returns the events since the last call.
  std::vector<AgentEvent> settle(WorkUnits budget = 100'000) {
    for (int frame = 0; frame < 10'000; ++frame)
      if (engine_->step(budget, now += 16'000).idle) return engine_->take_events();
    ADD_FAILURE() << "never settles";
    return {};
  }
  std::vector<AgentEvent> events() { return engine_->take_events(); }

  Micros now = 0;

 private:
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
};

inline std::vector<EventType> types_of(const std::vector<AgentEvent>& events) {
  std::vector<EventType> types;
  for (const AgentEvent& e : events) types.push_back(e.type);
  return types;
}

inline double length_of(Cost cost) { return units_from_route_cost(cost); }

// Even ground of 100 x 40.
inline std::unique_ptr<RouteWorld> plane(std::uint32_t work = 1, double bound_ratio = 1) {
  PlaneGround ground;
  ground.width = 100;
  ground.depth = 40;
  ground.work = work;
  ground.bound_ratio = bound_ratio;
  return std::make_unique<PlaneWorld>(std::move(ground));
}

}  // namespace repath::test

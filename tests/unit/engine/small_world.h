// An engine over a world drawn in the test, and short names for the actions of tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "support/ascii_grid.h"

namespace repath::test {

class SmallWorld {
 public:
  explicit SmallWorld(const std::vector<std::string_view>& rows, EngineOptions options = {})
      : SmallWorld(draw_map(rows), options) {}
  explicit SmallWorld(GridMap map, EngineOptions options = {}) : width_(map.width) {
    engine_ =
        Engine::create(*World::create({"small", std::move(map), 1.0, {}}, {}), options, executor_);
  }

  Engine& operator*() { return *engine_; }
  Engine* operator->() { return engine_.get(); }
  const Engine* operator->() const { return engine_.get(); }

  static MapPoint centre(int x, int y) { return {x + 0.5, y + 0.5}; }
  NodeId at(int x, int y) const { return NodeId{static_cast<std::uint32_t>(y * width_ + x)}; }

  static AgentSpec walker(std::uint64_t id, MapPoint from, MapPoint to) {
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.position = from;
    spec.goals = {to};
    return spec;
  }
  void put(const AgentSpec& spec) {
    ASSERT_TRUE(engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, now).ok());
  }
  void report(std::uint64_t id, MapPoint position, PathVersion version = {}) {
    const PositionReport r{AgentId{id}, position, version};
    ASSERT_TRUE(engine_->report_positions(std::span(&r, 1), now).ok());
  }

  // Puts an obstacle over the cells: blocking, or with a cost factor.
  ChangeAnswer block(std::uint64_t id, CellRect cells) { return obstacle(id, cells, Effect{}); }
  ChangeAnswer weigh(std::uint64_t id, CellRect cells, double factor) {
    return obstacle(id, cells, Effect{false, factor});
  }
  ChangeAnswer shut(std::uint64_t id, bool shut) {
    ChangeBatch batch;
    batch.switch_obstacles.push_back({ObstacleId{id}, shut});
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
  std::uint64_t searches() const {
    std::uint64_t sum = 0;
    for (const StrategyStats& s : engine_->stats().strategies) sum += s.searches;
    return sum;
  }

  Micros now = 0;

 private:
  ChangeAnswer obstacle(std::uint64_t id, CellRect cells, Effect effect) {
    ChangeBatch batch;
    ObstacleSpec spec;
    spec.id = ObstacleId{id};
    spec.shape = cells;
    spec.effect = effect;
    batch.upsert_obstacles.push_back(spec);
    return apply(batch);
  }

  InlineExecutor executor_;
  std::int32_t width_;
  std::unique_ptr<Engine> engine_;
};

inline std::vector<EventType> types(const std::vector<AgentEvent>& events) {
  std::vector<EventType> types;
  for (const AgentEvent& e : events) types.push_back(e.type);
  return types;
}

}  // namespace repath::test

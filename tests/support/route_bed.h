// One agent on a mesh or graph, and the things that happen to it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "route_ground/rerouter.h"

namespace repath::test {

class RouteBed {
 public:
  static constexpr AgentId kOne{1};

  explicit RouteBed(std::unique_ptr<RouteWorld> world, const RouteOptions& options = {})
      : world_(std::move(world)), rerouter_(*world_, options, executor_) {}

  void put(AgentSpec spec) {
    ASSERT_TRUE(rerouter_.upsert(std::span(&spec, 1), OwnerId{1}, 0).ok());
  }

  void put(MapPoint from, MapPoint to, bool snap_start = false) {
    AgentSpec spec;
    spec.id = kOne;
    spec.position = from;
    spec.goals = {to};
    spec.snap_start = snap_start;
    ASSERT_TRUE(rerouter_.upsert(std::span(&spec, 1), OwnerId{1}, 0).ok());
  }
  void apply(const ChangeBatch& batch) {
    rerouter_.before_commit();
    auto commit = world_->apply(batch);
    ASSERT_TRUE(commit.ok()) << commit.status();
    rerouter_.on_commit(*std::move(commit), 0);
  }
  void block(std::uint64_t id, const Box& box, double top = 100) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back({ObstacleId{id}, box});
    batch.upsert_obstacles.back().top = top;
    apply(batch);
  }
  void free(std::uint64_t id) {
    ChangeBatch batch;
    batch.remove_obstacles.push_back(ObstacleId{id});
    apply(batch);
  }
  void report(MapPoint at) { rerouter_.report({kOne, at, PathVersion{}}, 0); }
  void step(WorkUnits budget) { rerouter_.step(budget, 0); }
  std::vector<AgentEvent> settle() {
    for (int frame = 0; frame < 1000 && rerouter_.waiting().size() > 0; ++frame) step(10'000);
    EXPECT_EQ(rerouter_.waiting().size(), 0u);
    return rerouter_.take_events();
  }
  std::vector<AgentEvent> events() { return rerouter_.take_events(); }
  AgentView view() const { return *rerouter_.view(kOne, true); }
  Stats stats() const { return rerouter_.stats(); }
  std::uint64_t searches() const {
    std::uint64_t sum = 0;
    for (const StrategyStats& of : stats().strategies) sum += of.searches;
    return sum;
  }
  const RouteWorld& world() const { return *world_; }
  AgentView view_of(AgentId id) const { return *rerouter_.view(id, true); }

 private:
  InlineExecutor executor_;
  std::unique_ptr<RouteWorld> world_;
  Rerouter rerouter_;
};

inline std::vector<EventType> kinds_of(const std::vector<AgentEvent>& events) {
  std::vector<EventType> kinds;
  for (const AgentEvent& event : events) kinds.push_back(event.type);
  return kinds;
}

// Returns the nodes of the agent's path on a graph.
inline std::vector<std::uint64_t> nodes_of(const AgentView& view) {
  std::vector<std::uint64_t> nodes;
  if (view.verdict.path)
    for (const RoutePoint& point : view.verdict.path->points) nodes.push_back(point.node);
  return nodes;
}

}  // namespace repath::test

// A judge over a small world, and the batches that tests hand to it.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "verify/judge.h"

namespace repath::verify {

// A corridor of two lanes, with one agent from (0, 0) to (6, 0).
//     A.....G
//     .......
class JudgeTest : public testing::Test {
 protected:
  JudgeTest() {
    world_.add_view(Profile{"default", Topology::k4, CornerRule::kNone, {}}, 0);
    Agent agent;
    agent.id = 7;
    agent.spec.goals = {cell(6, 0)};
    agent.spec.goal_set = agent.spec.goals;
    agent.positions.push_back({1, cell(0, 0), 0});
    agent.asked_at = agent.disturbed_at = 1;
    agents_.emplace(agent.id, agent);
  }

  Cell cell(int x, int y) { return world_.view(0).now().cell(x, y); }
  Agent& agent() { return agents_.at(7); }

  void commit(Batch batch) {
    world_.apply(batch);
    judge_.on_commit();
  }
  void wall(std::uint64_t id, Rect cells) { commit({.upserts = {{id, cells, true, 1, 0, true}}}); }
  void open(std::uint64_t id) { commit({.removals = {id}}); }

  v1::EventBatch batch(std::uint64_t settled, std::uint64_t applied = 1) {
    v1::EventBatch b;
    b.set_batch_number(++batches_);
    b.set_revision(world_.revision());
    b.set_settled_revision(settled);
    b.set_applied_sequence(applied);
    return b;
  }
  v1::PathEvent& event(v1::EventBatch& b, v1::EventType type, std::uint64_t version, int x = 0) {
    v1::PathEvent& e = *b.add_events();
    e.set_type(type);
    e.set_agent_id(7);
    e.set_revision(world_.revision());
    e.mutable_cell()->set_x(x);
    e.set_path_version(version);
    if (type == v1::EVENT_TYPE_INVALIDATED || type == v1::EVENT_TYPE_COST_CHANGED) {
      e.add_cause_revisions(world_.revision());
    }
    return e;
  }
  // Adds a path event with these waypoints.
  v1::PathEvent& path(v1::EventBatch& b, v1::EventType type, std::uint64_t version, double cost,
                      const std::vector<int>& waypoints) {
    v1::PathEvent& e = event(b, type, version, waypoints[0]);
    e.set_cost(cost);
    v1::Path& p = *e.mutable_path();
    p.set_status(v1::PATH_STATUS_COMPLETE);
    p.set_optimality(v1::OPTIMALITY_OPTIMAL);
    p.set_cost(cost);
    p.set_revision(world_.revision());
    p.set_path_version(version);
    for (const int w : waypoints) p.add_cells(w);
    return e;
  }
  void judge(const v1::EventBatch& b) { judge_.on_batch(b, b.applied_sequence()); }
  // Begins with an agent that holds the straight path, settled at revision 1.
  void begin() {
    v1::EventBatch b = batch(1);
    path(b, v1::EVENT_TYPE_NEW_PATH, 1, 6, {0, 0, 6, 0});
    judge(b);
    ASSERT_TRUE(tally_.clean());
  }

  WorldModel world_{7, 2, {{"ground", '.', 1, false}}};
  Agents agents_;
  Oracle oracle_{world_};
  Tally tally_{0};
  Judge judge_{world_, agents_, oracle_, tally_, 1};
  std::uint64_t batches_ = 0;
};

}  // namespace repath::verify

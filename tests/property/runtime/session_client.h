// The knowledge of a client that only reads batches, compared with the engine whenever a batch has
// emptied its stream's outbox.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "runtime/stream_hub.h"

namespace repath::test {

// The game's own knowledge of an agent.
struct Asked {
  AgentSpec spec;
  std::set<std::uint64_t> generations;  // since its question was last replaced
};

class SessionClient {
 public:
  // Borrows everything. `owner` is empty for a watch of all agents.
  SessionClient(Engine& engine, const std::map<AgentId, Asked>& asked)
      : engine_(engine), asked_(asked) {}

  // Forgets everything: another process reads now, or the session is new.
  void forget() { known_.clear(); }
  void forget(AgentId agent) { known_.erase(agent); }

  void hear(const EventBatch& batch) {
    std::set<std::pair<AgentId, EventType>> kinds;
    for (const OutgoingEvent& e : batch.events) {
      SCOPED_TRACE(::testing::Message() << "event " << static_cast<int>(e.event->type)
                                        << " of agent " << value(e.event->agent));
      EXPECT_TRUE(kinds.emplace(e.event->agent, e.event->type).second) << "twice in a batch";
      hear(*e.event);
    }
  }

  // Checks that the batches so far contain everything that the engine knows.
  void check(const std::optional<OwnerId>& owner) const {
    for (const auto& [id, known] : known_) {
      const auto owner_now = engine_.owner_of(id);
      EXPECT_TRUE(owner_now && (!owner || *owner_now == *owner))
          << "still knows agent " << value(id) << ", which is not its own";
    }
    for (const AgentId id : engine_.agent_ids(owner)) {
      SCOPED_TRACE(::testing::Message() << "agent " << value(id));
      const AgentView view = *engine_.agent(id);
      const auto at = known_.find(id);
      if (!view.waiting) {
        ASSERT_TRUE(at != known_.end()) << "is settled, and was never heard of";
        check_settled(at->second, view);
      } else if (at != known_.end()) {
        check_waiting(at->second, view);
      }
    }
  }

 private:
  struct Known {
    EventType type{};
    std::optional<AgentPath> path;
    PathVersion version{};
    bool is_broken = false;
    Cost cost = 0;
    NodeId node{};  // start of the path with this cost
    Spot spot;
    std::uint64_t generation = 0;
  };

  static bool has_way(const AgentPath& path) { return !path.nodes.empty() || !path.points.empty(); }
  static std::size_t waypoints(const AgentPath& path) {
    if (!path.points.empty()) return path.points.size();
    std::size_t runs = 0;
    for (std::size_t i = 1; i < path.nodes.size(); ++i)
      runs += i == 1 || step(path, i) != step(path, i - 1) ? 1 : 0;
    return runs + 1;
  }
  static std::uint32_t step(const AgentPath& path, std::size_t i) {
    return index(path.nodes[i]) - index(path.nodes[i - 1]);
  }

  void hear(const AgentEvent& e) {
    EXPECT_NE(e.type, EventType::kAsked);
    if (e.type == EventType::kRemoved) {
      known_.erase(e.agent);
      return;
    }
    const auto asked = asked_.find(e.agent);
    ASSERT_TRUE(asked != asked_.end()) << "of no agent";
    EXPECT_TRUE(asked->second.generations.contains(e.goal_generation))
        << "of an older question: " << e.goal_generation;
    if (e.type == EventType::kCostChanged || e.type == EventType::kConfirmed) {
      const auto at = known_.find(e.agent);
      ASSERT_TRUE(at != known_.end()) << "a note on nothing";
      at->second.generation = e.goal_generation;
      if (!at->second.path) return;
      EXPECT_EQ(e.path_version, at->second.version);
      at->second.cost = e.cost;
      at->second.node = e.position;
      at->second.spot = e.spot;
      return;
    }
    Known& known = known_[e.agent];
    if (e.type == EventType::kInvalidated) {
      if (e.first_invalid_waypoint) check_waypoint(known, e);
      known.is_broken = true;
    } else {
      known = {};
      if (e.path && has_way(*e.path)) {
        EXPECT_EQ(e.path->version, e.path_version);
        EXPECT_EQ(e.path->revision, e.revision);
        EXPECT_EQ(e.path->cost, e.cost);
        known.path = e.path;
      } else {
        EXPECT_TRUE(e.type == EventType::kUnreachable || e.type == EventType::kStartBlocked)
            << "a path without waypoints";
      }
    }
    known.type = e.type;
    known.version = e.path_version;
    known.cost = e.cost;
    known.node = e.position;
    known.spot = e.spot;
    known.generation = e.goal_generation;
  }

  void check_waypoint(const Known& known, const AgentEvent& e) {
    ASSERT_TRUE(known.path && known.version == e.path_version) << "points into an unknown path";
    const std::size_t last = waypoints(*known.path) - 1;
    // On graphs 0 is the place of an agent that stands at its goal.
    ASSERT_GE(*e.first_invalid_waypoint, last == 0 ? 0u : 1u);
    ASSERT_LE(*e.first_invalid_waypoint, last);
    if (known.path->nodes.empty() || e.revision != engine_.revision()) return;
    // Exactly the end of the run: a step of it is closed, or one was when the event arose.
    const auto snapshot =
        engine_.capture(asked_.at(e.agent).spec.profile, asked_.at(e.agent).spec.team);
    ASSERT_TRUE(snapshot.ok());
    const GridGraph graph = snapshot->grid->graph();
    std::size_t run = 0;
    bool is_closed = false;
    for (std::size_t i = 1; i < known.path->nodes.size(); ++i) {
      run += i == 1 || step(*known.path, i) != step(*known.path, i - 1) ? 1 : 0;
      if (run == *e.first_invalid_waypoint)
        is_closed |=
            graph.cost_between(known.path->nodes[i - 1], known.path->nodes[i]) == kUnreachable;
    }
    EXPECT_TRUE(is_closed) << "run " << *e.first_invalid_waypoint << " is open";
  }

  // Checks that the rest of the client's path is the path that the engine holds.
  void check_path(const Known& known, const AgentView& view) const {
    const AgentPath& held = *view.verdict.path;
    ASSERT_TRUE(known.path.has_value());
    EXPECT_EQ(known.version, view.verdict.path_version);
    const std::vector<NodeId>& nodes = known.path->nodes;
    ASSERT_GE(nodes.size(), held.nodes.size());
    EXPECT_TRUE(std::equal(held.nodes.rbegin(), held.nodes.rend(), nodes.rbegin()));
    if (!held.points.empty()) {  // the first point may be on a leg
      const std::vector<RoutePoint>& points = known.path->points;
      ASSERT_GE(points.size(), held.points.size());
      EXPECT_TRUE(std::equal(held.points.rbegin(), held.points.rend() - 1, points.rbegin()));
    }
    EXPECT_EQ(known.type == EventType::kPartial, view.verdict.type == EventType::kPartial);
    if (known.node != view.node || known.spot != view.spot) return;
    const Cost apart = std::max(known.cost, view.held_cost) - std::min(known.cost, view.held_cost);
    EXPECT_LE(apart, held.points.empty() ? 0 : 2 * kRouteCostSlack);
  }

  void check_settled(const Known& known, const AgentView& view) const {
    ASSERT_TRUE(view.has_verdict);
    EXPECT_TRUE(asked_.at(view.spec.id).generations.contains(known.generation));
    EXPECT_FALSE(known.is_broken);
    if (view.verdict.path && has_way(*view.verdict.path)) return check_path(known, view);
    EXPECT_FALSE(known.path.has_value());
    EXPECT_EQ(known.type, view.verdict.type);
  }

  void check_waiting(const Known& known, const AgentView& view) const {
    if (!view.has_verdict) return;
    EXPECT_TRUE(asked_.at(view.spec.id).generations.contains(known.generation));
    if (view.verdict.type == EventType::kInvalidated) {
      EXPECT_TRUE(known.is_broken);
    } else if (view.verdict.path && has_way(*view.verdict.path)) {
      EXPECT_FALSE(known.is_broken);
      check_path(known, view);
    }
  }

  Engine& engine_;
  const std::map<AgentId, Asked>& asked_;
  std::map<AgentId, Known> known_;
};

}  // namespace repath::test

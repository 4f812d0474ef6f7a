// Grids, as the promise asks for a kind of world (verdicts/kind.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/stats.h"
#include "grid_ground/state.h"
#include "verdicts/positions.h"
#include "verdicts/verdicts.h"

namespace repath {

class CommitVerdicts;
class Planner;
class Settling;

struct GridKind {
  using World = repath::World;
  using Commit = repath::Commit;
  using State = ReplanState;
  using Options = ReplanOptions;
  using Agent = repath::Agent;
  using Row = AgentRow;
  using Point = NodeId;
  using CommitVerdicts = repath::CommitVerdicts;
  using Planner = repath::Planner;
  using Positions = repath::Positions<GridKind>;
  using Seen = NodeId;
  using Settling = repath::Settling;

  // The result of a search on revision q goes through each delta after q, so the agent may be
  // proved up to any later revision.
  static constexpr bool kProofsReachOn = true;

  // ---- waiting ----
  static void begin_wait(State& s, Slot slot) {
    s.agents[slot].legs = 0;
    s.agents[slot].outrun = s.agents[slot].dropped = 0;
    ++s.goals_of(slot).waiting;
  }
  static void end_wait(State& s, Slot slot) { --s.goals_of(slot).waiting; }

  // ---- goals ----
  static void take_goals(State& s, Slot slot) {
    s.agents.row(slot).goal_box = s.goals_of(slot).goals.box();
  }
  static void forget_goals(State& s, Slot slot);
  static void forget_agent(State& s, Slot slot);

  // ---- the held path ----
  static void let_go_path(State& s, Slot slot) { s.index.remove(slot); }
  static std::size_t replace_path(State& s, Slot slot, const std::vector<NodeId>& nodes);
  static void take_up_path(State& s, Slot slot, std::size_t kept) {
    s.index.add(s.layer_of(slot), slot, kept);
  }

  // ---- places ----
  // Sets where its path begins; kNoNode: it stands in an obstacle and nothing stands in for its
  // place.
  static void set_origin(State& s, Slot slot, NodeId origin);
  static void lose_origin(State& s, Slot slot) { set_origin(s, slot, kNoNode); }
  static bool is_on_ground(const State& s, Slot slot) { return !is_off_ground(s.agents[slot]); }
  static bool is_snapped(const State& s, Slot slot) { return is_off_ground(s.agents[slot]); }
  // Returns whether a place of its goal set is free today. O(nodes of the set).
  static bool has_free_goal(const State& s, Slot slot) {
    return s.goals_of(slot).goals.any_free(s.layer_of(slot));
  }
  static bool is_where_told(const Agent& agent) { return agent.verdict.position == agent.node; }
  static void show_place(const Agent& agent, AgentEvent* event) { event->position = agent.node; }
  static void show_place(const Agent& agent, AgentView* view) { view->node = agent.node; }
  static void show_place(const Agent& agent, AgentGlance* seen) { seen->node = agent.node; }

  // ---- reports (positions.cc) ----
  static void put_at_position(State& s, Slot slot);
  static std::optional<std::uint32_t> find_on_path(State& s, Slot slot);
  static bool walk(State& s, Slot slot, std::uint32_t to);
  static std::optional<NodeId> find_place(State& s, Slot slot, bool* follows_past);
  static void move_to(State& s, Slot slot, NodeId node);
  static void move_in_obstacle(State& s, Slot slot, NodeId node) { s.agents[slot].node = node; }
  static bool is_free(const State& s, Slot slot, NodeId node) {
    return s.layer_of(slot).is_free(node);
  }
  static bool can_step_to(const State& s, Slot slot, NodeId node);
  static bool has_another_origin(const State& s, Slot slot);

  // ---- what is shown of a path ----
  static std::vector<NodeId>& points_of(AgentPath& path) { return path.nodes; }
  // The first broken step, which ends at broken_at.
  static void show_break(const State& s, Slot slot, AgentEvent* event);
  static void show_rest(const State& s, Slot slot, AgentPath* path);
  // Writes the line of the held path, if it is driven. REQUIRES: the agent is at its begin.
  static void show_line(const State& s, Slot slot, AgentPath* path);
  static std::uint32_t waypoints_behind(const State& s, Slot slot);
  // Writes the claim of a path that was found just now and whose proof is not spoilt.
  static void claim_found(const State& s, Slot slot, AgentPath* path);
  static void claim_today(const State& s, Slot slot, AgentPath* path);

  // ---- figures ----
  static void add_stats(const State& s, Stats* stats);
  static std::uint64_t shared_bytes(const State& s);
  static std::uint64_t memory_bytes(const Agent& agent);
};

// Keeps the agent's held path, which is about to be broken or doubted, and what was proved of it.
// If little changed since the path was found, the proof kept is of that revision. Otherwise it is
// of `revision`, where the path has this cost and lower bound. REQUIRES: kPath, and settled at
// `revision`, the one before the world's.
void remember_path(ReplanState& s, Slot slot, Revision revision, Cost cost, Cost lower);

}  // namespace repath

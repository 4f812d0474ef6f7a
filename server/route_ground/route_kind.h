// Worlds of routes (meshes and graphs), as the promise asks for a kind of world (verdicts/kind.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/stats.h"
#include "route_ground/on_route.h"
#include "route_ground/state.h"
#include "verdicts/positions.h"
#include "verdicts/verdicts.h"

namespace repath {

class RouteCommitVerdicts;
class RoutePlanner;
class RouteSettling;

// The place where an agent was seen: a place on the ground, or the position in its report.
struct SeenAt {
  Spot spot;
  bool is_on_ground = false;
};

struct RouteKind {
  using World = RouteWorld;
  using Commit = RouteCommit;
  using State = RouteState;
  using Options = RouteOptions;
  using Agent = RouteAgent;
  using Row = RouteRow;
  using Point = RoutePoint;
  using CommitVerdicts = RouteCommitVerdicts;
  using Planner = RoutePlanner;
  using Positions = repath::Positions<RouteKind>;
  using Seen = SeenAt;
  using Settling = RouteSettling;

  // The result of a search on revision q is proved for q or for today, and for no revision between:
  // the bounds of the ground are those of today.
  static constexpr bool kProofsReachOn = false;

  // ---- waiting ----
  static void begin_wait(State& s, Slot slot) {
    s.agents[slot].wants_copy = s.agents[slot].wants_fresh = false;
    ++s.goals_of(slot).waiting;
  }
  static void end_wait(State& s, Slot slot) { --s.goals_of(slot).waiting; }

  // ---- goals ----
  static void take_goals(State& s, Slot slot) { s.hindsight.drop(slot); }
  // A kept search is one for these goals, and reads the ground of their view.
  static void forget_goals(State& s, Slot slot) {
    s.agents[slot].remembered.clear();
    s.agents[slot].search.reset();
  }
  static void forget_agent(State& s, Slot slot) { s.hindsight.drop(slot); }

  // ---- the held route ----
  static void let_go_path(State& s, Slot slot);
  static std::size_t replace_path(State& s, Slot slot, const std::vector<RoutePoint>&) {
    let_go_path(s, slot);
    return 0;
  }
  static void take_up_path(State& s, Slot slot, std::size_t kept);

  // ---- places ----
  // Moves the agent along its route, to points[at] or onto the leg that begins there. `spot`: where
  // it is now; row.origin moves there, too.
  static void set_place(State& s, Slot slot, std::uint32_t at, const Spot& spot);
  // Sets where the agent is and where its route begins; empty: nowhere.
  static void set_origin(State& s, Slot slot, const Spot& spot, const std::optional<Spot>& origin);
  static void lose_origin(State& s, Slot slot) {
    set_origin(s, slot, s.agents[slot].spot, std::nullopt);
  }
  static bool is_on_ground(const State& s, Slot slot) {
    return s.agents.row(slot).has_origin && !s.agents.row(slot).is_snapped;
  }
  static bool is_snapped(const State& s, Slot slot) { return s.agents.row(slot).is_snapped; }
  // Returns whether some goal has a place today.
  static bool has_free_goal(const State& s, Slot slot) { return !s.goals_of(slot).spots.empty(); }
  static bool is_where_told(const Agent& agent) { return agent.verdict.spot == agent.spot; }
  static void show_place(const Agent& agent, AgentEvent* event) { event->spot = agent.spot; }
  static void show_place(const Agent& agent, AgentView* view) { view->spot = agent.spot; }
  static void show_place(const Agent& agent, AgentGlance* seen) { seen->spot = agent.spot; }

  // ---- reports (positions.cc) ----
  static void put_at_position(State& s, Slot slot);
  static std::optional<OnRoute> find_on_path(State& s, Slot slot);
  static bool walk(State& s, Slot slot, const OnRoute& to);
  static std::optional<SeenAt> find_place(State& s, Slot slot, bool* follows_past);
  static void move_to(State& s, Slot slot, const SeenAt& seen) {
    set_origin(s, slot, seen.spot, seen.is_on_ground ? std::optional(seen.spot) : std::nullopt);
  }
  static void move_in_obstacle(State& s, Slot slot, const SeenAt& seen) { move_to(s, slot, seen); }
  static bool is_free(const State&, Slot, const SeenAt& seen) { return seen.is_on_ground; }
  static bool can_step_to(const State& s, Slot slot, const SeenAt& seen);

  // ---- what is shown of a route ----
  static std::vector<RoutePoint>& points_of(AgentPath& path) { return path.points; }
  static void show_break(const State& s, Slot slot, AgentEvent* event) {
    event->first_invalid_waypoint = *s.agents[slot].broken_at;
  }
  static void show_rest(const State& s, Slot slot, AgentPath* path);
  static void show_line(const State&, Slot, AgentPath*) {}  // it is the route
  static std::uint32_t waypoints_behind(const State& s, Slot slot) {
    return s.agents[slot].path.at;
  }
  // Writes the claim of the held route, as far as its row shows it: optimality, allowance and
  // weight of `path`. REQUIRES: a route is held, and settled.
  static void claim_today(const State& s, Slot slot, AgentPath* path);
  static void claim_found(const State& s, Slot slot, AgentPath* path) {
    claim_today(s, slot, path);
  }

  // ---- figures ----
  static void add_stats(const State& s, Stats* stats) {
    stats->search_state_bytes = s.search_memory.bytes() + s.fresh_bytes;
    stats->fields = s.goals.fields();
  }
  static std::uint64_t shared_bytes(const State& s) {
    return s.log.bytes() + s.goals.bytes() + s.hindsight.bytes() + s.search_memory.bytes() +
           s.fresh_bytes;
  }
  static std::uint64_t memory_bytes(const Agent& agent);
};

}  // namespace repath

// Agents and their verdicts in one world of routes (a navmesh or a waypoint graph): the whole of
// this room behind one class. For grids see replan.
//
// Not thread-safe; one strand owns it. Borrows world and executor, which must outlive it. The same
// calls give the same events, whatever the executor's number of workers. Arguments are checked by
// the caller (engine/validate.h): what is given here must be valid.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "agents/stats.h"
#include "base/executor.h"
#include "reroute/commit_verdicts.h"
#include "reroute/planner.h"
#include "reroute/positions.h"
#include "reroute/settling.h"
#include "reroute/state.h"
#include "reroute/verdicts.h"
#include "routes/route_world.h"

namespace repath {

class Rerouter {
 public:
  // `search_memory_bytes`: what may be kept of searches for later ones.
  Rerouter(RouteWorld& world, Executor& executor,
           std::uint64_t search_memory_bytes = std::uint64_t{1} << 30);

  // ---- agents ----
  // All or none: fails only if a view cannot be had (see RouteWorld::acquire_view), naming the
  // place "agents[i].profile". A new or changed agent waits; an unchanged one keeps its verdict,
  // and one that only stands elsewhere is as reported there.
  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
  // REQUIRES: the agent is there.
  void report(const PositionReport& position, Micros now);
  // False: there is no such agent.
  bool remove(AgentId id, EventReason reason);
  void acknowledge(AgentId id, PathVersion version);

  // ---- changes ----
  // Before RouteWorld::apply changes the ground that searches in progress read. Harmless if the
  // batch is refused then.
  void before_commit() { planner_.before_commit(); }
  // After it: gives the at-once verdicts. Returns how many routes were invalidated.
  std::uint64_t on_commit(RouteCommit commit, Micros now);

  // ---- planning ----
  // A frame begins; until the next one its work may be done in portions.
  void begin_frame() { ++s_.frame; }
  // One portion. Returns the units used, at most `budget`.
  WorkUnits plan(WorkUnits budget, Micros now);
  // A frame in one go.
  WorkUnits step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }

  // Moves out the events since the last call.
  std::vector<AgentEvent> take_events();

  // ---- questions ----
  bool has(AgentId id) const { return s_.agents.find(id).has_value(); }
  std::uint64_t size() const { return s_.agents.size(); }
  std::optional<AgentView> view(AgentId id, bool with_path) const;
  // Ascending by id, the first `limit` with id >= from.
  std::vector<AgentView> views(AgentId from, std::size_t limit, bool with_paths,
                               std::optional<OwnerId> owner) const;
  std::optional<OwnerId> owner_of(AgentId id) const;
  // See Engine::latest_verdict.
  std::optional<AgentEvent> latest_verdict(AgentId id);
  // Ascending.
  std::vector<AgentId> ids_of(std::optional<OwnerId> owner) const;
  const WaitingBook& waiting() const { return s_.waiting; }
  // The greatest revision for which no agent of the owner waits.
  Revision settled_revision(std::optional<OwnerId> owner) const;
  std::optional<Revision> settled_revision_of(AgentId id) const;
  std::uint64_t frame() const { return s_.frame; }
  Stats stats() const;
  std::uint64_t memory_bytes() const;
  // For TestChanges: agents, routes and goals as they are.
  const RouteState& state() const { return s_; }

 private:
  void add(const AgentSpec& spec, OwnerId owner, RouteGoalsId goals);
  void change(RouteSlot slot, const AgentSpec& spec, RouteGoalsId goals);
  void set_owner(RouteSlot slot, OwnerId owner);
  void await_first_verdict(RouteSlot slot, RouteGoalsId goals, EventReason reason);
  AgentView view_of(RouteSlot slot, bool with_path) const;
  std::optional<AgentEvent> verdict_of(RouteSlot slot, bool with_path) const;
  void show_route(RouteSlot slot, bool with_path, AgentEvent* verdict) const;

  RouteState s_;
  RouteVerdicts verdicts_;
  RoutePositions positions_;
  RouteCommitVerdicts commit_verdicts_;
  RouteSettling settling_;
  RoutePlanner planner_;
};

}  // namespace repath

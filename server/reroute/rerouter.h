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
#include "agents/agent_verdicts.h"
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

class Rerouter final : public AgentVerdicts {
 public:
  // `search_memory_bytes`: what may be kept of searches for later ones.
  Rerouter(RouteWorld& world, Executor& executor,
           std::uint64_t search_memory_bytes = std::uint64_t{1} << 30);

  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override;
  bool report(const PositionReport& position, Micros now) override;
  bool remove(AgentId id, EventReason reason) override;
  void acknowledge(AgentId id, PathVersion version) override;

  // ---- changes ----
  // Before RouteWorld::apply changes the ground that searches in progress read. Harmless if the
  // batch is refused then.
  void before_commit() { planner_.before_commit(); }
  // After it: gives the at-once verdicts. Returns how many routes were invalidated.
  std::uint64_t on_commit(RouteCommit commit, Micros now);

  // ---- planning ----
  void begin_frame() override { ++s_.frame; }
  WorkUnits plan(WorkUnits budget, Micros now) override;
  // A whole frame.
  WorkUnits step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }

  std::vector<AgentEvent> take_events() override;

  // ---- questions ----
  std::uint64_t size() const override { return s_.agents.size(); }
  std::optional<AgentView> view(AgentId id, bool with_path) const override;
  std::vector<AgentView> views(AgentId from, std::size_t limit, bool with_paths,
                               std::optional<OwnerId> owner) const override;
  std::optional<OwnerId> owner_of(AgentId id) const override;
  std::optional<AgentEvent> latest_verdict(AgentId id) override;
  std::vector<AgentId> ids_of(std::optional<OwnerId> owner) const override;
  const WaitingBook& waiting() const override { return s_.waiting; }
  std::optional<Revision> settled_revision_of(AgentId id) const override;
  std::uint64_t frame() const override { return s_.frame; }
  Stats stats() const override;
  std::uint64_t memory_bytes() const override;
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

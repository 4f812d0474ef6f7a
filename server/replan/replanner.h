// Agents and their verdicts in one world: the whole of this room behind one class.
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
#include "replan/commit_verdicts.h"
#include "replan/planner.h"
#include "replan/positions.h"
#include "replan/settling.h"
#include "replan/state.h"
#include "replan/verdicts.h"
#include "world/world.h"

namespace repath {

class Replanner {
 public:
  Replanner(World& world, const ReplanOptions& options, Executor& executor);

  // ---- agents ----
  // All or none: fails only if a view cannot be had (see World::acquire_view), naming the place
  // "agents[i].profile". A new or changed agent waits; an unchanged one keeps its verdict, and one
  // that only stands elsewhere is as reported there.
  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
  // REQUIRES: the agent is there, the point on the map.
  void report(const PositionReport& position, Micros now);
  // False: there is no such agent.
  bool remove(AgentId id, EventReason reason);
  void acknowledge(AgentId id, PathVersion version);

  // ---- changes ----
  // Before World::commit changes the layers that searches in progress read.
  void before_commit() { s_.search_memory.pin_all(); }
  // After it: gives the at-once verdicts. Returns how many paths were invalidated.
  std::uint64_t on_commit(Commit commit, Micros now);

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
  // For TestChanges: agents, paths and goals as they are.
  ReplanState& state() { return s_; }

 private:
  void add(const AgentSpec& spec, OwnerId owner, GoalsId goals);
  void change(Slot slot, const AgentSpec& spec, GoalsId goals);
  void set_owner(Slot slot, OwnerId owner);
  void await_first_verdict(Slot slot, EventReason reason);
  AgentView view_of(Slot slot, bool with_path) const;
  std::optional<AgentEvent> verdict_of(Slot slot, bool with_path) const;
  void show_path(Slot slot, bool with_path, AgentEvent* verdict) const;

  ReplanState s_;
  Verdicts verdicts_;
  Positions positions_;
  CommitVerdicts commit_verdicts_;
  Settling settling_;
  Planner planner_;
};

}  // namespace repath

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
#include "agents/agent_verdicts.h"
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

class Replanner final : public AgentVerdicts {
 public:
  Replanner(World& world, const ReplanOptions& options, Executor& executor);

  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override;
  bool report(const PositionReport& position, Micros now) override;
  bool remove(AgentId id, EventReason reason) override;
  void acknowledge(AgentId id, PathVersion version) override;

  // ---- changes ----
  // Before World::commit changes the layers that searches in progress read.
  void before_commit() { s_.search_memory.pin_all(); }
  // After it: gives the at-once verdicts. Returns how many paths were invalidated.
  std::uint64_t on_commit(Commit commit, Micros now);

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

// The agents of one world and their verdicts: the whole of the promise behind one class, which
// agents/agent_verdicts.h describes.
//
// Not thread-safe; one strand owns it. Borrows world and executor, which must outlive it.
// `Kind` is what kind.h asks for: grids (Replanner), or meshes and graphs (Rerouter).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "agents/agent_verdicts.h"
#include "agents/stats.h"
#include "base/executor.h"
#include "verdicts/verdicts.h"

namespace repath {

template <class Kind>
class AgentBook final : public AgentVerdicts {
 public:
  using World = typename Kind::World;
  using State = typename Kind::State;
  using Options = typename Kind::Options;
  using Commit = typename Kind::Commit;

  AgentBook(World& world, const Options& options, Executor& executor);

  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override;
  bool report(const PositionReport& position, Micros now) override;
  bool remove(AgentId id, EventReason reason) override;
  void acknowledge(AgentId id, PathVersion version) override;

  // ---- changes ----
  // Prepares searches in progress, before the world changes the ground that they read. Harmless if
  // the batch is refused then.
  void before_commit() { planner_.before_commit(); }
  // Gives the at-once verdicts, after the world has changed. Returns how many paths were
  // invalidated.
  std::uint64_t on_commit(Commit commit, Micros now);

  // ---- planning ----
  void begin_frame() override { ++s_.frame; }
  WorkUnits plan(WorkUnits budget, Micros now) override;
  // Runs a whole frame.
  WorkUnits step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }

  std::vector<AgentEvent> take_events() override { return std::exchange(s_.events, {}); }

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
  // Agents, paths and goals as they are, for TestChanges.
  State& state() { return s_; }
  const State& state() const { return s_; }

 private:
  using GoalsId = typename Kind::GoalsId;

  void add(const AgentSpec& spec, OwnerId owner, GoalsId goals);
  void change(Slot slot, const AgentSpec& spec, GoalsId goals);
  void set_owner(Slot slot, OwnerId owner);
  void await_first_verdict(Slot slot, GoalsId goals, EventReason reason);
  AgentView view_of(Slot slot, bool with_path) const;
  std::optional<AgentEvent> verdict_of(Slot slot, bool with_path) const;
  void show_path(Slot slot, bool with_path, AgentEvent* verdict) const;

  State s_;
  Verdicts<Kind> verdicts_;
  typename Kind::Positions positions_;
  typename Kind::CommitVerdicts commit_verdicts_;
  typename Kind::Settling settling_;
  typename Kind::Planner planner_;
};

}  // namespace repath

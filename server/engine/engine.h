// One world and its agents as one class with no network, clock, thread or log in it: commands in,
// events out.
//
// The same commands give the same events, answers and state hash, whatever the executor's number of
// workers, in Debug and Release. Not thread-safe: one strand owns it; other threads read snapshots
// (see capture()). Time enters with the commands as microseconds of a clock that never goes back.
//
// Errors: an absl::Status with reason and field (base/error.h); a refused command has changed
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/agent_verdicts.h"
#include "agents/stats.h"
#include "base/executor.h"
#include "base/ids.h"
#include "engine/engine_world.h"
#include "engine/request_answers.h"

namespace repath {

struct StepReport {
  Revision revision{};
  std::uint64_t frame = 0;    // counted from 1
  WorkUnits used = 0;         // never above the budget
  std::uint64_t backlog = 0;  // agents that wait
  std::uint64_t oldest_wait_frames = 0;
  std::uint64_t late = 0;  // agents that wait past their max_staleness
  bool idle = false;       // no agent waits
};

class Engine final {
 public:
  Engine(std::unique_ptr<EngineWorld> world, const EngineOptions& options)
      : world_(std::move(world)),
        agents_(world_->agents()),
        agents_max_(options.agents_max),
        answers_(options.request_ids_max, options.request_id_ttl_us) {}
  // Of a World or any RouteWorld, see make_engine_world.
  template <class AnyWorld>
  static std::unique_ptr<Engine> create(std::unique_ptr<AnyWorld> world,
                                        const EngineOptions& options, Executor& executor) {
    return std::make_unique<Engine>(make_engine_world(std::move(world), options, executor),
                                    options);
  }

  // ---- commands ----
  // Applies one atomic batch. Gives every agent concerned its at-once verdict (see take_events)
  // before any planning. REQUIRES for this and test(): the batch is of the world's kind.
  absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now);
  // Returns the answer that this very command had before, if its request_id is known;
  // INVALID_ARGUMENT, reason REQUEST_ID_REUSED, if that was the id of another command. apply()
  // begins with it.
  absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command, Micros now);
  // Answers what the same batch would do; changes nothing. O(agents on what changes + what is not
  // yet known of the views asked about); in worlds of routes O(world).
  absl::StatusOr<TestAnswer> test(const TestChanges& command);
  // Adds or changes all of the agents, or none. A new agent waits for its verdict. An agent whose
  // question is replaced waits too, and its older verdict is gone at once: a kAsked event says so
  // in its place among the events. An agent that asks the same (is_same_question) keeps its
  // verdict.
  absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
  // Takes in all positions, or none: a position that is not on the map refuses all. Ignores unknown
  // ids, which may have been removed meanwhile, and returns them in the order given. The agent's
  // place on its path is found as server/docs/promise.md says.
  absl::StatusOr<std::vector<AgentId>> report_positions(std::span<const PositionReport> positions,
                                                        Micros now);
  // Ignores unknown ids. Returns the number of agents removed; each gets a kRemoved event with
  // `reason`.
  std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason);
  std::uint64_t remove_owner(OwnerId owner, EventReason reason) {
    return remove_agents(agents_.ids_of(owner), reason);
  }
  // Of the paths sent to the agent's client, this and older ones are known to have arrived.
  void acknowledge(AgentId agent, PathVersion version) { agents_.acknowledge(agent, version); }
  // Begins a frame: every agent that waits does so for one frame more.
  void begin_frame() { agents_.begin_frame(); }
  // Plans for at most `budget` work units, in the frame that began last.
  StepReport plan(WorkUnits budget, Micros now);
  // A whole frame.
  StepReport step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }
  // No agent waits: a frame would find nothing to plan.
  bool is_idle() const { return agents_.waiting().size() == 0; }

  // Moves out the events since the last call, in the order they arose.
  std::vector<AgentEvent> take_events() { return agents_.take_events(); }

  // ---- questions about agents ----
  // The greatest revision for which no agent of the owner waits; without an owner: of all agents.
  Revision settled_revision(std::optional<OwnerId> owner) const {
    return agents_.waiting().least_proved(owner).value_or(revision());
  }
  // The same of one agent, for streams that watch chosen agents; nothing for an unknown agent.
  std::optional<Revision> settled_revision_of(AgentId agent) const {
    return agents_.settled_revision_of(agent);
  }
  // Agents of the owner (or all) that wait, and of these the late ones at `now`.
  struct Waiting {
    std::uint64_t agents = 0;
    std::uint64_t late = 0;
  };
  Waiting waiting(std::optional<OwnerId> owner, Micros now) const {
    return {agents_.waiting().waiting(owner), agents_.waiting().late(owner, now)};
  }
  // Nothing for an unknown agent, as the next two. O(log agents).
  std::optional<OwnerId> owner_of(AgentId agent) const { return agents_.owner_of(agent); }
  std::optional<AgentView> agent(AgentId id) const { return agents_.view(id, /*with_path=*/true); }
  // Returns what a client that knows nothing of the agent must be sent: its verdict as it stands
  // today and from where it is, path included. A path that waits for its proof says kValidOnly; a
  // broken one is kInvalidated without a place in it. Returns nothing if no verdict counts (the
  // agent is new, astray, or out of an obstacle, and waits); then an event will come.
  // Not const: what is shown as kValidOnly and claimed more than silence can confirm is sent again
  // with its claim once it is proved.
  std::optional<AgentEvent> latest_verdict(AgentId id) { return agents_.latest_verdict(id); }
  // The owner's agents, or all, ascending. O(all agents).
  std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const {
    return agents_.ids_of(owner);
  }
  // The first `limit` agents with id >= from (and of this owner if given), ascending by id; without
  // paths unless asked for.
  std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                std::optional<OwnerId> owner) const {
    return agents_.views(from, limit, with_paths, owner);
  }
  std::uint64_t agent_count() const { return agents_.size(); }
  Stats stats() const { return agents_.stats(); }

  // ---- questions about the world ----
  Revision revision() const { return world_->revision(); }
  std::uint64_t state_hash() const { return world_->state_hash(); }
  std::uint64_t obstacle_count() const { return world_->obstacle_count(); }
  std::vector<Profile> profiles() const { return world_->profiles(); }
  std::uint64_t memory_bytes() const { return world_->bytes() + agents_.memory_bytes(); }
  // Returns what queries read: immutable, cheap to copy, safe on any thread while the engine goes
  // on. Makes the view of (profile, team) if it is not there yet: O(cells) once, kept while used.
  // NOT_FOUND, reason PROFILE_UNKNOWN.
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) {
    return world_->capture(profile, team);
  }

 private:
  absl::Status check_expected(const std::optional<Revision>& expected) const;

  const std::unique_ptr<EngineWorld> world_;
  AgentVerdicts& agents_;  // world_'s
  const std::uint32_t agents_max_;
  RequestAnswers<ChangeAnswer> answers_;
};

}  // namespace repath

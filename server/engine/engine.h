// One world and its agents as one class with no network, clock, thread or log in it: commands in,
// events out.
//
// The same commands give the same events, answers and state hash, whatever the executor's number of
// workers, in Debug and Release. Not thread-safe: one strand owns it; other threads read snapshots
// (see snapshot()). Time enters with the commands as microseconds of a clock that never goes back.
//
// Errors: an absl::Status with reason and field (base/error.h); a refused command has changed
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/executor.h"
#include "base/ids.h"
#include "engine/snapshot.h"
#include "replan/agent.h"
#include "replan/stats.h"
#include "world/batch.h"
#include "world/world.h"

namespace repath {

struct EngineOptions {
  Strategy strategy = Strategy::kAuto;
  std::uint64_t search_memory_bytes = std::uint64_t{1}
                                      << 30;  // kept search state; evicted by use above it
  std::uint32_t agents_max = 1'000'000;
  std::uint32_t request_ids_max = 65'536;  // answers kept for repeats
  Micros request_id_ttl_us = 600'000'000;  // 10 minutes
};

struct ApplyChanges {
  ChangeBatch batch;
  std::string request_id;  // up to 128 bytes; empty: none
  std::optional<Revision> expected_revision;
};

struct ChangeAnswer {
  Revision revision{};
  std::uint64_t state_hash = 0;
  bool repeated_request = false;
  std::uint64_t changed_edges = 0;
  std::uint64_t invalidated_agents = 0;
  std::uint64_t waiting_agents = 0;
};

struct TestChanges {
  struct Pair {
    NodeId from{};
    NodeId to{};
    std::string profile = "default";
    TeamId team{};
  };
  ChangeBatch batch;
  std::vector<Pair> pairs;
  std::optional<Revision> expected_revision;
  std::uint32_t max_agents = 1000;
};

struct TestAnswer {
  struct PairResult {
    bool before = false;
    bool after = false;
  };
  Revision revision{};
  std::vector<PairResult> pairs;
  std::vector<AgentId> affected_agents;  // whose held path has a changed edge
  std::vector<AgentId> cut_off_agents;   // who have a complete path and would have none
  bool truncated = false;
  std::uint64_t changed_edges = 0;
};

struct StepReport {
  Revision revision{};
  std::uint64_t frame = 0;    // counted from 1
  WorkUnits used = 0;         // never above the budget
  std::uint64_t backlog = 0;  // agents that wait
  std::uint64_t oldest_wait_frames = 0;
  std::uint64_t late = 0;  // wait past their max_staleness
  bool idle = false;       // nobody waits
};

class Engine {
 public:
  // Takes the world. `executor` is borrowed and must outlive the engine.
  static absl::StatusOr<std::unique_ptr<Engine>> create(std::unique_ptr<World> world,
                                                        const EngineOptions& options,
                                                        Executor& executor);
  ~Engine();

  // ---- commands ----
  // One atomic batch. Gives every agent concerned its at-once verdict (see take_events) before any
  // planning.
  absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now);
  // The same batch tried out: nothing changes. O(agents on changed edges + a flood for each pair's
  // view).
  absl::StatusOr<TestAnswer> test(const TestChanges& command) const;
  // All or none. An agent that is new or changed waits for its verdict; an unchanged one keeps it.
  absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
  // All or none; NOT_FOUND (AGENT_UNKNOWN, "positions[i].id") for an unknown id. Nodes are found as
  // exactness.md says.
  absl::Status report_positions(std::span<const PositionReport> positions, Micros now);
  // Unknown ids are passed over. Returns how many went; each gets a kRemoved event with `reason`.
  std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason);
  std::uint64_t remove_owner(OwnerId owner, EventReason reason);
  // Of the paths sent to the agent's client, this and older ones are known to have arrived.
  void acknowledge(AgentId agent, PathVersion version);
  // One frame: plans for at most `budget` work units.
  StepReport step(WorkUnits budget, Micros now);

  // ---- what came of them ----
  // Moves out the events since the last call, in the order they arose.
  std::vector<AgentEvent> take_events();

  // ---- questions ----
  // The greatest revision for which no agent of the owner waits; without an owner: of all agents.
  Revision settled_revision(std::optional<OwnerId> owner) const;
  // Agents of the owner (or all) that wait, and of these the late ones at `now`.
  struct Waiting {
    std::uint64_t agents = 0;
    std::uint64_t late = 0;
  };
  Waiting waiting(std::optional<OwnerId> owner, Micros now) const;
  // Waiting of one agent; false for an unknown id. For streams that watch chosen agents.
  std::optional<Revision> settled_revision_of(AgentId agent) const;

  std::optional<AgentView> agent(AgentId id) const;
  // Ascending by id, the first `limit` with id >= from (and of this owner if given); without paths
  // unless asked for.
  std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                std::optional<OwnerId> owner) const;
  std::uint64_t agent_count() const;

  const World& world() const;
  std::uint64_t state_hash() const;  // of the world
  Stats stats() const;
  std::uint64_t memory_bytes() const;

  // What queries read: immutable, cheap to copy, may be read by any thread while the engine goes
  // on. Makes the view of (profile, team) if it is not there yet: O(cells) once, kept while used.
  // NOT_FOUND, reason PROFILE_UNKNOWN.
  absl::StatusOr<Snapshot> snapshot(const std::string& profile, TeamId team);

 private:
  class Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath

// One world and its agents as one class with no network, clock, thread or log in it: commands in,
// events out.
//
// The same commands give the same events, answers and state hash, whatever the executor's number of
// workers, in Debug and Release. Not thread-safe: one strand owns it; other threads read snapshots
// (see capture()). Time enters with the commands as microseconds of a clock that never goes back.
// One implementation for each kind of world: engine/grid_engine.h, engine/route_engine.h.
//
// Errors: an absl::Status with reason and field (base/error.h); a refused command has changed
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/stats.h"
#include "base/executor.h"
#include "base/ids.h"
#include "base/sha256.h"
#include "engine/snapshot.h"
#include "routes/route_batch.h"
#include "routes/route_ground.h"
#include "world/batch.h"

namespace repath {

// What queries read. Cheap to copy.
struct AnySnapshot {
  Revision revision{};
  bool is_final = true;                       // else a later one of the same revision has more
  std::shared_ptr<const Snapshot> grid;       // null: a world of routes
  std::shared_ptr<const RouteGround> routes;  // null: a grid
};
// The first for grids.
using AnyProfiles = std::variant<std::vector<Profile>, std::vector<RouteProfile>>;

struct EngineOptions {
  Strategy strategy = Strategy::kAuto;
  std::uint64_t search_memory_bytes = std::uint64_t{1}
                                      << 30;  // kept search state; evicted by use above it
  std::uint64_t first_leg_cells = std::uint64_t{1}
                                  << 20;  // grids from here on give agents a first leg
  std::uint32_t agents_max = 1'000'000;
  std::uint32_t request_ids_max = 65'536;  // answers kept for repeats
  Micros request_id_ttl_us = 600'000'000;  // 10 minutes
};

// The first for grids, the other for worlds of routes.
using AnyBatch = std::variant<ChangeBatch, RouteBatch>;

struct ApplyChanges {
  AnyBatch batch;
  std::string request_id;  // up to 128 bytes; empty: none
  std::optional<Revision> expected_revision;
  // Of all that the client said, but for request_id: what tells a repeat from another request.
  Sha256::Digest content{};
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
    MapPoint from;
    MapPoint to;
    std::string profile = "default";
    TeamId team{};
  };
  AnyBatch batch;
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
  // Whose held path has a changed edge; in worlds of routes see reroute/tried_batch.h.
  std::vector<AgentId> affected_agents;
  std::vector<AgentId> cut_off_agents;  // who have a complete path and would have none
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
  virtual ~Engine() = default;

  // ---- commands ----
  // One atomic batch. Gives every agent concerned its at-once verdict (see take_events) before any
  // planning. REQUIRES for this and test(): the batch is of the world's kind.
  virtual absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now) = 0;
  // The answer that this very command had before, if its request_id is known; INVALID_ARGUMENT,
  // reason REQUEST_ID_REUSED, if that was the id of another one. As apply() does first of all.
  virtual absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command,
                                                                  Micros now) = 0;
  // The same batch tried out: nothing changes. O(agents on what changes + what is not yet known of
  // the views asked about); in worlds of routes O(world).
  virtual absl::StatusOr<TestAnswer> test(const TestChanges& command) = 0;
  // All or none. A new agent waits for its verdict. One whose question is replaced does so too, and
  // its older verdict is gone at once: a kAsked event says so in its place among the events. An
  // agent that asks the same (is_same_question) keeps its verdict.
  virtual absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner,
                                     Micros now) = 0;
  // Passes unknown ids over and returns them in the order given, for an agent may have been removed
  // meanwhile. All or none of the others: a position that is not on the map refuses all. Places are
  // found as exactness.md says.
  virtual absl::StatusOr<std::vector<AgentId>> report_positions(
      std::span<const PositionReport> positions, Micros now) = 0;
  // Unknown ids are passed over. Returns how many went; each gets a kRemoved event with `reason`.
  virtual std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason) = 0;
  virtual std::uint64_t remove_owner(OwnerId owner, EventReason reason) = 0;
  // Of the paths sent to the agent's client, this and older ones are known to have arrived.
  virtual void acknowledge(AgentId agent, PathVersion version) = 0;
  // A frame begins: whoever waits does so for one frame more.
  virtual void begin_frame() = 0;
  // Plans for at most `budget` work units, in the frame that began last.
  virtual StepReport plan(WorkUnits budget, Micros now) = 0;
  // Nobody waits: a frame would find nothing to plan.
  virtual bool is_idle() const = 0;
  // A whole frame.
  StepReport step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }

  // ---- what came of them ----
  // Moves out the events since the last call, in the order they arose.
  virtual std::vector<AgentEvent> take_events() = 0;

  // ---- questions ----
  // The greatest revision for which no agent of the owner waits; without an owner: of all agents.
  virtual Revision settled_revision(std::optional<OwnerId> owner) const = 0;
  // Agents of the owner (or all) that wait, and of these the late ones at `now`.
  struct Waiting {
    std::uint64_t agents = 0;
    std::uint64_t late = 0;
  };
  virtual Waiting waiting(std::optional<OwnerId> owner, Micros now) const = 0;
  // Waiting of one agent; false for an unknown id. For streams that watch chosen agents.
  virtual std::optional<Revision> settled_revision_of(AgentId agent) const = 0;

  // Nothing if there is no such agent. O(log agents).
  virtual std::optional<OwnerId> owner_of(AgentId agent) const = 0;

  virtual std::optional<AgentView> agent(AgentId id) const = 0;
  // What a client that knows nothing of the agent is to be told of it: its verdict as it stands
  // today and from where it is, path included. A path that waits for its proof says kValidOnly, a
  // broken one is kInvalidated without a place in it. Nothing if no verdict counts (the agent is
  // new, astray, or out of an obstacle, and waits), or there is no such agent; then an event will
  // come.
  // Not const: what is shown as kValidOnly and claimed more than silence can confirm is sent again
  // with its claim once it is proved.
  virtual std::optional<AgentEvent> latest_verdict(AgentId id) = 0;
  // Of the owner's agents, or all, ascending. O(all agents).
  virtual std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const = 0;
  // Ascending by id, the first `limit` with id >= from (and of this owner if given); without paths
  // unless asked for.
  virtual std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                        std::optional<OwnerId> owner) const = 0;
  virtual std::uint64_t agent_count() const = 0;

  virtual Revision revision() const = 0;
  virtual std::uint64_t state_hash() const = 0;  // of the world
  virtual std::uint64_t obstacle_count() const = 0;
  virtual AnyProfiles profiles() const = 0;
  virtual Stats stats() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;

  // What queries read: immutable, cheap to copy, may be read by any thread while the engine goes
  // on. Makes the view of (profile, team) if it is not there yet: O(cells) once, kept while used.
  // NOT_FOUND, reason PROFILE_UNKNOWN.
  virtual absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) = 0;
};

}  // namespace repath

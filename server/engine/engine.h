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
<<<<<<< HEAD
#include <utility>
    =======
>>>>>>> 5a10913 (world, rpc: one language for worlds of every kind; the log keeps the client's bytes)
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/agent_verdicts.h"
#include "agents/stats.h"
#include "base/executor.h"
#include "base/ids.h"
    <<<<<<< HEAD
#include "engine/engine_world.h"
#include "engine/request_answers.h"

    namespace repath {

=======
#include "base/sha256.h"
#include "engine/snapshot.h"
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

  struct ApplyChanges {
    ChangeBatch batch;
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
    // Whose held path has a changed edge; in worlds of routes see reroute/tried_batch.h.
    std::vector<AgentId> affected_agents;
    std::vector<AgentId> cut_off_agents;  // who have a complete path and would have none
    bool truncated = false;
    std::uint64_t changed_edges = 0;
  };

>>>>>>> 5a10913 (world, rpc: one language for worlds of every kind; the log keeps the client's bytes)
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
<<<<<<< HEAD
    // Applies one atomic batch. Gives every agent concerned its at-once verdict (see take_events)
    // before any planning. REQUIRES for this and test(): the batch is of the world's kind.
    absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now);
    // Returns the answer that this very command had before, if its request_id is known;
    // INVALID_ARGUMENT, reason REQUEST_ID_REUSED, if that was the id of another command. apply()
    // begins with it.
    absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command,
                                                            Micros now);
    // Answers what the same batch would do; changes nothing. O(agents on what changes + what is not
    // yet known of the views asked about); in worlds of routes O(world).
    absl::StatusOr<TestAnswer> test(const TestChanges& command);
    // Adds or changes all of the agents, or none. A new agent waits for its verdict. An agent whose
    // question is replaced waits too, and its older verdict is gone at once: a kAsked event says so
    // in its place among the events. An agent that asks the same (is_same_question) keeps its
    // verdict.
    absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
    // Takes in all positions, or none: a position that is not on the map refuses all. Ignores
    // unknown ids, which may have been removed meanwhile, and returns them in the order given. The
    // agent's place on its path is found as server/docs/promise.md says.
    absl::StatusOr<std::vector<AgentId>> report_positions(std::span<const PositionReport> positions,
                                                          Micros now);
    // Ignores unknown ids. Returns the number of agents removed; each gets a kRemoved event with
    // `reason`.
    std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason);
    std::uint64_t remove_owner(OwnerId owner, EventReason reason) {
      return remove_agents(agents_.ids_of(owner), reason);
    }
=======
    // One atomic batch. Gives every agent concerned its at-once verdict (see take_events) before
    // any
    // planning.
    virtual absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now) = 0;
    // The answer that this very command had before, if its request_id is known; INVALID_ARGUMENT,
    // reason REQUEST_ID_REUSED, if that was the id of another one. As apply() does first of all.
    virtual absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command,
                                                                    Micros now) = 0;
    // The same batch tried out: nothing changes. O(agents on what changes + what is not yet known
    // of the views asked about); in worlds of routes O(world).
    virtual absl::StatusOr<TestAnswer> test(const TestChanges& command) = 0;
    // All or none. A new agent waits for its verdict. One whose question is replaced does so too,
    // and its older verdict is gone at once: a kAsked event says so in its place among the events.
    // An agent that asks the same (is_same_question) keeps its verdict.
    virtual absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner,
                                       Micros now) = 0;
    // Passes unknown ids over and returns them in the order given, for an agent may have been
    // removed meanwhile. All or none of the others: a position that is not on the map refuses all.
    // Places are found as exactness.md says.
    virtual absl::StatusOr<std::vector<AgentId>> report_positions(
        std::span<const PositionReport> positions, Micros now) = 0;
    // Unknown ids are passed over. Returns how many went; each gets a kRemoved event with `reason`.
    virtual std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason) = 0;
    virtual std::uint64_t remove_owner(OwnerId owner, EventReason reason) = 0;
>>>>>>> 5a10913 (world, rpc: one language for worlds of every kind; the log keeps the client's bytes)
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
    std::optional<AgentView> agent(AgentId id) const {
      return agents_.view(id, /*with_path=*/true);
    }
    // Returns what a client that knows nothing of the agent must be sent: its verdict as it stands
    // today and from where it is, path included. A path that waits for its proof says kValidOnly; a
    // broken one is kInvalidated without a place in it. Returns nothing if no verdict counts (the
    // agent is new, astray, or out of an obstacle, and waits); then an event will come.
    // Not const: what is shown as kValidOnly and claimed more than silence can confirm is sent
    // again with its claim once it is proved.
    std::optional<AgentEvent> latest_verdict(AgentId id) { return agents_.latest_verdict(id); }
    // The owner's agents, or all, ascending. O(all agents).
    std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const {
      return agents_.ids_of(owner);
    }
    // The first `limit` agents with id >= from (and of this owner if given), ascending by id;
    // without paths unless asked for.
    std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                  std::optional<OwnerId> owner) const {
      return agents_.views(from, limit, with_paths, owner);
    }
    std::uint64_t agent_count() const { return agents_.size(); }
    Stats stats() const { return agents_.stats(); }

<<<<<<< HEAD
    // ---- questions about the world ----
    Revision revision() const { return world_->revision(); }
    std::uint64_t state_hash() const { return world_->state_hash(); }
    std::uint64_t obstacle_count() const { return world_->obstacle_count(); }
    std::vector<Profile> profiles() const { return world_->profiles(); }
    std::uint64_t memory_bytes() const { return world_->bytes() + agents_.memory_bytes(); }
    // Returns what queries read: immutable, cheap to copy, safe on any thread while the engine goes
=======
    virtual Revision revision() const = 0;
    virtual std::uint64_t state_hash() const = 0;  // of the world
    virtual std::uint64_t obstacle_count() const = 0;
    virtual std::vector<Profile> profiles() const = 0;
    virtual Stats stats() const = 0;
    virtual std::uint64_t memory_bytes() const = 0;

    // What queries read: immutable, cheap to copy, may be read by any thread while the engine goes
>>>>>>> 5a10913 (world, rpc: one language for worlds of every kind; the log keeps the client's bytes)
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

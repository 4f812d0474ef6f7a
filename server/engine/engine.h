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
#include "base/stop_token.h"
#include "engine/engine_world.h"
#include "engine/request_answers.h"
#include "engine/tap.h"

namespace repath {

struct StepReport {
  Revision revision{};
  std::uint64_t frame = 0;    // counted from 1
  WorkUnits used = 0;         // never above the budget
  WorkUnits done = 0;         // as SpentUnits::done
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
        answers_(options.request_ids_max, options.request_id_ttl_us,
                 options.request_answers_bytes) {}
  // Makes the engine of a World or of any RouteWorld, see make_engine_world.
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
  // Returns the answer that this very command had before, if its request_id is known. Fails with
  // INVALID_ARGUMENT, reason REQUEST_ID_REUSED, if the id belongs to another command. apply() calls
  // it first.
  absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command, Micros now);
  // Answers what the batch would do, and changes nothing. O(agents on changed edges + unknown facts
  // of the views asked about); in worlds of routes O(world). For agents that wait see
  // EngineWorld::test, which also says how `stop` and the limit of the work end it.
  absl::StatusOr<TestAnswer> test(const TestChanges& command, const StopToken* stop = nullptr);
  // Adds or changes all of the agents, or none. A new agent waits for its verdict. An agent whose
  // question is replaced waits too. Its older verdict is void at once: a kAsked event marks this
  // among the events. An agent that asks the same question (is_same_question) keeps its verdict.
  absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now);
  // Adds agents that existed before this engine did, for example before a restart: all, or none.
  // Nothing is proved of them, so they wait. Their first verdict is NEW_PATH with reason
  // kRecovered, UNREACHABLE, PARTIAL or START_BLOCKED, and silence claims nothing before it.
  // agents_max does not count here. On meshes and graphs their places may lie anywhere, because
  // ground that was there may have gone. Errors: DATA_LOSS with reason WORLD_DAMAGED, if an agent
  // is of no use in this world or there already; the message names the agent and the field.
  absl::Status restore_agents(std::span<const RestoredAgent> agents, Micros now);
  // Keeps answers that were given before this engine was made, the oldest first. Too old ones are
  // left out. DATA_LOSS with reason WORLD_DAMAGED if a request_id occurs twice.
  absl::Status restore_answers(std::span<const GivenAnswer> answers, Micros now);
  // Takes in all positions, or none: one position off the map refuses all. Ignores unknown ids,
  // whose agents may have been removed since, and returns them in the order given.
  // server/docs/promise.md defines how an agent's place on its path is found.
  absl::StatusOr<std::vector<AgentId>> report_positions(std::span<const PositionReport> positions,
                                                        Micros now);
  // Ignores unknown ids. Returns the number of agents removed; each gets a kRemoved event with
  // `reason`.
  std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason);
  std::uint64_t remove_owner(OwnerId owner, EventReason reason) {
    return remove_agents(agents_.ids_of(owner), reason);
  }
  // Notes that this path and all older ones sent to the agent's client have arrived.
  void acknowledge(AgentId agent, PathVersion version) {
    if (tap_ != nullptr) tap_->on_acknowledge(agent, version);
    agents_.acknowledge(agent, version);
  }
  // Begins a frame: the wait of every waiting agent grows by one frame.
  void begin_frame() {
    if (tap_ != nullptr) tap_->on_frame();
    agents_.begin_frame();
  }
  // Plans for at most `budget` work units, in the frame that began last.
  StepReport plan(WorkUnits budget, Micros now);
  // Begins a frame and plans it.
  StepReport step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now);
  }
  // Returns true if no agent waits, so that a frame would find nothing to plan.
  bool is_idle() const { return agents_.waiting().size() == 0; }

  // Moves out the events since the last call, in the order they arose.
  std::vector<AgentEvent> take_events() {
    std::vector<AgentEvent> events = agents_.take_events();
    if (tap_ != nullptr) tap_->on_events(events);
    return events;
  }
  // Calls the tap for everything from now on (EngineTap). Borrows it; null: none.
  void set_tap(EngineTap* tap) { tap_ = tap; }

  // ---- questions about agents ----
  // Returns the greatest revision at which no agent of the owner waits; without an owner, no agent
  // at all.
  Revision settled_revision(std::optional<OwnerId> owner) const {
    return agents_.waiting().least_proved(owner).value_or(revision());
  }
  // Returns the same for one agent, for streams that watch chosen agents; nothing for an unknown
  // agent.
  std::optional<Revision> settled_revision_of(AgentId agent) const {
    return agents_.settled_revision_of(agent);
  }
  // Number of waiting agents of the owner (or of all), and how many of them are late at `now`.
  struct Waiting {
    std::uint64_t agents = 0;
    std::uint64_t late = 0;
  };
  Waiting waiting(std::optional<OwnerId> owner, Micros now) const {
    return {agents_.waiting().waiting(owner), agents_.waiting().late(owner, now)};
  }
  // Returns nothing for an unknown agent, as do the next two functions. O(log agents).
  std::optional<OwnerId> owner_of(AgentId agent) const { return agents_.owner_of(agent); }
  std::optional<AgentView> agent(AgentId id) const { return agents_.view(id, /*with_path=*/true); }
  // Returns the event that a client without knowledge of the agent must be sent: its verdict as of
  // today, from the agent's present place, path included. The verdict is kValidOnly for a path that
  // waits for its proof, and kInvalidated without a place for a broken path. The result is empty if
  // no verdict counts: the agent is new, astray, or out of an obstacle, and waits. In that case an
  // event will come.
  // Not const: a path shown as kValidOnly that claimed more than silence can confirm is sent again
  // with its claim once it is proved.
  std::optional<AgentEvent> latest_verdict(AgentId id) {
    if (tap_ != nullptr) tap_->on_latest_verdict(id);
    return agents_.latest_verdict(id);
  }
  // Returns the ids of the owner's agents, or of all, ascending. O(all agents).
  std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const {
    return agents_.ids_of(owner);
  }
  // Returns the first `limit` agents with id >= from (and of this owner if given), ascending by id.
  // Paths are left out unless asked for.
  std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                std::optional<OwnerId> owner) const {
    return agents_.views(from, limit, with_paths, owner);
  }
  // Returns all agents as a viewer sees them, ascending by id. O(all agents).
  std::vector<AgentGlance> glances() const { return agents_.glances(); }
  std::uint64_t agent_count() const { return agents_.size(); }
  Stats stats() const { return agents_.stats(); }

  // ---- questions about the world ----
  Revision revision() const { return world_->revision(); }
  std::uint64_t state_hash() const { return world_->state_hash(); }
  std::uint64_t obstacle_count() const { return world_->obstacle_count(); }
  const std::vector<Profile>& profiles() const { return world_->profiles(); }
  std::uint64_t memory_bytes() const {
    return world_->bytes() + agents_.memory_bytes() + answers_.bytes();
  }
  // Sets the limit of the memory of the world and its views. They keep what they have, even if that
  // is more.
  void set_memory_limit(std::uint64_t bytes) { world_->set_memory_limit(bytes); }
  // Returns the memory of the answers kept for repeated requests; a part of memory_bytes().
  std::uint64_t answers_bytes() const { return answers_.bytes(); }
  // Returns a snapshot for queries: immutable, cheap to copy, safe on any thread while the engine
  // goes on. Makes the view of (profile, team) if it does not exist yet: O(cells) once, kept while
  // used. NOT_FOUND, reason PROFILE_UNKNOWN.
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) {
    if (tap_ != nullptr) tap_->on_capture(profile, team);
    return world_->capture(profile, team);
  }
  // Returns what find_placements() reads for a walker of (profile, team). Errors as capture(), and
  // FAILED_PRECONDITION with reason KIND_UNSUITED for meshes and graphs. O(agents), and once as
  // capture(). REQUIRES: on a grid, the anchors are on the map.
  absl::StatusOr<PlacementGround> capture_placements(const std::string& profile, TeamId team,
                                                     const PlacementQuery& query);

  // ---- reading the world back, see world/world_content.h ----
  // Return a page of the world as it is now. ABORTED with reason REVISION_MISMATCH if the world is
  // not at the revision expected; OUT_OF_RANGE with reason REVISION_NOT_YET for tiles changed since
  // a revision to come; FAILED_PRECONDITION with reason KIND_UNSUITED for another kind's content.
  absl::StatusOr<TerrainPage> read_terrain(const TerrainQuestion& question) const;
  absl::StatusOr<GraphPage> read_graph(const GraphQuestion& question) const;
  absl::StatusOr<ObstaclePage> read_obstacles(const ObstacleQuestion& question) const;
  // Begin, advance and give up a copy of the world, see World::begin_copy.
  absl::StatusOr<CopyId> begin_copy() { return world_->begin_copy(); }
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) {
    return world_->advance_copy(id, bytes);
  }
  void end_copy(CopyId id) { world_->end_copy(id); }

 private:
  absl::Status check_expected(const std::optional<Revision>& expected) const;
  // Fills in the revision of a page.
  template <class Page>
  absl::StatusOr<Page> whole(std::optional<Page> page, const char* kind) const;

  const std::unique_ptr<EngineWorld> world_;
  AgentVerdicts& agents_;  // world_'s
  EngineTap* tap_ = nullptr;
  const std::uint32_t agents_max_;
  RequestAnswers<ChangeAnswer> answers_;
};

}  // namespace repath

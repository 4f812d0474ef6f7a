// The interface between an engine and its world, whatever the world's kind, and the commands that
// both use. Two classes implement it: engine_grid.cc for grids, engine_routes.cc for navmeshes and
// waypoint graphs. Each command or question takes one virtual call.
//
// Not thread-safe; the engine's strand owns it. Snapshots may be read by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/agent_verdicts.h"
#include "base/executor.h"
#include "base/ids.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "engine/placements.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/validate.h"
#include "routes/route_world.h"
#include "world/batch.h"
#include "world/limits.h"
#include "world/piecewise_copy.h"
#include "world/world.h"
#include "world/world_content.h"

namespace repath {

struct ApplyChanges {
  ChangeBatch batch;
  std::string request_id;  // up to 128 bytes; empty: none
  std::optional<Revision> expected_revision;
  // Hash of everything in the request except request_id: distinguishes a repeat from another
  // request.
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

// An answer that is kept for repeats of its request, as plain data. An answer of Engine::apply that
// is no repeat can be kept so.
struct GivenAnswer {
  std::string request_id;
  Sha256::Digest content{};
  ChangeAnswer answer;
  Micros age_us = 0;  // time since it was given
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
  std::uint32_t max_paths = 0;   // number of agents whose new path is wanted
  std::string batch_bytes = {};  // the batch as the caller's protocol writes it; for recordings
};

// A question whose answer is an affected agent's path after the batch. Any thread may ask it.
struct TriedPath {
  AgentId agent{};
  PathQuery query;
  AnySnapshot after;
};

struct TestAnswer {
  struct PairResult {
    bool before = false;
    bool after = false;
  };
  Revision revision{};
  std::vector<PairResult> pairs;
  // On grids: agents with a changed edge on their held path, agents at its end that would stand in
  // an obstacle, and those cut off. In worlds of routes see route_ground/tried_batch.h. Both lists
  // ascend and have at most max_agents.
  std::vector<AgentId> affected_agents;
  // Agents with a complete path that would have none. An agent that waits counts if the ground has
  // a path for it and would have none.
  std::vector<AgentId> cut_off_agents;
  bool truncated = false;  // more agents are affected than max_agents
  std::uint64_t changed_edges = 0;
  // The questions of the first affected agents that are not cut off, at most max_paths. They ask as
  // FindPath does: crowds and curves do not count, and bodies of standing units are obstacles for
  // all.
  std::vector<TriedPath> new_paths = {};
};

// Limit of the work of one dry run to find which agents it would cut off and which pairs it would
// part. It counts units of 3 to 5 ns, before and after the batch together. docs/limits.md says what
// they suffice for.
inline constexpr std::uint64_t kTestUnitsMax = std::uint64_t{1} << 29;

struct EngineOptions {
  Strategy strategy = Strategy::kAuto;
  // Limit of kept search state. Above it the state that was used longest ago is dropped.
  std::uint64_t search_memory_bytes = std::uint64_t{1} << 30;
  // Limit of the changed edges (grids) or changes of the ground that each view remembers; empty:
  // the limit of the kind of world. Searches that need older ones begin again.
  std::optional<std::size_t> log_changes_max = std::nullopt;
  // Limit of the memory that all views together take to remember them.
  std::uint64_t log_bytes_max = ~std::uint64_t{0};
  // Grids of at least so many cells give agents a first leg.
  std::uint64_t first_leg_cells = std::uint64_t{1} << 20;
  std::uint32_t agents_max = 1'000'000;
  std::uint64_t test_units_max = kTestUnitsMax;  // see EngineWorld::test
  std::uint32_t request_ids_max = kRequestAnswersMax;
  Micros request_id_ttl_us = kRequestAnswerUs;
  std::uint64_t request_answers_bytes = ~std::uint64_t{0};  // memory of these answers
  // The versions of all agents' paths begin above this number. A world that is loaded again must
  // give one above all versions that it has sent before.
  PathVersion first_path_version{};
};

// The world as the engine sees it. As AgentRules it defines what clients may ask for agents.
class EngineWorld : public AgentRules {
 public:
  // Returns the agents in the world, always the same object.
  virtual AgentVerdicts& agents() = 0;

  virtual Revision revision() const = 0;
  virtual std::uint64_t state_hash() const = 0;
  virtual std::uint64_t obstacle_count() const = 0;
  // Returns the memory of the world and of the facts that queries found, without the agents.
  virtual std::uint64_t bytes() const = 0;
  // Sets the limit of that memory. The world keeps what it has, even if that is more.
  virtual void set_memory_limit(std::uint64_t bytes) = 0;

  // Applies the batch and gives every agent concerned its at-once verdict. A refusal names the
  // batch's field and changes nothing. The engine fills ChangeAnswer::waiting_agents.
  virtual absl::StatusOr<ChangeAnswer> apply(const ChangeBatch& batch, Micros now) = 0;
  // Answers what the batch would do, except for the revision; changes nothing. RESOURCE_EXHAUSTED
  // with reason TEST_TOO_LARGE above EngineOptions::test_units_max, or WORLD_MEMORY if the world,
  // its clone and two tables of its ways would take more than twice the limit of set_memory_limit;
  // CANCELLED if `stop` (may be null) requests it.
  // REQUIRES: check_on_map accepts the points of the pairs.
  virtual absl::StatusOr<TestAnswer> test(const TestChanges& command, const StopToken* stop) = 0;
  // See Engine::capture.
  virtual absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) = 0;
  // Gives up the views kept for queries, which take places and memory that others may need. Returns
  // whether there were any.
  virtual bool give_up_query_views() = 0;
  // Returns the views that agents use, with their agents; nothing if this world has no cells.
  // `covered`: the cells that a tower may cover, on the map.
  virtual std::optional<std::vector<PlacementView>> capture_agents(const PlaceBox& covered) = 0;

  // ---- reading it back, see world/world_content.h ----
  // Return a page; the engine fills in the revision. Nothing if only another kind has it.
  virtual std::optional<TerrainPage> read_terrain(const TerrainQuestion& question) const = 0;
  virtual std::optional<GraphPage> read_graph(const GraphQuestion& question) const = 0;
  virtual ObstaclePage read_obstacles(const ObstacleQuestion& question) const = 0;
  // See World::begin_copy.
  virtual absl::StatusOr<CopyId> begin_copy() = 0;
  virtual std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) = 0;
  virtual void end_copy(CopyId id) = 0;
};

// Takes the world, which must not be null. Borrows `executor`, which must outlive it.
std::unique_ptr<EngineWorld> make_engine_world(std::unique_ptr<World> world,
                                               const EngineOptions& options, Executor& executor);
// Accepts points up to kRouteSnapReach beyond the world's bounds on the plane. Planning a route
// finds out whether there is ground.
std::unique_ptr<EngineWorld> make_engine_world(std::unique_ptr<RouteWorld> world,
                                               const EngineOptions& options, Executor& executor);

}  // namespace repath

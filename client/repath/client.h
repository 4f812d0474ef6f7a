// A game server's connection to Repath: worlds, changes, queries. Agents live in a Session
// (session.h).
//
//   Client client("127.0.0.1:7700");
//   client.apply("town", {.switches = {{.id = 7}}}).then([](Result<Applied> done) { ... });
//   auto session = client.open_session({.world = "town"}, {.on_event = ...});
//   while (running) {
//     client.poll();
//     ...one frame...
//   }
//
// Every call returns a Pending at once. The library does not throw: a failure is an Error in the
// Result. While the server is unavailable, calls that are safe to repeat are repeated until their
// deadline. A change has a request id, so that a repeated change takes effect once.
//
// Thread rule: all functions but poll() from any thread; poll() from one thread at a time. With
// Delivery::kPoll callbacks run inside poll() on its caller's thread; with kImmediate on the
// library's threads, one at a time.
//
// Ownership: the client owns its connection. Destroy it outside callbacks, after its sessions. That
// cancels all calls under way and waits for them: callbacks that have not run are dropped, futures
// become ready with kCancelled.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "repath/pending.h"
#include "repath/query.h"
#include "repath/read_back.h"
#include "repath/security.h"
#include "repath/session.h"
#include "repath/world.h"

namespace repath::client {

enum class Delivery { kPoll, kImmediate };

struct ClientOptions {
  Delivery delivery = Delivery::kPoll;
  std::chrono::milliseconds deadline{10'000};          // For a call, repeats included.
  std::chrono::milliseconds import_deadline{600'000};  // For an import, an export or a fork.
  std::chrono::milliseconds retry_first{50};  // Wait before the first repeat; it doubles each time,
  std::chrono::milliseconds retry_max{5'000};  // up to this. Also between a session's attempts.
  Security security = {};                      // Token and TLS; see security.h.
};

// The result of calls without an answer.
struct Done {};

class Client {
 public:
  // `address` is HOST:PORT or unix:/path. Connects on the first call.
  explicit Client(const std::string& address, ClientOptions options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Runs the callbacks that are due, for answers and sessions' events. Waits up to `wait` if none
  // is due. Returns how many callbacks ran; a session's batch counts as one. Does nothing with
  // Delivery::kImmediate.
  std::size_t poll(std::chrono::microseconds wait = std::chrono::microseconds(0));

  // --- worlds ---
  [[nodiscard]] Pending<World> create_world(NewWorld world);
  // Sends `map`, a whole map file, in chunks. Not repeated.
  [[nodiscard]] Pending<World> import_world(NewWorld world, std::string map,
                                            ImportOptions options = {});
  // Makes a world that equals `source` at `revision`; 0: at its current one. Without its agents.
  // Waits up to import_deadline, because a large world takes long.
  [[nodiscard]] Pending<World> fork_world(std::string source, std::string name,
                                          std::uint64_t revision = 0);
  [[nodiscard]] Pending<World> get_world(std::string name);
  // Returns all pages.
  [[nodiscard]] Pending<std::vector<World>> list_worlds();
  // Not repeated.
  Pending<Done> delete_world(std::string name);
  // Applies one atomic batch; repeats take effect once.
  Pending<Applied> apply(std::string world, ChangeBatch batch, ApplyOptions options = {});
  // Tries a batch; the world stays as it is. `max_paths`: number of affected agents whose new paths
  // are wanted, [0, 256].
  [[nodiscard]] Pending<Tested> test(std::string world, ChangeBatch batch,
                                     std::vector<Pair> pairs = {}, std::uint32_t max_paths = 0);
  // Read a page of a world as it is; the pages of one revision by expected_revision.
  [[nodiscard]] Pending<TerrainPage> get_terrain(TerrainQuery query);
  [[nodiscard]] Pending<ObstaclePage> list_obstacles(ObstacleQuery query);
  [[nodiscard]] Pending<GraphPage> get_graph(GraphQuery query);
  // Reads a whole world into memory, as it is at one revision. Not repeated.
  [[nodiscard]] Pending<Exported> export_world(ExportQuery query);
  // Runs one frame of a lockstep world. Not repeated.
  Pending<Ticked> tick(TickQuery tick);

  // --- queries ---
  [[nodiscard]] Pending<Path> find_path(PathQuery query);
  [[nodiscard]] Pending<Nearest> find_nearest(NearestQuery query);
  [[nodiscard]] Pending<Reachable> find_reachable(ReachableQuery query);
  [[nodiscard]] Pending<Away> find_away(AwayQuery query);
  [[nodiscard]] Pending<FlowField> get_flow_field(FlowQuery query);
  [[nodiscard]] Pending<Placements> find_placements(PlacementQuery query);
  [[nodiscard]] Pending<RaycastHit> raycast(RaycastQuery query);
  [[nodiscard]] Pending<PathCheck> check_path(PathCheckQuery query);
  [[nodiscard]] Pending<RandomPlace> find_random_point(RandomQuery query);

  // --- agents ---
  // Starts connecting and returns at once. The caller owns the session.
  [[nodiscard]] std::unique_ptr<Session> open_session(SessionOptions options,
                                                      SessionHandlers handlers);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath::client

// A world as it comes from its store, and what ties a world in memory to its store.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "runtime/codec.h"
#include "runtime/config.h"
#include "runtime/journal.h"
#include "store/store.h"

namespace repath {

class Recorder;
struct RecordingPlace;

struct LoadedWorld {
  struct Session {
    SessionRow row;
    OwnerId owner{};
    Micros expires_at = 0;  // of now_us()
  };

  std::unique_ptr<Engine> engine;  // with its agents, all waiting
  std::unique_ptr<WorldLog> log;
  std::uint64_t incarnation = 0;
  std::vector<Session> sessions = {};
  Journal::Positions positions = {};             // kept apart from the agents' rows
  WallMicros newest_at = 0;                      // of the rows of agents, and of the positions
  std::shared_ptr<Recorder> recorder = nullptr;  // of this time in memory; null: none
};

// Ties a world to a durable store. Borrows store and codec, which must outlive the
// world.
struct Keeping {
  Store* store = nullptr;
  const WorldCodec* codec = nullptr;
  WorldKey key{};
  // Reads the world from the store, on a query thread. Errors as Store::load; RESOURCE_EXHAUSTED
  // with reason MEMORY_TOTAL.
  std::function<absl::StatusOr<LoadedWorld>(const WorldFacts&)> load;
};

// Every engine of the server is made with these.
struct EngineParts {
  const Limits& limits;
  Executor& executor;
  // Replaces the world with its agents, for tests that plant faults; may be empty.
  std::function<std::unique_ptr<EngineWorld>(std::unique_ptr<EngineWorld>)> wrap = {};
  const RecordingPlace* recordings = nullptr;  // where worlds are recorded; null: nowhere
};
// Makes the engine, and sets the facts that depend on the content. REQUIRES: the settings are set.
absl::StatusOr<std::unique_ptr<Engine>> make_engine(AnyWorldSpec spec, const EngineParts& parts,
                                                    std::uint64_t incarnation, WorldFacts* facts,
                                                    WorkMeter* work);

// Lifts an engine's limit of memory as long as it lives: for content and agents that a world had
// before. They were within the limit then, and may need more now, because memory is estimated and
// depends on the order of changes.
class MemoryLimitLifted {
 public:
  MemoryLimitLifted(Engine* engine, const WorldSettings& settings);
  ~MemoryLimitLifted();
  MemoryLimitLifted(const MemoryLimitLifted&) = delete;
  MemoryLimitLifted& operator=(const MemoryLimitLifted&) = delete;

 private:
  Engine& engine_;
  const std::uint64_t limit_;
};

// Begins a recording if worlds are recorded, see Recorder::begin. Returns null, and logs why, if it
// cannot begin; the engine is then as it was.
std::shared_ptr<Recorder> begin_recording(const WorldFacts& facts, const EngineParts& parts,
                                          std::uint64_t incarnation,
                                          std::unique_ptr<Engine>* engine);

// Returns how much history a world with these settings keeps.
HistoryBound history_bound(const WorldSettings& settings, const Limits& limits);

// Reads a world: its newest snapshot, the records after it, each proved by its state hash, then its
// agents at their newest positions, its sessions and its answered requests. A stream that was open
// when the server ended counts as left at `opened_at`. Waits for the disk: O(world + records +
// agents). DATA_LOSS with reason WORLD_DAMAGED names the place.
absl::StatusOr<LoadedWorld> load_world(Store& store, const WorldCodec& codec, WorldKey key,
                                       const WorldFacts& facts, const EngineParts& parts,
                                       WallMicros opened_at);

// Applies records to a world that no strand owns. Each must give the revision and the state hash
// that it has; else DATA_LOSS with reason WORLD_DAMAGED.
absl::Status replay_records(std::span<const LogRecord> records, const WorldCodec& codec,
                            const WorldFacts& facts, Engine* engine);
// Reads the records up to `last` from the store and applies them. Waits for the disk. Errors also
// as Store::read.
absl::Status replay_log(Store& store, const WorldCodec& codec, WorldKey key,
                        const WorldFacts& facts, Revision last, Engine* engine);

// Copies a world that no strand owns yet.
std::shared_ptr<const WorldContent> copy_whole(Engine& engine);

}  // namespace repath

// All that outlives the process, whatever keeps it: the catalogue of worlds, and for each world its
// base, log, agents, sessions, answered requests, snapshots and positions.
//
// Thread rule: any thread may call any function. A function that says "waits" waits for the disk;
// a world's strand must not call it. Invariants:
// 1. A unit is durable as a whole or not at all. Units of one world become durable in the order of
//    their numbers.
// 2. After any crash each durable unit is there once.
// 3. The catalogue names a world only once its base is durable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/byte_source.h"
#include "base/ids.h"
#include "store/log_unit.h"
#include "store/world_log.h"

namespace repath {

// Key of a world in the store; never given twice.
enum class WorldKey : std::uint64_t {};
constexpr std::uint64_t value(WorldKey key) { return static_cast<std::uint64_t>(key); }

struct CatalogEntry {
  WorldKey key{};
  std::string name;
  std::string epoch;
  std::array<std::uint8_t, 32> definition{};  // digest of the request that made the world
  std::string request_id;                     // of that request; may be empty
  WallMicros made_at = 0;
  std::string facts;  // settings and facts; the rooms above write and read them
  // If true, only key and name are known, and loading the world fails.
  bool is_damaged = false;
  bool operator==(const CatalogEntry&) const = default;
};

struct StoredWorld {
  CatalogEntry entry;
  std::uint64_t incarnation = 0;       // grown by this load, and durable; 0 on a store in memory
  std::string snapshot;                // a world file: the newest whole snapshot, else the base
  Revision snapshot_revision{};        // revision of that file
  std::vector<StoredAgent> agents;     // ascending by id
  std::vector<SessionRow> sessions;    // ascending by name
  std::vector<RequestRow> requests;    // oldest first
  std::vector<PositionRow> positions;  // of the newest whole slot
  WallMicros positions_at = 0;         // when they were taken; 0: there are none
  std::unique_ptr<WorldLog> log;       // ends where the records end
};

// A world file of a world in the store.
struct StoredSnapshot {
  Revision revision{};
  std::string file;
};

// Counts the content of a backup, see Store::backup.
struct BackupFigures {
  std::uint64_t worlds = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;   // of these files
  std::uint64_t linked = 0;  // files that share their bytes with the store
  WallMicros taken_at = 0;   // the moment whose state it holds
};

// Counts what the store has done since it was opened.
struct StoreFigures {
  std::uint64_t commits = 0;
  std::uint64_t units = 0;           // durable
  std::uint64_t bytes = 0;           // of these units
  double commit_seconds = 0;         // spent in commits, the disk's part included
  std::uint64_t pending_units = 0;   // appended and not durable
  std::uint64_t pending_bytes = 0;   // of these units
  std::uint64_t failed_commits = 0;  // tried again later
  std::uint64_t snapshots = 0;
  std::uint64_t loads = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // Returns whether anything outlives the process. If not, load() finds no world, and snapshots and
  // positions are not kept.
  virtual bool is_durable() const = 0;

  // Returns all worlds, ascending by name. Waits.
  virtual absl::StatusOr<std::vector<CatalogEntry>> worlds() = 0;

  // Puts a world there: first its base, then its entry with a key that the store chooses. Returns
  // it without `snapshot`, which the caller has. `first` is the revision of its first change; the
  // base is of the revision before. `history` bounds the records kept. Waits. Errors:
  // ALREADY_EXISTS with reason WORLD_EXISTS; UNAVAILABLE with reason STORE_UNAVAILABLE.
  virtual absl::StatusOr<StoredWorld> create(CatalogEntry entry, ByteSource& base, Revision first,
                                             const HistoryBound& history) = 0;

  // Removes a world; its files and rows go later. The world's log may live on, and what is appended
  // to it is lost. Waits. NOT_FOUND with reason WORLD_UNKNOWN.
  virtual absl::Status remove(WorldKey key) = 0;

  // Reads a world without its records. Waits, also for what an earlier log of the world has not
  // made durable yet. REQUIRES: no log of the world lives. Errors: NOT_FOUND with reason
  // WORLD_UNKNOWN; DATA_LOSS with reason WORLD_DAMAGED, and the message names file or table and the
  // place; UNAVAILABLE with reason STORE_UNAVAILABLE.
  virtual absl::StatusOr<StoredWorld> load(WorldKey key, const HistoryBound& history) = 0;

  // Returns the durable records of a world from `start` on, bounded as in WorldLog::read. Empty at
  // the end. Waits. Errors: OUT_OF_RANGE with reason HISTORY_GONE and the fact oldest_revision;
  // DATA_LOSS with reason WORLD_DAMAGED, also if a record is missing.
  virtual absl::StatusOr<std::vector<LogRecord>> read(WorldKey key, Revision start,
                                                      std::size_t records_max,
                                                      std::size_t bytes_max) = 0;

  // Returns the newest whole snapshot, or the base, of at most `revision` from which the records
  // lead to it. Waits. Errors as load(), and OUT_OF_RANGE with reason HISTORY_GONE and the fact
  // oldest_revision, the first revision that the store can give: none of these records may be lost.
  virtual absl::StatusOr<StoredSnapshot> snapshot_at(WorldKey key, Revision revision) = 0;

  // Writes a snapshot of a loaded world: a world file as of `revision`, made after unit `lsn`.
  // Waits until that unit and the file are durable. Keeps the two newest snapshots, and drops
  // records beyond the history bound that neither needs. Errors: UNAVAILABLE with reason
  // STORE_UNAVAILABLE.
  virtual absl::Status snapshot(WorldKey key, Lsn lsn, Revision revision, ByteSource& bytes) = 0;

  // Keeps the positions of all agents of a world instead of those given before: soon in a file, on
  // the disk with the next snapshot or within 30 s. If the disk refuses them, they are tried again.
  // Does not wait.
  virtual void save_positions(WorldKey key, std::vector<PositionRow> rows, WallMicros at) = 0;

  // Writes a copy of the whole store, as it is at one moment within the call, to the new folder
  // `folder`; commits go on. Waits until it is on the disk. `over` is asked now and then whether
  // the caller still wants it; an error ends the backup, and nothing is left of it. Errors:
  // FAILED_PRECONDITION with reason NOT_DURABLE; ABORTED with reason BACKUP_UNDER_WAY; UNAVAILABLE
  // with reason STORE_UNAVAILABLE; those of BackupFolder::begin().
  virtual absl::StatusOr<BackupFigures> backup(const std::string& folder,
                                               const std::function<absl::Status()>& over);

  // Brings to the disk what can be brought there, and ends the store's own threads. Returns
  // UNAVAILABLE with reason STORE_UNAVAILABLE, the number of units that are not on the disk, and
  // why. REQUIRES: nothing is appended any more, and no other call is made.
  virtual absl::Status close() { return absl::OkStatus(); }

  // Returns OK, or why nothing more can be made durable: until space comes back, or until a
  // restart.
  virtual absl::Status health() const = 0;
  // Returns whether nothing more can be made durable until a restart.
  virtual bool has_failed() const { return false; }
  virtual StoreFigures figures() const = 0;
};

}  // namespace repath

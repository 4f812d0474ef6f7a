// The Store in a folder on disk: one SQLite database for what changes with every command, and files
// for bases, snapshots and positions. server/docs/durability.md describes formats and promises.
//
//     DIR/lock                        process id of the server that has the folder
//     DIR/repath.db, repath.db-wal    catalogue, log, agents, sessions, answered requests
//     DIR/worlds/KEY/                 base, two snapshots, positions
//
// One thread owns the database and commits what all worlds appended, together. A second one writes
// positions. Threads of the callers write bases and snapshots. Logs must be gone before the store.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/disk.h"
#include "store/store.h"
#include "world/limits.h"

namespace repath {

// Faults that tests plant, to see that they are found.
struct PlantedFaults {
  bool skip_sync = false;              // commits do not wait for the disk
  bool drop_record = false;            // now and then a record is not written
  bool acknowledge_early = false;      // units count as durable before their commit
  bool snapshot_without_tail = false;  // a snapshot does not wait for its unit
};

struct SqliteOptions {
  std::string vfs;             // name of the SQLite VFS; empty: the system's
  std::string database;        // path for SQLite; empty: repath.db in the folder
  std::unique_ptr<Disk> disk;  // null: the folder itself
  bool has_threads = true;     // false: pump() does their work
  // Clocks; empty: the system's.
  std::function<WallMicros()> wall_clock;
  std::function<Micros()> clock;
  // Bounds of one commit. `commit_us` bounds the time spent on writing before the disk is waited
  // for.
  std::size_t commit_units = 4096;
  std::uint64_t commit_bytes = 4u << 20;
  Micros commit_us = 20'000;
  // Bytes of units that wait for the disk, at most about; beyond them changes are refused.
  std::uint64_t pending_bytes_max = 64u << 20;
  // Free space below which changes are refused.
  std::uint64_t reserve_bytes = 64u << 20;
  // Records of a world that stay in memory for readers.
  std::uint64_t window_records = 1024;
  std::uint64_t window_bytes = 1u << 20;
  // Answered requests are kept this long, and so many for each world.
  Micros request_ttl_us = kRequestAnswerUs;
  std::size_t requests_max = kRequestAnswersMax;
  // Longest time that positions wait for the disk after they were given.
  Micros positions_sync_us = 30'000'000;
  // Positions that wait in memory because the disk does not take them, of worlds that were put out.
  // The positions of further such worlds are lost.
  std::size_t waiting_positions_max = 1'000'000;
  // A pass that frees the space of dropped records begins when so many are dropped, and a quarter
  // of all.
  std::uint64_t dead_min = 10'000;
  int wal_frames_max = 4000;  // the write-ahead log is moved into the database beyond them
  PlantedFaults planted;
};

class SqliteStore : public Store {
 public:
  // Opens the folder, or makes it. Errors: FAILED_PRECONDITION with reason STORE_LOCKED and the
  // fact pid if another process has it, with reason STORE_VERSION if a later version wrote it;
  // UNAVAILABLE with reason STORE_UNAVAILABLE.
  static absl::StatusOr<std::unique_ptr<SqliteStore>> open(const std::string& folder,
                                                           SqliteOptions options = {});

  // Without threads: commits what waits, once, and does a portion of the upkeep. Functions that
  // wait call it themselves.
  virtual void pump() = 0;
};

}  // namespace repath

// Random games of a store on a disk that crashes: worlds, units, snapshots, positions, removals,
// reloads, faults of the disk, and crashes at any of its operations. After each crash the store is
// opened again and compared with a plain model:
//
// 1. A world equals the model after some number of its units, no fewer than were durable and no
// more
//    than were appended. So nothing is lost, doubled or out of order.
// 2. Its records are gapless from the oldest one kept, and equal to the model's.
// 3. The snapshot is a whole file of its revision, and the records after it are there.
// 4. The catalogue has exactly the worlds that were made and not removed.
// 5. Positions are whole, and no older than those that a snapshot put on the disk.
//
// A game follows from its seed. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "sim/store/store_model.h"
#include "store/sqlite_store.h"
#include "support/crash_vfs.h"

namespace repath::sim {

struct GameOptions {
  PlantedFaults planted;
  bool has_disk_faults = true;
};

class StoreGame {
 public:
  StoreGame(std::uint64_t seed, GameOptions options);
  // Plays to the end or to the first violation, which it returns; empty: there was none.
  std::string play();

 private:
  bool open_store();
  void close_store();
  void live();   // one life of the process
  void check();  // after it
  void step();
  void create_world();
  void append(WorldKey key, std::size_t units);
  LogUnit random_unit(std::uint64_t revision);
  void snapshot(WorldKey key);
  void remove(WorldKey key);
  void reload(WorldKey key);
  void save_positions(WorldKey key);
  void read_some(WorldKey key);
  void plant_fault();
  void look();  // at what is durable now
  bool load(WorldKey key);
  bool compare(const StoredWorld& world, WorldKey key);
  bool compare_records(WorldKey key, const StoredWorld& world, const PlainWorld& plain);
  bool compare_positions(const StoredWorld& world, ModelWorld& model);
  bool compare_catalogue();
  void violate(const std::string& what) {
    if (violation_.empty()) violation_ = what;
  }
  WorldKey random_open();
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }

  static constexpr HistoryBound kHistory{20, 4000};
  static constexpr Micros kRequestTtlUs = 40'000'000;

  const GameOptions options_;
  Random random_;
  test::CrashDisk disk_;
  test::CrashVfs vfs_;
  WallMicros now_ = 1'000'000'000;
  std::unique_ptr<SqliteStore> store_;
  std::map<WorldKey, ModelWorld> models_;
  std::map<WorldKey, StoredWorld> open_;
  std::vector<ModelWorld> unsure_;  // creations that failed; their keys are not known
  std::set<WorldKey> keys_;         // ever given
  int names_ = 0;
  bool had_fault_ = false;  // of the disk, in this life
  std::string violation_;
};

}  // namespace repath::sim

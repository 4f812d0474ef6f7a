// The inside of SqliteStore. sqlite_store.cc opens and closes, sqlite_commit.cc commits.
// sqlite_worlds.cc makes, loads and removes worlds. sqlite_upkeep.cc drops what no world needs,
// writes positions and reads them. sqlite_backup.cc reads older states and writes backups.
//
// Thread rule: functions under "thread that commits" run on one thread, or in pump(). Locks are
// taken in this order: files_mutex of a LogState, mutex and waiting_mutex of a Keeper, mutex_.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "store/backup_folder.h"
#include "store/commit_queue.h"
#include "store/copied_store.h"
#include "store/log_table.h"
#include "store/position_slots.h"
#include "store/sql.h"
#include "store/sqlite_store.h"
#include "store/world_tables.h"

namespace repath {

class SqliteStoreImpl final : public SqliteStore {
 public:
  SqliteStoreImpl(const std::string& folder, SqliteOptions options);
  ~SqliteStoreImpl() override;
  absl::Status start(const std::string& folder);

  bool is_durable() const override { return true; }
  absl::StatusOr<std::vector<CatalogEntry>> worlds() override;
  absl::StatusOr<StoredWorld> create(CatalogEntry entry, ByteSource& base, Revision first,
                                     const HistoryBound& history) override;
  absl::Status remove(WorldKey key) override;
  absl::StatusOr<StoredWorld> load(WorldKey key, const HistoryBound& history) override;
  absl::StatusOr<std::vector<LogRecord>> read(WorldKey key, Revision start, std::size_t records_max,
                                              std::size_t bytes_max) override;
  absl::StatusOr<StoredSnapshot> snapshot_at(WorldKey key, Revision revision) override;
  absl::StatusOr<BackupFigures> backup(const std::string& folder,
                                       const std::function<absl::Status()>& over) override;
  absl::Status snapshot(WorldKey key, Lsn lsn, Revision revision, ByteSource& bytes) override;
  void save_positions(WorldKey key, std::vector<PositionRow> rows, WallMicros at) override;
  absl::Status health() const override { return queue_.refusal(Durability::kLocalDisk); }
  bool has_failed() const override { return queue_.refusal() == Refusal::kFinal; }
  StoreFigures figures() const override;
  absl::Status close() override;
  void pump() override;

 private:
  // The database with its tables; gone while the store is not open.
  struct Database {
    explicit Database(Sql& sql) : log(sql), worlds(sql) {}
    LogTable log;
    WorldTables worlds;
  };
  // The positions of one world.
  struct Keeper {
    explicit Keeper(WorldKey key) : slots(key) {}
    std::mutex mutex;  // guards the next three members; held while the disk is waited for
    PositionSlots slots;
    Micros sync_due = 0;      // 0: what was written is on the disk
    bool has_failed = false;  // the last try to write or sync
    std::atomic<bool> is_removed{false};
    std::mutex waiting_mutex;  // guards the members below
    Positions waiting;         // the newest that were given, as long as they are in no slot
    bool has_waiting = false;
  };

  absl::Status look_at_files(const std::function<bool()>& has_no_worlds);

  // ---- waiting, on the threads of callers
  absl::Status call(bool writes, std::function<absl::Status()> work,
                    std::function<void()> kept = {});
  absl::Status wait_durable(const LogState& state, Lsn lsn);
  std::shared_ptr<LogState> find_state(WorldKey key) const;
  std::shared_ptr<LogState> make_state(WorldKey key, const HistoryBound& history,
                                       const WorldState& world, const LogChain& chain);
  absl::Status read_snapshot(WorldKey key, const WorldState& world, std::uint64_t last,
                             const FolderContent& folder, LogState* state, StoredWorld* out);
  absl::Status read_rows(WorldKey key, const LogChain& chain, StoredWorld* out);
  absl::Status check_tally(WorldKey key, LogChain chain, const StoredWorld& loaded,
                           LogState* state);
  absl::Status keep_snapshot(LogState& state, Lsn lsn, std::uint64_t revision, ByteSource& bytes);
  absl::Status load_positions(WorldKey key, StoredWorld* out);
  absl::Status after_snapshot(LogState& state);
  // What a base or a snapshot leaves free: more than what changes need to go on.
  std::uint64_t file_room() const { return options_.reserve_bytes / 2 * 3; }
  void prune_snapshots(const LogState& state);
  // Copies the database in steps, commits in between. Returns when the last step was taken.
  absl::StatusOr<WallMicros> copy_database(const std::string& path,
                                           const std::function<absl::Status()>& over);
  absl::Status take_world(const CopiedWorld& world, BackupFolder* backup);
  // Returns the status of a call of the disk as that of an operation of the store.
  absl::Status disk_failed(const absl::Status& status);

  // ---- the thread that commits
  bool cycle();  // returns whether there was anything to do
  void commit_waiting();
  // Writes the waiting work into a transaction. Returns the number of entries written.
  std::size_t write_waiting();
  bool write_unit(PendingWork& work);
  // Writes the tallies of the worlds whose agents or sessions changed in this transaction.
  void write_tallies();
  void run_job(StoreJob& job);
  void kept(std::size_t entries);
  void acknowledge(std::size_t entries);
  void add_dirty(const std::shared_ptr<LogState>& state);
  void failed();
  void drop_culprit();
  void end_culprit();
  void fail_jobs();
  void run_reads();
  // Runs upkeep in a transaction of its own, unless the disk takes no writes.
  void in_transaction(const std::function<void()>& work);
  void commit(const std::function<void()>& work);
  void probe();
  void flush();
  // Where the rows of a world end as of the last commit.
  LogChain committed_chain(WorldKey key);
  absl::Status load_entry(WorldKey key, StoredWorld* out, WorldState* world, LogChain* chain);
  absl::Status raise_floor(const LogState& state, std::uint64_t older, std::uint64_t* floor);

  // Drops a portion of what no world needs.
  void upkeep();
  // Return whether there is more to do.
  bool drop_expired_requests();
  bool clean_removed();
  // Returns whether the folder of a removed world is gone.
  bool drop_folder(WorldKey key);
  bool sweep();
  void look_at_space();
  void set_final(const std::string& why);
  void update_refusal();
  void notify_all();

  // ---- the thread that writes positions
  std::shared_ptr<Keeper> keeper(WorldKey key);
  void write_positions(bool sync_all);
  void write_keeper(WorldKey key, Keeper& keeper, bool sync);
  absl::Status write_slot(Keeper& keeper);

  WallMicros wall_now() const { return options_.wall_clock(); }
  Micros now() const { return options_.clock(); }

  const std::string folder_;
  SqliteOptions options_;
  std::unique_ptr<Disk> disk_;
  std::unique_ptr<DiskLock> lock_;
  CommitQueue queue_;

  mutable std::mutex mutex_;  // guards the members of this paragraph
  std::map<WorldKey, std::weak_ptr<LogState>> states_;
  std::size_t forget_states_at_ = 1024;
  std::map<WorldKey, std::shared_ptr<Keeper>> keepers_;
  StoreFigures figures_;
  std::uint64_t next_key_ = 1;

  std::atomic<bool> is_final_{false};  // a sync failed
  // A backup is under way: no file that is whole is removed.
  std::atomic<bool> backs_up_{false};

  // The thread that commits.
  Sql sql_;
  std::unique_ptr<Database> db_;
  std::deque<PendingWork> waiting_;
  std::vector<std::shared_ptr<LogState>>
      touched_;  // since the flush of this transaction, or its start
  std::map<WorldKey, std::shared_ptr<LogState>> dirty_;  // wrote since the last flush
  bool has_flushed_ = false;                             // in this transaction
  std::shared_ptr<LogState> culprit_;                    // the log whose unit met damage
  bool is_failing_ = false;                              // the last commit failed
  bool has_space_ = true;
  WorldKey cleaned_{};        // removed worlds up to it had their turn
  std::set<WorldKey> stuck_;  // removed worlds whose folder stays
  bool sweeps_ = false;       // a pass over the log is under way
  std::map<std::uint64_t, std::uint64_t> sweep_floors_;
  std::uint64_t sweep_last_ = 0;
  bool has_told_of_floors_ = false;  // that they are damaged
  std::string failing_why_;
  Micros backoff_us_ = 0;
  Micros retry_at_ = 0;
  Micros upkeep_at_ = 0;
  bool has_upkeep_ = false;       // there is more to do soon
  std::size_t last_entries_ = 0;  // of the last commit
  Micros gather_us_ = 0;          // how long the next one waits for as many
  std::uint64_t written_ = 0;     // records, for planted faults

  bool is_closed_ = false;
  std::atomic<bool> stops_{false};
  std::thread commit_thread_;
  std::thread files_thread_;
};

}  // namespace repath

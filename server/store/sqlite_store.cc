#include "store/sqlite_store.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <utility>

#include "base/error.h"
#include "store/posix_disk.h"
#include "store/restore.h"
#include "store/schema.h"
#include "store/sqlite_store_impl.h"
#include "store/store_errors.h"
#include "store/wal_check.h"

namespace repath {
namespace {

template <class Clock>
std::uint64_t micros_now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch())
          .count());
}

constexpr std::chrono::milliseconds kPositionsEvery{250};
constexpr std::chrono::milliseconds kIdleWait{500};
constexpr std::chrono::milliseconds kUpkeepWait{20};
constexpr std::chrono::milliseconds kFailingWait{20};

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& folder,
                                                               SqliteOptions options) {
  if (options.disk == nullptr) {
    auto disk = PosixDisk::open_folder(folder);
    if (!disk.ok()) return store_unavailable(std::string(disk.status().message()));
    options.disk = *std::move(disk);
    REPATH_RETURN_IF_ERROR(check_restored(*options.disk, folder));
  }
  auto store = std::make_unique<SqliteStoreImpl>(folder, std::move(options));
  REPATH_RETURN_IF_ERROR(store->start(folder));
  return store;
}

SqliteStoreImpl::SqliteStoreImpl(const std::string& folder, SqliteOptions options)
    : folder_(folder),
      options_(std::move(options)),
      disk_(std::move(options_.disk)),
      queue_(options_.pending_bytes_max) {
  if (options_.database.empty()) options_.database = folder + "/repath.db";
  if (!options_.wall_clock) options_.wall_clock = &micros_now<std::chrono::system_clock>;
  if (!options_.clock) options_.clock = &micros_now<std::chrono::steady_clock>;
}

absl::Status SqliteStoreImpl::start(const std::string& folder) {
  auto lock = disk_->lock("lock");
  if (!lock.ok() && absl::IsFailedPrecondition(lock.status())) return lock.status();
  if (!lock.ok()) return store_unavailable(std::string(lock.status().message()));
  lock_ = *std::move(lock);
  if (absl::Status made = disk_->make_folder("worlds"); !made.ok())
    return store_unavailable(std::string(made.message()));
  // Looked at only for a new database: with many worlds the list is long.
  const auto has_no_worlds = [this] {
    const absl::StatusOr<std::vector<std::string>> folders = disk_->list("worlds");
    return folders.ok() && folders->empty();
  };
  REPATH_RETURN_IF_ERROR(look_at_files(has_no_worlds));
  REPATH_RETURN_IF_ERROR(sql_.open(options_.database, options_.vfs));
  REPATH_RETURN_IF_ERROR(open_schema(sql_, !options_.planted.skip_sync, has_no_worlds));
  if (absl::Status synced = disk_->sync_folder("."); !synced.ok())
    return store_unavailable(std::string(synced.message()));
  auto db = std::make_unique<Database>(sql_);
  REPATH_RETURN_IF_ERROR(db->log.open());
  next_key_ = db->worlds.next_key();
  if (sql_.failed()) return database_unreadable(sql_.message());
  db_ = std::move(db);
  look_at_space();
  spdlog::info("the store in {} is open", folder);
  if (!options_.has_threads) return absl::OkStatus();
  commit_thread_ = std::thread([this] {
    while (!stops_.load() || (!(queue_.empty() && waiting_.empty()) && !is_failing_)) {
      const bool idle = !cycle();
      if (stops_.load()) continue;
      if (is_failing_) {
        std::this_thread::sleep_for(kFailingWait);
      } else if (idle) {
        queue_.wait(has_upkeep_ ? kUpkeepWait : kIdleWait);
      }
    }
  });
  files_thread_ = std::thread([this] {
    while (!stops_.load()) {
      std::this_thread::sleep_for(kPositionsEvery);
      write_positions(/*sync_all=*/false);
    }
  });
  return absl::OkStatus();
}

// Refuses a write-ahead log from which SQLite would drop more than a commit that was under way, and
// one without its database: SQLite would make a new database and drop the log.
absl::Status SqliteStoreImpl::look_at_files(const std::function<bool()>& has_no_worlds) {
  const absl::StatusOr<std::string> start = disk_->read_part("repath.db", 0, 1);
  if (!start.ok() && !absl::IsNotFound(start.status())) return if_disk_failed(start.status());
  const bool has_database = start.ok() && !start->empty();
  if (!has_database && !has_no_worlds()) return database_missing("the folder `worlds` has files");
  const absl::StatusOr<std::string> log = disk_->read("repath.db-wal");
  if (absl::IsNotFound(log.status())) return absl::OkStatus();
  if (!log.ok()) return if_disk_failed(log.status());
  const WalReport report = check_wal(*log, [this](std::uint32_t page, std::string_view bytes) {
    const std::uint64_t offset = (std::uint64_t{page} - 1) * bytes.size();
    const auto found = disk_->read_part("repath.db", offset, bytes.size());
    return found.ok() && *found == bytes;
  });
  if (!report.damage.empty())
    return store_unavailable("repath.db-wal is damaged: " + report.damage +
                             "; restore the folder from a backup");
  if (!has_database && report.frames != 0) return database_missing("repath.db-wal has changes");
  if (report.is_torn)
    spdlog::warn("repath.db-wal: what follows frame {} is no whole commit, and is dropped",
                 report.frames);
  if (!report.must_be_emptied) return absl::OkStatus();
  spdlog::warn("repath.db-wal: its header is not whole; repath.db has all of it, it is emptied");
  const absl::StatusOr<std::unique_ptr<DiskFile>> file =
      disk_->open("repath.db-wal", Disk::Open::kEmpty);
  return if_disk_failed(file.ok() ? (*file)->sync() : file.status());
}

SqliteStoreImpl::~SqliteStoreImpl() {
  if (const absl::Status kept = close(); !kept.ok())
    spdlog::error("the store ends: {}", std::string(kept.message()));
}

absl::Status SqliteStoreImpl::close() {
  if (db_ == nullptr || std::exchange(is_closed_, true)) return absl::OkStatus();
  stops_ = true;
  queue_.wake();
  if (commit_thread_.joinable()) commit_thread_.join();
  if (files_thread_.joinable()) files_thread_.join();
  if (is_failing_ && !is_final_) {
    retry_at_ = 0;  // tries once more, whenever the last time was
    cycle();
  }
  while (!(queue_.empty() && waiting_.empty()) && !is_failing_ && !is_final_) cycle();
  fail_jobs();
  run_reads();
  write_positions(/*sync_all=*/true);
  if (!is_failing_ && !is_final_) {
    in_transaction([this] { flush(); });
    if (!is_failing_ && !is_final_) sql_.checkpoint(/*truncate=*/true);
  }
  if (queue_.pending_units() == 0) return absl::OkStatus();
  const std::string why = failing_why_.empty() ? std::string(health().message()) : failing_why_;
  return store_unavailable("units that are not on the disk: " +
                           std::to_string(queue_.pending_units()) + ", because of: " + why);
}

void SqliteStoreImpl::pump() {
  cycle();
  write_positions(/*sync_all=*/false);
}

absl::Status SqliteStoreImpl::call(bool writes, std::function<absl::Status()> work,
                                   std::function<void()> kept) {
  auto job = std::make_shared<StoreJob>();
  job->work = std::move(work);
  job->kept = std::move(kept);
  if (writes) {
    PendingWork entry;
    entry.job = job;
    queue_.push(std::move(entry));
  } else {
    queue_.push_read(job);
  }
  if (!options_.has_threads) {
    while (!queue_.is_done(*job)) cycle();
  } else {
    queue_.wait_for([&job] { return job->done; });
  }
  return job->result;
}

// A store that cannot write ends the wait.
absl::Status SqliteStoreImpl::wait_durable(const LogState& state, Lsn lsn) {
  const auto is_durable = [&] { return state.durable.load() >= value(lsn); };
  if (!options_.has_threads) {
    while (!is_durable() && !state.is_removed && !state.is_damaged) {
      cycle();
      if (!is_durable() && queue_.refusal() != Refusal::kNone) break;
    }
  } else {
    queue_.wait_for([&] {
      return is_durable() || queue_.refusal() != Refusal::kNone || state.is_removed ||
             state.is_damaged;
    });
  }
  if (is_durable()) return absl::OkStatus();
  if (state.is_removed) return key_unknown(state.key);
  absl::Status why = queue_.refusal(Durability::kLocalDisk);
  return why.ok() ? store_unavailable("the world's last changes are not on the disk") : why;
}

std::shared_ptr<LogState> SqliteStoreImpl::find_state(WorldKey key) const {
  const std::lock_guard lock(mutex_);
  const auto at = states_.find(key);
  return at == states_.end() ? nullptr : at->second.lock();
}

StoreFigures SqliteStoreImpl::figures() const {
  const std::lock_guard lock(mutex_);
  StoreFigures figures = figures_;
  figures.pending_units = queue_.pending_units();
  figures.pending_bytes = queue_.pending_bytes();
  return figures;
}

// Makes the disk's error one of the store. A failed sync is final.
absl::Status SqliteStoreImpl::disk_failed(const absl::Status& status) {
  if (absl::IsDataLoss(status)) set_final(std::string(status.message()));
  return store_unavailable(std::string(status.message()));
}

void SqliteStoreImpl::set_final(const std::string& why) {
  if (is_final_.exchange(true)) return;
  spdlog::critical("nothing more can be made durable until a restart: {}", why);
  queue_.refuse(Refusal::kFinal,
                "the disk failed, and nothing can be made durable until the server is started "
                "again: " +
                    why);
  notify_all();
}

void SqliteStoreImpl::update_refusal() {
  Refusal refusal = Refusal::kNone;
  std::string why;
  if (!has_space_) {
    refusal = Refusal::kAll;
    why = "less than " + std::to_string(options_.reserve_bytes >> 20) +
          " MiB are free on the disk; changes go on once there is space";
  } else if (is_failing_) {
    refusal = Refusal::kDurable;
    why = "the disk takes no writes now, they are tried again: " + failing_why_;
  }
  if (!queue_.refuse(refusal, why)) return;
  if (refusal == Refusal::kNone) {
    spdlog::info("the store takes changes again");
  } else {
    spdlog::error("the store refuses changes: {}", why);
  }
  notify_all();
}

// Calls all logs, since their accepts() may have another answer.
void SqliteStoreImpl::notify_all() {
  std::vector<std::shared_ptr<LogState>> states;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, state] : states_)
      if (auto held = state.lock()) states.push_back(std::move(held));
  }
  for (const auto& state : states) state->notify();
  queue_.announce();
}

}  // namespace repath

// SqliteStore's part that commits: many units and jobs in one transaction.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/error.h"
#include "store/schema.h"
#include "store/sqlite_store_impl.h"
#include "store/store_errors.h"

namespace repath {
namespace {

constexpr Micros kBackoffFirstUs = 100'000;
constexpr Micros kBackoffMostUs = 5'000'000;
constexpr std::size_t kReadsAtOnce = 8;
// After a commit of so many entries the next one waits for as many, but not long.
constexpr std::size_t kGatherFrom = 8;
constexpr Micros kGatherMostUs = 200;

bool is_failed_sync(int code) {
  return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
}

bool is_damage(int code) {
  return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

}  // namespace

bool SqliteStoreImpl::cycle() {
  const bool had_work = !queue_.empty() || !waiting_.empty();
  // Worlds that get the news together append again together. A commit for the first of them alone
  // would keep the others waiting.
  if (had_work && options_.has_threads && last_entries_ >= kGatherFrom)
    queue_.gather(last_entries_, std::chrono::microseconds(gather_us_));
  queue_.take(options_.commit_units, options_.commit_bytes, &waiting_);
  if (!waiting_.empty()) {
    commit_waiting();
  } else if (is_failing_ && !is_final_ && (!options_.has_threads || now() >= retry_at_)) {
    probe();
  }
  run_reads();
  if (now() >= upkeep_at_ || !had_work) upkeep();
  return had_work;
}

void SqliteStoreImpl::commit_waiting() {
  if (is_final_) return fail_jobs();
  if (is_failing_ && options_.has_threads && now() < retry_at_) return fail_jobs();
  const Micros begun = now();
  sql_.clear();
  sql_.run("BEGIN IMMEDIATE");
  const std::size_t entries = write_waiting();
  if (!sql_.failed() && db_->log.is_flush_due()) flush();
  if (options_.planted.acknowledge_early && !sql_.failed()) acknowledge(waiting_.size());
  sql_.run("COMMIT");
  if (sql_.failed()) return failed();
  const Micros took = now() - begun;
  last_entries_ = entries;
  gather_us_ = std::min(took / 4, kGatherMostUs);
  {
    const std::lock_guard lock(mutex_);
    ++figures_.commits;
    figures_.commit_seconds += static_cast<double>(took) * 1e-6;
  }
  kept(entries);
  if (sql_.wal_frames() < options_.wal_frames_max) return;
  sql_.checkpoint(/*truncate=*/false);
  if (sql_.failed()) failed();
}

std::size_t SqliteStoreImpl::write_waiting() {
  const Micros end = now() + options_.commit_us;
  std::size_t entries = 0;
  for (PendingWork& work : waiting_) {
    if (sql_.failed()) break;
    if (work.job) {
      run_job(*work.job);
    } else if (!write_unit(work)) {
      culprit_ = work.log;
      break;
    }
    ++entries;
    if ((entries & 63u) == 0 && now() >= end) break;
  }
  write_tallies();
  return entries;
}

void SqliteStoreImpl::write_tallies() {
  for (const auto& state : touched_) {
    if (!std::exchange(state->has_new_rows, false)) continue;
    if (sql_.failed()) return;
    db_->log.write_tally(state->key, state->chain);
    if (sql_.failed()) culprit_ = state;
  }
}

// Returns false if the connection failed.
bool SqliteStoreImpl::write_unit(PendingWork& work) {
  LogState& state = *work.log;
  if (state.is_damaged || state.is_removed) return true;
  if (!state.is_touched) {
    state.is_touched = true;
    touched_.push_back(work.log);
  }
  if (work.change) {
    const bool drops = options_.planted.drop_record && ++written_ % 23 == 0;
    if (!drops) db_->log.write(state.key, *work.change, &state.chain);
  }
  const LogUnit& unit = work.unit;
  if (unit.request) db_->log.write(state.key, *unit.request, &state.chain);
  WorldTables& worlds = db_->worlds;
  RowSum& agents = state.chain.rows.agents;
  RowSum& sessions = state.chain.rows.sessions;
  for (const StoredAgent& row : unit.agents) worlds.write(state.key, row, &agents);
  for (const AgentId id : unit.removed_agents) worlds.drop_agent(state.key, id, &agents);
  for (const SessionRow& row : unit.sessions) worlds.write(state.key, row, &sessions);
  for (const std::string& name : unit.removed_sessions)
    worlds.drop_session(state.key, name, &sessions);
  if (!(unit.agents.empty() && unit.removed_agents.empty() && unit.sessions.empty() &&
        unit.removed_sessions.empty()))
    state.has_new_rows = true;
  return !sql_.failed();
}

// Damage that a job met is its own result, and the others go on. If it met the rows of another
// world at a flush, with which a job begins, it runs again without that world.
void SqliteStoreImpl::run_job(StoreJob& job) {
  job.result = job.work();
  while (is_damage(sql_.error()) && culprit_ != nullptr) {
    failing_why_ = sql_.message();
    sql_.clear();
    end_culprit();
    job.result = job.work();
  }
  if (!is_damage(sql_.error())) return;
  if (job.result.ok()) job.result = store_unavailable("repath.db is damaged: " + sql_.message());
  sql_.clear();
}

// Marks where the rows end of all worlds that wrote since the last flush.
void SqliteStoreImpl::flush() {
  std::map<WorldKey, LogChain*> chains;
  std::map<WorldKey, std::shared_ptr<LogState>> states;
  if (!has_flushed_) states = dirty_;
  for (const auto& state : touched_) states.emplace(state->key, state);
  for (const auto& [key, state] : states)
    if (!state->is_damaged) chains.emplace(key, &state->chain);
  if (const auto key = db_->log.flush(chains)) culprit_ = states.at(*key);
  if (sql_.failed()) return;
  has_flushed_ = true;
  for (const auto& state : touched_) add_dirty(state);
  touched_.clear();
}

void SqliteStoreImpl::add_dirty(const std::shared_ptr<LogState>& state) {
  state->is_touched = false;
  state->has_new_rows = false;
  if (!state->is_dirty) dirty_.emplace(state->key, state);
  state->is_dirty = true;
}

// The open transaction is durable, and with it the first `entries` that wait.
void SqliteStoreImpl::kept(std::size_t entries) {
  db_->log.keep();
  if (has_flushed_) {
    for (const auto& [key, state] : dirty_) {
      state->kept_chain = state->chain;
      state->is_dirty = false;
    }
    dirty_.clear();
  }
  for (const auto& state : touched_) {
    state->kept_chain = state->chain;
    add_dirty(state);
  }
  touched_.clear();
  has_flushed_ = false;
  if (is_failing_) {
    is_failing_ = false;
    backoff_us_ = 0;
    update_refusal();
  }
  std::uint64_t units = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    const PendingWork& work = waiting_[i];
    if (!work.job) {
      ++units;
      bytes += work.bytes;
    } else {
      if (work.job->kept && work.job->result.ok()) work.job->kept();
      queue_.finish(*work.job, work.job->result);
    }
  }
  const bool was_over = queue_.is_over_bound();
  queue_.settle(units, bytes);
  {
    const std::lock_guard lock(mutex_);
    figures_.units += units;
    figures_.bytes += bytes;
  }
  acknowledge(entries);
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(entries));
  if (was_over && !queue_.is_over_bound()) notify_all();
}

// Tells the worlds of the first `entries` what is durable.
void SqliteStoreImpl::acknowledge(std::size_t entries) {
  std::vector<std::shared_ptr<LogState>> grown;
  for (std::size_t i = 0; i < entries; ++i) {
    const PendingWork& work = waiting_[i];
    if (work.job || work.log->is_damaged || work.log->is_removed) continue;
    if (work.change) work.log->durable_revision = value(work.change->revision);
    work.log->durable = value(work.lsn);
    if (work.log->has_grown) continue;
    work.log->has_grown = true;
    grown.push_back(work.log);
  }
  for (const auto& state : grown) {
    state->has_grown = false;
    state->notify();
  }
  if (!grown.empty()) queue_.announce();
}

// Forgets the transaction; what waits goes on waiting.
void SqliteStoreImpl::failed() {
  const int code = sql_.error();
  failing_why_ = sql_.message();
  sql_.clear();
  if (sqlite3_get_autocommit(sql_.handle()) == 0) sql_.run("ROLLBACK");
  sql_.clear();
  db_->log.undo();
  for (const auto& [key, state] : dirty_) {
    state->chain = state->kept_chain;
    state->is_touched = false;
  }
  for (const auto& state : touched_) {
    state->chain = state->kept_chain;
    state->is_touched = false;
  }
  touched_.clear();
  has_flushed_ = false;
  {
    const std::lock_guard lock(mutex_);
    ++figures_.failed_commits;
  }
  if (is_damage(code) && culprit_ != nullptr) return drop_culprit();
  culprit_.reset();
  is_failing_ = true;
  backoff_us_ = std::clamp(backoff_us_ * 2, kBackoffFirstUs, kBackoffMostUs);
  retry_at_ = now() + backoff_us_;
  if (is_failed_sync(code) || is_damage(code)) set_final(failing_why_);
  fail_jobs();
  update_refusal();
}

// The rows of one world meet damage: that world ends, and the others go on.
void SqliteStoreImpl::end_culprit() {
  culprit_->is_damaged = true;
  spdlog::error("the world with the key {} is damaged: {}", value(culprit_->key), failing_why_);
  culprit_->notify();
  culprit_.reset();
  queue_.announce();
}

void SqliteStoreImpl::drop_culprit() {
  end_culprit();
  commit_waiting();
}

// Ends all jobs: the disk takes no writes, and a caller need not wait for it. Units go on waiting,
// unless no write will succeed; then they only count.
void SqliteStoreImpl::fail_jobs() {
  queue_.take(SIZE_MAX, UINT64_MAX, &waiting_);
  absl::Status why = queue_.refusal(Durability::kLocalDisk);
  if (why.ok()) why = store_unavailable("the disk takes no writes now: " + failing_why_);
  std::deque<PendingWork> units;
  for (PendingWork& work : waiting_) {
    if (work.job) {
      queue_.finish(*work.job, why);
    } else if (!is_final_) {
      units.push_back(std::move(work));
    }
  }
  waiting_ = std::move(units);
}

void SqliteStoreImpl::run_reads() {
  for (std::size_t i = 0; i < kReadsAtOnce; ++i) {
    const std::shared_ptr<StoreJob> job = queue_.take_read();
    if (job == nullptr) return;
    sql_.clear();
    absl::Status result = job->work();
    if (result.ok() && sql_.failed())
      result = store_unavailable("repath.db cannot be read: " + sql_.message());
    sql_.clear();
    queue_.finish(*job, std::move(result));
  }
}

// Writes one page, to see whether the disk takes writes again: if only jobs failed, nothing waits
// that would show it.
void SqliteStoreImpl::probe() {
  const std::string same = "PRAGMA user_version = " + std::to_string(kSchemaVersion);
  commit([this, &same] { sql_.run(same.c_str()); });
}

void SqliteStoreImpl::in_transaction(const std::function<void()>& work) {
  if (!is_final_ && !is_failing_) commit(work);
}

void SqliteStoreImpl::commit(const std::function<void()>& work) {
  sql_.clear();
  sql_.run("BEGIN IMMEDIATE");
  work();
  sql_.run("COMMIT");
  if (sql_.failed()) return failed();
  kept(0);
}

}  // namespace repath

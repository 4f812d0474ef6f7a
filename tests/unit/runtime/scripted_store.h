// A durable store in memory whose disk does what the test says: it may be late, fail, come back,
// and forget what was not durable. And a codec that remembers what it wrote.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/codec.h"
#include "runtime/world_commands.h"
#include "store/memory_world_log.h"
#include "store/store.h"
#include "store/store_errors.h"
#include "unit/runtime/square.h"

namespace repath::test {

// The disk of one world.
struct ScriptedWorld {
  CatalogEntry entry;
  std::uint64_t incarnation = 0;
  std::string file;  // newest snapshot, else the base
  Revision file_revision{};
  Revision first{};
  std::vector<LogRecord> records;
  std::map<AgentId, StoredAgent> agents;
  std::map<std::string, SessionRow> sessions;
  std::vector<RequestRow> requests;
  std::vector<PositionRow> positions;
  WallMicros positions_at = 0;
  bool is_damaged = false;

  Revision end() const { return Revision{value(first) + records.size()}; }
  void take(const LogUnit& unit) {
    if (unit.change) records.push_back(*unit.change);
    if (unit.request) requests.push_back(*unit.request);
    for (const StoredAgent& row : unit.agents) agents[row.id] = row;
    for (const AgentId id : unit.removed_agents) agents.erase(id);
    for (const SessionRow& row : unit.sessions) sessions[row.name] = row;
    for (const std::string& name : unit.removed_sessions) sessions.erase(name);
  }
};

class ScriptedStore final : public Store {
 public:
  // What the test sets. Any thread.
  void hold(bool held) {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      is_held_ = held;
      if (!held) commit_all();
      calls = calls_of_logs();
    }
    for (const auto& call : calls) call();
  }
  // Commits what is held, as a disk whose news is still on its way to the worlds.
  void commit_quietly() {
    const std::lock_guard lock(mutex_);
    commit_all();
  }
  void refuse(bool refused) {
    const std::lock_guard lock(mutex_);
    is_refused_ = refused;
  }
  void fail() {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      has_failed_ = is_refused_ = is_held_ = true;
      calls = calls_of_logs();
    }
    for (const auto& call : calls) call();
  }
  // Damages the rows of a world: nothing more of it becomes durable.
  void damage(const std::string& name) {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      for (auto& [key, world] : worlds_) world.is_damaged |= world.entry.name == name;
      calls = calls_of_logs();
    }
    for (const auto& call : calls) call();
  }
  // Forgets what is not durable, as a crash does. REQUIRES: no log lives.
  void crash() {
    const std::lock_guard lock(mutex_);
    pending_.clear();
    is_held_ = is_refused_ = has_failed_ = false;
  }
  // Call these when the store is given a new world, and when that has become durable, before its
  // maker hears of it.
  void on_create(std::function<void()> call) { set(std::move(call), &create_); }
  void on_created(std::function<void()> call) { set(std::move(call), &created_); }
  // Reads `window` newest records from memory, older ones from the disk.
  void set_window(std::size_t records) { window_ = records; }
  template <class Change>
  void edit(const std::string& name, Change change) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, world] : worlds_)
      if (world.entry.name == name) change(world);
  }
  ScriptedWorld world(const std::string& name) {
    ScriptedWorld found;
    edit(name, [&](const ScriptedWorld& world) { found = world; });
    return found;
  }
  std::uint64_t loads() const { return loads_; }
  std::uint64_t snapshots() const { return snapshots_; }

  bool is_durable() const override { return true; }
  absl::StatusOr<std::vector<CatalogEntry>> worlds() override {
    const std::lock_guard lock(mutex_);
    std::vector<CatalogEntry> found;
    for (const auto& [key, world] : worlds_) found.push_back(world.entry);
    std::ranges::sort(found, {}, &CatalogEntry::name);
    return found;
  }
  absl::StatusOr<StoredWorld> create(CatalogEntry entry, ByteSource& base, Revision first,
                                     const HistoryBound&) override {
    ScriptedWorld made;
    while (base.next(&made.file)) {
    }
    std::unique_lock lock(mutex_);
    const std::function<void()> begun = create_;
    lock.unlock();
    if (begun) begun();
    lock.lock();
    if (is_refused_) return store_unavailable("scripted");
    for (const auto& [key, world] : worlds_)
      if (world.entry.name == entry.name) return world_exists(entry.name);
    entry.key = WorldKey{++last_key_};
    made.entry = entry;
    made.incarnation = 1;
    made.first = first;
    made.file_revision = previous(first);
    StoredWorld stored;
    stored.entry = entry;
    stored.incarnation = 1;
    worlds_[entry.key] = std::move(made);
    stored.log = make_log(entry.key);
    const std::function<void()> created = created_;
    lock.unlock();
    if (created) created();
    return stored;
  }
  absl::Status remove(WorldKey key) override {
    const std::lock_guard lock(mutex_);
    if (is_refused_) return store_unavailable("scripted");
    return worlds_.erase(key) == 1 ? absl::OkStatus() : key_unknown(key);
  }
  absl::StatusOr<StoredWorld> load(WorldKey key, const HistoryBound&) override {
    const std::lock_guard lock(mutex_);
    ++loads_;
    const auto at = worlds_.find(key);
    if (at == worlds_.end()) return key_unknown(key);
    ScriptedWorld& world = at->second;
    StoredWorld stored;
    stored.entry = world.entry;
    stored.incarnation = ++world.incarnation;
    stored.snapshot = world.file;
    stored.snapshot_revision = world.file_revision;
    for (const auto& [id, row] : world.agents) stored.agents.push_back(row);
    for (const auto& [name, row] : world.sessions) stored.sessions.push_back(row);
    stored.requests = world.requests;
    stored.positions = world.positions;
    stored.positions_at = world.positions_at;
    stored.log = make_log(key);
    return stored;
  }
  absl::StatusOr<std::vector<LogRecord>> read(WorldKey key, Revision start, std::size_t records_max,
                                              std::size_t) override {
    const std::lock_guard lock(mutex_);
    const auto at = worlds_.find(key);
    if (at == worlds_.end()) return key_unknown(key);
    std::vector<LogRecord> found;
    for (const LogRecord& record : at->second.records)
      if (record.revision >= start && found.size() < records_max) found.push_back(record);
    return found;
  }
  absl::StatusOr<StoredSnapshot> snapshot_at(WorldKey key, Revision revision) override {
    const std::lock_guard lock(mutex_);
    const auto at = worlds_.find(key);
    if (at == worlds_.end()) return key_unknown(key);
    const ScriptedWorld& world = at->second;
    if (world.file_revision > revision)
      return history_gone(world.file_revision, "revision", "scripted");
    return StoredSnapshot{world.file_revision, world.file};
  }
  absl::Status snapshot(WorldKey key, Lsn, Revision revision, ByteSource& bytes) override {
    std::string file;
    while (bytes.next(&file)) {
    }
    const std::lock_guard lock(mutex_);
    if (is_refused_) return store_unavailable("scripted");
    const auto at = worlds_.find(key);
    if (at == worlds_.end()) return key_unknown(key);
    at->second.file = std::move(file);
    at->second.file_revision = revision;
    ++snapshots_;
    return absl::OkStatus();
  }
  void save_positions(WorldKey key, std::vector<PositionRow> rows, WallMicros at) override {
    const std::lock_guard lock(mutex_);
    if (!worlds_.contains(key)) return;
    worlds_.at(key).positions = std::move(rows);
    worlds_.at(key).positions_at = at;
  }
  absl::Status health() const override {
    const std::lock_guard lock(mutex_);
    return is_refused_ ? store_unavailable("scripted") : absl::OkStatus();
  }
  bool has_failed() const override {
    const std::lock_guard lock(mutex_);
    return has_failed_;
  }
  StoreFigures figures() const override { return {}; }

 private:
  struct LogState {
    WorldKey key{};
    std::uint64_t appended = 0;
    std::uint64_t durable = 0;
    Revision end{};
    std::uint64_t since_snapshot_from = 0;
    std::function<void()> progress;
  };
  struct Pending {
    std::shared_ptr<LogState> log;
    LogUnit unit;
  };

  class Log final : public WorldLog {
   public:
    Log(ScriptedStore& store, std::shared_ptr<LogState> state)
        : store_(store), state_(std::move(state)) {}
    ~Log() override { Log::on_progress({}); }
    absl::Status accepts(Durability) const override {
      {
        const std::lock_guard lock(store_.mutex_);
        const auto at = store_.worlds_.find(state_->key);
        if (at != store_.worlds_.end() && at->second.is_damaged)
          return world_damaged(state_->key, "scripted");
      }
      return store_.health();
    }
    Lsn append(LogUnit unit) override {
      std::function<void()> call;
      Lsn lsn{};
      {
        const std::lock_guard lock(store_.mutex_);
        if (unit.change) state_->end = next(unit.change->revision);
        lsn = Lsn{++state_->appended};
        store_.pending_.push_back({state_, std::move(unit)});
        if (!store_.is_held_) store_.commit_all();
        if (!store_.is_held_) call = state_->progress;
      }
      if (call) call();
      return lsn;
    }
    Lsn durable() const override {
      const std::lock_guard lock(store_.mutex_);
      return Lsn{state_->durable};
    }
    Revision durable_revision() const override { return previous(readable_end()); }
    void on_progress(std::function<void()> call) override {
      const std::lock_guard lock(store_.mutex_);
      state_->progress = std::move(call);
    }
    absl::StatusOr<LogPage> read(Revision start, std::size_t records_max,
                                 std::size_t bytes_max) const override {
      const Revision readable = readable_end();
      if (start > end())
        return make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "", "");
      if (start >= readable) return LogPage{};
      if (value(start) + store_.window_ < value(readable)) return LogPage{{}, true};
      auto records = store_.read(state_->key, start, records_max, bytes_max);
      if (!records.ok()) return records.status();
      return LogPage{*std::move(records), false};
    }
    Revision oldest() const override { return Revision{2}; }
    Revision readable_end() const override {
      const std::lock_guard lock(store_.mutex_);
      const auto at = store_.worlds_.find(state_->key);
      return at == store_.worlds_.end() ? state_->end : at->second.end();
    }
    Revision end() const override {
      const std::lock_guard lock(store_.mutex_);
      return state_->end;
    }
    std::uint64_t memory_bytes() const override { return 0; }
    SinceSnapshot since_snapshot() const override {
      const std::lock_guard lock(store_.mutex_);
      const auto at = store_.worlds_.find(state_->key);
      if (at == store_.worlds_.end()) return {};
      return {value(state_->end) - value(at->second.file_revision) - 1, 0};
    }

   private:
    ScriptedStore& store_;
    const std::shared_ptr<LogState> state_;
  };

  std::unique_ptr<WorldLog> make_log(WorldKey key) {
    auto state = std::make_shared<LogState>();
    state->key = key;
    state->end = worlds_.at(key).end();
    logs_.push_back(state);
    return std::make_unique<Log>(*this, std::move(state));
  }
  void set(std::function<void()> call, std::function<void()>* at) {
    const std::lock_guard lock(mutex_);
    *at = std::move(call);
  }
  void commit_all() {
    for (Pending& pending : std::exchange(pending_, {})) {
      const auto at = worlds_.find(pending.log->key);
      if (at != worlds_.end() && at->second.is_damaged) continue;
      if (at != worlds_.end()) at->second.take(pending.unit);
      ++pending.log->durable;
    }
  }
  std::vector<std::function<void()>> calls_of_logs() const {
    std::vector<std::function<void()>> calls;
    for (const auto& log : logs_)
      if (const auto living = log.lock(); living != nullptr && living->progress)
        calls.push_back(living->progress);
    return calls;
  }

  mutable std::mutex mutex_;
  std::map<WorldKey, ScriptedWorld> worlds_;
  std::vector<Pending> pending_;
  std::vector<std::weak_ptr<LogState>> logs_;
  std::uint64_t last_key_ = 0;
  std::function<void()> create_;
  std::function<void()> created_;
  bool is_held_ = false;
  bool is_refused_ = false;
  bool has_failed_ = false;
  std::atomic<std::size_t> window_{1000};
  std::atomic<std::uint64_t> loads_{0};
  std::atomic<std::uint64_t> snapshots_{0};
};

// Bytes are names of values that it remembers. Knows the square alone.
class RememberingCodec final : public WorldCodec {
 public:
  std::string bytes_of(const ChangeBatch& batch) { return remember(batch, &batches_); }
  std::string bytes_of(const AgentSpec& agent) { return remember(agent, &agents_); }

  std::string write_facts(const WorldFacts& facts, const WorldInfo* first) const override {
    const std::string bytes = remember(facts, &facts_);
    if (first != nullptr) {
      const std::lock_guard lock(mutex_);
      first_answers_.emplace(bytes, *first);
    }
    return bytes;
  }
  std::optional<WorldInfo> read_first_answer(const std::string& bytes) const override {
    const std::lock_guard lock(mutex_);
    const auto at = first_answers_.find(bytes);
    return at == first_answers_.end() ? std::nullopt : std::optional(at->second);
  }
  absl::StatusOr<WorldFacts> read_facts(const std::string& bytes) const override {
    return recall(bytes, facts_);
  }
  absl::StatusOr<ChangeBatch> read_batch(const std::string& bytes,
                                         const WorldFacts&) const override {
    return recall(bytes, batches_);
  }
  absl::StatusOr<AgentSpec> read_agent(const std::string& bytes, const WorldFacts&) const override {
    return recall(bytes, agents_);
  }
  std::string write_answer(const ChangeAnswer& answer) const override {
    return remember(answer, &answers_);
  }
  absl::StatusOr<ChangeAnswer> read_answer(const std::string& bytes) const override {
    return recall(bytes, answers_);
  }
  std::unique_ptr<ByteSource> write_world(std::shared_ptr<const WorldContent> content,
                                          const WorldFacts&) const override {
    class Once final : public ByteSource {
     public:
      explicit Once(std::string bytes) : bytes_(std::move(bytes)) {}
      bool next(std::string* out) override {
        *out += bytes_;
        return !std::exchange(bytes_, {}).empty();
      }

     private:
      std::string bytes_;
    };
    return std::make_unique<Once>(remember(std::move(content), &contents_));
  }
  absl::StatusOr<FiledWorld> read_world(const std::string& file, const WorldFacts& facts,
                                        WorkMeter*) const override {
    REPATH_ASSIGN_OR_RETURN(const auto content, recall(file, contents_));
    FiledWorld world{square_spec(facts.name), {}};
    if (!content->obstacles.empty()) {
      ChangeBatch batch;
      batch.upsert_obstacles = content->obstacles;
      world.content.batches.push_back(std::move(batch));
    }
    world.content.revision = content->revision;
    world.content.state_hash = content->state_hash;
    return world;
  }

 private:
  template <class T>
  using Known = std::vector<T>;
  template <class T>
  std::string remember(T value, Known<T>* known) const {
    const std::lock_guard lock(mutex_);
    known->push_back(std::move(value));
    return std::to_string(known->size());
  }
  template <class T>
  absl::StatusOr<T> recall(const std::string& bytes, const Known<T>& known) const {
    const std::lock_guard lock(mutex_);
    const auto at = static_cast<std::size_t>(std::atoi(bytes.c_str()));
    if (at == 0 || at > known.size()) return absl::DataLossError("unknown bytes");
    return known[at - 1];
  }

  mutable std::mutex mutex_;
  mutable Known<WorldFacts> facts_;
  mutable Known<ChangeBatch> batches_;
  mutable Known<AgentSpec> agents_;
  mutable Known<ChangeAnswer> answers_;
  mutable std::map<std::string, WorldInfo> first_answers_;
  mutable Known<std::shared_ptr<const WorldContent>> contents_;
};

}  // namespace repath::test

// A Store around another one that refuses now and then, as a disk that is full for a moment does:
// with UNAVAILABLE, STORE_UNAVAILABLE, before it has done anything. Its logs refuse likewise in
// accepts(); what they took they pass on. Everything follows from one seed.
//
// Not thread-safe beyond what the other store is; the numbers are drawn under a lock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "store/store.h"
#include "store/store_errors.h"

namespace repath::test {

inline absl::Status as_status(const absl::Status& status) { return status; }
template <class T>
absl::Status as_status(const absl::StatusOr<T>& result) {
  return result.status();
}

// Decides which calls are refused: about one of three.
class Faults {
 public:
  explicit Faults(std::uint64_t seed) : random_(seed) {}
  absl::Status next() {
    const std::lock_guard lock(mutex_);
    if (random_.below(3) != 0) return absl::OkStatus();
    return store_unavailable("a planted fault");
  }

 private:
  std::mutex mutex_;
  Random random_;
};

class FaultLog final : public WorldLog {
 public:
  FaultLog(std::unique_ptr<WorldLog> log, std::shared_ptr<Faults> faults)
      : log_(std::move(log)), faults_(std::move(faults)) {}

  absl::Status accepts(Durability wanted) const override {
    REPATH_RETURN_IF_ERROR(log_->accepts(wanted));
    return faults_->next();
  }
  Lsn append(LogUnit unit) override { return log_->append(std::move(unit)); }
  Lsn durable() const override { return log_->durable(); }
  Revision durable_revision() const override { return log_->durable_revision(); }
  void on_progress(std::function<void()> call) override { log_->on_progress(std::move(call)); }
  absl::StatusOr<LogPage> read(Revision start, std::size_t records_max,
                               std::size_t bytes_max) const override {
    return log_->read(start, records_max, bytes_max);
  }
  Revision oldest() const override { return log_->oldest(); }
  Revision readable_end() const override { return log_->readable_end(); }
  Revision end() const override { return log_->end(); }
  std::uint64_t memory_bytes() const override { return log_->memory_bytes(); }
  SinceSnapshot since_snapshot() const override { return log_->since_snapshot(); }

 private:
  std::unique_ptr<WorldLog> log_;
  std::shared_ptr<Faults> faults_;
};

class FaultStore final : public Store {
 public:
  FaultStore(std::unique_ptr<Store> store, std::uint64_t seed)
      : store_(std::move(store)), faults_(std::make_shared<Faults>(seed)) {}

  bool is_durable() const override { return store_->is_durable(); }
  absl::StatusOr<std::vector<CatalogEntry>> worlds() override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return store_->worlds();
  }
  absl::StatusOr<StoredWorld> create(CatalogEntry entry, ByteSource& base, Revision first,
                                     const HistoryBound& history) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return wrapped(store_->create(std::move(entry), base, first, history));
  }
  absl::Status remove(WorldKey key) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return store_->remove(key);
  }
  absl::StatusOr<StoredWorld> load(WorldKey key, const HistoryBound& history) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return wrapped(store_->load(key, history));
  }
  absl::StatusOr<std::vector<LogRecord>> read(WorldKey key, Revision start, std::size_t records_max,
                                              std::size_t bytes_max) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return store_->read(key, start, records_max, bytes_max);
  }
  absl::StatusOr<StoredSnapshot> snapshot_at(WorldKey key, Revision revision) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return store_->snapshot_at(key, revision);
  }
  absl::Status snapshot(WorldKey key, Lsn lsn, Revision revision, ByteSource& bytes) override {
    REPATH_RETURN_IF_ERROR(faults_->next());
    return store_->snapshot(key, lsn, revision, bytes);
  }
  void save_positions(WorldKey key, std::vector<PositionRow> rows, WallMicros at) override {
    store_->save_positions(key, std::move(rows), at);
  }
  absl::Status health() const override { return store_->health(); }
  StoreFigures figures() const override { return store_->figures(); }

 private:
  absl::StatusOr<StoredWorld> wrapped(absl::StatusOr<StoredWorld> world) {
    if (world.ok()) world->log = std::make_unique<FaultLog>(std::move(world->log), faults_);
    return world;
  }

  std::unique_ptr<Store> store_;
  std::shared_ptr<Faults> faults_;
};

}  // namespace repath::test

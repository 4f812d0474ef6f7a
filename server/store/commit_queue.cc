#include "store/commit_queue.h"

#include <utility>

#include "base/error.h"
#include "store/store_errors.h"

namespace repath {

void CommitQueue::push(PendingWork work) {
  if (!work.job) {
    pending_units_ += 1;
    pending_bytes_ += work.bytes;
  }
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    wakes = wakes_at_ != 0 && (work_.size() >= wakes_at_ || work_.back().job);
  }
  if (wakes) has_work_.notify_one();
}

void CommitQueue::push_read(std::shared_ptr<StoreJob> job) {
  const std::lock_guard lock(mutex_);
  reads_.push_back(std::move(job));
  has_work_.notify_one();
}

void CommitQueue::take(std::size_t units_max, std::uint64_t bytes_max,
                       std::deque<PendingWork>* out) {
  std::uint64_t bytes = 0;
  for (const PendingWork& work : *out) bytes += work.bytes;
  const std::lock_guard lock(mutex_);
  while (!work_.empty() && out->size() < units_max && (out->empty() || bytes < bytes_max)) {
    bytes += work_.front().bytes;
    out->push_back(std::move(work_.front()));
    work_.pop_front();
  }
}

std::shared_ptr<StoreJob> CommitQueue::take_read() {
  const std::lock_guard lock(mutex_);
  if (reads_.empty()) return nullptr;
  std::shared_ptr<StoreJob> job = std::move(reads_.front());
  reads_.pop_front();
  return job;
}

bool CommitQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return work_.empty() && reads_.empty();
}

void CommitQueue::wait(std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  wakes_at_ = 1;
  has_work_.wait_for(lock, longest, [&] { return is_woken_ || !work_.empty() || !reads_.empty(); });
  wakes_at_ = 0;
  is_woken_ = false;
}

void CommitQueue::gather(std::size_t entries, std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  if (work_.size() >= entries) return;
  wakes_at_ = entries;
  has_work_.wait_for(lock, longest, [&] { return is_woken_ || work_.size() >= entries; });
  wakes_at_ = 0;
}

void CommitQueue::wake() {
  const std::lock_guard lock(mutex_);
  is_woken_ = true;
  has_work_.notify_one();
}

void CommitQueue::settle(std::uint64_t units, std::uint64_t bytes) {
  pending_units_ -= units;
  pending_bytes_ -= bytes;
}

void CommitQueue::finish(StoreJob& job, absl::Status result) {
  const std::lock_guard lock(mutex_);
  job.result = std::move(result);
  job.done = true;
  done_.notify_all();
}

void CommitQueue::announce() {
  const std::lock_guard lock(mutex_);
  done_.notify_all();
}

bool CommitQueue::is_done(const StoreJob& job) const {
  const std::lock_guard lock(mutex_);
  return job.done;
}

void CommitQueue::wait_for(const std::function<bool()>& condition) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, condition);
}

bool CommitQueue::refuse(Refusal refusal, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (refusal_.load() == Refusal::kFinal) return false;
  why_ = why;
  return refusal_.exchange(refusal) != refusal;
}

absl::Status CommitQueue::refusal(Durability wanted) const {
  const Refusal refusal = refusal_.load();
  if (refusal >= Refusal::kAll ||
      (refusal == Refusal::kDurable && wanted == Durability::kLocalDisk)) {
    const std::lock_guard lock(mutex_);
    return store_unavailable(why_);
  }
  if (!is_over_bound()) return absl::OkStatus();
  return store_unavailable("more than " + std::to_string(pending_bytes_max_ >> 20) +
                           " MiB wait for the disk; try again later");
}

}  // namespace repath

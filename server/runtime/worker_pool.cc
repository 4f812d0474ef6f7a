#include "runtime/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace repath {

// One run(): the next job to take, and how many are done. Whoever takes the last one wakes the
// caller.
struct WorkerPool::Call {
  Call(std::size_t jobs, Job function, void* argument)
      : count(jobs), job(function), context(argument) {}

  void help() {
    std::size_t finished = 0;
    for (std::size_t i; (i = next.fetch_add(1)) < count; ++finished) job(context, i);
    if (finished == 0) return;
    const std::lock_guard lock(mutex);
    done += finished;
    if (done == count) all_done.notify_one();
  }

  void wait() {
    std::unique_lock lock(mutex);
    all_done.wait(lock, [this] { return done == count; });
  }

  const std::size_t count;
  const Job job;
  void* const context;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable all_done;
  std::size_t done = 0;
};

WorkerPool::WorkerPool(std::uint64_t workers) {
  for (std::uint64_t i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run(std::size_t count, Job job, void* context) {
  const std::size_t helpers = std::min(workers_.size(), count > 0 ? count - 1 : 0);
  if (helpers == 0) {
    for (std::size_t i = 0; i < count; ++i) job(context, i);
    return;
  }
  const auto call = std::make_shared<Call>(count, job, context);
  {
    const std::lock_guard lock(mutex_);
    calls_.insert(calls_.end(), helpers, call);
  }
  wake_.notify_all();
  call->help();
  call->wait();
}

void WorkerPool::work() {
  for (;;) {
    std::shared_ptr<Call> call;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !calls_.empty(); });
      if (stopping_) return;
      call = std::move(calls_.front());
      calls_.pop_front();
    }
    call->help();
  }
}

}  // namespace repath

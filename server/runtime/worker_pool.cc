#include "runtime/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "base/check.h"

namespace repath {

// One run(): the next job to take, and the number of jobs done. The thread that finishes the last
// job wakes the caller. Once a job has failed, the remaining jobs count as done.
struct WorkerPool::Call {
  Call(std::size_t jobs, Job function, void* argument)
      : count(jobs), job(function), context(argument) {}

  void help() {
    std::size_t finished = 0;
    for (std::size_t i; (i = next.fetch_add(1)) < count; ++finished) {
      if (!failed.load(std::memory_order_relaxed)) run_one(i);
    }
    if (finished == 0) return;
    const std::lock_guard lock(mutex);
    done += finished;
    if (done == count) all_done.notify_one();
  }

  void run_one(std::size_t i) {
    try {
      const CheckScope scope;
      job(context, i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  }

  // Waits until all jobs are done. Throws the exception of the first job that failed.
  void wait() {
    std::unique_lock lock(mutex);
    all_done.wait(lock, [this] { return done == count; });
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }

  const std::size_t count;
  const Job job;
  void* const context;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;  // guards all members below
  std::condition_variable all_done;
  std::size_t done = 0;
  std::exception_ptr failure;
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

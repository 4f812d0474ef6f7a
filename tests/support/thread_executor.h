// Runs jobs on a number of threads in an uncontrolled order, for tests that results do not depend
// on the order.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "base/executor.h"

namespace repath::test {

class ThreadExecutor final : public Executor {
 public:
  // With 0 workers every job runs on the calling thread.
  explicit ThreadExecutor(std::size_t workers) : workers_(workers) {}

  void run(std::size_t count, Job job, void* context) override {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) job(context, i);
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < workers_; ++i) threads.emplace_back(work);
    if (workers_ == 0) work();
    for (std::thread& thread : threads) thread.join();
  }

 private:
  std::size_t workers_;
};

}  // namespace repath::test

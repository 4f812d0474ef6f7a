// Threads that help with the independent jobs of a world's step (base/executor.h).
//
// Thread rule: any number of threads may call run() at once. The caller and all free workers share
// the jobs of a call, so even with a busy pool a call is as fast as the caller alone. A job that
// throws, or in which a check fails, ends only its own call. run() then throws the first exception
// once all running jobs of the call have ended; jobs not yet begun are left out.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/executor.h"

namespace repath {

class WorkerPool final : public Executor {
 public:
  // Without workers run() is a plain loop.
  explicit WorkerPool(std::uint64_t workers);
  ~WorkerPool() override;

  void run(std::size_t count, Job job, void* context) override;

 private:
  struct Call;
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Call>> calls_;  // one entry for each worker wanted
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace repath

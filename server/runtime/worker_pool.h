// Threads that help with the independent jobs of a world's step (base/executor.h).
//
// Thread rule: run() may be called from any number of threads at once; each call's jobs are shared
// between the caller and whatever workers are free, so a busy pool slows nobody below what the
// caller does alone. A job that throws, or a check that fails in one, ends that call alone: run()
// throws the first exception once no job of the call runs any more; jobs not yet begun are left
// out.
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

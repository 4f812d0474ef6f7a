// The only way in which the rooms below runtime/ run work in parallel.
#pragma once

#include <cstddef>

namespace repath {

// Runs independent jobs. The jobs of one run must write to disjoint memory, so that the result is
// the same bytes for any number of workers.
class Executor {
 public:
  using Job = void (*)(void* context, std::size_t i);

  virtual ~Executor() = default;
  // Calls job(context, i) once for each i in [0, count), in any order and on any threads, and
  // returns when all calls are done. Jobs must not call run(). If a check fails in a job
  // (base/check.h), run() throws what the check threw, and some jobs may not have run.
  virtual void run(std::size_t count, Job job, void* context) = 0;
};

// Runs every job on the calling thread, in order.
class InlineExecutor final : public Executor {
 public:
  void run(std::size_t count, Job job, void* context) override {
    for (std::size_t i = 0; i < count; ++i) job(context, i);
  }
};

}  // namespace repath

// The one door through which parallel work enters the rooms below runtime/.
#pragma once

#include <cstddef>

namespace repath {

// Runs independent jobs. What they write must be disjoint; the caller gets the same bytes whatever
// the number of workers.
class Executor {
 public:
  using Job = void (*)(void* context, std::size_t i);

  virtual ~Executor() = default;
  // Calls job(context, i) once for each i in [0, count), in any order, on any threads; returns when
  // all are done. Jobs must not call run() again. If a check fails in one (base/check.h), run()
  // throws what the check threw; jobs may have been left out then.
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

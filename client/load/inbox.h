// Tasks that gRPC's threads leave for the run's own thread, in the order in which they came. Time
// stamps are taken on arrival, so a task may wait here.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace repath::load {

class Inbox {
 public:
  using Task = std::function<void()>;

  // Any thread.
  void post(Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  // Does all tasks that have come. On the run's thread.
  void work_off() {
    working_.clear();
    {
      const std::lock_guard lock(mutex_);
      working_.swap(tasks_);
    }
    for (Task& task : working_) task();
  }

 private:
  std::mutex mutex_;  // guards tasks_
  std::vector<Task> tasks_;
  std::vector<Task> working_;
};

}  // namespace repath::load

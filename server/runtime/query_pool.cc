#include "runtime/query_pool.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "runtime/threads.h"

namespace repath {
namespace {

constexpr int kLowPriority = 10;  // added to the nice value

void lower_priority() {
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kLowPriority);
}

}  // namespace

thread_local QueryPool::Job* QueryPool::current_ = nullptr;

QueryPool::QueryPool(std::size_t threads, std::size_t long_max)
    : threads_max_(threads),
      long_max_(long_max),
      long_per_client_max_(std::max<std::size_t>(long_max / 2, 1)),
      running_per_client_max_(long_per_client_max_ + std::max<std::size_t>(threads - 1, 1)) {
  const std::lock_guard lock(mutex_);
  while (threads_.size() < threads_max_) add_thread();
}

QueryPool::~QueryPool() { stop_and_join(); }

void QueryPool::stop_and_join() {
  std::vector<std::thread> threads;
  std::map<ClientKey, Client> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    threads.swap(threads_);
    // The jobs go only after the lock: each may free much, or a slot of its own.
    for (auto& [key, client] : clients_) dropped[key].waiting.swap(client.waiting);
    turns_.clear();
    waiting_ = 0;
  }
  wake_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void QueryPool::post(ClientKey client, std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    Client& of = clients_[client];
    if (of.waiting.empty()) turns_.push_back(client);
    of.waiting.push_back(std::move(job));
    ++waiting_;
  }
  wake_.notify_one();
}

void QueryPool::add_thread() {
  threads_.emplace_back([this] { work(); });
}

bool QueryPool::next(std::unique_lock<std::mutex>& lock, std::function<void()>* job,
                     ClientKey* client) {
  for (;;) {
    if (is_stopping_) return false;
    const auto may_run = [this](ClientKey key) {
      return clients_.at(key).running < running_per_client_max_;
    };
    const auto turn = std::ranges::find_if(turns_, may_run);
    if (turn == turns_.end()) {
      wake_.wait(lock);
      continue;
    }
    *client = *turn;
    turns_.erase(turn);
    Client& of = clients_.at(*client);
    *job = std::move(of.waiting.front());
    of.waiting.pop_front();
    if (!of.waiting.empty()) turns_.push_back(*client);
    --waiting_;
    ++of.running;
    return true;
  }
}

void QueryPool::work() {
  for (;;) {
    std::function<void()> run;
    Job job{{}, this, 0, false};
    {
      std::unique_lock lock(mutex_);
      if (!next(lock, &run, &job.client)) return;
    }
    job.begun = now_us();
    current_ = &job;
    run();
    current_ = nullptr;
    run = nullptr;
    if (end(job)) return;
  }
}

bool QueryPool::end(const Job& job) {
  const std::lock_guard lock(mutex_);
  Client& of = clients_.at(job.client);
  --of.running;
  if (job.is_long) --of.running_long;
  if (of.running == 0 && of.waiting.empty()) clients_.erase(job.client);
  wake_.notify_one();  // the client may have been at its limit
  if (!job.is_long) return false;
  --long_;
  ended_.push_back(std::this_thread::get_id());
  return true;
}

bool QueryPool::may_go_on() {
  Job* const job = current_;
  if (job == nullptr || job->is_long || now_us() < job->begun + kLongUs) return true;
  return job->pool->become_long(job);
}

bool QueryPool::become_long(Job* job) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return true;
    Client& of = clients_.at(job->client);
    const bool is_free = long_ < long_max_ && of.running_long < long_per_client_max_;
    if (!is_free) {
      const bool others_wait = waiting_ > of.waiting.size();
      return !others_wait || now_us() < job->begun + kCrowdedUs;
    }
    for (const std::thread::id id : std::exchange(ended_, {})) {
      const auto at = std::ranges::find(threads_, id, &std::thread::get_id);
      at->join();
      threads_.erase(at);
    }
    try {
      add_thread();
    } catch (const std::system_error&) {
      return true;  // no thread is to be had, so this one goes on as it is
    }
    job->is_long = true;
    ++of.running_long;
    ++long_;
  }
  lower_priority();
  return true;
}

}  // namespace repath

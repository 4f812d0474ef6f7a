// The threads that answer queries, shared fairly by clients.
//
// Clients take turns. A job that runs for more than kLongUs becomes a long one: it goes on with low
// priority, and a new thread takes its place. So long jobs hold up no short ones. The number of
// long jobs has a limit, and so has a client's share of it. A job beyond that keeps its thread. It
// must end after kCrowdedUs if jobs of other clients wait.
//
// Thread rule: any thread. Invariants:
// 1. A client has at most its share of long jobs and all ordinary threads but one; of one ordinary
//    thread it may have that one.
// 2. Jobs of one client begin in the order in which they came.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ids.h"

namespace repath {

// Number of a client: of a token or of an address. 0: the server itself.
enum class ClientKey : std::uint64_t {};

class QueryPool {
 public:
  static constexpr Micros kLongUs = 50'000;
  static constexpr Micros kCrowdedUs = 1'000'000;

  // Throws std::system_error if the machine has no more threads.
  QueryPool(std::size_t threads, std::size_t long_max);
  ~QueryPool();
  // Drops the jobs that wait, and waits for the others.
  void stop_and_join();

  // `job` must not throw.
  void post(ClientKey client, std::function<void()> job);
  // Returns whether the job on this thread may go on. Jobs ask it now and then. On other threads it
  // returns true.
  static bool may_go_on();

 private:
  struct Job {
    ClientKey client{};
    QueryPool* pool = nullptr;
    Micros begun = 0;
    bool is_long = false;
  };
  struct Client {
    std::deque<std::function<void()>> waiting = {};
    std::size_t running = 0;
    std::size_t running_long = 0;
  };

  void add_thread();
  void work();
  // Takes the next job. Returns false if the pool stops. REQUIRES: `lock` holds the mutex.
  bool next(std::unique_lock<std::mutex>& lock, std::function<void()>* job, ClientKey* client);
  bool become_long(Job* job);
  // Ends a job; returns whether the thread must end too.
  bool end(const Job& job);

  static thread_local Job* current_;

  const std::size_t threads_max_;
  const std::size_t long_max_;
  const std::size_t long_per_client_max_;
  const std::size_t running_per_client_max_;
  std::mutex mutex_;  // guards all members below
  std::condition_variable wake_;
  std::map<ClientKey, Client> clients_;  // those with jobs
  std::deque<ClientKey> turns_;          // clients with waiting jobs, each once
  std::size_t waiting_ = 0;
  std::size_t long_ = 0;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
  std::vector<std::thread::id> ended_;  // threads to join
};

}  // namespace repath

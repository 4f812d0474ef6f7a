// The threads that read and write JSON. Clients take turns by address: an address with much work
// holds up others by one piece of work a thread. The work of one address is done in its order.
//
// Thread rule: every function from any thread.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace repath {

class TextThreads {
 public:
  using Work = std::function<void()>;

  explicit TextThreads(int threads) : pool_(static_cast<std::size_t>(threads)) {}

  // Does the work later, for a peer that Door::serve() names.
  void post(const std::string& peer, Work work);
  // Does what is left and ends the threads. Work that is given afterwards is never done.
  void join() { pool_.join(); }

 private:
  // Takes the work whose turn it is. REQUIRES: there is some.
  Work next();

  std::mutex mutex_;                                 // guards the next two
  std::map<std::string, std::deque<Work>> waiting_;  // by address; no queue is empty
  std::deque<std::string> turns_;  // the addresses of waiting_, the next one first
  boost::asio::thread_pool pool_;  // has one task for each piece of work
};

}  // namespace repath

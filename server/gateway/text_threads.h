// The threads that read and write JSON. Clients take turns, so a client with much work holds up
// others by one piece of work at a time. Large pieces never hold up small ones: one thread is
// always left to small pieces. Nor do small ones hold up large ones, whose threads take a large
// piece first. The pieces of one client and one size begin in their order.
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

  // A piece of work on more bytes of text is large.
  static constexpr std::size_t kSmallBytesMax = 64 << 10;

  // REQUIRES: at least two threads.
  explicit TextThreads(int threads);

  // Does the work later. `client` is whose turn it takes, and `bytes` the length of the text, as
  // far as it is known.
  void post(const std::string& client, std::size_t bytes, Work work);
  // Does what is left and ends the threads. Work that is given afterwards is never done.
  void join() { pool_.join(); }

 private:
  // Work that waits, and whose turn it is.
  class Queue {
   public:
    bool is_empty() const { return turns_.empty(); }
    void push(const std::string& client, Work work);
    // Takes the work whose turn it is. REQUIRES: there is some.
    Work pop();

   private:
    std::map<std::string, std::deque<Work>> waiting_;  // by client; no list is empty
    std::deque<std::string> turns_;  // the clients of waiting_, the next one first
  };

  void run_next();

  const int large_max_;  // large pieces that are under way at once
  std::mutex mutex_;     // guards the next four
  Queue small_;
  Queue large_;
  int large_under_way_ = 0;
  std::size_t put_off_ = 0;  // tasks of the pool that found only large work, and too much under way
  // Has one task for each piece of work that waits and is not put off.
  boost::asio::thread_pool pool_;
};

}  // namespace repath

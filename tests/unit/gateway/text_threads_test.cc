#include "gateway/text_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace repath {
namespace {

constexpr std::size_t kSmall = TextThreads::kSmallBytesMax;
constexpr std::size_t kLarge = kSmall + 1;
constexpr std::chrono::seconds kTooLong(60);

// A piece of work that goes on until it is released.
class Held {
 public:
  Held(TextThreads& threads, std::size_t bytes) {
    threads.post("holder", bytes, [this] {
      begun_.set_value();
      released_.get_future().wait();
    });
  }
  // Returns whether it has begun.
  bool wait() { return begun_.get_future().wait_for(kTooLong) == std::future_status::ready; }
  void release() { released_.set_value(); }

 private:
  std::promise<void> begun_;
  std::promise<void> released_;
};

// Writes down the names of pieces in the order in which they are done, one at a time.
class Log {
 public:
  explicit Log(TextThreads& threads) : threads_(threads) {}
  void post(const std::string& client, std::size_t bytes, const std::string& name) {
    threads_.post(client, bytes, [this, name] { done_.push_back(name); });
  }
  const std::vector<std::string>& done() const { return done_; }

 private:
  TextThreads& threads_;
  std::vector<std::string> done_;
};

TEST(TextThreads, ASmallPieceIsDoneWhileLargeOnesAreUnderWayAndWait) {
  TextThreads threads(2);
  Held first(threads, kLarge);
  Held second(threads, kLarge);
  ASSERT_TRUE(first.wait());
  std::promise<void> done;
  threads.post("another", kSmall, [&done] { done.set_value(); });
  EXPECT_EQ(done.get_future().wait_for(kTooLong), std::future_status::ready);
  first.release();
  EXPECT_TRUE(second.wait()) << "it was put off";
  second.release();
  threads.join();
}

TEST(TextThreads, ClientsTakeTurnsAndEachKeepsItsOrder) {
  for (const std::size_t bytes : {kSmall, kLarge}) {
    SCOPED_TRACE(bytes);
    TextThreads threads(2);
    Held large(threads, kLarge);
    Held small(threads, kSmall);
    ASSERT_TRUE(large.wait());
    ASSERT_TRUE(small.wait());
    Log log(threads);
    for (int i = 0; i < 4; ++i) log.post("a", bytes, "a" + std::to_string(i));
    log.post("b", bytes, "b0");
    log.post("c", bytes, "c0");
    log.post("b", bytes, "b1");
    std::promise<void> done;
    threads.post("z", bytes, [] {});
    threads.post("z", bytes, [] {});
    threads.post("z", bytes, [] {});
    threads.post("z", bytes, [&done] { done.set_value(); });  // the last of all
    (bytes == kSmall ? small : large).release();
    EXPECT_EQ(done.get_future().wait_for(kTooLong), std::future_status::ready);
    (bytes == kSmall ? large : small).release();
    threads.join();
    EXPECT_EQ(log.done(), (std::vector<std::string>{"a0", "b0", "c0", "a1", "b1", "a2", "a3"}));
  }
}

TEST(TextThreads, ALargePieceDoesNotWaitForSmallOnes) {
  TextThreads threads(2);
  Held large(threads, kLarge);
  Held small(threads, kSmall);
  ASSERT_TRUE(large.wait());
  ASSERT_TRUE(small.wait());
  Log log(threads);
  std::promise<void> done;
  for (const char* const name : {"s0", "s1", "s2"}) log.post("a", kSmall, name);
  log.post("b", kLarge, "l0");
  threads.post("a", kSmall, [&done] { done.set_value(); });
  large.release();
  EXPECT_EQ(done.get_future().wait_for(kTooLong), std::future_status::ready);
  small.release();
  threads.join();
  EXPECT_EQ(log.done(), (std::vector<std::string>{"l0", "s0", "s1", "s2"}));
}

TEST(TextThreads, TheEndDoesAllThatWaits) {
  TextThreads threads(2);
  auto large = std::make_unique<Held>(threads, kLarge);
  auto small = std::make_unique<Held>(threads, kSmall);
  ASSERT_TRUE(large->wait());
  ASSERT_TRUE(small->wait());
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i) threads.post("a", i % 2 == 0 ? kLarge : kSmall, [&done] { ++done; });
  small->release();
  large->release();
  threads.join();
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace repath

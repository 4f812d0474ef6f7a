#include "runtime/query_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace repath {
namespace {

constexpr ClientKey kGreedy{1};
constexpr ClientKey kModest{2};
constexpr std::chrono::seconds kAnswered(5);

// Runs until it is told to end, or must. Returns whether it had to.
class Endless {
 public:
  void run_in(QueryPool& pool, ClientKey client) {
    pool.post(client, [state = state_] {
      ++state->running;
      while (!state->ends) {
        if (!QueryPool::may_go_on()) {
          ++state->crowded_out;
          break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      --state->running;
    });
  }
  void end() { state_->ends = true; }
  int running() const { return state_->running; }
  int crowded_out() const { return state_->crowded_out; }

 private:
  struct State {
    std::atomic<bool> ends{false};
    std::atomic<int> running{0};
    std::atomic<int> crowded_out{0};
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

bool is_answered(QueryPool& pool, ClientKey client) {
  const auto done = std::make_shared<std::promise<void>>();
  std::future<void> answer = done->get_future();
  pool.post(client, [done] { done->set_value(); });
  return answer.wait_for(kAnswered) == std::future_status::ready;
}

TEST(QueryPool, LongJobsHoldUpNoShortOnes) {
  Endless endless;
  QueryPool pool(2, 8);
  for (int i = 0; i < 2; ++i) endless.run_in(pool, kGreedy);
  EXPECT_TRUE(is_answered(pool, kModest));
  EXPECT_TRUE(is_answered(pool, kGreedy));
  EXPECT_EQ(endless.running(), 2);
  endless.end();
}

TEST(QueryPool, AClientWithManyLongJobsLeavesAThreadToOthers) {
  Endless endless;
  QueryPool pool(2, 4);
  for (int i = 0; i < 50; ++i) endless.run_in(pool, kGreedy);
  for (int i = 0; i < 200 && endless.running() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(endless.running(), 3) << "two long ones, and one of the two ordinary threads";
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(is_answered(pool, kModest));
  endless.end();
}

TEST(QueryPool, OfOneThreadTheLongJobIsCrowdedOut) {
  Endless endless;
  QueryPool pool(1, 1);
  for (int i = 0; i < 2; ++i) endless.run_in(pool, kGreedy);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(endless.crowded_out(), 0) << "no other client waits";
  EXPECT_TRUE(is_answered(pool, kModest));
  EXPECT_GE(endless.crowded_out(), 1);
  endless.end();
}

TEST(QueryPool, ClientsTakeTurns) {
  QueryPool pool(1, 1);
  std::promise<void> begun;
  std::promise<void> begin;
  pool.post(kGreedy, [&begun, gate = begin.get_future().share()] {
    begun.set_value();
    gate.wait();
  });
  begun.get_future().wait();
  std::vector<int> order;  // written by the one thread
  for (int i = 0; i < 3; ++i) pool.post(kGreedy, [&order] { order.push_back(1); });
  for (int i = 0; i < 3; ++i) pool.post(kModest, [&order] { order.push_back(2); });
  begin.set_value();
  EXPECT_TRUE(is_answered(pool, kModest));
  EXPECT_TRUE(is_answered(pool, kGreedy));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2, 1, 2}));
}

TEST(QueryPool, DropsWhatWaitsWhenItStops) {
  const auto dropped = std::make_shared<int>(0);
  std::promise<void> begun;
  std::promise<void> begin;
  QueryPool pool(1, 1);
  pool.post(kGreedy, [&begun, gate = begin.get_future().share()] {
    begun.set_value();
    gate.wait();
  });
  begun.get_future().wait();
  pool.post(kGreedy, [dropped] { ++*dropped; });
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    begin.set_value();
  });
  pool.stop_and_join();
  later.join();
  EXPECT_EQ(*dropped, 0);
  EXPECT_EQ(dropped.use_count(), 1);
}

}  // namespace
}  // namespace repath

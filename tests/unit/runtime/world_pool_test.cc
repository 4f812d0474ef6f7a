#include "runtime/world_pool.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace repath {
namespace {

using std::chrono::milliseconds;

class Pool : public testing::Test {
 protected:
  ~Pool() override {
    may_end_.set_value();
    pool_.stop();
    pool_.join();
  }
  // Gives the pool a job that keeps its thread until the test ends. Returns when it has begun.
  void keep_a_thread(bool is_piece = true) {
    const auto begun = std::make_shared<std::promise<void>>();
    boost::asio::post(pool_.context(), [begun, is_piece, end = end_] {
      std::optional<WorldPool::Piece> piece;
      if (is_piece) piece.emplace();
      begun->set_value();
      end.wait();
    });
    ASSERT_EQ(begun->get_future().wait_for(milliseconds(5000)), std::future_status::ready);
  }
  // Returns whether another job is served within `most`.
  bool serves(milliseconds most) {
    const auto done = std::make_shared<std::promise<void>>();
    boost::asio::post(pool_.context(), [done] { done->set_value(); });
    return done->get_future().wait_for(most) == std::future_status::ready;
  }

  std::promise<void> may_end_;
  const std::shared_future<void> end_ = may_end_.get_future().share();
  WorldPool pool_{1};
};

TEST_F(Pool, APieceThatTakesLongGetsAStandIn) {
  keep_a_thread();
  EXPECT_TRUE(serves(milliseconds(5000)));
  EXPECT_EQ(pool_.long_pieces(), 1u);
}

TEST_F(Pool, WithoutAMarkNobodyStandsIn) {
  keep_a_thread(/*is_piece=*/false);
  EXPECT_FALSE(serves(milliseconds(200)));
  EXPECT_EQ(pool_.long_pieces(), 0u);
}

TEST_F(Pool, StandInsKeepThreadsToo) {
  for (std::size_t i = 0; i < WorldPool::kStandIns; ++i) keep_a_thread();
  EXPECT_TRUE(serves(milliseconds(5000)));
  keep_a_thread();
  EXPECT_FALSE(serves(milliseconds(200))) << "their number has a limit";
}

TEST_F(Pool, AStandInComesAfterASilence) {
  std::this_thread::sleep_for(milliseconds(1500));  // the watch sleeps by now
  keep_a_thread();
  EXPECT_TRUE(serves(milliseconds(5000)));
}

TEST(PoolPieces, ShortOnesAndOnesWithinOthersCountNothing) {
  WorldPool pool(1);
  std::promise<void> done;
  boost::asio::post(pool.context(), [&] {
    for (int i = 0; i < 1000; ++i) {
      const WorldPool::Piece outer;
      const WorldPool::Piece inner;
    }
    {
      const WorldPool::Piece outer;
      { const WorldPool::Piece inner; }
      std::this_thread::sleep_for(milliseconds(100));
    }
    done.set_value();
  });
  done.get_future().wait();
  EXPECT_GE(pool.long_pieces(), 1u) << "the end of an inner piece is not the end of the outer one";
  const std::uint64_t before = pool.long_pieces();
  const WorldPool::Piece elsewhere;  // on a thread of no pool
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(pool.long_pieces(), before);
  pool.stop();
  pool.join();
}

}  // namespace
}  // namespace repath

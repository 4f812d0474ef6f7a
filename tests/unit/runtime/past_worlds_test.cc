#include "runtime/past_worlds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "unit/runtime/square.h"
#include "world/world.h"

namespace repath {
namespace {

class LeavingCaller final : public StopToken {
 public:
  bool stop_requested() const override { return gone; }
  bool gone = false;
};

class PastWorldsTest : public testing::Test {
 protected:
  ~PastWorldsTest() override {
    pool_.stop();
    pool_.join();
  }
  static PastWorlds::Key key(std::uint64_t revision) { return {"epoch", Revision{revision}}; }
  PastWorlds::Take take() {
    return [this](const PastWorlds::Made& made) { taken_.push_back(made); };
  }
  PastWorlds::Made made() {
    return std::make_shared<PastWorld>(
        Engine::create(*World::create(test::square_spec(), WorldLimits{}), EngineOptions{},
                       executor_),
        total_);
  }

  InlineExecutor executor_;
  WorldPool pool_{1};
  std::atomic<bool> draining_{false};
  MemoryTotal total_;
  PastWorlds past_{pool_.context(), draining_};
  std::vector<PastWorlds::Made> taken_;
};

TEST_F(PastWorldsTest, OneMakesItForAllWhoAsk) {
  const auto stop = past_.want(key(3), nullptr, take());
  ASSERT_NE(stop, nullptr);
  EXPECT_FALSE(stop->stop_requested());
  EXPECT_EQ(past_.want(key(3), nullptr, take()), nullptr);
  EXPECT_TRUE(taken_.empty());
  EXPECT_NE(past_.want(key(4), nullptr, take()), nullptr) << "another revision is another world";
  EXPECT_TRUE(past_.settle(key(3), made()));
  ASSERT_EQ(taken_.size(), 2u);
  EXPECT_EQ(*taken_[0], *taken_[1]);
  EXPECT_EQ(past_.want(key(3), nullptr, take()), nullptr);
  EXPECT_EQ(*taken_.at(2), *taken_[0]) << "it is kept";
  EXPECT_TRUE(past_.settle(key(4), absl::UnknownError("no")));
  EXPECT_FALSE(taken_.at(3).ok());
  EXPECT_NE(past_.want(key(4), nullptr, take()), nullptr) << "a failure is not kept";
  past_.settle(key(4), made());
}

TEST_F(PastWorldsTest, ItStopsWhenAllCallersHaveGone) {
  const auto first = std::make_shared<LeavingCaller>();
  const auto second = std::make_shared<LeavingCaller>();
  const auto stop = past_.want(key(1), first, take());
  first->gone = true;
  EXPECT_TRUE(stop->stop_requested());
  // Another one came while the making ended: it must be made once more.
  past_.want(key(1), second, take());
  EXPECT_FALSE(past_.settle(key(1), absl::CancelledError()));
  EXPECT_TRUE(taken_.empty());
  EXPECT_TRUE(past_.settle(key(1), made()));
  EXPECT_EQ(taken_.size(), 2u);
}

TEST_F(PastWorldsTest, TheFewUsedLastAreKeptAndTheirMemoryCounts) {
  for (std::uint64_t revision = 0; revision < PastWorlds::kKeptMax; ++revision) {
    past_.want(key(revision), nullptr, take());
    past_.settle(key(revision), made());
  }
  past_.want(key(0), nullptr, take());  // used again
  past_.want(key(9), nullptr, take());
  past_.settle(key(9), made());
  taken_.clear();
  const std::uint64_t all = total_.bytes;
  EXPECT_GT(all, 0u);
  EXPECT_EQ(past_.want(key(0), nullptr, take()), nullptr);
  EXPECT_NE(past_.want(key(1), nullptr, take()), nullptr) << "the one used longest ago has gone";
  past_.settle(key(1), absl::UnknownError("no"));
  taken_.clear();
  past_.clear();
  EXPECT_EQ(total_.bytes, 0u);
}

TEST_F(PastWorldsTest, AWorldInUseOutlivesItsPlaceAmongTheKept) {
  past_.want(key(1), nullptr, take());
  past_.settle(key(1), made());
  past_.clear();
  EXPECT_GT(total_.bytes, 0u);
  const Revision revision = (*taken_.at(0))->use([](Engine& engine) { return engine.revision(); });
  EXPECT_EQ(revision, Revision{1});
  taken_.clear();
  EXPECT_EQ(total_.bytes, 0u);
}

}  // namespace
}  // namespace repath

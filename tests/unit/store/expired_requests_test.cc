// When answered requests leave the table, while the calendar's clock jumps.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite_store.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

constexpr WallMicros kRightTime = 1'780'000'000'000'000;
constexpr WallMicros kMinute = 60'000'000;

class ExpiredRequests : public testing::Test {
 protected:
  ExpiredRequests() : folder_(temp_path("expiry")) {
    spdlog::set_level(spdlog::level::off);
    open();
    StringSource base("base");
    auto made = store_->create(entry_of("lake"), base, Revision{2}, HistoryBound{});
    EXPECT_TRUE(made.ok()) << made.status();
    key_ = made->entry.key;
    log_ = std::move(made->log);
  }
  ~ExpiredRequests() override {
    log_.reset();
    store_.reset();
    std::filesystem::remove_all(folder_);
    spdlog::set_level(spdlog::level::info);
  }
  void open() {
    SqliteOptions options;
    options.has_threads = false;
    options.reserve_bytes = 0;
    options.request_ttl_us = 10 * kMinute;
    options.wall_clock = [this] { return clock_; };
    auto opened = SqliteStore::open(folder_, std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  void answer(int requests) {
    for (int i = 0; i < requests; ++i) {
      LogUnit unit;
      unit.request = request_of("r" + std::to_string(i), clock_);
      log_->append(std::move(unit));
    }
    settle();
  }
  // Takes a snapshot, after which the upkeep sees all rows, and does some upkeep.
  void settle() {
    const Lsn last = log_->append(change_of(++revision_));
    StringSource snapshot("snapshot");
    ASSERT_TRUE(store_->snapshot(key_, last, Revision{revision_}, snapshot).ok());
    for (int i = 0; i < 20; ++i) store_->pump();
  }
  // Returns the number of rows. The store has to be open again afterwards.
  int rows() {
    log_.reset();
    store_.reset();
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open((folder_ + "/repath.db").c_str(), &db), SQLITE_OK);
    int found = -1;
    const auto take = [](void* out, int, char** values, char**) {
      *static_cast<int*>(out) = std::stoi(values[0]);
      return 0;
    };
    sqlite3_exec(db, "SELECT count(*) FROM requests", take, &found, nullptr);
    sqlite3_close(db);
    return found;
  }
  void load() {
    open();
    auto loaded = store_->load(key_, HistoryBound{});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    requests_ = std::move(loaded->requests);
    log_ = std::move(loaded->log);
  }

  std::string folder_;
  WallMicros clock_ = kRightTime;
  std::unique_ptr<SqliteStore> store_;
  WorldKey key_{};
  std::unique_ptr<WorldLog> log_;
  std::vector<RequestRow> requests_;
  std::uint64_t revision_ = 1;
};

// So many rows that no portion of the upkeep sees behind them.
TEST_F(ExpiredRequests, RowsOfAClockThatWasAheadGoWithTheNextRowThatIsTooOld) {
  answer(10);
  clock_ = kRightTime + 400 * 24 * 60 * kMinute;
  answer(5'000);
  clock_ = kRightTime + 1 * kMinute;
  answer(10);
  clock_ = kRightTime + 5 * kMinute;
  answer(10);
  // All but the first ten, which were too old for the clock that was ahead.
  EXPECT_EQ(rows(), 5'020);
  load();
  EXPECT_EQ(requests_.size(), 5'020u);
  clock_ = kRightTime + 12 * kMinute;
  settle();
  EXPECT_EQ(rows(), 10) << "those of the fifth minute";
  load();
  EXPECT_EQ(requests_.size(), 10u) << "what is missing is no damage";
}

// The clock was right before it was put back, and is right again.
TEST_F(ExpiredRequests, RowsThatWereInTheFutureForAWhileStayAsLongAsTheyAreYoung) {
  answer(3'000);
  clock_ = kRightTime - 60 * kMinute;
  answer(5);
  clock_ = kRightTime + 5 * kMinute;
  settle();
  EXPECT_EQ(rows(), 3'005);
  load();
  clock_ = kRightTime + 11 * kMinute;
  settle();
  EXPECT_EQ(rows(), 0);
}

}  // namespace
}  // namespace repath::test

// Damage of a write-ahead log that SQLite itself wrote is told from a commit that was under way.
#include "store/wal_check.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "store/sqlite_store.h"
#include "support/seed.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kRoundByte = 15;  // the lowest of the number of the round
constexpr std::size_t kFrameBytes = 24 + 4096;

// A database and its log after some commits of several pages, as a process that was killed leaves
// them.
class WalChecks : public testing::Test {
 protected:
  WalChecks() : folder_(temp_path("wal")) {
    std::filesystem::create_directories(folder_);
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open((folder_ + "/repath.db").c_str(), &db), SQLITE_OK);
    for (const char* text : {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL",
                             "PRAGMA wal_autocheckpoint = 0", "PRAGMA synchronous = FULL",
                             "CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB)"})
      run(db, text);
    for (int i = 0; i < kCommits; ++i) {
      ends_.push_back(read().size());
      run(db, "INSERT INTO t(b) VALUES(randomblob(6000))");
    }
    bytes_ = read();
    run(db, "PRAGMA wal_checkpoint(RESTART)");
    database_ = read("repath.db");
    run(db, "INSERT INTO t(b) VALUES(randomblob(6000))");
    of_next_round_ = read();
    run(db, "PRAGMA wal_checkpoint(PASSIVE)");
    later_database_ = read("repath.db");
    sqlite3_close(db);
  }
  ~WalChecks() override { std::filesystem::remove_all(folder_); }

  static void run(sqlite3* db, const char* text) {
    EXPECT_EQ(sqlite3_exec(db, text, nullptr, nullptr, nullptr), SQLITE_OK) << text;
  }
  std::string read(const std::string& name = "repath.db-wal") const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string flipped(std::size_t at, unsigned bit) const { return flipped(bytes_, at, bit); }
  static std::string flipped(std::string bytes, std::size_t at, unsigned bit) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1u << bit));
    return bytes;
  }

  // Checks a log beside these bytes of its database.
  static WalReport check(std::string_view log, std::string_view database = {}) {
    return check_wal(log, [database](std::uint32_t page, std::string_view bytes) {
      const std::size_t at = (page - 1) * bytes.size();
      return at < database.size() && database.substr(at, bytes.size()) == bytes;
    });
  }

  static constexpr int kCommits = 12;
  std::string folder_;
  std::string bytes_;              // the log in its first round, whose number is 0
  std::string database_;           // has all of that round
  std::string of_next_round_;      // the same log later, with one commit
  std::string later_database_;     // has that commit, too
  std::vector<std::size_t> ends_;  // sizes of the log before each of the commits
};

TEST_F(WalChecks, AWholeLogIsNeitherTornNorDamaged) {
  const WalReport report = check(bytes_);
  EXPECT_EQ(report.frames, (bytes_.size() - kHeaderBytes) / kFrameBytes);
  EXPECT_EQ(report.damage, "");
  EXPECT_FALSE(report.is_torn);
  EXPECT_FALSE(report.must_be_emptied);
  EXPECT_EQ(check("").damage, "");
}

TEST_F(WalChecks, ALogThatIsCutIsNotDamaged) {
  for (std::size_t size = bytes_.size(); size-- > ends_[kCommits - 2];) {
    if (size % 11 != 0 && (size - kHeaderBytes) % kFrameBytes > 30) continue;
    const WalReport report = check(std::string_view(bytes_).substr(0, size));
    ASSERT_EQ(report.damage, "") << size;
    const std::size_t last = size >= ends_[kCommits - 1] ? kCommits - 1 : kCommits - 2;
    ASSERT_EQ(report.frames, (ends_[last] - kHeaderBytes) / kFrameBytes) << size;
    ASSERT_EQ(report.is_torn, size >= ends_[last] + kFrameBytes) << size;
  }
}

TEST_F(WalChecks, DamageThatCommitsFollowIsFound) {
  SCOPED_TRACE(seed_trace());
  Random random(seed());
  const std::size_t until = ends_[kCommits - 3];
  for (int i = 0; i < 2000; ++i) {
    const auto at = random.below(static_cast<std::uint32_t>(until));
    const WalReport report = check(flipped(at, random.below(8)));
    if (at < kHeaderBytes) continue;
    const std::size_t frame = (at - kHeaderBytes) / kFrameBytes + 1;
    ASSERT_EQ(report.damage.rfind("frame " + std::to_string(frame) + " of", 0), 0u)
        << at << ": " << report.damage;
  }
}

TEST_F(WalChecks, DamageOfTheHeaderIsFound) {
  for (const std::string& log : {bytes_, of_next_round_})
    for (std::size_t at = 0; at < kHeaderBytes; ++at)
      for (unsigned bit = 0; bit < 8; ++bit)
        EXPECT_EQ(check(flipped(log, at, bit), log == bytes_ ? "" : database_).damage,
                  "its header does not fit its checksum")
            << at;
}

// Any number of wrong bytes, also in frames; any part of the log may be in the database.
TEST_F(WalChecks, AHeaderWithManyWrongBytesIsDroppedOnlyIfTheDatabaseHasTheLog) {
  SCOPED_TRACE(seed_trace());
  Random random(seed());
  for (int i = 0; i < 500; ++i) {
    std::string log = bytes_;
    for (std::size_t at = 12; at < kHeaderBytes; ++at)
      if (random.below(3) == 0) log[at] = static_cast<char>(random.below(256));
    if (log.substr(0, kHeaderBytes) == bytes_.substr(0, kHeaderBytes)) continue;
    EXPECT_NE(check(log).damage, "");
    EXPECT_TRUE(check(log, database_).must_be_emptied);
    std::string part = database_;
    part[random.below(static_cast<std::uint32_t>(part.size()))] ^= 1;
    const WalReport report = check(log, part);
    EXPECT_NE(report.damage, "");
    EXPECT_FALSE(report.must_be_emptied);
  }
}

// A new round begins with a header of its own, which may stop anywhere.
TEST_F(WalChecks, AHeaderThatIsNotWrittenToItsEndIsNoDamage) {
  std::string next = bytes_;
  next[kRoundByte] = static_cast<char>(next[kRoundByte] + 1);
  next[19] = static_cast<char>(next[19] + 1);
  for (std::size_t i = 20; i < kHeaderBytes; ++i) next[i] = static_cast<char>(next[i] * 5 + 77);
  for (std::size_t written = 0; written < kHeaderBytes; ++written) {
    const WalReport report = check(next.substr(0, written) + bytes_.substr(written), database_);
    EXPECT_EQ(report.damage, "") << written;
    EXPECT_EQ(report.must_be_emptied, written > kRoundByte) << written;
  }
}

// A process that finds no commit in the log begins again with round 0, and with salts of its own.
TEST_F(WalChecks, AFirstHeaderThatIsNotWrittenToItsEndIsNoDamage) {
  std::string first = of_next_round_;
  first[kRoundByte] = 0;
  for (std::size_t i = 16; i < kHeaderBytes; ++i) first[i] = static_cast<char>(first[i] * 5 + 77);
  for (std::size_t written = 0; written < kHeaderBytes; ++written) {
    const WalReport report =
        check(first.substr(0, written) + of_next_round_.substr(written), later_database_);
    EXPECT_EQ(report.damage, "") << written;
    EXPECT_EQ(report.must_be_emptied, written > kRoundByte) << written;
  }
}

// A power cut may keep any of the sectors of the last commit.
TEST_F(WalChecks, ALastCommitThatIsNotWholeIsTornAndNotDamaged) {
  SCOPED_TRACE(seed_trace());
  Random random(seed());
  const std::size_t begin = ends_.back();
  for (int i = 0; i < 500; ++i) {
    std::string bytes = bytes_;
    for (std::size_t at = begin; at < bytes.size(); at += 512)
      if (random.below(3) == 0)
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min<std::size_t>(512, bytes.size() - at), '\0');
    if (bytes == bytes_) continue;
    const WalReport report = check(bytes);
    ASSERT_EQ(report.damage, "");
    ASSERT_EQ(report.frames, (begin - kHeaderBytes) / kFrameBytes);
  }
}

// Frames of the round before are older than the database; the new round writes over them.
TEST_F(WalChecks, FramesOfAnEarlierRoundAreNoDamage) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder_ + "/repath.db").c_str(), &db), SQLITE_OK);
  for (const char* text :
       {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL",
        "PRAGMA wal_autocheckpoint = 0", "INSERT INTO t(b) VALUES(randomblob(60000))",
        "INSERT INTO t(b) VALUES(randomblob(60000))", "PRAGMA wal_checkpoint(PASSIVE)",
        "INSERT INTO t(b) VALUES(randomblob(6000))"})
    run(db, text);
  const WalReport report = check(read());
  sqlite3_close(db);
  EXPECT_EQ(report.damage, "");
  EXPECT_FALSE(report.is_torn);
  EXPECT_GT(report.frames, 0u);
  EXPECT_LT(report.frames, 10u);
}

TEST_F(WalChecks, AStoreWithADamagedLogIsRefusedAndOneWithHalfAHeaderServes) {
  std::filesystem::remove_all(folder_);
  spdlog::set_level(spdlog::level::off);
  ASSERT_TRUE(SqliteStore::open(folder_).ok());
  const std::string empty = read("repath.db");
  std::string next = bytes_;
  next[kRoundByte] = static_cast<char>(next[kRoundByte] + 1);
  std::ofstream(folder_ + "/repath.db-wal", std::ios::binary) << next;
  std::ofstream(folder_ + "/repath.db", std::ios::binary) << database_;
  EXPECT_EQ(error_reason(SqliteStore::open(folder_).status()), "STORE_VERSION")
      << "it has no tables of a store, and its log is no obstacle";
  std::ofstream(folder_ + "/repath.db", std::ios::binary) << empty;
  std::ofstream(folder_ + "/repath.db-wal", std::ios::binary) << flipped(kHeaderBytes + 500, 3);
  const absl::Status refused = SqliteStore::open(folder_).status();
  EXPECT_EQ(error_reason(refused), "STORE_UNAVAILABLE");
  EXPECT_NE(refused.message().find("repath.db-wal is damaged: frame 1 of"), std::string::npos)
      << refused;
  spdlog::set_level(spdlog::level::info);
}

}  // namespace
}  // namespace repath::test

#include "store/memory_world_log.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

LogRecord record(std::uint64_t revision, std::size_t bytes = 10) {
  return {Revision{revision}, revision * 100, revision * 7, std::string(bytes, 'x')};
}

void append(MemoryWorldLog& log, LogRecord r) {
  LogUnit unit;
  unit.change = std::move(r);
  const Lsn lsn = log.append(std::move(unit));
  ASSERT_EQ(log.durable(), lsn);
}

TEST(MemoryWorldLog, ReadsWhatWasAppendedInOrder) {
  MemoryWorldLog log(Revision{2}, HistoryBound{});
  for (std::uint64_t r = 2; r < 7; ++r) append(log, record(r));
  const auto read = log.read(Revision{4}, 2, 1000);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->records.size(), 2u);
  EXPECT_EQ(read->records[0].revision, Revision{4});
  EXPECT_EQ(read->records[1].state_hash, 500u);
  EXPECT_EQ(read->records[1].game_tick, 35u);
}

TEST(MemoryWorldLog, DropsTheOldestBeyondTheRecordBound) {
  MemoryWorldLog log(Revision{2}, HistoryBound{3, 1u << 20});
  for (std::uint64_t r = 2; r < 12; ++r) append(log, record(r));
  EXPECT_EQ(log.oldest(), Revision{9});
  EXPECT_EQ(log.end(), Revision{12});
}

TEST(MemoryWorldLog, DropsTheOldestBeyondTheByteBoundButKeepsTheNewest) {
  MemoryWorldLog log(Revision{2}, HistoryBound{100, 50});
  append(log, record(2, 30));
  append(log, record(3, 30));
  EXPECT_EQ(log.oldest(), Revision{3});
  append(log, record(4, 500));
  EXPECT_EQ(log.oldest(), Revision{4});
}

TEST(MemoryWorldLog, DropsTheOldestBeyondTheMemoryOfItsRecords) {
  LogRecord one = record(2, 100);
  one.request_id = std::string(20, 'r');
  EXPECT_EQ(memory_of(one), sizeof(LogRecord) + 120);
  MemoryWorldLog log(Revision{2}, HistoryBound{100, 1u << 20, 2 * memory_of(one)});
  EXPECT_EQ(log.memory_bytes(), 0u);
  for (std::uint64_t r = 2; r < 6; ++r) {
    one.revision = Revision{r};
    append(log, one);
  }
  EXPECT_EQ(log.oldest(), Revision{4});
  EXPECT_EQ(log.memory_bytes(), 2 * memory_of(one));
}

TEST(MemoryWorldLog, BelowTheHistoryIsOutOfRangeWithTheOldestRevision) {
  MemoryWorldLog log(Revision{2}, HistoryBound{2, 1u << 20});
  for (std::uint64_t r = 2; r < 6; ++r) append(log, record(r));
  const absl::Status status = log.read(Revision{3}, 10, 1000).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(error_reason(status), "HISTORY_GONE");
  ASSERT_EQ(error_facts(status).size(), 1u);
  EXPECT_EQ(error_facts(status)[0].first, "oldest_revision");
  EXPECT_EQ(error_facts(status)[0].second, "4");
}

TEST(MemoryWorldLog, AtTheEndThereIsNothingYetAndPastItIsRefused) {
  MemoryWorldLog log(Revision{2}, HistoryBound{});
  ASSERT_TRUE(log.read(Revision{2}, 10, 1000).ok());
  EXPECT_TRUE(log.read(Revision{2}, 10, 1000)->records.empty());
  EXPECT_EQ(error_reason(log.read(Revision{3}, 10, 1000).status()), "REVISION_NOT_YET");
}

TEST(MemoryWorldLog, OneRecordIsReadEvenIfItIsLargerThanAsked) {
  MemoryWorldLog log(Revision{2}, HistoryBound{});
  append(log, record(2, 500));
  append(log, record(3, 500));
  EXPECT_EQ(log.read(Revision{2}, 10, 100)->records.size(), 1u);
}

TEST(MemoryWorldLog, RefusesDurabilityThatItCannotGive) {
  const MemoryWorldLog log(Revision{2}, HistoryBound{});
  EXPECT_TRUE(log.accepts(Durability::kApplied).ok());
  const absl::Status status = log.accepts(Durability::kLocalDisk);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(error_reason(status), "DURABILITY_UNAVAILABLE");
}

}  // namespace
}  // namespace repath

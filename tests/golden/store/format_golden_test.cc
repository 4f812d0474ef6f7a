// A folder that an earlier version of the formats wrote is read by every later server. If this test
// fails, servers lose what their operators have: keep the reader, and give the new format a new
// version.
//
// REPATH_WRITE_STORE=FOLDER writes the folder anew, for a new version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "store/sqlite_store.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

constexpr WallMicros kWrittenAt = 1'780'000'000'000'000;

std::unique_ptr<SqliteStore> open_at(const std::string& folder) {
  SqliteOptions options;
  options.has_threads = false;
  options.reserve_bytes = 0;
  options.wall_clock = [] { return kWrittenAt + 1; };
  auto opened = SqliteStore::open(folder, std::move(options));
  EXPECT_TRUE(opened.ok()) << opened.status();
  return opened.ok() ? *std::move(opened) : nullptr;
}

SessionRow session() { return {"session", 30'000'000, 17, kWrittenAt, "taken"}; }

// As version 3 has it.
SessionRow owned_session() {
  SessionRow row = session();
  row.secret = std::string("\0\1secret", 8);
  row.identity = "token game-1";
  row.opened_at = kWrittenAt - 5;
  return row;
}

// As version 2 has it.
LogRecord dated_record(std::uint64_t revision) {
  LogRecord record = record_of(revision);
  record.applied_at = kWrittenAt + revision;
  if (revision % 2 == 0) record.request_id = "request " + std::to_string(revision);
  return record;
}

void write_folder(const std::string& folder) {
  const auto store = open_at(folder);
  StringSource base("base");
  auto world = store->create(entry_of("lake"), base, Revision{2}, HistoryBound{});
  ASSERT_TRUE(world.ok());
  Lsn last{};
  for (std::uint64_t r = 2; r <= 140; ++r) {
    LogUnit unit = change_of(r);
    unit.change = dated_record(r);
    unit.agents.push_back({AgentId{r % 5}, "session", "spec " + std::to_string(r)});
    if (r == 139) unit.request = request_of("request", kWrittenAt);
    if (r == 3) unit.sessions.push_back(owned_session());
    last = world->log->append(std::move(unit));
  }
  store->save_positions(world->entry.key, {{AgentId{3}, {1.5, 2.5, 3.5}, kWrittenAt}}, kWrittenAt);
  StringSource snapshot("snapshot");
  ASSERT_TRUE(store->snapshot(world->entry.key, last, Revision{140}, snapshot).ok());
  LogUnit tail;
  tail.change = dated_record(141);
  last = world->log->append(std::move(tail));
}

// `record` and `session_row` are as that version wrote them.
void expect_folder(const std::string& version, LogRecord (*record)(std::uint64_t),
                   const SessionRow& session_row = session()) {
  const std::string golden = std::string(REPATH_SOURCE_DIR) + "/tests/data/store/" + version;
  const std::string folder = temp_path("golden");
  std::filesystem::copy(golden, folder, std::filesystem::copy_options::recursive);
  {
    const auto store = open_at(folder);
    ASSERT_NE(store, nullptr);
    const auto worlds = store->worlds();
    ASSERT_TRUE(worlds.ok());
    ASSERT_EQ(worlds->size(), 1u);
    CatalogEntry entry = entry_of("lake");
    entry.key = WorldKey{1};
    EXPECT_EQ((*worlds)[0], entry);
    const auto world = store->load(WorldKey{1}, HistoryBound{});
    ASSERT_TRUE(world.ok()) << world.status();
    EXPECT_EQ(world->incarnation, 2u);
    EXPECT_EQ(world->snapshot, "snapshot");
    EXPECT_EQ(world->snapshot_revision, Revision{140});
    EXPECT_EQ(world->agents.size(), 5u);
    EXPECT_EQ(world->agents[4], (StoredAgent{AgentId{4}, "session", "spec 139"}));
    EXPECT_EQ(world->sessions, std::vector<SessionRow>{session_row});
    EXPECT_EQ(world->requests, std::vector<RequestRow>{request_of("request", kWrittenAt)});
    EXPECT_EQ(world->positions_at, kWrittenAt);
    // Slots of the first format have one time for all.
    EXPECT_EQ(world->positions,
              (std::vector<PositionRow>{{AgentId{3}, {1.5, 2.5, 3.5}, kWrittenAt}}));
    EXPECT_EQ(world->log->end(), Revision{142});
    const auto records = store->read(WorldKey{1}, Revision{2}, 1000, 1u << 20);
    ASSERT_TRUE(records.ok()) << records.status();
    ASSERT_EQ(records->size(), 140u);
    for (std::uint64_t r = 2; r <= 141; ++r) EXPECT_EQ((*records)[r - 2], record(r));
  }
  // The first load may have brought what it read to this version.
  {
    const auto store = open_at(folder);
    const auto world = store->load(WorldKey{1}, HistoryBound{});
    EXPECT_TRUE(world.ok()) << world.status();
  }
  std::filesystem::remove_all(folder);
}

TEST(StoreFormat, VersionOneIsRead) {
  expect_folder("v1", [](std::uint64_t revision) { return record_of(revision); });
}

TEST(StoreFormat, VersionTwoIsRead) { expect_folder("v2", dated_record); }

TEST(StoreFormat, VersionThreeIsRead) { expect_folder("v3", dated_record, owned_session()); }

// It has what version 3 has, and tallies.
TEST(StoreFormat, VersionFourIsRead) {
  if (const char* fresh = std::getenv("REPATH_WRITE_STORE")) write_folder(fresh);
  expect_folder("v4", dated_record, owned_session());
}

}  // namespace
}  // namespace repath::test

// The database of a store: its bytes, the bytes of its write-ahead log, and single values of its
// rows. Damaged content is refused with a reason. Content that is not refused is as it was written.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/sqlite_store.h"
#include "support/crash_vfs.h"
#include "support/fuzz.h"
#include "support/store_rows.h"

namespace repath {
namespace {

constexpr const char* kDatabase = "repath.db";
constexpr const char* kLog = "repath.db-wal";
constexpr WallMicros kNow = 2'000'000'000;
using Files = std::vector<std::pair<std::string, std::string>>;  // path and bytes

// A store whose files are in memory.
class StoreBed {
 public:
  absl::StatusOr<std::unique_ptr<SqliteStore>> open() {
    SqliteOptions options;
    options.vfs = vfs_.name();
    options.database = kDatabase;
    options.disk = std::make_unique<test::CrashFiles>(disk_);
    options.has_threads = false;
    options.wall_clock = [] { return kNow; };
    return SqliteStore::open(".", std::move(options));
  }
  // Changes the database as another program would.
  template <class Change>
  void change(Change change) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open_v2(kDatabase, &db, SQLITE_OPEN_READWRITE, vfs_.name().c_str()), 0);
    sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE", nullptr, nullptr, nullptr);
    change(db);
    sqlite3_close(db);
  }
  std::string read(const std::string& path) const { return disk_.find(path)->live; }
  Files all() {
    Files files;
    for (const std::string folder : {"worlds/1", "worlds/2"})
      for (const std::string& name : disk_.list(folder))
        files.emplace_back(folder + "/" + name, read(folder + "/" + name));
    return files;
  }
  void lay(const Files& files, const std::string& database, const std::string& log) {
    test::CrashFiles disk(disk_);
    for (const char* folder : {"worlds", "worlds/1", "worlds/2"})
      EXPECT_TRUE(disk.make_folder(folder).ok());
    for (const auto& [path, bytes] : files) disk_.make(path)->live = bytes;
    disk_.make(kDatabase)->live = database;
    if (!log.empty()) disk_.make(kLog)->live = log;
  }

 private:
  test::CrashDisk disk_{1};
  test::CrashVfs vfs_{disk_};
};

// The content of one world as a store gives it.
struct Content {
  CatalogEntry entry;
  std::string snapshot;
  std::vector<StoredAgent> agents;
  std::vector<SessionRow> sessions;
  std::vector<RequestRow> requests;
  std::vector<LogRecord> records;
  bool operator==(const Content&) const = default;
};

class DatabaseFuzz : public testing::Test {
 protected:
  DatabaseFuzz() {
    spdlog::set_level(spdlog::level::off);
    StoreBed bed;
    {
      const auto store = bed.open();
      EXPECT_TRUE(store.ok()) << store.status();
      for (const char* name : {"lake", "wood"}) fill(**store, name);
      database_of_log_ = bed.read(kDatabase);
      log_ = bed.read(kLog);
    }
    database_ = bed.read(kDatabase);
    files_ = bed.all();
    StoreBed again;
    again.lay(files_, database_, "");
    EXPECT_TRUE(read(again, &whole_).ok());
    EXPECT_EQ(whole_.size(), 2u);
  }
  ~DatabaseFuzz() override { spdlog::set_level(spdlog::level::info); }

  // Reads all worlds. Returns the first error.
  static absl::Status read(StoreBed& bed, std::vector<Content>* out) {
    REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<SqliteStore> store, bed.open());
    REPATH_ASSIGN_OR_RETURN(const std::vector<CatalogEntry> worlds, store->worlds());
    absl::Status first;
    for (const CatalogEntry& entry : worlds) {
      const auto content = read(*store, entry);
      if (content.ok()) out->push_back(*content);
      EXPECT_TRUE(content.ok() || !error_reason(content.status()).empty()) << content.status();
      first.Update(content.status());
    }
    return first;
  }
  static absl::StatusOr<Content> read(SqliteStore& store, const CatalogEntry& entry) {
    REPATH_ASSIGN_OR_RETURN(StoredWorld world, store.load(entry.key, HistoryBound{}));
    REPATH_ASSIGN_OR_RETURN(std::vector<LogRecord> records,
                            store.read(entry.key, Revision{2}, 1000, 1u << 20));
    return Content{entry,
                   std::move(world.snapshot),
                   std::move(world.agents),
                   std::move(world.sessions),
                   std::move(world.requests),
                   std::move(records)};
  }

  Files files_;                  // bases and snapshots
  std::string database_;         // of the store after it was closed
  std::string database_of_log_;  // while it was open, as the next one
  std::string log_;
  std::vector<Content> whole_;

 private:
  static void fill(SqliteStore& store, const std::string& name) {
    test::StringSource base("base of " + name);
    auto world = store.create(test::entry_of(name), base, Revision{2}, HistoryBound{});
    ASSERT_TRUE(world.ok()) << world.status();
    Lsn last{};
    for (std::uint64_t revision = 2; revision < 9; ++revision) {
      LogUnit unit = test::change_of(revision);
      unit.request = test::request_of("r" + std::to_string(revision), kNow);
      unit.agents.push_back({AgentId{revision}, "s", "spec"});
      unit.sessions.push_back({"s" + std::to_string(revision % 2), 1000, revision, 3, "taken"});
      last = world->log->append(std::move(unit));
    }
    test::StringSource snapshot("snapshot");
    ASSERT_TRUE(store.snapshot(world->entry.key, last, Revision{8}, snapshot).ok());
  }
};

TEST_F(DatabaseFuzz, Bytes) {
  test::feed({database_}, [this](const std::string& database) {
    StoreBed bed;
    bed.lay(files_, database, "");
    std::vector<Content> content;
    return read(bed, &content);
  });
}

TEST_F(DatabaseFuzz, WriteAheadLogBesideItsDatabase) {
  test::feed({log_}, [this](const std::string& log) {
    StoreBed bed;
    bed.lay(files_, database_of_log_, log);
    std::vector<Content> content;
    return read(bed, &content);
  });
}

struct Column {
  const char* table;
  const char* key;  // columns that name a row
  const char* column;
};
constexpr Column kColumns[] = {
    {"meta", "name", "name"},
    {"meta", "name", "value"},
    {"worlds", "key", "key"},
    {"worlds", "key", "name"},
    {"worlds", "key", "epoch"},
    {"worlds", "key", "definition"},
    {"worlds", "key", "request_id"},
    {"worlds", "key", "made_at"},
    {"worlds", "key", "facts"},
    {"worlds", "key", "checksum"},
    {"world_state", "key", "key"},
    {"world_state", "key", "incarnation"},
    {"world_state", "key", "first"},
    {"world_state", "key", "floor"},
    {"world_state", "key", "head"},
    {"world_state", "key", "checksum"},
    {"log", "seq", "seq"},
    {"log", "seq", "world"},
    {"log", "seq", "revision"},
    {"log", "seq", "before"},
    {"log", "seq", "state_hash"},
    {"log", "seq", "game_tick"},
    {"log", "seq", "checksum"},
    {"log", "seq", "batch"},
    {"log", "seq", "applied_at"},
    {"log", "seq", "request_id"},
    {"marks", "world, revision", "world"},
    {"marks", "world, revision", "revision"},
    {"marks", "world, revision", "seq"},
    {"marks", "world, revision", "bytes"},
    {"agents", "world, id", "world"},
    {"agents", "world, id", "id"},
    {"agents", "world, id", "session"},
    {"agents", "world, id", "checksum"},
    {"agents", "world, id", "spec"},
    {"sessions", "world, name", "world"},
    {"sessions", "world, name", "name"},
    {"sessions", "world, name", "ttl_us"},
    {"sessions", "world, name", "sequence"},
    {"sessions", "world, name", "left_at"},
    {"sessions", "world, name", "checksum"},
    {"sessions", "world, name", "taken"},
    {"sessions", "world, name", "secret"},
    {"sessions", "world, name", "identity"},
    {"sessions", "world, name", "opened_at"},
    {"requests", "seq", "seq"},
    {"requests", "seq", "world"},
    {"requests", "seq", "before"},
    {"requests", "seq", "at"},
    {"requests", "seq", "checksum"},
    {"requests", "seq", "request_id"},
    {"requests", "seq", "content"},
    {"requests", "seq", "answer"},
    {"tallies", "world", "world"},
    {"tallies", "world", "revision"},
    {"tallies", "world", "request"},
    {"tallies", "world", "counted"},
    {"tallies", "world", "agents"},
    {"tallies", "world", "agents_sum"},
    {"tallies", "world", "sessions"},
    {"tallies", "world", "sessions_sum"},
    {"tallies", "world", "checksum"},
};

const Column& column_of(const std::string& text) {
  return kColumns[static_cast<unsigned char>(text[0]) % std::size(kColumns)];
}

// Says in which parts the contents of a world differ. With `may_lack_requests`, the oldest requests
// may be missing.
std::string difference(const Content& a, const Content& b, bool may_lack_requests) {
  std::string parts;
  if (a.entry != b.entry) parts += " entry";
  if (a.snapshot != b.snapshot) parts += " snapshot";
  if (a.agents != b.agents) parts += " agents";
  if (a.sessions != b.sessions) parts += " sessions";
  const bool is_as_long = a.requests.size() == b.requests.size();
  if (a.requests.size() > b.requests.size() || (!is_as_long && !may_lack_requests) ||
      !std::equal(a.requests.rbegin(), a.requests.rend(), b.requests.rbegin()))
    parts += " requests";
  if (a.records != b.records) parts += " records";
  return parts;
}

bool is_drop(const std::string& text) {
  return text.size() > 2 && static_cast<unsigned char>(text[2]) % 8 == 0;
}

// Rows of requests that are missing from the begin of the table were answered too long ago.
bool takes_request_away(const std::string& text) {
  return column_of(text).table == std::string("requests") &&
         (is_drop(text) || column_of(text).column == std::string("seq"));
}

// Changes one value: the first byte names its column, the second its row, the third what becomes of
// it; the rest is the new value.
void change_value(sqlite3* db, const std::string& text) {
  constexpr std::size_t kHead = 3;
  if (text.size() < kHead) return;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Column& at = column_of(text);
  const std::string where = std::string(" WHERE (") + at.key + ") IN (SELECT " + at.key + " FROM " +
                            at.table + " LIMIT 1 OFFSET ?2)";
  const std::string change =
      is_drop(text)
          ? std::string("DELETE FROM ") + at.table + where + " AND ?1 IS NOT NULL"
          : std::string("UPDATE OR IGNORE ") + at.table + " SET " + at.column + " = ?1" + where;
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db, change.c_str(), -1, &statement, nullptr), SQLITE_OK) << change;
  const std::string value = text.substr(kHead);
  const auto size = static_cast<int>(value.size());
  if (byte(2) % 8 < 4) {
    std::int64_t number = 0;
    std::memcpy(&number, value.data(), std::min(value.size(), sizeof number));
    sqlite3_bind_int64(statement, 1, number);
  } else if (byte(2) % 8 < 6) {
    sqlite3_bind_blob(statement, 1, value.data(), size, SQLITE_STATIC);
  } else {
    sqlite3_bind_text(statement, 1, value.data(), size, SQLITE_STATIC);
  }
  sqlite3_bind_int(statement, 2, byte(1) % 32);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
}

TEST_F(DatabaseFuzz, Values) {
  test::feed({std::string("\x00\x1f\x01", 3)}, [this](const std::string& text) {
    StoreBed bed;
    bed.lay(files_, database_, "");
    bed.change([&](sqlite3* db) { change_value(db, text); });
    std::vector<Content> content;
    const absl::Status status = read(bed, &content);
    for (const Content& world : content) {
      const auto whole = std::ranges::find_if(
          whole_, [&](const Content& one) { return one.entry.key == world.entry.key; });
      if (whole == whole_.end()) continue;
      EXPECT_EQ(difference(world, *whole, takes_request_away(text)), "")
          << column_of(text).table << "." << column_of(text).column;
    }
    return status;
  });
}

}  // namespace
}  // namespace repath

// A row whose key is damaged lies where its world does not look. The world must be refused, and not
// served without what the row says.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/sqlite_store.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

constexpr WallMicros kNow = 1'780'000'000'000'000;
constexpr WallMicros kDay = 86'400'000'000;

class Tallies : public testing::Test {
 protected:
  Tallies() : folder_(temp_path("tallies")) { spdlog::set_level(spdlog::level::off); }
  ~Tallies() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
    spdlog::set_level(spdlog::level::info);
  }
  void open(WallMicros at = kNow) {
    store_.reset();
    SqliteOptions options;
    options.has_threads = false;
    options.reserve_bytes = 0;
    options.wall_clock = [at] { return at; };
    auto opened = SqliteStore::open(folder_, std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  StoredWorld create(const std::string& name) {
    StringSource base("base");
    auto world = store_->create(entry_of(name), base, Revision{2}, HistoryBound{});
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  void append(StoredWorld& world, LogUnit unit) {
    const Lsn lsn = world.log->append(std::move(unit));
    store_->pump();
    ASSERT_EQ(world.log->durable(), lsn);
  }
  // Makes two worlds, "lake" with the key 1 and "wood" with the key 2: 40 changes of each in turn,
  // every second one with a request, 30 agents, 8 sessions.
  void fill() {
    open();
    StoredWorld worlds[] = {create("lake"), create("wood")};
    for (std::uint64_t r = 2; r < 42; ++r) {
      for (StoredWorld& world : worlds) {
        LogUnit unit = change_of(r);
        unit.agents.push_back({AgentId{100 + r % 30}, "session", "spec " + std::to_string(r)});
        unit.sessions.push_back({"session " + std::to_string(r % 8), 5, r, 0, "taken"});
        if (r % 2 == 0) unit.request = request_of("request " + std::to_string(r), kNow);
        append(world, std::move(unit));
      }
    }
  }
  // Changes the database of a store that is closed. SQLite keeps each row where its key says, and a
  // damaged key does not: the world does not find the row in either case.
  void change(const std::string& text) {
    store_.reset();
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ + "/repath.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << text;
    EXPECT_GT(sqlite3_total_changes(db), 0) << text;
    sqlite3_close(db);
  }
  // Loads a world and reads all its records, as a server does.
  absl::Status load(WorldKey key, StoredWorld* out = nullptr) {
    auto loaded = store_->load(key, HistoryBound{});
    if (!loaded.ok()) return loaded.status();
    const absl::Status read = store_->read(key, Revision{2}, 1000, 1u << 20).status();
    if (out != nullptr) *out = *std::move(loaded);
    return read;
  }
  // Expects the first world to be refused with `place`, and the second one to be whole.
  void expect_damage(const std::string& text, const std::string& place) {
    SCOPED_TRACE(text);
    store_.reset();
    const std::string whole = folder_ + "-whole";
    std::filesystem::copy(folder_, whole, std::filesystem::copy_options::recursive);
    change(text);
    open();
    const absl::Status lake = load(WorldKey{1});
    EXPECT_EQ(error_reason(lake), "WORLD_DAMAGED") << lake;
    EXPECT_NE(lake.message().find(place), std::string::npos) << lake;
    const absl::Status wood = load(WorldKey{2});
    EXPECT_TRUE(wood.ok()) << wood;
    EXPECT_TRUE(store_->remove(WorldKey{1}).ok()) << "a damaged world may be deleted";
    store_.reset();
    std::filesystem::remove_all(folder_);
    std::filesystem::rename(whole, folder_);
  }

  std::string folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(Tallies, AnAgentWhoseKeyIsDamagedRefusesItsWorld) {
  fill();
  // Keys of worlds and ids with one bit flipped.
  expect_damage("UPDATE agents SET world = 1 | 64 WHERE world = 1 AND id = 107",
                "table agents: it has 29 rows of the world instead of 30");
  expect_damage("UPDATE agents SET world = 1 | 64 WHERE world = 1",
                "table agents: it has 0 rows of the world instead of 30");
  expect_damage("DELETE FROM agents WHERE world = 1 AND id = 129", "29 rows");
  expect_damage("UPDATE agents SET id = id | 4096 WHERE world = 1 AND id = 107", "table agents");
  open();
  EXPECT_TRUE(load(WorldKey{1}).ok());
}

// The row is whole, and not the newest one: a write that the disk lost leaves this.
TEST_F(Tallies, AnEarlierRowOfAnAgentRefusesItsWorld) {
  fill();
  change(
      "CREATE TABLE earlier(world, id, session, checksum, spec); "
      "INSERT INTO earlier SELECT * FROM agents");
  open();
  {
    StoredWorld lake;
    ASSERT_TRUE(load(WorldKey{1}, &lake).ok());
    LogUnit unit;
    unit.agents.push_back({AgentId{107}, "session", "another goal"});
    append(lake, std::move(unit));
  }
  expect_damage("INSERT OR REPLACE INTO agents SELECT * FROM earlier WHERE world = 1 AND id = 107",
                "table agents: the 30 rows are not those that were written last");
}

TEST_F(Tallies, ASessionWhoseKeyIsDamagedRefusesItsWorld) {
  fill();
  expect_damage("UPDATE sessions SET world = 1 | 64 WHERE world = 1 AND name = 'session 3'",
                "table sessions: it has 7 rows of the world instead of 8");
  expect_damage("UPDATE sessions SET name = 'sessioo 3' WHERE world = 1 AND name = 'session 3'",
                "table sessions");
}

TEST_F(Tallies, ARequestWhoseKeyIsDamagedRefusesItsWorld) {
  fill();
  const std::string newest = "(SELECT max(seq) FROM requests WHERE world = 1)";
  for (const std::string& row : {newest, std::string("21")}) {
    expect_damage("UPDATE requests SET world = 1 | 64 WHERE seq = " + row, "another row is there");
    expect_damage("UPDATE requests SET world = 2 WHERE seq = " + row, "another row is there");
    expect_damage("UPDATE requests SET seq = seq | 4096 WHERE seq = " + row, "the row is missing");
  }
}

TEST_F(Tallies, AMarkOrATallyWhoseKeyIsDamagedRefusesItsWorld) {
  fill();
  expect_damage("UPDATE marks SET world = 1 | 64 WHERE world = 1",
                "table log: it ends at revision 0 and once reached revision 41");
  expect_damage("UPDATE tallies SET world = 1 | 64 WHERE world = 1", "tallies: the row is missing");
  for (const char* wrong :
       {"revision = revision + 1", "request = request + 1", "counted = 0", "agents = agents + 1",
        "agents_sum = agents_sum + 1", "sessions = 9", "sessions_sum = 0", "checksum = 1"})
    expect_damage(std::string("UPDATE tallies SET ") + wrong + " WHERE world = 1",
                  "table tallies: the checksum does not fit");
}

// A server that was killed leaves rows that no mark and no tally names.
TEST_F(Tallies, ARowBehindTheLastMarkWithADamagedKeyRefusesItsWorld) {
  fill();
  const std::string killed = folder_ + "-killed";
  std::filesystem::copy(folder_, killed, std::filesystem::copy_options::recursive);
  store_.reset();
  std::filesystem::remove_all(folder_);
  std::filesystem::rename(killed, folder_);
  const std::string last_record = "(SELECT max(seq) FROM log WHERE world = 1)";
  const std::string last_request = "(SELECT max(seq) FROM requests WHERE world = 1)";
  const std::string ends_early = "table log: it ends at revision 0 and once reached revision 41";
  for (const char* wrong : {"2", "1 | 64"}) {
    const std::string world = std::string(" SET world = ") + wrong + " WHERE seq = ";
    expect_damage("UPDATE log" + world + last_record, ends_early);
    expect_damage("UPDATE requests" + world + last_request, "another row is there");
  }
  expect_damage("UPDATE log SET revision = 3 WHERE seq = " + last_record, ends_early);
  const std::string number = " SET seq = seq | 4096 WHERE seq = ";
  for (const char* row : {"75", "77"}) expect_damage("UPDATE log" + number + row, "is missing");
  for (const char* row : {"35", "37"})
    expect_damage("UPDATE requests" + number + row, "is missing");
  open();
  EXPECT_TRUE(load(WorldKey{1}).ok());
  EXPECT_TRUE(load(WorldKey{2}).ok());
}

// Numbers of the whole database, of which one bit was flipped after the server was killed. All that
// is in the tables must be found.
TEST_F(Tallies, DamagedNumbersOfTheDatabaseLoseNothing) {
  fill();
  open();
  for (const std::uint64_t key : {1, 2}) {
    StoredWorld world;
    ASSERT_TRUE(load(WorldKey{key}, &world).ok());
    for (std::uint64_t r = 42; r < 50; ++r) {
      LogUnit unit = change_of(r);
      unit.request = request_of("request " + std::to_string(r), kNow);
      append(world, std::move(unit));
    }
  }
  const std::string killed = folder_ + "-killed";
  std::filesystem::copy(folder_, killed, std::filesystem::copy_options::recursive);
  for (const std::string damage :
       {"UPDATE meta SET value = value | 1024 WHERE name = 'flushed_log'",
        "UPDATE meta SET value = value | 1024 WHERE name = 'flushed_request'",
        "UPDATE meta SET value = 0 WHERE name = 'checksum'",
        "UPDATE marks SET seq = seq | 1024 WHERE world = 2",
        "UPDATE marks SET seq = 79 WHERE world = 2",
        "UPDATE marks SET revision = revision | 1024 WHERE world = 2"}) {
    SCOPED_TRACE(damage);
    store_.reset();
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(killed, folder_, std::filesystem::copy_options::recursive);
    change(damage);
    for (int start = 0; start < 2; ++start) {
      open();
      for (const std::uint64_t key : {1, 2}) {
        StoredWorld world;
        const absl::Status loaded = load(WorldKey{key}, &world);
        ASSERT_TRUE(loaded.ok()) << loaded;
        EXPECT_EQ(world.requests.size(), 28u);
        const auto records = store_->read(WorldKey{key}, Revision{2}, 1000, 1u << 20);
        ASSERT_TRUE(records.ok()) << records.status();
        EXPECT_EQ(records->size(), 48u);
      }
    }
  }
  std::filesystem::remove_all(killed);
}

TEST_F(Tallies, AMarkThatNamesNoRecordOfItsWorldRefusesIt) {
  fill();
  for (const char* wrong : {"seq = seq | 1024", "seq = 2", "revision = revision | 1024"})
    expect_damage(std::string("UPDATE marks SET ") + wrong + " WHERE world = 1",
                  "table log: it ends at revision 0 and once reached revision 41");
}

TEST_F(Tallies, ADamagedNextKeyTouchesNoWorld) {
  fill();
  change("UPDATE meta SET value = 1 WHERE name = 'next_key'");
  open();
  EXPECT_EQ(create("pond").entry.key, WorldKey{3});
  EXPECT_TRUE(load(WorldKey{1}).ok());
  EXPECT_TRUE(load(WorldKey{2}).ok());
}

TEST_F(Tallies, AWorldInTheCatalogueIsNotCleanedAway) {
  fill();
  change("INSERT INTO removed VALUES(2)");
  open();
  for (int i = 0; i < 20; ++i) store_->pump();
  EXPECT_TRUE(load(WorldKey{2}).ok());
}

TEST_F(Tallies, AWorldWhoseEntryIsGoneIsStillKnown) {
  fill();
  expect_damage("DELETE FROM worlds WHERE key = 1", "table worlds: the row is missing");
  change("DELETE FROM worlds WHERE key = 1");
  open();
  const auto worlds = store_->worlds();
  ASSERT_TRUE(worlds.ok());
  ASSERT_EQ(worlds->size(), 2u);
  EXPECT_EQ(worlds->back().name, "damaged-1");
  EXPECT_TRUE(worlds->back().is_damaged);
}

TEST_F(Tallies, ANewDatabaseIsNotMadeBesideFilesOfWorlds) {
  fill();
  store_.reset();
  std::filesystem::remove(folder_ + "/repath.db");
  const auto opened = SqliteStore::open(folder_, {});
  EXPECT_NE(opened.status().message().find("repath.db is missing or empty"), std::string::npos)
      << opened.status();
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/worlds/1"));
}

TEST_F(Tallies, RequestsThatWereAnsweredTooLongAgoAreNoDamage) {
  fill();
  open(kNow + 2 * kDay);
  for (int i = 0; i < 5; ++i) store_->pump();
  StoredWorld world;
  ASSERT_TRUE(load(WorldKey{1}, &world).ok());
  EXPECT_TRUE(world.requests.empty());
  LogUnit unit;
  unit.request = request_of("late", kNow + 2 * kDay);
  append(world, std::move(unit));
  world.log.reset();
  open(kNow + 2 * kDay);
  ASSERT_TRUE(load(WorldKey{1}, &world).ok());
  EXPECT_EQ(world.requests.size(), 1u);
}

TEST_F(Tallies, RowsThatAreReplacedAndRemovedStayCounted) {
  open();
  StoredWorld world = create("lake");
  LogUnit unit;
  for (std::uint64_t id : {1, 2, 3}) unit.agents.push_back({AgentId{id}, "s", "first"});
  unit.agents.push_back({AgentId{2}, "s", "again in this unit"});
  unit.removed_agents = {AgentId{3}, AgentId{3}, AgentId{99}};
  unit.sessions = {{"s", 5, 1, 0, ""}, {"t", 5, 1, 0, ""}, {"s", 5, 2, 0, ""}};
  unit.removed_sessions = {"t", "none"};
  append(world, std::move(unit));
  LogUnit more;
  more.agents.push_back({AgentId{1}, "s", "second"});
  append(world, std::move(more));
  world.log.reset();
  open();
  ASSERT_TRUE(load(WorldKey{1}, &world).ok());
  ASSERT_EQ(world.agents.size(), 2u);
  EXPECT_EQ(world.agents[0].spec, "second");
  EXPECT_EQ(world.agents[1].spec, "again in this unit");
  ASSERT_EQ(world.sessions.size(), 1u);
  EXPECT_EQ(world.sessions[0].sequence, 2u);
}

// Worlds of an earlier version are counted by their first load, and checked from then on.
TEST_F(Tallies, AWorldOfVersionThreeIsCountedWhenItIsLoaded) {
  std::filesystem::copy(std::string(REPATH_SOURCE_DIR) + "/tests/data/store/v3", folder_,
                        std::filesystem::copy_options::recursive);
  open();
  store_.reset();  // The file is of this version now, and the world was not loaded.
  for (int i = 0; i < 2; ++i) {
    open();
    ASSERT_TRUE(load(WorldKey{1}).ok());
  }
  change("UPDATE agents SET world = 1 | 64 WHERE world = 1 AND id = 3");
  open();
  const absl::Status status = load(WorldKey{1});
  EXPECT_EQ(error_reason(status), "WORLD_DAMAGED");
  EXPECT_NE(status.message().find("table agents: it has 4 rows"), std::string::npos) << status;
}

}  // namespace
}  // namespace repath::test

// What the store in a folder does when its files are held, damaged, of another version or full.
#include "store/sqlite_store.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "store/checksum.h"
#include "support/crash_vfs.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

class SqliteStores : public testing::Test {
 protected:
  SqliteStores() : folder_(temp_path("store")) { spdlog::set_level(spdlog::level::off); }
  ~SqliteStores() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
    spdlog::set_level(spdlog::level::info);
  }
  void open() {
    auto opened = SqliteStore::open(folder_);
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  // Returns an open world with `records` changes on the disk.
  StoredWorld make_open(const std::string& name, std::uint64_t records) {
    StringSource base("base");
    auto world = store_->create(entry_of(name), base, Revision{2}, HistoryBound{});
    EXPECT_TRUE(world.ok()) << world.status();
    Lsn last{};
    for (std::uint64_t r = 2; r < 2 + records; ++r) {
      LogUnit unit = change_of(r);
      unit.agents.push_back({AgentId{r}, "", "spec"});
      last = world->log->append(std::move(unit));
    }
    settle(world->entry.key, last);
    return *std::move(world);
  }
  // Returns the key of such a world, which is put out.
  WorldKey make(const std::string& name, std::uint64_t records) {
    return make_open(name, records).entry.key;
  }
  void settle(WorldKey key, Lsn lsn) {
    StringSource nothing("");
    ASSERT_TRUE(store_->snapshot(key, lsn, Revision{1}, nothing).ok());
  }
  void snapshot(WorldKey key, std::uint64_t revision, const std::string& bytes) {
    StringSource source(bytes);
    ASSERT_TRUE(store_->snapshot(key, Lsn{0}, Revision{revision}, source).ok());
  }
  // Runs a statement on the database of a store that is closed.
  void change(const std::string& text) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ + "/repath.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << text;
    EXPECT_GT(sqlite3_total_changes(db), 0) << text;
    sqlite3_close(db);
  }
  absl::Status read_all(WorldKey key) {
    return store_->read(key, Revision{2}, 1000, 1u << 20).status();
  }

  std::string folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(SqliteStores, ASecondServerIsRefusedWithTheProcessOfTheFirst) {
  open();
  const absl::Status second = SqliteStore::open(folder_).status();
  EXPECT_EQ(error_reason(second), "STORE_LOCKED");
  ASSERT_EQ(error_facts(second).size(), 1u);
  EXPECT_EQ(error_facts(second)[0].second, std::to_string(::getpid()));
  store_.reset();
  open();
}

TEST_F(SqliteStores, ALaterVersionAndAnotherProgramsFileAreRefused) {
  open();
  store_.reset();
  for (const char* text : {"PRAGMA user_version = 5", "PRAGMA application_id = 5"}) {
    change(std::string("INSERT OR REPLACE INTO meta VALUES('x', 1); ") + text);
    EXPECT_EQ(error_reason(SqliteStore::open(folder_).status()), "STORE_VERSION") << text;
  }
}

TEST_F(SqliteStores, DamagedRowsRefuseTheirWorldWithThePlaceAndTheOthersServe) {
  open();
  const WorldKey lake = make("lake", 300);
  const WorldKey wood = make("wood", 5);
  const auto key = std::to_string(value(lake));
  const struct {
    std::string change, place;
    bool on_load;
  } kDamages[] = {
      {"UPDATE log SET batch = x'00' WHERE revision = 200", "revision 200: the checksum", false},
      {"UPDATE log SET state_hash = 1 WHERE revision = 201", "revision 201: the checksum", false},
      {"DELETE FROM log WHERE revision = 250", "revision 250: the row is missing", false},
      {"UPDATE agents SET spec = x'00' WHERE id = 9", "table agents, agent 9", true},
      {"UPDATE world_state SET floor = 7 WHERE key = " + key, "table world_state", true},
  };
  for (const auto& damage : kDamages) {
    store_.reset();
    std::filesystem::copy_file(folder_ + "/repath.db", folder_ + "/whole");
    change(damage.change +
           (damage.on_load && damage.place != "table world_state" ? " AND world = " + key : ""));
    open();
    absl::Status status = store_->load(lake, HistoryBound{}).status();
    EXPECT_EQ(status.ok(), !damage.on_load) << status;
    if (!damage.on_load) status = read_all(lake);
    EXPECT_EQ(error_reason(status), "WORLD_DAMAGED") << damage.change;
    EXPECT_NE(status.message().find(damage.place), std::string::npos) << status;
    EXPECT_TRUE(store_->load(wood, HistoryBound{}).ok());
    EXPECT_TRUE(read_all(wood).ok());
    store_.reset();
    std::filesystem::rename(folder_ + "/whole", folder_ + "/repath.db");
    open();
  }
  EXPECT_TRUE(store_->load(lake, HistoryBound{}).ok());
  EXPECT_TRUE(read_all(lake).ok());
}

TEST_F(SqliteStores, ADamagedSnapshotFallsBackToTheOneBefore) {
  open();
  StoredWorld world = make_open("lake", 30);
  const WorldKey key = world.entry.key;
  snapshot(key, 10, "ten");
  snapshot(key, 20, "twenty");
  world.log.reset();
  store_.reset();
  const auto damage = [&](const std::string& start) {
    for (const auto& file :
         std::filesystem::directory_iterator(folder_ + "/worlds/" + std::to_string(value(key))))
      if (file.path().filename().string().starts_with(start))
        std::ofstream(file.path()) << "nothing";
  };
  const auto loaded = [&] {
    open();
    auto again = store_->load(key, HistoryBound{});
    if (!again.ok()) return std::string(error_reason(again.status()));
    return again->snapshot + " " + std::to_string(value(again->snapshot_revision));
  };
  EXPECT_EQ(loaded(), "twenty 20");
  store_.reset();
  damage("snap-20");
  EXPECT_EQ(loaded(), "ten 10");
  store_.reset();
  damage("snap-10");
  EXPECT_EQ(loaded(), "base 1");
  store_.reset();
  damage("base");
  EXPECT_EQ(loaded(), "WORLD_DAMAGED");
}

TEST_F(SqliteStores, ARemovedWorldLeavesNeitherRowsNorFiles) {
  open();
  const WorldKey key = make("lake", 50);
  const std::string folder = folder_ + "/worlds/" + std::to_string(value(key));
  EXPECT_TRUE(std::filesystem::exists(folder));
  ASSERT_TRUE(store_->remove(key).ok());
  for (int i = 0; i < 400 && std::filesystem::exists(folder); ++i) ::usleep(10'000);
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_EQ(error_reason(store_->load(key, HistoryBound{}).status()), "WORLD_UNKNOWN");
}

// Puts entries with long facts into the catalogue of a store that is closed.
void fill_catalogue(const std::string& path, std::uint64_t worlds) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(db, "INSERT INTO worlds VALUES(?, ?, 'e', zeroblob(32), '', 5, ?, ?)", -1,
                     &insert, nullptr);
  const std::string facts(200, 'f');
  const std::string digest(32, '\0');
  for (std::uint64_t key = 1; key <= worlds; ++key) {
    const std::string name = "world " + std::to_string(key);
    Checksum sum;
    sum.add(key).add(name).add(std::string_view("e")).add(digest).add(std::string_view(""));
    sum.add(std::uint64_t{5}).add(facts);
    sqlite3_bind_int64(insert, 1, static_cast<sqlite3_int64>(key));
    sqlite3_bind_text(insert, 2, name.c_str(), -1, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 3, facts.data(), 200, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 4, static_cast<sqlite3_int64>(sum.value()));
    ASSERT_EQ(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(db);
}

// These worlds have no files at all.
TEST_F(SqliteStores, TheCatalogueIsReadWithoutAFileOfAnyWorld) {
  open();
  store_.reset();
  fill_catalogue(folder_ + "/repath.db", 5'000);
  open();
  const auto worlds = store_->worlds();
  ASSERT_TRUE(worlds.ok());
  EXPECT_EQ(worlds->size(), 5'000u);
}

// Changes the n-th place of a file at which the text stands, in its last byte. Returns false if
// there are fewer.
bool spoil(const std::string& path, const std::string& text, int n) {
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::size_t at = bytes.find(text);
  while (n-- > 0 && at != std::string::npos) at = bytes.find(text, at + 1);
  if (at == std::string::npos) return false;
  bytes[at + text.size() - 1] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  return true;
}

// A name stands in its row and in the index of names. The row is damaged if its checksum does not
// fit.
TEST_F(SqliteStores, ADamagedEntryOfTheCatalogueIsKnownByItsNameAndCanBeDeleted) {
  open();
  for (const char* name : {"meadow", "lake"}) {
    StringSource base("base");
    ASSERT_TRUE(store_->create(entry_of(name), base, Revision{2}, HistoryBound{}).ok());
  }
  store_.reset();
  const std::string whole = folder_ + "-whole";
  std::filesystem::rename(folder_, whole);
  int places = 0;
  int damaged = 0;
  for (;; ++places) {
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(whole, folder_, std::filesystem::copy_options::recursive);
    if (!spoil(folder_ + "/repath.db", "meadow", places)) break;
    SCOPED_TRACE(places);
    open();
    const auto worlds = store_->worlds();
    ASSERT_TRUE(worlds.ok()) << worlds.status();
    ASSERT_EQ(worlds->size(), 2u);
    const auto at = std::ranges::find(*worlds, "meadow", &CatalogEntry::name);
    ASSERT_NE(at, worlds->end());
    EXPECT_TRUE(std::ranges::any_of(
        *worlds, [](const CatalogEntry& e) { return e.name == "lake" && !e.is_damaged; }));
    const auto loaded = store_->load(at->key, HistoryBound{});
    EXPECT_EQ(absl::IsDataLoss(loaded.status()), at->is_damaged) << loaded.status();
    if (at->is_damaged) {
      ++damaged;
      EXPECT_TRUE(store_->remove(at->key).ok());
      EXPECT_EQ(store_->worlds()->size(), 1u);
    }
    store_.reset();
  }
  std::filesystem::remove_all(whole);
  EXPECT_EQ(places, damaged + 1) << "all but the one in the index";
}

TEST_F(SqliteStores, TheWriteAheadLogIsMovedWhileTheStoreServes) {
  SqliteOptions options;
  options.wal_frames_max = 50;
  auto opened = SqliteStore::open(folder_, std::move(options));
  ASSERT_TRUE(opened.ok()) << opened.status();
  store_ = *std::move(opened);
  StoredWorld world = make_open("lake", 1);
  constexpr std::size_t kBatch = 10'000;
  constexpr std::uint64_t kRecords = 1000;
  Lsn last{};
  for (std::uint64_t r = 3; r < 3 + kRecords; ++r) {
    last = world.log->append(change_of(r, kBatch));
    if (r % 10 == 0) settle(world.entry.key, last);
  }
  settle(world.entry.key, last);
  // Ten records are a transaction of at least 25 pages.
  EXPECT_LT(std::filesystem::file_size(folder_ + "/repath.db-wal"), 2u << 20);
  EXPECT_GT(std::filesystem::file_size(folder_ + "/repath.db"), kRecords * kBatch * 9 / 10);
}

TEST_F(SqliteStores, ProgressIsTold) {
  open();
  StringSource base("base");
  auto world = store_->create(entry_of("lake"), base, Revision{2}, HistoryBound{});
  ASSERT_TRUE(world.ok());
  std::mutex mutex;
  std::condition_variable told;
  bool is_told = false;
  world->log->on_progress([&] {
    const std::lock_guard lock(mutex);
    is_told = true;
    told.notify_one();
  });
  const Lsn lsn = world->log->append(change_of(2));
  std::unique_lock lock(mutex);
  EXPECT_TRUE(told.wait_for(lock, std::chrono::seconds(10), [&] { return is_told; }));
  EXPECT_EQ(world->log->durable(), lsn);
}

// ---- a disk that fails, without threads

class FailingDisk : public testing::Test {
 protected:
  FailingDisk() : disk_(3), vfs_(disk_) {
    spdlog::set_level(spdlog::level::off);
    open();
  }
  ~FailingDisk() override { spdlog::set_level(spdlog::level::info); }
  void open() {
    SqliteOptions options;
    options.vfs = vfs_.name();
    options.database = "repath.db";
    options.disk = std::make_unique<CrashFiles>(disk_);
    options.has_threads = false;
    options.pending_bytes_max = 5000;
    auto opened = SqliteStore::open(".", std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
    StringSource base("base");
    auto world = store_->create(entry_of("lake"), base, Revision{2}, HistoryBound{});
    ASSERT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
  }
  absl::Status accepts(Durability wanted) const { return world_.log->accepts(wanted); }

  CrashDisk disk_;
  CrashVfs vfs_;
  std::unique_ptr<SqliteStore> store_;
  StoredWorld world_;
};

TEST_F(FailingDisk, WithoutSpaceNothingIsAcknowledgedAndWhatWaitsIsWrittenLater) {
  disk_.fail_writes(1'000'000);
  const Lsn lsn = world_.log->append(change_of(2));
  store_->pump();
  EXPECT_EQ(world_.log->durable(), Lsn{0});
  EXPECT_EQ(world_.log->readable_end(), Revision{2}) << "readers see durable records only";
  EXPECT_EQ(error_reason(accepts(Durability::kLocalDisk)), "STORE_UNAVAILABLE");
  EXPECT_TRUE(accepts(Durability::kApplied).ok());
  EXPECT_EQ(store_->health().code(), absl::StatusCode::kUnavailable);
  for (std::uint64_t r = 3; r < 53; ++r) world_.log->append(change_of(r));
  EXPECT_EQ(error_reason(accepts(Durability::kApplied)), "STORE_UNAVAILABLE") << "the bound";
  disk_.fail_writes(0);
  store_->pump();
  EXPECT_EQ(world_.log->durable(), Lsn{value(lsn) + 50});
  EXPECT_TRUE(accepts(Durability::kLocalDisk).ok());
  EXPECT_TRUE(store_->health().ok());
}

TEST_F(FailingDisk, AfterAJobThatFailedTheDiskIsTriedAgainThoughNothingWaits) {
  disk_.fail_writes(1'000'000);
  EXPECT_EQ(error_reason(store_->remove(world_.entry.key)), "STORE_UNAVAILABLE");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(error_reason(accepts(Durability::kLocalDisk)), "STORE_UNAVAILABLE");
    store_->pump();
  }
  disk_.fail_writes(0);
  store_->pump();
  EXPECT_TRUE(accepts(Durability::kLocalDisk).ok());
  EXPECT_TRUE(store_->health().ok());
  EXPECT_EQ(world_.log->append(change_of(2)), Lsn{1});
  store_->pump();
  EXPECT_EQ(world_.log->durable(), Lsn{1});
}

TEST_F(FailingDisk, AFailedSyncIsFinalAndReadsGoOn) {
  world_.log->append(change_of(2));
  store_->pump();
  disk_.fail_next_sync();
  world_.log->append(change_of(3));
  store_->pump();
  for (int i = 0; i < 3; ++i) store_->pump();
  EXPECT_EQ(world_.log->durable(), Lsn{1});
  EXPECT_EQ(error_reason(accepts(Durability::kApplied)), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(store_->health()), "STORE_UNAVAILABLE");
  EXPECT_EQ(world_.log->read(Revision{2}, 10, 1000)->records.size(), 1u);
  const auto records = store_->read(world_.entry.key, Revision{2}, 10, 1000);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->size(), 1u);
  StringSource base("base");
  EXPECT_EQ(
      error_reason(store_->create(entry_of("wood"), base, Revision{2}, HistoryBound{}).status()),
      "STORE_UNAVAILABLE");
}

TEST_F(FailingDisk, ASyncThatFailsForASnapshotIsFinalToo) {
  world_.log->append(change_of(2));
  store_->pump();
  disk_.fail_next_sync();
  StringSource bytes("snapshot");
  EXPECT_EQ(error_reason(store_->snapshot(world_.entry.key, Lsn{1}, Revision{2}, bytes)),
            "STORE_UNAVAILABLE");
  EXPECT_FALSE(store_->health().ok());
}

}  // namespace
}  // namespace repath::test

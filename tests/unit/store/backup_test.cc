// Backups of a store that serves, what restore makes of them, and states of worlds as they were.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/backup_manifest.h"
#include "store/restore.h"
#include "store/sqlite_store.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

namespace fs = std::filesystem;

const std::function<absl::Status()> kWaits = [] { return absl::OkStatus(); };

// An fsync of a file whose path ends so fails; empty: none does.
std::string failing_sync;

bool must_fail(int fd) {
  if (failing_sync.empty()) return false;
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  return !error && path.string().ends_with(failing_sync);
}

}  // namespace
}  // namespace repath::test

// Stands in front of the one of the C library in this program.
extern "C" int fsync(int fd) {
  if (!repath::test::must_fail(fd)) return static_cast<int>(syscall(SYS_fsync, fd));
  errno = EIO;
  return -1;
}

namespace repath::test {
namespace {

class Backups : public testing::Test {
 protected:
  Backups() : root_(temp_path("backups")), folder_(root_ + "/data"), backup_(root_ + "/b/one") {
    spdlog::set_level(spdlog::level::off);
    fs::create_directories(root_);
    store_ = open(folder_);
  }
  ~Backups() override {
    store_.reset();
    fs::remove_all(root_);
    spdlog::set_level(spdlog::level::info);
  }
  static std::unique_ptr<SqliteStore> open(const std::string& folder) {
    auto opened = SqliteStore::open(folder);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  StoredWorld make(const std::string& name, std::uint64_t records, const HistoryBound& bound = {}) {
    StringSource base("base of " + name);
    auto world = store_->create(entry_of(name), base, Revision{2}, bound);
    EXPECT_TRUE(world.ok()) << world.status();
    append(*world, records);
    return *std::move(world);
  }
  // Appends records and waits until they are durable.
  void append(StoredWorld& world, std::uint64_t records) {
    Lsn last{};
    for (std::uint64_t i = 0; i < records; ++i)
      last = world.log->append(change_of(value(world.log->end())));
    if (records > 0) settle(world.entry.key, last);
  }
  void settle(WorldKey key, Lsn lsn) {
    StringSource nothing("");
    ASSERT_TRUE(store_->snapshot(key, lsn, Revision{1}, nothing).ok());
  }
  void snapshot(StoredWorld& world) {
    const Revision revision = previous(world.log->end());
    StringSource source("snapshot " + std::to_string(value(revision)));
    ASSERT_TRUE(store_->snapshot(world.entry.key, world.log->durable(), revision, source).ok());
  }
  absl::Status back_up() { return store_->backup(backup_, kWaits).status(); }
  absl::Status restore(const std::string& to) {
    return restore_backup(backup_, root_ + to).status();
  }
  // Counts the records of a world, each of which must be the one that was appended.
  static std::uint64_t count_records(Store& store, WorldKey key) {
    const auto records = store.read(key, Revision{2}, 100'000, 1u << 30);
    EXPECT_TRUE(records.ok()) << records.status();
    if (!records.ok()) return 0;
    for (std::size_t i = 0; i < records->size(); ++i) EXPECT_EQ((*records)[i], record_of(i + 2));
    return records->size();
  }
  static void flip_byte(const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    const auto middle = file.tellg() / 2;
    file.seekg(middle);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(middle);
    file.put(byte);
  }

  const std::string root_, folder_, backup_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(Backups, ARestoredFolderHasAllThatWasDurable) {
  StoredWorld lake = make("lake", 300);
  snapshot(lake);
  append(lake, 5);
  LogUnit unit;
  unit.agents.push_back({AgentId{3}, "s", "spec"});
  unit.sessions.push_back({"s", 1000, 2, 3, "taken"});
  settle(lake.entry.key, lake.log->append(std::move(unit)));
  store_->save_positions(lake.entry.key, {{AgentId{3}, {1.5, 2.5, 3.5}}}, 77);
  snapshot(lake);  // brings the positions to the disk
  const StoredWorld wood = make("wood", 7);
  const auto figures = store_->backup(backup_, kWaits);
  ASSERT_TRUE(figures.ok()) << figures.status();
  EXPECT_EQ(figures->worlds, 2u);
  EXPECT_GE(figures->linked, 4u);  // two bases and two snapshots, on the same disk
  EXPECT_FALSE(fs::exists(backup_ + ".partial"));
  const auto restored = restore_backup(backup_, root_ + "/new");
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->worlds, 2u);
  const auto copy = open(root_ + "/new");
  const auto worlds = copy->worlds();
  ASSERT_EQ(worlds->size(), 2u);
  EXPECT_EQ((*worlds)[0].name, "lake");
  EXPECT_EQ((*worlds)[0].facts, lake.entry.facts);
  EXPECT_NE((*worlds)[0].epoch, lake.entry.epoch);  // what came after the backup is not there
  const auto loaded = copy->load(lake.entry.key, HistoryBound{});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->snapshot, "snapshot 306");
  EXPECT_EQ(loaded->log->end(), Revision{307});
  EXPECT_EQ(loaded->agents.size(), 1u);
  EXPECT_EQ(loaded->sessions.size(), 1u);
  EXPECT_EQ(loaded->positions_at, 77u);
  EXPECT_EQ(count_records(*copy, lake.entry.key), 305u);
  EXPECT_EQ(count_records(*copy, wood.entry.key), 7u);
  // The original is as it was.
  append(lake, 1);
  EXPECT_EQ(count_records(*store_, lake.entry.key), 306u);
}

TEST_F(Backups, UnderLoadItHoldsOneMomentOfEveryWorld) {
  std::vector<StoredWorld> worlds;
  for (int i = 0; i < 4; ++i) worlds.push_back(make("w" + std::to_string(i), 500));
  std::atomic<bool> ends{false};
  std::vector<std::thread> writers;
  for (StoredWorld& world : worlds) {
    writers.emplace_back([&] {
      while (!ends) {
        append(world, 50);
        snapshot(world);
      }
    });
  }
  std::vector<std::uint64_t> before;
  for (const StoredWorld& world : worlds) before.push_back(value(world.log->durable_revision()));
  const absl::Status status = back_up();
  std::vector<std::uint64_t> after;
  for (const StoredWorld& world : worlds) after.push_back(value(world.log->durable_revision()));
  ends = true;
  for (std::thread& writer : writers) writer.join();
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_TRUE(restore("/new").ok()) << restore("/new2");
  const auto copy = open(root_ + "/new");
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const auto loaded = copy->load(worlds[i].entry.key, HistoryBound{});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    const std::uint64_t end = value(loaded->log->end()) - 1;
    EXPECT_GE(end, before[i]);
    EXPECT_LE(end, after[i]);
    EXPECT_EQ(count_records(*copy, worlds[i].entry.key), end - 1);
    EXPECT_LE(value(loaded->snapshot_revision), end);
  }
}

// Snapshots that are taken after the copy of the log would be ahead of it.
TEST_F(Backups, FilesThatAreNewerThanTheCopyOfTheLogAreLeft) {
  StoredWorld lake = make("lake", 10, {5, 1u << 20});
  snapshot(lake);
  int asked = 0;
  const auto figures = store_->backup(backup_, [&] {
    if (++asked != 2) return absl::OkStatus();  // the database is copied, its files are not
    for (int i = 0; i < 3; ++i) {
      append(lake, 10);
      snapshot(lake);
    }
    return absl::OkStatus();
  });
  ASSERT_TRUE(figures.ok()) << figures.status();
  ASSERT_GE(asked, 2);
  const absl::Status restored = restore("/new");
  ASSERT_TRUE(restored.ok()) << restored;
  const auto copy = open(root_ + "/new");
  const auto loaded = copy->load(lake.entry.key, HistoryBound{});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->log->end(), Revision{12});
  EXPECT_EQ(loaded->snapshot, "snapshot 11");
  // Afterwards the files that no one needs go.
  append(lake, 1);
  snapshot(lake);
  std::size_t kept = 0;
  for (const auto& file : fs::directory_iterator(folder_ + "/worlds/1"))
    kept += file.path().filename().string().starts_with("snap-") ? 1 : 0;
  EXPECT_EQ(kept, 2u);
}

TEST_F(Backups, AWorldThatIsRemovedDuringABackupIsInIt) {
  StoredWorld lake = make("lake", 3);
  lake.log.reset();
  int asked = 0;
  const auto figures = store_->backup(backup_, [&] {
    if (++asked == 2) {
      EXPECT_TRUE(store_->remove(lake.entry.key).ok());
    }
    return absl::OkStatus();
  });
  ASSERT_TRUE(figures.ok()) << figures.status();
  ASSERT_TRUE(restore("/new").ok());
  EXPECT_EQ(count_records(*open(root_ + "/new"), lake.entry.key), 3u);
}

TEST_F(Backups, OneRunsAtATimeAndAnExistingFolderIsLeftAlone) {
  make("lake", 3);
  const auto figures = store_->backup(backup_, [&] {
    EXPECT_EQ(error_reason(store_->backup(root_ + "/b/two", kWaits).status()), "BACKUP_UNDER_WAY");
    return absl::OkStatus();
  });
  ASSERT_TRUE(figures.ok()) << figures.status();
  EXPECT_FALSE(fs::exists(root_ + "/b/two"));
  EXPECT_EQ(error_reason(back_up()), "BACKUP_EXISTS");
  EXPECT_TRUE(restore("/new").ok());
}

TEST_F(Backups, ACallerThatGoesLeavesNothing) {
  make("lake", 3);
  for (int most = 0; most < 2; ++most) {
    int asked = 0;
    const auto figures = store_->backup(
        backup_, [&] { return asked++ < most ? absl::OkStatus() : absl::CancelledError("gone"); });
    EXPECT_TRUE(absl::IsCancelled(figures.status())) << figures.status();
    EXPECT_TRUE(fs::is_empty(root_ + "/b"));
  }
  EXPECT_TRUE(back_up().ok());
}

TEST_F(Backups, NoFileIsForOtherUsers) {
  StoredWorld lake = make("lake", 3);
  snapshot(lake);
  ASSERT_TRUE(back_up().ok());
  ASSERT_TRUE(restore("/new").ok());
  for (const std::string& folder : {folder_, root_ + "/new"}) {
    EXPECT_TRUE(fs::exists(folder + "/repath.db"));
    for (const auto& file : fs::recursive_directory_iterator(folder))
      EXPECT_EQ(file.status().permissions() & fs::perms::others_all, fs::perms::none) << file;
  }
}

// FOLDER.partial is the name of a backup that is not finished.
TEST_F(Backups, AFinishedBackupIsNeverTakenForAnUnfinishedOne) {
  make("lake", 3);
  const auto named = [&](const std::string& name) {
    return store_->backup(root_ + "/b/" + name, kWaits).status();
  };
  const absl::Status refused = named("one.partial");
  EXPECT_EQ(error_reason(refused), "NAME_INVALID");
  EXPECT_EQ(error_field(refused), "name");
  EXPECT_FALSE(fs::exists(root_ + "/b"));
  // A server that dies just before the renaming leaves a whole backup.
  ASSERT_TRUE(back_up().ok());
  fs::rename(backup_, backup_ + ".partial");
  EXPECT_EQ(error_reason(back_up()), "BACKUP_EXISTS");
  EXPECT_TRUE(restore_backup(backup_ + ".partial", root_ + "/new").ok());
  // Without its manifest it is the rest of a backup that did not end.
  fs::remove(backup_ + ".partial/manifest");
  EXPECT_TRUE(back_up().ok());
  EXPECT_FALSE(fs::exists(backup_ + ".partial"));
}

TEST_F(Backups, ADiskThatFailsIsTheDocumentedErrorAndLeavesNoBackup) {
  make("lake", 3);
  for (const char* const file : {"one.partial/manifest", "one.partial"}) {
    failing_sync = file;
    const absl::Status failed = back_up();
    failing_sync.clear();
    EXPECT_TRUE(absl::IsUnavailable(failed)) << failed;
    EXPECT_EQ(error_reason(failed), "STORE_UNAVAILABLE") << failed;
    EXPECT_FALSE(fs::exists(backup_));
    EXPECT_FALSE(fs::exists(backup_ + ".partial"));
  }
  EXPECT_TRUE(back_up().ok()) << "the data folder's own disk has not failed";
  failing_sync = "/restored";
  const absl::Status failed = restore("/restored");
  failing_sync.clear();
  EXPECT_TRUE(absl::IsUnavailable(failed)) << failed;
  EXPECT_EQ(error_reason(failed), "STORE_UNAVAILABLE") << failed;
}

TEST_F(Backups, HalfABackupIsRefused) {
  make("lake", 3);
  ASSERT_TRUE(back_up().ok());
  fs::rename(backup_ + "/manifest", root_ + "/manifest");
  EXPECT_EQ(error_reason(restore("/new")), "BACKUP_UNFINISHED");
  std::ifstream whole(root_ + "/manifest");
  const std::string text(std::istreambuf_iterator<char>(whole), {});
  for (std::size_t n = 0; n < text.size(); n += 7) {
    std::ofstream(backup_ + "/manifest") << text.substr(0, n);
    EXPECT_EQ(error_reason(restore("/new")), "BACKUP_DAMAGED") << n;
  }
  EXPECT_FALSE(fs::exists(root_ + "/new"));
  EXPECT_EQ(error_reason(restore_backup(root_ + "/nothing", root_ + "/new").status()),
            "BACKUP_MISSING");
}

TEST_F(Backups, DamageToAnyFileIsFoundBeforeAnythingIsMade) {
  StoredWorld lake = make("lake", 20);
  snapshot(lake);
  ASSERT_TRUE(back_up().ok());
  std::size_t files = 0;
  for (const auto& file : fs::recursive_directory_iterator(backup_)) {
    const std::string path = file.path();
    if (!file.is_regular_file() || path.find("positions-") != std::string::npos) continue;
    ++files;
    const std::string saved = root_ + "/saved";
    fs::copy_file(path, saved);
    fs::remove(path);
    EXPECT_FALSE(restore("/new").ok()) << path << " is missing";
    fs::copy_file(saved, path);  // no longer the file of the data folder
    flip_byte(path);
    EXPECT_EQ(error_reason(restore("/new")), "BACKUP_DAMAGED") << path;
    fs::remove(path);
    fs::rename(saved, path);
  }
  EXPECT_EQ(files, 4u);  // database, manifest, base, snapshot
  EXPECT_FALSE(fs::exists(root_ + "/new"));
  EXPECT_TRUE(restore("/new").ok());
}

TEST_F(Backups, OnlyAnEmptyFolderThatNoServerUsesIsFilled) {
  make("lake", 3);
  ASSERT_TRUE(back_up().ok());
  EXPECT_EQ(error_reason(restore("/data")), "STORE_LOCKED");
  store_.reset();
  EXPECT_EQ(error_reason(restore("/data")), "FOLDER_NOT_EMPTY");
  fs::create_directories(root_ + "/new");
  EXPECT_TRUE(restore("/new").ok());
  EXPECT_EQ(error_reason(restore("/new")), "FOLDER_NOT_EMPTY");
  // A restore that was killed leaves a folder that no server takes for a whole one.
  std::ofstream(root_ + "/new/restoring") << "";
  EXPECT_EQ(error_reason(SqliteStore::open(root_ + "/new").status()), "RESTORE_UNFINISHED");
  EXPECT_EQ(error_reason(SqliteStore::open(backup_).status()), "BACKUP_FOLDER");
  fs::create_directories(root_ + "/event.partial");  // a backup that was killed
  EXPECT_EQ(error_reason(SqliteStore::open(root_ + "/event.partial/").status()), "BACKUP_FOLDER");
  EXPECT_TRUE(restore("/newer").ok()) << "the backup is as it was";
}

// ---- states as they were ----

TEST_F(Backups, AnOlderStateBeginsAtTheNewestFileBelowIt) {
  StoredWorld lake = make("lake", 9);  // up to revision 10
  snapshot(lake);
  append(lake, 10);
  snapshot(lake);
  append(lake, 3);
  const auto at = [&](std::uint64_t revision) {
    auto found = store_->snapshot_at(lake.entry.key, Revision{revision});
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? found->file : "";
  };
  EXPECT_EQ(at(1), "base of lake");
  EXPECT_EQ(at(9), "base of lake");
  EXPECT_EQ(at(10), "snapshot 10");
  EXPECT_EQ(at(19), "snapshot 10");
  EXPECT_EQ(at(23), "snapshot 20");
  EXPECT_EQ(error_reason(store_->snapshot_at(WorldKey{99}, Revision{1}).status()), "WORLD_UNKNOWN");
}

TEST_F(Backups, AStateWhoseRecordsAreGoneIsRefusedWithTheOldestOneThatIsNot) {
  StoredWorld lake = make("lake", 9, {4, 1u << 20});
  for (int i = 0; i < 3; ++i) {
    append(lake, 10);
    snapshot(lake);
  }
  // Records from 21 on are kept, for the older of the two snapshots.
  EXPECT_EQ(lake.log->oldest(), Revision{31});
  const absl::Status gone = store_->snapshot_at(lake.entry.key, Revision{29}).status();
  EXPECT_EQ(error_reason(gone), "HISTORY_GONE");
  ASSERT_EQ(error_facts(gone).size(), 1u);
  EXPECT_EQ(error_facts(gone)[0].second, "30");
  EXPECT_EQ(store_->snapshot_at(lake.entry.key, Revision{30})->file, "snapshot 30");
  EXPECT_EQ(store_->snapshot_at(lake.entry.key, Revision{39})->file, "snapshot 30");
  EXPECT_EQ(store_->snapshot_at(lake.entry.key, Revision{1})->file, "base of lake");
}

TEST(Manifest, WithoutADatabaseIsRefused) {
  BackupManifest manifest;
  manifest.database = {4096, std::string(64, 'a')};
  EXPECT_TRUE(read_manifest(write_manifest(manifest)).ok());
  std::string lines = write_manifest(manifest);
  const std::size_t database = lines.find("database ");
  lines.erase(database, lines.find('\n', database) + 1 - database);
  lines.resize(lines.rfind("end "));
  const auto read = read_manifest(with_end(lines));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(error_reason(read.status()), "BACKUP_DAMAGED");
}

}  // namespace
}  // namespace repath::test

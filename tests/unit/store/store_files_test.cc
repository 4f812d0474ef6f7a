// What the store does when its files are missing, the disk is nearly full, or a call of it fails
// once.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "store/posix_disk.h"
#include "store/sqlite_store.h"
#include "support/crash_vfs.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1u << 20;

// The test says here which calls of a StubbornDisk fail, while the store's threads read it.
struct Moods {
  std::atomic<std::uint64_t> free = 1000 * kMiB;
  std::atomic<std::uint64_t> free_lost_by_look = 0;
  std::atomic<bool> list_fails = false;
  std::atomic<bool> sync_fails = false;
};

// A folder whose calls fail as the test wants.
class StubbornDisk final : public Disk {
 public:
  StubbornDisk(const std::string& folder, Moods& moods)
      : real_(*PosixDisk::open_folder(folder)), moods_(moods) {}

  absl::StatusOr<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override {
    REPATH_ASSIGN_OR_RETURN(std::unique_ptr<DiskFile> file, real_->open(path, how));
    return std::make_unique<File>(std::move(file), moods_);
  }
  absl::StatusOr<std::string> read(const std::string& path) override { return real_->read(path); }
  absl::StatusOr<std::string> read_part(const std::string& path, std::uint64_t offset,
                                        std::size_t size) override {
    return real_->read_part(path, offset, size);
  }
  absl::Status rename(const std::string& from, const std::string& to) override {
    return real_->rename(from, to);
  }
  absl::Status make_folder(const std::string& path) override { return real_->make_folder(path); }
  absl::Status sync_folder(const std::string& path) override { return real_->sync_folder(path); }
  absl::Status remove(const std::string& path) override { return real_->remove(path); }
  absl::Status remove_folder(const std::string& path) override {
    return real_->remove_folder(path);
  }
  absl::StatusOr<std::vector<std::string>> list(const std::string& path) override {
    if (moods_.list_fails) return absl::InternalError("list " + path + ": too many open files");
    return real_->list(path);
  }
  absl::StatusOr<std::uint64_t> free_bytes() override {
    const std::uint64_t free = moods_.free;
    return moods_.free = free - std::min<std::uint64_t>(free, moods_.free_lost_by_look);
  }
  absl::StatusOr<std::unique_ptr<DiskLock>> lock(const std::string& path) override {
    return real_->lock(path);
  }

 private:
  class File final : public DiskFile {
   public:
    File(std::unique_ptr<DiskFile> real, const Moods& moods)
        : real_(std::move(real)), moods_(moods) {}
    absl::Status write(std::uint64_t offset, std::string_view bytes) override {
      return real_->write(offset, bytes);
    }
    absl::Status sync() override {
      return moods_.sync_fails ? absl::DataLossError("a sync failed") : real_->sync();
    }

   private:
    std::unique_ptr<DiskFile> real_;
    const Moods& moods_;
  };

  std::unique_ptr<PosixDisk> real_;
  Moods& moods_;
};

class StoreFiles : public testing::Test {
 protected:
  StoreFiles() : folder_(temp_path("files")), copy_(temp_path("copy")) {
    spdlog::set_level(spdlog::level::off);
  }
  ~StoreFiles() override {
    world_.log.reset();
    store_.reset();
    fs::remove_all(folder_);
    fs::remove_all(copy_);
    spdlog::set_level(spdlog::level::info);
  }
  void open(bool has_threads = false) {
    SqliteOptions options;
    options.database = folder_ + "/repath.db";
    options.disk = std::make_unique<StubbornDisk>(folder_, moods_);
    options.has_threads = has_threads;
    auto opened = SqliteStore::open(folder_, std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  absl::Status make(const std::string& name, std::size_t bytes = 10) {
    StringSource base(std::string(bytes, 'b'));
    auto world = store_->create(entry_of(name), base, Revision{2}, HistoryBound{});
    if (world.ok()) world_ = *std::move(world);
    return world.status();
  }
  // Leaves a copy of the folder as a process that is killed leaves it: with two changes in the log.
  void make_copy_of_killed() {
    open();
    ASSERT_TRUE(make("lake").ok());
    for (const std::uint64_t r : {2, 3}) world_.log->append(change_of(r));
    store_->pump();
    ASSERT_EQ(world_.log->durable(), Lsn{2});
    fs::copy(folder_, copy_, fs::copy_options::recursive);
  }
  absl::Status open_copy() {
    auto opened = SqliteStore::open(copy_);
    return opened.ok() ? (*opened)->read(world_.entry.key, Revision{3}, 1, 1000).status()
                       : opened.status();
  }
  bool has_temporary() const { return fs::exists(folder_ + "/worlds/1/new.tmp"); }
  absl::Status snapshot(std::size_t bytes) {
    StringSource source(std::string(bytes, 's'));
    return store_->snapshot(world_.entry.key, Lsn{0}, Revision{2}, source);
  }

  std::string folder_;
  std::string copy_;
  Moods moods_;
  std::unique_ptr<SqliteStore> store_;
  StoredWorld world_;
};

// SQLite would make a new database and drop the log.
TEST_F(StoreFiles, ALogWithoutItsDatabaseIsKept) {
  make_copy_of_killed();
  for (const bool is_emptied : {false, true}) {
    fs::rename(copy_ + "/repath.db", folder_ + "/aside.db");
    if (is_emptied) std::ofstream(copy_ + "/repath.db").close();
    const auto size = fs::file_size(copy_ + "/repath.db-wal");
    for (const bool has_worlds : {true, false}) {
      if (!has_worlds) fs::rename(copy_ + "/worlds/1", folder_ + "/aside");
      const absl::Status refused = open_copy();
      EXPECT_EQ(error_reason(refused), "STORE_UNAVAILABLE") << refused;
      EXPECT_NE(refused.message().find("missing or empty"), std::string::npos) << refused;
      EXPECT_EQ(fs::file_size(copy_ + "/repath.db-wal"), size);
      EXPECT_EQ(fs::exists(copy_ + "/repath.db"), is_emptied);
      if (!has_worlds) fs::rename(folder_ + "/aside", copy_ + "/worlds/1");
    }
    fs::rename(folder_ + "/aside.db", copy_ + "/repath.db");
  }
  EXPECT_TRUE(open_copy().ok()) << open_copy();
}

TEST_F(StoreFiles, ALogWithADamagedHeaderIsNotDropped) {
  make_copy_of_killed();
  const std::string log = copy_ + "/repath.db-wal";
  for (const int first : {16, 24}) {  // two bytes of the salts, of the sums
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(2, '\0');
    file.seekg(first).read(bytes.data(), 2);
    const std::string wrong{static_cast<char>(bytes[0] ^ 1), static_cast<char>(bytes[1] ^ 1)};
    file.seekp(first).write(wrong.data(), 2).flush();
    const absl::Status refused = open_copy();
    EXPECT_NE(refused.message().find("its header does not fit"), std::string::npos) << refused;
    file.seekp(first).write(bytes.data(), 2);
  }
  EXPECT_TRUE(open_copy().ok()) << open_copy();
}

TEST_F(StoreFiles, FilesOfWorldsLeaveSpaceForChanges) {
  open();
  ASSERT_TRUE(make("lake").ok());
  moods_.free = 90 * kMiB;
  EXPECT_EQ(error_reason(snapshot(10)), "STORE_UNAVAILABLE");
  EXPECT_FALSE(has_temporary());
  EXPECT_EQ(error_reason(make("wood")), "STORE_UNAVAILABLE");
  EXPECT_FALSE(fs::exists(folder_ + "/worlds/2"));
  // The space ends in the middle of a file.
  moods_.free = 150 * kMiB;
  moods_.free_lost_by_look = 40 * kMiB;
  EXPECT_EQ(error_reason(snapshot(30 * kMiB)), "STORE_UNAVAILABLE");
  EXPECT_FALSE(has_temporary());
  EXPECT_TRUE(store_->health().ok());
  moods_.free = 1000 * kMiB;
  moods_.free_lost_by_look = 0;
  EXPECT_TRUE(snapshot(10).ok());
}

TEST_F(StoreFiles, ACallThatFailsOnceIsNoDamage) {
  open();
  ASSERT_TRUE(make("lake").ok());
  world_.log.reset();
  moods_.list_fails = true;
  EXPECT_EQ(error_reason(store_->load(world_.entry.key, HistoryBound{}).status()),
            "STORE_UNAVAILABLE");
  moods_.list_fails = false;
  EXPECT_TRUE(store_->load(world_.entry.key, HistoryBound{}).ok());
}

TEST_F(StoreFiles, AfterAFailedSyncUnitsAreDroppedAndTheStoreEnds) {
  open(/*has_threads=*/true);
  ASSERT_TRUE(make("lake").ok());
  moods_.sync_fails = true;
  EXPECT_EQ(error_reason(snapshot(10)), "STORE_UNAVAILABLE");
  for (const std::uint64_t r : {2, 3}) world_.log->append(change_of(r));
  const absl::Status end = store_->close();
  EXPECT_NE(end.message().find("units that are not on the disk: 2"), std::string::npos) << end;
}

// The file of a snapshot that never ended may be what fills the disk.
TEST(StoreLeftovers, ALoadRemovesThemBeforeItWrites) {
  spdlog::set_level(spdlog::level::off);
  CrashDisk disk(3);
  CrashVfs vfs(disk);
  SqliteOptions options;
  options.vfs = vfs.name();
  options.database = "repath.db";
  options.disk = std::make_unique<CrashFiles>(disk);
  options.has_threads = false;
  auto store = SqliteStore::open(".", std::move(options));
  ASSERT_TRUE(store.ok()) << store.status();
  StringSource base("base");
  auto world = (*store)->create(entry_of("lake"), base, Revision{2}, HistoryBound{});
  ASSERT_TRUE(world.ok()) << world.status();
  world->log.reset();
  CrashFiles files(disk);
  ASSERT_TRUE(files.open("worlds/1/new.tmp", Disk::Open::kEmpty).ok());
  disk.fail_writes(1'000'000);
  EXPECT_FALSE((*store)->load(world->entry.key, HistoryBound{}).ok());
  EXPECT_EQ(files.list("worlds/1")->size(), 1u);
  disk.fail_writes(0);
  spdlog::set_level(spdlog::level::info);
}

}  // namespace
}  // namespace repath::test

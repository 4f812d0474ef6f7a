// What the store does on a disk that refuses some calls: removed worlds, positions, and the base of
// a world whose creation was rolled back.
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/sqlite_store.h"
#include "support/crash_vfs.h"
#include "support/store_rows.h"

namespace repath::test {
namespace {

// Passes calls on, unless it refuses the path.
class RefusingFiles final : public Disk {
 public:
  // Called with the kind of each call and its path.
  using Refusal = std::function<absl::Status(const std::string& call, const std::string& path)>;
  RefusingFiles(CrashDisk& disk, const Refusal& refusal) : files_(disk), refusal_(refusal) {}

  absl::StatusOr<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override {
    REPATH_RETURN_IF_ERROR(refusal_("open", path));
    return files_.open(path, how);
  }
  absl::StatusOr<std::string> read(const std::string& path) override {
    REPATH_RETURN_IF_ERROR(refusal_("read", path));
    return files_.read(path);
  }
  absl::StatusOr<std::string> read_part(const std::string& path, std::uint64_t offset,
                                        std::size_t size) override {
    REPATH_RETURN_IF_ERROR(refusal_("read", path));
    return files_.read_part(path, offset, size);
  }
  absl::Status rename(const std::string& from, const std::string& to) override {
    return files_.rename(from, to);
  }
  absl::Status make_folder(const std::string& path) override { return files_.make_folder(path); }
  absl::Status sync_folder(const std::string& path) override {
    REPATH_RETURN_IF_ERROR(refusal_("sync_folder", path));
    return files_.sync_folder(path);
  }
  absl::Status remove(const std::string& path) override {
    REPATH_RETURN_IF_ERROR(refusal_("remove", path));
    return files_.remove(path);
  }
  absl::Status remove_folder(const std::string& path) override {
    REPATH_RETURN_IF_ERROR(refusal_("remove_folder", path));
    return files_.remove_folder(path);
  }
  absl::StatusOr<std::vector<std::string>> list(const std::string& path) override {
    return files_.list(path);
  }
  absl::StatusOr<std::uint64_t> free_bytes() override { return files_.free_bytes(); }
  absl::StatusOr<std::unique_ptr<DiskLock>> lock(const std::string& path) override {
    return files_.lock(path);
  }

 private:
  CrashFiles files_;
  const Refusal& refusal_;
};

class RefusingDisk : public testing::Test {
 protected:
  RefusingDisk() : disk_(5), vfs_(disk_), logger_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
    open();
  }
  ~RefusingDisk() override {
    worlds_.clear();
    store_.reset();
    spdlog::set_default_logger(logger_);
  }
  void open() {
    SqliteOptions options;
    options.vfs = vfs_.name();
    options.database = "repath.db";
    options.disk = std::make_unique<RefusingFiles>(disk_, refusal_);
    options.has_threads = false;
    options.waiting_positions_max = 5;
    options.clock = [this] { return clock_; };
    auto opened = SqliteStore::open(".", std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  // The process ends at once, and the store is opened again.
  void die_and_open() {
    disk_.die_in(1);
    ASSERT_FALSE(disk_.make_folder("none"));
    worlds_.clear();
    store_.reset();
    disk_.crash(/*power=*/false);
    refuse_nothing();
    open();
  }
  absl::StatusOr<WorldKey> create(const std::string& name) {
    StringSource base("base");
    auto made = store_->create(entry_of(name), base, Revision{2}, HistoryBound{});
    if (!made.ok()) return made.status();
    const WorldKey key = made->entry.key;
    worlds_.push_back(*std::move(made));
    return key;
  }
  // Puts all worlds out.
  void put_out() { worlds_.clear(); }
  void pump(int times) {
    for (int i = 0; i < times; ++i) {
      clock_ += 1'000'000;
      store_->pump();
    }
  }
  void refuse(const std::string& start) {
    refusal_ = [start](const std::string& call, const std::string& path) {
      return call != "read" && path.starts_with(start) ? absl::ResourceExhaustedError("no space")
                                                       : absl::OkStatus();
    };
  }
  void refuse_nothing() { refuse("nothing"); }
  void report(WorldKey key, double x, int agents = 1) {
    std::vector<PositionRow> rows;
    for (int i = 1; i <= agents; ++i)
      rows.push_back({AgentId{static_cast<std::uint64_t>(i)}, {x, x, 0}, 5});
    store_->save_positions(key, std::move(rows), static_cast<WallMicros>(x));
  }
  // Returns where a world that is loaded has its first agent; -1: nowhere.
  double position_at_load(WorldKey key) {
    auto loaded = store_->load(key, HistoryBound{});
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    return loaded.ok() && !loaded->positions.empty() ? loaded->positions[0].position.x : -1;
  }
  bool has_folder(WorldKey key) { return disk_.has_folder("worlds/" + std::to_string(value(key))); }
  // Returns the number of lines of the log that have this text.
  int logged(const std::string& words) const {
    std::istringstream lines(text_.str());
    int found = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.find(words) != std::string::npos) ++found;
    return found;
  }

  CrashDisk disk_;
  CrashVfs vfs_;
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> logger_;
  Micros clock_ = 1'000'000;
  RefusingFiles::Refusal refusal_ = [](const std::string&, const std::string&) {
    return absl::OkStatus();
  };
  std::unique_ptr<SqliteStore> store_;
  std::vector<StoredWorld> worlds_;
};

// ---- removed worlds

TEST_F(RefusingDisk, AFolderThatStaysKeepsNoOtherRemovedWorldWaiting) {
  const WorldKey keys[] = {*create("lake"), *create("wood"), *create("arena")};
  refuse("worlds/1/");
  for (const WorldKey key : keys) ASSERT_TRUE(store_->remove(key).ok());
  pump(50);
  EXPECT_TRUE(has_folder(keys[0]));
  EXPECT_FALSE(has_folder(keys[1]));
  EXPECT_FALSE(has_folder(keys[2]));
  EXPECT_EQ(logged("worlds/1"), 1) << text_.str();
  refuse_nothing();
  pump(10);
  EXPECT_FALSE(has_folder(keys[0]));
}

TEST_F(RefusingDisk, TheFilesOfARemovedWorldGoBeforeItsRows) {
  const WorldKey key = *create("lake");
  LogUnit unit;
  for (std::uint64_t id = 1; id <= 5'000; ++id) unit.agents.push_back({AgentId{id}, "s", "spec"});
  worlds_.back().log->append(std::move(unit));
  pump(1);
  ASSERT_TRUE(store_->remove(key).ok());
  EXPECT_FALSE(has_folder(key));
  die_and_open();
  pump(1);
  EXPECT_TRUE(store_->worlds()->empty());
  EXPECT_NE(*create("lake"), key) << "a key is never given again";
}

TEST_F(RefusingDisk, TheFilesOfARemovedWorldGoWhileTheDatabaseTakesNoWrites) {
  const WorldKey keys[] = {*create("lake"), *create("wood")};
  refuse("worlds/1/");
  ASSERT_TRUE(store_->remove(keys[0]).ok());
  disk_.fail_writes(1'000'000);
  EXPECT_FALSE(store_->remove(keys[1]).ok());
  refuse_nothing();
  pump(5);
  EXPECT_FALSE(store_->health().ok());
  EXPECT_FALSE(has_folder(keys[0]));
  EXPECT_TRUE(has_folder(keys[1])) << "its removal was rolled back";
  disk_.fail_writes(0);
  pump(5);
  die_and_open();
  EXPECT_EQ(store_->worlds()->size(), 1u);
  EXPECT_TRUE(store_->load(keys[1], HistoryBound{}).ok());
}

// ---- the base of a world whose creation was rolled back

TEST_F(RefusingDisk, ACreationThatWasRolledBackLeavesNoFolder) {
  const WorldKey lake = *create("lake");
  const WorldKey next{value(lake) + 1};
  refusal_ = [this](const std::string& call, const std::string& path) {
    // The base is on the disk, and the next write is one of the database.
    if (call == "sync_folder" && path == "worlds") disk_.fail_writes(1);
    return absl::OkStatus();
  };
  EXPECT_EQ(error_reason(create("wood").status()), "STORE_UNAVAILABLE");
  EXPECT_FALSE(has_folder(next));
  refuse_nothing();
  pump(5);
  EXPECT_TRUE(has_folder(*create("wood")));
  EXPECT_FALSE(has_folder(next));
}

// Its entry may be there after a restart.
TEST_F(RefusingDisk, ACreationWhoseSyncFailedKeepsItsBase) {
  const WorldKey next{value(*create("lake")) + 1};
  refusal_ = [this](const std::string& call, const std::string& path) {
    if (call == "sync_folder" && path == "worlds") disk_.fail_next_sync();
    return absl::OkStatus();
  };
  EXPECT_EQ(error_reason(create("wood").status()), "STORE_UNAVAILABLE");
  EXPECT_TRUE(store_->has_failed());
  EXPECT_TRUE(has_folder(next));
}

// ---- positions

TEST_F(RefusingDisk, PositionsThatTheDiskRefusedAreWrittenLaterWithOneLineInTheLog) {
  const WorldKey key = *create("lake");
  report(key, 2);
  pump(1);
  refuse("worlds/1/positions");
  report(key, 9);
  pump(5);
  EXPECT_EQ(logged("positions are not kept"), 1) << text_.str();
  refuse_nothing();
  pump(1);
  EXPECT_EQ(logged("positions are kept again"), 1) << text_.str();
  die_and_open();
  EXPECT_EQ(position_at_load(key), 9);
}

TEST_F(RefusingDisk, NewerPositionsTakeThePlaceOfThoseThatWait) {
  const WorldKey key = *create("lake");
  refusal_ = [&, is_first = true](const std::string& call, const std::string& path) mutable {
    if (call != "open" || !path.starts_with("worlds/1/positions") || !is_first)
      return absl::OkStatus();
    is_first = false;
    report(key, 7);  // while the write is under way
    return absl::ResourceExhaustedError("no space");
  };
  report(key, 5);
  pump(2);
  die_and_open();
  EXPECT_EQ(position_at_load(key), 7);
}

TEST_F(RefusingDisk, AWorldThatIsLoadedAgainHasThePositionsThatStillWait) {
  const WorldKey key = *create("lake");
  report(key, 2);
  pump(1);
  refuse("worlds/1/positions");
  report(key, 9);
  pump(1);
  put_out();
  pump(5);
  const absl::Status refused = store_->load(key, HistoryBound{}).status();
  EXPECT_EQ(error_reason(refused), "STORE_UNAVAILABLE") << "the slot may not be on the disk";
  refusal_ = [](const std::string& call, const std::string& path) {
    // The newest slot can be opened, no other one.
    const bool is_other = path.starts_with("worlds/1/positions") && !path.ends_with("-0");
    return call == "open" && is_other ? absl::ResourceExhaustedError("no space") : absl::OkStatus();
  };
  EXPECT_EQ(position_at_load(key), 9);
  EXPECT_EQ(position_at_load(key), 9) << "they go on waiting";
  refuse_nothing();
  pump(1);
  die_and_open();
  EXPECT_EQ(position_at_load(key), 9);
}

TEST_F(RefusingDisk, PositionsThatWaitDoNotKeepEarlierOnesFromTheDisk) {
  const WorldKey key = *create("lake");
  report(key, 2);
  pump(1);
  refusal_ = [](const std::string& call, const std::string& path) {
    const bool is_other = path.starts_with("worlds/1/positions") && !path.ends_with("-0");
    return call == "open" && is_other ? absl::ResourceExhaustedError("no space") : absl::OkStatus();
  };
  report(key, 9);
  pump(40);
  disk_.die_in(1);
  ASSERT_FALSE(disk_.make_folder("none"));
  worlds_.clear();
  store_.reset();
  disk_.crash(/*power=*/true);
  refuse_nothing();
  open();
  EXPECT_EQ(position_at_load(key), 2);
}

TEST_F(RefusingDisk, WorldsThatWerePutOutWaitWithABoundedNumberOfPositions) {
  const WorldKey keys[] = {*create("lake"), *create("wood"), *create("arena")};
  refuse("worlds/");
  for (const WorldKey key : keys) report(key, 9, 3);
  pump(2);
  EXPECT_EQ(logged("positions are lost"), 0) << "loaded worlds have them in any case";
  put_out();
  pump(2);
  EXPECT_EQ(logged("3 positions are lost"), 2) << text_.str();
  refuse_nothing();
  pump(1);
  EXPECT_EQ(position_at_load(keys[0]), 9);
  EXPECT_EQ(position_at_load(keys[1]), -1);
}

}  // namespace
}  // namespace repath::test

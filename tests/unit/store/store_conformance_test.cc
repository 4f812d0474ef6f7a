// The suite that every Store and WorldLog passes, whatever keeps the worlds.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "base/error.h"
#include "store/memory_store.h"
#include "store/sqlite_store.h"
#include "support/crash_vfs.h"
#include "support/fault_store.h"
#include "support/store_rows.h"
#include "support/temp_path.h"

namespace repath::test {
namespace {

enum class Kind { kMemory, kFolder, kPumped, kMemoryWithFaults, kFolderWithFaults };

struct Case {
  const char* name;
  Kind kind;
  bool reopens;  // the store is closed and opened again before what it holds is looked at
};

// A store of one kind, which can be opened again.
class StoreBed {
 public:
  explicit StoreBed(Kind kind) : kind_(kind), disk_(1), vfs_(disk_) {
    if (kind_ == Kind::kFolder || kind_ == Kind::kFolderWithFaults) folder_ = temp_path("store");
    open();
  }
  ~StoreBed() {
    store_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  void reopen() {
    store_.reset();
    open();
  }
  Store& operator*() { return *store_; }
  Store* operator->() { return store_.get(); }

 private:
  void open() {
    if (kind_ == Kind::kMemory || kind_ == Kind::kMemoryWithFaults) {
      store_ = std::make_unique<MemoryStore>();
    } else {
      SqliteOptions options;
      if (kind_ == Kind::kPumped) {
        options.vfs = vfs_.name();
        options.database = "repath.db";
        options.disk = std::make_unique<CrashFiles>(disk_);
        options.has_threads = false;
      }
      options.wall_clock = [] { return WallMicros{2'000'000'000}; };
      auto opened = SqliteStore::open(folder_, std::move(options));
      ASSERT_TRUE(opened.ok()) << opened.status();
      store_ = *std::move(opened);
    }
    if (kind_ == Kind::kMemoryWithFaults || kind_ == Kind::kFolderWithFaults)
      store_ = std::make_unique<FaultStore>(std::move(store_), 7);
  }

  Kind kind_;
  CrashDisk disk_;
  CrashVfs vfs_;
  std::string folder_;
  std::unique_ptr<Store> store_;
};

void PrintTo(const Case& made, std::ostream* out) { *out << made.name; }

// A store with faults refuses now and then; whoever calls tries again.
template <class Call>
auto again(Call call) {
  auto result = call();
  for (int i = 0; i < 20 && !result.ok() && error_reason(as_status(result)) == "STORE_UNAVAILABLE";
       ++i)
    result = call();
  return result;
}

class Stores : public testing::TestWithParam<Case> {
 protected:
  Stores() : store_(GetParam().kind) {}

  StoredWorld create(const std::string& name, Revision first = Revision{2},
                     const HistoryBound& history = {}) {
    auto made = again([&] {
      StringSource base("base of " + name);
      return store_->create(entry_of(name), base, first, history);
    });
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }
  bool reopens() const { return GetParam().reopens; }
  // Waits until the unit is durable.
  void settle(StoredWorld& world, Lsn lsn) {
    StringSource nothing("");
    const Revision snapshot = world.snapshot_revision;
    const absl::Status durable =
        again([&] { return store_->snapshot(world.entry.key, lsn, snapshot, nothing); });
    ASSERT_TRUE(durable.ok()) << durable;
    ASSERT_GE(world.log->durable(), lsn);
  }
  StoredWorld load_again(StoredWorld world) {
    const WorldKey key = world.entry.key;
    world.log.reset();
    store_.reopen();
    auto loaded = again([&] { return store_->load(key, HistoryBound{}); });
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    return *std::move(loaded);
  }

  StoreBed store_;
};

TEST_P(Stores, ListsWorldsByName) {
  for (const char* name : {"lake", "arena", "wood"}) create(name);
  if (reopens()) store_.reopen();
  const auto worlds = again([&] { return store_->worlds(); });
  ASSERT_TRUE(worlds.ok());
  ASSERT_EQ(worlds->size(), 3u);
  EXPECT_EQ((*worlds)[0].name, "arena");
  EXPECT_EQ((*worlds)[2].name, "wood");
  CatalogEntry wanted = entry_of("lake");
  wanted.key = (*worlds)[1].key;
  EXPECT_EQ((*worlds)[1], wanted);
}

TEST_P(Stores, AWorldHasItsNameAloneAndItsKeyForEver) {
  const WorldKey first = create("lake").entry.key;
  StringSource base("other");
  const auto twice = again([&] { return store_->create(entry_of("lake"), base, Revision{2}, {}); });
  EXPECT_EQ(error_reason(twice.status()), "WORLD_EXISTS");
  ASSERT_TRUE(again([&] { return store_->remove(first); }).ok());
  EXPECT_EQ(error_reason(again([&] { return store_->remove(first); })), "WORLD_UNKNOWN");
  if (reopens()) store_.reopen();
  EXPECT_TRUE(again([&] { return store_->worlds(); })->empty());
  EXPECT_NE(create("lake").entry.key, first);
}

TEST_P(Stores, UnitsAreNumberedAndBecomeDurableInOrder) {
  StoredWorld world = create("lake");
  EXPECT_EQ(world.log->end(), Revision{2});
  EXPECT_EQ(world.log->durable(), Lsn{0});
  LogUnit agents;
  agents.agents.push_back({AgentId{1}, "", "spec"});
  EXPECT_EQ(world.log->append(change_of(2)), Lsn{1});
  EXPECT_EQ(world.log->append(agents), Lsn{2});
  EXPECT_EQ(world.log->append(change_of(3)), Lsn{3});
  EXPECT_EQ(world.log->end(), Revision{4});
  settle(world, Lsn{3});
  EXPECT_EQ(world.log->durable(), Lsn{3});
  EXPECT_EQ(world.log->readable_end(), Revision{4});
  EXPECT_EQ(world.log->durable_revision(), Revision{store_->is_durable() ? 3u : 0u});
}

TEST_P(Stores, ReadsRecordsFromAnyRevisionWithinTheBounds) {
  StoredWorld world = create("lake", Revision{5});
  Lsn last{};
  for (std::uint64_t r = 5; r < 25; ++r) last = world.log->append(change_of(r, 100));
  settle(world, last);
  auto page = world.log->read(Revision{7}, 3, 1000);
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->records.size(), 3u);
  EXPECT_EQ(page->records[2], record_of(9, 100));
  EXPECT_EQ(world.log->read(Revision{7}, 100, 250)->records.size(), 2u);
  EXPECT_EQ(world.log->read(Revision{7}, 100, 10)->records.size(), 1u);
  EXPECT_TRUE(world.log->read(Revision{25}, 100, 10)->records.empty());
  EXPECT_EQ(error_reason(world.log->read(Revision{26}, 1, 1).status()), "REVISION_NOT_YET");
  const absl::Status gone = world.log->read(Revision{4}, 1, 1).status();
  EXPECT_EQ(error_reason(gone), "HISTORY_GONE");
  ASSERT_EQ(error_facts(gone).size(), 1u);
  EXPECT_EQ(error_facts(gone)[0].second, "5");
}

TEST_P(Stores, ADurabilityThatIsNotThereIsRefused) {
  const StoredWorld world = create("lake");
  const auto accepts = [&](Durability wanted) {
    return again([&] { return world.log->accepts(wanted); });
  };
  EXPECT_TRUE(accepts(Durability::kApplied).ok());
  EXPECT_EQ(error_reason(accepts(Durability::kLocalDisk)),
            store_->is_durable() ? "" : "DURABILITY_UNAVAILABLE");
}

TEST_P(Stores, AStoreInMemoryFindsNoWorldAgain) {
  if (store_->is_durable()) GTEST_SKIP() << "a durable store";
  const StoredWorld world = create("lake");
  EXPECT_EQ(world.incarnation, 0u);
  EXPECT_EQ(error_reason(again([&] { return store_->load(world.entry.key, {}); }).status()),
            "WORLD_UNKNOWN");
}

TEST_P(Stores, ALoadedWorldIsAsItWasLeft) {
  if (!store_->is_durable()) GTEST_SKIP() << "nothing outlives the process";
  StoredWorld world = create("lake");
  EXPECT_EQ(world.incarnation, 1u);
  LogUnit unit = change_of(2);
  unit.request = request_of("r1", 2'000'000'000 - 5);
  for (const std::uint64_t id : {7ull, 3ull, std::numeric_limits<unsigned long long>::max()})
    unit.agents.push_back({AgentId{id}, "s", "spec of " + std::to_string(id)});
  unit.sessions.push_back({"s", 5, 6, 7, "taken"});
  unit.sessions.back().secret = std::string("\0secret", 7);
  unit.sessions.back().identity = "token game-1";
  unit.sessions.back().opened_at = 8;
  unit.sessions.push_back({"gone", 5, 6, 7, ""});
  world.log->append(unit);
  LogUnit later;
  later.removed_agents = {AgentId{7}};
  later.agents.push_back({AgentId{3}, "", "other"});
  later.removed_sessions = {"gone"};
  settle(world, world.log->append(later));
  const CatalogEntry entry = world.entry;
  world = load_again(std::move(world));
  EXPECT_EQ(world.entry, entry);
  EXPECT_EQ(world.incarnation, 2u);
  EXPECT_EQ(world.snapshot, "base of lake");
  EXPECT_EQ(world.snapshot_revision, Revision{1});
  ASSERT_EQ(world.agents.size(), 2u);
  EXPECT_EQ(world.agents[0], (StoredAgent{AgentId{3}, "", "other"}));
  EXPECT_EQ(world.agents[1].session, "s");
  ASSERT_EQ(world.sessions.size(), 1u);
  EXPECT_EQ(world.sessions[0], unit.sessions[0]);
  ASSERT_EQ(world.requests.size(), 1u);
  EXPECT_EQ(world.requests[0], *unit.request);
  EXPECT_EQ(world.log->end(), Revision{3});
  EXPECT_TRUE(world.log->read(Revision{2}, 10, 1000)->on_disk);
  const auto records = again([&] { return store_->read(entry.key, Revision{2}, 10, 1000); });
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ((*records)[0], record_of(2));
}

TEST_P(Stores, TheNewestSnapshotAndPositionsAreLoaded) {
  if (!store_->is_durable()) GTEST_SKIP() << "nothing outlives the process";
  StoredWorld world = create("lake");
  for (std::uint64_t r = 2; r < 12; ++r) {
    const Lsn lsn = world.log->append(change_of(r));
    const std::vector<PositionRow> rows{{AgentId{r}, {1.0 * static_cast<double>(r), 2, 3}, r - 1}};
    store_->save_positions(world.entry.key, rows, r);
    if (r % 3 != 0) continue;
    ASSERT_TRUE(again([&] {
                  StringSource bytes("snapshot " + std::to_string(r));
                  return store_->snapshot(world.entry.key, lsn, Revision{r}, bytes);
                }).ok());
    EXPECT_EQ(world.log->since_snapshot().records, 0u);
  }
  EXPECT_EQ(world.log->since_snapshot().records, 2u);
  EXPECT_EQ(world.log->since_snapshot().bytes, 20u);
  world = load_again(std::move(world));
  EXPECT_EQ(world.snapshot, "snapshot 9");
  EXPECT_EQ(world.snapshot_revision, Revision{9});
  EXPECT_EQ(world.log->since_snapshot().records, 2u);
  ASSERT_EQ(world.positions.size(), 1u);
  EXPECT_EQ(world.positions_at, 11u);
  EXPECT_EQ(world.positions[0], (PositionRow{AgentId{11}, {11, 2, 3}, 10}));
}

TEST_P(Stores, HistoryIsBoundedAndSnapshotsKeepWhatTheyNeed) {
  if (!store_->is_durable()) GTEST_SKIP() << "memory has a test of its own";
  StoredWorld world = create("lake", Revision{2}, {10, 1u << 20});
  for (std::uint64_t r = 2; r <= 400; ++r) {
    const Lsn lsn = world.log->append(change_of(r));
    if (r % 100 != 0) continue;
    ASSERT_TRUE(again([&] {
                  StringSource bytes("snapshot " + std::to_string(r));
                  return store_->snapshot(world.entry.key, lsn, Revision{r}, bytes);
                }).ok());
  }
  EXPECT_EQ(world.log->oldest(), Revision{301}) << "the older snapshot needs what follows it";
  world = load_again(std::move(world));
  EXPECT_EQ(world.log->oldest(), Revision{301});
  EXPECT_EQ(error_reason(
                again([&] { return store_->read(world.entry.key, Revision{300}, 1, 1); }).status()),
            "HISTORY_GONE");
  const auto records =
      again([&] { return store_->read(world.entry.key, Revision{301}, 1000, 1u << 20); });
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 100u);
  EXPECT_EQ(records->back(), record_of(400));
}

INSTANTIATE_TEST_SUITE_P(
    All, Stores,
    testing::Values(Case{"memory", Kind::kMemory, false}, Case{"folder", Kind::kFolder, false},
                    Case{"folder_reopened", Kind::kFolder, true},
                    Case{"pumped", Kind::kPumped, false},
                    Case{"pumped_reopened", Kind::kPumped, true},
                    Case{"memory_with_faults", Kind::kMemoryWithFaults, false},
                    Case{"folder_with_faults", Kind::kFolderWithFaults, false},
                    Case{"folder_with_faults_reopened", Kind::kFolderWithFaults, true}),
    [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace repath::test

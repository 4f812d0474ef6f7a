#include "bench/log_bench.h"

#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <utility>

#include "base/hash.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "store/sqlite_store.h"

namespace repath::bench {
namespace {

constexpr Revision kFirst{2};
constexpr std::uint64_t kHashFactor = 77;  // of the made-up state hashes

struct Turn {
  std::uint64_t units = 0;
  double seconds = 0;
  Samples us;  // until a unit was durable
};

std::string record_bytes(std::size_t size, std::uint64_t n) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; i += 8)
    for (std::size_t k = 0; k < 8 && i + k < size; ++k)
      bytes[i + k] = static_cast<char>(mix(n + i) >> 8 * k);
  return bytes;
}

// One thread, one table, one commit for one record of each world.
class BareWriter {
 public:
  BareWriter(const std::string& path, std::size_t worlds) : worlds_(worlds) {
    sqlite3_open(path.c_str(), &db_);
    for (const char* text :
         {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 4000",
          "PRAGMA cache_size = -16384",
          "CREATE TABLE log(seq INTEGER PRIMARY KEY, world INTEGER, revision INTEGER, "
          "state_hash INTEGER, game_tick INTEGER, batch BLOB)"})
      sqlite3_exec(db_, text, nullptr, nullptr, nullptr);
    sqlite3_prepare_v2(db_, "INSERT INTO log VALUES(NULL, ?, ?, ?, ?, ?)", -1, &insert_, nullptr);
    sqlite3_prepare_v2(db_, "BEGIN IMMEDIATE", -1, &begin_, nullptr);
    sqlite3_prepare_v2(db_, "COMMIT", -1, &commit_, nullptr);
  }
  ~BareWriter() {
    for (sqlite3_stmt* statement : {insert_, begin_, commit_}) sqlite3_finalize(statement);
    sqlite3_close(db_);
  }
  BareWriter(const BareWriter&) = delete;
  BareWriter& operator=(const BareWriter&) = delete;

  void run(double seconds, const std::string& bytes, Turn* turn) {
    const Stopwatch whole;
    while (whole.us() < seconds * 1e6) {
      const Stopwatch commit;
      step(begin_);
      ++revision_;
      for (std::size_t world = 0; world < worlds_; ++world) {
        sqlite3_bind_int64(insert_, 1, static_cast<sqlite3_int64>(world));
        sqlite3_bind_int64(insert_, 2, revision_);
        sqlite3_bind_int64(insert_, 3, revision_ * static_cast<sqlite3_int64>(kHashFactor));
        sqlite3_bind_int64(insert_, 4, revision_);
        sqlite3_bind_blob64(insert_, 5, bytes.data(), bytes.size(), SQLITE_STATIC);
        step(insert_);
      }
      step(commit_);
      const double us = commit.us();
      for (std::size_t world = 0; world < worlds_; ++world) turn->us.add(us);
      turn->units += worlds_;
    }
    turn->seconds += whole.us() * 1e-6;
  }

 private:
  static void step(sqlite3_stmt* statement) {
    sqlite3_step(statement);
    sqlite3_reset(statement);
  }
  std::size_t worlds_;
  sqlite3_int64 revision_ = 1;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
};

// The store, and one thread that appends to each world again once its unit is durable.
class StoreSide {
 public:
  static std::unique_ptr<StoreSide> open(const std::string& folder, std::size_t worlds) {
    auto side = std::make_unique<StoreSide>();
    auto store = SqliteStore::open(folder);
    if (!store.ok()) {
      std::cerr << "repath-bench: " << store.status() << '\n';
      return nullptr;
    }
    side->store_ = *std::move(store);
    class Empty final : public ByteSource {
      bool next(std::string*) override { return false; }
    } base;
    for (std::size_t i = 0; i < worlds; ++i) {
      CatalogEntry entry;
      entry.name = "world " + std::to_string(i);
      auto made = side->store_->create(entry, base, kFirst, {});
      if (!made.ok()) return nullptr;
      side->worlds_.push_back(*std::move(made));
      side->worlds_.back().log->on_progress([s = side.get(), i] { s->progress(i); });
    }
    side->begun_.resize(worlds);
    return side;
  }

  void run(double seconds, const std::string& bytes, Turn* turn) {
    const Stopwatch whole;
    for (std::size_t i = 0; i < worlds_.size(); ++i) append(i, bytes);
    std::size_t under_way = worlds_.size();
    std::vector<std::pair<std::size_t, double>> done;
    while (under_way > 0) {
      {
        std::unique_lock lock(mutex_);
        has_done_.wait(lock, [this] { return !done_.empty(); });
        done.swap(done_);
      }
      const bool goes_on = whole.us() < seconds * 1e6;
      for (const auto& [world, us] : done) {
        if (goes_on) append(world, bytes);
        turn->us.add(us);
      }
      turn->units += done.size();
      if (!goes_on) under_way -= done.size();
      done.clear();
    }
    turn->seconds += whole.us() * 1e-6;
  }
  // Returns whether every world reads back all that it appended. Adds the first record of each to
  // `hash`.
  bool is_whole(const std::string& bytes, Hasher* hash) {
    for (const StoredWorld& world : worlds_) {
      const std::uint64_t end = value(world.log->end());
      std::uint64_t at = value(kFirst);
      while (at < end) {
        const auto records = store_->read(world.entry.key, Revision{at}, 1000, 1u << 20);
        if (!records.ok() || records->empty()) return false;
        for (const LogRecord& record : *records)
          if (record.state_hash != at++ * kHashFactor || record.batch != bytes) return false;
        if (records->front().revision == kFirst) hash->add(records->front().state_hash);
      }
    }
    return true;
  }

 private:
  void append(std::size_t world, const std::string& bytes) {
    WorldLog& log = *worlds_[world].log;
    LogUnit unit;
    unit.change = LogRecord{log.end(), value(log.end()) * kHashFactor, value(log.end()), bytes};
    begun_[world] = Stopwatch();
    log.append(std::move(unit));
  }
  void progress(std::size_t world) {
    const double us = begun_[world].us();
    const std::lock_guard lock(mutex_);
    done_.emplace_back(world, us);
    if (done_.size() == 1) has_done_.notify_one();
  }

  std::unique_ptr<SqliteStore> store_;
  std::vector<StoredWorld> worlds_;
  std::vector<Stopwatch> begun_;
  std::mutex mutex_;  // guards done_
  std::condition_variable has_done_;
  std::vector<std::pair<std::size_t, double>> done_;
};

Json row(std::size_t worlds, const char* side, const Turn& turn, double ratio) {
  return {{"worlds", worlds},
          {"side", side},
          {"units_per_s", static_cast<double>(turn.units) / turn.seconds},
          {"p50_us", turn.us.quantile(0.5)},
          {"p99_us", turn.us.quantile(0.99)},
          {"ratio", ratio}};
}

}  // namespace

CLI::App* add_log(CLI::App* app, LogOptions* options) {
  CLI::App* command = app->add_subcommand(
      "log", "Units a second and their time to the disk, beside a bare SQLite writer");
  command->footer("Example: repath-bench log --folder /var/tmp --worlds 1,16,256");
  command->add_option("--folder", options->folder, "Folder on the disk to measure")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
  command->add_option("--worlds", options->worlds, "Numbers of worlds, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--bytes", options->record_bytes, "Size of a record's batch")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "Length of one turn")->capture_default_str();
  command->add_option("--turns", options->turns, "Turns of each side")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

int run_log(const LogOptions& options) {
  spdlog::set_level(spdlog::level::err);
  Json rows = Json::array();
  bool is_whole = true;
  Hasher hash;
  const std::string bytes = record_bytes(options.record_bytes, 1);
  for (const std::size_t worlds : options.worlds) {
    const std::string folder = options.folder + "/repath-bench-log-" + std::to_string(::getpid());
    std::filesystem::create_directories(folder);
    Turn bare;
    Turn ours;
    {
      BareWriter writer(folder + "/bare.db", worlds);
      const std::unique_ptr<StoreSide> side = StoreSide::open(folder + "/store", worlds);
      if (side == nullptr) return 2;
      for (int turn = 0; turn < options.turns; ++turn) {
        writer.run(options.seconds, bytes, &bare);
        side->run(options.seconds, bytes, &ours);
      }
      is_whole = is_whole && side->is_whole(bytes, &hash);
    }
    std::filesystem::remove_all(folder);
    const double ratio = static_cast<double>(ours.units) / ours.seconds /
                         (static_cast<double>(bare.units) / bare.seconds);
    rows.push_back(row(worlds, "bare", bare, 1));
    rows.push_back(row(worlds, "store", ours, ratio));
  }
  Json figures{{"benchmark", "log"}, {"results", rows}, {"mismatches", is_whole ? 0 : 1}};
  figures["hash"] = hex(hash.value());
  print(figures, options.json);
  return is_whole ? 0 : 1;
}

}  // namespace repath::bench

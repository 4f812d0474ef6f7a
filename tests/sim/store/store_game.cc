#include "sim/store/store_game.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "support/store_rows.h"

namespace repath::sim {

StoreGame::StoreGame(std::uint64_t seed, GameOptions options)
    : options_(options), random_(seed), disk_(seed ^ 0x5eed), vfs_(disk_) {}

std::string StoreGame::play() {
  const std::uint32_t lives = 2 + below(4);
  for (std::uint32_t life = 0; life < lives && violation_.empty(); ++life) {
    live();
    if (violation_.empty()) check();
  }
  close_store();
  return violation_;
}

bool StoreGame::open_store() {
  SqliteOptions options;
  options.vfs = vfs_.name();
  options.database = "repath.db";
  options.disk = std::make_unique<test::CrashFiles>(disk_);
  options.has_threads = false;
  options.wall_clock = [this] { return now_; };
  options.clock = [this] { return now_; };
  options.commit_units = 1 + below(20);
  options.request_ttl_us = kRequestTtlUs;
  options.positions_sync_us = 5'000'000;
  options.dead_min = 20;
  options.wal_frames_max = static_cast<int>(10 + below(60));
  options.window_records = 8;
  options.planted = options_.planted;
  auto opened = SqliteStore::open(".", std::move(options));
  if (opened.ok()) {
    store_ = *std::move(opened);
    return true;
  }
  if (!disk_.is_dead()) violate("the store does not open: " + opened.status().ToString());
  return false;
}

void StoreGame::close_store() {
  open_.clear();
  store_.reset();
}

// The disk dies at some operation, which may be one of opening the store; or the life ends well.
void StoreGame::live() {
  had_fault_ = false;
  if (below(8) != 0) disk_.die_in(1 + (below(4) == 0 ? below(40) : below(400)));
  if (open_store()) {
    const std::uint32_t steps = 10 + below(40);
    for (std::uint32_t i = 0; i < steps && !disk_.is_dead() && violation_.empty(); ++i) {
      now_ += 1'000'000;
      step();
      look();
    }
  }
  // A process that ends well brings what it has to the disk; nobody counts on it.
  close_store();
  // After a failed sync, memory holds what the disk does not: such a machine is started again.
  disk_.crash(/*power=*/below(3) != 0 || disk_.has_failed_sync());
}

void StoreGame::step() {
  const std::uint32_t what = below(100);
  if (models_.empty() || (what < 5 && models_.size() < 4)) return create_world();
  if (open_.empty() || what < 10) {
    auto at = models_.begin();
    std::advance(at, below(static_cast<std::uint32_t>(models_.size())));
    return reload(at->first);
  }
  const WorldKey key = random_open();
  if (what < 55) return append(key, below(12) == 0 ? 150 : 1 + below(6));
  if (what < 68) return store_->pump();
  if (what < 78) return snapshot(key);
  if (what < 84) return save_positions(key);
  if (what < 91) return read_some(key);
  if (what < 94) return remove(key);
  if (options_.has_disk_faults && what < 97) return plant_fault();
  store_->pump();
}

WorldKey StoreGame::random_open() {
  auto at = open_.begin();
  std::advance(at, below(static_cast<std::uint32_t>(open_.size())));
  return at->first;
}

void StoreGame::create_world() {
  ModelWorld model;
  model.name = "world " + std::to_string(++names_);
  model.first = 2 + below(3) * 1000;
  test::StringSource base(file_bytes(model.name, model.first - 1));
  auto made = store_->create(test::entry_of(model.name), base, Revision{model.first}, kHistory);
  if (!made.ok()) {
    if (!disk_.is_dead() && !had_fault_) violate("create: " + made.status().ToString());
    unsure_.push_back(std::move(model));
    return;
  }
  const WorldKey key = made->entry.key;
  if (!keys_.insert(key).second) violate("a key was given twice");
  models_.emplace(key, std::move(model));
  open_.emplace(key, *std::move(made));
}

LogUnit StoreGame::random_unit(std::uint64_t revision) {
  LogUnit unit;
  if (below(10) < 7) unit.change = test::record_of(revision, below(8) == 0 ? 3000 : below(200));
  if (unit.change && below(2) == 0)
    unit.request = test::request_of("r" + std::to_string(random_.next() % 100'000), now_);
  const auto agent = [&] { return AgentId{below(2) == 0 ? below(8) : ~std::uint64_t{below(8)}}; };
  const auto session = [&] { return "session " + std::to_string(below(3)); };
  for (std::uint32_t n = below(3); n > 0; --n)
    unit.agents.push_back({agent(), session(), "spec " + std::to_string(random_.next())});
  if (below(4) == 0) unit.removed_agents.push_back(agent());
  if (below(4) == 0) unit.sessions.push_back({session(), 5, random_.next(), 0, "taken"});
  if (below(8) == 0) unit.removed_sessions.push_back(session());
  if (unit.empty()) unit.removed_agents.push_back(agent());
  return unit;
}

void StoreGame::append(WorldKey key, std::size_t units) {
  ModelWorld& model = models_.at(key);
  WorldLog& log = *open_.at(key).log;
  for (std::size_t i = 0; i < units; ++i) {
    if (!log.accepts(Durability::kApplied).ok()) return;
    LogUnit unit = random_unit(value(log.end()));
    model.units.push_back(unit);
    const Lsn lsn = log.append(std::move(unit));
    if (value(lsn) != model.units.size() - model.at_load) violate("a unit has a wrong number");
    if (below(20) == 0) {
      store_->pump();
      look();
    }
  }
}

void StoreGame::look() {
  for (const auto& [key, world] : open_) {
    ModelWorld& model = models_.at(key);
    const std::size_t durable = model.at_load + value(world.log->durable());
    if (durable < model.durable || durable > model.units.size())
      violate("durable() is out of range");
    model.durable = std::max(model.durable, durable);
  }
}

void StoreGame::snapshot(WorldKey key) {
  ModelWorld& model = models_.at(key);
  const WorldLog& log = *open_.at(key).log;
  const std::uint64_t revision = value(log.end()) - 1;
  test::StringSource bytes(file_bytes(model.name, revision));
  const Lsn lsn{model.units.size() - model.at_load};
  const absl::Status done = store_->snapshot(key, lsn, Revision{revision}, bytes);
  look();
  if (!done.ok()) {
    if (!disk_.is_dead() && !had_fault_) violate("snapshot: " + done.ToString());
    return;
  }
  if (log.durable() < lsn && !options_.planted.snapshot_without_tail)
    violate("a snapshot before its unit");
  // A snapshot that was there already needs no disk, its positions do.
  if (!had_fault_ && !disk_.is_dead()) model.positions_kept = model.positions_there;
}

void StoreGame::remove(WorldKey key) {
  if (below(2) == 0) open_.erase(key);
  const absl::Status done = store_->remove(key);
  look();
  if (done.ok()) {
    open_.erase(key);
    models_.erase(key);
    return;
  }
  if (!disk_.is_dead() && !had_fault_) violate("remove: " + done.ToString());
  models_.at(key).may_be_gone = true;
}

// The world is put out, and loaded again at once.
void StoreGame::reload(WorldKey key) {
  open_.erase(key);
  if (!load(key) && !disk_.is_dead() && !had_fault_) violate("a world cannot be loaded");
}

void StoreGame::save_positions(WorldKey key) {
  std::vector<PositionRow> rows;
  for (std::uint32_t n = below(20); n > 0; --n)
    rows.push_back({AgentId{n}, {random_.unit(), random_.unit(), random_.unit()}, now_ - n});
  models_.at(key).positions.emplace(now_, rows);
  models_.at(key).positions_there = now_;
  store_->save_positions(key, std::move(rows), now_);
}

void StoreGame::read_some(WorldKey key) {
  const StoredWorld& world = open_.at(key);
  const std::uint64_t oldest = value(world.log->oldest());
  const std::uint64_t end = value(world.log->readable_end());
  if (oldest >= end) return;
  const Revision start{oldest + random_.next() % (end - oldest)};
  auto page = world.log->read(start, 5, 500);
  if (!page.ok()) return violate("read: " + page.status().ToString());
  if (page->on_disk) {
    auto records = store_->read(key, start, 5, 500);
    if (!records.ok() && disk_.is_dead()) return;
    if (!records.ok()) return violate("read from disk: " + records.status().ToString());
    page->records = *std::move(records);
  }
  if (page->records.empty()) return violate("nothing was read");
  PlainWorld plain;
  for (const LogUnit& unit : models_.at(key).units) plain.add(unit);
  for (std::size_t i = 0; i < page->records.size(); ++i)
    if (page->records[i] != plain.records[value(start) - models_.at(key).first + i])
      violate("a record differs");
}

void StoreGame::plant_fault() {
  had_fault_ = true;
  if (below(3) == 0) {
    disk_.fail_next_sync();
  } else {
    disk_.fail_writes(1 + below(8));
  }
}

bool StoreGame::load(WorldKey key) {
  auto loaded = store_->load(key, kHistory);
  if (!loaded.ok()) {
    if (!disk_.is_dead() && absl::IsDataLoss(loaded.status())) violate(loaded.status().ToString());
    return false;
  }
  if (!compare(*loaded, key)) return false;
  if (loaded->incarnation <= models_.at(key).incarnation) violate("the incarnation did not grow");
  models_.at(key).incarnation = loaded->incarnation;
  models_.at(key).at_load = models_.at(key).units.size();
  open_.emplace(key, *std::move(loaded));
  return true;
}

bool StoreGame::compare(const StoredWorld& world, WorldKey key) {
  ModelWorld& model = models_.at(key);
  const WallMicros oldest = now_ - kRequestTtlUs;
  PlainWorld plain;
  for (std::size_t i = 0; i < model.durable; ++i) plain.add(model.units[i]);
  std::size_t units = model.durable;
  std::string why = differences(world, plain, model, oldest);
  while (!why.empty() && units < model.units.size()) {
    plain.add(model.units[units++]);
    why = differences(world, plain, model, oldest);
  }
  if (!why.empty()) {
    violate("key " + std::to_string(value(key)) + " equals no state from unit " +
            std::to_string(model.durable) + " to " + std::to_string(model.units.size()) + " (" +
            why + ")");
    return false;
  }
  model.units.resize(units);
  model.durable = units;
  return compare_records(key, world, plain) && compare_positions(world, model);
}

bool StoreGame::compare_records(WorldKey key, const StoredWorld& world, const PlainWorld& plain) {
  const ModelWorld& model = models_.at(key);
  const std::uint64_t oldest = value(world.log->oldest());
  const std::uint64_t end = value(world.log->end());
  const std::uint64_t snapshot = value(world.snapshot_revision);
  if (world.snapshot != file_bytes(model.name, snapshot)) violate("a snapshot of another state");
  if (snapshot + 1 < oldest || snapshot >= end) violate("a snapshot without its records");
  if (oldest > std::max(model.first, end - std::min(end, kHistory.records)) && end - oldest < 1)
    violate("too little history");
  for (std::uint64_t at = oldest; at < end && violation_.empty();) {
    const auto records = store_->read(key, Revision{at}, 1000, 1u << 20);
    if (disk_.is_dead()) return false;
    if (!records.ok()) {
      violate("records: " + records.status().ToString());
    } else if (records->empty()) {
      violate("records end early");
    } else {
      for (const LogRecord& record : *records)
        if (record != plain.records[at++ - model.first]) violate("a record differs");
    }
  }
  return violation_.empty();
}

// What was saved later than what is there was lost in a crash, which is allowed.
bool StoreGame::compare_positions(const StoredWorld& world, ModelWorld& model) {
  if (world.positions_at < model.positions_kept) violate("positions are too old");
  model.positions_there = world.positions_at;
  if (world.positions_at == 0) return violation_.empty();
  const auto saved = model.positions.find(world.positions_at);
  if (saved == model.positions.end() || saved->second != world.positions)
    violate("positions that nobody saved");
  return violation_.empty();
}

// Opens the store again and looks at everything.
void StoreGame::check() {
  had_fault_ = false;
  if (!open_store() || !compare_catalogue()) return close_store();
  std::vector<WorldKey> keys;
  for (const auto& [key, model] : models_) keys.push_back(key);
  for (const WorldKey key : keys)
    if (violation_.empty() && !load(key)) violate("a world cannot be loaded after a crash");
  // What was removed goes bit by bit, and nothing else with it.
  for (int i = 0; i < 3; ++i) store_->pump();
  close_store();
  disk_.crash(/*power=*/below(2) == 0);
}

bool StoreGame::compare_catalogue() {
  const auto worlds = store_->worlds();
  if (!worlds.ok()) {
    violate("catalogue: " + worlds.status().ToString());
    return false;
  }
  std::set<WorldKey> there;
  for (const CatalogEntry& entry : *worlds) {
    CatalogEntry wanted = test::entry_of(entry.name);
    wanted.key = entry.key;
    if (entry != wanted) violate("an entry differs");
    there.insert(entry.key);
    if (models_.contains(entry.key)) continue;
    const auto made = std::find_if(unsure_.begin(), unsure_.end(),
                                   [&](const ModelWorld& m) { return m.name == entry.name; });
    if (made == unsure_.end()) {
      violate("a world that nobody made, or that was removed");
    } else {
      if (!keys_.insert(entry.key).second) violate("a key was given twice");
      models_.emplace(entry.key, *made);
    }
  }
  unsure_.clear();
  std::erase_if(models_, [&](const auto& model) {
    if (there.contains(model.first)) return false;
    if (!model.second.may_be_gone) violate("a world is gone");
    return true;
  });
  for (auto& [key, model] : models_) model.may_be_gone = false;
  return violation_.empty();
}

}  // namespace repath::sim

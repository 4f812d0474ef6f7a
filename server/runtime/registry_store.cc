// Registry's part that keeps worlds in a durable store.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <map>
#include <utility>

#include "base/error.h"
#include "runtime/fit_limits.h"
#include "runtime/registry.h"

namespace repath {
namespace {

constexpr std::uint64_t kMebi = 1u << 20;
constexpr std::chrono::seconds kIdlePeriodMax(30);

// Returns the answer to the request that makes this durable world, see WorldHost::info.
WorldInfo first_answer(const WorldFacts& facts, const Engine& engine) {
  constexpr std::uint64_t kFirstLoad = 1;
  return {std::make_shared<const WorldFacts>(facts),
          engine.revision(),
          engine.state_hash(),
          engine.profiles(),
          engine.obstacle_count(),
          engine.agent_count(),
          engine.memory_bytes(),
          next(engine.revision()),
          {engine.revision(), kFirstLoad}};
}

}  // namespace

Registry::Registry(const Limits& limits, Threads& threads, Store& store, const WorldCodec& codec)
    : limits_(fit_to_memory(limits)),
      threads_(threads),
      store_(&store),
      codec_(&codec),
      opened_at_(wall_now_us()),
      idle_timer_(threads.worlds()) {}

absl::Status Registry::open() {
  REPATH_ASSIGN_OR_RETURN(std::vector<CatalogEntry> catalogue, store_->worlds());
  std::ranges::sort(catalogue, {}, &CatalogEntry::made_at);
  const std::lock_guard lock(mutex_);
  for (CatalogEntry& stored : catalogue) {
    Entry entry;
    entry.serial = ++last_serial_;
    entry.definition = stored.definition;
    entry.request_id = stored.request_id;
    const WallMicros ends_at = stored.made_at + kRequestAnswerUs;
    if (!stored.request_id.empty() && ends_at > opened_at_) {
      Request& request = requests_[stored.request_id];
      request.serial = entry.serial;
      request.definition = stored.definition;
      request.stored = std::make_shared<const CatalogEntry>(stored);
      requests_by_age_.push_back({stored.request_id, entry.serial,
                                  now_us() + std::min(ends_at - opened_at_, kRequestAnswerUs)});
    }
    entry.stored = std::move(stored);
    std::string name = entry.stored->name;
    worlds_.insert_or_assign(std::move(name), std::move(entry));
  }
  if (limits_.idle_unload_s > 0)
    boost::asio::post(threads_.worlds(), [this] { unload_idle_worlds(); });
  return absl::OkStatus();
}

absl::Status Registry::check_memory(std::uint64_t more) {
  const std::uint64_t most = limits_.memory_total_mb * kMebi;
  const std::uint64_t used = total_.bytes;
  if (more == 0 ? used < most : used + more <= most) return absl::OkStatus();
  const std::string limit = std::to_string(limits_.memory_total_mb) + " MiB (--memory-total-mb)";
  const std::string why =
      (more == 0 ? "all worlds together use the limit of " + limit
                 : "with it all worlds together would exceed the limit of " + limit) +
      "; delete one first";
  absl::Status full = make_error(absl::StatusCode::kResourceExhausted, "MEMORY_TOTAL", "", why);
  if (store_ == nullptr) return full;
  constexpr Micros kMakeRoomEveryUs = 1'000'000;
  Micros last = room_made_at_;
  const Micros now = now_us();
  if (now >= last + kMakeRoomEveryUs && room_made_at_.compare_exchange_strong(last, now))
    boost::asio::post(threads_.worlds(), [this] { shrink(); });
  return with_fact(std::move(full), "retry_delay_ms", "2000");
}

// ---- worlds of the store ----

std::optional<WorldInfo> Registry::stored_answer(const CatalogEntry& stored) const {
  std::optional<WorldInfo> answer = codec_->read_first_answer(stored.facts);
  if (!answer) return std::nullopt;
  WorldFacts facts = *answer->facts;
  facts.name = stored.name;
  facts.epoch = stored.epoch;
  answer->facts = std::make_shared<const WorldFacts>(std::move(facts));
  return answer;
}

std::shared_ptr<WorldHost> Registry::host_of(Entry& entry) {
  if (entry.host != nullptr || !entry.stored) return entry.host;
  const CatalogEntry stored = *std::exchange(entry.stored, std::nullopt);
  absl::StatusOr<WorldFacts> facts = codec_->read_facts(stored.facts);
  Keeping keeping = keeping_of(stored.key);
  if (!facts.ok()) {
    WorldFacts none;
    none.damage = make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "world",
                             "the world '" + stored.name + "' is damaged: catalogue: " +
                                 std::string(facts.status().message()));
    facts = std::move(none);
  }
  facts->name = stored.name;
  facts->epoch = stored.epoch;
  entry.host = std::make_shared<WorldHost>(*std::move(facts), std::move(keeping), limits_, threads_,
                                           metrics_);
  entry.host->count_memory_in(&total_);
  return entry.host;
}

Keeping Registry::keeping_of(WorldKey key) {
  Keeping keeping{store_, codec_, key, {}};
  keeping.load = [this, key](const WorldFacts& facts) -> absl::StatusOr<LoadedWorld> {
    REPATH_RETURN_IF_ERROR(check_memory(0));
    REPATH_ASSIGN_OR_RETURN(LoadedWorld world,
                            load_world(*store_, *codec_, key, facts, engine_parts(), opened_at_));
    REPATH_RETURN_IF_ERROR(check_memory(world.engine->memory_bytes()));
    return world;
  };
  return keeping;
}

bool Registry::begin_storing(const std::string& name, Serial serial) {
  const std::lock_guard lock(mutex_);
  const auto at = worlds_.find(name);
  const bool is_there = at != worlds_.end() && at->second.serial == serial;
  if (is_there) at->second.is_storing = true;
  return is_there;
}

absl::StatusOr<std::shared_ptr<WorldHost>> Registry::keep_new(const NewWorld& world, Serial serial,
                                                              WorldFacts facts, LoadedWorld made) {
  Engine* const engine = made.engine.get();
  REPATH_RETURN_IF_ERROR(check_memory(engine->memory_bytes()));
  CatalogEntry entry;
  entry.name = facts.name;
  entry.epoch = facts.epoch;
  entry.definition = world.definition;
  entry.request_id = world.request_id;
  entry.made_at = wall_now_us();
  const WorldInfo first = first_answer(facts, *engine);
  entry.facts = codec_->write_facts(facts, world.request_id.empty() ? nullptr : &first);
  const auto base = codec_->write_world(copy_whole(*engine), facts);
  if (!begin_storing(world.name, serial)) return deleted_while_made();
  REPATH_ASSIGN_OR_RETURN(StoredWorld stored,
                          store_->create(std::move(entry), *base, next(engine->revision()),
                                         history_bound(facts.settings, limits_)));
  auto host = std::make_shared<WorldHost>(std::move(facts), keeping_of(stored.entry.key), limits_,
                                          threads_, metrics_);
  made.log = std::move(stored.log);
  made.incarnation = stored.incarnation;
  host->begin_loaded(std::move(made));
  return host;
}

absl::Status Registry::remove_stored(WorldKey key) {
  absl::Status removed = store_->remove(key);
  return absl::IsNotFound(removed) ? absl::OkStatus() : removed;
}

void Registry::end_storing(Entry& entry, std::unique_lock<std::mutex>& lock,
                           absl::StatusOr<std::shared_ptr<WorldHost>>* host, Callers* callers) {
  if (!host->ok()) {
    callers->deleted = host->status();
  } else if (!entry.deleting.empty()) {
    lock.unlock();
    if (const absl::Status removed = remove_stored((**host)->key()); removed.ok()) {
      callers->deleted = (**host)->revision();
      *host = deleted_while_made();  // ends the world, which may wait for the disk
    } else {
      callers->deleted = removed;
    }
    lock.lock();
  }
  callers->deleting = std::exchange(entry.deleting, {});
  entry.is_storing = false;
}

// ---- in memory or not ----

void Registry::unload_idle_worlds() {
  const std::chrono::seconds idle(limits_.idle_unload_s);
  std::vector<std::shared_ptr<WorldHost>> loaded;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : worlds_)
      if (entry.host && entry.host->is_loaded()) loaded.push_back(entry.host);
  }
  for (const auto& host : loaded) host->unload_if_idle(Micros{limits_.idle_unload_s} * 1'000'000);
  idle_timer_.expires_after(
      std::clamp<std::chrono::seconds>(idle / 4, std::chrono::seconds(1), kIdlePeriodMax));
  idle_timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (!cancelled && !draining_) unload_idle_worlds();
  });
}

void Registry::shrink() {
  constexpr Micros kIdleUs = 1'000'000;
  past_.clear();
  std::vector<std::shared_ptr<WorldHost>> hosts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : worlds_)
      if (entry.host) hosts.push_back(entry.host);
  }
  for (const auto& host : hosts) {
    host->drop_copies();
    if (host->is_durable() && host->is_loaded()) host->unload_if_idle(kIdleUs);
  }
}

std::map<std::string, absl::Status> Registry::save_worlds(std::chrono::milliseconds most) {
  struct Saving {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, absl::Status> left;
    std::size_t waits = 0;  // answers to come
  };
  const auto saving = std::make_shared<Saving>();
  std::vector<std::shared_ptr<WorldHost>> hosts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : worlds_)
      if (entry.host && entry.host->is_loaded()) hosts.push_back(entry.host);
  }
  for (const auto& host : hosts)
    saving->left.emplace(host->facts().name,
                         absl::DeadlineExceededError("not within the drain timeout"));
  saving->waits = hosts.size();
  for (const auto& host : hosts) {
    host->save([saving, name = host->facts().name](const absl::StatusOr<bool>& saved) {
      const std::lock_guard lock(saving->mutex);
      if (saved.ok()) {
        saving->left.erase(name);
      } else {
        saving->left[name] = saved.status();
      }
      --saving->waits;
      saving->changed.notify_all();
    });
  }
  std::unique_lock lock(saving->mutex);
  saving->changed.wait_for(lock, most, [&] { return saving->waits == 0; });
  return saving->left;
}

}  // namespace repath

#include "runtime/registry.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/request_answers.h"
#include "runtime/failure.h"
#include "runtime/fit_limits.h"
#include "store/memory_world_log.h"

namespace repath {
namespace {

constexpr std::size_t kAnswersMax = 65'536;
constexpr std::uint64_t kMega = 1u << 20;
constexpr std::uint64_t kImportMemoryMax = std::uint64_t{1} << 30;  // for reading one file
constexpr std::uint64_t kOriginBytesMax = std::uint64_t{16} << 20;  // of a file kept for forks
constexpr std::string_view kCancelled = "CANCELLED";

absl::Status cancelled() {
  return make_error(absl::StatusCode::kCancelled, kCancelled, "",
                    "the call ended before the world was made");
}

// Also stops the reading of a file when memory is nearly used up.
class PressedStop final : public StopToken {
 public:
  PressedStop(const StopToken& stop, const Pressure& pressure) : stop_(stop), pressure_(pressure) {}
  bool stop_requested() const override {
    return stop_.stop_requested() || pressure_.stage() >= MemoryStage::kCritical;
  }

 private:
  const StopToken& stop_;
  const Pressure& pressure_;
};

}  // namespace

absl::Status server_drains() {
  return make_error(absl::StatusCode::kUnavailable, "DRAINING", "", "the server is shutting down");
}

absl::Status unknown_world(const std::string& name) {
  return make_error(absl::StatusCode::kNotFound, "WORLD_UNKNOWN", "world",
                    "there is no world '" + name + "'");
}

absl::Status deleted_while_made() {
  return make_error(absl::StatusCode::kNotFound, "WORLD_UNKNOWN", "name",
                    "the world was deleted while it was made");
}

Registry::Registry(const Limits& limits, Threads& threads)
    : limits_(fit_to_memory(limits)), threads_(threads), idle_timer_(threads.worlds()) {}

Registry::~Registry() {
  threads_.stop_and_join();
  for (const auto& [name, entry] : worlds_) {
    if (!entry.host) continue;
    entry.host->count_memory_in(nullptr);
    entry.host->drop_log();  // and with it streams, which keep the world
  }
}

WorldSettings Registry::default_settings() const {
  WorldSettings settings;
  settings.frame.rate_hz = static_cast<double>(limits_.frame_rate_hz);
  settings.frame.budget_us = limits_.frame_budget_us;
  settings.history_revisions = limits_.history_revisions;
  settings.memory_mb = limits_.world_memory_mb;
  return settings;
}

bool Registry::answer_known(NewWorld& world, Answer<WorldInfo>& answer,
                            std::unique_lock<std::mutex>& lock) {
  forget_old_requests();
  const auto request =
      world.request_id.empty() ? requests_.end() : requests_.find(world.request_id);
  if (request != requests_.end()) {
    if (request->second.definition != world.definition) {
      lock.unlock();
      answer(request_id_reused());
      return true;
    }
    if (const auto stored = std::exchange(request->second.stored, nullptr))
      request->second.answer = stored_answer(*stored);
    if (const std::optional<WorldInfo> again = request->second.answer) {
      lock.unlock();
      answer(*again);
      return true;
    }
  }
  const auto at = worlds_.find(world.name);
  if (at == worlds_.end() || at->second.definition != world.definition) return false;
  Entry& same = at->second;
  if (same.stop) {
    same.stop->add(std::move(world.caller));
    same.waiting.push_back(std::move(answer));
    lock.unlock();
    return true;
  }
  const std::shared_ptr<WorldHost> host = host_of(same);
  lock.unlock();
  host->info(std::move(answer));
  return true;
}

void Registry::create(NewWorld world, Answer<WorldInfo> answer) {
  world.settings.memory_mb = std::min(world.settings.memory_mb, limits_.memory_total_mb);
  std::unique_lock lock(mutex_);
  if (answer_known(world, answer, lock)) return;
  const absl::Status refused = reserve(world);
  const Serial serial = last_serial_;
  lock.unlock();
  if (!refused.ok()) return answer(refused);
  auto& makers = threads_.makers(world.file_bytes);
  boost::asio::post(makers,
                    [this, serial, order = std::make_shared<const NewWorld>(std::move(world)),
                     answer = std::move(answer)] { make(order, serial, answer); });
}

absl::Status Registry::reserve(const NewWorld& world) {
  if (draining_) return server_drains();
  if (worlds_.contains(world.name))
    return make_error(
        absl::StatusCode::kAlreadyExists, "WORLD_EXISTS", "name",
        "another request has made a world '" + world.name + "'; delete it or choose another name");
  if (worlds_.size() + deleted_unmade_ >= limits_.worlds_max) {
    return make_error(absl::StatusCode::kResourceExhausted, "WORLDS_MAX", "",
                      "the server has " + std::to_string(limits_.worlds_max) +
                          " worlds, its limit (--worlds-max); delete one first");
  }
  REPATH_RETURN_IF_ERROR(check_memory(0));
  ++last_serial_;
  auto stop = std::make_shared<MakingStop>(draining_);
  stop->add(world.caller);
  worlds_.emplace(
      world.name,
      Entry{last_serial_, world.definition, world.request_id, nullptr, {}, std::move(stop), {}});
  if (!world.request_id.empty())
    requests_.emplace(world.request_id, Request{last_serial_, world.definition});
  return absl::OkStatus();
}

std::shared_ptr<const MakingStop> Registry::stop_of(const NewWorld& world, Serial serial) const {
  const std::lock_guard lock(mutex_);
  const auto at = worlds_.find(world.name);
  return at == worlds_.end() || at->second.serial != serial ? nullptr : at->second.stop;
}

void Registry::make(const std::shared_ptr<const NewWorld>& order, Serial serial,
                    const Answer<WorldInfo>& answer) {
  const NewWorld& world = *order;
  const std::shared_ptr<const MakingStop> stop = stop_of(world, serial);
  absl::StatusOr<std::shared_ptr<WorldHost>> host = cancelled();
  Callers callers;
  do {
    if (stop != nullptr)
      host = guard_making(world.name, [&] { return make_host(world, serial, *stop); });
  } while (!settle(order, serial, stop.get(), &host, &callers));
  for (const Answer<Revision>& deleting : callers.deleting) deleting(callers.deleted);
  for (const Answer<WorldInfo>& also : callers.making)
    host.ok() ? (*host)->info(also) : also(host.status());
  if (!host.ok()) return answer(host.status());
  (*host)->info(
      [this, serial, request_id = world.request_id, answer](absl::StatusOr<WorldInfo> info) {
        if (info.ok()) keep_answer(request_id, serial, *info);
        if (info.ok()) info->is_new = true;
        answer(std::move(info));
      });
}

bool Registry::settle(const std::shared_ptr<const NewWorld>& order, Serial serial,
                      const StopToken* stop, absl::StatusOr<std::shared_ptr<WorldHost>>* host,
                      Callers* callers) {
  const NewWorld& world = *order;
  std::unique_lock lock(mutex_);
  const auto at = worlds_.find(world.name);
  if (at == worlds_.end() || at->second.serial != serial) {
    --deleted_unmade_;
    *host = deleted_while_made();
    return true;
  }
  if (at->second.is_storing) end_storing(at->second, lock, host, callers);
  // A world that the store has is kept: its request can be repeated.
  const bool is_kept = host->ok() && (**host)->is_durable();
  if (stop->stop_requested() && !is_kept) {
    *host = draining_ ? server_drains() : cancelled();
  } else if (error_reason(host->status()) == kCancelled) {
    return false;
  }
  callers->making = std::exchange(at->second.waiting, {});
  at->second.stop.reset();
  if (host->ok() && !is_kept) {
    const absl::Status fits = check_memory((**host)->memory_bytes());
    if (!fits.ok()) *host = fits;
  }
  if (host->ok()) {
    at->second.host = **host;
    (**host)->count_memory_in(&total_);
    if (!is_kept && !world.is_fork && world.file_bytes <= kOriginBytesMax)
      at->second.origin = std::make_shared<const Origin>(order, (**host)->revision(), total_);
  } else {
    forget_request(world.request_id, serial);
    worlds_.erase(at);
  }
  return true;
}

absl::Status Registry::making_failed(const std::string& world, const std::exception_ptr& thrown) {
  const Failure failure = describe(thrown);
  log_failure(world, "creation", "the world is not made, all others go on", failure);
  return with_fact(
      make_error(absl::StatusCode::kInternal, "CHECK_FAILED", "",
                 "an internal check failed while the world was made (" + failure.reason + ")"),
      "check", failure.reason);
}

absl::StatusOr<std::unique_ptr<Engine>> Registry::make_engine_of(const NewWorld& world,
                                                                 const StopToken& stop,
                                                                 WorldFacts* facts) {
  WorkLimits work_limits;
  work_limits.units = limits_.import_work_units;
  work_limits.memory_bytes = std::min({world.settings.memory_mb * kMega / 2, kImportMemoryMax,
                                       limits_.memory_total_mb * kMega / 4});
  if (world.is_fork) work_limits = kNoWorkLimits;
  const PressedStop pressed(stop, threads_.pressure());
  WorkMeter work(work_limits, world.file_bytes, &pressed);
  absl::StatusOr<AnyWorldSpec> read = world.make_spec(&work);
  if (!stop.stop_requested() && pressed.stop_requested())
    return Pressure::ended(threads_.pressure().stage());
  REPATH_ASSIGN_OR_RETURN(AnyWorldSpec spec, std::move(read));
  if (stop.stop_requested()) return cancelled();
  REPATH_ASSIGN_OR_RETURN(
      std::unique_ptr<Engine> engine,
      make_engine(std::move(spec), engine_parts(), first_incarnation(), facts, &work));
  if (world.advance) REPATH_RETURN_IF_ERROR(world.advance(engine.get()));
  return engine;
}

absl::StatusOr<std::shared_ptr<WorldHost>> Registry::make_host(const NewWorld& world, Serial serial,
                                                               const StopToken& stop) {
  if (store_ != nullptr) REPATH_RETURN_IF_ERROR(store_->health());
  WorldFacts facts;
  facts.name = world.name;
  facts.epoch = random_name();
  facts.settings = world.settings;
  LoadedWorld made;
  REPATH_ASSIGN_OR_RETURN(made.engine, make_engine_of(world, stop, &facts));
  made.recorder = begin_recording(facts, engine_parts(), first_incarnation(), &made.engine);
  if (store_ != nullptr) {
    if (stop.stop_requested()) return cancelled();
    return keep_new(world, serial, std::move(facts), std::move(made));
  }
  auto log = std::make_unique<MemoryWorldLog>(next(made.engine->revision()),
                                              history_bound(world.settings, limits_));
  auto host = std::make_shared<WorldHost>(std::move(facts), std::move(made.engine), std::move(log),
                                          limits_, threads_, metrics_);
  host->record_by(std::move(made.recorder));
  return host;
}

// Keeps the answer, unless the world was deleted in between and its request forgotten.
void Registry::keep_answer(const std::string& request_id, Serial serial, const WorldInfo& info) {
  const std::lock_guard lock(mutex_);
  const auto at = requests_.find(request_id);
  if (at == requests_.end() || at->second.serial != serial) return;
  at->second.answer = info;
  requests_by_age_.push_back({request_id, serial, now_us() + kRequestAnswerUs});
}

void Registry::forget_request(const std::string& request_id, Serial serial) {
  const auto at = requests_.find(request_id);
  if (at != requests_.end() && at->second.serial == serial) requests_.erase(at);
}

void Registry::forget_old_requests() {
  const Micros now = now_us();
  while (!requests_by_age_.empty() &&
         (requests_by_age_.size() > kAnswersMax || requests_by_age_.front().ends_at < now)) {
    forget_request(requests_by_age_.front().request_id, requests_by_age_.front().serial);
    requests_by_age_.pop_front();
  }
}

absl::StatusOr<std::shared_ptr<WorldHost>> Registry::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto at = worlds_.find(name);
  const std::shared_ptr<WorldHost> host = at == worlds_.end() ? nullptr : host_of(at->second);
  if (host == nullptr) return unknown_world(name);
  REPATH_RETURN_IF_ERROR(host->facts().damage);
  return host;
}

std::vector<std::shared_ptr<WorldHost>> Registry::list(const std::string& after,
                                                       std::size_t limit) {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<WorldHost>> found;
  for (auto at = worlds_.upper_bound(after); at != worlds_.end() && found.size() < limit; ++at)
    if (auto host = host_of(at->second)) found.push_back(std::move(host));
  return found;
}

void Registry::remove(const std::string& name, const Answer<Revision>& answer) {
  std::unique_lock lock(mutex_);
  auto at = worlds_.find(name);
  if (at != worlds_.end() && at->second.is_storing) return at->second.deleting.push_back(answer);
  if (at != worlds_.end() && at->second.stop == nullptr && store_ != nullptr) {
    const Serial serial = at->second.serial;
    const WorldKey key = host_of(at->second)->key();
    lock.unlock();
    const absl::Status removed = remove_stored(key);
    if (!removed.ok()) return answer(removed);
    lock.lock();
    at = worlds_.find(name);
    if (at != worlds_.end() && at->second.serial != serial) at = worlds_.end();
  }
  if (at == worlds_.end()) {
    lock.unlock();
    return answer(unknown_world(name));
  }
  const Entry gone = std::move(at->second);
  worlds_.erase(at);
  forget_request(gone.request_id, gone.serial);
  if (gone.host != nullptr) {
    WorldFigures last = gone.host->figures();
    last.end();
    departed_ += last;
  } else if (gone.stop != nullptr) {
    ++deleted_unmade_;
    gone.stop->end();
  }
  lock.unlock();
  if (gone.host != nullptr) gone.host->close();
  for (const Answer<WorldInfo>& waiting : gone.waiting) waiting(unknown_world(name));
  answer(gone.host == nullptr ? Revision{} : gone.host->revision());
}

std::string Registry::metrics_text() const {
  WorldFigures sum;
  std::uint64_t worlds = 0;
  {
    const std::lock_guard lock(mutex_);
    sum = departed_;
    for (const auto& [name, entry] : worlds_) {
      worlds += entry.stop == nullptr ? 1 : 0;
      if (entry.host) sum += entry.host->figures();
    }
  }
  std::optional<Metrics::StoreState> store;
  if (store_ != nullptr) store = Metrics::StoreState{store_->figures(), store_->health().ok()};
  return metrics_.text(sum, worlds, store, threads_.long_pieces());
}

void Registry::drain() {
  draining_ = true;
  imports_.end(server_drains());
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : worlds_) {
    if (entry.host) entry.host->end_streams(server_drains());
  }
}

}  // namespace repath

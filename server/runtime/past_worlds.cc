#include "runtime/past_worlds.h"

#include <algorithm>
#include <utility>

namespace repath {

PastWorld::PastWorld(std::unique_ptr<Engine> engine, MemoryTotal& total)
    : engine_(std::move(engine)), total_(total) {
  count_memory();
}

PastWorld::~PastWorld() { total_.bytes -= counted_; }

void PastWorld::count_memory() {
  const std::uint64_t bytes = engine_->memory_bytes();
  total_.bytes += bytes - counted_;
  counted_ = bytes;
}

std::shared_ptr<const MakingStop> PastWorlds::want(const Key& key,
                                                   std::shared_ptr<const StopToken> caller,
                                                   Take take) {
  std::unique_lock lock(mutex_);
  const auto kept = std::ranges::find(kept_, key, &Kept::key);
  if (kept != kept_.end()) {
    kept->used_at = std::chrono::steady_clock::now();
    kept_.splice(kept_.begin(), kept_, kept);
    const std::shared_ptr<PastWorld> world = kept->world;
    lock.unlock();
    take(world);
    return nullptr;
  }
  const auto [at, is_first] = making_.try_emplace(key);
  Making& making = at->second;
  if (is_first) making.stop = std::make_shared<MakingStop>(draining_);
  making.stop->add(std::move(caller));
  making.waiting.push_back(std::move(take));
  return is_first ? making.stop : nullptr;
}

bool PastWorlds::settle(const Key& key, const Made& made) {
  std::vector<Take> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto at = making_.find(key);
    if (absl::IsCancelled(made.status()) && !at->second.stop->stop_requested()) return false;
    waiting = std::move(at->second.waiting);
    making_.erase(at);
    if (made.ok()) {
      kept_.push_front({key, *made, std::chrono::steady_clock::now()});
      if (kept_.size() > kKeptMax) kept_.pop_back();
      schedule_dropping();
    }
  }
  for (const Take& take : waiting) take(made);
  return true;
}

void PastWorlds::clear() {
  const std::lock_guard lock(mutex_);
  kept_.clear();
}

void PastWorlds::schedule_dropping() {
  if (is_scheduled_ || kept_.empty()) return;
  is_scheduled_ = true;
  timer_.expires_after(kIdle / 4);
  timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    const std::lock_guard lock(mutex_);
    is_scheduled_ = false;
    drop_idle();
    schedule_dropping();
  });
}

void PastWorlds::drop_idle() {
  const auto oldest = std::chrono::steady_clock::now() - kIdle;
  std::erase_if(kept_, [&](const Kept& kept) { return kept.used_at < oldest; });
}

}  // namespace repath

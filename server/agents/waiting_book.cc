#include "agents/waiting_book.h"

#include <algorithm>

#include "base/check.h"

namespace repath {

void WaitingBook::add(const WaitingEntry& entry) {
  Owner& owner = owners_[entry.owner];
  owner.proved.add(entry.proved);
  owner.deadlines.add(entry.deadline);
  frames_.add(entry.frame);
}

void WaitingBook::remove(const WaitingEntry& entry) {
  const auto it = owners_.find(entry.owner);
  REPATH_CHECK(it != owners_.end());
  it->second.proved.remove(entry.proved);
  it->second.deadlines.remove(entry.deadline);
  frames_.remove(entry.frame);
  if (it->second.proved.empty() && owners_.size() > kIdleOwnersMax) owners_.erase(it);
}

std::uint64_t WaitingBook::waiting(std::optional<OwnerId> owner) const {
  if (!owner) return frames_.size();
  const auto it = owners_.find(*owner);
  return it == owners_.end() ? 0 : it->second.proved.size();
}

std::optional<Revision> WaitingBook::least_proved(std::optional<OwnerId> owner) const {
  std::optional<Revision> least;
  const auto take = [&least](const Owner& o) {
    if (o.proved.empty()) return;
    const Revision proved = o.proved.least();
    least = least ? std::min(*least, proved) : proved;
  };
  if (!owner) {
    for (const auto& [id, o] : owners_) take(o);
  } else if (const auto it = owners_.find(*owner); it != owners_.end()) {
    take(it->second);
  }
  return least;
}

bool WaitingBook::any_proved_in(Revision first, Revision end) const {
  return std::ranges::any_of(
      owners_, [&](const auto& entry) { return entry.second.proved.any_in(first, end); });
}

std::uint64_t WaitingBook::late(std::optional<OwnerId> owner, Micros now) const {
  if (owner) {
    const auto it = owners_.find(*owner);
    return it == owners_.end() ? 0 : it->second.deadlines.below(now);
  }
  std::uint64_t late = 0;
  for (const auto& [id, o] : owners_) late += o.deadlines.below(now);
  return late;
}

std::uint64_t WaitingBook::oldest_wait(std::uint64_t frame) const {
  return frames_.empty() ? 0 : frame - frames_.least();
}

}  // namespace repath

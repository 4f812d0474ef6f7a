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

template <class Visit>
void WaitingBook::for_each(std::optional<OwnerId> owner, const Visit& visit) const {
  if (!owner) {
    for (const auto& [id, o] : owners_) visit(o);
  } else if (const auto it = owners_.find(*owner); it != owners_.end()) {
    visit(it->second);
  }
}

std::uint64_t WaitingBook::waiting(std::optional<OwnerId> owner) const {
  std::uint64_t waiting = 0;
  for_each(owner, [&](const Owner& o) { waiting += o.proved.size(); });
  return waiting;
}

std::optional<Revision> WaitingBook::least_proved(std::optional<OwnerId> owner) const {
  std::optional<Revision> least;
  for_each(owner, [&](const Owner& o) {
    if (!o.proved.empty() && (!least || o.proved.least() < *least)) least = o.proved.least();
  });
  return least;
}

bool WaitingBook::any_proved_in(Revision first, Revision end) const {
  return std::ranges::any_of(
      owners_, [&](const auto& entry) { return entry.second.proved.any_in(first, end); });
}

std::uint64_t WaitingBook::late(std::optional<OwnerId> owner, Micros now) const {
  std::uint64_t late = 0;
  for_each(owner, [&](const Owner& o) { late += o.deadlines.below(now); });
  return late;
}

std::uint64_t WaitingBook::oldest_wait(std::uint64_t frame) const {
  return frames_.empty() ? 0 : frame - frames_.least();
}

}  // namespace repath

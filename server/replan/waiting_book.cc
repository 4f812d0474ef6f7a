#include "replan/waiting_book.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace repath {
namespace {

template <class T>
void erase_one(std::multiset<T>* set, const T& value) {
  const auto it = set->find(value);
  REPATH_CHECK(it != set->end());
  set->erase(it);
}

std::uint64_t before(const std::multiset<Micros>& deadlines, Micros now) {
  return static_cast<std::uint64_t>(std::distance(deadlines.begin(), deadlines.lower_bound(now)));
}

}  // namespace

void WaitingBook::add(const WaitingEntry& entry) {
  Owner& owner = owners_[entry.owner];
  owner.proved.insert(entry.proved);
  owner.deadlines.insert(entry.deadline);
  frames_.insert(entry.frame);
}

void WaitingBook::remove(const WaitingEntry& entry) {
  const auto it = owners_.find(entry.owner);
  REPATH_CHECK(it != owners_.end());
  erase_one(&it->second.proved, entry.proved);
  erase_one(&it->second.deadlines, entry.deadline);
  erase_one(&frames_, entry.frame);
  if (it->second.proved.empty()) owners_.erase(it);
}

std::uint64_t WaitingBook::waiting(std::optional<OwnerId> owner) const {
  if (!owner) return frames_.size();
  const auto it = owners_.find(*owner);
  return it == owners_.end() ? 0 : it->second.proved.size();
}

std::optional<Revision> WaitingBook::least_proved(std::optional<OwnerId> owner) const {
  std::optional<Revision> least;
  const auto take = [&least](const Owner& o) {
    const Revision proved = *o.proved.begin();
    least = least ? std::min(*least, proved) : proved;
  };
  if (!owner) {
    for (const auto& [id, o] : owners_) take(o);
  } else if (const auto it = owners_.find(*owner); it != owners_.end()) {
    take(it->second);
  }
  return least;
}

bool WaitingBook::several_before(Revision revision) const {
  int found = 0;
  for (const auto& [id, owner] : owners_)
    for (auto it = owner.proved.begin(); it != owner.proved.end() && *it < revision; ++it)
      if (++found == 2) return true;
  return false;
}

std::uint64_t WaitingBook::late(std::optional<OwnerId> owner, Micros now) const {
  if (owner) {
    const auto it = owners_.find(*owner);
    return it == owners_.end() ? 0 : before(it->second.deadlines, now);
  }
  std::uint64_t late = 0;
  for (const auto& [id, o] : owners_) late += before(o.deadlines, now);
  return late;
}

std::uint64_t WaitingBook::oldest_wait(std::uint64_t frame) const {
  return frames_.empty() ? 0 : frame - *frames_.begin();
}

}  // namespace repath

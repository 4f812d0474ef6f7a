#include "route_ground/hindsight_book.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "routes/places.h"

namespace repath {
namespace {

// Cost above the least cost of a way that hindsight must prove to be used: enough for a way round
// something.
constexpr Cost kWorthwhile = static_cast<Cost>(kRouteCostUnit);

}  // namespace

void HindsightBook::put(Slot slot, std::shared_ptr<const Hindsight> of, const Spot& from,
                        Revision found_at) {
  drop(slot);
  if (of->bytes() > bytes_max_) return;
  if (slot >= entries_.size()) entries_.resize(slot + std::size_t{1});
  bytes_ += of->bytes();
  by_use_.push_back(slot);
  const Cost certain = of->certain();
  entries_[slot] = {std::move(of), found_at, certain, from, std::prev(by_use_.end())};
  while (bytes_ > bytes_max_) drop(by_use_.front());
}

HeldHindsight HindsightBook::take(Slot slot, const Spot& from, Cost least) {
  if (found_at(slot) == Revision{}) return {};
  const Entry& entry = entries_[slot];
  if (!is_same_place(entry.from, from) || entry.certain < saturating_add(least, kWorthwhile))
    return {};
  by_use_.splice(by_use_.end(), by_use_, entry.use);
  return {entry.of, entry.certain};
}

void HindsightBook::drop(Slot slot) {
  if (found_at(slot) == Revision{}) return;
  Entry& entry = entries_[slot];
  bytes_ -= entry.of->bytes();
  by_use_.erase(entry.use);
  entry = {};
}

void HindsightBook::limit(Slot slot, Cost rival) {
  entries_[slot].certain = std::min(entries_[slot].certain, rival);
}

void HindsightBook::walk(Slot slot, const Spot& from, const Spot& to, Cost length) {
  if (found_at(slot) == Revision{} || !is_same_place(entries_[slot].from, from)) return;
  Entry& entry = entries_[slot];
  entry.certain -= std::min(entry.certain, length);
  entry.from = to;
}

}  // namespace repath

// The hindsight that agents' searches left for later searches (routes/route_ground.h), within a
// limit of memory. The least recently used hindsight is dropped first.
//
// Not thread-safe. Holds for each agent at most one hindsight, the place it speaks for, and the
// cost that is certain there. The callers keep it true. Walking takes off the cost of the way
// walked. Ground that opens limits it to ways that are cheaper than any way through there, as
// RouteRow::lower is limited. All O(1).
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "agents/route.h"
#include "base/ids.h"
#include "routes/route_ground.h"

namespace repath {

class HindsightBook {
 public:
  using Slot = std::uint32_t;

  explicit HindsightBook(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // Puts hindsight in place of the agent's older one. `found_at`: the revision of the ground that
  // was searched, and today's.
  void put(Slot slot, std::shared_ptr<const Hindsight> of, const Spot& from, Revision found_at);
  // Returns the hindsight that a search from there may use, if it bounds ways that cost `least` or
  // more. It counts as used then.
  HeldHindsight take(Slot slot, const Spot& from, Cost least);
  void drop(Slot slot);

  // Returns the revision since which the opening of ground that had been shut before is news; 0:
  // there is no hindsight.
  Revision found_at(Slot slot) const {
    return slot < entries_.size() ? entries_[slot].found_at : Revision{};
  }
  // REQUIRES for both: found_at() is not 0.
  Cost certain(Slot slot) const { return entries_[slot].certain; }
  const Spot& from(Slot slot) const { return entries_[slot].from; }

  // Limits the certain cost to `rival`, the least cost of a way that uses something new from the
  // place that the hindsight speaks for.
  void limit(Slot slot, Cost rival);
  // Moves the place that the hindsight speaks for: the agent went from one place to the other over
  // ground, by a way of at most this length. Does nothing if the hindsight speaks for another
  // place.
  void walk(Slot slot, const Spot& from, const Spot& to, Cost length);

  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::shared_ptr<const Hindsight> of;
    Revision found_at{};  // 0: no entry
    Cost certain = 0;
    Spot from;
    std::list<Slot>::iterator use{};
  };

  std::uint64_t bytes_max_;
  std::uint64_t bytes_ = 0;
  std::vector<Entry> entries_;  // by slot
  std::list<Slot> by_use_;      // the latest last
};

}  // namespace repath

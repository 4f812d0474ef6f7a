// What searches of agents left to later ones (routes/hindsight.h), within a limit of memory: what
// was not used for longest goes first.
//
// Not thread-safe. Of each agent one, and of that the place it speaks for and what is certain
// there. Kept true by those who know: walking takes off what is walked, and what opens limits it to
// ways that are cheaper than any through there, as RouteRow::lower is. All O(1).
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "agents/route.h"
#include "base/ids.h"
#include "routes/hindsight.h"

namespace repath {

class HindsightBook {
 public:
  using Slot = std::uint32_t;

  explicit HindsightBook(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // In place of what the agent had. `found_at`: the revision of the ground that was searched, and
  // today's.
  void put(Slot slot, std::shared_ptr<const Hindsight> of, const Spot& from, Revision found_at);
  // What a search from there may use, if it tells of ways that cost `least` and more; it counts as
  // used then.
  HeldHindsight take(Slot slot, const Spot& from, Cost least);
  void drop(Slot slot);

  // The revision since which what opens and had been shut before is news; 0: there is nothing.
  Revision found_at(Slot slot) const {
    return slot < entries_.size() ? entries_[slot].found_at : Revision{};
  }
  // REQUIRES for both: found_at() is not 0.
  Cost certain(Slot slot) const { return entries_[slot].certain; }
  const Spot& from(Slot slot) const { return entries_[slot].from; }

  // No way that uses something new costs less, from where it speaks for.
  void limit(Slot slot, Cost rival);
  // The agent went from one place to the other over ground, by a way of at most this length. No
  // effect if that is not where it speaks for.
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

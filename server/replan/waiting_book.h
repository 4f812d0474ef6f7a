// Who waits, counted by owner: from it come settled_revision, the late ones and the oldest wait.
//
// Not thread-safe. An entry is taken out with the very figures it was put in with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/ids.h"
#include "replan/agent.h"

namespace repath {

struct WaitingEntry {
  OwnerId owner{};
  Revision proved{};        // the last revision its verdict is proved for
  Micros deadline = 0;      // late after it
  std::uint64_t frame = 0;  // when it began to wait
};

class WaitingBook {
 public:
  void add(const WaitingEntry& entry);     // O(log n)
  void remove(const WaitingEntry& entry);  // O(log n)

  std::uint64_t size() const { return frames_.size(); }
  // Agents of the owner, or all.
  std::uint64_t waiting(std::optional<OwnerId> owner) const;
  // The least revision that one of them is proved for; empty if none waits.
  std::optional<Revision> least_proved(std::optional<OwnerId> owner) const;
  // Whether two or more of all that wait are proved for less than `revision` only. O(owners).
  bool several_before(Revision revision) const;
  // Those whose deadline is before `now`. O(late + owners).
  std::uint64_t late(std::optional<OwnerId> owner, Micros now) const;
  // Frames that the oldest has waited; 0 if none waits.
  std::uint64_t oldest_wait(std::uint64_t frame) const;

 private:
  struct Owner {
    std::multiset<Revision> proved;
    std::multiset<Micros> deadlines;
  };

  std::map<OwnerId, Owner> owners_;  // of those with somebody waiting
  std::multiset<std::uint64_t> frames_;
};

}  // namespace repath

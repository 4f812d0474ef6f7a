// Who waits, counted by owner: from it come settled_revision, the late ones and the oldest wait.
//
// Not thread-safe. An entry is taken out with the very figures it was put in with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "agents/agent.h"
#include "agents/counted_set.h"
#include "base/ids.h"

namespace repath {

struct WaitingEntry {
  OwnerId owner{};
  Revision proved{};        // the last revision its verdict is proved for
  Micros deadline = 0;      // late after it
  std::uint64_t frame = 0;  // when it began to wait
};

class WaitingBook {
 public:
  // Both as CountedSet says.
  void add(const WaitingEntry& entry);
  void remove(const WaitingEntry& entry);

  std::uint64_t size() const { return frames_.size(); }
  // Agents of the owner, or all.
  std::uint64_t waiting(std::optional<OwnerId> owner) const;
  // The least revision that one of them is proved for; empty if none waits.
  std::optional<Revision> least_proved(std::optional<OwnerId> owner) const;
  // Whether one of all that wait is proved up to a revision in [first, end), and so a batch may
  // name that one now. O(owners).
  bool any_proved_in(Revision first, Revision end) const;
  // Those whose deadline is before `now`. O(owners and the deadlines they differ in).
  std::uint64_t late(std::optional<OwnerId> owner, Micros now) const;
  // Frames that the oldest has waited; 0 if none waits.
  std::uint64_t oldest_wait(std::uint64_t frame) const;

 private:
  // Of those with nobody waiting so many may stay, for the memory they have.
  static constexpr std::size_t kIdleOwnersMax = 16;
  struct Owner {
    CountedSet<Revision> proved;
    CountedSet<Micros> deadlines;
  };

  std::map<OwnerId, Owner> owners_;
  CountedSet<std::uint64_t> frames_;
};

}  // namespace repath

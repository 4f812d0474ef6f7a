// The waiting agents, counted by owner. From them follow settled_revision, the number of late
// agents and the oldest wait.
//
// Not thread-safe. An entry must be removed with exactly the figures with which it was added.
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
  Revision proved{};        // last revision that the agent's verdict is proved for
  Micros deadline = 0;      // the agent is late after this time
  std::uint64_t frame = 0;  // frame in which it began to wait
};

class WaitingBook {
 public:
  // The costs are those of CountedSet.
  void add(const WaitingEntry& entry);
  void remove(const WaitingEntry& entry);

  std::uint64_t size() const { return frames_.size(); }
  // Returns the number of waiting agents of the owner, or of all owners.
  std::uint64_t waiting(std::optional<OwnerId> owner) const;
  // Returns the least revision that a waiting agent's verdict is proved for; empty if no agent
  // waits.
  std::optional<Revision> least_proved(std::optional<OwnerId> owner) const;
  // Returns whether some waiting agent's verdict is proved up to a revision in [first, end), so
  // that a batch may now name that agent. O(owners).
  bool any_proved_in(Revision first, Revision end) const;
  // Returns the number of agents whose deadline is before `now`. O(owners and their distinct
  // deadlines).
  std::uint64_t late(std::optional<OwnerId> owner, Micros now) const;
  // Returns the number of frames that the oldest agent has waited; 0 if no agent waits.
  std::uint64_t oldest_wait(std::uint64_t frame) const;

 private:
  // Number of owners without waiting agents that stay in the book, because they hold memory for the
  // next wait.
  static constexpr std::size_t kIdleOwnersMax = 16;
  struct Owner {
    CountedSet<Revision> proved;
    CountedSet<Micros> deadlines;
  };

  // Calls visit(Owner) for the owner, or for all.
  template <class Visit>
  void for_each(std::optional<OwnerId> owner, const Visit& visit) const;

  std::map<OwnerId, Owner> owners_;
  CountedSet<std::uint64_t> frames_;
};

}  // namespace repath

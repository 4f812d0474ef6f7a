// What one stream has not sent yet: for each agent its latest verdict, whatever the speed of the
// reader.
//
// Not thread-safe; owned by the world's strand.
// Invariants: 1. at most one verdict and one note for each agent, so memory is bounded by agents,
// not by events; 2. agents leave in the order in which they got their oldest unsent event; 3. a
// verdict replaces everything of the agent that is still here; a note (COST_CHANGED, CONFIRMED)
// replaces only an earlier note, because the path it speaks of may be in the verdict before it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "agents/agent.h"
#include "base/ids.h"

namespace repath {

// Shared by the streams that send it; never changed once it is here.
using EventPtr = std::shared_ptr<const AgentEvent>;

// Waypoints of a path that fit one message, 3 MB of them; of a longer path an event has the first.
inline constexpr std::size_t kPathWaypointsMax = 100'000;

struct OutgoingEvent {
  EventPtr event;
  std::uint32_t coalesced = 0;  // earlier events that it replaces
};

class Outbox {
 public:
  // The agent's latest verdict, when its turn comes; null if it has none or is gone.
  using Latest = std::function<EventPtr(AgentId)>;

  // O(1). An INVALIDATED that replaces the unsent path it speaks of loses its first_invalid_node:
  // it would count in a path that nobody has.
  void put(EventPtr event);
  // The agent's latest verdict is to be sent once, whatever it is then: for streams that begin or
  // resume. O(1).
  void put_latest(AgentId agent);

  // Takes the agents in front, as long as their events stay within `bytes_max` of estimated message
  // size; at least one.
  std::vector<OutgoingEvent> take(std::size_t bytes_max, const Latest& latest);

  bool empty() const { return order_.empty(); }
  // Events dropped for newer ones, in all.
  std::uint64_t coalesced() const { return coalesced_; }

 private:
  struct Pending {
    bool latest = false;
    OutgoingEvent verdict;
    OutgoingEvent note;
  };
  Pending& pending_of(AgentId agent);

  std::deque<AgentId> order_;
  std::unordered_map<AgentId, Pending> pending_;  // never iterated
  std::uint64_t coalesced_ = 0;
};

// An upper bound of the event's size on the wire in bytes: a waypoint for each turn of its path, up
// to kPathWaypointsMax.
// O(path).
std::size_t estimated_bytes(const AgentEvent& event);

}  // namespace repath

// What one stream has not sent yet: for each agent its latest verdict, whatever the speed of the
// reader.
//
// Not thread-safe; owned by the world's strand.
// Invariants: 1. at most one verdict and one note for each agent, so memory is bounded by agents,
// not by events; 2. agents leave in the order in which they got their oldest unsent event, those
// that the stream begins with first; 3. a verdict replaces everything of the agent that is still
// here; a note (COST_CHANGED, CONFIRMED) replaces only an earlier note, because the path it speaks
// of may be in the verdict before it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "runtime/shared_event.h"

namespace repath {

struct OutgoingEvent {
  EventPtr event;
  std::uint32_t coalesced = 0;  // earlier events that it replaces
};

class Outbox {
 public:
  // The agent's latest verdict, when its turn comes; null if it is not to be sent.
  using Latest = std::function<EventPtr(AgentId)>;

  // These agents' latest verdicts are to be sent once, whatever they are when their turn comes: for
  // streams that begin or resume. Ascending, each once. REQUIRES: nothing was put yet.
  void begin_with(std::vector<AgentId> agents) { first_ = std::move(agents); }
  bool begins() const { return !first_.empty(); }

  // O(1); O(log agents) while it begins. An INVALIDATED that replaces the unsent path it speaks of
  // loses its first_invalid_node: it would count in a path that nobody has.
  void put(EventPtr event);

  // Takes the agents in front, as long as their events stay within `bytes_max` of estimated message
  // size; at least one event, or all that is left.
  std::vector<OutgoingEvent> take(std::size_t bytes_max, const Latest& latest);

  bool empty() const { return order_.empty() && first_.empty(); }
  // Events dropped for newer ones, in all.
  std::uint64_t coalesced() const { return coalesced_; }

 private:
  struct Pending {
    OutgoingEvent verdict;
    OutgoingEvent note;
  };
  bool is_to_begin(AgentId agent) const;
  AgentId front() const { return begins() ? first_[begun_] : order_.front(); }
  void pop_front();

  std::vector<AgentId> first_;  // from begun_ on still to be sent; empty after the last
  std::size_t begun_ = 0;
  std::deque<AgentId> order_;                     // the others that have something pending
  std::unordered_map<AgentId, Pending> pending_;  // never iterated
  std::uint64_t coalesced_ = 0;
};

}  // namespace repath

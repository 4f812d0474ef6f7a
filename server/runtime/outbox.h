// What one stream has not sent yet: for each agent its latest verdict, whatever the speed of the
// reader.
//
// Not thread-safe; owned by the world's strand.
// Invariants: 1. at most one verdict, one new cost and one confirmation for each agent, so memory
// is bounded by agents, not by events; 2. agents leave in the order in which they got their oldest
// unsent event, those that the stream begins with first; 3. a verdict replaces everything of the
// agent that is still here; a note (COST_CHANGED, CONFIRMED) replaces only earlier notes, because
// the path it speaks of may be in the verdict before it; 4. an INVALIDATED that leaves has a
// first_invalid_waypoint only if the reader has the path of that version from this stream or from
// an earlier one as a whole, and then it counts in the waypoints that this reader has.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
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

  // O(1); O(log agents) while it begins.
  void put(EventPtr event);
  // The agent joins a stream that has begun: its latest verdict is sent once, looked up when its
  // turn comes, in place of what is unsent of it. O(log agents).
  void put_latest(AgentId agent);
  // Drops what is unsent of the agent, for its question was replaced. O(1).
  void drop(AgentId agent);

  // Takes the agents in front, as long as their events stay within `bytes_max` of estimated message
  // size; at least one event, or all that is left.
  std::vector<OutgoingEvent> take(std::size_t bytes_max, const Latest& latest);

  bool empty() const { return order_.empty() && first_.empty(); }
  // Events dropped for newer ones, in all.
  std::uint64_t coalesced() const { return coalesced_; }

 private:
  // Without events: the latest verdict is looked up when the agent's turn comes.
  struct Pending {
    EventPtr verdict;
    EventPtr cost;
    EventPtr confirmation;
    std::uint32_t before_verdict = 0;  // events dropped that the verdict replaces
    std::uint32_t before_cost = 0;
    std::uint32_t before_confirmation = 0;

    bool is_empty() const { return !verdict && !cost && !confirmation; }
  };
  // How the reader has a path: without its first waypoints, or (empty) not at all.
  struct Had {
    PathVersion version{};
    std::optional<std::uint32_t> behind;
  };

  bool is_to_begin(AgentId agent) const;
  AgentId front() const { return begins() ? first_[begun_] : order_.front(); }
  void pop_front();
  void put_note(EventPtr event, Pending* pending);
  // Counts the events of `pending` as dropped and takes them out.
  void drop_events(Pending* pending);
  // The reader gets this verdict, which may be null, as it was looked up.
  void note_looked_up(const EventPtr& verdict);
  EventPtr with_waypoint_as_had(EventPtr event, const Pending* pending);

  std::vector<AgentId> first_;  // from begun_ on still to be sent; empty after the last
  std::size_t begun_ = 0;
  std::deque<AgentId> order_;                     // the others that have something pending
  std::unordered_map<AgentId, Pending> pending_;  // never iterated
  std::unordered_map<AgentId, Had> had_;          // of paths not had as a whole; never iterated
  std::uint64_t coalesced_ = 0;
};

}  // namespace repath

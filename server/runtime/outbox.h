// The events that one stream has not sent yet: for each agent its latest verdict, however slow the
// reader.
//
// Not thread-safe; owned by the world's strand. Invariants:
// 1. It holds at most one verdict, one new cost and one confirmation for each agent.
// 2. Agents leave in the order of their oldest unsent event; the agents that the stream begins with
//    come first.
// 3. A verdict replaces all unsent events of its agent. A note (COST_CHANGED, CONFIRMED) replaces
//    only earlier notes, because the path it refers to may be in the verdict before it.
// 4. An INVALIDATED that leaves has a first_invalid_waypoint only if the reader has the whole path
//    of that version, from this stream or an earlier one. The figure counts in the waypoints that
//    this reader has.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/ids.h"
#include "runtime/shared_event.h"

namespace repath {

struct OutgoingEvent {
  EventPtr event;
  std::uint32_t coalesced = 0;  // number of earlier events that it replaces
};

class Outbox {
 public:
  // Returns the agent's latest verdict when its turn comes; null if it is not to be sent.
  using Latest = std::function<EventPtr(AgentId)>;

  // Sends the latest verdicts of these agents once, as they are when their turn comes. For streams
  // that begin or resume. `agents` ascend, each once. REQUIRES: put() has not been called.
  void begin_with(std::vector<AgentId> agents) { first_ = std::move(agents); }
  bool begins() const { return !first_.empty(); }

  // Adds an event. O(1); O(log agents) while the stream begins.
  void put(EventPtr event);
  // Adds the agent to a stream that has begun. Its latest verdict is sent once, looked up when its
  // turn comes, in place of its unsent events. O(log agents).
  void put_latest(AgentId agent);
  // Drops the agent's unsent events, because its question was replaced. O(1).
  void drop(AgentId agent);

  // Takes the agents in front whose events together stay within `bytes_max` of estimated message
  // size; at least one event, if there is one.
  std::vector<OutgoingEvent> take(std::size_t bytes_max, const Latest& latest);

  bool empty() const { return order_.empty() && first_.empty(); }
  // Returns about how much memory the unsent events take beside the events themselves, which the
  // streams share. O(1).
  std::size_t bytes() const {
    return pending_.size() * kPendingBytes + had_.size() * kHadBytes +
           (first_.size() + order_.size()) * sizeof(AgentId);
  }
  // Total number of events dropped in favour of newer ones.
  std::uint64_t coalesced() const { return coalesced_; }

 private:
  // The unsent events of an agent. If there are none, its latest verdict is looked up when its turn
  // comes.
  struct Pending {
    EventPtr verdict;
    EventPtr cost;
    EventPtr confirmation;
    std::uint32_t before_verdict = 0;  // dropped events that the verdict replaces
    std::uint32_t before_cost = 0;
    std::uint32_t before_confirmation = 0;

    bool is_empty() const { return !verdict && !cost && !confirmation; }
  };
  // Sizes of an entry in its table, with the free places of the table.
  static constexpr std::size_t kPendingBytes = 128;
  static constexpr std::size_t kHadBytes = 48;
  // The part of a path that the reader has: without its first waypoints, or (empty) nothing.
  struct Had {
    PathVersion version{};
    std::optional<std::uint32_t> behind;
  };

  bool is_to_begin(AgentId agent) const;
  AgentId front() const { return begins() ? first_[begun_] : order_.front(); }
  void pop_front();
  void put_note(EventPtr event, Pending* pending);
  // Counts the events of `pending` as dropped and removes them.
  void drop_events(Pending* pending);
  // Notes which path the reader gets with a verdict that was looked up; it may be null.
  void note_looked_up(const EventPtr& verdict);
  EventPtr with_waypoint_as_had(EventPtr event, const Pending* pending);

  std::vector<AgentId> first_;  // to be sent from begun_ on; empty after the last
  std::size_t begun_ = 0;
  std::deque<AgentId> order_;  // other agents with something pending
  // Both are seeded, because clients choose the ids, and never iterated.
  absl::flat_hash_map<AgentId, Pending> pending_;
  absl::flat_hash_map<AgentId, Had> had_;  // paths that the reader has in part
  std::uint64_t coalesced_ = 0;
};

}  // namespace repath

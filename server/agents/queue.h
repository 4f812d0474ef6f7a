// Chooses which of the waiting agents is served next.
//
// Agents are in classes by priority. Inside a class they are served in fair rounds, and within a
// round the earliest deadline goes first. An agent enters the round after the one in which it was
// last served, or the current round if that is later. An agent that was served twice since the
// longest-waiting agent of its class began to wait is not started. So no agent waits while another
// of its class is served three times. Across classes, waiting raises the priority by one for every
// kAgingFrames frames, so that every agent is served in the end. Ties: lower id.
//
// Not thread-safe. An agent keeps its place, also while its search runs, until it is served or
// leaves.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/agent.h"
#include "base/ids.h"

namespace repath {

class Queue {
 public:
  using Slot = std::uint32_t;
  static constexpr std::uint64_t kAgingFrames = 30;
  static constexpr std::size_t kLookAhead = 64;  // entries of a class that next() looks at
  // Times that an agent may be served while another waits.
  static constexpr std::uint64_t kAheadMax = 2;

  // Adds an agent that began to wait at `frame`. REQUIRES: !contains(slot). O(log n).
  void enter(Slot slot, AgentId id, std::uint32_t priority, Micros deadline, std::uint64_t frame);
  // Changes the priority or the deadline of a waiting agent. In the same class it keeps its age; in
  // another class it counts as having just arrived. REQUIRES: contains(slot). O(log n).
  void move(Slot slot, std::uint32_t priority, Micros deadline);
  bool contains(Slot slot) const { return slot < tickets_.size() && tickets_[slot].waits; }
  // Ends the agent's turn with a verdict. REQUIRES: contains(slot).
  void serve(Slot slot);
  // Removes an agent that no longer waits, for any reason but a verdict. REQUIRES: contains(slot).
  void leave(Slot slot);
  // Forgets the history of a removed agent; the next agent in the slot begins without one.
  // REQUIRES: !contains(slot).
  void forget(Slot slot);

  // Returns the agent's priority at `frame`, raised by its wait. REQUIRES: contains(slot).
  std::uint64_t rank(Slot slot, std::uint64_t frame) const;
  // Returns the agent to start next: the one with the highest rank among those that the rounds
  // allow and `may_start(slot)` admits. Looks at the first `look_ahead` entries of each class.
  template <class MayStart>
  std::optional<Slot> next(std::uint64_t frame, MayStart&& may_start,
                           std::size_t look_ahead = kLookAhead) const;

  // Returns how often an agent was served, at most, while another agent of its class waited.
  std::uint64_t max_passed_over() const { return max_passed_over_; }

 private:
  struct Place {
    std::uint64_t round = 0;
    Micros deadline = 0;
    AgentId id{};
    Slot slot = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Ticket {
    bool waits = false;
    Place place;
    std::uint32_t priority = 0;
    std::uint64_t frame = 0;
    std::uint64_t entered = 0;              // stamp
    std::uint64_t last_round = 0;           // round in which it was last served
    std::array<std::uint64_t, 4> served{};  // stamps of its latest turns, newest first
  };
  struct Class {
    std::set<Place> places;
    std::set<std::pair<std::uint64_t, Slot>> by_entry;
    std::uint64_t round = 1;
  };

  void take_out(Slot slot);
  // Returns how often the agent was served since the longest-waiting agent of its class arrived.
  std::uint64_t times_ahead(const Class& cls, const Ticket& ticket) const;
  template <class MayStart>
  std::optional<Slot> next_of(const Class& cls, MayStart&& may_start, std::size_t look_ahead) const;

  std::array<Class, kPriorityMax + 1> classes_;
  std::size_t size_ = 0;         // number of waiting agents
  std::vector<Ticket> tickets_;  // by slot
  std::uint64_t stamp_ = 0;
  std::uint64_t max_passed_over_ = 0;
};

template <class MayStart>
std::optional<Queue::Slot> Queue::next(std::uint64_t frame, MayStart&& may_start,
                                       std::size_t look_ahead) const {
  std::optional<Slot> best;
  if (size_ == 0) return best;
  for (auto cls = classes_.rbegin(); cls != classes_.rend(); ++cls) {
    const std::optional<Slot> slot = next_of(*cls, may_start, look_ahead);
    if (slot && (!best || rank(*slot, frame) > rank(*best, frame))) best = slot;
  }
  return best;
}

template <class MayStart>
std::optional<Queue::Slot> Queue::next_of(const Class& cls, MayStart&& may_start,
                                          std::size_t look_ahead) const {
  if (cls.places.empty()) return std::nullopt;
  std::size_t looked_at = 0;
  for (const Place& place : cls.places) {
    if (++looked_at > look_ahead) break;
    if (times_ahead(cls, tickets_[place.slot]) < kAheadMax && may_start(place.slot))
      return place.slot;
  }
  const Slot oldest = cls.by_entry.begin()->second;
  return may_start(oldest) ? std::optional(oldest) : std::nullopt;
}

}  // namespace repath

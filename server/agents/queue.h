// Who is served next among the agents that wait.
//
// Classes by priority; inside a class fair rounds, earliest deadline first within a round: an agent
// enters the round after the one it was last served in, or the current one if that is later. Nobody
// is started who was served twice since the one of its class that waits longest began to wait; so
// none waits while another of its class is served three times. Across classes waiting raises the
// priority by one for every kAgingFrames frames, so nobody starves. Ties: lower id.
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
  static constexpr std::uint64_t kAheadMax = 2;  // times that one may be served while another waits

  // REQUIRES: !contains(slot). `frame` is when it began to wait. O(log n).
  void enter(Slot slot, AgentId id, std::uint32_t priority, Micros deadline, std::uint64_t frame);
  // It waits on with another priority or deadline: in its class with the age it has there, in
  // another one as if it had come just now. REQUIRES: contains(slot). O(log n).
  void move(Slot slot, std::uint32_t priority, Micros deadline);
  bool contains(Slot slot) const { return slot < tickets_.size() && tickets_[slot].waits; }
  // Its turn is over with a verdict. REQUIRES: contains(slot).
  void serve(Slot slot);
  // It waits no longer, for another reason. REQUIRES: contains(slot).
  void leave(Slot slot);
  // The agent is gone; whoever gets the slot begins with no history. REQUIRES: !contains(slot).
  void forget(Slot slot);

  // What it is worth to serve it at `frame`. REQUIRES: contains(slot).
  std::uint64_t rank(Slot slot, std::uint64_t frame) const;
  // The best of those that may be started now and that `may_start(slot)` admits, of the first
  // `look_ahead` of each class.
  template <class MayStart>
  std::optional<Slot> next(std::uint64_t frame, MayStart&& may_start,
                           std::size_t look_ahead = kLookAhead) const;

  // The most often that one agent of a class was served while another of it waited.
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
    std::uint64_t last_round = 0;           // in which it was last served
    std::array<std::uint64_t, 4> served{};  // the latest stamps, newest first
  };
  struct Class {
    std::set<Place> places;
    std::set<std::pair<std::uint64_t, Slot>> by_entry;
    std::uint64_t round = 1;
  };

  void take_out(Slot slot);
  // How often the agent was served since the one of its class that waits longest came.
  std::uint64_t times_ahead(const Class& cls, const Ticket& ticket) const;
  template <class MayStart>
  std::optional<Slot> next_of(const Class& cls, MayStart&& may_start, std::size_t look_ahead) const;

  std::array<Class, kPriorityMax + 1> classes_;
  std::size_t size_ = 0;         // all that wait
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

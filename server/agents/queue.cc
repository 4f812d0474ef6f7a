#include "agents/queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace repath {

void Queue::enter(Slot slot, AgentId id, std::uint32_t priority, Micros deadline,
                  std::uint64_t frame) {
  if (slot >= tickets_.size()) tickets_.resize(slot + 1);
  Ticket& ticket = tickets_[slot];
  REPATH_CHECK(!ticket.waits && priority <= kPriorityMax);
  Class& cls = classes_[priority];
  ticket.waits = true;
  ++size_;
  ticket.priority = priority;
  ticket.frame = frame;
  ticket.entered = ++stamp_;
  ticket.place = {std::max(cls.round, ticket.last_round + 1), deadline, id, slot};
  cls.places.insert(ticket.place);
  cls.by_entry.emplace(ticket.entered, slot);
}

void Queue::move(Slot slot, std::uint32_t priority, Micros deadline) {
  REPATH_CHECK(contains(slot) && priority <= kPriorityMax);
  const Ticket before = tickets_[slot];
  take_out(slot);
  enter(slot, before.place.id, priority, deadline, before.frame);
  if (priority != before.priority) return;
  Ticket& ticket = tickets_[slot];
  Class& cls = classes_[priority];
  cls.places.erase(ticket.place);
  cls.by_entry.erase({ticket.entered, slot});
  ticket.entered = before.entered;
  ticket.place.round = before.place.round;
  cls.places.insert(ticket.place);
  cls.by_entry.emplace(ticket.entered, slot);
}

void Queue::serve(Slot slot) {
  take_out(slot);
  Ticket& ticket = tickets_[slot];
  ticket.last_round = ticket.place.round;
  std::rotate(ticket.served.begin(), ticket.served.end() - 1, ticket.served.end());
  ticket.served.front() = ++stamp_;
  max_passed_over_ = std::max(max_passed_over_, times_ahead(classes_[ticket.priority], ticket));
}

void Queue::leave(Slot slot) { take_out(slot); }

void Queue::forget(Slot slot) {
  if (slot >= tickets_.size()) return;
  REPATH_CHECK(!tickets_[slot].waits);
  tickets_[slot] = {};
}

std::uint64_t Queue::rank(Slot slot, std::uint64_t frame) const {
  const Ticket& ticket = tickets_[slot];
  return ticket.priority * kAgingFrames + (frame - ticket.frame);
}

void Queue::take_out(Slot slot) {
  REPATH_CHECK(contains(slot));
  Ticket& ticket = tickets_[slot];
  Class& cls = classes_[ticket.priority];
  cls.places.erase(ticket.place);
  cls.by_entry.erase({ticket.entered, slot});
  ticket.waits = false;
  --size_;
  if (!cls.places.empty()) cls.round = std::max(cls.round, cls.places.begin()->round);
}

std::uint64_t Queue::times_ahead(const Class& cls, const Ticket& ticket) const {
  if (cls.by_entry.empty()) return 0;
  const std::uint64_t since = cls.by_entry.begin()->first;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(ticket.served, [&](std::uint64_t at) { return at > since; }));
}

}  // namespace repath

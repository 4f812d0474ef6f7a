#include "load/squad.h"

#include <algorithm>

namespace repath::load {

Squad::Squad(int agents, const Errand& errand, std::uint64_t ids, std::uint64_t first,
             std::uint64_t seed)
    : errand_(errand), dice_(seed), ids_(ids), first_(first) {
  const auto count = static_cast<std::size_t>(agents);
  lives_.resize(count);
  versions_.resize(count);
  is_moved_.resize(count);
  is_asked_.resize(count);
  home_.resize(groups());
  for (std::size_t slot = 0; slot < count; ++slot) ask_for(slot);
}

std::optional<std::size_t> Squad::slot_of(std::uint64_t id) const {
  if (id < first_) return std::nullopt;
  const std::uint64_t slot = (id - first_) % ids_;
  if (slot >= lives_.size() || id_of(slot) != id) return std::nullopt;
  return slot;
}

void Squad::take(const v1::PathEvent& event) {
  const auto slot = slot_of(event.agent_id());
  if (!slot) return;
  switch (event.type()) {
    case v1::EVENT_TYPE_NEW_PATH:
    case v1::EVENT_TYPE_REPLANNED:
    case v1::EVENT_TYPE_IMPROVED:
    case v1::EVENT_TYPE_PARTIAL:
      versions_[*slot] = event.path_version();
      follow(*slot, event.path());
      if (!walks(*slot)) moved(*slot);  // off the path: report it, and a path from there follows
      break;
    case v1::EVENT_TYPE_UNREACHABLE:
    case v1::EVENT_TYPE_START_BLOCKED:
    case v1::EVENT_TYPE_REMOVED:
      stop(*slot);
      break;
    default:  // Agents follow a broken path as far as it goes, as in games.
      break;
  }
}

void Squad::ask_for(std::size_t slot) {
  if (is_asked_[slot] != 0) return;
  is_asked_[slot] = 1;
  asked_.push_back(static_cast<std::uint32_t>(slot));
}

void Squad::moved(std::size_t slot) {
  if (is_moved_[slot] != 0) return;
  is_moved_[slot] = 1;
  moved_.push_back(static_cast<std::uint32_t>(slot));
}

void Squad::arrived(std::size_t slot) {
  ++counts_.arrivals;
  stop(slot);
  if (errand_.streams) {
    gone_.push_back(id_of(slot));
    ++lives_[slot];
    versions_[slot] = 0;
    begin_anew(slot);
    return ask_for(slot);
  }
  const std::size_t group = group_of(slot);
  const auto each = static_cast<std::size_t>(errand_.agents_each_goal);
  const std::size_t first = group * each;
  const std::size_t last = std::min(first + each, lives_.size());
  if (++home_[group] * 2 < last - first) return;
  home_[group] = 0;
  change_goal(group);
  for (std::size_t member = first; member < last; ++member) ask_for(member);
}

bool Squad::fill_removals(v1::SessionRequest::Remove* message, int most) {
  while (!gone_.empty() && message->agent_ids_size() < most) {
    message->add_agent_ids(gone_.back());
    gone_.pop_back();
  }
  return message->agent_ids_size() > 0;
}

bool Squad::fill_upserts(v1::SessionRequest::Upsert* message, int most) {
  while (!asked_.empty() && message->agents_size() < most) {
    const std::size_t slot = asked_.back();
    asked_.pop_back();
    is_asked_[slot] = 0;
    v1::Agent* agent = message->add_agents();
    agent->set_id(id_of(slot));
    locate(slot, agent->mutable_position());
    add_goals(slot, agent);
  }
  return message->agents_size() > 0;
}

bool Squad::fill_report(v1::SessionRequest::Report* message, int most) {
  if (errand_.report_all) {
    for (std::size_t slot = 0; slot < lives_.size(); ++slot) moved(slot);
  }
  while (!moved_.empty() && message->positions_size() < most) {
    const std::size_t slot = moved_.back();
    moved_.pop_back();
    is_moved_[slot] = 0;
    if (is_asked_[slot] != 0) continue;  // its upsert has its position
    v1::AgentPosition* position = message->add_positions();
    position->set_id(id_of(slot));
    position->set_path_version(versions_[slot]);
    locate(slot, position->mutable_position());
  }
  return message->positions_size() > 0;
}

std::optional<std::size_t> Squad::some_walker(verify::Dice& dice) const {
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    const auto slot = static_cast<std::size_t>(dice.below(agents()));
    if (walks(slot)) return slot;
  }
  return std::nullopt;
}

}  // namespace repath::load

// The definitions of verdicts.h. A kind includes them where it instantiates the class.
#pragma once

#include <algorithm>
#include <utility>

#include "agents/causes.h"
#include "verdicts/answer.h"
#include "verdicts/verdicts.h"

namespace repath {
template <class Kind>
WaitingEntry Verdicts<Kind>::entry_of(Slot slot) const {
  const auto& agent = s_.agents[slot];
  const Micros deadline = agent.wait_us + Micros{agent.spec.max_staleness_ms} * 1000;
  return {agent.owner, agent.proved, deadline, agent.wait_frame};
}

template <class Kind>
void Verdicts<Kind>::wait(Slot slot, Revision proved) {
  auto& agent = s_.agents[slot];
  if (proved == Revision{}) agent.asked_at = s_.world.revision();
  if (!s_.queue.contains(slot)) return enter(slot, proved, s_.frame, s_.now);
  s_.waiting.remove(entry_of(slot));
  agent.proved = std::min(agent.proved, proved);
  s_.waiting.add(entry_of(slot));
}

template <class Kind>
void Verdicts<Kind>::enter(Slot slot, Revision proved, std::uint64_t frame, Micros us) {
  auto& agent = s_.agents[slot];
  const DueAnswer answer = answer_of(s_.agents.row(slot).standing);
  agent.answer = answer.type;
  agent.reason = answer.reason;
  agent.must_answer = false;
  agent.searches_in_vain = 0;
  agent.proved = proved;
  agent.wait_frame = frame;
  agent.wait_us = us;
  s_.agents.row(slot).settled = false;
  const WaitingEntry entry = entry_of(slot);
  s_.waiting.add(entry);
  s_.queue.enter(slot, agent.spec.id, agent.spec.priority, entry.deadline, frame);
  Kind::begin_wait(s_, slot);
}

template <class Kind>
void Verdicts<Kind>::serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame,
                                    Micros since_us) {
  s_.queue.serve(slot);
  leave_books(slot);
  enter(slot, proved, since_frame, since_us);
}

template <class Kind>
void Verdicts<Kind>::settle(Slot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.serve(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

template <class Kind>
void Verdicts<Kind>::settle_unserved(Slot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.leave(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

template <class Kind>
void Verdicts<Kind>::stop_waiting(Slot slot) {
  const std::uint64_t waited = s_.frame - s_.agents[slot].wait_frame;
  s_.stats.longest_wait_frames = std::max(s_.stats.longest_wait_frames, waited);
  leave_books(slot);
}

template <class Kind>
void Verdicts<Kind>::leave_books(Slot slot) {
  s_.waiting.remove(entry_of(slot));
  Kind::end_wait(s_, slot);
  clear_causes(slot);
}

template <class Kind>
void Verdicts<Kind>::stop_asking(Slot slot) {
  if (!s_.queue.contains(slot)) return;
  s_.queue.leave(slot);
  leave_books(slot);
}

template <class Kind>
void Verdicts<Kind>::expect(Slot slot, EventType type, EventReason reason) {
  auto& agent = s_.agents[slot];
  agent.must_answer = true;
  if (agent.answer == EventType::kNewPath && type != EventType::kNewPath) return;
  agent.answer = type;
  agent.reason = reason;
}

template <class Kind>
void Verdicts<Kind>::retune(Slot slot, const AgentSpec& spec) {
  AgentSpec& held = s_.agents[slot].spec;
  const bool waits = s_.queue.contains(slot);
  if (waits) s_.waiting.remove(entry_of(slot));
  held.priority = spec.priority;
  held.max_staleness_ms = spec.max_staleness_ms;
  held.confirm = spec.confirm;
  if (waits) {
    const WaitingEntry entry = entry_of(slot);
    s_.waiting.add(entry);
    s_.queue.move(slot, held.priority, entry.deadline);
  }
  if (!held.confirm) {
    s_.confirming.erase(slot);
  } else if (s_.confirming.insert(slot).second) {
    confirm(slot);
  }
}

template <class Kind>
void Verdicts<Kind>::add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle) {
  auto& agent = s_.agents[slot];
  insert_cause(&agent.cause_revisions, revision);
  if (obstacle) insert_cause(&agent.cause_obstacles, *obstacle);
}

template <class Kind>
void Verdicts<Kind>::clear_causes(Slot slot) {
  s_.agents[slot].cause_revisions.clear();
  s_.agents[slot].cause_obstacles.clear();
}

template <class Kind>
void Verdicts<Kind>::drop_path(Slot slot) {
  if (s_.agents[slot].path.holds()) Kind::let_go_path(s_, slot);
  put_path_aside(slot);
}

template <class Kind>
void Verdicts<Kind>::put_path_aside(Slot slot) {
  auto& agent = s_.agents[slot];
  s_.agents.row(slot).standing = Standing::kNone;
  agent.broken_at.reset();
  if (!agent.path.holds()) return;
  agent.past.push_back({agent.path.version, std::move(agent.path.points)});
  if (agent.past.size() > kPastPathsMax) agent.past.erase(agent.past.begin() + 1);
  agent.path = {};
}

template <class Kind>
void Verdicts<Kind>::hold_path(Slot slot, std::vector<Point> points, Standing standing) {
  auto& agent = s_.agents[slot];
  const std::size_t kept = Kind::replace_path(s_, slot, points);
  put_path_aside(slot);
  agent.last_version = PathVersion{value(agent.last_version) + 1};
  agent.path.points = std::move(points);
  agent.path.version = agent.last_version;
  s_.agents.row(slot).standing = standing;
  Kind::take_up_path(s_, slot, kept);
}

template <class Kind>
void Verdicts<Kind>::tell(Slot slot, AgentEvent&& event) {
  auto& agent = s_.agents[slot];
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  Kind::show_place(agent, &event);
  event.goal_generation = agent.spec.goal_generation;
  if (event.path_version == PathVersion{}) event.path_version = agent.last_version;
  event.cause_revisions = agent.cause_revisions;
  event.cause_obstacles = agent.cause_obstacles;
  if (s_.queue.contains(slot)) {
    event.waited_frames = s_.frame - agent.wait_frame;
    event.waited_us = s_.now - std::min(s_.now, agent.wait_us);
  }
  agent.told = event.revision;
  ++s_.stats.events[static_cast<std::size_t>(event.type)];
  if (!is_note(event.type)) {
    agent.has_verdict = true;
    std::vector<Point> points;
    if (event.path) points.swap(Kind::points_of(*event.path));
    agent.verdict = event;
    if (event.path) points.swap(Kind::points_of(*event.path));
  }
  if (s_.events.empty()) s_.events.reserve(kEventsExpected);
  s_.events.push_back(std::move(event));
}

template <class Kind>
void Verdicts<Kind>::tell_cost(Slot slot, Cost before, Cost after) {
  AgentEvent event;
  event.type = EventType::kCostChanged;
  event.revision = s_.world.revision();
  event.old_cost = before;
  event.cost = after;
  tell(slot, std::move(event));
}

template <class Kind>
void Verdicts<Kind>::begin_question(Slot slot) {
  auto& agent = s_.agents[slot];
  agent.has_verdict = false;
  agent.verdict = {};
  AgentEvent event;
  event.type = EventType::kAsked;
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.revision = s_.world.revision();
  Kind::show_place(agent, &event);
  event.path_version = agent.last_version;
  event.goal_generation = agent.spec.goal_generation;
  s_.events.push_back(std::move(event));
}

template <class Kind>
void Verdicts<Kind>::confirm(Slot slot) {
  const auto& agent = s_.agents[slot];
  if (!agent.spec.confirm || !s_.agents.row(slot).settled || agent.told == s_.world.revision())
    return;
  assure(slot, s_.world.revision());
}

template <class Kind>
bool Verdicts<Kind>::silence_would_mislead(Slot slot, Revision since) const {
  const auto& agent = s_.agents[slot];
  // Silence speaks for the time after the last event. An event at once is not yet proved for its
  // own revision. Verdicts from before the agent was put elsewhere are unproved, too.
  const Revision first_unproved = std::max(next(agent.proved), agent.told);
  return may_be_named(first_unproved, since);
}

// Returns whether a batch may name a revision in [first, end). A batch names the least revision up
// to which any waiting agent is proved. It is proved up to that revision now, or a search in
// progress will prove it.
template <class Kind>
bool Verdicts<Kind>::may_be_named(Revision first, Revision end) const {
  if (first >= end) return false;
  return s_.waiting.any_proved_in(first, end) ||
         std::ranges::any_of(s_.being_read, [&](Revision read) {
           return read < end && (read >= first || Kind::kProofsReachOn);
         });
}

template <class Kind>
void Verdicts<Kind>::assure(Slot slot, Revision revision) {
  AgentEvent event;
  event.type = EventType::kConfirmed;
  event.revision = revision;
  if (s_.agents[slot].path.holds()) event.old_cost = event.cost = s_.agents.row(slot).held;
  tell(slot, std::move(event));
}

template <class Kind>
void Verdicts<Kind>::assure_from_now_on(Slot slot) {
  const Revision now = s_.world.revision();
  if (may_be_named(std::max(s_.agents[slot].told, Revision{1}), now)) assure(slot, now);
}

}  // namespace repath

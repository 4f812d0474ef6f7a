#include "replan/verdicts.h"

#include <algorithm>
#include <utility>

#include "agents/causes.h"

namespace repath {
namespace {

constexpr std::size_t kEventsExpected = 3;  // more in a frame grow as they come
constexpr std::size_t kPastPathsMax = 4;
constexpr std::uint64_t kNodesSinceFoundMax = 256;

struct Answer {
  EventType type;
  EventReason reason;
};

// How a path is told to an agent of this standing when nothing else happened to it.
Answer answer_of(Standing standing) {
  switch (standing) {
    case Standing::kPath:
      return {EventType::kImproved, EventReason::kNone};
    case Standing::kStartBlocked:
      return {EventType::kNewPath, EventReason::kStartFreeAgain};
    case Standing::kEmpty:
    case Standing::kNone:
    case Standing::kPartial:
    case Standing::kCutOff:
      break;
  }
  return {EventType::kNewPath, EventReason::kReachableAgain};
}

// Of the held path only what lies ahead counts.
std::size_t nodes_in_common_at_end(const HeldPath& held, const std::vector<NodeId>& nodes) {
  const auto [other, own] =
      std::mismatch(nodes.rbegin(), nodes.rend(), held.nodes.rbegin(), held.nodes.rend() - held.at);
  return static_cast<std::size_t>(other - nodes.rbegin());
}

bool is_note(EventType type) {
  return type == EventType::kCostChanged || type == EventType::kConfirmed;
}

}  // namespace

WaitingEntry Verdicts::entry_of(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  return {agent.owner, agent.proved, deadline_of(agent.spec, agent.wait_us), agent.wait_frame};
}

void Verdicts::wait(Slot slot, Revision proved) {
  if (proved == Revision{}) s_.agents[slot].asked_at = s_.world.revision();
  if (!s_.queue.contains(slot)) return enter(slot, proved, s_.frame, s_.now);
  s_.waiting.remove(entry_of(slot));
  s_.agents[slot].proved = std::min(s_.agents[slot].proved, proved);
  s_.waiting.add(entry_of(slot));
}

void Verdicts::enter(Slot slot, Revision proved, std::uint64_t frame, Micros us) {
  Agent& agent = s_.agents[slot];
  const Answer answer = answer_of(s_.agents.row(slot).standing);
  agent.answer = answer.type;
  agent.reason = answer.reason;
  agent.must_answer = false;
  agent.moved_off_searches = 0;
  agent.legs = 0;
  agent.proved = proved;
  agent.wait_frame = frame;
  agent.wait_us = us;
  s_.agents.row(slot).settled = false;
  const WaitingEntry entry = entry_of(slot);
  s_.waiting.add(entry);
  s_.queue.enter(slot, agent.spec.id, agent.spec.priority, entry.deadline, frame);
  ++s_.goals_of(slot).waiting;
}

void Verdicts::serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame,
                              Micros since_us) {
  s_.queue.serve(slot);
  leave_books(slot);
  enter(slot, proved, since_frame, since_us);
}

void Verdicts::settle(Slot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.serve(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

void Verdicts::settle_unserved(Slot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.leave(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

void Verdicts::stop_waiting(Slot slot) {
  const std::uint64_t waited = s_.frame - s_.agents[slot].wait_frame;
  s_.stats.longest_wait_frames = std::max(s_.stats.longest_wait_frames, waited);
  leave_books(slot);
}

void Verdicts::leave_books(Slot slot) {
  s_.waiting.remove(entry_of(slot));
  --s_.goals_of(slot).waiting;
  clear_causes(slot);
}

void Verdicts::stop_asking(Slot slot) {
  if (!s_.queue.contains(slot)) return;
  s_.queue.leave(slot);
  leave_books(slot);
}

void Verdicts::expect(Slot slot, EventType type, EventReason reason) {
  Agent& agent = s_.agents[slot];
  agent.must_answer = true;
  if (agent.answer == EventType::kNewPath && type != EventType::kNewPath) return;
  agent.answer = type;
  agent.reason = reason;
}

void Verdicts::retune(Slot slot, const AgentSpec& spec) {
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

void Verdicts::add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle) {
  Agent& agent = s_.agents[slot];
  insert_cause(&agent.cause_revisions, revision);
  if (obstacle) insert_cause(&agent.cause_obstacles, *obstacle);
}

void Verdicts::clear_causes(Slot slot) {
  s_.agents[slot].cause_revisions.clear();
  s_.agents[slot].cause_obstacles.clear();
}

void Verdicts::drop_path(Slot slot) {
  if (s_.agents[slot].path.holds()) s_.index.remove(slot);
  put_path_aside(slot);
}

void Verdicts::put_path_aside(Slot slot) {
  Agent& agent = s_.agents[slot];
  s_.agents.row(slot).standing = Standing::kNone;
  agent.broken_at.reset();
  if (!agent.path.holds()) return;
  agent.past.push_back({agent.path.version, std::move(agent.path.nodes)});
  if (agent.past.size() > kPastPathsMax) agent.past.erase(agent.past.begin() + 1);
  agent.path = {};
}

void Verdicts::note_found(Slot slot, std::uint32_t from, Revision revision, Cost cost) {
  HeldPath& path = s_.agents[slot].path;
  path.found_from = from;
  path.found_at = revision;
  path.found_cost = cost;
}

void Verdicts::remember_path(Slot slot, Revision revision, Cost cost, Cost lower) {
  if (!s_.recalls_paths(slot)) return;
  Agent& agent = s_.agents[slot];
  const HeldPath& path = agent.path;
  const ViewId view = s_.agents.row(slot).view;
  if (agent.proved_paths.size() == Agent::kProvedPathsMax)
    agent.proved_paths.erase(agent.proved_paths.begin());
  const auto from = [&](std::uint32_t i) { return path.nodes.begin() + i; };
  if (s_.log.covers(view, path.found_at) &&
      s_.log.changed_nodes_after(view, path.found_at) <= kNodesSinceFoundMax) {
    agent.proved_paths.push_back({{from(path.found_from), path.nodes.end()},
                                  path.found_cost,
                                  path.found_cost,
                                  path.found_at});
  } else {
    agent.proved_paths.push_back({{from(path.at), path.nodes.end()}, cost, lower, revision});
  }
}

void Verdicts::hold_path(Slot slot, std::vector<NodeId> nodes, Standing standing) {
  Agent& agent = s_.agents[slot];
  const std::size_t kept = nodes_in_common_at_end(agent.path, nodes);
  put_path_aside(slot);
  agent.last_version = PathVersion{value(agent.last_version) + 1};
  agent.path = {std::move(nodes), 0, agent.last_version};
  s_.agents.row(slot).standing = standing;
  s_.index.add(s_.layer_of(slot), slot, kept);
}

void Verdicts::set_origin(Slot slot, NodeId origin) {
  Agent& agent = s_.agents[slot];
  agent.origin = origin;
  if (origin != kNoNode) s_.agents.row(slot).origin = place_of(s_.layer_of(slot), origin);
  if (origin == agent.node) {
    s_.off_ground.erase(slot);
  } else {
    s_.off_ground.insert(slot);
  }
}

void Verdicts::tell(Slot slot, AgentEvent&& event) {
  Agent& agent = s_.agents[slot];
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.position = agent.node;
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
    std::vector<NodeId> nodes;
    if (event.path) nodes.swap(event.path->nodes);
    agent.verdict = event;
    if (event.path) nodes.swap(event.path->nodes);
  }
  if (s_.events.empty()) s_.events.reserve(kEventsExpected);
  s_.events.push_back(std::move(event));
}

void Verdicts::begin_question(Slot slot) {
  Agent& agent = s_.agents[slot];
  agent.has_verdict = false;
  agent.verdict = {};
  AgentEvent event;
  event.type = EventType::kAsked;
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.revision = s_.world.revision();
  event.position = agent.node;
  event.path_version = agent.last_version;
  event.goal_generation = agent.spec.goal_generation;
  s_.events.push_back(std::move(event));
}

void Verdicts::confirm(Slot slot) {
  const Agent& agent = s_.agents[slot];
  if (!agent.spec.confirm || !s_.agents.row(slot).settled || agent.told == s_.world.revision())
    return;
  assure(slot, s_.world.revision());
}

bool Verdicts::silence_would_mislead(Slot slot, Revision since) const {
  const Agent& agent = s_.agents[slot];
  // Silence speaks for what came after the last event; what an event told at once says of its own
  // revision is not yet proved, and nothing proves what was said before it was put elsewhere.
  const Revision first_unproved = std::max(next(agent.proved), agent.told);
  return may_be_named(first_unproved, since);
}

// A batch names the least revision that an agent which waits is proved up to. That is what it is
// proved up to now, or a revision from the one on that a search under way reads: what the search
// finds is proved up to the change that spoils it.
bool Verdicts::may_be_named(Revision first, Revision end) const {
  return first < end &&
         (s_.waiting.any_proved_in(first, end) ||
          std::ranges::any_of(s_.being_read, [end](Revision read) { return read < end; }));
}

void Verdicts::assure(Slot slot, Revision revision) {
  AgentEvent event;
  event.type = EventType::kConfirmed;
  event.revision = revision;
  if (s_.agents[slot].path.holds()) event.old_cost = event.cost = s_.agents.row(slot).held;
  tell(slot, std::move(event));
}

void Verdicts::assure_from_now_on(Slot slot) {
  const Revision now = s_.world.revision();
  if (may_be_named(std::max(s_.agents[slot].told, Revision{1}), now)) assure(slot, now);
}

}  // namespace repath

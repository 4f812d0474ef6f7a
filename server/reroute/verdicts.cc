#include "reroute/verdicts.h"

#include <algorithm>
#include <utility>

#include "agents/causes.h"
#include "reroute/recall.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr std::size_t kPastRoutesMax = 4;

struct DueAnswer {
  EventType type;
  EventReason reason;
};

// How a route is told to an agent of this standing when nothing else happened to it.
DueAnswer due_answer(RouteStanding standing) {
  switch (standing) {
    case RouteStanding::kRoute:
      return {EventType::kImproved, EventReason::kNone};
    case RouteStanding::kStartBlocked:
      return {EventType::kNewPath, EventReason::kStartFreeAgain};
    case RouteStanding::kEmpty:
    case RouteStanding::kNone:
    case RouteStanding::kPartial:
    case RouteStanding::kCutOff:
      break;
  }
  return {EventType::kNewPath, EventReason::kReachableAgain};
}

bool is_remark(EventType type) {
  return type == EventType::kCostChanged || type == EventType::kConfirmed;
}

}  // namespace

WaitingEntry RouteVerdicts::entry_of(RouteSlot slot) const {
  const RouteAgent& agent = s_.agents[slot];
  return {agent.owner, agent.proved, agent.wait_us + Micros{agent.spec.max_staleness_ms} * 1000,
          agent.wait_frame};
}

void RouteVerdicts::wait(RouteSlot slot, Revision proved) {
  if (proved == Revision{}) s_.agents[slot].asked_at = s_.world.revision();
  if (!s_.queue.contains(slot)) return enter(slot, proved, s_.frame, s_.now);
  s_.waiting.remove(entry_of(slot));
  s_.agents[slot].proved = std::min(s_.agents[slot].proved, proved);
  s_.waiting.add(entry_of(slot));
}

void RouteVerdicts::enter(RouteSlot slot, Revision proved, std::uint64_t frame, Micros us) {
  RouteAgent& agent = s_.agents[slot];
  const DueAnswer answer = due_answer(s_.agents.row(slot).standing);
  agent.answer = answer.type;
  agent.reason = answer.reason;
  agent.must_answer = false;
  agent.searches_in_vain = 0;
  agent.wants_copy = false;
  agent.proved = proved;
  agent.wait_frame = frame;
  agent.wait_us = us;
  s_.agents.row(slot).settled = false;
  const WaitingEntry entry = entry_of(slot);
  s_.waiting.add(entry);
  s_.queue.enter(slot, agent.spec.id, agent.spec.priority, entry.deadline, frame);
}

void RouteVerdicts::serve_and_wait(RouteSlot slot, Revision proved, std::uint64_t since_frame,
                                   Micros since_us) {
  s_.queue.serve(slot);
  s_.waiting.remove(entry_of(slot));
  clear_causes(slot);
  enter(slot, proved, since_frame, since_us);
}

void RouteVerdicts::settle(RouteSlot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.serve(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

void RouteVerdicts::settle_unserved(RouteSlot slot) {
  if (s_.queue.contains(slot)) {
    s_.queue.leave(slot);
    stop_waiting(slot);
  }
  s_.agents.row(slot).settled = true;
}

void RouteVerdicts::leave_queue(RouteSlot slot) {
  if (!s_.queue.contains(slot)) return;
  s_.waiting.remove(entry_of(slot));
  s_.queue.leave(slot);
  clear_causes(slot);
}

void RouteVerdicts::stop_waiting(RouteSlot slot) {
  const std::uint64_t waited = s_.frame - s_.agents[slot].wait_frame;
  s_.stats.longest_wait_frames = std::max(s_.stats.longest_wait_frames, waited);
  s_.waiting.remove(entry_of(slot));
  clear_causes(slot);
}

void RouteVerdicts::expect(RouteSlot slot, EventType type, EventReason reason) {
  RouteAgent& agent = s_.agents[slot];
  agent.must_answer = true;
  if (agent.answer == EventType::kNewPath && type != EventType::kNewPath) return;
  agent.answer = type;
  agent.reason = reason;
}

void RouteVerdicts::retune(RouteSlot slot, const AgentSpec& spec) {
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

void RouteVerdicts::add_cause(RouteSlot slot, Revision revision,
                              std::optional<ObstacleId> obstacle) {
  RouteAgent& agent = s_.agents[slot];
  insert_cause(&agent.cause_revisions, revision);
  if (obstacle) insert_cause(&agent.cause_obstacles, *obstacle);
}

void RouteVerdicts::clear_causes(RouteSlot slot) {
  s_.agents[slot].cause_revisions.clear();
  s_.agents[slot].cause_obstacles.clear();
}

void RouteVerdicts::drop_route(RouteSlot slot) {
  RouteAgent& agent = s_.agents[slot];
  s_.agents.row(slot).standing = RouteStanding::kNone;
  agent.broken_at.reset();
  if (!agent.route.holds()) return;
  remember_route(&agent);
  agent.past.push_back({agent.route.version, std::move(agent.route.points)});
  if (agent.past.size() > kPastRoutesMax) agent.past.erase(agent.past.begin() + 1);
  agent.route = {};
}

void RouteVerdicts::hold_route(RouteSlot slot, std::vector<RoutePoint> points,
                               RouteStanding standing) {
  drop_route(slot);
  RouteAgent& agent = s_.agents[slot];
  agent.last_version = PathVersion{value(agent.last_version) + 1};
  agent.route.points = std::move(points);
  agent.route.version = agent.last_version;
  agent.walked = 0;
  RouteRow& row = s_.agents.row(slot);
  row.standing = standing;
  row.rest = {};
  for (const RoutePoint& point : agent.route.points) add_to(&row.rest, point.at);
}

void RouteVerdicts::set_place(RouteSlot slot, std::uint32_t at, const Spot& spot) {
  RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  set_origin(slot, spot, spot);
  if (at == agent.route.at) return;  // the box stays: it is a little large
  agent.route.at = at;
  row.rest = box_of(spot);
  for (std::size_t i = at; i < agent.route.points.size(); ++i)
    add_to(&row.rest, agent.route.points[i].at);
}

void RouteVerdicts::set_origin(RouteSlot slot, const Spot& spot,
                               const std::optional<Spot>& origin) {
  RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  const bool stays = agent.is_placed && spot == agent.spot;
  agent.is_placed = stays || (origin && is_same_place(*origin, spot));
  agent.spot = spot;
  row.has_origin = origin.has_value();
  row.origin = origin.value_or(spot);
  row.is_snapped = origin && !is_same_place(*origin, spot);
  if (row.has_origin && !row.is_snapped) {
    s_.off_ground.erase(slot);
  } else {
    s_.off_ground.insert(slot);
  }
}

void RouteVerdicts::tell(RouteSlot slot, AgentEvent event) {
  RouteAgent& agent = s_.agents[slot];
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.spot = agent.spot;
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
  if (!is_remark(event.type)) {
    agent.has_verdict = true;
    std::vector<RoutePoint> points;
    if (event.path) points.swap(event.path->points);
    agent.verdict = event;
    if (event.path) points.swap(event.path->points);
  }
  s_.events.push_back(std::move(event));
}

void RouteVerdicts::begin_question(RouteSlot slot) {
  RouteAgent& agent = s_.agents[slot];
  agent.has_verdict = false;
  agent.verdict = {};
  AgentEvent event;
  event.type = EventType::kAsked;
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.revision = s_.world.revision();
  event.spot = agent.spot;
  event.path_version = agent.last_version;
  event.goal_generation = agent.spec.goal_generation;
  s_.events.push_back(std::move(event));
}

void RouteVerdicts::confirm(RouteSlot slot) {
  const RouteAgent& agent = s_.agents[slot];
  if (!agent.spec.confirm || !s_.agents.row(slot).settled || agent.told == s_.world.revision())
    return;
  assure(slot, s_.world.revision());
}

bool RouteVerdicts::silence_would_mislead(RouteSlot slot, Revision since) const {
  const RouteAgent& agent = s_.agents[slot];
  // Silence speaks for what came after the last event; what an event told at once says of its own
  // revision is not yet proved, and nothing proves what was said before it was put elsewhere.
  const Revision first_unproved = std::max(next(agent.proved), agent.told);
  return may_be_named(first_unproved, since);
}

// A batch names the least revision that an agent which waits is proved up to. That is what it is
// proved up to now, or the revision that a search under way reads.
bool RouteVerdicts::may_be_named(Revision first, Revision end) const {
  return first < end && (s_.waiting.any_proved_in(first, end) ||
                         std::ranges::any_of(s_.being_read, [=](Revision read) {
                           return first <= read && read < end;
                         }));
}

void RouteVerdicts::assure(RouteSlot slot, Revision revision) {
  AgentEvent event;
  event.type = EventType::kConfirmed;
  event.revision = revision;
  if (s_.agents[slot].route.holds()) event.old_cost = event.cost = s_.agents.row(slot).held;
  tell(slot, std::move(event));
}

void RouteVerdicts::assure_from_now_on(RouteSlot slot) {
  const Revision now = s_.world.revision();
  if (may_be_named(std::max(s_.agents[slot].told, Revision{1}), now)) assure(slot, now);
}

void rest_of_route(std::span<const RoutePoint> points, std::uint32_t at, const Spot& origin,
                   std::vector<RoutePoint>* out) {
  out->assign(points.begin() + at, points.end());
  RoutePoint& first = out->front();
  // Somewhere on a leg: the link that its first point takes does not begin here.
  if (!is_same_place(first.at, origin)) first.link.reset();
  first.at = origin;
}

}  // namespace repath

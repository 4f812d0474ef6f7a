#include "reroute/rerouter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {

Rerouter::Rerouter(RouteWorld& world, Executor& executor, std::uint64_t search_memory_bytes)
    : s_(world, search_memory_bytes),
      verdicts_(s_),
      positions_(s_, verdicts_),
      commit_verdicts_(s_, verdicts_),
      settling_(s_, verdicts_),
      planner_(s_, settling_, executor) {}

absl::Status Rerouter::upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) {
  s_.now = now;
  std::vector<RouteGoalsId> goals;
  for (const AgentSpec& spec : agents) {
    const absl::StatusOr<RouteGoalsId> id = s_.goals.acquire(spec);
    if (!id.ok()) {
      for (const RouteGoalsId taken : goals) s_.goals.release(taken);
      return make_error(id.status().code(), error_reason(id.status()),
                        item("agents", goals.size()) + ".profile",
                        std::string(id.status().message()));
    }
    goals.push_back(*id);
  }
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const AgentSpec& spec = agents[i];
    const std::optional<RouteSlot> slot = s_.agents.find(spec.id);
    if (!slot) {
      add(spec, owner, goals[i]);
      continue;
    }
    set_owner(*slot, owner);
    if (!is_same_question(s_.agents[*slot].spec, spec)) {
      change(*slot, spec, goals[i]);
      continue;
    }
    s_.goals.release(goals[i]);
    s_.agents[*slot].spec.goal_generation = spec.goal_generation;
    if (s_.agents[*slot].spec.position != spec.position)
      positions_.report(*slot, spec.position, PathVersion{});
    verdicts_.retune(*slot, spec);  // it may be confirmed at once, from where it is now
  }
  return absl::OkStatus();
}

void Rerouter::add(const AgentSpec& spec, OwnerId owner, RouteGoalsId goals) {
  const RouteSlot slot = s_.agents.add(spec.id);
  s_.agents[slot].spec = spec;
  s_.agents[slot].owner = owner;
  await_first_verdict(slot, goals, EventReason::kNewAgent);
}

void Rerouter::change(RouteSlot slot, const AgentSpec& spec, RouteGoalsId goals) {
  RouteAgent& agent = s_.agents[slot];
  verdicts_.leave_queue(slot);  // its place may be in another class now
  verdicts_.drop_route(slot);
  agent.remembered.clear();
  planner_.forget(slot);  // before its view may go
  s_.goals.release(s_.agents.row(slot).goals);
  agent.spec = spec;
  s_.confirming.erase(slot);
  verdicts_.begin_question(slot);
  await_first_verdict(slot, goals, EventReason::kAgentChanged);
}

void Rerouter::await_first_verdict(RouteSlot slot, RouteGoalsId goals, EventReason reason) {
  RouteRow& row = s_.agents.row(slot);
  row.goals = goals;
  row.view = s_.goals[goals].view;
  s_.hindsight.drop(slot);
  positions_.place(slot);
  verdicts_.wait(slot, Revision{});
  verdicts_.expect(slot, EventType::kNewPath, reason);
  if (s_.agents[slot].spec.confirm) s_.confirming.insert(slot);
}

void Rerouter::set_owner(RouteSlot slot, OwnerId owner) {
  const bool waits = s_.queue.contains(slot);
  if (waits) s_.waiting.remove(verdicts_.entry_of(slot));
  s_.agents[slot].owner = owner;
  if (waits) s_.waiting.add(verdicts_.entry_of(slot));
}

bool Rerouter::report(const PositionReport& position, Micros now) {
  s_.now = now;
  const auto slot = s_.agents.find(position.id);
  if (slot) positions_.report(*slot, position.position, position.path_version);
  return slot.has_value();
}

bool Rerouter::remove(AgentId id, EventReason reason) {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (!slot) return false;
  AgentEvent event;
  event.type = EventType::kRemoved;
  event.reason = reason;
  event.revision = s_.world.revision();
  verdicts_.tell(*slot, std::move(event));
  verdicts_.leave_queue(*slot);
  s_.queue.forget(*slot);
  s_.confirming.erase(*slot);
  s_.off_ground.erase(*slot);
  planner_.forget(*slot);
  s_.hindsight.drop(*slot);
  s_.goals.release(s_.agents.row(*slot).goals);
  s_.agents.remove(*slot);
  return true;
}

void Rerouter::acknowledge(AgentId id, PathVersion version) {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (slot) positions_.acknowledge(*slot, version);
}

std::uint64_t Rerouter::on_commit(RouteCommit commit, Micros now) {
  s_.now = now;
  return commit_verdicts_.apply(std::move(commit));
}

WorkUnits Rerouter::plan(WorkUnits budget, Micros now) {
  s_.now = now;
  return planner_.step(budget);
}

std::vector<AgentEvent> Rerouter::take_events() { return std::exchange(s_.events, {}); }

std::optional<Revision> Rerouter::settled_revision_of(AgentId id) const {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return s_.queue.contains(*slot) ? s_.agents[*slot].proved : s_.world.revision();
}

std::optional<AgentView> Rerouter::view(AgentId id, bool with_path) const {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return view_of(*slot, with_path);
}

std::vector<AgentView> Rerouter::views(AgentId from, std::size_t limit, bool with_paths,
                                       std::optional<OwnerId> owner) const {
  std::vector<AgentView> views;
  const auto& by_id = s_.agents.by_id();
  for (auto it = by_id.lower_bound(from); it != by_id.end() && views.size() < limit; ++it)
    if (!owner || s_.agents[it->second].owner == *owner)
      views.push_back(view_of(it->second, with_paths));
  return views;
}

std::optional<OwnerId> Rerouter::owner_of(AgentId id) const {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return s_.agents[*slot].owner;
}

std::optional<AgentEvent> Rerouter::latest_verdict(AgentId id) {
  const std::optional<RouteSlot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  std::optional<AgentEvent> verdict = verdict_of(*slot, true);
  if (verdict && verdict->path && verdict->path->optimality == Optimality::kValidOnly)
    s_.agents[*slot].verdict.path->optimality = Optimality::kValidOnly;
  return verdict;
}

std::vector<AgentId> Rerouter::ids_of(std::optional<OwnerId> owner) const {
  std::vector<AgentId> ids;
  if (!owner) ids.reserve(s_.agents.size());
  for (const auto& [id, slot] : s_.agents.by_id())
    if (!owner || s_.agents[slot].owner == *owner) ids.push_back(id);
  return ids;
}

AgentView Rerouter::view_of(RouteSlot slot, bool with_path) const {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  AgentView view;
  view.spec = agent.spec;
  view.owner = agent.owner;
  view.spot = agent.spot;
  if (std::optional<AgentEvent> verdict = verdict_of(slot, with_path)) {
    view.has_verdict = true;
    view.verdict = *std::move(verdict);
  }
  view.waiting = s_.queue.contains(slot);
  view.settled = view.waiting ? agent.proved : s_.world.revision();
  if (view.waiting) view.waiting_since = next(agent.proved);
  if (agent.route.holds() && !agent.broken_at) view.held_cost = row.held;
  return view;
}

// The agent's state as a verdict of today. While it waits and silence is no answer, what it was
// told before counts only if that was its route, whole or broken.
std::optional<AgentEvent> Rerouter::verdict_of(RouteSlot slot, bool with_path) const {
  const RouteAgent& agent = s_.agents[slot];
  const bool waits = s_.queue.contains(slot);
  const bool counts = agent.has_verdict && (!waits || !agent.must_answer || agent.route.holds());
  if (!counts) return std::nullopt;
  AgentEvent verdict = agent.verdict;
  verdict.goal_generation = agent.spec.goal_generation;
  verdict.first_invalid_waypoint.reset();  // it would count in the route as it was first sent
  const bool is_whole = agent.route.holds() && !agent.broken_at;
  if (is_whole || !waits) {
    verdict.revision = s_.world.revision();
    verdict.spot = agent.spot;
    if (verdict.path) verdict.path->revision = verdict.revision;
  }
  if (is_whole && verdict.path) show_route(slot, with_path, &verdict);
  return verdict;
}

// The rest of the held route, which is open. What is claimed of it is proved today, or is nothing.
void Rerouter::show_route(RouteSlot slot, bool with_path, AgentEvent* verdict) const {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  AgentPath& path = *verdict->path;
  verdict->cost = path.cost = row.held;
  verdict->waypoints_behind = agent.route.at;
  // From the obstacle it stood in it may have come to where its route begins.
  path.state = row.is_snapped                            ? PathState::kStartBlocked
               : row.standing == RouteStanding::kPartial ? PathState::kPartial
                                                         : PathState::kComplete;
  if (with_path) rest_of_route(agent.route.points, agent.route.at, row.origin, &path.points);
  if (!s_.queue.contains(slot)) return set_claim(s_, slot, &path);
  const bool is_as_told =
      agent.verdict.revision == s_.world.revision() && agent.verdict.spot == agent.spot;
  if (is_as_told) return;
  path.optimality = Optimality::kValidOnly;
  path.allowance = 0;
  path.weight = 1;
}

Stats Rerouter::stats() const {
  Stats stats = s_.stats;
  stats.agents = s_.agents.size();
  stats.waiting = s_.waiting.size();
  stats.late = s_.waiting.late(std::nullopt, s_.now);
  stats.oldest_wait_frames = s_.waiting.oldest_wait(s_.frame);
  stats.max_passed_over = s_.queue.max_passed_over();
  stats.map_bytes = s_.world.bytes();
  stats.frame = s_.frame;
  return stats;
}

std::uint64_t Rerouter::memory_bytes() const {
  std::uint64_t bytes = s_.log.bytes() + s_.goals.bytes() + s_.hindsight.bytes();
  bytes += s_.agents.rows().size() * (sizeof(RouteRow) + sizeof(RouteAgent));
  for (const auto& [id, slot] : s_.agents.by_id()) {
    const RouteAgent& agent = s_.agents[slot];
    bytes += agent.route.points.capacity() * sizeof(RoutePoint);
    for (const PastRoute& past : agent.past) bytes += past.points.capacity() * sizeof(RoutePoint);
    for (const RememberedRoute& route : agent.remembered)
      bytes += sizeof route + route.points.capacity() * sizeof(RoutePoint) +
               route.ahead.capacity() * sizeof(Cost);
  }
  return bytes;
}

}  // namespace repath

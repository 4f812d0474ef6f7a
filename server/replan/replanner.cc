#include "replan/replanner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// Its goals are others now.
void forget_searches(Agent* agent) {
  agent->search.reset();
  agent->proved_paths.clear();
  agent->jump_units = 0;
}

}  // namespace

Replanner::Replanner(World& world, const ReplanOptions& options, Executor& executor)
    : s_(world, options),
      verdicts_(s_),
      positions_(s_, verdicts_),
      commit_verdicts_(s_, verdicts_),
      settling_(s_, verdicts_),
      planner_(s_, settling_, executor) {}

absl::Status Replanner::upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) {
  s_.now = now;
  std::vector<GoalsId> goals;
  for (const AgentSpec& spec : agents) {
    const absl::StatusOr<GoalsId> id = s_.goals.acquire(spec);
    if (!id.ok()) {
      for (const GoalsId taken : goals) s_.goals.release(taken);
      return with_field_prefix(make_error(id.status().code(), error_reason(id.status()), "profile",
                                          std::string(id.status().message())),
                               "agents[" + std::to_string(goals.size()) + "].");
    }
    goals.push_back(*id);
  }
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const AgentSpec& spec = agents[i];
    const std::optional<Slot> slot = s_.agents.find(spec.id);
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

void Replanner::add(const AgentSpec& spec, OwnerId owner, GoalsId goals) {
  const Slot slot = s_.agents.add(spec.id);
  Agent& agent = s_.agents[slot];
  agent.spec = spec;
  agent.owner = owner;
  AgentRow& row = s_.agents.row(slot);
  row.goals = goals;
  row.view = s_.goals[goals].view;
  row.goal_box = s_.goals[goals].goals.box();
  await_first_verdict(slot, EventReason::kNewAgent);
}

void Replanner::change(Slot slot, const AgentSpec& spec, GoalsId goals) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  planner_.forget(slot);
  verdicts_.stop_asking(slot);  // its place may be in another class now
  verdicts_.drop_path(slot);
  if (goals != row.goals) forget_searches(&agent);
  s_.goals.release(row.goals);
  row.goals = goals;
  row.view = s_.goals[goals].view;
  row.goal_box = s_.goals[goals].goals.box();
  agent.spec = spec;
  s_.confirming.erase(slot);
  verdicts_.begin_question(slot);
  await_first_verdict(slot, EventReason::kAgentChanged);
}

void Replanner::await_first_verdict(Slot slot, EventReason reason) {
  const AgentSpec& spec = s_.agents[slot].spec;
  const Place place = place_of(spec.position);
  positions_.place(slot, s_.layer_of(slot).node_at(place.x, place.y));
  verdicts_.wait(slot, Revision{});
  verdicts_.expect(slot, EventType::kNewPath, reason);
  if (spec.confirm) s_.confirming.insert(slot);
}

void Replanner::set_owner(Slot slot, OwnerId owner) {
  const bool waits = s_.queue.contains(slot);
  if (waits) s_.waiting.remove(verdicts_.entry_of(slot));
  s_.agents[slot].owner = owner;
  if (waits) s_.waiting.add(verdicts_.entry_of(slot));
}

bool Replanner::report(const PositionReport& position, Micros now) {
  s_.now = now;
  const auto slot = s_.agents.find(position.id);
  if (slot) positions_.report(*slot, position.position, position.path_version);
  return slot.has_value();
}

bool Replanner::remove(AgentId id, EventReason reason) {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (!slot) return false;
  AgentEvent event;
  event.type = EventType::kRemoved;
  event.reason = reason;
  event.revision = s_.world.revision();
  verdicts_.tell(*slot, std::move(event));
  verdicts_.stop_asking(*slot);
  s_.queue.forget(*slot);
  s_.confirming.erase(*slot);
  s_.off_ground.erase(*slot);
  s_.index.remove(*slot);
  planner_.forget(*slot);
  s_.agents[*slot].search.reset();
  s_.goals.release(s_.agents.row(*slot).goals);
  s_.agents.remove(*slot);
  return true;
}

void Replanner::acknowledge(AgentId id, PathVersion version) {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (slot) positions_.acknowledge(*slot, version);
}

std::uint64_t Replanner::on_commit(Commit commit, Micros now) {
  s_.now = now;
  return commit_verdicts_.apply(std::move(commit)).invalidated;
}

WorkUnits Replanner::plan(WorkUnits budget, Micros now) {
  s_.now = now;
  return planner_.step(budget);
}

std::vector<AgentEvent> Replanner::take_events() { return std::exchange(s_.events, {}); }

std::optional<Revision> Replanner::settled_revision_of(AgentId id) const {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return s_.queue.contains(*slot) ? s_.agents[*slot].proved : s_.world.revision();
}

std::optional<AgentView> Replanner::view(AgentId id, bool with_path) const {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return view_of(*slot, with_path);
}

std::vector<AgentView> Replanner::views(AgentId from, std::size_t limit, bool with_paths,
                                        std::optional<OwnerId> owner) const {
  std::vector<AgentView> views;
  const auto& by_id = s_.agents.by_id();
  for (auto it = by_id.lower_bound(from); it != by_id.end() && views.size() < limit; ++it)
    if (!owner || s_.agents[it->second].owner == *owner)
      views.push_back(view_of(it->second, with_paths));
  return views;
}

std::optional<OwnerId> Replanner::owner_of(AgentId id) const {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  return s_.agents[*slot].owner;
}

std::optional<AgentEvent> Replanner::latest_verdict(AgentId id) {
  const std::optional<Slot> slot = s_.agents.find(id);
  if (!slot) return std::nullopt;
  std::optional<AgentEvent> verdict = verdict_of(*slot, true);
  if (verdict && verdict->path && verdict->path->optimality == Optimality::kValidOnly)
    s_.agents[*slot].verdict.path->optimality = Optimality::kValidOnly;
  return verdict;
}

std::vector<AgentId> Replanner::ids_of(std::optional<OwnerId> owner) const {
  std::vector<AgentId> ids;
  if (!owner) ids.reserve(s_.agents.size());
  for (const auto& [id, slot] : s_.agents.by_id())
    if (!owner || s_.agents[slot].owner == *owner) ids.push_back(id);
  return ids;
}

AgentView Replanner::view_of(Slot slot, bool with_path) const {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  AgentView view;
  view.spec = agent.spec;
  view.owner = agent.owner;
  view.node = agent.node;
  if (std::optional<AgentEvent> verdict = verdict_of(slot, with_path)) {
    view.has_verdict = true;
    view.verdict = *std::move(verdict);
  }
  view.waiting = s_.queue.contains(slot);
  view.settled = view.waiting ? agent.proved : s_.world.revision();
  if (view.waiting) view.waiting_since = next(agent.proved);
  const bool is_whole = agent.path.holds() && !agent.broken_at;
  if (is_whole) view.held_cost = row.held;
  return view;
}

// The agent's state as a verdict of today. While it waits and silence is no answer, what it was
// told before counts only if that was its path, whole or broken.
std::optional<AgentEvent> Replanner::verdict_of(Slot slot, bool with_path) const {
  const Agent& agent = s_.agents[slot];
  const bool waits = s_.queue.contains(slot);
  const bool counts = agent.has_verdict && (!waits || !agent.must_answer || agent.path.holds());
  if (!counts) return std::nullopt;
  AgentEvent verdict = agent.verdict;
  verdict.goal_generation = agent.spec.goal_generation;
  // It would count in the path as it was first sent.
  verdict.first_invalid_node.reset();
  verdict.first_invalid_waypoint.reset();
  const bool is_whole = agent.path.holds() && !agent.broken_at;
  if (is_whole || !waits) {
    verdict.revision = s_.world.revision();
    verdict.position = agent.node;
    if (verdict.path) verdict.path->revision = verdict.revision;
  }
  if (is_whole && verdict.path) show_path(slot, with_path, &verdict);
  return verdict;
}

// The rest of the held path, which is open. What is claimed of it is proved today, or is nothing.
void Replanner::show_path(Slot slot, bool with_path, AgentEvent* verdict) const {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  AgentPath& path = *verdict->path;
  if (with_path)
    path.nodes.assign(agent.path.nodes.begin() + agent.path.at, agent.path.nodes.end());
  verdict->cost = path.cost = row.held;
  verdict->waypoints_behind = waypoints_behind(s_.layer_of(slot), agent.path.nodes, agent.path.at);
  // From the obstacle it stood in it may have come to where its path begins.
  path.state = agent.origin != agent.node           ? PathState::kStartBlocked
               : row.standing == Standing::kPartial ? PathState::kPartial
                                                    : PathState::kComplete;
  if (s_.queue.contains(slot)) {
    const bool is_as_told =
        agent.verdict.revision == s_.world.revision() && agent.verdict.position == agent.node;
    if (is_as_told) return;
    path.optimality = Optimality::kValidOnly;
    path.allowance = 0;
    path.weight = 1;
    return;
  }
  // How much silence allows follows from the spec, unless its path keeps clear of others.
  const bool is_exact = !agent.spec.crowd || row.allowance == 0;
  const bool is_optimal = row.lower >= row.held && is_exact;
  path.optimality = is_optimal ? Optimality::kOptimal : Optimality::kWithin;
  path.allowance = is_optimal ? 0 : row.allowance;
  path.weight = 1;
}

Stats Replanner::stats() const {
  Stats stats = s_.stats;
  stats.agents = s_.agents.size();
  stats.waiting = s_.waiting.size();
  stats.late = s_.waiting.late(std::nullopt, s_.now);
  stats.oldest_wait_frames = s_.waiting.oldest_wait(s_.frame);
  stats.max_passed_over = s_.queue.max_passed_over();
  stats.search_state_bytes = s_.search_memory.bytes() + s_.clusters.bytes() + s_.leg_bytes;
  stats.map_bytes = s_.world.bytes();
  stats.fields = s_.goals.fields();
  stats.frame = s_.frame;
  return stats;
}

std::uint64_t Replanner::memory_bytes() const {
  std::uint64_t bytes =
      s_.search_memory.bytes() + s_.log.bytes() + s_.index.bytes() + s_.reach.bytes();
  bytes += s_.search_memory.idle().bytes() + s_.clusters.bytes() + s_.leg_bytes;
  bytes += s_.agents.rows().size() * (sizeof(AgentRow) + sizeof(Agent));
  for (const auto& [id, slot] : s_.agents.by_id()) {
    const Agent& agent = s_.agents[slot];
    bytes += agent.path.nodes.capacity() * sizeof(NodeId);
    for (const PastPath& past : agent.past) bytes += past.nodes.capacity() * sizeof(NodeId);
    for (const ProvedPath& path : agent.proved_paths)
      bytes += path.nodes.capacity() * sizeof(NodeId);
  }
  return bytes;
}

}  // namespace repath

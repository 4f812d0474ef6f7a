#include "replan/commit_verdicts.h"

#include <algorithm>
#include <utility>

#include "grid/cells/snap.h"

namespace repath {
namespace {

bool has(const std::vector<NodeId>& sorted, NodeId n) {
  return std::ranges::binary_search(sorted, n);
}

}  // namespace

std::uint32_t waypoint_of(const GridLayer& layer, std::span<const NodeId> nodes,
                          std::uint32_t node) {
  std::uint32_t runs = 0;
  // On maps of three columns and more a step's difference of numbers tells its direction.
  if (layer.width() > 2) {
    const auto step = [&](std::uint32_t i) { return index(nodes[i]) - index(nodes[i - 1]); };
    for (std::uint32_t i = 2; i <= node; ++i) runs += step(i) != step(i - 1) ? 1 : 0;
    return runs + (node > 0 ? 1 : 0);
  }
  Place at = place_of(layer, nodes[0]);
  Place direction;
  for (std::uint32_t i = 1; i <= node; ++i) {
    const Place next = place_of(layer, nodes[i]);
    const Place turned{next.x - at.x, next.y - at.y};
    runs += turned != direction ? 1 : 0;
    direction = turned;
    at = next;
  }
  return runs;
}

std::uint32_t waypoints_behind(const GridLayer& layer, std::span<const NodeId> nodes,
                               std::uint32_t at) {
  if (at == 0) return 0;
  const bool is_at_end = at + 1 == nodes.size();
  return is_at_end ? waypoint_of(layer, nodes, at) : waypoint_of(layer, nodes, at + 1) - 1;
}

CommitVerdicts::Count CommitVerdicts::apply(Commit commit) {
  Count count;
  tests_ = 0;
  s_.reach.on_commit(commit);
  for (const ViewDelta& delta : commit.views) judge_view(commit, delta, &count);
  for (const Slot slot : s_.confirming) v_.confirm(slot);
  s_.stats.commit_work_units += (tests_ + kTestsPerUnit - 1) / kTestsPerUnit;
  s_.log.append(std::move(commit), s_.frame, s_.now);
  return count;
}

void CommitVerdicts::judge_view(const Commit& commit, const ViewDelta& delta, Count* count) {
  const GridGraph graph = s_.world.graph(delta.view);
  const FallFilter falls(graph.layer(), Metric{graph.topology()}, delta.fallen);
  Scope scope{commit, delta, graph.layer(), falls, {}};
  for (const NodeId node : delta.blocked) scope.blocked.add(place_of(graph.layer(), node));
  labels_are_current_.reset();
  looks_left_ = Reachability::kLooksAtCommit;
  hits_.clear();
  tests_ += s_.index.find(delta.view, graph.layer(), delta.risen, &hits_);
  tests_ += s_.index.find(delta.view, graph.layer(), delta.fallen, &hits_);
  std::ranges::sort(hits_, {}, [](const PathHit& hit) { return std::pair(hit.slot, hit.step); });
  std::size_t first = 0;
  const std::vector<AgentRow>& rows = s_.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot) {
    std::size_t end = first;
    while (end < hits_.size() && hits_[end].slot == slot) ++end;
    if (rows[slot].standing != Standing::kEmpty && rows[slot].view == delta.view)
      judge_agent(scope, slot, std::span(hits_).subspan(first, end - first), count);
    first = end;
  }
  tests_ += rows.size();
}

void CommitVerdicts::judge_agent(const Scope& scope, Slot slot, std::span<const PathHit> hits,
                                 Count* count) {
  const AgentRow& row = s_.agents.row(slot);
  const bool is_off_ground = !s_.off_ground.empty() && s_.off_ground.contains(slot);
  if ((is_off_ground || scope.blocked.contains(row.origin)) &&
      has(scope.delta.blocked, s_.agents[slot].node))
    return start_blocked(scope, slot);
  const bool was_settled = row.settled;
  if (is_off_ground) look_at_ground(scope, slot);
  if (!hits.empty() && cross_path(scope, slot, hits, count)) return;
  if (!row.settled) return;
  switch (row.standing) {
    case Standing::kPath:
      filter_path(scope, slot, hits);
      break;
    case Standing::kPartial:
      filter_partial(scope, slot, hits);
      break;
    case Standing::kCutOff:
    case Standing::kStartBlocked:
      if (scope.falls.opens() && s_.agents[slot].origin != kNoNode &&
          !is_still_cut_off(scope, slot))
        wake(scope, slot, scope.falls.first_opened());
      break;
    case Standing::kEmpty:
    case Standing::kNone:
      break;
  }
  if (was_settled && row.settled) ++s_.stats.filter_settled;
}

// Filter 1, for waiting agents too. True if the path is broken.
bool CommitVerdicts::cross_path(const Scope& scope, Slot slot, std::span<const PathHit> hits,
                                Count* count) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  const Cost before = row.held;
  Cost after = before;
  const PathHit* closed = nullptr;
  bool has_risen = false;
  for (const PathHit& hit : hits) {
    has_risen |= hit.change->after > hit.change->before;
    after += hit.change->after - hit.change->before;  // modulo 2^64; of no meaning if one closed
    if (hit.change->after == kUnreachable && closed == nullptr) closed = &hit;
  }
  if (has_risen) ++s_.stats.filter_path_hits;
  if (closed != nullptr && (!agent.broken_at || closed->step + 1 < *agent.broken_at)) {
    if (row.settled && row.standing == Standing::kPath)
      v_.remember_path(slot, previous(scope.commit.revision), before, row.lower);
    v_.wait(slot, previous(scope.commit.revision));
    for (const PathHit& hit : hits) add_cause(scope, slot, hit.change);
    const bool was_whole = !agent.broken_at;
    agent.broken_at = closed->step + 1;
    if (agent.path.led_at != Revision{}) agent.legs = 0;
    const bool is_partial = row.standing == Standing::kPartial;
    v_.expect(slot, is_partial ? EventType::kNewPath : EventType::kReplanned,
              is_partial ? EventReason::kReachableAgain : EventReason::kNone);
    AgentEvent event;
    event.type = EventType::kInvalidated;
    event.revision = scope.commit.revision;
    event.path_version = agent.path.version;
    event.old_cost = was_whole ? before : 0;
    event.first_invalid_node = *agent.broken_at;
    event.first_invalid_waypoint = waypoint_of(scope.layer, agent.path.nodes, *agent.broken_at);
    v_.tell(slot, std::move(event));
    ++count->invalidated;
  }
  if (agent.broken_at) return true;
  row.held = after;
  if (after == before) return false;
  AgentEvent event;
  event.type = EventType::kCostChanged;
  event.revision = scope.commit.revision;
  event.old_cost = before;
  event.cost = after;
  const bool was_settled = row.settled;
  for (const PathHit& hit : hits) add_cause(scope, slot, hit.change);
  v_.tell(slot, std::move(event));
  if (was_settled) {
    v_.clear_causes(slot);
  } else if (agent.answer == EventType::kImproved) {
    agent.answer = EventType::kReplanned;
  }
  return false;
}

void CommitVerdicts::filter_path(const Scope& scope, Slot slot, std::span<const PathHit> hits) {
  AgentRow& row = s_.agents.row(slot);
  const Cost lower_before = row.lower;
  Rival rival;
  if (!scope.falls.empty() && !scope.falls.excludes(row.origin, row.goal_box, row.lower))
    rival = scope.falls.to_goals(row.origin, s_.goals_of(slot).goals, row.lower, &tests_);
  if (rival.edge != nullptr) row.lower = rival.cost;
  if (row.held <= saturating_add(row.lower, row.allowance)) return;
  if (rival.edge != nullptr) ++s_.stats.filter_fall_failures;
  if (hits.empty()) v_.remember_path(slot, previous(scope.commit.revision), row.held, lower_before);
  wake(scope, slot, rival.edge);
  for (const PathHit& hit : hits) add_cause(scope, slot, hit.change);
  if (!hits.empty()) s_.agents[slot].answer = EventType::kReplanned;
}

// By a look around the agent, while there are few to look at, else by labels if they can be had in
// a moment.
bool CommitVerdicts::is_still_cut_off(const Scope& scope, Slot slot) {
  if (looks_left_ > 0) {
    --looks_left_;
    tests_ += kTestsPerUnit;
    Agent& agent = s_.agents[slot];
    if (s_.reach.is_enclosed(scope.delta.view, agent.origin, s_.goals_of(slot).goals)) return true;
    agent.not_enclosed_at = scope.commit.revision;
    if (agent.was_enclosed) return false;
  }
  WorkUnits units = 0;
  WorkUnits left = Reachability::kUnitsAtCommit;
  if (!labels_are_current_) labels_are_current_ = s_.reach.update(scope.delta.view, &left, &units);
  const bool is_proved =
      *labels_are_current_ &&
      s_.reach.are_apart(scope.delta.view, s_.agents[slot].origin, s_.goals_of(slot).goals, &units);
  tests_ += units * kTestsPerUnit;
  return is_proved;
}

// Another place as near to the goals may be as cheap, so the cost must not even be equal.
void CommitVerdicts::filter_partial(const Scope& scope, Slot slot, std::span<const PathHit> hits) {
  const AgentRow& row = s_.agents.row(slot);
  if (!hits.empty()) {
    wake(scope, slot, hits.front().change);
    return;
  }
  if (scope.falls.opens()) return wake(scope, slot, scope.falls.first_opened());
  const Rival rival = scope.falls.to_partial_end(row.origin, s_.goals_of(slot).goals,
                                                 row.end_distance, row.held + 1, &tests_);
  if (rival.edge == nullptr) return;
  ++s_.stats.filter_fall_failures;
  wake(scope, slot, rival.edge);
}

void CommitVerdicts::start_blocked(const Scope& scope, Slot slot) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  const bool held_one = agent.path.holds() && !agent.broken_at;
  v_.wait(slot, previous(scope.commit.revision));
  for (const EdgeChange& edge : scope.delta.risen)
    if (edge.from == agent.node) add_cause(scope, slot, &edge);
  v_.add_cause(slot, scope.commit.revision, std::nullopt);
  AgentEvent event;
  event.type = EventType::kStartBlocked;
  event.revision = scope.commit.revision;
  event.old_cost = held_one ? row.held : 0;
  event.path = AgentPath{};
  event.path->state = PathState::kStartBlocked;
  event.path->revision = scope.commit.revision;
  v_.drop_path(slot);
  v_.set_origin(slot, kNoNode);
  v_.begin_search_anew(slot);
  row.standing = Standing::kStartBlocked;
  v_.tell(slot, std::move(event));
  agent.answer = EventType::kNewPath;
  agent.reason = EventReason::kStartFreeAgain;
  agent.must_answer = false;
  if (!agent.spec.snap_start) v_.settle_unserved(slot);
}

// An agent in an obstacle: is its cell free again, is the cell that stands in for it blocked, or is
// a nearer one free?
void CommitVerdicts::look_at_ground(const Scope& scope, Slot slot) {
  const Agent& agent = s_.agents[slot];
  const bool has_origin = agent.origin != kNoNode;
  bool woken =
      has(scope.delta.freed, agent.node) || (has_origin && has(scope.delta.blocked, agent.origin));
  if (!woken && agent.spec.snap_start) {
    tests_ += scope.delta.freed.size();
    woken =
        frees_nearer(scope.layer, scope.delta.freed, point_of(scope.layer, agent), agent.origin);
  }
  if (!woken) return;
  v_.begin_search_anew(slot);
  wake(scope, slot, nullptr);
  if (s_.agents.row(slot).standing == Standing::kStartBlocked && scope.layer.is_free(agent.node))
    v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
}

void CommitVerdicts::wake(const Scope& scope, Slot slot, const EdgeChange* cause) {
  v_.wait(slot, previous(scope.commit.revision));
  if (cause != nullptr) return add_cause(scope, slot, cause);
  v_.add_cause(slot, scope.commit.revision, std::nullopt);
}

void CommitVerdicts::add_cause(const Scope& scope, Slot slot, const EdgeChange* edge) {
  std::optional<ObstacleId> obstacle;
  if (edge->cause != kNoCause) obstacle = scope.commit.causes[edge->cause];
  v_.add_cause(slot, scope.commit.revision, obstacle);
}

}  // namespace repath

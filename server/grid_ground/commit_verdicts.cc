#include "grid_ground/commit_verdicts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/equal_run.h"
#include "grid/cells/in_box.h"
#include "grid/cells/snap.h"

namespace repath {
namespace {

bool has(const std::vector<NodeId>& sorted, NodeId n) {
  return std::ranges::binary_search(sorted, n);
}

ViewDelta unchanged(ViewId view) {
  ViewDelta delta;
  delta.view = view;
  return delta;
}

}  // namespace

std::uint64_t CommitVerdicts::apply(Commit commit) {
  s_.reach.on_commit(commit);
  std::set<ViewId> judged;
  for (const ViewDelta& delta : commit.views) {
    judge_view(commit, delta);
    judged.insert(delta.view);
  }
  // A wide agent's line keeps clear of cells that the layer does not show (World::ground).
  std::set<ViewId> wide;
  for (const auto& [slot, lines] : s_.lines) {
    const ViewId view = s_.agents.row(slot).view;
    if (s_.world.ground(view) != nullptr && !judged.contains(view)) wide.insert(view);
  }
  for (const ViewId view : wide) judge_view(commit, unchanged(view));
  return finish(std::move(commit));
}

void CommitVerdicts::judge_view(const Commit& commit, const ViewDelta& delta) {
  const GridGraph graph = s_.world.graph(delta.view);
  const FallFilter falls(graph.layer(), Metric{graph.topology()}, delta.fallen);
  Scope scope{commit.revision, commit, delta, graph.layer(), falls};
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
    if (rows[slot].standing != Standing::kEmpty && rows[slot].view == delta.view) {
      scope.hits = std::span(hits_).subspan(first, end - first);
      scope.is_off_ground = !s_.off_ground.empty() && s_.off_ground.contains(slot);
      judge_agent(scope, slot);
    }
    first = end;
  }
  tests_ += rows.size();
}

bool CommitVerdicts::lost_ground(const Scope& scope, Slot slot) const {
  return (scope.is_off_ground || scope.blocked.contains(s_.agents.row(slot).origin)) &&
         has(scope.delta.blocked, s_.agents[slot].node);
}

void CommitVerdicts::add_causes_here(const Scope& scope, Slot slot) {
  for (const EdgeChange& edge :
       equal_run(scope.delta.risen, s_.agents[slot].node, &EdgeChange::from))
    v_.add_cause(slot, scope.revision, cause_of(scope, &edge));
  v_.add_cause(slot, scope.revision, std::nullopt);
}

// Wakes an agent in an obstacle if its cell is free again, if the cell that stands in for it is
// blocked, or if a nearer one is free.
void CommitVerdicts::look_at_ground(const Scope& scope, Slot slot) {
  if (!scope.is_off_ground) return;
  const Agent& agent = s_.agents[slot];
  const bool has_origin = agent.origin != kNoNode;
  bool woken =
      has(scope.delta.freed, agent.node) || (has_origin && has(scope.delta.blocked, agent.origin));
  if (!woken && agent.spec.snap_start) {
    tests_ += kTestsPerUnit;
    woken =
        frees_nearer(scope.layer, scope.delta.freed, point_of(scope.layer, agent), agent.origin);
  }
  if (!woken) return;
  v_.begin_search_anew(slot);
  wake(scope, slot, freed_by(scope, agent.node));
  if (s_.agents.row(slot).standing == Standing::kStartBlocked && scope.layer.is_free(agent.node))
    v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
}

// Returns the obstacle whose change opened a way from the cell; nothing if none did.
std::optional<ObstacleId> CommitVerdicts::freed_by(const Scope& scope, NodeId node) const {
  const auto& fallen = scope.delta.fallen;
  const auto edge = std::ranges::lower_bound(fallen, node, {}, &EdgeChange::from);
  const bool is_found = edge != fallen.end() && edge->from == node;
  return cause_of(scope, is_found ? &*edge : nullptr);
}

bool CommitVerdicts::look_at_path(const Scope& scope, Slot slot) {
  const std::optional<std::uint32_t> beside = broken_line(scope, slot);
  if (scope.hits.empty() && !beside) return false;
  Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  Cost after = row.held;
  const PathHit* closed = nullptr;
  bool has_risen = false;
  for (const PathHit& hit : scope.hits) {
    has_risen |= hit.change->after > hit.change->before;
    after += hit.change->after - hit.change->before;  // modulo 2^64; of no meaning if one closed
    if (hit.change->after == kUnreachable && closed == nullptr) closed = &hit;
  }
  if (has_risen) ++s_.stats.filter_path_hits;
  std::optional<std::uint32_t> broken = beside;
  if (closed != nullptr) broken = std::min(closed->step + 1, broken.value_or(closed->step + 1));
  const auto add_causes = [&] {
    add_causes_of_hits(scope, slot);
    if (beside) add_causes_beside(scope, slot, *beside);
  };
  if (broken && (!agent.broken_at || *broken < *agent.broken_at)) {
    if (row.settled && row.standing == Standing::kPath)
      remember_path(s_, slot, previous(scope.revision), row.held, row.lower);
    invalidate(scope, slot, *broken, add_causes);
    if (agent.path.led_at != Revision{}) agent.legs = 0;
  }
  if (agent.broken_at) return true;
  if (after != row.held) change_cost(slot, after, add_causes);
  return false;
}

void CommitVerdicts::filter_path(const Scope& scope, Slot slot, Cost) {
  AgentRow& row = s_.agents.row(slot);
  const Cost lower_before = row.lower;
  Rival rival;
  if (!scope.falls.empty() && !scope.falls.excludes(row.origin, row.goal_box, row.lower))
    rival = scope.falls.to_goals(row.origin, s_.goals_of(slot).goals, row.lower, &tests_);
  if (rival.edge != nullptr) row.lower = rival.cost;
  const bool may_have_room =
      row.is_tight && (!scope.falls.empty() || s_.world.ground(row.view) != nullptr);
  if (row.held <= saturating_add(row.lower, row.allowance) && !may_have_room) return;
  if (rival.edge != nullptr) ++s_.stats.filter_fall_failures;
  const bool is_crossed = !scope.hits.empty();
  if (!is_crossed) remember_path(s_, slot, previous(scope.revision), row.held, lower_before);
  wake(scope, slot, cause_of(scope, rival.edge));
  add_causes_of_hits(scope, slot);
  if (is_crossed) s_.agents[slot].answer = EventType::kReplanned;
}

// Returns the place in the path where the agent's line is closed first, though its cells may be
// open.
std::optional<std::uint32_t> CommitVerdicts::broken_line(const Scope& scope, Slot slot) const {
  if (s_.lines.empty() || !s_.lines.contains(slot)) return std::nullopt;
  const Agent& agent = s_.agents[slot];
  const DrivenLine* const line = s_.line_of(slot, agent.path.version);
  if (line == nullptr || agent.broken_at) return std::nullopt;
  if (scope.delta.blocked.empty() && s_.world.ground(scope.delta.view) == nullptr)
    return std::nullopt;
  return first_closed(*line, s_.sight_of(slot), agent.path.points, agent.path.at);
}

// Adds the causes of the cells that closed within reach of that place.
void CommitVerdicts::add_causes_beside(const Scope& scope, Slot slot, std::uint32_t node) {
  v_.add_cause(slot, scope.revision, std::nullopt);
  const auto reach = static_cast<std::int32_t>(2 + s_.sight_of(slot).radius);
  const Place at = place_of(scope.layer, s_.agents[slot].path.points[node]);
  const PlaceBox box{at.x - reach, at.y - reach, at.x + reach, at.y + reach};
  any_in_box(scope.layer, std::span(scope.delta.risen), box, &EdgeChange::from,
             [&](const EdgeChange& edge) {
               if (edge.after == kUnreachable)
                 v_.add_cause(slot, scope.revision, cause_of(scope, &edge));
               return false;
             });
}

// Another place as near to the goals may be as cheap, so the cost must not even be equal.
void CommitVerdicts::filter_partial(const Scope& scope, Slot slot, Cost) {
  const AgentRow& row = s_.agents.row(slot);
  if (!scope.hits.empty()) return wake(scope, slot, cause_of(scope, scope.hits.front().change));
  if (scope.falls.opens()) return wake(scope, slot, first_opened(scope));
  const Rival rival = scope.falls.to_partial_end(row.origin, s_.goals_of(slot).goals,
                                                 row.end_distance, row.held + 1, &tests_);
  if (rival.edge == nullptr) return;
  ++s_.stats.filter_fall_failures;
  wake(scope, slot, cause_of(scope, rival.edge));
}

bool CommitVerdicts::may_reach(const Scope& scope, Slot slot) {
  return scope.falls.opens() && s_.agents[slot].origin != kNoNode && !is_still_cut_off(scope, slot);
}

// Decides by a look around the agent while there are few agents to look at, else by labels if these
// can be had in a moment.
bool CommitVerdicts::is_still_cut_off(const Scope& scope, Slot slot) {
  if (looks_left_ > 0) {
    --looks_left_;
    tests_ += kTestsPerUnit;
    Agent& agent = s_.agents[slot];
    if (s_.reach.is_enclosed(scope.delta.view, agent.origin, s_.goals_of(slot).goals)) return true;
    agent.not_enclosed_at = scope.revision;
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

std::optional<ObstacleId> CommitVerdicts::first_opened(const Scope& scope) const {
  return cause_of(scope, scope.falls.first_opened());
}

std::optional<ObstacleId> CommitVerdicts::cause_of(const Scope& scope,
                                                   const EdgeChange* edge) const {
  if (edge == nullptr || edge->cause == kNoCause) return std::nullopt;
  return scope.commit.causes[edge->cause];
}

void CommitVerdicts::add_causes_of_hits(const Scope& scope, Slot slot) {
  for (const PathHit& hit : scope.hits)
    v_.add_cause(slot, scope.revision, cause_of(scope, hit.change));
}

}  // namespace repath

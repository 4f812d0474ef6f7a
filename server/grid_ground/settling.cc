#include "grid_ground/settling.h"

#include <algorithm>
#include <utility>

#include "grid/cells/snap.h"
#include "grid_ground/aside.h"

namespace repath {

Cost cost_of(const GridGraph& graph, std::span<const NodeId> nodes) {
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(nodes[i], nodes[i + 1]));
  return sum;
}

Cost cost_of_open(const GridGraph& graph, std::span<const NodeId> nodes) {
  const auto width = static_cast<std::uint32_t>(graph.layer().width());
  // On a map of two columns a diagonal may lead to the next number, too.
  if (!graph.layer().is_uniform() || width <= 2) return cost_of(graph, nodes);
  const Cost steps = nodes.empty() ? 0 : nodes.size() - 1;
  if (graph.topology() == Topology::kHex) return steps * kStraightStep;
  Cost diagonals = 0;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const std::uint32_t a = index(nodes[i]);
    const std::uint32_t b = index(nodes[i + 1]);
    const std::uint32_t apart = std::max(a, b) - std::min(a, b);
    diagonals += apart != 1 && apart != width ? 1 : 0;
  }
  return diagonals * kDiagonalStep + (steps - diagonals) * kStraightStep;
}

bool Settling::stand(Slot slot, WorkUnits* units) {
  const Agent& agent = s_.agents[slot];
  const GridLayer& layer = s_.layer_of(slot);
  NodeId origin = agent.node;
  if (!layer.is_free(agent.node)) {
    std::uint64_t cells = 0;
    const auto free = agent.spec.snap_start
                          ? nearest_free_cell(layer, point_of(layer, agent), kSnapCellsMax, &cells)
                          : std::nullopt;
    *units += 1 + cells / kTestsPerUnit;
    origin = free.value_or(kNoNode);
  }
  if (origin != agent.origin) {
    if (agent.path.holds()) v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
    GridKind::set_origin(s_, slot, origin);
  }
  if (origin != kNoNode) return true;
  start_blocked(slot);
  return false;
}

Outcome Settling::finish(Slot slot, const SearchState& search, Progress progress,
                         WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  *units += kUnitsPerAnswer;
  if (!s_.log.covers(row.view, search.revision())) {
    if (agent.outrun < Agent::kOutrunMax) ++agent.outrun;
    return Outcome::kSearchAgain;
  }
  if (!stood_there(agent, search, units)) return Outcome::kSearchAgain;
  // A leg that is open today is newer than "no path".
  if (progress == Progress::kNoPath && holds_leg(slot)) return Outcome::kSearchAgain;
  if (progress == Progress::kPathFound) return finish_path(slot, search, units);
  if (search.kind() == SearchKind::kFlood) return finish_partial(slot, search, units);
  const NodeId root = search.search().root();
  if (root != kNoNode && root != agent.origin) {
    ++s_.agents[slot].searches_in_vain;
    return Outcome::kSearchAgain;
  }
  return finish_unreachable(slot, search.graph().layer(), search.revision(), units);
}

Outcome Settling::cut_off(Slot slot, WorkUnits* units) {
  return finish_unreachable(slot, s_.layer_of(slot), s_.world.revision(), units);
}

// Returns whether the agent's path would have begun at the same cell at the revision that was
// searched.
bool Settling::stood_there(const Agent& agent, const SearchState& search, WorkUnits* units) const {
  const GridLayer& layer = search.graph().layer();
  if (search.revision() == s_.world.revision()) return true;
  if (agent.origin == agent.node) return layer.is_free(agent.node);
  std::uint64_t cells = 0;
  const auto then = nearest_free_cell(layer, point_of(layer, agent), kSnapCellsMax, &cells);
  *units += cells / kTestsPerUnit;
  return then == agent.origin;
}

Outcome Settling::finish_path(Slot slot, const SearchState& search, WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  Found found;
  found.cost = search.search().known_cost(agent.origin);
  const bool is_known = found.cost != kUnreachable;
  if (is_known && keep_held(slot, search.graph(), search.revision(), found, units))
    return Outcome::kServed;
  found_.clear();
  if (!search.search().append_path(agent.origin, &found_)) {
    ++agent.searches_in_vain;
    return Outcome::kSearchAgain;
  }
  found.nodes.assign(found_.begin(), found_.end());  // no larger than need be: it is held for long
  if (is_known) return adopt(slot, search.revision(), std::move(found), units);
  found.cost = cost_of_open(search.graph(), found.nodes);
  return settle_by(slot, search.graph(), search.revision(), std::move(found), units);
}

Outcome Settling::finish_proved(Slot slot, std::vector<NodeId> nodes, Cost cost, WorkUnits* units) {
  *units += kUnitsPerAnswer;
  Found found;
  found.nodes = std::move(nodes);
  found.cost = cost;
  const GridGraph graph = s_.world.graph(s_.agents.row(slot).view);
  return settle_by(slot, graph, s_.world.revision(), std::move(found), units);
}

Outcome Settling::finish_partial(Slot slot, const SearchState& search, WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  Found found;
  found.standing = Standing::kPartial;
  *units += search.bytes() / 1024;
  if (!search.search().append_partial_path(agent.origin, &found.nodes))
    return Outcome::kSearchAgain;
  found.cost = cost_of_open(search.graph(), found.nodes);
  found.end_distance =
      s_.goals_of(slot).goals.distance(place_of(search.graph().layer(), found.nodes.back()));
  return settle_by(slot, search.graph(), search.revision(), std::move(found), units);
}

// Settles the agent by a path that was found on `graph` as it was at `since`.
Outcome Settling::settle_by(Slot slot, const GridGraph& graph, Revision since, Found found,
                            WorkUnits* units) {
  if (keep_held(slot, graph, since, found, units)) return Outcome::kServed;
  return adopt(slot, since, std::move(found), units);
}

// Keeps the held path and sends nothing if it is as good as the one found, or good enough. Returns
// whether it did.
bool Settling::keep_held(Slot slot, const GridGraph& graph, Revision since, const Found& found,
                         WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  if (row.standing != found.standing || agent.must_answer || agent.broken_at) return false;
  if (lacks_bound(slot)) return false;
  const auto rest = std::span<const NodeId>(agent.path.points).subspan(agent.path.at);
  const Cost held = since == s_.world.revision() ? row.held : cost_of(graph, rest);
  if (held == kUnreachable || held > found.cost + row.allowance) return false;
  if (row.is_tight && drive(slot, rest, units)) return false;
  if (found.standing == Standing::kPartial && rest.back() != found.nodes.back()) return false;
  PathClaim claim{rest,       row.origin,    row.standing, held,
                  found.cost, row.allowance, {},           row.end_distance};
  const ClaimTrial trial = put_to_trial(slot, claim, since, units);
  if (held == found.cost) agent.path.note_found(agent.path.at, since, held);
  if (holds_leg(slot)) {
    take_leg_for_found(slot, trial);
    return true;
  }
  row.lower = trial.lower;
  close_in_silence(slot, trial);
  return true;
}

// Returns whether the client was shown, while the agent waited, a path that keeps clear of others
// or is driven. Such a path had no bound that silence could confirm.
bool Settling::lacks_bound(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  return (agent.spec.crowd || agent.spec.curves) && s_.agents.row(slot).allowance > 0 &&
         agent.verdict.path && agent.verdict.path->optimality == Optimality::kValidOnly;
}

Outcome Settling::adopt(Slot slot, Revision since, Found found, WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  *units += found.nodes.size() / kPathNodesPerUnit;
  const double ratio = found.standing == Standing::kPath ? agent.spec.min_improvement_ratio : 0.0;
  const Cost allowance = share_of(ratio, found.cost);
  PathClaim claim{found.nodes, row.origin, found.standing, found.cost,
                  found.cost,  allowance,  ratio,          found.end_distance};
  ClaimTrial trial = put_to_trial(slot, claim, since, units);
  if (trial.closed) return Outcome::kSearchAgain;
  if (holds_leg(slot)) {
    if (!trial.spoiled_by && row.held <= trial.lower) {
      agent.path.note_found(agent.path.at, s_.world.revision(), row.held);
      trial.from = s_.world.revision();
      take_leg_for_found(slot, trial);
      return Outcome::kServed;
    }
    expect_in_place_of_leg(slot, trial);
  }
  if (lacks_bound(slot) && agent.answer == EventType::kImproved)
    agent.answer = EventType::kReplanned;
  found.optimal_cost = found.cost;
  const bool is_optimal_today = !trial.spoiled_by && trial.lower == trial.held;
  if (agent.spec.crowd && found.standing == Standing::kPath && is_optimal_today) {
    since = s_.world.revision();
    keep_clear(slot, &found, &trial, units);
  }
  const Cost old_cost = holds_whole(agent) ? row.held : 0;
  std::optional<DrivenLine> line;
  if (agent.spec.curves && !trial.spoiled_by) line = take_line(slot, &found, &trial, units);
  if (line) since = s_.world.revision();
  // A path that is not driven, or saves no more than the hysteresis, is no improvement.
  const Cost hysteresis = holds_leg(slot) ? 0 : agent.path.hysteresis;
  if (agent.answer == EventType::kImproved &&
      ((agent.spec.curves && !line) || trial.told_cost() + hysteresis >= old_cost))
    agent.answer = EventType::kReplanned;
  v_.hold_path(slot, std::move(found.nodes), found.standing);
  agent.path.hysteresis = share_of(ratio, trial.told_cost());
  if (agent.spec.curves) {
    hold_line(slot, std::move(line));
  } else if (!s_.lines.empty()) {
    s_.lines.erase(slot);  // it had the option before
  }
  agent.path.note_found(found.optimal_from, since, found.optimal_cost);
  row.held = trial.held;
  row.lower = trial.lower;
  row.allowance = trial.allowance;
  row.end_distance = found.end_distance;
  give_path(slot, trial, old_cost, 0);
  return Outcome::kServed;
}

// Replaces the path found, which by its trial is optimal today, by one that is less in the way of
// others, if there is such a path within the agent's limit. A path sent as IMPROVED must also save
// more than the agent's hysteresis. The allowance is the path's cost above the optimum, or the
// hysteresis if that is more.
void Settling::keep_clear(Slot slot, Found* found, ClaimTrial* trial, WorkUnits* units) const {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  const Cost least = trial->held;
  found->optimal_cost = least;
  const double ratio = agent.spec.min_improvement_ratio;
  Cost most = least + share_of(agent.spec.crowd->max_detour, least);
  const bool improves = agent.path.holds() && !agent.must_answer && !agent.broken_at &&
                        agent.answer == EventType::kImproved;
  if (improves) {
    const Cost saving = agent.path.hysteresis + 1;
    most = std::min(most, row.held - std::min(row.held, saving));
  }
  if (most <= least) return;
  std::optional<AsidePath> aside = step_aside(s_, slot, found->nodes, least, most, units);
  if (!aside) return;
  found->nodes = std::move(aside->nodes);
  if (aside->cost == least) return;  // another optimal one
  found->optimal_from = aside->joins;
  found->optimal_cost = aside->rest;
  trial->held = trial->held_now = aside->cost;
  trial->allowance = std::max(share_of(ratio, aside->cost), aside->cost - least);
}

// Drives along the path on the ground of today. Empty: a turn has no room.
std::optional<FoundLine> Settling::drive(Slot slot, std::span<const NodeId> nodes,
                                         WorkUnits* units) const {
  const World& world = s_.world;
  const double radius =
      world.view_profile(s_.agents.row(slot).view).turning_radius / world.cell_size();
  *units += nodes.size();  // about as long as so many expansions
  return drive_cells(s_.sight_of(slot), nodes, radius);
}

// Puts the path of a driven line in place of the path found, which is proved for today. An open
// held line is kept if that saves no more than the hysteresis, or if a turn of the path found has
// no room. The allowance is the path's cost above its lower bound, or the hysteresis if that is
// more.
std::optional<DrivenLine> Settling::take_line(Slot slot, Found* found, ClaimTrial* trial,
                                              WorkUnits* units) {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  const double ratio = found->standing == Standing::kPath ? agent.spec.min_improvement_ratio : 0.0;
  std::optional<FoundLine> driven = drive(slot, found->nodes, units);
  const GridGraph graph = s_.world.graph(row.view);
  Cost cost = driven ? cost_of(graph, driven->nodes) : kUnreachable;
  const bool holds_one =
      holds_whole(agent) && !agent.must_answer && row.standing == found->standing &&
      agent.origin == agent.node &&
      (row.standing == Standing::kPath || agent.path.points.back() == found->nodes.back());
  const std::span<const NodeId> rest =
      holds_one ? std::span<const NodeId>(agent.path.points).subspan(agent.path.at)
                : std::span<const NodeId>();
  if (holds_one && row.is_tight && !driven) {
    driven = drive(slot, rest, units);
    cost = driven ? cost_of(graph, driven->nodes) : kUnreachable;
  } else if (const DrivenLine* line = s_.line_of(slot, agent.path.version);
             holds_one && line != nullptr &&
             (!driven || row.held <= saturating_add(cost, agent.path.hysteresis))) {
    FoundLine held;
    std::size_t first = 0;
    held.line.points = rest_of_line(*line, graph.layer(), agent.path.points, agent.path.at, &first);
    held.line.at.assign(held.line.points.size(), 0);
    for (std::size_t i = 1; i < held.line.points.size(); ++i)
      held.line.at[i] = line->at[first + i - 1] - std::min(agent.path.at, line->at[first + i - 1]);
    held.nodes.assign(rest.begin(), rest.end());
    driven = std::move(held);
    cost = row.held;
  }
  if (!driven) return std::nullopt;
  const bool is_optimal = cost <= trial->lower;
  found->nodes = std::move(driven->nodes);
  found->optimal_from = is_optimal ? 0 : static_cast<std::uint32_t>(found->nodes.size() - 1);
  found->optimal_cost = is_optimal ? cost : 0;
  trial->held = trial->held_now = cost;
  trial->allowance = std::max(share_of(ratio, cost), cost - std::min(cost, trial->lower));
  return std::move(driven->line);
}

// Keeps the line of the path that the agent was just given to hold, and forgets those of paths that
// no longer count. Without a line a turn of the path has no room.
void Settling::hold_line(Slot slot, std::optional<DrivenLine> line) {
  const Agent& agent = s_.agents[slot];
  std::vector<DrivenLine>& lines = s_.lines[slot];
  std::erase_if(lines, [&agent](const DrivenLine& old) {
    return std::ranges::none_of(
        agent.past, [&old](const PastPath<NodeId>& past) { return past.version == old.version; });
  });
  s_.agents.row(slot).is_tight = !line;
  if (!line) return;
  line->version = agent.path.version;
  lines.push_back(*std::move(line));
}

// `layer` is the layer that the search saw at `since`, when no goal could be reached.
Outcome Settling::finish_unreachable(Slot slot, const GridLayer& layer, Revision since,
                                     WorkUnits* units) {
  const Agent& agent = s_.agents[slot];
  if (agent.spec.allow_partial) return Outcome::kPartial;
  const AgentRow& row = s_.agents.row(slot);
  const PathClaim claim{{}, row.origin, Standing::kCutOff};
  const ClaimTrial trial = put_to_trial(slot, claim, since, units);
  return tell_unreachable(slot, trial, [&] { return s_.goals_of(slot).goals.any_free(layer); });
}

ClaimTrial Settling::put_to_trial(Slot slot, PathClaim claim, Revision since,
                                  WorkUnits* units) const {
  const Agent& agent = s_.agents[slot];
  if (agent.origin != agent.node) claim.stands = point_of(s_.layer_of(slot), agent);
  const ClaimTrial trial = try_path(s_.log, s_.agents.row(slot).view, s_.layer_of(slot),
                                    s_.goals_of(slot).goals, claim, since, s_.world.revision());
  *units += trial.tests / kTestsPerUnit;
  return trial;
}

}  // namespace repath

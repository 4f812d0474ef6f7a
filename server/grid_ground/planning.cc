#include "grid_ground/planning.h"

#include <algorithm>
#include <utility>

namespace repath {

Planning::Planning(ReplanState& state, Settling& settling_in, Budget& budget_in)
    : s(state),
      settling(settling_in),
      costs(static_cast<std::uint32_t>(state.world.width()) *
            static_cast<std::uint32_t>(state.world.height())),
      budget(budget_in) {}

void Planning::begin_frame(WorkUnits units, WorkUnits slice) {
  labels_left = slice;
  jumps_left = units / 2;
  unmade.clear();
}

SearchKind Planning::kind_for(Slot slot) const {
  const Agent& agent = s.agents[slot];
  const bool is_left_behind = agent.searches_in_vain > 0;
  if (s.agents.row(slot).standing == Standing::kPartial && agent.spec.allow_partial &&
      !is_left_behind)
    return SearchKind::kFlood;
  switch (s.options.strategy) {
    case Strategy::kAStar:
      return is_left_behind ? SearchKind::kDStarLite : SearchKind::kAStar;
    case Strategy::kLpa:
      return is_left_behind ? SearchKind::kDStarLite : SearchKind::kLpa;
    case Strategy::kDStarLite:
      return SearchKind::kDStarLite;
    case Strategy::kField:
      return SearchKind::kField;
    case Strategy::kAuto:
      break;
  }
  const bool jumps = can_jump(s.agents.row(slot).view);
  const bool wants_rooted_in_goal = !jumps || agent.searches_in_vain >= kJumpsInVainMax;
  if (const GoalsEntry& goals = s.goals_of(slot);
      goals.agents >= RepairCosts::kFieldAgentsMin && s.options.uses(SettlerId::kField))
    return wants_rooted_in_goal || field_pays(goals) ? SearchKind::kField : SearchKind::kJump;
  return wants_rooted_in_goal ? SearchKind::kDStarLite : SearchKind::kJump;
}

bool Planning::can_jump(ViewId view) const {
  return s.world.jumps(view) != nullptr && may_want_jumps(view);
}

bool Planning::may_want_jumps(ViewId view) const {
  return s.options.strategy == Strategy::kAuto && s.options.uses(SettlerId::kJumps) &&
         s.world.layer(view).is_uniform();
}

// Returns whether the field pays for those of its agents that wait now.
bool Planning::field_pays(const GoalsEntry& goals) const {
  if (goals.field == nullptr || goals.field->is_empty())
    return costs.field_pays(goals.waiting, std::nullopt);
  return costs.field_pays(goals.waiting,
                          value(s.world.revision()) - value(goals.field->revision()));
}

SearchState* Planning::kept_state(Slot slot, SearchKind kind) {
  const AgentRow& row = s.agents.row(slot);
  GoalsEntry& goals = s.goals[row.goals];
  std::unique_ptr<SearchState>& kept =
      kind == SearchKind::kField ? goals.field : s.agents[slot].search;
  if (kept == nullptr || kept->kind() != kind)
    kept =
        std::make_unique<SearchState>(s.world, s.log, row.view, goals.goals, kind, s.search_memory);
  return kept.get();
}

void Planning::begin_fresh(SearchJob* job) {
  job->state->begin(s.agents[job->slot].origin);
  job->is_repair = false;
  job->is_fresh = true;
  job->spent = 0;
}

void Planning::begin_own(SearchJob* job, SearchKind kind) {
  const AgentRow& row = s.agents.row(job->slot);
  job->own = std::make_unique<SearchState>(s.world, s.log, row.view, s.goals[row.goals].goals, kind,
                                           s.search_memory);
  job->state = job->own.get();
  begin_fresh(job);
}

bool Planning::begin_repair(SearchJob* job, WorkUnits cap) {
  SearchState& state = *job->state;
  if (!state.can_follow(cap * RepairCosts::kFedNodesPerCap)) return false;
  job->behind = value(s.world.revision()) - value(state.revision());
  state.follow();
  job->is_repair = true;
  job->cap = cap;
  ++stats_of(*job).repairs;
  return true;
}

// Returns the counters. Floods are counted with A*: they are fresh and start-rooted too.
StrategyStats& Planning::stats_of(const SearchJob& job) {
  const SearchKind kind = job.state->kind();
  const auto i = kind == SearchKind::kFlood ? 0 : static_cast<std::size_t>(kind);
  return s.stats.strategies[i];
}

bool Planning::settle_proved(Slot slot, std::vector<NodeId> nodes, Cost cost) {
  WorkUnits units = 0;
  const Outcome outcome = settling.finish_proved(slot, std::move(nodes), cost, &units);
  budget.spend(units);
  StrategyStats& stats = s.stats.strategies[static_cast<std::size_t>(SearchKind::kJump)];
  ++stats.searches;
  ++stats.repairs;
  return outcome == Outcome::kServed;
}

void Planning::drop_forgotten_paths(const Turn& turn) {
  std::erase_if(s.agents[turn.slot].proved_paths,
                [&](const ProvedPath& path) { return !s.log.covers(turn.view, path.revision); });
}

std::optional<Recalled> Planning::recall(const Turn& turn, std::size_t i, WorkUnits* units) {
  Agent& agent = s.agents[turn.slot];
  ProvedPath& path = agent.proved_paths[i];
  std::uint64_t tests = 0;
  const auto recalled = recaller.recall(s.log, turn.view, s.world.graph(turn.view),
                                        s.goals_of(turn.slot).goals, path, agent.origin, &tests);
  const WorkUnits used = (tests + kTestsPerUnit - 1) / kTestsPerUnit;
  budget.spend(used);
  *units += used;
  if (recalled) {
    path.looked_at = s.world.revision();
    path.spoiled = recalled->gap ? ProvedPath::Spoiled::kClosed : ProvedPath::Spoiled::kRival;
  }
  return recalled;
}

bool Planning::settle_recalled(const Turn& turn, std::size_t i, const Recalled& recalled) {
  std::vector<ProvedPath>& paths = s.agents[turn.slot].proved_paths;
  std::vector<NodeId> nodes = std::move(paths[i].nodes);
  paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(i));
  nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(recalled.at));
  return settle_proved(turn.slot, std::move(nodes), recalled.held);
}

Tried Planning::settle_cut_off(Slot slot, SearchJob* job) {
  WorkUnits units = 0;
  const Outcome outcome = settling.cut_off(slot, &units);
  budget.spend(units);
  if (outcome == Outcome::kServed) {
    ++s.stats.filter_settled;
    return Tried::kSettled;
  }
  begin_own(job, SearchKind::kFlood);
  return Tried::kJob;
}

void Planning::note_cut_off(ViewId view) {
  if (s.options.strategy != Strategy::kAuto || !s.options.uses(SettlerId::kLabels) ||
      s.reach.units_behind(view) <= Reachability::kUnitsAtCommit ||
      ++cut_off_without_labels_ <= Reachability::kLooksAtCommit)
    return;
  WorkUnits units = 0;
  s.reach.update(view, &labels_left, &units);
  budget.spend(units);
}

bool Planning::are_apart(Slot slot) {
  const AgentRow& row = s.agents.row(slot);
  WorkUnits units = 0;
  const bool is_current = s.reach.update(row.view, &labels_left, &units);
  const bool is_proved = is_current && s.reach.are_apart(row.view, s.agents[slot].origin,
                                                         s.goals_of(slot).goals, &units);
  budget.spend(units);
  costs.note_labels(is_proved);
  return is_proved;
}

}  // namespace repath

// The planner's ways to settle an agent without a search for it: is it cut off, was its path, or
// one much like it, proved before?
#include <utility>

#include "replan/detour.h"
#include "replan/planner.h"
#include "replan/recall.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerLook = 4;  // around a place for whether it is enclosed

}  // namespace

// By a path that was proved before and is again, or can be mended at its old cost. Those that the
// log has forgotten are dropped.
bool Planner::settle_by_known_path(Slot slot) {
  Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  if (!s_.recalls_paths(slot)) return false;
  std::erase_if(agent.proved_paths,
                [&](const ProvedPath& path) { return !s_.log.covers(row.view, path.revision); });
  const bool may_detour = can_jump(row.view);
  for (std::size_t i = agent.proved_paths.size(); i-- > 0;) {
    ProvedPath& path = agent.proved_paths[i];
    const bool is_broken_one = i + 1 == agent.proved_paths.size() && agent.broken_at;
    if (is_broken_one
            ? !may_detour || !costs_.detours_pay()
            : !may_count_again(s_.log, row.view, path) || !costs_.recalls_pay(agent.path.holds()))
      continue;
    std::uint64_t tests = 0;
    const auto recalled = recaller_.recall(s_.log, row.view, s_.world.graph(row.view),
                                           s_.goals_of(slot).goals, path, agent.origin, &tests);
    const WorkUnits units = (tests + kTestsPerUnit - 1) / kTestsPerUnit;
    budget_.spend(units);
    const bool counts = recalled && !recalled->gap && recalled->held <= recalled->lower;
    if (!is_broken_one) costs_.note_recall(agent.path.holds(), units, counts);
    if (!recalled) continue;
    path.looked_at = s_.world.revision();
    path.spoiled = recalled->gap ? ProvedPath::Spoiled::kClosed : ProvedPath::Spoiled::kRival;
    if (!counts) {
      if (is_broken_one && recalled->gap && recalled->held <= recalled->lower &&
          settle_by_detour(slot, path, *recalled))
        return true;
      continue;
    }
    ProvedPath known = std::move(agent.proved_paths[i]);
    agent.proved_paths.erase(agent.proved_paths.begin() + static_cast<std::ptrdiff_t>(i));
    known.nodes.erase(known.nodes.begin(),
                      known.nodes.begin() + static_cast<std::ptrdiff_t>(recalled->at));
    return settle_proved(slot, std::move(known.nodes), recalled->held);
  }
  return false;
}

bool Planner::settle_by_detour(Slot slot, const ProvedPath& path, const Recalled& recalled) {
  const ViewId view = s_.agents.row(slot).view;
  WorkUnits units = 0;
  std::vector<NodeId> nodes =
      find_detour(s_.world.graph(view), *s_.world.jumps(view), s_.search_memory.idle(), path.nodes,
                  recalled.at, *recalled.gap, costs_.detour_cap(), &units);
  budget_.spend(units);
  costs_.note_work(units);
  costs_.note_detour(units, !nodes.empty());
  s_.stats.strategies[static_cast<std::size_t>(SearchKind::kJump)].expansions += units;
  return !nodes.empty() && settle_proved(slot, std::move(nodes), recalled.held);
}

bool Planner::settle_proved(Slot slot, std::vector<NodeId> nodes, Cost cost) {
  WorkUnits units = 0;
  const Outcome outcome = settling_.finish_proved(slot, std::move(nodes), cost, &units);
  budget_.spend(units);
  StrategyStats& stats = s_.stats.strategies[static_cast<std::size_t>(SearchKind::kJump)];
  ++stats.searches;
  ++stats.repairs;
  return outcome == Outcome::kServed;
}

// Whether the ends of a path that broke were within reach of each other when it was last proved,
// and nothing since can have parted them.
bool Planner::hung_together(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  return row.standing == Standing::kPath && agent.proved != Revision{} &&
         s_.reach.is_whole_since(row.view, agent.proved) &&
         s_.layer_of(slot).is_free(agent.path.nodes.back());
}

// Who holds a whole path can reach its goal.
bool Planner::may_be_cut_off(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  return (!agent.path.holds() || agent.broken_at) && !hung_together(slot);
}

bool Planner::is_enclosed(Slot slot) {
  const AgentRow& row = s_.agents.row(slot);
  Agent& agent = s_.agents[slot];
  if (agent.not_enclosed_at == s_.world.revision()) {
    agent.was_enclosed = false;
    return false;
  }
  budget_.spend(kUnitsPerLook);
  agent.was_enclosed = s_.reach.is_enclosed(row.view, agent.origin, s_.goals_of(slot).goals);
  return agent.was_enclosed;
}

// By labels, without a search; they are brought up to date for at most a slice a frame, for whoever
// is not answered by them has to search.
bool Planner::is_apart(Slot slot) {
  const AgentRow& row = s_.agents.row(slot);
  WorkUnits units = 0;
  const bool is_current = s_.reach.update(row.view, &labels_left_, &units);
  const bool is_proved = is_current && s_.reach.are_apart(row.view, s_.agents[slot].origin,
                                                          s_.goals_of(slot).goals, &units);
  budget_.spend(units);
  costs_.note_labels(is_proved);
  return is_proved;
}

// A search has gone on for as long as labels are worth. True if the job is done with.
bool Planner::settle_by_labels(Job* job) {
  job->labels_at = 0;
  if (!is_apart(job->slot)) return false;
  costs_.note_in_vain(job->spent);
  if (settle_cut_off(job->slot) != Outcome::kFlood) return true;
  begin_own(job, SearchKind::kFlood);
  return false;
}

// An agent of the view is cut off, as something else than labels said. If there are more of these
// than a commit looks at one by one, labels are to tell it whom an opening wakes.
void Planner::make_labels(ViewId view) {
  if (s_.options.strategy != Strategy::kAuto ||
      s_.reach.units_behind(view) <= Reachability::kUnitsAtCommit ||
      ++cut_off_without_labels_ <= Reachability::kLooksAtCommit)
    return;
  WorkUnits units = 0;
  s_.reach.update(view, &labels_left_, &units);
  budget_.spend(units);
}

Outcome Planner::settle_cut_off(Slot slot) {
  WorkUnits units = 0;
  const Outcome outcome = settling_.cut_off(slot, &units);
  budget_.spend(units);
  if (outcome == Outcome::kServed) ++s_.stats.filter_settled;
  return outcome;
}

}  // namespace repath

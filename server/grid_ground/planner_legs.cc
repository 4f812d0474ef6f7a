// The planner's first legs: whose is due, and how much of a frame they get.
#include <algorithm>
#include <optional>

#include "grid_ground/planner.h"

namespace repath {
namespace {

constexpr std::size_t kLegsLookAhead = 4096;  // waiting agents asked, to find one whose leg is due

}  // namespace

// Works on first legs after a round that used `round` units. First legs get as many, as long as
// they do not exceed half of the frame.
void Planner::go_on_with_legs(WorkUnits round) {
  if (!legs_.may_lead_any()) return;
  WorkUnits left = std::min(legs_budget_.left(), planning_.budget.left());
  if (!s_.options.leads_always()) left = std::min(left, round);
  while (left > 0) {
    WorkUnits units = 0;
    std::optional<Slot> settled;
    legs_.drop_in_vain();
    if (!legs_.is_idle()) {
      settled = legs_.advance(left, proved_least(legs_.slot()), &units);
    } else if (const std::optional<Slot> slot = next_to_lead()) {
      legs_.begin(*slot, &units);
    } else {
      return;
    }
    if (settled) std::erase_if(jobs_, [&](const SearchJob& job) { return job.slot == *settled; });
    planning_.budget.spend(units);
    s_.stats.leg_work_units += units;
    legs_budget_.spend(units);
    left -= std::min(left, units);
  }
}

// Returns the lower bound of a path's cost today that the agent's search in progress has proved so
// far.
Cost Planner::proved_least(Slot slot) const {
  const auto job = std::ranges::find(jobs_, slot, &SearchJob::slot);
  if (job == jobs_.end() || job->state->is_empty() || job->state->revision() != s_.world.revision())
    return 0;
  return job->state->search().lower_bound(s_.agents[slot].origin);
}

// Returns the next agent whose leg is due: first agents whose search is in progress, in the order
// of their begin, then the agents that wait behind them.
std::optional<Slot> Planner::next_to_lead() {
  for (const SearchJob& job : jobs_)
    if (is_leg_due(job.slot)) return job.slot;
  if (looked_for_legs_) return std::nullopt;
  const auto slot = s_.queue.next(
      s_.frame, [this](Slot candidate) { return is_leg_due(candidate); }, kLegsLookAhead);
  looked_for_legs_ = !slot;
  return slot;
}

// Returns whether the search that the agent waits for has cost as much as a leg. A field answers
// all agents that share it, so it is compared with legs for all of them.
bool Planner::is_leg_due(Slot slot) const {
  if (!legs_.may_lead(slot)) return false;
  const SearchKind kind = planning_.kind_for(slot);
  const bool is_soon_answered =
      kind == SearchKind::kJump || kind == SearchKind::kFlood ||
      std::ranges::find(planning_.unmade, s_.agents.row(slot).view) != planning_.unmade.end();
  if (is_soon_answered) return false;
  const WorkUnits sharers = kind == SearchKind::kField ? s_.goals_of(slot).waiting : 1;
  return units_waited_for(slot, kind) >= sharers * legs_.price(slot);
}

// Returns the units that the agent's search has cost so far. For a search that has not begun,
// returns the least units of the searches in progress that it waits for; 0 if it need not wait.
// While memory is short all agents wait for the one search that goes on.
WorkUnits Planner::units_waited_for(Slot slot, SearchKind kind) const {
  const SearchState* field = kind == SearchKind::kField ? s_.goals_of(slot).field.get() : nullptr;
  WorkUnits least = ~WorkUnits{0};
  WorkUnits most = 0;
  for (const SearchJob& job : jobs_) {
    const bool is_its_own = job.slot == slot || (field != nullptr && job.state == field);
    if (is_its_own && !is_short_) return job.waited;
    least = std::min(least, job.waited);
    most = std::max(most, job.waited);
  }
  if (is_short_) return most;
  return jobs_.size() >= kJobsMax ? least : 0;
}

}  // namespace repath

#include "route_ground/kept_searches.h"

#include <memory>

namespace repath {

void RouteSearchCosts::note_single(WorkUnits units, bool is_answer) {
  singles_.searches += is_answer ? 1 : 0;
  singles_.units += units;
  if (singles_.searches < CostOfAttempts::kRemembered) return;
  singles_.searches /= 2;
  singles_.units /= 2;
}

WorkUnits RouteSearchCosts::single_fresh() const {
  const Kind& a_star = of(SearchKind::kAStar);
  const Kind& d_star = of(SearchKind::kDStarLite);
  const std::uint64_t searches = a_star.searches + d_star.searches;
  return searches == 0 ? mean_fresh(SearchKind::kAStar) : (a_star.units + d_star.units) / searches;
}

SearchKind KeptSearches::kind_for(Slot slot) {
  const RouteGround& ground = s_.ground_of(slot);
  if (!ground.keeps_searches(s_.goals_of(slot).points.size())) return SearchKind::kAStar;
  switch (s_.options.strategy) {
    case Strategy::kAStar:
      return SearchKind::kAStar;
    case Strategy::kLpa:
      return SearchKind::kLpa;
    case Strategy::kDStarLite:
      return SearchKind::kDStarLite;
    case Strategy::kField:
      return SearchKind::kField;
    case Strategy::kAuto:
      break;
  }
  if (ground.is_continuous()) return SearchKind::kAStar;
  if (const RouteGoals& goals = s_.goals_of(slot);
      goals.agents >= RepairCosts::kFieldAgentsMin && field_pays(goals))
    return SearchKind::kField;
  return costs.repairs_pay() ? SearchKind::kDStarLite : SearchKind::kAStar;
}

bool KeptSearches::may_use_field(Slot slot) const {
  if (s_.options.strategy == Strategy::kField) return true;
  return s_.options.strategy == Strategy::kAuto &&
         s_.goals_of(slot).agents >= RepairCosts::kFieldAgentsMin;
}

// Returns whether the field pays for those of its agents that wait now.
bool KeptSearches::field_pays(const RouteGoals& goals) const {
  if (goals.field == nullptr || goals.field->is_empty()) return costs.new_field_pays(goals.waiting);
  return costs.field_pays(goals.waiting,
                          value(s_.world.revision()) - value(goals.field->revision()));
}

RouteSearchState* KeptSearches::state_of(Slot slot, SearchKind kind) {
  const RouteRow& row = s_.agents.row(slot);
  std::unique_ptr<RouteSearchState>& kept =
      kind == SearchKind::kField ? s_.goals[row.goals].field : s_.agents[slot].search;
  if (kept == nullptr || kept->kind() != kind)
    kept = std::make_unique<RouteSearchState>(s_.world, s_.log, row.view, kind, s_.search_memory);
  return kept.get();
}

WorkUnits KeptSearches::cap_of(SearchKind kind) const {
  if (kind == SearchKind::kField) return costs.field_cap();
  return costs.repair_cap(s_.options.strategy == Strategy::kAuto ? SearchKind::kAStar : kind);
}

}  // namespace repath

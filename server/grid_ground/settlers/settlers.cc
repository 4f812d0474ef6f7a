#include "grid_ground/settlers/settlers.h"

namespace repath {

Settlers::Settlers(Planning& planning)
    : enclosed_(planning),
      recall_(planning),
      labels_(planning),
      jump_map_(planning),
      detour_(planning),
      recall_broken_(planning),
      labels_behind_(planning),
      field_(planning),
      repair_(planning),
      jumps_(planning),
      search_(planning) {
  const auto add = [&](SettlerId id, Settler& settler) {
    if (planning.s.options.uses(id)) list_.push_back(&settler);
  };
  add(SettlerId::kEnclosed, enclosed_);
  add(SettlerId::kRecall, recall_);
  add(SettlerId::kLabels, labels_);
  add(SettlerId::kJumps, jump_map_);
  add(SettlerId::kDetour, detour_);
  add(SettlerId::kRecall, recall_broken_);
  add(SettlerId::kLabels, labels_behind_);
  add(SettlerId::kField, field_);
  add(SettlerId::kRepair, repair_);
  add(SettlerId::kJumps, jumps_);
  list_.push_back(&search_);
}

Tried Settlers::settle(Turn* turn) {
  for (Settler* settler : list_)
    if (const Tried tried = settler->attempt(turn); tried != Tried::kNext) return tried;
  return Tried::kNext;
}

}  // namespace repath

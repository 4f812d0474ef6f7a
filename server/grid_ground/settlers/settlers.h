// The list of settlers. The first one that can settles the agent whose turn has come.
//
// The order is by cost: a look at the ground, paths known before, kept searches, searches from
// scratch. Every settler is exact by itself, so the order decides nothing but the work.
#pragma once

#include <vector>

#include "grid_ground/planning.h"
#include "grid_ground/settlers/detour.h"
#include "grid_ground/settlers/enclosed.h"
#include "grid_ground/settlers/field.h"
#include "grid_ground/settlers/jump_map.h"
#include "grid_ground/settlers/jumps.h"
#include "grid_ground/settlers/labels.h"
#include "grid_ground/settlers/recall.h"
#include "grid_ground/settlers/repair.h"
#include "grid_ground/settlers/search.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class Settlers {
 public:
  // Leaves out the settlers that ReplanOptions::without names. Borrows `planning`.
  explicit Settlers(Planning& planning);
  Settlers(const Settlers&) = delete;
  Settlers& operator=(const Settlers&) = delete;

  // Asks the settlers in turn. Never returns kNext: the last settler always has a search. REQUIRES:
  // the agent waits and stands on free ground, or something free stands in for its place.
  Tried settle(Turn* turn);

 private:
  EnclosedSettler enclosed_;
  RecallSettler recall_;
  LabelsSettler labels_;
  JumpMapSettler jump_map_;
  DetourSettler detour_;
  RecallBrokenSettler recall_broken_;
  LabelsBehindSettler labels_behind_;
  FieldSettler field_;
  RepairSettler repair_;
  JumpsSettler jumps_;
  SearchSettler search_;
  std::vector<Settler*> list_;
};

}  // namespace repath

// The list of settlers. The first one that can settles the agent whose turn has come.
//
// The order is by cost: a look at the ground, paths known before, kept searches, searches from
// scratch. Every settler is exact by itself, so the order decides nothing but the work.
#pragma once

#include <vector>

#include "replan/planning.h"
#include "replan/settlers/detour.h"
#include "replan/settlers/enclosed.h"
#include "replan/settlers/field.h"
#include "replan/settlers/jump_map.h"
#include "replan/settlers/jumps.h"
#include "replan/settlers/labels.h"
#include "replan/settlers/recall.h"
#include "replan/settlers/repair.h"
#include "replan/settlers/search.h"
#include "replan/settlers/settler.h"

namespace repath {

class Settlers {
 public:
  // Leaves out the settlers that ReplanOptions::without names. Borrows `planning`.
  explicit Settlers(Planning& planning);
  Settlers(const Settlers&) = delete;
  Settlers& operator=(const Settlers&) = delete;

  // Asks the settlers in turn. Never kNext: the last one always has a search. REQUIRES: the agent
  // waits and stands on free ground, or something free stands in for its place.
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

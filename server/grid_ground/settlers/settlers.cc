#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

struct Entry {
  SettlerId id;
  Tried (*attempt)(Planning& p, Turn* turn);
};

// `recall` and `labels` stand twice. A path that did not break is recalled before the jump map is
// made, a broken one only after `detour`, which mends it for less. Labels that are current cost a
// look; those that lie behind go after all that may answer without them.
constexpr Entry kSettlers[] = {
    {SettlerId::kEnclosed, try_enclosed},    {SettlerId::kRecall, try_recall},
    {SettlerId::kLabels, try_labels},        {SettlerId::kJumps, make_jump_map},
    {SettlerId::kDetour, try_detour},        {SettlerId::kRecall, try_recall_broken},
    {SettlerId::kLabels, try_labels_behind}, {SettlerId::kField, try_field},
    {SettlerId::kRepair, try_repair},        {SettlerId::kJumps, try_jumps},
};

}  // namespace

Tried settle_turn(Planning& p, Turn* turn) {
  for (const Entry& settler : kSettlers) {
    if (!p.s.options.uses(settler.id)) continue;
    if (const Tried tried = settler.attempt(p, turn); tried != Tried::kNext) return tried;
  }
  return begin_search(p, turn);
}

}  // namespace repath

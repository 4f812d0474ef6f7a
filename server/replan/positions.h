// Where agents say they are: along the path they hold, along an older one, or astray.
//
// A position within half a cell of a path's segment counts as its nearer node. Walking along the
// held path keeps every proof (the rest of a shortest path is a shortest path). Following an older
// path, as long as the newer one is neither acknowledged nor named in a report, is no straying; it
// proves nothing about the new position either, unless that lies on the held path too.
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "replan/state.h"
#include "replan/verdicts.h"

namespace repath {

class Positions {
 public:
  Positions(ReplanState& state, Verdicts& verdicts) : s_(state), v_(verdicts) {}

  // REQUIRES: the point is on the map. O(1) for a step along the path, O(length) for straying.
  void report(Slot slot, MapPoint point, PathVersion follows);
  // Of the paths sent, `version` and older ones have arrived: paths older than it are forgotten.
  void acknowledge(Slot slot, PathVersion version);
  // Puts a new or changed agent on its node; proves nothing.
  void place(Slot slot, NodeId node);

 private:
  void walk(Slot slot, std::uint32_t to);
  void stay(Slot slot);
  void leave(Slot slot, NodeId node, bool follows_past);
  void move_without_path(Slot slot, NodeId node);

  ReplanState& s_;
  Verdicts& v_;
};

// The place in `nodes`, not before `from`, of the node that `point` counts as: the nearer end of
// the first segment no farther than half a cell, or of a nearer one that follows it at once. Empty:
// it is off the path. Skips ahead as far as a path can lead in so many steps.
std::optional<std::uint32_t> place_on_path(const GridLayer& layer, std::span<const NodeId> nodes,
                                           std::uint32_t from, MapPoint point);

}  // namespace repath

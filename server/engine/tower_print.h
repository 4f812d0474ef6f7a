// The cells that a tower would bar from walkers of one kind, and the cells around them.
//
// A tower covers w x h cells from its anchor on, the cell with the least column and row. Places of
// cells are relative to the anchor. On hexagons they depend on whether the anchor's row is odd.
// Pure data and functions, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grid/cells/clearance.h"
#include "grid/cells/place.h"
#include "grid/cells/topology.h"

namespace repath {

// Sides of a tower, in cells.
struct TowerSize {
  std::int32_t width = 1;
  std::int32_t height = 1;
};

// Returns the steps that decide what hangs together, as (dx, dy). On squares these are the four
// straight ones under every topology and corner rule, because a diagonal step needs a free flank
// (grid/components/components.h). `odd`: the step starts in an odd row.
std::span<const Place> joining_steps(Topology topology, bool odd);

struct TowerPrint {
  // Cells that the tower bars: those that it covers, and those that are nearer to them than the
  // walker's radius.
  std::vector<Place> barred;
  // Cells that are not barred and lie beside a barred one. On squares those at a corner count too,
  // so that the ring of open ground around a tower hangs together by straight steps.
  std::vector<Place> ring;
  bool is_ring_joined = false;  // steps within the ring lead from each of its cells to each other
  // Pairs of ring cells that a step joins.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joints;
  // (ring cell, barred cell) that a step joins.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;
};

// Makes the print of a tower whose cells the walker sees, all but those with `hidden[row * width +
// column]` set; an empty `hidden` hides none. `odd`: the anchor is in an odd row.
// O((width + reach) x (height + reach) x height).
TowerPrint make_tower_print(TowerSize size, const Disc& disc, Topology topology, bool odd,
                            std::span<const std::uint8_t> hidden = {});

}  // namespace repath

// The walls of a base mesh, grown for walkers that are wider than the mesh was made for. A carved
// mesh that has them leaves out the ground within them, whatever obstacles come and go.
//
// A wall is an edge of a base cell with no cell behind it. It grows as obstacles do
// (geometry/grow.h): the hull of the 16-gons around its ends, rounded outward to a millimetre.
//
// A wall takes ground only where that ground hangs together with the wall inside the grown wall. So
// a wall takes nothing from floors above and below, however near they are. Nothing is missing
// either: if the straight line from a place to a wall leaves the ground, it passes another wall,
// and that one is nearer.
//
// Where a grown wall lies inside of another one all over a cell, by kWithinMargin, the cell does
// without it. The ground that is left is the same.
//
// Immutable once made; const functions may run on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "geometry/ring.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr std::size_t kCarveWallsPerCell = 256;  // that concern one base cell

class CarveWalls {
 public:
  // Grows the walls of `base` by `by` world units, in (0, 64]. Errors: WorkMeter::error, or
  // WorkMeter::check_memory, at "radius"; RESOURCE_EXHAUSTED with reason CELL_CROWDED, field
  // "radius"; OUT_OF_RANGE with reason OUTSIDE_LATTICE. O(walls, each times the cells that it
  // reaches), and for each cell O(its walls squared).
  static absl::StatusOr<CarveWalls> find(const NavMesh& base, double by, WorkMeter* work,
                                         std::size_t per_cell_max = kCarveWallsPerCell);

  // Returns the numbers of the rings that concern the base cell, ascending.
  std::span<const std::uint32_t> of_cell(std::uint32_t base_cell) const {
    return std::span(numbers_).subspan(firsts_[base_cell],
                                       firsts_[base_cell + 1] - firsts_[base_cell]);
  }
  // Returns a grown wall: convex and counterclockwise.
  const LatticeRing& ring(std::uint32_t number) const { return rings_[number]; }
  // Returns about the work of carving all cells, in the units of WorkMeter. O(cells).
  std::uint64_t units_to_carve() const;
  // Returns about the memory of this and of what carving keeps in a mesh.
  std::size_t bytes() const;

 private:
  friend class WallFinder;

  std::vector<LatticeRing> rings_;      // by wall, in the order of the base's edges
  std::vector<std::uint32_t> firsts_;   // by base cell, its first place in numbers_; one more
  std::vector<std::uint32_t> numbers_;  // of rings
};

}  // namespace repath

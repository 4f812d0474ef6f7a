// All cells of a mesh that begin within a length of a place, over the ground, and the point at
// which each is entered first. It is an any-angle search (navmesh/search/any_angle.h) up to that
// length.
//
// Why the nearest points are exact: each cone offers a way to the nearest point that it sees of its
// edge. The shortest way to a cell ends at the cell's first point, on the edge by which a cone of
// that way enters. If that cone was pruned, some other way is as short. So the least over all cones
// is exact, to rounding.
// Not thread-safe; borrows core and mesh as AnyAngleSearch does. Memory is kept from search to
// search: 48 bytes a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "navmesh/search/cone_core.h"
#include "navmesh/search/stamped.h"

namespace repath {

class CellsWithin {
 public:
  // The nearest point of a cell, and the way there. Lattice steps.
  struct Entry {
    double length = 0;  // from the start
    double x = 0;       // of the closed cell, to rounding
    double z = 0;
    Point bend;                      // the last bend of the way, or the start
    std::uint32_t before = kNoCell;  // the cell that it is entered from; of a start's cell itself
    std::uint32_t stamp = 0;
  };

  explicit CellsWithin(ConeCore* core) : core_(core) {}

  // Begins a search; forgets the last one. `length` in world units. REQUIRES: the place lies in its
  // live cell.
  void begin(const NavMesh& mesh, const MeshPlace& start, double length);
  // As AnyAngleSearch::advance(), but ends with kNoPath. The functions below REQUIRE that end.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Each cell that begins within the length, and some that do not, once, in no order.
  const std::vector<std::uint32_t>& entered() const { return entered_; }
  // REQUIRES: a cell of entered().
  const Entry& entry_of(std::uint32_t cell) const { return entries_[cell]; }
  std::size_t bytes() const {
    return core_->bytes() + entries_.bytes() + entered_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Listener;
  void enter(std::uint32_t cell, Entry entry);

  ConeCore* core_;
  double limit_ = 0;  // lattice steps
  Stamped<Entry> entries_;
  std::vector<std::uint32_t> entered_;
};

}  // namespace repath

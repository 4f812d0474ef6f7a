// Lengths of the shortest ways over the ground from one place to all vertices of a mesh: an
// any-angle search (navmesh/search/any_angle.h) without a goal.
//
// Not thread-safe; borrows core and mesh as AnyAngleSearch does.
#pragma once

#include <cstdint>

#include "navmesh/search/cone_core.h"
#include "navmesh/search/known_lengths.h"

namespace repath {

class LengthsFrom {
 public:
  explicit LengthsFrom(ConeCore* core) : core_(core) {}

  // Begins a search; forgets the last one. REQUIRES: the place lies in its live cell.
  void begin(const NavMesh& mesh, const MeshPlace& start);
  // As AnyAngleSearch::advance(), but ends with kNoPath once all ground is seen. The functions
  // below REQUIRE that end.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Lattice steps, to within 2^-40 of itself; infinite if there is no way. A vertex on which the
  // start lies counts for nothing.
  double length(std::uint32_t vertex) const { return core_->roots.length(vertex); }
  // O(vertices).
  void append_lengths(KnownLengths* out) const;
  std::uint64_t expanded() const { return core_->queue.expanded; }

 private:
  ConeCore* core_;
};

}  // namespace repath

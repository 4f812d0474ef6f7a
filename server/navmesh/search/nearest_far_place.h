// The place nearest to a start over the ground that is far enough from some threats: an any-angle
// search (navmesh/search/any_angle.h) to whichever place comes first.
//
// The last leg of the shortest way leads from a root through a cone into the place's cell. Or it
// bends at an end of the cone's edge, into the part of the cell that the root does not see. So the
// place is the nearest one of a cell behind a cone's edge, the least over all cones. Cones that
// begin no nearer than the best known place are left out. Not thread-safe; borrows core and mesh as
// AnyAngleSearch does, and the places.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/point.h"
#include "navmesh/search/cone_core.h"
#include "navmesh/search/far_places.h"

namespace repath {

class NearestFarPlace {
 public:
  explicit NearestFarPlace(ConeCore* core) : core_(core) {}

  // Begins a search; forgets the last one. REQUIRES: `start` lies in its live cell.
  void begin(const NavMesh& mesh, const MeshPlace& start, const FarPlaces& places);
  // As AnyAngleSearch::advance(), but ends with kNoPath. The functions below REQUIRE that end.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // The place, computed, so it may lie beside its cell by rounding. Its cell is kNoCell if none can
  // be reached.
  const MeshPlace& place() const { return place_; }
  // Length of the way there, lattice steps.
  double length() const { return length_; }

 private:
  struct Listener;
  void look_through(const Cone& cone, const NavMesh::Edge& right, const NavMesh::Edge& left);
  void offer(std::uint32_t cell, std::span<const Point> seen, Point from, double g);

  ConeCore* core_;
  const FarPlaces* places_ = nullptr;
  MeshPlace place_;
  double length_ = 0;
};

}  // namespace repath

// A path through the cells of a corridor: each stretch of ground between links is pulled tight like
// a string. Across unequal costs that may make it dearer. Then each part of the stretch over ground
// of one factor is pulled tight, and the path leads from part to part where the search did. The
// path costs no more than what the search found.
//
// Source: the funnel algorithm of B. Chazelle (1982) and D. T. Lee, F. P. Preparata (1984), in the
// simple form that begins again at each bend. Sides are exact (navmesh/mesh/exact_side.h).
//
// Not thread-safe. Borrows mesh and filter from begin() until the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr std::uint32_t kNoLink = ~std::uint32_t{0};

// A bend, an end of the path, or an end of a link.
struct CorridorCorner {
  Point at;                                  // world units
  std::uint32_t vertex = ~std::uint32_t{0};  // none at start, goal and links' ends
  std::uint32_t link =
      kNoLink;  // the link over which the path goes on: place in the mesh's links()
  bool operator==(const CorridorCorner&) const = default;
};

// A link in one of its directions.
struct LinkRide {
  std::uint32_t link = kNoLink;
  LatticePoint near{};
  LatticePoint far{};
  std::uint32_t far_cell = kNoCell;

  LinkRide(const NavMesh& mesh, std::uint32_t place, bool is_forward);
  double length() const;  // horizontal, lattice steps
};

// A portal in the direction in which it is passed: its ends, in lattice steps, and the vertices
// there.
struct Portal {
  double left_x = 0;
  double left_z = 0;
  double right_x = 0;
  double right_z = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

// One bend, or the end, of the line through a row of portals.
struct FunnelPoint {
  double x = 0;
  double z = 0;
  std::uint32_t vertex = ~std::uint32_t{0};
  std::uint32_t passed = 0;  // number of portals passed from the start to here
};

class CorridorPath {
 public:
  // Forgets the path.
  void clear();
  // Begins a path in the start's cell.
  void begin(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& start);
  // Goes on through an edge, given as the cell behind it has it; the search passed it at (x, z).
  void add_portal(std::uint32_t edge, double x, double z);
  void add_link(const LinkRide& ride);
  // Ends the path, or what leads to a link, at a place of the last cell, lattice steps. O(portals)
  // as a rule.
  void end(double x, double z);

  double cost() const { return cost_; }      // world units times factors
  double length() const { return length_; }  // of ground and links, horizontal, world units
  const std::vector<CorridorCorner>& corners() const { return corners_; }
  // Cells crossed, in order.
  const std::vector<std::uint32_t>& cells() const { return cells_; }
  std::size_t bytes() const;

 private:
  void begin_stretch(double x, double z, std::uint32_t cell);
  bool pull_in_parts(const FunnelPoint& last);
  // Returns the factor of the cell behind so many portals of the stretch.
  double factor_at(std::uint32_t passed) const;
  double cost_of(const std::vector<FunnelPoint>& points) const;
  void append(const CorridorCorner& corner, double cost);

  const NavMesh* mesh_ = nullptr;
  const NavFilter* filter_ = nullptr;
  double cost_ = 0;
  double length_ = 0;
  std::vector<CorridorCorner> corners_;
  std::vector<std::uint32_t> cells_;
  // The stretch in work: its beginning, the place of its first cell in cells_, its portals, and the
  // points at which the search passed them.
  double from_x_ = 0;
  double from_z_ = 0;
  std::size_t first_cell_ = 0;
  std::vector<Portal> portals_;
  std::vector<FunnelPoint> passed_;
  std::vector<FunnelPoint> pulled_;
  std::vector<FunnelPoint> parts_;
};

}  // namespace repath

// Finds the cell that holds a point, the ground nearest to a point, and random points evenly by
// area. It uses buckets over the cells' boxes.
//
// Thread rule: const functions may run on any number of threads. Borrows the mesh, which must not
// change during the calls. Memory: at most 8 entries of 4 bytes for each cell, and about one bucket
// for each cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/mesh/nearest_on_slope.h"

namespace repath {

struct NearestPlace {
  MeshPlace place;
  double y = 0;         // height of the ground there, world units
  double distance = 0;  // distance to it in space, world units
};

// Takes the point of the cell's ground that is nearest in space, of those that satisfy `wish`, for
// `best` if it is nearer. Returns whether it did. How a cell is cut from its ground changes nothing
// but the rounding.
bool offer_nearest(const NavMesh& mesh, std::uint32_t cell, const HeightCell& ground,
                   const NearestWish& wish, std::optional<NearestPlace>* best);

// The greatest radius of a search for the nearest ground, world units.
inline constexpr double kNearestFar = 4 * kLatticeExtent;

// Returns whether ground may be within kNearestFar; NaN is not. Differences of such points are
// exact in fine steps, as they are within the extent.
inline bool is_near_extent(Point at) {
  constexpr double kMost = kLatticeExtent + kNearestFar;
  return std::abs(at.x) <= kMost && std::abs(at.z) <= kMost;
}

class CellFinder {
 public:
  // O(cells).
  explicit CellFinder(const NavMesh& mesh);

  // Returns the cell whose ground at the point is nearest to `y`, at most `reach` away; the least
  // index among equals. (Where blocked ground touches itself at a point, that is one of its sides.)
  // Empty if there is none. In world units.
  std::optional<MeshPlace> find_cell(Point at, double y, double reach) const;

  // Returns the nearest point of ground that the filter allows, at most `radius` away in the plane
  // and `reach` in height. Compares distances in space from (x, y, z), then cell indexes. `at` may
  // lie outside the lattice. In world units. Adds its looks, as find_boxes().
  // O(cells within twice the distance found).
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter,
                                           std::uint64_t* looks = nullptr) const;
  // The same, with the cells of another mesh on this one's ground: offer(cell, wish, best) takes
  // the nearest place of what lies on a cell for `best`.
  template <class Offer>
  std::optional<NearestPlace> find_nearest_of(const NavMesh& ground, Point at, double y,
                                              double radius, double reach, Offer offer,
                                              std::uint64_t* looks = nullptr) const;

  // Returns the number of cells and buckets within the radius, or more. O(rows of buckets).
  std::uint64_t count_near(Point at, double radius) const;

  // Returns a random point of the mesh, evenly by area in the plane. Equal numbers from `random`
  // give equal points. O(log cells).
  MeshPlace random_place(Random* random) const;

  // Appends the cells whose closed boxes meet the closed box, ascending; bounds in lattice steps.
  // Adds the number of buckets and vertices that it looked at to `*looks`, if it is given.
  void find_boxes(double min_x, double max_x, double min_z, double max_z,
                  std::vector<std::uint32_t>* cells, std::uint64_t* looks = nullptr) const;

  std::size_t bytes() const;

 private:
  struct Range {
    std::int64_t left, right, top, bottom;  // buckets, all inclusive
  };
  Range buckets_of(double min_x, double max_x, double min_z, double max_z) const;
  Range box_of(std::uint32_t cell) const;
  void choose_side();
  void fill();

  const NavMesh* mesh_;
  double min_x_ = 0;  // lattice steps
  double min_z_ = 0;
  double side_ = 1;  // side of a bucket
  std::int64_t width_ = 1;
  std::int64_t height_ = 1;
  std::vector<std::uint32_t> firsts_;  // by bucket, offset in cells_
  std::vector<std::uint32_t> cells_;
  std::vector<double> areas_;  // sums of areas up to and including each cell
};

// Looks in squares of twice the side each time, until what was found is nearer than what is
// outside.
template <class Offer>
std::optional<NearestPlace> CellFinder::find_nearest_of(const NavMesh& ground, Point at, double y,
                                                        double radius, double reach, Offer offer,
                                                        std::uint64_t* looks) const {
  if (!is_near_extent(at) || radius < 0) return std::nullopt;
  const NearestWish wish{to_fine_steps(at.x), to_fine_steps(at.z), y, radius, reach};
  std::optional<NearestPlace> best;
  std::vector<std::uint32_t> near;
  const double far = std::min(wish.radius, kNearestFar);
  for (double side = std::min(far, 1.0);; side = std::min(far, 2 * side)) {
    const double steps = side * kLatticePerUnit + 1;
    near.clear();
    best.reset();
    find_boxes(wish.x - steps, wish.x + steps, wish.z - steps, wish.z + steps, &near, looks);
    for (const std::uint32_t cell : near) offer(cell, wish, &best);
    if (side >= far || (best && best->distance <= side)) break;
  }
  if (best) best->place = pull_into(ground, best->place.cell, best->place.x, best->place.z);
  return best;
}

}  // namespace repath

// Which cell holds a point, the nearest ground to one, points chosen evenly: by buckets over the
// cells' boxes.
//
// Thread rule: const functions may run on any number of threads. Borrows the mesh, which must not
// change meanwhile. Memory: at most 8 entries of 4 bytes a cell, and a bucket a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct NearestPlace {
  MeshPlace place;
  double y = 0;         // of the ground there, world units
  double distance = 0;  // to it, three-dimensional
};

// What find_nearest looks for.
struct NearestWish {
  double x = 0;  // steps
  double z = 0;
  double y = 0;       // units, as the distances that follow
  double radius = 0;  // on the plane
  double reach = 0;   // in height
};

// The cell of a mesh that tells how high the ground is. A piece of a cell is as high as the whole.
struct HeightCell {
  const NavMesh& mesh;
  std::uint32_t cell = 0;
};

// Takes the cell's nearest point for `best` if that is what is looked for, and nearer. Returns
// whether it did.
bool offer_nearest(const NavMesh& mesh, std::uint32_t cell, const HeightCell& ground,
                   const NearestWish& wish, std::optional<NearestPlace>* best);

class CellFinder {
 public:
  // O(cells).
  explicit CellFinder(const NavMesh& mesh);

  // The cell whose ground at the point is nearest to `y` and at most `reach` away from it, the
  // least index of equals (so where blocked ground touches itself at a point, one of its sides);
  // empty: there is none. Units: world.
  std::optional<MeshPlace> find_cell(Point at, double y, double reach) const;

  // The nearest point of ground that the filter allows, at most `radius` away on the plane and
  // `reach` in height: by its distance in space from (x, y, z), the least cell index of equals.
  // World units. O(cells within the radius), buckets nearest first.
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter) const;

  // At most so many cells and buckets does find_nearest look at. O(rows of buckets).
  std::uint64_t count_near(Point at, double radius) const;

  // A point of the whole mesh, evenly by area (of the plane). The same numbers from `random` give
  // the same point. O(log cells).
  MeshPlace random_place(Random* random) const;

  // Appends the cells whose closed boxes meet the closed box, ascending; bounds in lattice steps.
  void find_boxes(double min_x, double max_x, double min_z, double max_z,
                  std::vector<std::uint32_t>* cells) const;

  std::size_t bytes() const;

 private:
  struct Range {
    std::int64_t left, right, top, bottom;  // buckets, all included
  };
  Range buckets_of(double min_x, double max_x, double min_z, double max_z) const;
  Range box_of(std::uint32_t cell) const;
  void choose_side();
  void fill();

  const NavMesh* mesh_;
  double min_x_ = 0;  // steps
  double min_z_ = 0;
  double side_ = 1;  // of a bucket
  std::int64_t width_ = 1;
  std::int64_t height_ = 1;
  std::vector<std::uint32_t> firsts_;  // by bucket, in cells_
  std::vector<std::uint32_t> cells_;
  std::vector<double> areas_;  // sums up to and with each cell
};

}  // namespace repath

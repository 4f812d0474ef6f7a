// The ground of a carved navmesh as searches and questions about places read it. It is the part of
// navmesh/carve/carved_mesh.h that can be copied. Edits do not change a copy.
//
// Thread rule: const functions may run on any number of threads. CarvedMesh::apply() changes the
// ground of its own mesh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/carve/carve_shape.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/landmarks.h"

namespace repath {

// Two cells whose heights at a point differ by no more are one floor there. World units. Neighbours
// have the same height on their common edge, so this covers rounding, and a millimetre on a slope.
inline constexpr double kOneFloor = 0.05;

class CarvedGround {
 public:
  // The mesh that searches and rays read. Numbers of vertices and cells are valid until the next
  // apply().
  const NavMesh& mesh() const { return mesh_; }
  const NavMesh& base() const { return base_->mesh; }
  // The finder of base cells.
  const CellFinder& finder() const { return base_->finder; }
  // Returns the base cell of a live cell.
  std::uint32_t base_of(std::uint32_t cell) const { return base_of_[cell]; }
  // Returns the base's landmarks for searches over the mesh. Invalid after the next apply().
  LandmarkView landmarks() const;
  // Appends the landmarks' distances to the places of the box: one span for each base cell that the
  // box meets, at any height. World units. Returns false, and appends nothing, if there are no
  // landmarks or too many cells. O(landmarks) for each cell.
  bool append_spans(Point least, Point most, std::vector<LandmarkSpan>* spans) const;
  // Returns the live cells of a base cell, in the order of its fragments.
  std::span<const std::uint32_t> cells_of(std::uint32_t base_cell) const {
    return cells_[base_cell];
  }

  // Floors are those of the base, so which one a position means does not depend on what is carved.
  // These functions look only at ground that the filter allows, if there is one. Ties go to the
  // least base cell, then to its first fragment. They add the number of vertices and buckets that
  // they looked at to `*looks`, if it is given. O(fragments of the base cells near).

  // Returns the height of the floor at the point that is nearest to `y`, at most `reach` away,
  // covered or not. Empty if there is none. In world units.
  std::optional<double> find_floor(Point at, double y, double reach,
                                   const NavFilter* filter = nullptr,
                                   std::uint64_t* looks = nullptr) const;
  // Returns the live cell that holds the point on that floor. Empty if there is none: the floor is
  // missing, or is carved away there.
  std::optional<MeshPlace> find_cell(Point at, double y, double reach,
                                     const NavFilter* filter = nullptr,
                                     std::uint64_t* looks = nullptr) const;
  // Returns the nearest place at most `radius` away in the plane, on that floor. If no floor is
  // straight above or below, it is the floor of the base's nearest ground.
  std::optional<NearestPlace> find_beside(Point at, double y, double radius, double reach,
                                          const NavFilter& filter,
                                          std::uint64_t* looks = nullptr) const;
  // Finds a place as CellFinder does, on the ground that is left of all floors.
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter,
                                           std::uint64_t* looks = nullptr) const;
  // Takes the live cell's nearest point for `best`; see cell_finder.h.
  bool offer_nearest(std::uint32_t cell, const NearestWish& wish,
                     std::optional<NearestPlace>* best) const {
    return repath::offer_nearest(mesh_, cell, {base(), base_of_[cell]}, wish, best);
  }
  // Returns the height of the ground at a point of a live cell, world units; `x` and `z` in steps.
  // It is the height of the base cell, so carving does not change the heights of places.
  double height_at(std::uint32_t cell, double x, double z) const {
    return base().height_at(base_of_[cell], x, z);
  }
  // Appends the live cells that hold the point, whatever their height.
  void find_cells(Point at, std::vector<std::uint32_t>* cells) const;

  // Areas and factors of live cells that obstacles changed, and the number of cells with each.
  using ChangedGrounds = std::map<std::pair<AreaType, std::uint32_t>, std::size_t>;
  const ChangedGrounds& changed_grounds() const { return changed_; }
  // Returns whether there ever were such cells. When their borders come and go they move the walls
  // that they meet by half a step.
  bool had_changed_grounds() const { return had_changed_; }

  // Returns the link's place in mesh().links(). O(log links).
  std::optional<std::uint32_t> find_link(std::uint64_t id) const;

  // Without the base, which copies share.
  std::size_t bytes() const;

 private:
  friend class CarvedMesh;
  friend class CarveEditor;
  struct Base {
    // `cut_from`: the cell of `whole` of which each base cell is a piece.
    Base(NavMesh made, NavMesh whole, std::vector<std::uint32_t> cut_from,
         std::optional<std::uint32_t> landmark_count, WorkMeter* work);
    NavMesh mesh;
    CellFinder finder;
    Landmarks landmarks;
    NavMesh uncut;  // empty without landmarks, because straight distances are nearly as good then
    std::vector<std::uint32_t> uncut_of;  // by base cell
    // Base cells that hold an end of a link, with the link. They hang together at that end.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> link_cells;   // by cell
    std::vector<std::pair<std::uint64_t, std::uint32_t>> links_by_id;  // ascending
  };

  // Adds `by` to the number of each changed fragment's ground.
  void count_changed(std::uint32_t base_cell, const Fragments& fragments, int by);
  // Returns the links that end in these base cells, ascending. O(log links) for each cell.
  std::vector<std::uint32_t> links_in(std::span<const std::uint32_t> base_cells) const;
  // Finds out where these links end now.
  void place_links(std::span<const std::uint32_t> links);
  std::uint32_t find_end(std::uint32_t base_cell, LatticePoint at) const;

  // A question for the ground straight above and below a point.
  struct Plumb {
    double x = 0;  // lattice steps
    double z = 0;
    double y = 0;  // world units
    double reach = 0;
    const NavFilter* filter = nullptr;
    std::vector<std::uint32_t> near;  // base cells that may hold it, ascending
  };
  // Empty: the point is outside the extent.
  std::optional<Plumb> plumb(Point at, double y, double reach, const NavFilter* filter,
                             std::uint64_t* looks) const;
  // Visits the live cells that hold the point.
  template <class Visit>
  void for_each_holder(const Plumb& plumb, std::uint64_t* looks, Visit&& visit) const;
  // Returns the live cell at the point that is nearest in height; with `floor` only of those at
  // that height.
  std::optional<MeshPlace> nearest_live(const Plumb& plumb, std::optional<double> floor,
                                        std::uint64_t* looks) const;
  // Returns the height of the base's nearest floor.
  std::optional<double> base_floor(const Plumb& plumb, std::uint64_t* looks) const;
  double height_of(const MeshPlace& place) const { return height_at(place.cell, place.x, place.z); }

  std::shared_ptr<const Base> base_;
  NavMesh mesh_;
  std::vector<std::vector<std::uint32_t>> cells_;  // by base cell, by fragment
  std::vector<std::uint32_t> base_of_;             // by cell of the mesh
  ChangedGrounds changed_;
  bool had_changed_ = false;
};

}  // namespace repath

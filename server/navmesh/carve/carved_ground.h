// What is left of a navmesh that obstacles are carved out of, as searches and those who look for
// places read it. A part of navmesh/carve/carved_mesh.h that can be copied: a copy stays as it is.
//
// Thread rule: const functions may run on any number of threads. CarvedMesh::apply() changes its
// own.
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

class CarvedGround {
 public:
  // What searches and rays read. Its vertices and cells mean nothing beyond the next apply(), but
  // for CellId.
  const NavMesh& mesh() const { return mesh_; }
  const NavMesh& base() const { return base_->mesh; }
  // Of the base.
  const CellFinder& finder() const { return base_->finder; }
  // The base cell of a live cell.
  std::uint32_t base_of(std::uint32_t cell) const { return base_of_[cell]; }
  // Of the base, for those who stand on what is left. Invalid after the next apply().
  LandmarkView landmarks() const;
  // Appends what those know of the places of the box, of each base cell apart that it meets,
  // whatever its height. World units. False, and nothing: no landmarks, or too many cells.
  // O(landmarks) a cell.
  bool append_spans(Point least, Point most, std::vector<LandmarkSpan>* spans) const;
  // Live cells that are left of a base cell, in the order of its fragments.
  std::span<const std::uint32_t> cells_of(std::uint32_t base_cell) const {
    return cells_[base_cell];
  }

  // As CellFinder's, over what is left of the ground, and only what the filter allows if there is
  // one; ties go to the least base cell, then to its first fragment. O(fragments of the base cells
  // near).
  std::optional<MeshPlace> find_cell(Point at, double y, double reach,
                                     const NavFilter* filter = nullptr) const;
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter) const;
  // Takes the live cell's nearest point for `best`; see cell_finder.h.
  bool offer_nearest(std::uint32_t cell, const NearestWish& wish,
                     std::optional<NearestPlace>* best) const {
    return repath::offer_nearest(mesh_, cell, {base(), base_of_[cell]}, wish, best);
  }
  // Returns the height of the ground at a point of a live cell, world units; `x` and `z` in steps.
  // It is the base cell's, whatever was carved out of it: places keep their heights.
  double height_at(std::uint32_t cell, double x, double z) const {
    return base().height_at(base_of_[cell], x, z);
  }
  // Appends the live cells that hold the point, whatever their height.
  void find_cells(Point at, std::vector<std::uint32_t>* cells) const;

  // What obstacles made of live cells, their area and factor, and how many there are of each.
  using ChangedGrounds = std::map<std::pair<AreaType, std::uint32_t>, std::size_t>;
  const ChangedGrounds& changed_grounds() const { return changed_; }
  // Whether there ever were any. Their borders move walls by half a step where they meet them, when
  // they come and when they go.
  bool had_changed_grounds() const { return had_changed_; }

  // Place in mesh().links(). O(log links).
  std::optional<std::uint32_t> find_link(std::uint64_t id) const;

  // But for the base, which copies share.
  std::size_t bytes() const;

 private:
  friend class CarvedMesh;
  friend class CarveEditor;
  struct Base {
    // `cut_from`: of which cell of `whole` each base cell is a piece.
    Base(NavMesh made, NavMesh whole, std::vector<std::uint32_t> cut_from,
         std::optional<std::uint32_t> landmark_count, WorkMeter* work);
    NavMesh mesh;
    CellFinder finder;
    Landmarks landmarks;
    NavMesh uncut;  // empty where there are no landmarks: straight distances say nearly as much
    std::vector<std::uint32_t> uncut_of;  // by base cell
    // Base cells that hold an end of a link, and the link; those that hang together there.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> link_cells;   // by cell
    std::vector<std::pair<std::uint64_t, std::uint32_t>> links_by_id;  // ascending
  };

  // `by` more, or fewer, of each changed fragment.
  void count_changed(std::uint32_t base_cell, const Fragments& fragments, int by);
  // Links that end in these base cells, ascending; O(log links) a cell.
  std::vector<std::uint32_t> links_in(std::span<const std::uint32_t> base_cells) const;
  // Where those end now.
  void place_links(std::span<const std::uint32_t> links);
  std::uint32_t find_end(std::uint32_t base_cell, LatticePoint at) const;

  template <class Visit>
  void for_each_holder(Point at, Visit&& visit) const;

  std::shared_ptr<const Base> base_;
  NavMesh mesh_;
  std::vector<std::vector<std::uint32_t>> cells_;  // by base cell, by fragment
  std::vector<std::uint32_t> base_of_;             // by cell of the mesh
  ChangedGrounds changed_;
  bool had_changed_ = false;
};

}  // namespace repath

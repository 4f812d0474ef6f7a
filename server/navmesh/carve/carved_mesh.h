// A navmesh that obstacles are carved out of, and put back into.
//
// Under it lies a base that never changes: the mesh it was made from, with cells cut to a size
// (navmesh/mesh/size_cap.h). Each base cell is replaced by its fragments. They are a pure function
// of the cell, its neighbours, and the obstacles that concern them by ascending id
// (navmesh/carve/carve.h, navmesh/carve/carve_shape.h). So the same obstacles give the same
// fragments and the same content_hash(), whatever was there before. Indices depend on history.
//
// An obstacle concerns a base cell if it is enabled, its height range meets that of the cell's
// corners, and its bounds, grown by kCarveMargin, meet the cell's bounds. If an obstacle concerns
// only one of the cells beside an edge, the edge of the other cell is cut at the same points.
// Obstacles that do not block leave fragments of another area type or with a factor of their own
// (NavMesh::Cell).
//
// A mesh may have walls grown for wider walkers (navmesh/carve/carve_walls.h). They take ground as
// an obstacle does that is always there. And it may leave out ground that a filter does not allow:
// those base cells have no fragments, so their borders are walls.
//
// A link keeps its ends. While an obstacle or a grown wall covers an end, the link leads nowhere,
// and NavMesh::link_ends_of does not name it.
//
// Thread rule: const functions may run on any number of threads, but not beside apply().
// Invariants: those of NavMesh, after every apply(). A fragment keeps its cell as long as its
// corners and sides stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/ids.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve.h"
#include "navmesh/carve/carve_ground.h"
#include "navmesh/carve/carve_shape.h"
#include "navmesh/carve/carve_walls.h"
#include "navmesh/carve/carved_ground.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr std::size_t kCarveEditsMax = 65'536;         // in one call of apply()
inline constexpr std::size_t kCarveObstaclesMax = 1'048'576;  // enabled or not
inline constexpr std::size_t kCarvePiecesMax = 256;           // of one obstacle
inline constexpr std::size_t kCarveCornersMax = 512;          // of one piece
inline constexpr std::size_t kCarveObstaclesPerCell = 256;    // that concern one base cell

// Work of carving, in the units of WorkMeter. A cell needs more than that if hundreds of obstacles
// cross each other in very many places. Deterministic, as the carving is.
inline constexpr std::uint64_t kCarveUnitsPerCell = std::uint64_t{1} << 28;   // below a second
inline constexpr std::uint64_t kCarveUnitsPerBatch = std::uint64_t{1} << 29;  // of CarveEditor

struct CarveShape {
  std::vector<LatticeRing> pieces;  // convex, counterclockwise, grown already; their union counts
  double y0 = 0;                    // height range, world units, y0 <= y1, within kHeightMax
  double y1 = 0;
  bool enabled = true;
  CarveEffect effect = {};
};

struct CarveEdit {
  enum class Kind : std::uint8_t { kUpsert, kRemove, kSwitch };
  Kind kind{};
  ObstacleId id{};
  CarveShape shape;  // of kUpsert; of kSwitch only `enabled` counts
};

struct CarveDelta {
  std::vector<std::uint32_t> base_cells;  // base cells whose fragments changed, ascending
  std::vector<std::uint32_t> gone;        // cells; an index may be used again by one that came
  std::vector<std::uint32_t> come;
  // Set if any obstacle was removed from these cells (`opened`), or added to them (`closed`).
  // Carving rounds to the lattice, so both may also move walls by half a step.
  bool opened = false;
  bool closed = false;
};

class CarvedMesh {
 public:
  // Makes a mesh without obstacles. `cell_side` is the largest extent of a base cell in x and in z,
  // in world units. `landmarks` is the number of landmarks, at most Landmarks::kMost; if it is
  // empty, as many as pay. Returns the errors of NavMesh::build and of cut_to_size. `work` (null:
  // no bound) counts the work, and memory is compared with its limit before the cells are made;
  // returns WorkMeter::error, field "cells". O(n log n), and as much for each landmark.
  static absl::StatusOr<CarvedMesh> make(const MeshSource& source, double cell_side = 8,
                                         std::optional<std::uint32_t> landmarks = {},
                                         WorkMeter* work = nullptr);
  // Returns another mesh like this one; both share the base. O(cells and obstacles).
  CarvedMesh clone() const { return *this; }
  // Returns a mesh like this one whose walls are grown by `by` world units, in (0, 64]. REQUIRES:
  // this one has no obstacles, and its walls are not grown. Errors: those of CarveWalls::find, and
  // FRAGMENT_TOO_LARGE and MESH_TOO_LARGE as apply() has them. `work` counts the work. O(ground
  // within `by` of a wall, as apply()).
  absl::StatusOr<CarvedMesh> with_walls(double by, WorkMeter* work) const;
  // Returns a mesh like this one that leaves out the base cells that the filter does not allow. Its
  // walls do not grow at their borders. REQUIRES: this one has all ground, and no obstacles.
  // Errors: WorkMeter::error, field "flags"; FRAGMENT_TOO_LARGE as apply() has it. O(cells left
  // out, and those beside them).
  absl::StatusOr<CarvedMesh> only_allowed(const NavFilter& filter, WorkMeter* work) const;
  CarvedMesh(CarvedMesh&&) noexcept;
  CarvedMesh& operator=(CarvedMesh&&) noexcept;
  ~CarvedMesh();

  // Makes all edits at once, or none. Errors:
  // - INVALID_ARGUMENT: EDIT_TWICE ("edits[2].id"), PIECE_COUNT, PIECE_SIZE, PIECE_NOT_CONVEX,
  //   PIECE_RANGE ("edits[2].pieces[0]"), HEIGHT_RANGE, EFFECT_RANGE ("edits[2]");
  // - NOT_FOUND: OBSTACLE_UNKNOWN, of removals and switches;
  // - RESOURCE_EXHAUSTED: TOO_MANY_EDITS, TOO_MANY_OBSTACLES, CELL_CROWDED (an edit's obstacle
  //   would be one too many for a base cell, or the cell would need more than kCarveUnitsPerCell),
  //   FRAGMENT_TOO_LARGE, MESH_TOO_LARGE.
  // Carves the base cells whose obstacles change, shapes them and their neighbours again, and pays
  // MeshPatcher::replace for the fragments that changed.
  absl::StatusOr<CarveDelta> apply(std::span<const CarveEdit> edits);

  // REQUIRES: the place of a link in mesh().links(). O(1).
  void switch_link(std::uint32_t link, bool enabled);

  // Returns the present ground. Edits do not change a copy of it. O(cells) to copy.
  const CarvedGround& ground() const { return ground_; }
  const NavMesh& mesh() const { return ground_.mesh(); }
  const NavMesh& base() const { return ground_.base(); }
  // Returns the base cell of a live cell.
  std::uint32_t base_of(std::uint32_t cell) const { return ground_.base_of(cell); }
  std::span<const std::uint32_t> cells_of(std::uint32_t base_cell) const {
    return ground_.cells_of(base_cell);
  }
  // Returns the base cells that the obstacle would concern if enabled, ascending; empty for an
  // unknown obstacle.
  std::span<const std::uint32_t> base_cells_of(ObstacleId id) const;
  // Returns null for an unknown obstacle.
  const CarveShape* shape_of(ObstacleId id) const;
  // Returns the enabled obstacles that concern the base cell, ascending.
  std::span<const ObstacleId> obstacles_of(std::uint32_t base_cell) const {
    return states_[base_cell].obstacles;
  }
  std::size_t obstacles() const { return obstacles_.size(); }
  // Returns a hash of all fragments: their corners, the kinds of their sides, and their ground.
  std::uint64_t content_hash() const { return hash_; }

  std::optional<MeshPlace> find_cell(Point at, double y, double reach) const {
    return ground_.find_cell(at, y, reach);
  }
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter) const {
    return ground_.find_nearest(at, y, radius, reach, filter);
  }
  std::size_t bytes() const;  // about; O(1)

 private:
  friend class CarveEditor;
  static constexpr std::size_t kBytesOfObstacle = 700;  // a ring of 16 corners, in several lists
  struct Obstacle {
    CarveShape shape;
    std::vector<std::uint32_t> base_cells;  // base cells that it concerns if enabled, ascending
  };
  struct State {
    std::vector<ObstacleId> obstacles;  // obstacles that concern it, ascending
    Carving carving;
    std::vector<BaseCut> cuts;  // cuts of the carving
    Fragments fragments;
    std::uint64_t hash = 0;  // of the fragments and the cell's number
  };
  struct Tools;  // scratch memory of edits, kept from one to the next

  CarvedMesh();
  CarvedMesh(const CarvedMesh&);
  // Carves these base cells again, part by part; `units` is about the work of all. Errors as those
  // of with_walls(); WorkMeter::error has that field.
  absl::Status carve_again(std::span<const std::uint32_t> base_cells, std::uint64_t units,
                           const std::string& field, WorkMeter* work);
  static std::uint64_t hash_of(std::uint32_t base_cell, const Fragments& fragments);

  CarvedGround ground_;
  std::vector<State> states_;                          // by base cell
  std::shared_ptr<const CarveWalls> walls_;            // null: none are grown
  std::shared_ptr<const std::vector<bool>> left_out_;  // by base cell; null: none is left out
  std::map<ObstacleId, Obstacle> obstacles_;
  std::uint64_t hash_ = 0;  // sum over base cells
  std::unique_ptr<Tools> tools_;
};

}  // namespace repath

// A navmesh that obstacles are carved out of, and put back into.
//
// Under it lies a base that never changes: the mesh it was made from, its cells cut to a size
// (navmesh/mesh/size_cap.h). What a base cell is now are its fragments, a pure function of the cell
// and its neighbours, and of the obstacles that concern them by ascending id
// (navmesh/carve/carve.h, navmesh/carve/carve_shape.h): the same obstacles give the same fragments
// and the same content_hash(), whatever was there before. Indices and generations do depend on it.
//
// An obstacle concerns a base cell if it is enabled, its height range meets that of the cell's
// corners, and its bounds, grown by kCarveMargin, meet the cell's. Where it concerns one cell
// beside an edge and not the other, the edge of the other is cut at the ends of what is open.
// Obstacles that do not block leave ground of another area type or with a factor of its own
// (NavMesh::Cell), by fragments as well.
//
// A link keeps its ends. While an obstacle covers one, that end is nowhere and the link leads
// nowhere (NavMesh::link_ends_of does not name it).
//
// Thread rule: const functions may run on any number of threads, but not beside apply().
// Invariants: those of NavMesh, after every apply(). A fragment whose corners and sides stay the
// same keeps its id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/ids.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve.h"
#include "navmesh/carve/carve_ground.h"
#include "navmesh/carve/carve_shape.h"
#include "navmesh/carve/carved_ground.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr std::size_t kCarveEditsMax = 65'536;         // in one call of apply()
inline constexpr std::size_t kCarveObstaclesMax = 1'048'576;  // enabled or not
inline constexpr std::size_t kCarvePiecesMax = 256;           // of one obstacle
inline constexpr std::size_t kCarveCornersMax = 512;          // of one piece
inline constexpr std::size_t kCarveObstaclesPerCell = 256;    // that concern one base cell

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
  std::vector<std::uint32_t> base_cells;  // whose fragments changed, ascending
  std::vector<CellId> gone;               // as they were
  std::vector<CellId> come;
  // Whether any obstacle was taken away from, added to these cells. Carving rounds to the
  // lattice, so either may also move by half a step what it leaves.
  bool opened = false;
  bool closed = false;
};

class CarvedMesh {
 public:
  // `cell_side`: world units, at most so large are base cells in x and in z. Errors of
  // NavMesh::build and of cut_to_size. `landmarks`: how many at most, kMost at most; empty: as many
  // as pay. O(n log n) for each of them. `work` (null: no bound) counts what this takes, and the
  // memory is compared with its limit before the cells are made: WorkMeter::error, field "cells".
  static absl::StatusOr<CarvedMesh> make(const MeshSource& source, double cell_side = 8,
                                         std::optional<std::uint32_t> landmarks = {},
                                         WorkMeter* work = nullptr);
  // Another mesh like this one; both share the base. O(cells and obstacles).
  CarvedMesh clone() const { return *this; }
  CarvedMesh(CarvedMesh&&) noexcept;
  CarvedMesh& operator=(CarvedMesh&&) noexcept;
  ~CarvedMesh();

  // All edits at once, or none. INVALID_ARGUMENT: EDIT_TWICE ("edits[2].id"), PIECE_COUNT,
  // PIECE_SIZE, PIECE_NOT_CONVEX, PIECE_RANGE ("edits[2].pieces[0]"), HEIGHT_RANGE, EFFECT_RANGE
  // ("edits[2]");
  // NOT_FOUND: OBSTACLE_UNKNOWN, of removals and switches; RESOURCE_EXHAUSTED: TOO_MANY_EDITS,
  // TOO_MANY_OBSTACLES, CELL_CROWDED (an edit's obstacle would be one too many for a base cell),
  // FRAGMENT_TOO_LARGE, MESH_TOO_LARGE. Carves the base cells whose obstacles change, shapes those
  // and their neighbours anew, and pays NavMesh::replace for the fragments that changed.
  absl::StatusOr<CarveDelta> apply(std::span<const CarveEdit> edits);

  // REQUIRES: the place of a link in mesh().links(). O(1).
  void switch_link(std::uint32_t link, bool enabled);

  // What is left, at this moment. A copy of it stays as it is; O(cells).
  const CarvedGround& ground() const { return ground_; }
  const NavMesh& mesh() const { return ground_.mesh(); }
  const NavMesh& base() const { return ground_.base(); }
  // The base cell of a live cell.
  std::uint32_t base_of(std::uint32_t cell) const { return ground_.base_of(cell); }
  std::span<const std::uint32_t> cells_of(std::uint32_t base_cell) const {
    return ground_.cells_of(base_cell);
  }
  // Base cells that the obstacle concerns if it is enabled, ascending; none if it is not there.
  std::span<const std::uint32_t> base_cells_of(ObstacleId id) const;
  // Null: there is no such obstacle.
  const CarveShape* shape_of(ObstacleId id) const;
  // Those in force that concern the base cell, ascending.
  std::span<const ObstacleId> obstacles_of(std::uint32_t base_cell) const {
    return states_[base_cell].obstacles;
  }
  std::size_t obstacles() const { return obstacles_.size(); }
  // Of all fragments, corners and what is behind each side, and what was made of their ground.
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
  struct Obstacle {
    CarveShape shape;
    std::vector<std::uint32_t> base_cells;  // that it concerns if enabled, ascending
  };
  struct State {
    std::vector<ObstacleId> obstacles;  // that concern it, ascending
    Carving carving;
    std::vector<BaseCut> cuts;  // of the carving
    Fragments fragments;
    std::uint64_t hash = 0;  // of the fragments and the cell's number
  };
  struct Tools;  // scratch memory of edits, kept from one to the next

  CarvedMesh();
  CarvedMesh(const CarvedMesh&);
  static std::uint64_t hash_of(std::uint32_t base_cell, const Fragments& fragments);

  CarvedGround ground_;
  std::vector<State> states_;  // by base cell
  std::map<ObstacleId, Obstacle> obstacles_;
  std::uint64_t hash_ = 0;  // sum over base cells
  std::unique_ptr<Tools> tools_;
};

}  // namespace repath

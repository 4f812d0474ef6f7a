// A navmesh that obstacles are carved out of, and put back into.
//
// Under it lies a base that never changes: the mesh it was made from, its cells cut to a size
// (navmesh/size_cap.h). What a base cell is now are its fragments, a pure function of the cell and
// its neighbours, and of the obstacles that concern them by ascending id (navmesh/carve.h,
// navmesh/carve_shape.h): the same obstacles give the same fragments and the same content_hash(),
// whatever was there before. Indices and generations do depend on it.
//
// An obstacle concerns a base cell if it is enabled, its height range meets that of the cell's
// corners, and its bounds, grown by kCarveMargin, meet the cell's. Where it concerns one cell
// beside an edge and not the other, the edge of the other is cut at the ends of what is open.
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
#include "navmesh/carve_shape.h"
#include "navmesh/cell_finder.h"
#include "navmesh/nav_mesh.h"

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
  // Whether anything was taken away from, added to what blocks these cells. Carving rounds to the
  // lattice, so either may also move by half a step what it leaves.
  bool opened = false;
  bool closed = false;
};

class CarvedMesh {
 public:
  // `cell_side`: world units, at most so large are base cells in x and in z. Errors of
  // NavMesh::build and of cut_to_size; meshes with links are refused (LINKS_NOT_CUT). O(n log n).
  static absl::StatusOr<CarvedMesh> make(const MeshSource& source, double cell_side = 8);
  CarvedMesh(CarvedMesh&&) noexcept;
  CarvedMesh& operator=(CarvedMesh&&) noexcept;
  ~CarvedMesh();

  // All edits at once, or none. INVALID_ARGUMENT: EDIT_TWICE ("edits[2].id"), PIECE_COUNT,
  // PIECE_SIZE, PIECE_NOT_CONVEX, PIECE_RANGE ("edits[2].pieces[0]"), HEIGHT_RANGE ("edits[2]");
  // NOT_FOUND: OBSTACLE_UNKNOWN, of removals and switches; RESOURCE_EXHAUSTED: TOO_MANY_EDITS,
  // TOO_MANY_OBSTACLES, CELL_CROWDED (an edit's obstacle would be one too many for a base cell),
  // FRAGMENT_TOO_LARGE, MESH_TOO_LARGE. Carves the base cells whose obstacles change, shapes those
  // and their neighbours anew, and pays NavMesh::replace for the fragments that changed.
  absl::StatusOr<CarveDelta> apply(std::span<const CarveEdit> edits);

  // What searches and rays read. Its vertices and cells mean nothing beyond the next apply(), but
  // for CellId.
  const NavMesh& mesh() const { return mesh_; }
  const NavMesh& base() const { return *base_; }
  // The base cell of a live cell.
  std::uint32_t base_of(std::uint32_t cell) const { return base_of_[cell]; }
  // Live cells that are left of a base cell, in the order of its fragments.
  std::span<const std::uint32_t> cells_of(std::uint32_t base_cell) const {
    return states_[base_cell].cells;
  }
  std::size_t obstacles() const { return obstacles_.size(); }
  // Of all fragments, corners and what is behind each side.
  std::uint64_t content_hash() const { return hash_; }

  // As CellFinder's, over what is left of the ground; ties go to the least base cell, then to its
  // first fragment. O(fragments of the base cells near).
  std::optional<MeshPlace> find_cell(Point at, double y, double reach) const;
  std::optional<NearestPlace> find_nearest(Point at, double y, double radius, double reach,
                                           const NavFilter& filter) const;

 private:
  friend class CarveEditor;
  struct Obstacle {
    CarveShape shape;
    std::vector<std::uint32_t> base_cells;  // that it concerns if enabled, ascending
  };
  struct State {
    std::vector<ObstacleId> obstacles;  // that concern it, ascending
    Carving carving;
    Fragments fragments;
    std::vector<std::uint32_t> cells;  // of the mesh, by fragment
  };

  CarvedMesh();
  std::uint64_t hash_of(std::uint32_t base_cell) const;

  std::unique_ptr<const NavMesh> base_;
  std::unique_ptr<const CellFinder> finder_;  // of the base
  NavMesh mesh_;
  std::vector<State> states_;           // by base cell
  std::vector<std::uint32_t> base_of_;  // by cell of the mesh
  std::map<ObstacleId, Obstacle> obstacles_;
  std::uint64_t hash_ = 0;  // sum over base cells
};

}  // namespace repath

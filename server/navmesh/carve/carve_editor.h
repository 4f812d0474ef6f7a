// One call of CarvedMesh::apply. It works out everything beside the mesh first, so that an error
// leaves the mesh as it is. To edit several meshes at once, all or none, prepare them all first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "navmesh/carve/carved_mesh.h"
#include "navmesh/mesh/mesh_patch.h"

namespace repath {

// A base cell as it will be: one whose obstacles change (`is_listed`), or a neighbour of such a
// cell.
struct StagedCell {
  std::uint32_t base_cell = 0;
  bool is_listed = false;
  bool is_recarved = false;  // and its carving is another than before
  bool is_shaped = false;  // its fragments may be others than before; all below but the next three
  std::vector<ObstacleId> obstacles;  // of listed ones, as the next two
  Carving carving;
  std::vector<BaseCut> cuts;
  Fragments fragments;
  std::vector<std::uint32_t> twins;  // by side: the same side of another fragment, if that is known
  std::vector<std::uint32_t> cells;  // of the mesh, by fragment; kNoCell: that come
  std::vector<std::uint32_t> edges;  // of the mesh, by side, or NavMesh::new_edge
};

struct CarvedMesh::Tools {
  static constexpr std::size_t kStagedKept = 64;  // more are let go after an edit

  Carver carver;
  FragmentShaper shaper;
  MeshPatcher patcher;
  std::vector<StagedCell> staged;     // the first few in use, the others keep memory
  std::vector<std::uint32_t> places;  // in `staged`, by base cell
  std::vector<std::uint32_t> order;   // places in `staged`, by base cell
  NavMesh::Replacement change;
  std::vector<std::uint32_t> edge_base_cells;  // the base cell of each of change.edges
  std::vector<std::uint32_t> made;
  LatticeRing ring;  // this and all below: of the cell in work
  std::vector<CarveObstacle> near;
  std::vector<std::span<const BaseCut>> cuts;
  std::vector<bool> is_kept;
};

// A mesh has at most one editor at a time, because it works in the mesh's scratch memory.
class CarveEditor {
 public:
  explicit CarveEditor(CarvedMesh* carved);
  ~CarveEditor();
  CarveEditor(const CarveEditor&) = delete;
  CarveEditor& operator=(const CarveEditor&) = delete;
  // Works out the changes without making them. Returns the errors of CarvedMesh::apply, and
  // RESOURCE_EXHAUSTED with reason BATCH_TOO_LARGE if carving needs more than `units_max`.
  absl::Status prepare(std::span<const CarveEdit> edits,
                       std::uint64_t units_max = kCarveUnitsPerBatch);
  // Works out these base cells again; the obstacles stay. REQUIRES: each is named once.
  absl::Status prepare_again(std::span<const std::uint32_t> base_cells);
  // Returns about the most by which commit() makes CarvedMesh::bytes() grow. REQUIRES: prepare()
  // was OK.
  std::size_t bytes_more() const;
  // Makes the changes; cannot fail. REQUIRES: prepare() or prepare_again() was OK, and the mesh is
  // unchanged since.
  CarveDelta commit();

 private:
  using State = CarvedMesh::State;
  using Obstacle = CarvedMesh::Obstacle;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  absl::Status stage_obstacles(std::span<const CarveEdit> edits);
  absl::Status stage_obstacle(const CarveEdit& edit, const std::string& field);
  void find_base_cells(Obstacle* obstacle) const;
  absl::Status list(std::uint32_t base_cell, ObstacleId id, bool is_in, const std::string& field);
  void append_walls(std::uint32_t base_cell);
  absl::Status carve_all();
  absl::Status carve(StagedCell* staged);
  absl::Status shape_all();
  void stage_beside(std::uint32_t place);
  absl::Status shape(StagedCell* staged);
  void keep_same(StagedCell* staged);
  absl::Status collect_changes();
  void place_edges(StagedCell* staged);
  void find_twins(const StagedCell& staged);
  std::uint32_t twin_of(const StagedCell& staged, std::uint32_t side, LatticePoint to) const;
  std::uint32_t find_side(std::uint32_t base_cell, std::uint32_t on, LatticePoint from,
                          LatticePoint to) const;
  void commit_cell(StagedCell* staged, std::size_t* next);

  const Obstacle& obstacle(ObstacleId id) const;
  std::uint32_t stage(std::uint32_t base_cell);
  const StagedCell* find_staged(std::uint32_t base_cell) const {
    const std::uint32_t place = tools_.places[base_cell];
    return place == kNone ? nullptr : &tools_.staged[place];
  }
  const std::vector<BaseCut>& cuts_of_cell(std::uint32_t base_cell) const;
  void find_ring(std::uint32_t base_cell);

  CarvedMesh& mesh_;
  CarvedMesh::Tools& tools_;
  std::map<ObstacleId, std::optional<Obstacle>> obstacles_;  // that change; empty: removed
  std::uint32_t staged_ = 0;                                 // how many of Tools::staged are in use
  std::uint64_t units_left_ = ~std::uint64_t{0};             // to carve with
  CarveDelta delta_;
};

}  // namespace repath

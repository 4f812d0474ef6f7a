// One call of CarvedMesh::apply: everything is worked out beside the mesh first, so that an error
// leaves it as it is. Who edits several meshes at once, all or none, prepares them all first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "navmesh/carved_mesh.h"

namespace repath {

class CarveEditor {
 public:
  explicit CarveEditor(CarvedMesh* carved);
  // The errors of CarvedMesh::apply. Works out what comes, changes nothing yet.
  absl::Status prepare(std::span<const CarveEdit> edits);
  // Does it; cannot fail. REQUIRES: prepare() was OK, and nothing has changed the mesh since.
  CarveDelta commit();

 private:
  using State = CarvedMesh::State;
  using Obstacle = CarvedMesh::Obstacle;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // A base cell as it will be. `is_listed`: its obstacles change; else it is a neighbour of one
  // that is.
  struct Staged {
    std::uint32_t base_cell = 0;
    bool is_listed = false;
    bool is_recarved = false;  // and its carving is another than before
    State state;
    std::vector<std::uint32_t> cells;   // of the mesh, by fragment; kNoCell: that come
    std::vector<std::uint32_t> firsts;  // in the list of new edges, of fragments that come
  };

  absl::Status stage_obstacles(std::span<const CarveEdit> edits);
  absl::Status stage_obstacle(const CarveEdit& edit, const std::string& field);
  void find_base_cells(Obstacle* obstacle) const;
  absl::Status list(std::uint32_t base_cell, ObstacleId id, bool is_in, const std::string& field);
  void carve(Staged* staged);
  absl::Status shape_all();
  void stage_beside(std::size_t staged);
  bool has_same_cuts(const Staged& staged, std::uint32_t edge);
  absl::Status shape(Staged* staged);
  void keep_same(Staged* staged);
  absl::Status collect_changes();
  void place_edges(Staged* staged);
  std::uint32_t twin_of(const Staged& staged, std::size_t fragment, std::uint32_t side) const;
  std::uint32_t find_side(std::uint32_t base_cell, std::uint32_t on, LatticePoint from,
                          LatticePoint to) const;
  double height_at(std::uint32_t base_cell, LatticePoint p) const;

  const Obstacle& obstacle(ObstacleId id) const;
  std::uint32_t stage(std::uint32_t base_cell);
  const State& state_of(std::uint32_t base_cell) const;
  void ring_of(std::uint32_t base_cell, LatticeRing* ring) const;

  CarvedMesh& mesh_;
  std::map<ObstacleId, std::optional<Obstacle>> obstacles_;  // that change; empty: removed
  std::vector<Staged> staged_;
  std::map<std::uint32_t, std::uint32_t> places_;  // of base cells in staged_
  CarveDelta delta_;
  NavMesh::Replacement change_;
  CarvedMesh::Tools& tools_;
  std::vector<LatticePoint> cuts_now_;
  std::vector<LatticePoint> cuts_before_;
};

}  // namespace repath

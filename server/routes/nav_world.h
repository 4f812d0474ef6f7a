// A world that is a navmesh. Obstacles are carved out of it, grown by the agents' radius
// (geometry/grow.h). Its batches put, remove and switch obstacles and switch links; nodes and edges
// are for graphs.
//
// Walls count as well. The mesh was made for agents of a base radius. A profile that is wider has
// ground of its own, whose walls are grown by the difference (navmesh/carve/carve_walls.h). It is
// made with the command that brings the profile, so that command is refused if it is too much.
//
// Views of equal radius and team share a mesh, whatever their flags and factors. A batch is worked
// out for all meshes in use before it changes the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "navmesh/carve/carved_mesh.h"
#include "navmesh/mesh/mesh_source.h"
#include "routes/nav_ground.h"
#include "routes/route_copies.h"
#include "routes/route_world.h"
#include "routes/shut_times.h"

namespace repath {

// Greatest Source::base_radius, that of RecastSettings.agent_radius.
inline constexpr double kNavBaseRadiusMax = 100;
// Walls grow by no difference of radii below this, which rounding may leave. World units.
inline constexpr double kWallGrowthMin = 1e-6;

class NavWorld final : public RouteWorld {
 public:
  struct Source {
    std::string name;
    MeshSource mesh;
    std::vector<Profile> profiles = {};  // "default" is added if it is missing
    double cell_side = 8;                // see CarvedMesh::make
    std::optional<std::uint32_t> landmarks = {};
    // Radius of the agents that the mesh was made for: its ground keeps so far from walls already.
    // World units, [0, kNavBaseRadiusMax].
    double base_radius = 0;
  };
  // Makes a world at revision 1. Errors: those of CarvedMesh::make ("mesh.cells[3]", "cell_side"),
  // of profiles ("profiles[0].radius") and of CarvedMesh::with_walls ("profiles");
  // OUT_OF_RANGE ("base_radius"); RESOURCE_EXHAUSTED with WORLD_MEMORY. O(n log n), and
  // CarvedMesh::with_walls for each radius above the base's. `work`: as CarvedMesh::make.
  static absl::StatusOr<std::unique_ptr<NavWorld>> create(Source source,
                                                          const WorldLimits& limits = {},
                                                          WorkMeter* work = nullptr);

  WorldKind kind() const override { return WorldKind::kNavmesh; }
  std::size_t obstacle_count() const override { return obstacles_.size(); }
  std::uint64_t form_of(ObstacleId id) const override;
  RouteBox bounds() const override { return bounds_; }
  std::uint64_t bytes() const override;

  const NavGround& ground(RouteViewId view) const {
    return static_cast<const NavGround&>(RouteWorld::ground(view));
  }
  std::shared_ptr<const QueryGround> keep(RouteViewId view) override;

  absl::StatusOr<std::unique_ptr<StagedRoutes>> stage(const ChangeBatch& batch) override;
  std::unique_ptr<RouteWorld> clone() const override;

  const std::map<ObstacleId, ObstacleSpec>& obstacles() const { return obstacles_; }
  // Returns the mesh and the side of its cells as Source had them. Switches of links do not show.
  const std::shared_ptr<const MeshSource>& source() const { return source_; }
  double cell_side() const { return cell_side_; }
  // REQUIRES: the mesh has such a link.
  bool is_link_enabled(std::uint64_t id) const;
  ObstaclePage read_obstacles(const ObstacleQuestion& question) const override;
  absl::StatusOr<CopyId> begin_copy() override;
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) override;
  void end_copy(CopyId id) override { copies_.end(id); }
  double base_radius() const { return base_radius_; }
  // Returns the carved mesh of the view. Invalid after the last view of its radius and team is
  // released.
  const CarvedMesh& mesh(RouteViewId view) const { return sheet_of(ground(view)).mesh; }

 private:
  // One mesh in use.
  struct Sheet {
    double radius = 0;
    TeamId team{};
    CarvedMesh mesh;
    std::shared_ptr<const NavKernels> kernels;
    std::shared_ptr<const CarvedGround> kept{};
    ShutTimes shut{};
  };
  // One obstacle that a batch changes.
  struct Edited {
    const ObstacleSpec* before = nullptr;  // null: it is new
    std::optional<ObstacleSpec> after;     // empty: it goes
    std::string field;
  };
  struct SheetEdits;
  using Work = std::vector<std::unique_ptr<SheetEdits>>;
  class Staged;
  // Meshes without obstacles and with grown walls, by how much they are grown. Their links are as
  // they were when the mesh was made.
  using Walled = std::map<double, std::shared_ptr<const CarvedMesh>>;
  // Links that a batch switches, by their places in the mesh.
  using Switched = std::vector<std::pair<std::uint32_t, bool>>;

  NavWorld(Source source, CarvedMesh bare, const WorldLimits& limits);
  NavWorld(const NavWorld& other);
  // Also fails with the errors of CarvedMesh::apply for existing obstacles. The check that they are
  // not too crowded comes with the first view of a radius and team.
  absl::StatusOr<std::unique_ptr<QueryGround>> make_ground(const Profile& profile,
                                                           TeamId team) override;
  void note_view_end() override;
  Sheet& sheet_of(const NavGround& ground) const;
  absl::Status check(const ChangeBatch& batch) const;
  std::vector<Edited> collect_edits(const ChangeBatch& batch) const;
  absl::Status prepare(Sheet* sheet, const std::vector<Edited>& edits, SheetEdits* work) const;
  RouteCommit commit(const ChangeBatch& batch, const std::vector<Edited>& edits, const Work& work,
                     Walled* walled);
  absl::StatusOr<std::unique_ptr<Sheet>> make_sheet(double radius, TeamId team) const;
  // Returns by how much walls grow for the radius, in world units.
  double wall_growth(double radius) const;
  // Makes for the profile the mesh with grown walls, if it needs one that is neither in use nor in
  // `made`. `field` is that of errors, whose message names the profile.
  absl::Status make_walled(const Profile& profile, const std::string& field, WorkMeter* work,
                           Walled* made) const;
  // The same for all profiles of a batch; they count against one limit of work.
  absl::StatusOr<Walled> make_walled(const std::vector<Profile>& added) const;
  CarvedMesh bare_for(double radius) const;
  // Updates the views' facts about ground and links.
  void look_again();
  Switched collect_switched(const ChangeBatch& batch) const;
  void switch_links(const Switched& switched);
  void append_link_changes(const Switched& switched, const NavGround& ground,
                           std::vector<RouteChange>* changes) const;
  void store(const std::vector<Edited>& edits);
  NavGround::BaseFacts facts_for(const NavFilter& filter) const;

  CarvedMesh bare_;  // without an obstacle; for profiles no wider than the base
  std::shared_ptr<const MeshSource> source_;
  double cell_side_;
  double base_radius_;
  Walled walled_;
  RouteBox bounds_;
  std::vector<std::pair<std::uint16_t, AreaType>> grounds_;  // existing pairs of flags and area
  std::map<ObstacleId, ObstacleSpec> obstacles_;
  std::uint64_t corners_ = 0;  // of their polygons
  std::vector<std::unique_ptr<Sheet>> sheets_;
  CopiesUnderWay<NavCopy> copies_;
};

}  // namespace repath

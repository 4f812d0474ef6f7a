// A world that is a navmesh. Obstacles are carved out of it, grown by the agents' radius
// (geometry/grow.h). Its batches put, remove and switch obstacles and switch links; nodes and edges
// are for graphs.
//
// Walls count as well. The mesh was made for agents of a base radius. A profile that is wider has
// ground of its own, whose walls are grown by the difference (navmesh/carve/carve_walls.h). So has
// a profile whose flags do not allow all ground: the rest is left out, and is walls to all searches
// (CarvedMesh::only_allowed). Such ground is made with the command that brings the profile, so that
// command is refused if it is too much.
//
// Views of one team whose radius and allowed ground are equal share a mesh, whatever their factors.
// A batch is worked out for all meshes in use before it changes the first.
#pragma once

#include <compare>
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
  // Returns the carved mesh of the view. Invalid after the last view that shares it is released.
  const CarvedMesh& mesh(RouteViewId view) const { return sheet_of(ground(view)).mesh; }

 private:
  // The ground of the mesh that a profile does without.
  struct Taken {
    double growth = 0;                    // of walls, in world units
    std::vector<std::uint16_t> left_out;  // flags of the ground it does not allow, ascending
    auto operator<=>(const Taken&) const = default;
    bool is_nothing() const { return growth == 0 && left_out.empty(); }
  };
  // One mesh in use.
  struct Sheet {
    double radius = 0;
    Taken taken;
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
  // Meshes without obstacles, by what was taken away. Their links are as they were when the mesh
  // was made.
  using Lessened = std::map<Taken, std::shared_ptr<const CarvedMesh>>;
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
  absl::Status check_memory(const Staged& staged) const;
  absl::Status prepare(Sheet* sheet, const std::vector<Edited>& edits, SheetEdits* work) const;
  RouteCommit commit(const ChangeBatch& batch, const std::vector<Edited>& edits, const Work& work,
                     Lessened* lessened);
  absl::StatusOr<std::unique_ptr<Sheet>> make_sheet(const Profile& profile, TeamId team) const;
  Taken taken_by(const Profile& profile) const;
  // Makes the mesh without what is taken for the profile, if it needs one that is neither in use
  // nor in `made`. `field` is that of errors, whose message names the profile.
  absl::Status make_lessened(const Profile& profile, const std::string& field, WorkMeter* work,
                             Lessened* made) const;
  // The same for all profiles of a batch; they count against one limit of work.
  absl::StatusOr<Lessened> make_lessened(const std::vector<Profile>& added) const;
  // Returns a copy of the mesh without obstacles and what is taken, with its links switched as they
  // are now.
  CarvedMesh bare_without(const Taken& taken) const;
  // Updates the views' facts about ground and links.
  void look_again();
  Switched collect_switched(const ChangeBatch& batch) const;
  void switch_links(const Switched& switched);
  void append_link_changes(const Switched& switched, const NavGround& ground,
                           std::vector<RouteChange>* changes) const;
  void store(const std::vector<Edited>& edits);
  // Returns the least and greatest factor of allowed ground on the mesh without obstacles.
  FactorRange factors_for(const NavFilter& filter) const;

  CarvedMesh bare_;  // without an obstacle, and nothing is taken
  std::shared_ptr<const MeshSource> source_;
  double cell_side_;
  double base_radius_;
  Lessened lessened_;
  RouteBox bounds_;
  std::vector<std::pair<std::uint16_t, AreaType>> grounds_;  // existing pairs of flags and area
  std::map<ObstacleId, ObstacleSpec> obstacles_;
  std::uint64_t corners_ = 0;  // of their polygons
  std::vector<std::unique_ptr<Sheet>> sheets_;
  CopiesUnderWay<NavCopy> copies_;
};

}  // namespace repath

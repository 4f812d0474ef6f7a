// One grid world: terrain, obstacles by id, profiles, and the views in use; changed only by whole
// batches, each one revision.
//
// Thread rule: not thread-safe; one strand owns it. Copies of a view's GridLayer may be read on any
// thread.
//   1. What a view shows is a function of (terrain, enabled obstacles, planes, profile, team)
//   alone: a cell is free iff the profile
//      may walk its terrain, no enabled blocking obstacle that concerns the team covers it, and no
//      such cell is nearer than the profile's radius (grid/cells/clearance.h); its factor is the
//      terrain's times those of all such obstacles, multiplied in doubles by ascending obstacle id,
//      capped at kFactorMax, then rounded by to_factor. So removing one obstacle never opens what
//      another still covers. Of a cell that the team has not seen neither terrain nor obstacles are
//      known: it is free, its factor that of the layers of influence alone.
//   2. A refused batch has changed nothing; commit() cannot fail.
//   3. A batch costs O(rows of 64 cells it touches x obstacles there x views), and for a view with
//   a radius of R cells O(rows within R of changed ones x R), never O(cells of the map).
// Errors are absl::Status with reason and field (base/error.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"
#include "grid/cells/clearance.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/cells/terrain.h"
#include "grid/jps/jump_map.h"
#include "world/batch.h"
#include "world/limits.h"
#include "world/obstacle_index.h"
#include "world/plane.h"
#include "world/profile.h"
#include "world/sight.h"
#include "world/staged.h"
#include "world/view.h"

namespace repath {

struct WorldSpec {
  std::string name = {};
  GridMap map = {};
  double cell_size = 1;                // world units, [kCellSizeMin, kCellSizeMax]
  std::vector<Profile> profiles = {};  // names differ; without a "default" there is Profile{} too
};

class World {
 public:
  // At revision 1, without obstacles. INVALID_ARGUMENT for fields "name", "width", "height",
  // "cell_size", "terrain_classes[i]...", "profiles[i]...", "map"; RESOURCE_EXHAUSTED with reason
  // WORLD_MEMORY. O(cells).
  static absl::StatusOr<std::unique_ptr<World>> create(WorldSpec spec, const WorldLimits& limits);

  const std::string& name() const { return name_; }
  std::int32_t width() const { return map_.width; }
  std::int32_t height() const { return map_.height; }
  double cell_size() const { return cell_size_; }
  const WorldLimits& limits() const { return limits_; }
  Revision revision() const { return revision_; }
  // Equal for equal size, terrain, obstacles and profiles at the same revision, on every machine.
  // O(1).
  std::uint64_t state_hash() const;

  // ---- what is in it ----
  const TerrainTable& terrain_classes() const { return map_.classes; }
  // REQUIRES: the cell is on the map.
  TerrainId terrain(std::int32_t x, std::int32_t y) const;
  // "default" is among them. References stay valid.
  const std::vector<Profile>& profiles() const { return profiles_; }
  // Null: unknown.
  const Profile* profile(std::string_view name) const { return find_profile(profiles_, name); }
  ProfileRules profile_rules() const { return {WorldKind::kGrid, map_.classes.size(), cell_size_}; }
  std::size_t obstacle_count() const { return obstacles_.size(); }
  const ObstacleIndex& obstacle_index() const { return obstacles_; }
  // Null: unknown. Valid until the next commit, as the pointers that follow.
  const ObstacleSpec* obstacle(ObstacleId id) const;
  // The first `limit` with id >= from, ascending.
  std::vector<const ObstacleSpec*> obstacles(ObstacleId from, std::size_t limit) const;
  // Ascending, the disabled ones too; empty off the map.
  std::vector<ObstacleId> obstacles_covering(std::int32_t x, std::int32_t y) const;

  // Of agents that stand, by body_id.
  const ObstacleIndex& bodies() const { return bodies_; }
  // Null: the agent has none.
  const Obstacle* body(AgentId agent) const { return bodies_.find(body_id(agent)); }
  // What the team has of its own; null: all zero. Valid until the next commit.
  const Plane* plane(PlaneKey key) const;

  // ---- views ----
  // The view of (profile, team), made if nobody uses it yet, and used once more. NOT_FOUND with
  // reason PROFILE_UNKNOWN, INVALID_ARGUMENT for a team that is not below kTeams,
  // RESOURCE_EXHAUSTED with reason VIEWS_TOO_MANY or WORLD_MEMORY. O(cells) when made, else
  // O(views).
  // With `without` it is a view of its own, for which the body of that agent does not count.
  absl::StatusOr<ViewId> acquire_view(std::string_view profile, TeamId team,
                                      std::optional<AgentId> without = {});
  // Ends one use; with the last one the view is gone. REQUIRES for this and all that follow: the
  // view is in use.
  void release_view(ViewId id);
  // Stays at its address while the view is in use; changes with commit(). Copy it to keep it.
  const GridLayer& layer(ViewId id) const { return view(id).layer; }
  // What terrain and obstacles come to, where the profile's radius bars more than that from a
  // walker; null: layer(id) is it. As layer(id) otherwise.
  const GridLayer* ground(ViewId id) const {
    const View& of = view(id);
    return of.disc.is_point() ? nullptr : &of.base;
  }
  // Borrows layer(id).
  GridGraph graph(ViewId id) const;
  // Keeps a jump map of the layer from now on, and in every commit, as long as the memory limit
  // allows (14 KiB a tile at the most); once it does not, none is kept any more. Goes on making it
  // for at most `*steps` steps (see JumpMap) and takes off what it used. kNone: there can be none,
  // for the profile has other than 8 neighbours, or for memory.
  enum class Jumps : std::uint8_t { kNone, kBeingMade, kKept };
  Jumps keep_jumps(ViewId id, std::size_t* steps);
  // The same to the end, 12 us a tile. False: kNone.
  bool keep_jumps(ViewId id);
  // Null: none is kept, or it is not yet made. As layer(id) otherwise.
  const JumpMap* jumps(ViewId id) const {
    const View& of = view(id);
    return of.jumps && of.jumps->is_made() ? &*of.jumps : nullptr;
  }
  const Profile& view_profile(ViewId id) const { return profiles_[view(id).profile]; }
  TeamId view_team(ViewId id) const { return view(id).sight.team(); }

  // ---- change ----
  // Checks the whole batch and works out what it would do to every view in use; changes nothing.
  // INVALID_ARGUMENT (reasons EMPTY_BATCH, DUPLICATE_ID, OUT_OF_RANGE, NOT_FINITE, RECT_EMPTY,
  // OUTSIDE_MAP, ...), NOT_FOUND (OBSTACLE_UNKNOWN, BODY_UNKNOWN), ALREADY_EXISTS (PROFILE_EXISTS),
  // RESOURCE_EXHAUSTED (BATCH_TOO_LARGE, OBSTACLES_TOO_MANY, BODIES_TOO_MANY, PROFILES_TOO_MANY,
  // WORLD_MEMORY), each with the field at fault.
  absl::StatusOr<StagedBatch> stage(const ChangeBatch& batch) const;
  // Makes it so: revision + 1. REQUIRES: staged by this world, and since then neither a commit nor
  // a change of the views in use.
  Commit commit(StagedBatch&& staged);

  // Estimate of all memory held, counted against WorldLimits::memory_bytes. O(views).
  std::uint64_t bytes() const;

 private:
  friend class Stager;
  struct View {
    std::size_t profile;  // index into profiles_
    Sight sight;
    Disc disc;
    GridLayer layer;
    GridLayer base;  // what a point would see; without cells if the disc is one
    std::uint64_t uses = 1;
    std::optional<JumpMap> jumps = {};

    // What terrain and obstacles come to, before it is grown by the disc.
    const GridLayer& ground() const { return disc.is_point() ? layer : base; }
  };

  World(WorldSpec spec, const WorldLimits& limits);
  const View& view(ViewId id) const;
  std::uint64_t bytes_but_jumps() const;
  void update_jumps(const ViewDelta& delta);
  void shed_jumps();
  absl::StatusOr<std::unique_ptr<View>> build_view(std::size_t profile, TeamId team,
                                                   std::optional<AgentId> without) const;
  absl::StatusOr<GridLayer> build_layer(const Sight& sight) const;
  // The 64 levels of each plane in that row, but for planes that are all zero there; by key.
  void levels_in_row(std::int32_t tx, std::int32_t y, std::vector<LevelRow>* rows) const;
  TileRef build_tile(const Sight& sight, std::int32_t tx, std::int32_t ty) const;

  std::string name_;
  GridMap map_;
  double cell_size_;
  WorldLimits limits_;
  Revision revision_{1};
  std::uint64_t content_hash_ = 0;  // sum of the parts' hashes, see content_hash.h
  std::uint64_t views_epoch_ = 0;   // counts changes of the views in use
  std::vector<Profile> profiles_;
  ObstacleIndex obstacles_;
  ObstacleIndex bodies_;
  std::map<PlaneKey, Plane> planes_;          // none is all zero
  std::vector<std::unique_ptr<View>> views_;  // by ViewId; null: not in use
};

}  // namespace repath

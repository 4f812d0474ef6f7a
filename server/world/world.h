// One grid world: terrain, obstacles by id, profiles, and the views in use. Only whole batches
// change it, each one revision.
//
// Thread rule: not thread-safe; one strand owns it. Copies of a view's GridLayer may be read on any
// thread.
//   1. A view's content is a function of (terrain, enabled obstacles, planes, profile, team) alone.
//      A cell is free iff three conditions hold. The profile may walk its terrain. No enabled
//      blocking obstacle that concerns the team covers it. No cell blocked in this way is nearer
//      than the profile's radius (grid/cells/clearance.h). The cell's factor is the terrain's times
//      those of all enabled obstacles that concern the team and cover it. They are multiplied in
//      doubles by ascending obstacle id, capped at kFactorMax, then rounded by to_factor. So
//      removing one obstacle never opens a cell that another still covers. If the team has not seen
//      a cell, its terrain and obstacles are unknown: it is free, and its factor is that of the
//      layers of influence alone.
//   2. A refused batch has changed nothing; commit() cannot fail.
//   3. A batch costs O(rows of 64 cells it touches x obstacles there x views). For a view with a
//      radius of R cells it also costs O(rows within R of changed ones x R). It never costs O(cells
//      of the map).
// Errors are absl::Status with reason and field (base/error.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ending_uses.h"
#include "base/ids.h"
#include "grid/cells/clearance.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/cells/terrain.h"
#include "grid/jps/jump_map.h"
#include "world/batch.h"
#include "world/limits.h"
#include "world/obstacle_index.h"
#include "world/piecewise_copy.h"
#include "world/plane.h"
#include "world/profile.h"
#include "world/sight.h"
#include "world/staged.h"
#include "world/view.h"

namespace repath {

class GridCopy;

struct WorldSpec {
  std::string name = {};
  GridMap map = {};
  double cell_size = 1;                // world units, [kCellSizeMin, kCellSizeMax]
  std::vector<Profile> profiles = {};  // names differ; without a "default" there is Profile{} too
  std::map<PlaneKey, Plane> planes = {};  // of the map's size; those that are all zero are dropped
};

class World {
 public:
  // Makes a world at revision 1, without obstacles. INVALID_ARGUMENT for fields "name", "width",
  // "height", "cell_size", "terrain_classes[i]...", "profiles[i]...", "map"; RESOURCE_EXHAUSTED
  // with reason WORLD_MEMORY. O(cells).
  static absl::StatusOr<std::unique_ptr<World>> create(WorldSpec spec, const WorldLimits& limits);
  ~World();

  const std::string& name() const { return name_; }
  std::int32_t width() const { return map_.width; }
  std::int32_t height() const { return map_.height; }
  double cell_size() const { return cell_size_; }
  const WorldLimits& limits() const { return limits_; }
  // Sets WorldLimits::memory_bytes. The world keeps what it has, even if that is more.
  void set_memory_limit(std::uint64_t bytes) { limits_.memory_bytes = bytes; }
  Revision revision() const { return revision_; }
  // Returns a hash that is equal for equal size, terrain, obstacles and profiles at the same
  // revision, on every machine. O(1).
  std::uint64_t state_hash() const;

  // ---- what is in it ----
  const TerrainTable& terrain_classes() const { return map_.classes; }
  // REQUIRES: the cell is on the map.
  TerrainId terrain(std::int32_t x, std::int32_t y) const;
  // Returns the profiles, "default" among them. References stay valid.
  const std::vector<Profile>& profiles() const { return profiles_; }
  // Returns the profile; null if it is unknown.
  const Profile* profile(std::string_view name) const { return find_profile(profiles_, name); }
  ProfileRules profile_rules() const { return {WorldKind::kGrid, map_.classes.size(), cell_size_}; }
  std::size_t obstacle_count() const { return obstacles_.size(); }
  const ObstacleIndex& obstacle_index() const { return obstacles_; }
  // Returns the obstacle; null if it is unknown. Valid until the next commit, as the pointers that
  // follow.
  const ObstacleSpec* obstacle(ObstacleId id) const;

  // Returns the bodies of standing agents, by body_id.
  const ObstacleIndex& bodies() const { return bodies_; }
  // Returns the agent's body; null if it has none.
  const Obstacle* body(AgentId agent) const { return bodies_.find(body_id(agent)); }
  // Returns a plane of a team; null if it is all zero. Valid until the next commit.
  const Plane* plane(PlaneKey key) const;
  // Returns the planes that are not all zero.
  const std::map<PlaneKey, Plane>& planes() const { return planes_; }

  // ---- tiles and copies, see world/read_back.h ----
  std::int32_t tiles_x() const { return obstacles_.tiles_x(); }
  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(changed_.size()); }
  // Returns the tiles that the rectangle meets. REQUIRES: it lies on the map.
  std::vector<std::size_t> tiles_of(const CellRect& cells) const;
  // Returns the terrain of `width` cells from (x, y) on. REQUIRES: they are on the map.
  std::span<const TerrainId> terrain_row(std::int32_t x, std::int32_t y, std::int32_t width) const;
  // Returns the last revision that changed the tile's terrain or, if asked, a plane of any team
  // there. Tiles that never changed have the first revision.
  Revision tile_changed(std::uint32_t tile, bool with_planes) const {
    const TileChanged& changed = changed_[tile];
    return with_planes ? std::max(changed.terrain, changed.planes) : changed.terrain;
  }
  // Begins a copy of the world as it is now, advances it by about `bytes`, or gives it up. See
  // CopiesUnderWay. RESOURCE_EXHAUSTED with reason EXPORTS_MAX.
  absl::StatusOr<CopyId> begin_copy();
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes);
  void end_copy(CopyId id);
  // Makes the present content that of `revision`. REQUIRES: no view is in use, no copy under way.
  void begin_at(Revision revision);
  // Sets the last revision that changed each tile, for terrain and planes alike. REQUIRES: one for
  // each tile, none above the world's.
  void set_tiles_changed(std::span<const Revision> changed);

  // ---- views ----
  // Adds one use to the view of (profile, team), and makes the view if it is not in use yet. With
  // `without` it is a view of its own, for which the body of that agent does not count. NOT_FOUND
  // with reason PROFILE_UNKNOWN, INVALID_ARGUMENT for a team that is not below kTeams,
  // RESOURCE_EXHAUSTED with reason VIEWS_TOO_MANY or WORLD_MEMORY. The limit of views counts those
  // that are in use once the caller has ended the uses in `ending`; the limit of memory counts all.
  // O(cells) when made, else O(views).
  absl::StatusOr<ViewId> acquire_view(std::string_view profile, TeamId team,
                                      std::optional<AgentId> without = {},
                                      const EndingUses<ViewId>& ending = {});
  // Ends one use; with the last one the view is gone. REQUIRES for this and all functions that
  // follow: the view is in use.
  void release_view(ViewId id);
  // Returns the view's layer, which stays at its address while the view is in use and changes with
  // commit(). Copy it to keep it.
  const GridLayer& layer(ViewId id) const { return view(id).layer; }
  // Returns the layer from terrain and obstacles alone, if the profile's radius bars more cells
  // than these; null: layer(id) is it. Otherwise like layer(id).
  const GridLayer* ground(ViewId id) const {
    const View& of = view(id);
    return of.disc.is_point() ? nullptr : &of.base;
  }
  // Borrows layer(id).
  GridGraph graph(ViewId id) const;
  // Keeps a jump map of the layer from now on and through every commit, as long as the memory limit
  // allows (at most 14 KiB a tile). After that, no jump map is kept any more. Goes on making it for
  // at most `*steps` steps (see JumpMap) and takes off the steps it used. Returns kNone if no jump
  // map is possible: the profile does not have 8 neighbours or memory is short. Maps that are not
  // yet made count as the largest that they can become, so that all that were begun fit.
  enum class Jumps : std::uint8_t { kNone, kBeingMade, kKept };
  Jumps keep_jumps(ViewId id, std::size_t* steps);
  // Makes the jump map to the end, 12 us a tile. Returns false for kNone.
  bool keep_jumps(ViewId id);
  // Returns the jump map; null: none is kept, or it is not yet made. Otherwise like layer(id).
  const JumpMap* jumps(ViewId id) const {
    const View& of = view(id);
    return of.jumps && of.jumps->is_made() ? &*of.jumps : nullptr;
  }
  const Profile& view_profile(ViewId id) const { return profiles_[view(id).profile]; }
  TeamId view_team(ViewId id) const { return view(id).sight.team(); }

  // ---- change ----
  // Checks the whole batch and works out what it would do to every view in use; changes nothing.
  // Each error names the field at fault.
  // INVALID_ARGUMENT: EMPTY_BATCH, DUPLICATE_ID, OUT_OF_RANGE, NOT_FINITE, RECT_EMPTY, OUTSIDE_MAP,
  // ...
  // NOT_FOUND: OBSTACLE_UNKNOWN, BODY_UNKNOWN. ALREADY_EXISTS: PROFILE_EXISTS.
  // RESOURCE_EXHAUSTED: BATCH_TOO_LARGE, OBSTACLES_TOO_MANY, BODIES_TOO_MANY, PROFILES_TOO_MANY,
  // WORLD_MEMORY.
  absl::StatusOr<StagedBatch> stage(const ChangeBatch& batch) const;
  // Commits the staged batch: revision + 1. REQUIRES: this world staged it, and since then there
  // was neither a commit nor a change of the views in use.
  Commit commit(StagedBatch&& staged);

  // Returns an estimate of all memory held, counted against WorldLimits::memory_bytes. O(views).
  std::uint64_t bytes() const;
  // Returns the same without the jump maps. Only this counts when a batch or a view needs memory,
  // because the jump maps make room for it.
  std::uint64_t bytes_but_jumps() const;

 private:
  friend class Stager;
  struct View {
    std::size_t profile;  // index into profiles_
    Sight sight;
    Disc disc;
    GridLayer layer;
    GridLayer base;  // the layer of an agent without a radius; without cells if the disc is a point
    std::uint64_t uses = 1;
    std::optional<JumpMap> jumps = {};

    // Returns the layer from terrain and obstacles, before it is grown by the disc.
    const GridLayer& ground() const { return disc.is_point() ? layer : base; }
  };

  struct TileChanged {
    Revision terrain{1};
    Revision planes{1};
  };

  World(WorldSpec spec, const WorldLimits& limits);
  const View& view(ViewId id) const;
  void note_changed(const ResolvedBatch& batch);
  std::optional<ViewId> find_view(std::size_t profile, TeamId team,
                                  std::optional<AgentId> without) const;
  std::size_t views_after(const EndingUses<ViewId>& ending) const;
  bool has_room_for_jumps(const View& of) const;
  void update_jumps(const ViewDelta& delta);
  void shed_jumps();
  absl::StatusOr<std::unique_ptr<View>> build_view(std::size_t profile, TeamId team,
                                                   std::optional<AgentId> without) const;
  absl::StatusOr<GridLayer> build_layer(const Sight& sight) const;
  // Fills `rows` with the 64 levels of each plane in that row, by key; planes that are all zero
  // there are left out.
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
  std::map<PlaneKey, Plane> planes_;  // none is all zero
  std::vector<TileChanged> changed_;  // by tile
  CopiesUnderWay<GridCopy> copies_;
  std::vector<std::unique_ptr<View>> views_;  // by ViewId; null: not in use
};

}  // namespace repath

#include "world/world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "world/checks.h"
#include "world/content_hash.h"
#include "world/grid_copy.h"
#include "world/grower.h"
#include "world/stager.h"

namespace repath {
namespace {

absl::Status check_map(const GridMap& map) {
  if (map.width < 1 || map.width > kMapSideMax)
    return invalid_field("OUT_OF_RANGE", "width", "must be in [1, 16384] cells");
  if (map.height < 1 || map.height > kMapSideMax)
    return invalid_field("OUT_OF_RANGE", "height", "must be in [1, 16384] cells");
  if (auto s = check_terrain(map.classes); !s.ok()) return s;
  const std::size_t cells =
      static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height);
  const bool known = std::all_of(map.cells.begin(), map.cells.end(),
                                 [&map](TerrainId t) { return index(t) < map.classes.size(); });
  if (map.cells.size() != cells || !known)
    return invalid_field("MAP_INVALID", "map", "must have one known terrain class for each cell");
  return absl::OkStatus();
}

absl::Status check_spec(const WorldSpec& spec) {
  if (!is_name(spec.name))
    return invalid_field("NAME_INVALID", "name", "must be 1 to 64 characters of [A-Za-z0-9_.-]");
  if (!std::isfinite(spec.cell_size))
    return invalid_field("NOT_FINITE", "cell_size", "must be a finite number");
  if (spec.cell_size < kCellSizeMin || spec.cell_size > kCellSizeMax)
    return invalid_field("OUT_OF_RANGE", "cell_size", "must be in [1e-3, 1e3] world units");
  if (auto s = check_map(spec.map); !s.ok()) return s;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<World>> World::create(WorldSpec spec, const WorldLimits& limits) {
  if (auto s = check_spec(spec); !s.ok()) return s;
  const ProfileRules rules{WorldKind::kGrid, spec.map.classes.size(), spec.cell_size};
  if (auto s = check_profiles(&spec.profiles, rules); !s.ok()) return s;
  if (spec.map.cells.size() > limits.memory_bytes) return no_memory(limits.memory_bytes);
  std::unique_ptr<World> world(new World(std::move(spec), limits));
  if (world->bytes() > limits.memory_bytes) return no_memory(limits.memory_bytes);
  return world;
}

World::World(WorldSpec spec, const WorldLimits& limits)
    : name_(std::move(spec.name)),
      map_(std::move(spec.map)),
      cell_size_(spec.cell_size),
      limits_(limits),
      obstacles_(map_.width, map_.height),
      bodies_(map_.width, map_.height),
      planes_(std::move(spec.planes)) {
  profiles_.reserve(kProfilesMax);  // so that references stay valid
  for (Profile& profile : spec.profiles) profiles_.push_back(std::move(profile));

  content_hash_ = content_hash(map_, cell_size_);
  for (const Profile& profile : profiles_) content_hash_ += content_hash(profile);
  for (std::size_t i = 0; i < map_.cells.size(); ++i)
    content_hash_ += content_hash(NodeId{static_cast<std::uint32_t>(i)}, map_.cells[i]);
  std::erase_if(planes_, [](const auto& entry) { return entry.second.empty(); });
  const CellRect all{0, 0, map_.width, map_.height};
  const auto node_at = [this](std::int32_t x, std::int32_t y) {
    return NodeId{static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(map_.width) +
                  static_cast<std::uint32_t>(x)};
  };
  for (const auto& [key, plane] : planes_)
    for (const CellSpan& span : plane.used(all))
      for (std::int32_t x = span.x0; x < span.x1; ++x)
        content_hash_ += content_hash(key, node_at(x, span.y), plane.at(x, span.y));
  changed_.resize(static_cast<std::size_t>(tiles_x()) *
                  static_cast<std::size_t>((map_.height + kTileMask) >> kTileBits));
}

World::~World() = default;

std::uint64_t World::state_hash() const { return fold_revision(content_hash_, revision_); }

TerrainId World::terrain(std::int32_t x, std::int32_t y) const {
  REPATH_CHECK(x >= 0 && y >= 0 && x < map_.width && y < map_.height);
  return map_.cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(map_.width) +
                    static_cast<std::size_t>(x)];
}

const ObstacleSpec* World::obstacle(ObstacleId id) const {
  const Obstacle* found = obstacles_.find(id);
  return found == nullptr ? nullptr : &found->spec;
}

const Plane* World::plane(PlaneKey key) const {
  const auto found = planes_.find(key);
  return found == planes_.end() ? nullptr : &found->second;
}

void World::levels_in_row(std::int32_t tx, std::int32_t y, std::vector<LevelRow>* rows) const {
  rows->clear();
  LevelRow row;
  for (const auto& [key, plane] : planes_) {
    if (!plane.row(tx, y, &row.levels)) continue;
    row.key = key;
    rows->push_back(row);
  }
}

absl::StatusOr<ViewId> World::acquire_view(std::string_view profile_name, TeamId team,
                                           std::optional<AgentId> without,
                                           const EndingUses<ViewId>& ending) {
  REPATH_ASSIGN_OR_RETURN(const std::size_t profile_index,
                          place_of_profile(profiles_, profile_name));
  if (static_cast<int>(team) >= kTeams)
    return invalid_field("OUT_OF_RANGE", "team", "must be in [0, 32)");
  const std::optional<ViewId> known = find_view(profile_index, team, without);
  const bool counts_already = known && ending.outlives(*known, view(*known).uses);
  if (!counts_already && views_after(ending) >= kViewsMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "VIEWS_TOO_MANY", "profile",
                      "a world has at most 256 pairs of profile and team in use, and each agent "
                      "with `stands` is one of them; remove agents or give them a pair in use");
  }
  if (known) {
    ++views_[index(*known)]->uses;
    return *known;
  }
  auto made = build_view(profile_index, team, without);
  if (!made.ok()) return made.status();
  auto place = std::find(views_.begin(), views_.end(), nullptr);
  if (place == views_.end()) place = views_.emplace(place);
  *place = *std::move(made);
  ++views_epoch_;
  shed_jumps();
  return ViewId{static_cast<std::uint32_t>(place - views_.begin())};
}

std::optional<ViewId> World::find_view(std::size_t profile, TeamId team,
                                       std::optional<AgentId> without) const {
  for (std::uint32_t i = 0; i < views_.size(); ++i) {
    if (views_[i] != nullptr && views_[i]->profile == profile && views_[i]->sight.team() == team &&
        views_[i]->sight.without() == without)
      return ViewId{i};
  }
  return std::nullopt;
}

// Returns the number of views that are in use once the uses in `ending` have ended.
std::size_t World::views_after(const EndingUses<ViewId>& ending) const {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < views_.size(); ++i)
    if (views_[i] != nullptr && ending.outlives(ViewId{i}, views_[i]->uses)) ++count;
  return count;
}

void World::release_view(ViewId id) {
  view(id);
  std::unique_ptr<View>& place = views_[index(id)];
  if (--place->uses > 0) return;
  place.reset();
  ++views_epoch_;
}

GridGraph World::graph(ViewId id) const {
  const Profile& profile = view_profile(id);
  return GridGraph(&view(id).layer, profile.topology, profile.corner_rule);
}

World::Jumps World::keep_jumps(ViewId id, std::size_t* steps) {
  View& of = *views_[index(id)];
  if (!of.jumps) {
    if (view_profile(id).topology != Topology::k8 || !has_room_for_jumps(of)) return Jumps::kNone;
    of.jumps.emplace(of.layer, view_profile(id).corner_rule, JumpMap::Unmade{});
  }
  return of.jumps->make(of.layer, steps) ? Jumps::kKept : Jumps::kBeingMade;
}

bool World::keep_jumps(ViewId id) {
  std::size_t steps = std::numeric_limits<std::size_t>::max();
  return keep_jumps(id, &steps) == Jumps::kKept;
}

// Returns whether the jump map of one more view fits. Maps that are not yet made count as the
// largest that they can become.
bool World::has_room_for_jumps(const View& of) const {
  const std::uint64_t most = JumpMap::bytes_max(of.layer);
  std::uint64_t bytes = bytes_but_jumps() + most;
  for (const auto& view : views_)
    if (view != nullptr && view->jumps)
      bytes += view->jumps->is_made() ? view->jumps->bytes() : most;
  return bytes <= limits_.memory_bytes;
}

void World::update_jumps(const ViewDelta& delta) {
  View& of = *views_[index(delta.view)];
  if (!of.jumps) return;
  std::vector<NodeId> touched = delta.freed;
  touched.insert(touched.end(), delta.blocked.begin(), delta.blocked.end());
  of.jumps->update(of.layer, touched);
}

// Drops jump maps beyond the memory limit; they are the first to go.
void World::shed_jumps() {
  if (bytes() <= limits_.memory_bytes) return;
  for (const auto& view : views_)
    if (view != nullptr) view->jumps.reset();
}

const World::View& World::view(ViewId id) const {
  REPATH_CHECK(index(id) < views_.size() && views_[index(id)] != nullptr);
  return *views_[index(id)];
}

absl::StatusOr<std::unique_ptr<World::View>> World::build_view(
    std::size_t profile, TeamId team, std::optional<AgentId> without) const {
  const Sight sight(map_.classes, profiles_[profile], team, without);
  auto layer = build_layer(sight);
  if (!layer.ok()) return layer.status();
  std::unique_ptr<View> view(
      new View{profile, sight, disc_of(profiles_[profile], cell_size_), *std::move(layer), {}});
  if (view->disc.is_point()) return view;
  view->base = view->layer;
  if (!grow_all(view->base, view->disc, limits_.memory_bytes - bytes_but_jumps(), &view->layer))
    return no_memory(limits_.memory_bytes);
  return view;
}

absl::StatusOr<GridLayer> World::build_layer(const Sight& sight) const {
  GridLayer layer(map_.width, map_.height);
  TileRef all_free(new Tile);
  all_free.writable().free.fill(~std::uint64_t{0});
  const std::uint64_t held_bytes = bytes_but_jumps();
  for (std::int32_t ty = 0; ty < layer.tiles_y(); ++ty) {
    for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx) {
      TileRef tile = build_tile(sight, tx, ty);
      const bool shared = !tile->factors && tile->free == all_free->free;
      layer.replace_tile(tx, ty, shared ? all_free : std::move(tile));
      if (held_bytes + layer.bytes() > limits_.memory_bytes) return no_memory(limits_.memory_bytes);
    }
  }
  return layer;
}

TileRef World::build_tile(const Sight& sight, std::int32_t tx, std::int32_t ty) const {
  std::vector<Cover> covers;
  const std::int32_t left = tx << kTileBits;
  const std::int32_t top = ty << kTileBits;
  for (const Obstacle* obstacle : obstacles_.in_tile(obstacles_.tile_of(left, top)))
    if (obstacle->spec.enabled) covers.push_back(cover_of(*obstacle, false));
  for (const Obstacle* body : bodies_.in_tile(bodies_.tile_of(left, top)))
    covers.push_back(cover_of(*body, true));
  TileCovers by_row;
  by_row.set(covers, tx, ty);
  TileRef tile(new Tile);
  std::vector<CoverBits> row;
  std::vector<LevelRow> levels;
  const auto cells = static_cast<std::size_t>(std::min(kTileSide, map_.width - left));
  for (std::int32_t y = top; y < std::min(top + kTileSide, map_.height); ++y) {
    by_row.read_row(y, &row);
    levels_in_row(tx, y, &levels);
    const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(map_.width) +
                              static_cast<std::size_t>(left);
    write_row(sight.look(std::span(map_.cells).subspan(first, cells), row, levels),
              static_cast<std::size_t>(y - top), &tile.writable());
  }
  return tile;
}

absl::StatusOr<StagedBatch> World::stage(const ChangeBatch& batch) const {
  if (auto s = check_batch(batch, *this); !s.ok()) return s;
  auto resolved = resolve_batch(batch, *this);
  if (!resolved.ok()) return resolved.status();
  return Stager(*this, *std::move(resolved)).run();
}

Commit World::commit(StagedBatch&& staged) {
  REPATH_CHECK(staged.base_ == revision_ && staged.views_epoch_ == views_epoch_);
  copies_.for_each([&](GridCopy& copy) { copy.note_before(staged.batch_); });
  note_changed(staged.batch_);
  for (ResolvedObstacle& obstacle : staged.batch_.obstacles) {
    ObstacleIndex& index = obstacle.is_body ? bodies_ : obstacles_;
    if (obstacle.upserted) {
      index.put(*std::move(obstacle.upserted));
    } else if (obstacle.switched) {
      index.set_enabled(obstacle.id, *obstacle.switched);
    } else {
      index.erase(obstacle.id);
    }
  }
  for (const TerrainEdit& edit : staged.batch_.terrain_edits) {
    for (std::int32_t y = edit.cells.y0; y < edit.cells.y1; ++y) {
      const auto row = map_.cells.begin() + std::ptrdiff_t{y} * map_.width;
      std::fill(row + edit.cells.x0, row + edit.cells.x1, edit.terrain);
    }
  }
  for (const ResolvedPlaneEdit& edit : staged.batch_.plane_edits) {
    const auto place = planes_.try_emplace(edit.key, map_.width, map_.height).first;
    place->second.apply(edit.cells, edit.change);
  }
  std::erase_if(planes_, [](const auto& entry) { return entry.second.empty(); });
  for (Profile& profile : staged.batch_.new_profiles) profiles_.push_back(std::move(profile));
  content_hash_ = staged.content_hash_;
  revision_ = next(revision_);

  Commit commit{revision_, state_hash(), std::move(staged.causes_), {}};
  commit.views.reserve(staged.views_.size());
  for (auto& [id, base] : staged.bases_) views_[index(id)]->base = std::move(base);
  for (StagedBatch::View& changed : staged.views_) {
    views_[index(changed.delta.view)]->layer = std::move(changed.layer);
    update_jumps(changed.delta);
    commit.views.push_back(std::move(changed.delta));
  }
  shed_jumps();
  return commit;
}

// ---- tiles and copies ----

std::vector<std::size_t> World::tiles_of(const CellRect& cells) const {
  std::vector<std::size_t> tiles;
  for (std::int32_t ty = cells.y0 >> kTileBits; ty <= (cells.y1 - 1) >> kTileBits; ++ty)
    for (std::int32_t tx = cells.x0 >> kTileBits; tx <= (cells.x1 - 1) >> kTileBits; ++tx)
      tiles.push_back(static_cast<std::size_t>(ty) * static_cast<std::size_t>(tiles_x()) +
                      static_cast<std::size_t>(tx));
  return tiles;
}

std::span<const TerrainId> World::terrain_row(std::int32_t x, std::int32_t y,
                                              std::int32_t width) const {
  const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(map_.width) +
                            static_cast<std::size_t>(x);
  return std::span(map_.cells).subspan(first, static_cast<std::size_t>(width));
}

// Marks the tiles that the batch changes with the revision that it makes.
void World::note_changed(const ResolvedBatch& batch) {
  const Revision now = next(revision_);
  for (const TerrainEdit& edit : batch.terrain_edits)
    for (const std::size_t tile : tiles_of(edit.cells)) changed_[tile].terrain = now;
  for (const ResolvedPlaneEdit& edit : batch.plane_edits)
    for_each_tile_met(edit.cells, tiles_x(),
                      [&](std::size_t tile) { changed_[tile].planes = now; });
}

absl::StatusOr<CopyId> World::begin_copy() {
  if (copies_.size() >= kCopiesMax) return too_many_copies();
  return copies_.begin(std::make_unique<GridCopy>(*this));
}

std::optional<WorldContent> World::advance_copy(CopyId id, std::size_t bytes) {
  return copies_.advance(id, bytes);
}

void World::end_copy(CopyId id) { copies_.end(id); }

void World::begin_at(Revision revision) {
  REPATH_CHECK(views_.empty() && copies_.size() == 0);
  revision_ = revision;
  std::ranges::fill(changed_, TileChanged{revision, revision});
}

void World::set_tiles_changed(std::span<const Revision> changed) {
  REPATH_CHECK(changed.size() == changed_.size());
  for (std::size_t tile = 0; tile < changed.size(); ++tile) {
    REPATH_CHECK(changed[tile] <= revision_);
    changed_[tile] = {changed[tile], changed[tile]};
  }
}

std::uint64_t World::bytes() const {
  std::uint64_t bytes = bytes_but_jumps();
  for (const auto& view : views_)
    if (view != nullptr && view->jumps) bytes += view->jumps->bytes();
  return bytes;
}

std::uint64_t World::bytes_but_jumps() const {
  std::uint64_t bytes = sizeof(World) + map_.cells.capacity() + obstacles_.bytes() +
                        bodies_.bytes() + changed_.size() * sizeof(TileChanged);
  for (const auto& [key, plane] : planes_) bytes += plane.bytes();
  for (const auto& view : views_)
    if (view != nullptr) bytes += sizeof(View) + view->layer.bytes() + view->base.bytes();
  return bytes;
}

}  // namespace repath

#include "world/stager.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/error.h"
#include "world/checks.h"
#include "world/content_hash.h"
#include "world/grower.h"

namespace repath {
namespace {

// Appends the runs of set bits as cells of row y.
void append_runs(std::uint64_t bits, std::int32_t tx, std::int32_t y, std::uint32_t cause,
                 std::vector<ChangedRun>* runs) {
  std::int32_t x = tx << kTileBits;
  while (bits != 0) {
    const int gap = std::countr_zero(bits);
    const int length = std::countr_one(bits >> gap);
    runs->push_back({{y, x + gap, x + gap + length}, cause});
    if (gap + length == kTileSide) return;
    bits >>= gap + length;
    x += gap + length;
  }
}

void sort_runs(std::vector<ChangedRun>* runs) {
  std::sort(runs->begin(), runs->end(), [](const ChangedRun& a, const ChangedRun& b) {
    return a.cells.y != b.cells.y ? a.cells.y < b.cells.y : a.cells.x0 < b.cells.x0;
  });
}

absl::Status too_much_work(const std::string& what) {
  return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", "",
                    "the batch " + what + "; split it");
}

absl::Status too_many_edges(std::uint64_t most) {
  return too_much_work("changes more than " + std::to_string(most) + " edges in the views in use");
}

std::uint64_t body_hash(const ObstacleSpec& spec) {
  return content_hash(Body{AgentId{value(spec.id)}, spec.shape});
}

// Returns the plane's row among `rows`, which are ascending by key.
LevelRow& row_of(PlaneKey key, std::vector<LevelRow>* rows) {
  const auto at = std::lower_bound(rows->begin(), rows->end(), key,
                                   [](const LevelRow& row, PlaneKey k) { return row.key < k; });
  if (at != rows->end() && at->key == key) return *at;
  return *rows->insert(at, LevelRow{key, {}});
}

void apply_to_row(std::uint64_t cells, LevelChange change, LevelRow* row) {
  for (; cells != 0; cells &= cells - 1) {
    Level& level = row->levels[static_cast<std::size_t>(std::countr_zero(cells))];
    level = change.apply(level);
  }
}

// Returns the hash of a row. `first`: the node of the row's first cell.
std::uint64_t row_hash(const LevelRow& row, NodeId first) {
  std::uint64_t hash = 0;
  for (std::uint32_t x = 0; x < row.levels.size(); ++x)
    hash += content_hash(row.key, NodeId{index(first) + x}, row.levels[x]);
  return hash;
}

}  // namespace

Stager::Stager(const World& world, ResolvedBatch batch)
    : world_(world),
      bytes_(world.bytes_but_jumps() + batch.added_bytes),
      bytes_max_(std::max(world.limits().memory_bytes, world.bytes_but_jumps())),
      edges_left_(world.limits().batch_edges_max) {
  staged_.base_ = world.revision();
  staged_.views_epoch_ = world.views_epoch_;
  staged_.content_hash_ = world.content_hash_;
  staged_.batch_ = std::move(batch);
  for (const ResolvedObstacle& obstacle : staged_.batch_.obstacles) {
    if (!obstacle.is_body) staged_.causes_.push_back(obstacle.id);
    if (obstacle.matters())
      (obstacle.is_body ? changing_bodies_ : changing_).push_back(obstacle.id);
  }
  std::sort(changing_.begin(), changing_.end());
  std::sort(changing_bodies_.begin(), changing_bodies_.end());
  for (std::size_t i = 0; i < world.views_.size(); ++i) {
    const World::View* view = world.views_[i].get();
    if (view == nullptr) continue;
    ViewWork& work = views_.emplace_back();
    work.view = view;
    work.delta.view = ViewId{static_cast<std::uint32_t>(i)};
  }
}

absl::StatusOr<StagedBatch> Stager::run() {
  hash_obstacles_and_profiles();
  touch_all();
  REPATH_RETURN_IF_ERROR(check_rows());
  for (std::size_t begin = 0; begin < touches_.size();) {
    std::size_t end = begin;
    while (end < touches_.size() && touches_[end].tile == touches_[begin].tile) ++end;
    if (auto s = look_at_tile(std::span(touches_).subspan(begin, end - begin)); !s.ok()) return s;
    begin = end;
  }
  REPATH_RETURN_IF_ERROR(grow_views());
  REPATH_RETURN_IF_ERROR(check_edges());
  for (ViewWork& work : views_) {
    if (work.runs.empty()) continue;
    if (auto s = finish(&work); !s.ok()) return s;
    staged_.views_.push_back({std::move(work.layer), std::move(work.delta)});
  }
  return std::move(staged_);
}

void Stager::hash_obstacles_and_profiles() {
  std::uint64_t& hash = staged_.content_hash_;
  for (const ResolvedObstacle& obstacle : staged_.batch_.obstacles) {
    if (obstacle.is_body) {
      if (obstacle.before != nullptr) hash -= body_hash(obstacle.before->spec);
      if (obstacle.upserted) hash += body_hash(obstacle.upserted->spec);
      continue;
    }
    if (obstacle.before != nullptr) hash -= content_hash(obstacle.before->spec);
    if (obstacle.after() == nullptr) continue;
    ObstacleSpec spec = obstacle.after()->spec;
    spec.enabled = obstacle.enabled_after();
    hash += content_hash(spec);
  }
  for (const Profile& profile : staged_.batch_.new_profiles) hash += content_hash(profile);
}

void Stager::touch_all() {
  std::size_t op = 0;
  for (const ResolvedObstacle& obstacle : staged_.batch_.obstacles) {
    if (obstacle.matters() && !views_.empty()) {
      if (obstacle.enabled_before())
        for (const CellSpan& span : obstacle.before->cells) touch(span, op);
      if (obstacle.enabled_after())
        for (const CellSpan& span : obstacle.after()->cells) touch(span, op);
    }
    ++op;
  }
  for (const TerrainEdit& edit : staged_.batch_.terrain_edits) {
    for (std::int32_t y = edit.cells.y0; y < edit.cells.y1; ++y)
      touch({y, edit.cells.x0, edit.cells.x1}, op);
    ++op;
  }
  for (const ResolvedPlaneEdit& edit : staged_.batch_.plane_edits) {
    for (const CellSpan& span : edit.cells) touch(span, op);
    ++op;
  }
  std::sort(touches_.begin(), touches_.end());
  touches_.erase(std::unique(touches_.begin(), touches_.end()), touches_.end());
}

void Stager::touch(const CellSpan& span, std::size_t op) {
  const std::size_t last = world_.obstacles_.tile_of(span.x1 - 1, span.y);
  for (std::size_t tile = world_.obstacles_.tile_of(span.x0, span.y); tile <= last; ++tile)
    touches_.push_back({static_cast<std::uint32_t>(tile),
                        static_cast<std::uint16_t>(span.y & kTileMask),
                        static_cast<std::uint16_t>(op)});
}

absl::Status Stager::check_rows() const {
  std::uint64_t rows = 0;
  std::uint64_t obstacles = 0;
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const std::size_t tile = touches_[i].tile;
    const bool is_new_tile = i == 0 || tile != touches_[i - 1].tile;
    if (is_new_tile || touches_[i].row != touches_[i - 1].row) ++rows;
    if (is_new_tile)
      obstacles += world_.obstacles_.in_tile(tile).size() + world_.bodies_.in_tile(tile).size();
  }
  const std::uint64_t most_obstacles = world_.limits().batch_tile_obstacles_max;
  if (!views_.empty() && obstacles > most_obstacles)
    return too_much_work("concerns squares of 64 cells with more than " +
                         std::to_string(most_obstacles) + " obstacles, counted in each square");
  const std::uint64_t most = world_.limits().batch_view_rows_max;
  if (rows * views_.size() <= most) return absl::OkStatus();
  return too_much_work("concerns more than " + std::to_string(most) +
                       " rows of 64 cells in the views in use");
}

absl::Status Stager::look_at_tile(std::span<const Touch> touches) {
  const auto tile = static_cast<std::int32_t>(touches.front().tile);
  const std::int32_t tx = tile % world_.obstacles_.tiles_x();
  const std::int32_t ty = tile / world_.obstacles_.tiles_x();
  gather_covers(touches);
  tile_covers_.set(covers_, tx, ty);
  for (std::size_t begin = 0; begin < touches.size();) {
    std::size_t end = begin;
    while (end < touches.size() && touches[end].row == touches[begin].row) ++end;
    look_at_row(touches.subspan(begin, end - begin), {tx, (ty << kTileBits) + touches[begin].row});
    if (covers_read_ > world_.limits().batch_row_obstacles_max)
      return too_much_work("concerns rows of 64 cells with more than " +
                           std::to_string(world_.limits().batch_row_obstacles_max) +
                           " obstacles, counted in each row and view in use");
    begin = end;
  }
  if (changed_cells_ > world_.limits().batch_edges_max)
    return too_much_work("changes more than " + std::to_string(world_.limits().batch_edges_max) +
                         " cells in the views in use");
  for (ViewWork& work : views_) {
    if (!work.fresh) continue;
    trim(&work.fresh.writable());
    GridLayer& ground = work.view->disc.is_point() ? work.layer : work.base;
    if (ground.width() == 0) ground = work.view->ground();
    bytes_ += work.fresh->bytes() - ground.tile(tx, ty).bytes();
    if (bytes_ > bytes_max_) return no_memory(world_.limits().memory_bytes);
    ground.replace_tile(tx, ty, std::exchange(work.fresh, {}));
  }
  return absl::OkStatus();
}

// Gathers the enabled obstacles of the tile as the batch leaves them, ascending by id.
void Stager::gather_covers(std::span<const Touch> touches) {
  covers_.clear();
  add_unchanged(world_.obstacles_, changing_, touches.front().tile);
  add_unchanged(world_.bodies_, changing_bodies_, touches.front().tile);
  for (const Touch& touch : touches) {
    if (touch.op >= staged_.batch_.obstacles.size()) continue;
    const ResolvedObstacle& obstacle = staged_.batch_.obstacles[touch.op];
    if (obstacle.enabled_after() && !obstacle.after()->cells.empty())
      covers_.push_back(cover_of(*obstacle.after(), obstacle.is_body));
  }
  const auto key = [](const Cover& cover) { return std::pair(cover.body.has_value(), cover.id); };
  std::ranges::sort(covers_, {}, key);
  const auto is_again = [&](const Cover& a, const Cover& b) { return key(a) == key(b); };
  covers_.erase(std::unique(covers_.begin(), covers_.end(), is_again), covers_.end());
}

// Adds the tile's obstacles that the batch does not change.
void Stager::add_unchanged(const ObstacleIndex& index, const std::vector<ObstacleId>& changing,
                           std::size_t tile) {
  for (const Obstacle* obstacle : index.in_tile(tile)) {
    const bool is_changing =
        std::binary_search(changing.begin(), changing.end(), obstacle->spec.id);
    if (obstacle->spec.enabled && !is_changing)
      covers_.push_back(cover_of(*obstacle, &index == &world_.bodies_));
  }
}

void Stager::look_at_row(std::span<const Touch> touches, Place place) {
  read_terrain(touches, place);
  read_levels(touches, place);
  tile_covers_.read_row(place.y, &cover_bits_);
  covers_read_ += cover_bits_.size() * views_.size();
  gather_ops(touches, place);
  const auto ly = static_cast<std::size_t>(place.y & kTileMask);
  for (ViewWork& work : views_) {
    const Tile& old = work.view->ground().tile(place.tx, place.y >> kTileBits);
    const RowState row = work.view->sight.look(terrain_, cover_bits_, levels_);
    const std::uint64_t changed = changed_bits(old, ly, row);
    if (changed == 0) continue;
    changed_cells_ += static_cast<std::uint64_t>(std::popcount(changed));
    note(row, changed, place, &work);
    if (!work.fresh) work.fresh = TileRef(new Tile(old));
    write_row(row, ly, &work.fresh.writable());
  }
}

// Reads the terrain of the row as the batch leaves it, and adds the edits' share of the hash.
void Stager::read_terrain(std::span<const Touch> touches, Place place) {
  const std::int32_t left = place.tx << kTileBits;
  const std::int32_t right = std::min(left + kTileSide, world_.width());
  const NodeId first{static_cast<std::uint32_t>(place.y) *
                         static_cast<std::uint32_t>(world_.width()) +
                     static_cast<std::uint32_t>(left)};
  const TerrainId* old = world_.map_.cells.data() + index(first);
  terrain_.assign(old, old + (right - left));
  const std::size_t obstacles = staged_.batch_.obstacles.size();
  const std::size_t end = obstacles + staged_.batch_.terrain_edits.size();
  if (touches.back().op < obstacles) return;
  for (const Touch& touch : touches) {
    if (touch.op < obstacles || touch.op >= end) continue;
    const TerrainEdit& edit = staged_.batch_.terrain_edits[touch.op - obstacles];
    std::fill(terrain_.begin() + (std::max(edit.cells.x0, left) - left),
              terrain_.begin() + (std::min(edit.cells.x1, right) - left), edit.terrain);
  }
  for (std::size_t x = 0; x < terrain_.size(); ++x) {
    if (terrain_[x] == old[x]) continue;
    const NodeId node{index(first) + static_cast<std::uint32_t>(x)};
    staged_.content_hash_ += content_hash(node, terrain_[x]) - content_hash(node, old[x]);
  }
}

// Reads the levels of the row as the batch leaves them, and adds the edits' share of the hash.
void Stager::read_levels(std::span<const Touch> touches, Place place) {
  world_.levels_in_row(place.tx, place.y, &levels_);
  const std::size_t first = staged_.batch_.obstacles.size() + staged_.batch_.terrain_edits.size();
  if (touches.back().op < first) return;
  const std::vector<LevelRow> before = levels_;
  for (const Touch& touch : touches) {
    if (touch.op < first) continue;
    const ResolvedPlaneEdit& edit = staged_.batch_.plane_edits[touch.op - first];
    apply_to_row(bits_in_row(edit.cells, place.tx, place.y), edit.change,
                 &row_of(edit.key, &levels_));
  }
  const std::uint32_t node =
      static_cast<std::uint32_t>(place.y) * static_cast<std::uint32_t>(world_.width()) +
      static_cast<std::uint32_t>(place.tx << kTileBits);
  for (const LevelRow& row : levels_) staged_.content_hash_ += row_hash(row, NodeId{node});
  for (const LevelRow& row : before) staged_.content_hash_ -= row_hash(row, NodeId{node});
}

void Stager::gather_ops(std::span<const Touch> touches, Place place) {
  op_bits_.clear();
  for (const Touch& touch : touches) {
    if (touch.op >= staged_.batch_.obstacles.size()) return;
    const ResolvedObstacle& obstacle = staged_.batch_.obstacles[touch.op];
    OpBits op;
    if (obstacle.is_body) {
      op.body = AgentId{value(obstacle.id)};
    } else {
      op.cause = touch.op;
    }
    constexpr Effect kNone{.blocked = false};
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    Effect was = kNone;
    Effect is = kNone;
    if (obstacle.enabled_before()) {
      before = bits_in_row(obstacle.before->cells, place.tx, place.y);
      was = obstacle.before->spec.effect;
      op.teams |= obstacle.before->spec.teams;
    }
    if (obstacle.enabled_after()) {
      after = bits_in_row(obstacle.after()->cells, place.tx, place.y);
      is = obstacle.after()->spec.effect;
      op.teams |= obstacle.after()->spec.teams;
    }
    op.bits = before | after;
    const std::uint64_t changed = (was == kNone ? 0 : before & ~after) |
                                  (is == kNone ? 0 : after & ~before) |
                                  (was == is ? 0 : before & after);
    op.shut = is.blocked ? changed & after : 0;
    op.turned = changed & ~op.shut;
    op_bits_.push_back(op);
  }
}

void Stager::note(const RowState& row, std::uint64_t changed, Place place, ViewWork* work) const {
  if (work->view->disc.is_point()) {
    const GridLayer& old = work->view->layer;
    const NodeId first = old.node_at(place.tx << kTileBits, place.y);
    const std::uint64_t was_free = old.free_word(place.tx, place.y);
    append_nodes(row.free & ~was_free, first, &work->delta.freed);
    append_nodes(was_free & ~row.free, first, &work->delta.blocked);
  }
  std::uint64_t unexplained = changed;
  const auto explain = [&](const auto& by) {
    for (const OpBits& op : op_bits_) {
      if (!work->view->sight.sees(op.teams, op.body)) continue;
      const std::uint64_t cells = unexplained & by(op);
      append_runs(cells, place.tx, place.y, op.cause, &work->runs);
      unexplained &= ~cells;
    }
  };
  // Several obstacles may cover a changed cell. One that changed it so comes first.
  explain([&](const OpBits& op) { return (op.shut & ~row.free) | (op.turned & row.free); });
  explain([](const OpBits& op) { return op.bits; });
  append_runs(unexplained, place.tx, place.y, kNoCause, &work->runs);
}

// Grows the views with a radius, unless that is too much work for all of them together.
absl::Status Stager::grow_views() {
  std::vector<std::pair<ViewWork*, Grower>> growers;
  std::uint64_t rows = 0;
  const std::uint64_t most = world_.limits().batch_grown_rows_max;
  for (ViewWork& work : views_) {
    if (work.runs.empty()) continue;
    sort_runs(&work.runs);
    if (work.view->disc.is_point()) continue;
    growers.emplace_back(&work, Grower(work.view->disc, work.view->base, work.base, work.runs));
    rows += growers.back().second.rows_read();
    if (rows > most)
      return too_much_work("has more than " + std::to_string(most) +
                           " rows read for the radius of the profiles in use");
  }
  for (const auto& [work, grower] : growers) {
    REPATH_RETURN_IF_ERROR(grow(grower, work));
    staged_.bases_.emplace_back(work->delta.view, std::move(work->base));
  }
  return absl::OkStatus();
}

// Grows the changed cells of a view's base into those of its layer.
absl::Status Stager::grow(const Grower& grower, ViewWork* work) {
  std::vector<ChangedRun> runs;
  work->layer = work->view->layer;
  if (!grower.run(bytes_max_, &bytes_, &work->layer, &runs, &work->delta))
    return no_memory(world_.limits().memory_bytes);
  work->runs = std::move(runs);
  sort_runs(&work->runs);
  return absl::OkStatus();
}

GridGraph Stager::graph_of(const ViewWork& work, const GridLayer& layer) const {
  const Profile& profile = world_.profiles_[work.view->profile];
  return GridGraph(&layer, profile.topology, profile.corner_rule);
}

// Counts the edges that open or close, before any of them is written down. Skips batches so small
// that even the most edges that a cell may change, its own and those that pass its corners, are
// within the limit.
absl::Status Stager::check_edges() const {
  constexpr std::uint64_t kEdgesOfCell = 32;
  std::uint64_t cells = 0;
  for (const ViewWork& work : views_)
    for (const ChangedRun& run : work.runs)
      cells += static_cast<std::uint64_t>(run.cells.x1 - run.cells.x0);
  if (cells <= edges_left_ / kEdgesOfCell) return absl::OkStatus();
  std::uint64_t edges = 0;
  for (const ViewWork& work : views_) {
    if (work.runs.empty()) continue;
    edges += count_switched_edges(graph_of(work, work.view->layer), graph_of(work, work.layer),
                                  work.runs, edges_left_ - edges);
    if (edges > edges_left_) return too_many_edges(world_.limits().batch_edges_max);
  }
  return absl::OkStatus();
}

absl::Status Stager::finish(ViewWork* work) {
  std::sort(work->delta.freed.begin(), work->delta.freed.end());
  std::sort(work->delta.blocked.begin(), work->delta.blocked.end());
  const GridGraph before = graph_of(*work, work->view->layer);
  const GridGraph after = graph_of(*work, work->layer);
  EdgeDelta edges;
  if (!diff_edges(before, after, work->runs, edges_left_, &edges))
    return too_many_edges(world_.limits().batch_edges_max);
  edges_left_ -= edges.risen.size() + edges.fallen.size();
  work->delta.risen = std::move(edges.risen);
  work->delta.fallen = std::move(edges.fallen);
  work->delta.changed_nodes = std::move(edges.changed_nodes);
  return absl::OkStatus();
}

}  // namespace repath

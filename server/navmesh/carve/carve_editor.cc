#include "navmesh/carve/carve_editor.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// Returns the error of pieces[i] of the shape in field `of`.
absl::Status check_piece(const LatticeRing& ring, const std::string& of, std::size_t i) {
  const auto field = [&] { return of + "." + item("pieces", i); };
  if (ring.size() < 3 || ring.size() > kCarveCornersMax)
    return invalid_field("PIECE_SIZE", field(),
                         "must have 3 to " + std::to_string(kCarveCornersMax) + " corners");
  if (!std::ranges::all_of(ring, is_in_lattice))
    return invalid_field("PIECE_RANGE", field(),
                         "must be within " + std::to_string(kLatticeExtent) + " units of 0");
  if (!is_convex_ring(ring))
    return invalid_field("PIECE_NOT_CONVEX", field(), "must be convex and counterclockwise");
  return absl::OkStatus();
}

absl::Status check_shape(const CarveShape& shape, const std::string& field) {
  const CarveEffect& effect = shape.effect;
  if (effect.factor < kGroundFactorOne || effect.factor > kGroundFactorMax ||
      (effect.area && index(*effect.area) >= kAreaTypes))
    return invalid_field("EFFECT_RANGE", field,
                         "the factor must be in [1, 1000], the area type below 64");
  if (!(std::abs(shape.y0) <= kHeightMax && std::abs(shape.y1) <= kHeightMax &&
        shape.y0 <= shape.y1))
    return invalid_field("HEIGHT_RANGE", field,
                         "y0 must not exceed y1, both within " + std::to_string(kHeightMax));
  if (shape.pieces.empty() || shape.pieces.size() > kCarvePiecesMax)
    return invalid_field("PIECE_COUNT", field + ".pieces",
                         "must be 1 to " + std::to_string(kCarvePiecesMax));
  for (std::size_t i = 0; i < shape.pieces.size(); ++i)
    if (auto s = check_piece(shape.pieces[i], field, i); !s.ok()) return s;
  return absl::OkStatus();
}

absl::Status exhausted(std::string_view reason, const std::string& field, const std::string& what,
                       std::size_t limit) {
  return make_error(absl::StatusCode::kResourceExhausted, reason, field,
                    what + "; the limit is " + std::to_string(limit));
}

// Returns about the work that keep_same() and find_side() have with the fragments of one cell.
std::uint64_t units_to_edit(const Carving& carving) {
  const std::uint64_t fragments = carving.fragment_ends.size();
  const auto seams = static_cast<std::uint64_t>(
      std::ranges::count(carving.edges, FragmentEdgeKind::kSeam, &FragmentEdge::kind));
  return fragments * fragments + seams * carving.edges.size();
}

// Memory is kept where it is about right, so that large cells do not leave theirs everywhere.
template <class T>
void refill(const std::vector<T>& from, std::vector<T>* to) {
  if (to->capacity() < from.size() || to->capacity() > 2 * from.size() + 8) {
    *to = std::vector<T>(from.begin(), from.end());
  } else {
    to->assign(from.begin(), from.end());
  }
}

}  // namespace

CarveEditor::CarveEditor(CarvedMesh* carved) : mesh_(*carved), tools_(*carved->tools_) {
  tools_.order.clear();
  tools_.change.gone.clear();
  tools_.change.come.clear();
  tools_.change.edges.clear();
  tools_.edge_base_cells.clear();
  tools_.made.clear();
  tools_.places.resize(mesh_.states_.size(), kNone);
}

CarveEditor::~CarveEditor() {
  for (std::uint32_t i = 0; i < staged_; ++i) tools_.places[tools_.staged[i].base_cell] = kNone;
  if (tools_.staged.size() <= CarvedMesh::Tools::kStagedKept) return;
  tools_.staged.resize(CarvedMesh::Tools::kStagedKept);
  tools_.change = {};
}

absl::Status CarveEditor::prepare(std::span<const CarveEdit> edits, std::uint64_t units_max) {
  units_left_ = units_max;
  if (auto s = stage_obstacles(edits); !s.ok()) return s;
  if (auto s = shape_all(); !s.ok()) return s;
  return collect_changes();
}

absl::Status CarveEditor::prepare_again(std::span<const std::uint32_t> base_cells) {
  for (const std::uint32_t c : base_cells) {
    StagedCell& staged = tools_.staged[stage(c)];
    staged.obstacles = mesh_.states_[c].obstacles;
    staged.is_listed = true;
  }
  if (auto s = shape_all(); !s.ok()) return s;
  return collect_changes();
}

absl::Status CarveEditor::stage_obstacles(std::span<const CarveEdit> edits) {
  if (edits.size() > kCarveEditsMax)
    return exhausted("TOO_MANY_EDITS", "edits", "there are " + std::to_string(edits.size()),
                     kCarveEditsMax);
  std::size_t count = mesh_.obstacles_.size();
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const std::string field = item("edits", i);
    const bool is_known = mesh_.obstacles_.contains(edits[i].id);
    if (obstacles_.contains(edits[i].id))
      return invalid_field("EDIT_TWICE", field + ".id", "each obstacle may be edited once");
    if (edits[i].kind != CarveEdit::Kind::kUpsert && !is_known)
      return make_error(absl::StatusCode::kNotFound, "OBSTACLE_UNKNOWN", field + ".id",
                        "there is no obstacle " + std::to_string(value(edits[i].id)));
    if (edits[i].kind == CarveEdit::Kind::kUpsert) {
      if (auto s = check_shape(edits[i].shape, field); !s.ok()) return s;
      count += is_known ? 0 : 1;
    } else if (edits[i].kind == CarveEdit::Kind::kRemove) {
      --count;
    }
    if (auto s = stage_obstacle(edits[i], field); !s.ok()) return s;
  }
  if (count > kCarveObstaclesMax)
    return exhausted("TOO_MANY_OBSTACLES", "edits", "there would be " + std::to_string(count),
                     kCarveObstaclesMax);
  for (const StagedCell& staged : std::span(tools_.staged).first(staged_))
    if (staged.obstacles.size() > kCarveObstaclesPerCell)
      return exhausted("CELL_CROWDED", "edits",
                       std::to_string(staged.obstacles.size()) +
                           " obstacles would concern base cell " + std::to_string(staged.base_cell),
                       kCarveObstaclesPerCell);
  return absl::OkStatus();
}

absl::Status CarveEditor::stage_obstacle(const CarveEdit& edit, const std::string& field) {
  const auto known = mesh_.obstacles_.find(edit.id);
  const Obstacle* old = known == mesh_.obstacles_.end() ? nullptr : &known->second;
  std::optional<Obstacle>& now = obstacles_[edit.id];
  if (edit.kind == CarveEdit::Kind::kUpsert) {
    now = Obstacle{edit.shape, {}};
    find_base_cells(&*now);
  } else if (edit.kind == CarveEdit::Kind::kSwitch) {
    now = *old;
    if (old->shape.enabled == edit.shape.enabled) return absl::OkStatus();
    now->shape.enabled = edit.shape.enabled;
  }
  if (old != nullptr && old->shape.enabled)
    for (const std::uint32_t c : old->base_cells)
      if (auto s = list(c, edit.id, false, field); !s.ok()) return s;
  if (now && now->shape.enabled)
    for (const std::uint32_t c : now->base_cells)
      if (auto s = list(c, edit.id, true, field); !s.ok()) return s;
  return absl::OkStatus();
}

void CarveEditor::find_base_cells(Obstacle* obstacle) const {
  std::vector<std::uint32_t>& cells = obstacle->base_cells;
  for (const LatticeRing& ring : obstacle->shape.pieces) {
    const auto [x0, x1] = std::ranges::minmax(ring, {}, &LatticePoint::x);
    const auto [z0, z1] = std::ranges::minmax(ring, {}, &LatticePoint::z);
    mesh_.ground_.finder().find_boxes(x0.x - kCarveMargin, x1.x + kCarveMargin, z0.z - kCarveMargin,
                                      z1.z + kCarveMargin, &cells);
  }
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::erase_if(cells, [&](std::uint32_t c) {
    double low = kHeightMax;
    double high = -kHeightMax;
    for (const NavMesh::Edge& e : mesh_.base().edges_of(c)) {
      low = std::min(low, mesh_.base().vertex(e.vertex).y);
      high = std::max(high, mesh_.base().vertex(e.vertex).y);
    }
    return obstacle->shape.y1 < low || obstacle->shape.y0 > high;
  });
}

absl::Status CarveEditor::list(std::uint32_t base_cell, ObstacleId id, bool is_in,
                               const std::string& field) {
  StagedCell& staged = tools_.staged[stage(base_cell)];
  std::vector<ObstacleId>& ids = staged.obstacles;
  if (!staged.is_listed) ids = mesh_.states_[base_cell].obstacles;
  staged.is_listed = true;
  const auto place = std::ranges::lower_bound(ids, id);
  if (is_in) {
    if (ids.size() >= 2 * kCarveObstaclesPerCell)  // removals in the same batch may make room
      return exhausted("CELL_CROWDED", field,
                       "too many obstacles concern base cell " + std::to_string(base_cell),
                       kCarveObstaclesPerCell);
    ids.insert(place, id);
    delta_.closed = true;
  } else {
    ids.erase(place);
    delta_.opened = true;
  }
  return absl::OkStatus();
}

const CarvedMesh::Obstacle& CarveEditor::obstacle(ObstacleId id) const {
  const auto changed = obstacles_.find(id);
  return changed != obstacles_.end() ? *changed->second : mesh_.obstacles_.at(id);
}

std::uint32_t CarveEditor::stage(std::uint32_t base_cell) {
  std::uint32_t& place = tools_.places[base_cell];
  if (place != kNone) return place;
  place = staged_++;
  if (place == tools_.staged.size()) tools_.staged.emplace_back();
  StagedCell& staged = tools_.staged[place];
  staged.base_cell = base_cell;
  staged.is_listed = staged.is_recarved = staged.is_shaped = false;
  return place;
}

const std::vector<BaseCut>& CarveEditor::cuts_of_cell(std::uint32_t base_cell) const {
  const StagedCell* staged = find_staged(base_cell);
  const bool is_new = staged != nullptr && staged->is_recarved;
  return is_new ? staged->cuts : mesh_.states_[base_cell].cuts;
}

void CarveEditor::find_ring(std::uint32_t base_cell) {
  tools_.ring.clear();
  for (const NavMesh::Edge& e : mesh_.base().edges_of(base_cell))
    tools_.ring.push_back({static_cast<std::int32_t>(e.x), static_cast<std::int32_t>(e.z)});
}

// Appends the walls as one blocking obstacle before all others.
void CarveEditor::append_walls(std::uint32_t base_cell) {
  if (mesh_.walls_ == nullptr) return;
  std::uint32_t corner = 0;
  for (const std::uint32_t number : mesh_.walls_->of_cell(base_cell)) {
    const LatticeRing& ring = mesh_.walls_->ring(number);
    tools_.near.push_back({ObstacleId{}, corner, ring, {}});
    corner += static_cast<std::uint32_t>(ring.size());
  }
}

absl::Status CarveEditor::carve_all() {
  const std::uint32_t listed = staged_;
  for (std::uint32_t i = 0; i < listed; ++i)
    if (auto s = carve(&tools_.staged[i]); !s.ok()) return s;
  return absl::OkStatus();
}

absl::Status CarveEditor::carve(StagedCell* staged) {
  if (mesh_.left_out_ != nullptr && (*mesh_.left_out_)[staged->base_cell]) {
    staged->carving = {};
    staged->cuts.clear();
    staged->is_recarved = !mesh_.states_[staged->base_cell].carving.edges.empty();
    return absl::OkStatus();
  }
  tools_.near.clear();
  append_walls(staged->base_cell);
  for (const ObstacleId id : staged->obstacles) {
    std::uint32_t corner = 0;
    const CarveShape& shape = obstacle(id).shape;
    for (const LatticeRing& ring : shape.pieces) {
      tools_.near.push_back({id, corner, ring, shape.effect});
      corner += static_cast<std::uint32_t>(ring.size());
    }
  }
  find_ring(staged->base_cell);
  WorkMeter work({.units = std::min(kCarveUnitsPerCell, units_left_), .units_per_byte = 0});
  const bool done = tools_.carver.carve(tools_.ring, tools_.near, &staged->carving, &work) &&
                    work.spend(units_to_edit(staged->carving));
  if (!done && units_left_ > kCarveUnitsPerCell)
    return make_error(absl::StatusCode::kResourceExhausted, "CELL_CROWDED", "edits",
                      "the obstacles that concern base cell " + std::to_string(staged->base_cell) +
                          " cross each other in too many places");
  if (!done)
    return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", "edits",
                      "the obstacles that concern the changed cells cross each other in too many "
                      "places; split the batch or move them apart");
  units_left_ -= work.spent();
  staged->is_recarved = staged->carving != mesh_.states_[staged->base_cell].carving;
  if (staged->is_recarved) find_cuts(tools_.ring, staged->carving, &staged->cuts);
  return absl::OkStatus();
}

// Shapes the cells that changed and the cells beside them.
absl::Status CarveEditor::shape_all() {
  const std::uint32_t listed = staged_;
  if (auto s = carve_all(); !s.ok()) return s;
  for (std::uint32_t i = 0; i < listed; ++i)
    if (tools_.staged[i].is_recarved) stage_beside(i);
  for (std::uint32_t i = 0; i < staged_; ++i) tools_.order.push_back(i);
  std::ranges::sort(tools_.order, {},
                    [this](std::uint32_t i) { return tools_.staged[i].base_cell; });
  for (const std::uint32_t i : tools_.order)
    if (tools_.staged[i].is_shaped)
      if (auto s = shape(&tools_.staged[i]); !s.ok()) return s;
  return absl::OkStatus();
}

// Stages the cell, and the neighbours whose common edge is cut at other points than before. All
// other neighbours stay as they are, because their shape depends on these cuts alone.
void CarveEditor::stage_beside(std::uint32_t place) {
  tools_.staged[place].is_shaped = true;
  const std::uint32_t base_cell = tools_.staged[place].base_cell;
  const std::span<const NavMesh::Edge> edges = mesh_.base().edges_of(base_cell);
  for (std::uint32_t k = 0; k < edges.size(); ++k) {
    if (edges[k].twin == kNoEdge) continue;
    if (!std::ranges::equal(cuts_of(tools_.staged[place].cuts, k),
                            cuts_of(mesh_.states_[base_cell].cuts, k)))
      tools_.staged[stage(edges[k].neighbour)].is_shaped = true;
  }
}

absl::Status CarveEditor::shape(StagedCell* staged) {
  const NavMesh& base = mesh_.base();
  find_ring(staged->base_cell);
  tools_.cuts.assign(tools_.ring.size(), {});
  const std::span<const NavMesh::Edge> edges = base.edges_of(staged->base_cell);
  for (std::uint32_t k = 0; k < edges.size(); ++k)
    if (edges[k].twin != kNoEdge)
      tools_.cuts[k] = cuts_of(cuts_of_cell(edges[k].neighbour), base.edge(edges[k].twin).place);
  const Carving& carving =
      staged->is_recarved ? staged->carving : mesh_.states_[staged->base_cell].carving;
  if (!tools_.shaper.shape(tools_.ring, carving, tools_.cuts, &staged->fragments))
    return exhausted(
        "FRAGMENT_TOO_LARGE", "edits",
        "a fragment of base cell " + std::to_string(staged->base_cell) + " has too many corners",
        kCellEdgesMax);
  staged->twins = tools_.shaper.twins();
  keep_same(staged);
  return absl::OkStatus();
}

// Keeps the cells of fragments that are there already, and lists the other cells as gone.
void CarveEditor::keep_same(StagedCell* staged) {
  const State& old = mesh_.states_[staged->base_cell];
  const Fragments& now = staged->fragments;
  const std::span<const std::uint32_t> old_cells = mesh_.cells_of(staged->base_cell);
  tools_.is_kept.assign(old_cells.size(), false);
  staged->cells.assign(now.ends.size(), kNoCell);
  for (std::size_t f = 0; f < staged->cells.size(); ++f) {
    const std::span<const FragmentSide> sides = now.fragment(f);
    std::uint32_t begin = 0;
    for (std::size_t g = 0; g < old_cells.size(); begin = old.fragments.ends[g++]) {
      if (old.fragments.sides[begin].from != sides[0].from || tools_.is_kept[g]) continue;
      if (!std::ranges::equal(sides, old.fragments.fragment(g)) ||
          now.ground_of(f) != old.fragments.ground_of(g))
        continue;
      tools_.is_kept[g] = true;
      staged->cells[f] = old_cells[g];
      break;
    }
  }
  bool changes = staged->cells.size() != old_cells.size();
  for (std::size_t g = 0; g < old_cells.size(); ++g) {
    if (tools_.is_kept[g]) continue;
    changes = true;
    tools_.change.gone.push_back(old_cells[g]);
  }
  if (changes) delta_.base_cells.push_back(staged->base_cell);
}

absl::Status CarveEditor::collect_changes() {
  for (const std::uint32_t i : tools_.order)
    if (tools_.staged[i].is_shaped) place_edges(&tools_.staged[i]);
  const NavMesh& mesh = mesh_.ground_.mesh_;
  const std::size_t cells = mesh.cells_end() + tools_.change.come.size();
  const std::size_t edges = mesh.edges_end() + tools_.change.edges.size();
  const std::size_t vertices = mesh.vertices_end() + tools_.change.edges.size();
  if (cells > kNavCellsMax)
    return exhausted("MESH_TOO_LARGE", "cells", "too many cells", kNavCellsMax);
  if (edges > kNavEdgesMax)
    return exhausted("MESH_TOO_LARGE", "edges", "too many edges", kNavEdgesMax);
  if (vertices > kNavVerticesMax)
    return exhausted("MESH_TOO_LARGE", "vertices", "too many vertices", kNavVerticesMax);
  for (const std::uint32_t i : tools_.order)
    if (tools_.staged[i].is_shaped) find_twins(tools_.staged[i]);
  std::ranges::sort(tools_.change.gone);
  return absl::OkStatus();
}

// Updates the mesh's notes on one base cell. `*next` is the first of tools_.made that has no
// fragment yet.
void CarveEditor::commit_cell(StagedCell* staged, std::size_t* next) {
  State& state = mesh_.states_[staged->base_cell];
  if (staged->is_listed) refill(staged->obstacles, &state.obstacles);
  if (staged->is_recarved) {
    refill(staged->carving.edges, &state.carving.edges);
    refill(staged->carving.fragment_ends, &state.carving.fragment_ends);
    refill(staged->carving.grounds, &state.carving.grounds);
    state.carving.diagonals = staged->carving.diagonals;
    refill(staged->cuts, &state.cuts);
  }
  if (!staged->is_shaped || staged->fragments == state.fragments) return;
  for (std::uint32_t& cell : staged->cells) {
    if (cell != kNoCell) continue;
    cell = tools_.made[(*next)++];
    mesh_.ground_.base_of_[cell] = staged->base_cell;
  }
  refill(staged->cells, &mesh_.ground_.cells_[staged->base_cell]);
  mesh_.ground_.count_changed(staged->base_cell, state.fragments, -1);
  mesh_.ground_.count_changed(staged->base_cell, staged->fragments, 1);
  refill(staged->fragments.sides, &state.fragments.sides);
  refill(staged->fragments.ends, &state.fragments.ends);
  refill(staged->fragments.grounds, &state.fragments.grounds);
  mesh_.hash_ -= state.hash;
  state.hash = CarvedMesh::hash_of(staged->base_cell, state.fragments);
  mesh_.hash_ += state.hash;
}

std::size_t CarveEditor::bytes_more() const {
  std::size_t added = 0;
  for (const auto& [id, now] : obstacles_)
    if (now && !mesh_.obstacles_.contains(id)) ++added;
  return mesh_.mesh().bytes_to_insert(tools_.change.come.size(), tools_.change.edges.size()) +
         tools_.change.come.size() * sizeof(std::uint32_t) + added * CarvedMesh::kBytesOfObstacle;
}

CarveDelta CarveEditor::commit() {
  const NavMesh& mesh = mesh_.ground_.mesh_;
  if (!tools_.change.gone.empty() || !tools_.change.come.empty())
    tools_.patcher.replace(
        &mesh_.ground_.mesh_, tools_.change, &tools_.made, [this](std::size_t edge) {
          const LatticePoint at = tools_.change.edges[edge].from;
          return mesh_.base().height_at(tools_.edge_base_cells[edge], at.x, at.z);
        });
  delta_.gone = tools_.change.gone;
  delta_.come = tools_.made;
  mesh_.ground_.base_of_.resize(mesh.cells_end(), kNoCell);
  std::size_t next = 0;
  for (const std::uint32_t i : tools_.order) commit_cell(&tools_.staged[i], &next);
  const std::vector<std::uint32_t> links = mesh_.ground_.links_in(delta_.base_cells);
  if (!links.empty()) mesh_.ground_.place_links(links);
  for (auto& [id, now] : obstacles_) {
    if (now) {
      mesh_.obstacles_[id] = *std::move(now);
    } else {
      mesh_.obstacles_.erase(id);
    }
  }
  return std::move(delta_);
}

}  // namespace repath

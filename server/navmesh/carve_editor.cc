#include "navmesh/carve_editor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

bool is_in_lattice(LatticePoint p) {
  return std::abs(p.x) <= kLatticeMax && std::abs(p.z) <= kLatticeMax;
}

absl::Status check_piece(const LatticeRing& ring, const std::string& field) {
  if (ring.size() < 3 || ring.size() > kCarveCornersMax)
    return invalid_field("PIECE_SIZE", field,
                         "must have 3 to " + std::to_string(kCarveCornersMax) + " corners");
  if (!std::all_of(ring.begin(), ring.end(), is_in_lattice))
    return invalid_field("PIECE_RANGE", field,
                         "must be within " + std::to_string(kLatticeExtent) + " units of 0");
  if (!is_convex_ring(ring))
    return invalid_field("PIECE_NOT_CONVEX", field, "must be convex and counterclockwise");
  return absl::OkStatus();
}

absl::Status check_shape(const CarveShape& shape, const std::string& field) {
  const CarveEffect& effect = shape.effect;
  if (effect.factor < kGroundFactorOne || effect.factor > kGroundFactorMax ||
      (effect.area && index(*effect.area) >= kAreaTypes))
    return invalid_field("EFFECT_RANGE", field, "factor in [1, 1000], area type below 64");
  if (!(std::abs(shape.y0) <= kHeightMax && std::abs(shape.y1) <= kHeightMax &&
        shape.y0 <= shape.y1))
    return invalid_field("HEIGHT_RANGE", field,
                         "y0 must not exceed y1, both within " + std::to_string(kHeightMax));
  if (shape.pieces.empty() || shape.pieces.size() > kCarvePiecesMax)
    return invalid_field("PIECE_COUNT", field + ".pieces",
                         "must be 1 to " + std::to_string(kCarvePiecesMax));
  for (std::size_t i = 0; i < shape.pieces.size(); ++i)
    if (auto s = check_piece(shape.pieces[i], field + "." + item("pieces", i)); !s.ok()) return s;
  return absl::OkStatus();
}

absl::Status exhausted(std::string_view reason, const std::string& field, const std::string& what,
                       std::size_t limit) {
  return make_error(absl::StatusCode::kResourceExhausted, reason, field,
                    what + "; the limit is " + std::to_string(limit));
}

}  // namespace

CarveEditor::CarveEditor(CarvedMesh* carved) : mesh_(*carved), tools_(*carved->tools_) {}

absl::Status CarveEditor::prepare(std::span<const CarveEdit> edits) {
  if (auto s = stage_obstacles(edits); !s.ok()) return s;
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
      return invalid_field("EDIT_TWICE", field + ".id", "one edit an obstacle");
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
  for (const Staged& staged : staged_)
    if (staged.state.obstacles.size() > kCarveObstaclesPerCell)
      return exhausted("CELL_CROWDED", "edits",
                       std::to_string(staged.state.obstacles.size()) +
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
    if (old->shape.enabled == edit.shape.enabled) {
      now = *old;
      return absl::OkStatus();
    }
    now = *old;
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
  Staged& staged = staged_[stage(base_cell)];
  staged.is_listed = true;
  std::vector<ObstacleId>& ids = staged.state.obstacles;
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
  const auto [known, is_new] =
      places_.try_emplace(base_cell, static_cast<std::uint32_t>(staged_.size()));
  if (is_new) {
    staged_.emplace_back();
    staged_.back().base_cell = base_cell;
    staged_.back().state.obstacles = mesh_.states_[base_cell].obstacles;
  }
  return known->second;
}

const CarvedMesh::State& CarveEditor::state_of(std::uint32_t base_cell) const {
  const auto known = places_.find(base_cell);
  return known == places_.end() ? mesh_.states_[base_cell] : staged_[known->second].state;
}

void CarveEditor::ring_of(std::uint32_t base_cell, LatticeRing* ring) const {
  ring->clear();
  for (const NavMesh::Edge& e : mesh_.base().edges_of(base_cell))
    ring->push_back(mesh_.base().vertex(e.vertex).at);
}

void CarveEditor::carve(Staged* staged) {
  std::vector<CarveObstacle> near;
  for (const ObstacleId id : staged->state.obstacles) {
    std::uint32_t corner = 0;
    const CarveShape& shape = obstacle(id).shape;
    for (const LatticeRing& ring : shape.pieces) {
      near.push_back({id, corner, ring, shape.effect});
      corner += static_cast<std::uint32_t>(ring.size());
    }
  }
  LatticeRing ring;
  ring_of(staged->base_cell, &ring);
  tools_.carver.carve(ring, near, &staged->state.carving);
  staged->is_recarved = staged->state.carving != mesh_.states_[staged->base_cell].carving;
}

// What changed, and what lies beside it.
absl::Status CarveEditor::shape_all() {
  const std::size_t listed = staged_.size();
  for (std::size_t i = 0; i < listed; ++i) carve(&staged_[i]);
  for (std::size_t i = 0; i < listed; ++i)
    if (staged_[i].is_recarved) stage_beside(i);
  std::ranges::sort(staged_, {}, &Staged::base_cell);
  for (std::size_t i = 0; i < staged_.size(); ++i)
    places_[staged_[i].base_cell] = static_cast<std::uint32_t>(i);
  for (Staged& staged : staged_)
    if (auto s = shape(&staged); !s.ok()) return s;
  return absl::OkStatus();
}

// Neighbours whose edge is cut elsewhere than before; all others stay as they are.
void CarveEditor::stage_beside(std::size_t staged) {
  const std::span<const NavMesh::Edge> edges = mesh_.base().edges_of(staged_[staged].base_cell);
  for (std::uint32_t k = 0; k < edges.size(); ++k) {
    if (edges[k].twin == kNoEdge || has_same_cuts(staged_[staged], k)) continue;
    const std::size_t before = staged_.size();
    Staged& beside = staged_[stage(edges[k].neighbour)];
    if (staged_.size() > before) beside.state.carving = mesh_.states_[beside.base_cell].carving;
  }
}

// The shape of what is behind depends on their set alone.
bool CarveEditor::has_same_cuts(const Staged& staged, std::uint32_t edge) {
  cuts_now_.clear();
  cuts_before_.clear();
  append_cuts(staged.state.carving, edge, &cuts_now_);
  append_cuts(mesh_.states_[staged.base_cell].carving, edge, &cuts_before_);
  if (cuts_now_ == cuts_before_) return true;
  for (std::vector<LatticePoint>* cuts : {&cuts_now_, &cuts_before_}) {
    std::ranges::sort(*cuts);
    cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
  }
  return cuts_now_ == cuts_before_;
}

absl::Status CarveEditor::shape(Staged* staged) {
  const NavMesh& base = mesh_.base();
  LatticeRing ring;
  ring_of(staged->base_cell, &ring);
  std::vector<std::vector<LatticePoint>> cuts(ring.size());
  for (std::uint32_t k = 0; k < ring.size(); ++k) {
    const NavMesh::Edge& e = base.edges_of(staged->base_cell)[k];
    if (e.twin == kNoEdge) continue;
    append_cuts(state_of(e.neighbour).carving, base.edge(e.twin).place, &cuts[k]);
  }
  if (!tools_.shaper.shape(ring, staged->state.carving, cuts, &staged->state.fragments))
    return exhausted(
        "FRAGMENT_TOO_LARGE", "edits",
        "a fragment of base cell " + std::to_string(staged->base_cell) + " has too many corners",
        kCellEdgesMax);
  keep_same(staged);
  return absl::OkStatus();
}

// Fragments that are there already keep their cells; the cells of the others go.
void CarveEditor::keep_same(Staged* staged) {
  const State& old = mesh_.states_[staged->base_cell];
  const Fragments& now = staged->state.fragments;
  const std::span<const std::uint32_t> old_cells = mesh_.cells_of(staged->base_cell);
  std::vector<bool> is_kept(old_cells.size(), false);
  staged->cells.assign(staged->state.fragments.ends.size(), kNoCell);
  for (std::size_t f = 0; f < staged->cells.size(); ++f)
    for (std::size_t g = 0; g < old_cells.size(); ++g) {
      if (is_kept[g] || now.ground_of(f) != old.fragments.ground_of(g) ||
          !std::ranges::equal(now.fragment(f), old.fragments.fragment(g)))
        continue;
      is_kept[g] = true;
      staged->cells[f] = old_cells[g];
      break;
    }
  bool changes = staged->cells.size() != old_cells.size();
  for (std::size_t g = 0; g < old_cells.size(); ++g) {
    if (is_kept[g]) continue;
    changes = true;
    change_.gone.push_back(old_cells[g]);
  }
  if (changes) delta_.base_cells.push_back(staged->base_cell);
}

absl::Status CarveEditor::collect_changes() {
  for (Staged& staged : staged_) place_edges(&staged);
  const NavMesh& mesh = mesh_.ground_.mesh_;
  const std::size_t cells = mesh.cells_end() + change_.come.size();
  const std::size_t edges = mesh.edges_end() + change_.edges.size();
  const std::size_t vertices = mesh.vertices_end() + change_.edges.size();
  if (cells > kNavCellsMax) return exhausted("MESH_TOO_LARGE", "cells", "too many", kNavCellsMax);
  if (edges > kNavEdgesMax) return exhausted("MESH_TOO_LARGE", "edges", "too many", kNavEdgesMax);
  if (vertices > kNavVerticesMax)
    return exhausted("MESH_TOO_LARGE", "vertices", "too many", kNavVerticesMax);
  for (const Staged& staged : staged_)
    for (std::size_t f = 0; f < staged.firsts.size(); ++f) {
      if (staged.firsts[f] == kNone) continue;
      const std::size_t sides = staged.state.fragments.fragment(f).size();
      for (std::uint32_t k = 0; k < sides; ++k)
        change_.edges[staged.firsts[f] + k].twin = twin_of(staged, f, k);
    }
  std::ranges::sort(change_.gone);
  return absl::OkStatus();
}

void CarveEditor::place_edges(Staged* staged) {
  const NavMesh::Cell& from = mesh_.base().cell(staged->base_cell);
  staged->firsts.assign(staged->cells.size(), kNone);
  for (std::size_t f = 0; f < staged->cells.size(); ++f) {
    if (staged->cells[f] != kNoCell) continue;
    const std::span<const FragmentSide> sides = staged->state.fragments.fragment(f);
    staged->firsts[f] = static_cast<std::uint32_t>(change_.edges.size());
    const FragmentGround ground = staged->state.fragments.ground_of(f);
    change_.come.push_back({.first = staged->firsts[f],
                            .count = static_cast<std::uint32_t>(sides.size()),
                            .area = ground.area.value_or(from.area),
                            .flags = from.flags,
                            .factor = ground.factor,
                            .origin = from.origin});
    for (const FragmentSide& side : sides)
      change_.edges.push_back({side.from, height_at(staged->base_cell, side.from), kNoEdge});
  }
}

// Along base edges the height is that of the edge, the same for both cells.
double CarveEditor::height_at(std::uint32_t base_cell, LatticePoint p) const {
  const NavMesh& base = mesh_.base();
  const std::span<const NavMesh::Edge> edges = base.edges_of(base_cell);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [low, high] =
        std::minmax(edges[k].vertex, edges[k + 1 == edges.size() ? 0 : k + 1].vertex);
    const NavMesh::Vertex& a = base.vertex(low);
    const NavMesh::Vertex& b = base.vertex(high);
    if (p == a.at) return a.y;
    if (p == b.at) return b.y;
    const std::int64_t dx = std::int64_t{b.at.x} - a.at.x;
    const std::int64_t dz = std::int64_t{b.at.z} - a.at.z;
    if (2 * std::abs(turn(a.at, b.at, p)) > std::abs(dx) + std::abs(dz)) continue;
    const bool by_x = std::abs(dx) >= std::abs(dz);
    const double share = by_x ? (double{0} + p.x - a.at.x) / static_cast<double>(dx)
                              : (double{0} + p.z - a.at.z) / static_cast<double>(dz);
    return a.y + (b.y - a.y) * std::clamp(share, 0.0, 1.0);
  }
  return base.height_at(base_cell, p.x, p.z);
}

std::uint32_t CarveEditor::twin_of(const Staged& staged, std::size_t fragment,
                                   std::uint32_t side) const {
  const std::span<const FragmentSide> sides = staged.state.fragments.fragment(fragment);
  const LatticePoint from = sides[side].from;
  const LatticePoint to = sides[side + 1 == sides.size() ? 0 : side + 1].from;
  const std::uint32_t on = sides[side].on;
  if (on == kWallSide) return kNoEdge;
  if (on == kInnerSide) return find_side(staged.base_cell, kInnerSide, to, from);
  const NavMesh::Edge& e = mesh_.base().edges_of(staged.base_cell)[on];
  if (e.twin == kNoEdge) return kNoEdge;
  return find_side(e.neighbour, mesh_.base().edge(e.twin).place, to, from);
}

std::uint32_t CarveEditor::find_side(std::uint32_t base_cell, std::uint32_t on, LatticePoint from,
                                     LatticePoint to) const {
  const auto known = places_.find(base_cell);
  const Staged* staged = known == places_.end() ? nullptr : &staged_[known->second];
  const State& state = staged == nullptr ? mesh_.states_[base_cell] : staged->state;
  const std::span<const std::uint32_t> cells =
      staged == nullptr ? mesh_.cells_of(base_cell) : std::span(staged->cells);
  for (std::size_t f = 0; f < cells.size(); ++f) {
    const std::span<const FragmentSide> sides = state.fragments.fragment(f);
    for (std::uint32_t k = 0; k < sides.size(); ++k) {
      if (sides[k].on != on || sides[k].from != from ||
          sides[k + 1 == sides.size() ? 0 : k + 1].from != to)
        continue;
      if (staged != nullptr && staged->firsts[f] != kNone)
        return NavMesh::new_edge(staged->firsts[f] + k);
      return mesh_.ground_.mesh_.cell(cells[f]).first + k;
    }
  }
  return kNoEdge;
}

CarveDelta CarveEditor::commit() {
  for (const std::uint32_t cell : change_.gone)
    delta_.gone.push_back(mesh_.ground_.mesh_.id_of(cell));
  std::vector<std::uint32_t> made;
  if (!change_.gone.empty() || !change_.come.empty())
    tools_.patcher.replace(&mesh_.ground_.mesh_, change_, &made);
  for (const std::uint32_t cell : made) delta_.come.push_back(mesh_.ground_.mesh_.id_of(cell));
  mesh_.ground_.base_of_.resize(mesh_.ground_.mesh_.cells_end(), kNoCell);
  std::size_t next = 0;
  for (Staged& staged : staged_) {
    for (std::size_t f = 0; f < staged.firsts.size(); ++f) {
      if (staged.firsts[f] == kNone) continue;
      staged.cells[f] = made[next++];
      mesh_.ground_.base_of_[staged.cells[f]] = staged.base_cell;
    }
    mesh_.ground_.count_changed(staged.base_cell, mesh_.states_[staged.base_cell].fragments, -1);
    mesh_.ground_.count_changed(staged.base_cell, staged.state.fragments, 1);
    mesh_.hash_ -= mesh_.states_[staged.base_cell].hash;
    staged.state.hash = CarvedMesh::hash_of(staged.base_cell, staged.state.fragments);
    mesh_.hash_ += staged.state.hash;
    mesh_.states_[staged.base_cell] = std::move(staged.state);
    mesh_.ground_.cells_[staged.base_cell] = std::move(staged.cells);
  }
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

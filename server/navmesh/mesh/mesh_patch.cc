#include "navmesh/mesh/mesh_patch.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace repath {
namespace {

constexpr std::uint32_t kNoVertex = ~std::uint32_t{0};
constexpr std::uint32_t kNoComponent = ~std::uint32_t{0};
// Set in an edge's old vertex until place_vertices() gives the edge its vertex.
constexpr std::uint32_t kTurnedBit = std::uint32_t{1} << 31;

}  // namespace

std::uint32_t NavMesh::Marks::fresh(std::size_t count, std::size_t size) {
  if (of.size() < size) of.resize(size, 0);
  if (count > ~std::uint32_t{0} - greatest) {  // happens once in 2^32 marks
    std::ranges::fill(of, 0u);
    greatest = 0;
  }
  const std::uint32_t first = greatest + 1;
  greatest += static_cast<std::uint32_t>(count);
  return first;
}

void MeshPatcher::run(NavMesh* mesh, const NavMesh::Replacement& replacement,
                      std::vector<std::uint32_t>* made) {
  mesh_ = mesh;
  in_ = &replacement;
  for (NavLink& link : mesh->links_)
    for (std::uint32_t* cell : {&link.from_cell, &link.to_cell})
      if (std::ranges::binary_search(in_->gone, *cell)) *cell = kNoCell;
  begin();
  for (const std::uint32_t cell : in_->gone) detach(cell);
  lay_bare();
  for (const std::uint32_t cell : in_->gone) release(cell);
  for (const NavMesh::NewCell& cell : in_->come) place(cell);
  join_new_edges();
  place_vertices();
  near_.assign(made_.begin(), made_.end());
  near_.insert(near_.end(), touched_.begin(), touched_.end());
  dead_ends_.run(mesh_, near_, made_.size());
  components_.run(mesh_, near_, made_.size());
  made->insert(made->end(), made_.begin(), made_.end());
  if (!mesh->links_.empty()) mesh->settle_links();
}

void MeshPatcher::begin() {
  ++mesh_->edits_;
  made_.clear();
  touched_.clear();
  vertices_.clear();
  turned_.clear();
  born_.clear();
  laid_bare_.clear();
  mesh_->free_edges_.resize(kCellEdgesMax + 1);
  gone_mark_ = mesh_->cell_marks_.fresh(2, mesh_->cells_.size());
  touched_mark_ = gone_mark_ + 1;
  changed_mark_ = mesh_->vertex_marks_.fresh(2, mesh_->vertices_.size());
  taken_mark_ = changed_mark_ + 1;
  for (const std::uint32_t cell : in_->gone) {
    REPATH_CHECK(mesh_->is_live(cell));
    mesh_->cell_marks_.of[cell] = gone_mark_;
  }
}

void MeshPatcher::touch(std::uint32_t cell) {
  if (mesh_->cell_marks_.of[cell] == touched_mark_) return;
  mesh_->cell_marks_.of[cell] = touched_mark_;
  touched_.push_back(cell);
}

void MeshPatcher::change(std::uint32_t vertex) {
  if (vertex == kNoVertex || mesh_->vertex_marks_.of[vertex] == changed_mark_) return;
  mesh_->vertex_marks_.of[vertex] = changed_mark_;
  vertices_.push_back(vertex);
}

void MeshPatcher::turn(std::uint32_t edge) {
  std::uint32_t& vertex = mesh_->edges_[edge].vertex;
  if ((vertex & kTurnedBit) != 0) return;
  change(vertex);
  vertex |= kTurnedBit;
  turned_.push_back(edge);
}

// Collects the fans and neighbours that the cell leaves behind.
void MeshPatcher::detach(std::uint32_t cell) {
  const NavMesh::Cell& of = mesh_->cells_[cell];
  for (std::uint32_t e = of.first; e < of.first + of.count; ++e) {
    change(mesh_->edges_[e].vertex);
    const std::uint32_t twin = mesh_->edges_[e].twin;
    if (twin == kNoEdge || mesh_->cell_marks_.of[mesh_->owners_[twin]] == gone_mark_) continue;
    // Cells that stay around a vertex and are connected there have an edge that becomes a border
    // here. So turning the edges at the border finds every fan that stays.
    turn(twin);
    turn(mesh_->next(twin));
    touch(mesh_->owners_[twin]);
    laid_bare_.push_back(twin);
  }
}

void MeshPatcher::lay_bare() {
  for (const std::uint32_t e : laid_bare_) {
    mesh_->edges_[e].twin = kNoEdge;
    mesh_->edges_[e].neighbour = kNoCell;
    mesh_->edges_[e].leads_into_dead_end = false;
  }
}

void MeshPatcher::release(std::uint32_t index) {
  NavMesh::Cell& cell = mesh_->cells_[index];
  for (std::uint32_t e = cell.first; e < cell.first + cell.count; ++e) {
    mesh_->edges_[e] = {};
    mesh_->owners_[e] = kNoCell;
  }
  mesh_->free_edges_[cell.count].push_back(cell.first);
  if (--mesh_->component_cells_[cell.component] == 0)
    mesh_->free_components_.push_back(cell.component);
  cell = {};
  mesh_->free_cells_.push_back(index);
}

std::uint32_t MeshPatcher::take_edges(std::uint32_t count) {
  std::vector<std::uint32_t>& free = mesh_->free_edges_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  const std::uint32_t first = mesh_->edges_end();
  mesh_->edges_.resize(mesh_->edges_.size() + count);
  mesh_->owners_.resize(mesh_->owners_.size() + count);
  return first;
}

void MeshPatcher::place(const NavMesh::NewCell& from) {
  REPATH_CHECK(from.count >= 3 && from.count <= kCellEdgesMax);
  if (mesh_->free_cells_.empty()) {
    mesh_->free_cells_.push_back(mesh_->cells_end());
    mesh_->cells_.emplace_back();
  }
  const std::uint32_t index = mesh_->free_cells_.back();
  mesh_->free_cells_.pop_back();
  NavMesh::Cell& cell = mesh_->cells_[index];
  cell = {.first = take_edges(from.count),
          .count = from.count,
          .component = kNoComponent,
          .area = from.area,
          .flags = from.flags,
          .factor = from.factor};
  for (std::uint32_t k = 0; k < from.count; ++k) {
    const LatticePoint p = in_->edges[from.first + k].from;
    mesh_->edges_[cell.first + k] = {.x = static_cast<double>(p.x),
                                     .z = static_cast<double>(p.z),
                                     .vertex = kNoVertex,
                                     .place = static_cast<std::uint8_t>(k),
                                     .count = static_cast<std::uint8_t>(from.count)};
    mesh_->owners_[cell.first + k] = index;
  }
  made_.push_back(index);
}

void MeshPatcher::join_new_edges() {
  placed_.resize(in_->edges.size());
  for (std::size_t i = 0; i < made_.size(); ++i)
    for (std::uint32_t k = 0; k < in_->come[i].count; ++k)
      placed_[in_->come[i].first + k] = mesh_->cells_[made_[i]].first + k;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    std::uint32_t twin = in_->edges[i].twin;
    if (twin == kNoEdge) continue;
    const bool is_new = (twin & NavMesh::kNewEdgeBit) != 0;
    twin = is_new ? placed_[twin & ~NavMesh::kNewEdgeBit] : twin;
    REPATH_CHECK(is_new || mesh_->edges_[twin].twin == kNoEdge);
    mesh_->join(placed_[i], twin);
    if (is_new) continue;
    turn(twin);
    turn(mesh_->next(twin));
    touch(mesh_->owners_[twin]);
  }
}

// Gives each fan a vertex: the least that one of its edges had and no other fan has taken.
void MeshPatcher::place_vertices() {
  for (const std::uint32_t e : turned_) {
    const std::uint32_t had = mesh_->edges_[e].vertex;
    if ((had & kTurnedBit) != 0) place_vertex(e, mesh_->vertices_[had & ~kTurnedBit].y);
  }
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (mesh_->edges_[placed_[i]].vertex != kNoVertex) continue;
    place_vertex(placed_[i], 0);  // its height comes later
    born_.push_back({mesh_->edges_[placed_[i]].vertex, i});
  }
  for (const std::uint32_t vertex : vertices_) {
    if (mesh_->vertex_marks_.of[vertex] == taken_mark_) continue;
    mesh_->vertices_[vertex] = {};
    mesh_->free_vertices_.push_back(vertex);
  }
}

void MeshPatcher::place_vertex(std::uint32_t edge, double y) {
  mesh_->collect_fan(edge, &fan_);
  std::uint32_t vertex = kNoVertex;
  for (const std::uint32_t e : fan_) {
    const std::uint32_t had = mesh_->edges_[e].vertex;
    if (had == kNoVertex) continue;
    const std::uint32_t of = had & ~kTurnedBit;
    if (of < vertex && mesh_->vertex_marks_.of[of] != taken_mark_) vertex = of;
  }
  if (vertex == kNoVertex) {
    vertex = new_vertex();
    mesh_->vertices_[vertex] = {
        .at = mesh_->point_of(edge), .y = y, .is_corner = false, .born = mesh_->edits_};
  } else {
    mesh_->vertex_marks_.of[vertex] = taken_mark_;
  }
  mesh_->settle_fan(fan_, vertex);
}

std::uint32_t MeshPatcher::new_vertex() {
  if (mesh_->free_vertices_.empty()) {
    mesh_->vertices_.emplace_back();
    return mesh_->vertices_end() - 1;
  }
  const std::uint32_t vertex = mesh_->free_vertices_.back();
  mesh_->free_vertices_.pop_back();
  return vertex;
}

}  // namespace repath

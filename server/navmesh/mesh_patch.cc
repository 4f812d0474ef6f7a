// NavMesh::replace: takes cells out of a mesh and puts others in.
#include <algorithm>
#include <cstddef>

#include "base/check.h"
#include "navmesh/mesh_repair.h"
#include "navmesh/nav_mesh.h"

namespace repath {
namespace {

constexpr std::uint32_t kNoVertex = ~std::uint32_t{0};
constexpr std::uint32_t kNoComponent = ~std::uint32_t{0};

void sort_unique(std::vector<std::uint32_t>* list) {
  std::ranges::sort(*list);
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

}  // namespace

// The steps of NavMesh::replace, in their order.
class MeshPatcher {
 public:
  MeshPatcher(NavMesh* mesh, const NavMesh::Replacement& replacement)
      : mesh_(*mesh), in_(replacement) {}

  void run(std::vector<std::uint32_t>* made) {
    mesh_.free_edges_.resize(kCellEdgesMax + 1);
    for (const std::uint32_t cell : in_.gone) detach(cell);
    lay_bare();
    for (const std::uint32_t cell : in_.gone) release(cell);
    for (const NavMesh::NewCell& cell : in_.come) place(cell);
    join_new_edges();
    sort_unique(&touched_);
    sort_unique(&vertices_);
    place_vertices();
    std::vector<std::uint32_t> near = made_;
    near.insert(near.end(), touched_.begin(), touched_.end());
    DeadEndRepair(&mesh_).run(near);
    ComponentRepair(&mesh_).run(made_, touched_);
    made->insert(made->end(), made_.begin(), made_.end());
  }

 private:
  // An edge that begins at a vertex whose fan the edit changes.
  struct Turned {
    std::uint32_t edge;
    std::uint32_t vertex;  // that it had
  };

  bool is_gone(std::uint32_t cell) const { return std::ranges::binary_search(in_.gone, cell); }

  // Notes the fans and neighbours that the cell leaves behind.
  void detach(std::uint32_t cell) {
    REPATH_CHECK(mesh_.is_live(cell));
    for (std::uint32_t e = mesh_.cells_[cell].first;
         e < mesh_.cells_[cell].first + mesh_.cells_[cell].count; ++e) {
      vertices_.push_back(mesh_.edges_[e].vertex);
      const std::uint32_t twin = mesh_.edges_[e].twin;
      if (twin == kNoEdge || is_gone(mesh_.owners_[twin])) continue;
      // Around a vertex, those that stay and hang together reach an edge that is laid bare here.
      turn(twin);
      turn(mesh_.next(twin));
      touched_.push_back(mesh_.owners_[twin]);
      laid_bare_.push_back(twin);
    }
  }
  void turn(std::uint32_t edge) {
    const std::uint32_t vertex = mesh_.edges_[edge].vertex;
    if (vertex != kNoVertex) turned_.push_back({edge, vertex});
  }

  void lay_bare() {
    for (const std::uint32_t e : laid_bare_) {
      mesh_.edges_[e].twin = kNoEdge;
      mesh_.edges_[e].neighbour = kNoCell;
      mesh_.edges_[e].leads_into_dead_end = false;
    }
  }

  void release(std::uint32_t index) {
    NavMesh::Cell& cell = mesh_.cells_[index];
    for (std::uint32_t e = cell.first; e < cell.first + cell.count; ++e) {
      mesh_.edges_[e] = {};
      mesh_.owners_[e] = kNoCell;
    }
    mesh_.free_edges_[cell.count].push_back(cell.first);
    if (--mesh_.component_cells_[cell.component] == 0)
      mesh_.free_components_.push_back(cell.component);
    cell = {.generation = cell.generation + 1};
    mesh_.free_cells_.push_back(index);
  }

  std::uint32_t take_edges(std::uint32_t count) {
    std::vector<std::uint32_t>& free = mesh_.free_edges_[count];
    if (!free.empty()) {
      const std::uint32_t first = free.back();
      free.pop_back();
      return first;
    }
    const std::uint32_t first = mesh_.edges_end();
    mesh_.edges_.resize(mesh_.edges_.size() + count);
    mesh_.owners_.resize(mesh_.owners_.size() + count);
    return first;
  }

  void place(const NavMesh::NewCell& from) {
    REPATH_CHECK(from.count >= 3 && from.count <= kCellEdgesMax);
    if (mesh_.free_cells_.empty()) {
      mesh_.free_cells_.push_back(mesh_.cells_end());
      mesh_.cells_.emplace_back();
    }
    const std::uint32_t index = mesh_.free_cells_.back();
    mesh_.free_cells_.pop_back();
    NavMesh::Cell& cell = mesh_.cells_[index];
    cell.first = take_edges(from.count);
    cell.count = from.count;
    cell.component = kNoComponent;
    cell.area = from.area;
    cell.factor = from.factor;
    cell.flags = from.flags;
    cell.origin = from.origin;
    for (std::uint32_t k = 0; k < from.count; ++k) {
      const LatticePoint p = in_.edges[from.first + k].from;
      mesh_.edges_[cell.first + k] = {.x = static_cast<double>(p.x),
                                      .z = static_cast<double>(p.z),
                                      .vertex = kNoVertex,
                                      .place = static_cast<std::uint8_t>(k),
                                      .count = static_cast<std::uint8_t>(from.count)};
      mesh_.owners_[cell.first + k] = index;
    }
    made_.push_back(index);
  }

  void join_new_edges() {
    std::vector<std::uint32_t> edges(in_.edges.size());  // of the pool, by place
    for (std::size_t i = 0; i < made_.size(); ++i)
      for (std::uint32_t k = 0; k < in_.come[i].count; ++k)
        edges[in_.come[i].first + k] = mesh_.cells_[made_[i]].first + k;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      std::uint32_t twin = in_.edges[i].twin;
      if (twin == kNoEdge) continue;
      const bool is_new = (twin & NavMesh::kNewEdgeBit) != 0;
      twin = is_new ? edges[twin & ~NavMesh::kNewEdgeBit] : twin;
      REPATH_CHECK(is_new || mesh_.edges_[twin].twin == kNoEdge);
      mesh_.join(edges[i], twin);
      if (is_new) continue;
      vertices_.push_back(mesh_.edges_[twin].vertex);
      vertices_.push_back(mesh_.edges_[mesh_.next(twin)].vertex);
      turn(twin);
      turn(mesh_.next(twin));
      touched_.push_back(mesh_.owners_[twin]);
    }
  }

  // A vertex for each fan: the least that one of its edges had and no other fan has taken.
  void place_vertices() {
    taken_.assign(vertices_.size(), false);
    std::ranges::sort(turned_, {}, &Turned::edge);
    for (const Turned& t : turned_) mesh_.edges_[t.edge].vertex = kNoVertex;
    for (const Turned& t : turned_) place_vertex(t.edge, mesh_.vertices_[t.vertex].y);
    for (std::size_t i = 0; i < made_.size(); ++i)
      for (std::uint32_t k = 0; k < in_.come[i].count; ++k)
        place_vertex(mesh_.cells_[made_[i]].first + k, in_.edges[in_.come[i].first + k].y);
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      if (!taken_[i]) free_vertex(vertices_[i]);
  }

  void place_vertex(std::uint32_t edge, double y) {
    if (mesh_.edges_[edge].vertex != kNoVertex) return;
    mesh_.collect_fan(edge, &fan_);
    std::uint32_t vertex = kNoVertex;
    for (const std::uint32_t e : fan_) {
      const std::uint32_t had = vertex_before(e);
      if (had < vertex && !taken_[place_of(had)]) vertex = had;
    }
    if (vertex == kNoVertex) {
      vertex = new_vertex();
      mesh_.vertices_[vertex] = {.at = mesh_.point_of(edge), .y = y};
    } else {
      taken_[place_of(vertex)] = true;
    }
    mesh_.settle_fan(fan_, vertex);
  }

  std::uint32_t vertex_before(std::uint32_t edge) const {
    const std::uint32_t vertex = mesh_.edges_[edge].vertex;
    if (vertex != kNoVertex) return vertex;
    const auto t = std::ranges::lower_bound(turned_, edge, {}, &Turned::edge);
    return t != turned_.end() && t->edge == edge ? t->vertex : kNoVertex;
  }
  std::size_t place_of(std::uint32_t vertex) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(vertices_, vertex) -
                                    vertices_.begin());
  }

  std::uint32_t new_vertex() {
    if (mesh_.free_vertices_.empty()) {
      mesh_.vertices_.emplace_back();
      return mesh_.vertices_end() - 1;
    }
    const std::uint32_t vertex = mesh_.free_vertices_.back();
    mesh_.free_vertices_.pop_back();
    return vertex;
  }
  void free_vertex(std::uint32_t vertex) {
    mesh_.vertices_[vertex] = {};
    mesh_.free_vertices_.push_back(vertex);
  }

  NavMesh& mesh_;
  const NavMesh::Replacement& in_;
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> touched_;    // cells that stay beside what goes or comes
  std::vector<std::uint32_t> vertices_;   // that lose or gain cells
  std::vector<bool> taken_;               // of those
  std::vector<Turned> turned_;            // edges of cells that stay, one or more of each fan
  std::vector<std::uint32_t> laid_bare_;  // edges of cells that stay
  std::vector<std::uint32_t> fan_;
};

void NavMesh::replace(const Replacement& replacement, std::vector<std::uint32_t>* made) {
  for (NavLink& link : links_)
    for (std::uint32_t* cell : {&link.from_cell, &link.to_cell})
      if (std::ranges::binary_search(replacement.gone, *cell)) *cell = kNoCell;
  MeshPatcher(this, replacement).run(made);
  if (!links_.empty()) settle_links();
}

}  // namespace repath

// A navigation mesh: convex cells that share whole edges, on one or several floors. Every search of
// this room reads it.
//
// Thread rule: const functions may run on any number of threads, but not during
// MeshPatcher::replace(), place_links() or switch_link(), which change the mesh after build().
// Invariants:
// 1. A live cell has 3 to kCellEdgesMax corners on the lattice, counterclockwise (x right, z up).
//    The turn at each corner is >= 0, and the area is > 0. Corners with turn 0 are normal: where a
//    neighbour's corner lies on a long edge, that edge is split in two.
// 2. An edge has one neighbour or none, and is its neighbour's neighbour: twin(twin(e)) == e. The
//    two run between the same vertices in opposite order.
// 3. Cells are neighbours only by shared vertices, not because they overlap in x and z.
// 4. The cells around a vertex are connected through edges that meet there. Where blocked ground
//    touches itself at a point there are two vertices. So facts about a vertex hold for all of its
//    cells.
// 5. A vertex is a corner iff the walkable angle around it exceeds pi and blocked ground is left.
//    Shortest paths bend only there. Decided exactly, by signs of determinants.
// 6. An edge leads into a dead end iff the cells behind it form a tree that hangs on the rest by
//    this edge alone. A path enters it only if it begins or ends there.
//
// The edges of a cell are one range of a pool. Cells keep their index while they live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "geometry/lattice.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::uint32_t kNoCell = ~std::uint32_t{0};
inline constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};

class NavMesh {
 public:
  // One edge of one cell, from its vertex to the vertex of the cell's next edge. Coordinates are
  // those of the vertex in lattice steps, as doubles, so differences are exact.
  struct Edge {
    double x = 0;
    double z = 0;
    std::uint32_t vertex = 0;
    std::uint32_t twin = kNoEdge;       // the same edge in the neighbour
    std::uint32_t neighbour = kNoCell;  // cell behind the edge
    std::uint8_t place = 0;             // index among its cell's edges
    std::uint8_t count = 0;             // number of its cell's edges
    bool is_corner = false;             // whether its vertex is a corner
    bool leads_into_dead_end = false;
  };
  // An end of a link where agents can enter it.
  struct LinkEnd {
    std::uint32_t cell = 0;
    std::uint32_t link = 0;  // index in links()
    bool is_from = true;     // the link's `from`, or the `to` of a link that goes both ways
  };
  struct Vertex {
    LatticePoint at{};
    double y = 0;
    bool is_corner = false;
    std::uint32_t born = 0;  // edits() when the vertex was made
    // For a corner: its neighbours along the border of blocked ground. Walkable ground lies
    // counterclockwise from `after` to `before`.
    LatticePoint after{};
    LatticePoint before{};
  };
  struct Cell {
    std::uint32_t first = 0;      // its edges are [first, first + count) of the pool
    std::uint32_t count = 0;      // 0: the cell is not live
    std::uint32_t component = 0;  // component of ground; see component_of()
    AreaType area{};
    std::uint16_t flags = 0;
    // The cell's own, in addition to its area's; thousandths, [1000, 1'000'000].
    std::uint32_t factor = 1000;
  };

  // Returns the mesh with its cells in the given order. Errors: INVALID_ARGUMENT naming the field,
  // with reason CELL_SIZE, CELL_VERTEX, CELL_NOT_CONVEX, EDGE_SHARED ("cells[3]"), VERTEX_RANGE
  // ("vertices[7]"), LINK_CELL, LINK_RANGE, LINK_ID ("links[2]") or AREA_RANGE ("cells[3].area");
  // RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE. All sizes are checked before memory is allocated
  // for them. O(n log n) in the edges.
  static absl::StatusOr<NavMesh> build(const MeshSource& source);

  // The cells that MeshPatcher::replace() (navmesh/mesh/mesh_patch.h) takes out of a mesh, and
  // those that it puts in. The edges of a new cell run counterclockwise.
  struct NewEdge {
    LatticePoint from{};
    // The same edge in the neighbour; kNoEdge if there is none. It is an edge of a staying cell
    // that by then has no neighbour, or new_edge(its index in Replacement::edges). In the latter
    // case both edges must name each other.
    std::uint32_t twin = kNoEdge;
  };
  struct NewCell {
    std::uint32_t first = 0;  // its edges are edges[first, first + count)
    std::uint32_t count = 0;  // 3 to kCellEdgesMax
    AreaType area{};
    std::uint16_t flags = 0;
    std::uint32_t factor = 1000;
  };
  struct Replacement {
    std::vector<std::uint32_t> gone;  // live cells, ascending, each once
    std::vector<NewCell> come;
    std::vector<NewEdge> edges;
  };
  static constexpr std::uint32_t new_edge(std::size_t place) {
    return kNewEdgeBit | static_cast<std::uint32_t>(place);
  }

  struct LinkPlace {
    std::uint32_t link = 0;       // index in links()
    std::uint32_t from_cell = 0;  // live cells that hold its ends; kNoCell: that end is in no cell
    std::uint32_t to_cell = 0;
  };
  // O(links log links).
  void place_links(std::span<const LinkPlace> places);
  void switch_link(std::uint32_t link, bool enabled) { links_[link].enabled = enabled; }

  // One past the largest cell index. Some smaller indexes may not be live after cells were
  // replaced.
  std::uint32_t cells_end() const { return static_cast<std::uint32_t>(cells_.size()); }
  std::uint32_t vertices_end() const { return static_cast<std::uint32_t>(vertices_.size()); }
  std::uint32_t edges_end() const { return static_cast<std::uint32_t>(edges_.size()); }

  bool is_live(std::uint32_t cell) const { return cell < cells_.size() && cells_[cell].count != 0; }
  const Cell& cell(std::uint32_t cell) const { return cells_[cell]; }
  std::span<const Edge> edges_of(std::uint32_t cell) const {
    return {edges_.data() + cells_[cell].first, cells_[cell].count};
  }
  const Edge* edges() const { return edges_.data(); }
  const Edge& edge(std::uint32_t e) const { return edges_[e]; }
  const Vertex& vertex(std::uint32_t v) const { return vertices_[v]; }
  const std::vector<NavLink>& links() const { return links_; }
  // Returns the ends at which links can be entered in the cell, enabled or not, except links with
  // an end in no cell. O(log links).
  std::span<const LinkEnd> link_ends_of(std::uint32_t cell) const;

  // Returns the cell of an edge. O(1).
  std::uint32_t cell_of(std::uint32_t edge) const { return owners_[edge]; }
  std::uint32_t next(std::uint32_t edge) const {
    const Edge& e = edges_[edge];
    return e.place + 1u == e.count ? edge - e.place : edge + 1;
  }
  // Returns the next edge of the same cell: it begins where the given edge of a mesh ends.
  static const Edge& after(const Edge& e) {
    return e.place + 1u == e.count ? *(&e - e.place) : *(&e + 1);
  }
  std::uint32_t previous(std::uint32_t edge) const {
    const Edge& e = edges_[edge];
    return e.place == 0 ? edge + e.count - 1 : edge - 1;
  }

  // Returns a component. Cells of different components have no path between them, even by links in
  // any direction, enabled or not. The converse only holds if no link is one-way or disabled.
  // O(log links).
  std::uint32_t component_of(std::uint32_t cell) const {
    const std::uint32_t component = cells_[cell].component;
    return united_.empty() ? component : united(component);
  }
  // Returns the number of cells of the cell's component of ground, ignoring links.
  std::uint32_t cells_beside(std::uint32_t cell) const {
    return component_cells_[cells_[cell].component];
  }

  // Returns the height of the cell's ground at one of its points, in world units; `x` and `z` are
  // in lattice steps. Along an edge, and within half a step of it, the height is that of the edge,
  // the same for both cells (kEdgeReach). Elsewhere it is that of the triangle that holds the point
  // in the fan from the cell's first corner. The height lies between the lowest and the highest
  // corner of the cell. O(corners).
  double height_at(std::uint32_t cell, double x, double z) const;
  static constexpr double kEdgeReach = 0.71;  // lattice steps: half a step each way

  // Number of calls of MeshPatcher::replace().
  std::uint32_t edits() const { return edits_; }

  std::size_t bytes() const;
  // Returns the most by which bytes() grows if so many cells and edges are inserted. Places that
  // removed ones left free are not counted on.
  std::size_t bytes_to_insert(std::size_t cells, std::size_t edges) const;

 private:
  friend class MeshBuilder;
  friend class MeshPatcher;
  friend class DeadEndRepair;
  friend class ComponentRepair;
  static constexpr std::uint32_t kNewEdgeBit = std::uint32_t{1} << 31;

  // A mark for each cell, or for each vertex. Every use takes marks greater than all earlier ones,
  // so nothing needs to be cleared. Only the latest use knows what its marks mean.
  struct Marks {
    std::vector<std::uint32_t> of;
    std::uint32_t greatest = 0;
    // Returns the first of `count` new marks, for [0, size).
    std::uint32_t fresh(std::size_t count, std::size_t size);
  };
  void join(std::uint32_t a, std::uint32_t b);
  // Updates all data that depend on where links end.
  void settle_links();
  std::uint32_t united(std::uint32_t component) const;
  // Collects in `fan` the edges that begin at the same vertex as `e`, counterclockwise.
  // settle_fan() gives them `vertex` and stores the facts about it.
  void collect_fan(std::uint32_t e, std::vector<std::uint32_t>* fan) const;
  void settle_fan(const std::vector<std::uint32_t>& fan, std::uint32_t vertex);
  double height_in_fan(std::uint32_t cell, double x, double z) const;
  LatticePoint point_of(std::uint32_t e) const {
    return {static_cast<std::int32_t>(edges_[e].x), static_cast<std::int32_t>(edges_[e].z)};
  }

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> owners_;  // cell of each edge; kNoCell in free ranges
  std::vector<Cell> cells_;
  std::vector<Vertex> vertices_;
  std::vector<NavLink> links_;
  std::vector<LinkEnd> link_ends_;  // by cell, then link
  // Components in which links end, ascending, each with the least component that links unite it
  // with.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> united_;
  // For replace(): free places, the number of cells of each component, and marks of its searches.
  std::vector<std::vector<std::uint32_t>> free_edges_;  // starts of free ranges, by number of edges
  std::vector<std::uint32_t> free_cells_;
  std::vector<std::uint32_t> free_vertices_;
  std::uint32_t edits_ = 0;
  std::vector<std::uint32_t> free_components_;
  std::vector<std::uint32_t> component_cells_;
  Marks cell_marks_;
  Marks vertex_marks_;
};

}  // namespace repath

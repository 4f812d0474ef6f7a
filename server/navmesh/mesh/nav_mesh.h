// A navigation mesh: convex cells that share whole edges, on several floors if need be. What every
// search of this room reads.
//
// Thread rule: const functions may run on any number of threads, but not beside replace(), the only
// one that changes anything after build().
// Invariants:
//   1. A live cell has 3 to kCellEdgesMax corners on the lattice, counterclockwise (x right, z up),
//      each corner's turn >= 0, its area > 0. Corners with turn 0 are normal: where a neighbour's
//      corner lies on a long edge, that edge is two.
//   2. An edge has one neighbour or none, and is its neighbour's neighbour: twin(twin(e)) == e; the
//      two run between the same vertices in opposite order.
//   3. Cells are neighbours by shared vertices only, never because they overlap in x and z.
//   4. The cells around a vertex hang together through edges that meet there: where blocked ground
//      touches itself at a point there are two vertices. So what is known of one vertex holds for
//      all of its cells.
//   5. A vertex is a corner iff the walkable angle around it exceeds pi and blocked ground is left:
//      only there shortest paths bend. Decided by signs of determinants, exactly.
//   6. An edge leads into a dead end iff what lies behind it is a tree of cells that hangs on the
//      rest by this edge alone: a path that neither begins nor ends in there has no business in it.
// A cell's edges are one range of a pool and cells keep their index while they live; indices are
// not handed on as ids: those carry a generation, so that one that outlived its cell is known.
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

// A cell as others may remember it.
struct CellId {
  std::uint32_t index = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  bool operator==(const CellId&) const = default;
};

inline constexpr std::uint32_t kNoCell = ~std::uint32_t{0};
inline constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};

class NavMesh {
 public:
  // One edge of one cell, from its vertex to the next corner's of the cell. Coordinates are those
  // of the vertex in lattice steps, as doubles: differences are exact.
  struct Edge {
    double x = 0;
    double z = 0;
    std::uint32_t vertex = 0;
    std::uint32_t twin = kNoEdge;       // the same edge as the neighbour has it
    std::uint32_t neighbour = kNoCell;  // the cell behind it
    std::uint8_t place = 0;             // which of its cell's edges it is
    std::uint8_t count = 0;             // how many its cell has
    bool is_corner = false;             // its vertex is one
    bool leads_into_dead_end = false;
  };
  // One end of a link, where it can be entered.
  struct LinkEnd {
    std::uint32_t cell = 0;
    std::uint32_t link = 0;  // place in links()
    bool is_from = true;     // the link's `from`, or the `to` of one that goes both ways
  };
  struct Vertex {
    LatticePoint at{};
    double y = 0;
    bool is_corner = false;
    std::uint32_t born = 0;  // edits() when it came to be
    // Of a corner: the neighbours of the vertex along the border of blocked ground. Walkable ground
    // is what lies counterclockwise from `after` to `before`.
    LatticePoint after{};
    LatticePoint before{};
  };
  struct Cell {
    std::uint32_t first = 0;  // its edges are [first, first + count) of the pool
    std::uint32_t count = 0;  // 0: no live cell
    std::uint32_t generation = 1;
    std::uint32_t component = 0;  // of ground; see component_of
    AreaType area{};
    std::uint16_t flags = 0;
    std::uint32_t factor = 1000;  // thousandths, [1000, 1'000'000]: of its own, on top of its area
    Provenance origin{};
  };

  // The mesh, its cells in the order given, or INVALID_ARGUMENT with a reason and the field at
  // fault: CELL_SIZE, CELL_VERTEX, CELL_NOT_CONVEX, EDGE_SHARED ("cells[3]"), VERTEX_RANGE
  // ("vertices[7]"), LINK_CELL, LINK_RANGE, LINK_ID ("links[2]"), AREA_RANGE ("cells[3].area"); or
  // RESOURCE_EXHAUSTED with MESH_TOO_LARGE. All is checked before anything of that size is
  // allocated. O(n log n) in the edges.
  static absl::StatusOr<NavMesh> build(const MeshSource& source);

  // A cell that replace() shall make, and its edges counterclockwise.
  struct NewEdge {
    LatticePoint from{};
    double y = 0;  // world units; meaningless where the vertex is one of a cell that stays
    // The same edge as its neighbour has it: an edge of a cell that stays and has none behind it by
    // then, or new_edge(its place in Replacement::edges), then said of both; or kNoEdge.
    std::uint32_t twin = kNoEdge;
  };
  struct NewCell {
    std::uint32_t first = 0;  // its edges are edges[first, first + count)
    std::uint32_t count = 0;  // 3 to kCellEdgesMax
    AreaType area{};
    std::uint16_t flags = 0;
    std::uint32_t factor = 1000;
    Provenance origin{};
  };
  struct Replacement {
    std::vector<std::uint32_t> gone;  // live cells, ascending, each once
    std::vector<NewCell> come;
    std::vector<NewEdge> edges;
  };
  static constexpr std::uint32_t new_edge(std::size_t place) {
    return kNewEdgeBit | static_cast<std::uint32_t>(place);
  }

  // Takes cells out and puts others in; appends the indices of those to `made`, in their order.
  // Cells that stay keep index, generation and edges; their neighbours, corners, dead ends and
  // components are what build() would find, but for the numbers of vertices and components and for
  // where trees hang that are components of their own. A place in the pool of edges is used again
  // by a cell of as many edges. A link's end in a cell that goes is nowhere, until place_links()
  // says where. REQUIRES: what comes is convex, overlaps nothing on its
  // floor, and counts stay within the limits of mesh_source.h. O(what goes and comes, the blind
  // alleys it lies in, log n), of the ground that an edit divides or joins twice the lesser part,
  // and O(links log links).
  // MeshPatcher (navmesh/mesh/mesh_patch.h) does the same and keeps its memory.
  void replace(const Replacement& replacement, std::vector<std::uint32_t>* made);

  struct LinkPlace {
    std::uint32_t link = 0;       // place in links()
    std::uint32_t from_cell = 0;  // live cells that hold its ends; kNoCell: that end is nowhere
    std::uint32_t to_cell = 0;
  };
  // O(links log links).
  void place_links(std::span<const LinkPlace> places);
  void switch_link(std::uint32_t link, bool enabled) { links_[link].enabled = enabled; }

  // One past the largest cell index; some below may not be live once cells were replaced.
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
  // Where links begin in the cell, whether enabled or not, but for those with an end that is
  // nowhere. O(log links).
  std::span<const LinkEnd> link_ends_of(std::uint32_t cell) const;

  // Whose edge it is. O(1).
  std::uint32_t cell_of(std::uint32_t edge) const { return owners_[edge]; }
  std::uint32_t next(std::uint32_t edge) const {
    const Edge& e = edges_[edge];
    return e.place + 1u == e.count ? edge - e.place : edge + 1;
  }
  std::uint32_t previous(std::uint32_t edge) const {
    const Edge& e = edges_[edge];
    return e.place == 0 ? edge + e.count - 1 : edge - 1;
  }

  CellId id_of(std::uint32_t cell) const { return {cell, cells_[cell].generation}; }
  // kNoCell if the cell is gone.
  std::uint32_t find(CellId id) const {
    return is_live(id.index) && cells_[id.index].generation == id.generation ? id.index : kNoCell;
  }

  // Cells of different components have no path between them, links included, whatever their
  // direction and whether enabled or not. The converse holds only without one-way and disabled
  // links. O(log links).
  std::uint32_t component_of(std::uint32_t cell) const {
    const std::uint32_t component = cells_[cell].component;
    return united_.empty() ? component : united(component);
  }

  // Returns the height of the cell's ground at a point of it, world units; `x` and `z` in lattice
  // steps. Along an edge, and within half a step of it, it is the edge's, the same for both cells
  // (kEdgeReach). Elsewhere it is that of the triangle that holds the point, of the fan from the
  // cell's first corner. It is never above or below all corners of the cell. O(corners).
  double height_at(std::uint32_t cell, double x, double z) const;
  static constexpr double kEdgeReach = 0.71;  // lattice steps: half a step each way

  // How often replace() was called.
  std::uint32_t edits() const { return edits_; }

  std::size_t bytes() const;

 private:
  friend class MeshBuilder;
  friend class MeshPatcher;
  friend class DeadEndRepair;
  friend class ComponentRepair;
  static constexpr std::uint32_t kNewEdgeBit = std::uint32_t{1} << 31;

  void join(std::uint32_t a, std::uint32_t b);
  // The first of `count` marks greater than those that cells, that vertices have; each has one.
  std::uint32_t fresh_marks(std::size_t count);
  std::uint32_t fresh_vertex_marks(std::size_t count);
  // Finds anew what follows from where links end.
  void settle_links();
  std::uint32_t united(std::uint32_t component) const;
  // The edges that begin at the same vertex as `e`, counterclockwise, into `fan`; gives them
  // `vertex` and tells that what is known of the place.
  void collect_fan(std::uint32_t e, std::vector<std::uint32_t>* fan) const;
  void settle_fan(const std::vector<std::uint32_t>& fan, std::uint32_t vertex);
  double height_in_fan(std::uint32_t cell, double x, double z) const;
  LatticePoint point_of(std::uint32_t e) const {
    return {static_cast<std::int32_t>(edges_[e].x), static_cast<std::int32_t>(edges_[e].z)};
  }

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> owners_;  // cell of each edge, kNoCell in ranges that are free
  std::vector<Cell> cells_;
  std::vector<Vertex> vertices_;
  std::vector<NavLink> links_;
  std::vector<LinkEnd> link_ends_;  // by cell, then link
  // Components in which links end, ascending, and the least that links unite each with.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> united_;
  // For replace(): what is free, how many cells each component has, and marks of its searches.
  std::vector<std::vector<std::uint32_t>> free_edges_;  // firsts of ranges, by count
  std::vector<std::uint32_t> free_cells_;
  std::vector<std::uint32_t> free_vertices_;
  std::uint32_t edits_ = 0;
  std::vector<std::uint32_t> free_components_;
  std::vector<std::uint32_t> component_cells_;
  // What the greatest marks mean is for their user to say; all others are from earlier.
  std::vector<std::uint32_t> marks_;  // by cell
  std::uint32_t mark_ = 0;            // the greatest
  std::vector<std::uint32_t> vertex_marks_;
  std::uint32_t vertex_mark_ = 0;
};

// Whether the corners form a polygon that a cell may have: invariant 1, and once around only.
// Exact.
bool is_convex(std::span<const LatticePoint> corners);

}  // namespace repath

// Removes cells from a mesh and inserts others, and finds the dead ends and components beside them;
// NavMesh::build() finds those of a whole mesh in the same way. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// Dead ends are trees of cells; each cell hangs on its stem. A tree without edited cells stays a
// tree. An edited cell is taken off together with the stems above it, and the cells that form a
// tree now are peeled again.
class DeadEndRepair {
 public:
  // `cells`: first the `made` inserted cells, then their neighbours. O(their edges and the stems
  // above them).
  void run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made);
  // For a mesh in which no dead end is known. O(edges).
  void find_all(NavMesh* mesh);

 private:
  void take_off(std::uint32_t cell);
  std::uint32_t ways_left(std::uint32_t cell) const;
  void peel_candidates();

  NavMesh* mesh_ = nullptr;  // of the current call
  std::vector<std::uint32_t> candidates_;
};

// Components by labels. Staying cells are searched from all sides of the edit at once, one cell of
// each in turn (S. Even, Y. Shiloach, 1981), until one search is left; every other search has
// visited the whole part that it labels again. Parts that the edit joins take the label of the
// greater part.
class ComponentRepair {
 public:
  // `cells`: first the `made` inserted cells, not labelled yet; then the staying cells beside a
  // removed or inserted one, each once. O(twice the lesser parts of the components that are divided
  // or joined).
  void run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made);
  // Labels each component with its least cell. O(edges).
  void find_all(NavMesh* mesh);

 private:
  struct Seed {
    std::uint32_t label;
    std::uint32_t group;
    std::uint32_t cell;
    auto operator<=>(const Seed&) const = default;
  };
  struct Search {
    std::uint32_t parent;   // another search that it met, or itself
    std::uint32_t waiting;  // cells of it and of searches it met that are not expanded yet
    std::size_t next = 0;
    std::vector<std::uint32_t> cells;
  };

  void group_nodes();
  void spread_group(std::uint32_t group, std::uint32_t first);
  void separate(std::span<Seed> seeds);
  void spread(std::uint32_t search, std::uint32_t label, std::uint32_t* classes);
  std::uint32_t root_of(std::uint32_t search);
  void unite();
  void relabel_all(std::uint32_t from, std::uint32_t to);
  // Relabels all cells that are connected with these.
  void spread_label(std::vector<std::uint32_t> cells, std::uint32_t from, std::uint32_t to);
  void label(std::uint32_t cell, std::uint32_t component);
  std::uint32_t fresh_label();

  NavMesh* mesh_ = nullptr;               // of the current call
  std::span<const std::uint32_t> nodes_;  // the inserted cells and the cells they touch
  std::size_t made_ = 0;                  // number of inserted cells
  // By node: the group of nodes connected through inserted cells.
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint32_t> reached_;  // indexes in nodes_, group after group
  std::vector<Seed> seeds_;             // one for each staying cell
  std::vector<std::pair<std::uint32_t, std::uint32_t>> same_;  // group, label
  std::vector<Search> searches_;
  std::uint32_t mark_ = 0;
};

// Keeps only memory between calls.
class MeshPatcher {
 public:
  // Removes cells and inserts others; appends the indexes of the new cells to `made`, in order.
  // Staying cells keep index and edges. Their neighbours, corners, dead ends and components are
  // those that NavMesh::build() would find. Only the numbers of vertices and components may differ,
  // and the stems of trees that are components of their own. A range of the pool of edges is used
  // again by a cell with as many edges. An end of a link in a removed cell belongs to no cell until
  // place_links() is called.
  //
  // Heights of new vertices come from `height_of`. Its argument is the place in Replacement::edges
  // of an edge that begins there. It is asked only once for each new vertex, because heights may be
  // costly, and most edges begin at a vertex that is there already.
  //
  // REQUIRES: the inserted cells are convex and overlap no other cell on their floor, and counts
  // stay within the limits of mesh_source.h. O(removed and inserted cells, the dead ends around
  // them, log n). It also takes O(links log links) and, if the edit divides or joins components,
  // twice the lesser parts.
  template <class HeightOf>
  void replace(NavMesh* mesh, const NavMesh::Replacement& replacement,
               std::vector<std::uint32_t>* made, HeightOf height_of) {
    run(mesh, replacement, made);
    for (const Born& born : born_) mesh->vertices_[born.vertex].y = height_of(born.edge);
  }

 private:
  // A new vertex, and the first of the new edges that begin there.
  struct Born {
    std::uint32_t vertex;
    std::size_t edge;  // place in Replacement::edges
  };

  void run(NavMesh* mesh, const NavMesh::Replacement& replacement,
           std::vector<std::uint32_t>* made);
  void begin();
  // Notes a cell that stays, beside a removed or inserted cell.
  void touch(std::uint32_t cell);
  // Notes a vertex that loses or gains cells.
  void change(std::uint32_t vertex);
  // Notes an edge of a staying cell that begins at a vertex whose fan the edit changes.
  void turn(std::uint32_t edge);
  void detach(std::uint32_t cell);
  void lay_bare();
  void release(std::uint32_t index);
  std::uint32_t take_edges(std::uint32_t count);
  void place(const NavMesh::NewCell& from);
  void join_new_edges();
  void place_vertices();
  void place_vertex(std::uint32_t edge, double y);
  std::uint32_t new_vertex();

  NavMesh* mesh_ = nullptr;  // arguments of the current call
  const NavMesh::Replacement* in_ = nullptr;
  std::uint32_t gone_mark_ = 0;  // marks of cells
  std::uint32_t touched_mark_ = 0;
  std::uint32_t changed_mark_ = 0;  // marks of vertices
  std::uint32_t taken_mark_ = 0;
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> touched_;    // cells
  std::vector<std::uint32_t> near_;       // the inserted cells, then the touched ones
  std::vector<std::uint32_t> vertices_;   // vertices that lose or gain cells
  std::vector<std::uint32_t> turned_;     // edges of staying cells, at least one of each fan
  std::vector<std::uint32_t> laid_bare_;  // edges of staying cells that lost their neighbour
  std::vector<std::uint32_t> placed_;     // edges in the pool, by index in Replacement::edges
  std::vector<Born> born_;
  std::vector<std::uint32_t> fan_;
  DeadEndRepair dead_ends_;
  ComponentRepair components_;
};

}  // namespace repath

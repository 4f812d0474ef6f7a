// Removes cells from a mesh and inserts others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_repair.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// Keeps only memory between calls. Not thread-safe.
class MeshPatcher {
 public:
  // Removes cells and inserts others; appends the indexes of the new cells to `made`, in order.
  // Staying cells keep index and edges. Their neighbours, corners, dead ends and components are
  // those that NavMesh::build() would find. Only the numbers of vertices and components may differ,
  // and the stems of trees that are components of their own. A range of the pool of edges is used
  // again by a cell with as many edges. An end of a link in a removed cell belongs to no cell until
  // place_links() is called.
  //
  // Heights of new vertices come from `height_of`. It is asked once for each new vertex, by the
  // place in Replacement::edges of an edge that begins there: heights may be costly, and most edges
  // begin at a vertex that is there already.
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

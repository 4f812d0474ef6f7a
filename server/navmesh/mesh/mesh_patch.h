// NavMesh::replace: takes cells out of a mesh and puts others in. For who does it over and over.
#pragma once

#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_repair.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// Keeps memory between calls, nothing else. Not thread-safe.
class MeshPatcher {
 public:
  // NavMesh::replace, which says what it does and asks for.
  void replace(NavMesh* mesh, const NavMesh::Replacement& replacement,
               std::vector<std::uint32_t>* made);

 private:
  void run(NavMesh* mesh, const NavMesh::Replacement& replacement,
           std::vector<std::uint32_t>* made);
  void begin();
  // Notes a cell that stays, beside what goes or comes.
  void touch(std::uint32_t cell);
  // Notes a vertex that loses or gains cells.
  void change(std::uint32_t vertex);
  // Notes an edge of a cell that stays, beginning at a vertex whose fan the edit changes.
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

  NavMesh* mesh_ = nullptr;  // of this call, and what shall be done
  const NavMesh::Replacement* in_ = nullptr;
  std::uint32_t gone_mark_ = 0;  // marks of cells
  std::uint32_t touched_mark_ = 0;
  std::uint32_t changed_mark_ = 0;  // marks of vertices
  std::uint32_t taken_mark_ = 0;
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> touched_;    // cells
  std::vector<std::uint32_t> near_;       // what was made, then what was touched
  std::vector<std::uint32_t> vertices_;   // that lose or gain cells
  std::vector<std::uint32_t> turned_;     // edges of cells that stay, one or more of each fan
  std::vector<std::uint32_t> laid_bare_;  // edges of cells that stay
  std::vector<std::uint32_t> placed_;     // in the pool, by place in Replacement::edges
  std::vector<std::uint32_t> fan_;
  DeadEndRepair dead_ends_;
  ComponentRepair components_;
};

}  // namespace repath

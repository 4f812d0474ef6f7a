// Finds the dead ends and components of a mesh: all of them, or beside the cells that an edit
// inserts. Parts of NavMesh::build() and MeshPatcher::replace(), for no other caller. Not
// thread-safe.
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

}  // namespace repath

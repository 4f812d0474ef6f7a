// What NavMesh::replace() repairs beside the cells it puts in: dead ends and components. Parts of
// it, for no one else. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// Dead ends are trees of cells, each hanging on its stem. A tree in which nothing was edited stays
// one; those edited are taken off up to where they hang, and what is a tree now is peeled anew.
class DeadEndRepair {
 public:
  // `cells`: first those that came, `made` of them, then their neighbours. O(their edges and the
  // stems above them).
  void run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made);

 private:
  void take_off(std::uint32_t cell);
  std::uint32_t ways_left(std::uint32_t cell) const;
  void peel(std::uint32_t cell);

  NavMesh* mesh_ = nullptr;  // of this call
  std::vector<std::uint32_t> candidates_;
};

// Components by labels. Cells that stay are searched from all sides of the edit at once, a cell of
// each in turn (S. Even, Y. Shiloach, 1981), until one search is left: the others have been around
// what they label anew. What the edit joins takes the label of the greater part.
class ComponentRepair {
 public:
  // `cells`: first those that came, `made` of them, not labelled yet; then those that stay, beside
  // what went or came, each once. O(twice the lesser parts of what is divided or joined).
  void run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made);

 private:
  struct Seed {
    std::uint32_t label;
    std::uint32_t group;
    std::uint32_t cell;
    auto operator<=>(const Seed&) const = default;
  };
  struct Search {
    std::uint32_t parent;   // another that it met, or itself
    std::uint32_t waiting;  // cells of it and of those it met that are not expanded yet
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
  void label(std::uint32_t cell, std::uint32_t component);
  std::uint32_t fresh_label();

  NavMesh* mesh_ = nullptr;               // of this call
  std::span<const std::uint32_t> nodes_;  // what came and what it touches
  std::size_t made_ = 0;                  // how many came
  std::vector<std::uint32_t> groups_;     // by node, those that hang together through what came
  std::vector<std::uint32_t> reached_;    // places in nodes_, group after group
  std::vector<Seed> seeds_;               // of the cells that stay
  std::vector<std::pair<std::uint32_t, std::uint32_t>> same_;  // group, label
  std::vector<Search> searches_;
  std::uint32_t mark_ = 0;
};

}  // namespace repath

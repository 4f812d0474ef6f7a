// Tables of one view, in which placements look up the agents and goals at a cell, and which of them
// hang together before a tower stands. Belongs to one query on one thread; borrows the view.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/equal_run.h"
#include "base/ids.h"
#include "engine/placements.h"
#include "engine/tower_print.h"
#include "grid/components/component_map.h"

namespace repath {

// A set of cells of one layer.
class CellSet {
 public:
  explicit CellSet(const GridLayer& layer)
      : tiles_x_(layer.tiles_x()),
        tiles_(static_cast<std::size_t>(layer.tiles_x()) *
               static_cast<std::size_t>(layer.tiles_y())) {}
  // REQUIRES for both: the cell is on the map.
  void add(Place p) {
    std::unique_ptr<Bits>& bits = tiles_[tile_of(p)];
    if (bits == nullptr) {
      bits = std::make_unique<Bits>();
      bytes_ += sizeof(Bits);
    }
    (*bits)[static_cast<std::size_t>(p.y & kTileMask)] |= std::uint64_t{1} << (p.x & kTileMask);
  }
  bool contains(Place p) const {
    const Bits* bits = tiles_[tile_of(p)].get();
    return bits != nullptr &&
           ((*bits)[static_cast<std::size_t>(p.y & kTileMask)] >> (p.x & kTileMask) & 1u) != 0;
  }

  std::size_t bytes() const { return bytes_ + tiles_.size() * sizeof(tiles_[0]); }

 private:
  using Bits = std::array<std::uint64_t, kTileSide>;

  std::size_t tile_of(Place p) const {
    return static_cast<std::size_t>(p.y >> kTileBits) * static_cast<std::size_t>(tiles_x_) +
           static_cast<std::size_t>(p.x >> kTileBits);
  }

  std::int32_t tiles_x_;
  std::size_t bytes_ = 0;                     // of the tiles with cells
  std::vector<std::unique_ptr<Bits>> tiles_;  // null: no cell of the tile
};

class PlacementTables {
 public:
  // The goals that agents of one part of the ground share, and can reach now.
  struct Group {
    std::uint32_t goals = 0;
    std::uint32_t agents = 0;
  };
  struct AgentAt {
    NodeId cell{};            // where its path begins
    std::uint32_t agent = 0;  // index into PlacementView::agents
    std::uint32_t group = 0;
  };
  struct GoalAt {
    NodeId cell{};
    std::uint32_t group = 0;
  };
  using Component = ComponentMap::Component;

  // Agents that cannot reach a goal now are left out. O(cells / 64 if components are not known +
  // agents x log agents + goals x log goals).
  PlacementTables(const PlacementView& view, TowerSize size);

  const PlacementView& view() const { return view_; }
  // Returns whether an agent may be cut off.
  bool has_agents() const { return !agents_.empty(); }
  const std::vector<Group>& groups() const { return groups_; }
  // Return those of the cell.
  std::span<const AgentAt> agents_at(NodeId cell) const { return at(agents_, cell); }
  std::span<const GoalAt> goals_at(NodeId cell) const { return at(goals_, cell); }
  // Returns whether agents_at() or goals_at() has any. O(1).
  bool is_of_interest(NodeId cell) const { return marked_.contains(place_of(view_.layer, cell)); }
  // REQUIRES: the cell is free.
  Component component_of(NodeId cell) const { return components_.component_of(cell); }
  // Returns whether there are agents in that part of the ground.
  bool has_agents_in(const Component& part) const {
    return std::ranges::binary_search(parts_, part);
  }
  std::size_t bytes() const {
    return agents_.capacity() * sizeof(AgentAt) + goals_.capacity() * sizeof(GoalAt) +
           groups_.capacity() * sizeof(Group) + parts_.capacity() * sizeof(Component) +
           marked_.bytes() + static_cast<std::size_t>(components_.bytes());
  }
  // Returns the print of a tower whose cells the view's team has all seen.
  const TowerPrint& print(bool odd) const {
    return prints_[odd && view_.topology == Topology::kHex ? 1 : 0];
  }

 private:
  using PartGoal = std::pair<Component, NodeId>;

  template <class Entry>
  static std::span<const Entry> at(const std::vector<Entry>& entries, NodeId cell) {
    return equal_run(entries, cell, &Entry::cell);
  }
  void add_agent(std::uint32_t agent, std::vector<std::vector<PartGoal>>* goals,
                 std::vector<std::map<Component, std::uint32_t>>* groups);

  const PlacementView& view_;
  ComponentMap components_;
  std::array<TowerPrint, 2> prints_;  // for anchors in even and odd rows; the second with hexagons
  std::vector<AgentAt> agents_;       // ascending by cell
  std::vector<GoalAt> goals_;         // ascending by cell
  std::vector<Group> groups_;
  std::vector<Component> parts_;  // ascending
  CellSet marked_;
};

// Returns the cell where the agent's path begins; kNoNode if it stands in an obstacle and no free
// cell stands in for it.
NodeId origin_of(const PlacementAgent& agent, const GridLayer& layer);

}  // namespace repath

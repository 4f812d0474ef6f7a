// The abstraction of a layer for HPA*: the map cut into clusters, the places where a step leads
// from one cluster into the next, and the costs between these places within a cluster.
//
// Source: A. Botea, M. Müller, J. Schaeffer, "Near optimal hierarchical path-finding", Journal of
// Game Development 2004. Clusters of level 1 are squares of `side` cells. An entrance is a maximal
// run of cells along a border that are free on both sides. It has one transition in its middle, or
// one at each end if it has kWideEntrance cells or more. Clusters of a higher level are squares of
// `factor` times as many cells a side. There each run along the border of two clusters of the level
// below keeps the transition nearest to its middle. The cells of transitions are the nodes. Cells
// of a run are connected, and a diagonal step over a border has a free flank, so nodes of two
// clusters are connected iff their cells are.
//
// Departure: the facts of a cluster are not found in advance but by the first search or edit that
// needs them. They depend only on the cells of the cluster and of the ring around it, so it does
// not matter which one that is. An edit forgets the facts of the clusters that it touches, on every
// level. Copies share all facts, so a copy is a snapshot.
//
// Thread rule: as GridLayer. Many threads may call facts() and make_all() at once on one object
// that no thread updates. Memory: 16 bytes for each cluster; if its facts are known, 16 bytes for
// each node and 8 for each pair of nodes. Beyond the limit of FactMemory facts are found again each
// time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/cow.h"
#include "grid/cells/fact_memory.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

// How a map is cut into clusters.
struct HpaShape {
  static constexpr std::int32_t kSideMin = 2;
  static constexpr std::int32_t kSideMax = 64;
  static constexpr std::int32_t kFactorMax = 16;
  static constexpr int kLevelsMax = 3;

  std::int32_t side = 16;   // side of a cluster of level 1, in cells
  std::int32_t factor = 8;  // clusters of a level along the side of a cluster above; 2 or more
  int levels = 1;           // 1 to kLevelsMax
  bool operator==(const HpaShape&) const = default;
};
// Returns the shape that was measured to be best: two levels from 1024 x 1024 cells on, three from
// 8192 x 8192.
HpaShape hpa_shape_for(std::int32_t width, std::int32_t height);

// The facts about a cluster. Immutable once made.
struct HpaFacts : CowCounted {
  // The cells on the other side of a node's transitions. A node in a corner has up to two on a
  // level; kNoNode where there is none.
  using Across = std::array<NodeId, 2>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<NodeId> nodes;   // ascending
  std::vector<Across> across;  // by node
  // Costs within the cluster by pair of nodes; kUnreachable if there is no path.
  std::vector<Cost> distances;
  HeldBytes counted;

  // Returns the index of the node; kNone if it is not a node of the cluster. O(log nodes).
  std::uint32_t index_of(NodeId node) const;
  Cost distance(std::size_t from, std::size_t to) const {
    return distances[from * nodes.size() + to];
  }
  std::uint64_t bytes() const;
};

class HpaMap {
 public:
  static constexpr std::int32_t kWideEntrance = 6;  // cells

  // Copies the layer, which has 4 or 8 neighbours. REQUIRES: not hexagons; the shape is within its
  // limits. O(clusters).
  HpaMap(const GridLayer& layer, Topology topology, CornerRule rule, const HpaShape& shape,
         Cow<FactMemory> memory = Cow<FactMemory>(new FactMemory));

  // Switches to another layer of the same size, and forgets the facts that its changes touch.
  // O(pages of tiles + changed pages x tiles + changed tiles x rows).
  void update(const GridLayer& layer);

  const GridLayer& layer() const { return layer_; }
  // Borrows this map.
  GridGraph graph() const { return GridGraph(&layer_, topology_, rule_); }
  const HpaShape& shape() const { return shape_; }

  // Levels count from 1. REQUIRES for all of these: 1 <= level <= shape().levels.
  std::int32_t side(int level) const { return sides_[static_cast<std::size_t>(level)]; }
  std::uint32_t cluster_count(int level) const {
    const std::int32_t rows = (layer_.height() + side(level) - 1) / side(level);
    return static_cast<std::uint32_t>(clusters_x(level) * rows);
  }
  std::uint32_t cluster_of(int level, NodeId cell) const {
    return cluster_at(level, layer_.x_of(cell), layer_.y_of(cell));
  }
  std::uint32_t cluster_at(int level, std::int32_t x, std::int32_t y) const {
    const std::int32_t side_here = side(level);
    return static_cast<std::uint32_t>(y / side_here * clusters_x(level) + x / side_here);
  }
  // Returns the cells of a cluster.
  CellRect box(int level, std::uint32_t cluster) const;

  // Returns the facts of the cluster. If they are not known, finds them now and increments *made.
  // The handle keeps them alive.
  Cow<HpaFacts> facts(int level, std::uint32_t cluster, std::uint64_t* made) const;
  // Finds all facts, so that searches need not.
  void make_all() const;

  // Returns the memory of the places for facts. memory() counts the facts, and the owner of the
  // layer its tiles.
  std::uint64_t bytes() const {
    std::uint64_t pages = 0;
    for (const Level& level : levels_) pages += level.size();
    return pages * (sizeof(Page) + sizeof(Cow<Page>));
  }
  const FactMemory& memory() const { return *memory_; }

 private:
  static constexpr std::size_t kPageClusters = 128;
  struct Page : CowCounted {
    std::array<PublishedOnce<HpaFacts>, kPageClusters> facts;
  };
  using Level = std::vector<Cow<Page>>;

  std::int32_t clusters_x(int level) const {
    return (layer_.width() + side(level) - 1) / side(level);
  }
  // Forgets the facts that depend on a changed cell.
  void forget(std::int32_t x, std::int32_t y);
  void forget_cluster(int level, std::uint32_t cluster) {
    Cow<Page>& page = levels_[static_cast<std::size_t>(level)][cluster / kPageClusters];
    page.writable().facts[cluster % kPageClusters].clear();
  }
  void forget_changes_in(std::int32_t tx, std::int32_t ty, const Tile& before, const Tile& after);

  GridLayer layer_;
  Topology topology_;
  CornerRule rule_;
  HpaShape shape_;
  std::array<std::int32_t, HpaShape::kLevelsMax + 1> sides_{};  // by level
  std::array<Level, HpaShape::kLevelsMax + 1> levels_;
  Cow<FactMemory> memory_;
};

// Finds the facts of a cluster. They depend only on its cells and the ring around it. On level 1
// runs a Dijkstra over the cells from each node; above, one over the nodes of the clusters it is
// made of. Adds the cells or nodes expanded to `expanded`.
std::unique_ptr<HpaFacts> find_facts(const HpaMap& map, int level, std::uint32_t cluster,
                                     std::uint64_t* expanded);

}  // namespace repath

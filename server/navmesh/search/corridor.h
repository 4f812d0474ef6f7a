// Corridor search: A* from portal to portal, then the shortest line through the portals found.
// Quick and usually close to the shortest path, not always; takes what a walker may use, what
// ground costs and links.
//
// Each portal is passed where the way from the last point over it to the goal is shortest; the
// search counts with those points, so that its g is the cost of a real path. Then the path is
// pulled tight (navmesh/search/funnel.h), if that makes it no dearer: across unequal costs it may.
// BOUNDED: cost() <= weight() x the least cost there is, weight() = cost() / lower_bound() of this
// very answer, lower_bound() the straight distance (all factors are at least 1). kNoPath is exact.
// Ties: the state with the lower number first. Not thread-safe; borrows mesh and filter until the
// next begin(). Memory: 40 bytes an edge and link end, kept from query to query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/cone_heap.h"
#include "navmesh/search/funnel.h"
#include "search/graph.h"

namespace repath {

inline constexpr std::uint32_t kNoLink = ~std::uint32_t{0};

// A bend, an end, or where a link is entered: the part up to the next one goes over it then.
struct CorridorCorner {
  Point at;                                  // world units
  std::uint32_t vertex = ~std::uint32_t{0};  // none at start, goal and links' ends
  std::uint32_t link = kNoLink;              // place in the mesh's links()
  bool operator==(const CorridorCorner&) const = default;
};

class CorridorSearch {
 public:
  // REQUIRES: both places lie in their live cells. A place in an excluded cell has no path.
  void begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
             const NavFilter& filter);

  // The same without a goal, as far as `cost` (world units times factors): ends, without a path,
  // once all cells that were found within it are known. Portals are passed where they are nearest
  // to the last point then. `is_backward`: ways to the start are looked for, against the direction
  // of links; they are told from their end, where the start is.
  void begin_within(const NavMesh& mesh, const MeshPlace& start, const NavFilter& filter,
                    double cost, bool is_backward);
  // A cell that was entered, and how.
  struct CellEntry {
    std::uint32_t cell = 0;
    std::uint32_t before = 0;  // that it was entered from; of the start's itself
    std::uint32_t state = 0;
    double x = 0;  // where, lattice steps
    double z = 0;
  };
  // After that and kNoPath: each cell once, a cell after the one before it.
  const std::vector<CellEntry>& entered() const { return entered_; }
  // Of a way to there, pulled tight: world units times factors. Nothing cheaper than the straight
  // distance is known not to be. O(cells of the way).
  double cost_to(const CellEntry& entry);
  // Where that way comes from, straight; or the link over which it comes, and where that is taken.
  // World units. REQUIRES: cost_to(entry) was asked last. O(1) but for parts of no length.
  struct LastLeg {
    Point from;
    std::uint32_t link = kNoLink;
  };
  LastLeg last_leg(const CellEntry& entry) const;

  // Expands at most `*expansions` portals and takes off what it used. O(edges of a cell + log n)
  // each, and once O(cells of the corridor).
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // World units times factors. REQUIRES: kPathFound, as do all below.
  double cost() const { return cost_; }
  double length() const { return length_; }  // of the ground and of the links, horizontal
  double lower_bound() const { return lower_bound_; }
  // Infinite for a way from a point to the one above or below it.
  double weight() const {
    if (lower_bound_ > 0) return cost_ / lower_bound_;
    return cost_ > 0 ? std::numeric_limits<double>::infinity() : 1;
  }
  const std::vector<CorridorCorner>& path() const { return path_; }
  // Cells crossed, in order.
  const std::vector<std::uint32_t>& cells() const { return cells_; }

  // A portal or a link's far end that was reached, for those who look inside. Lattice steps.
  struct Seen {
    std::uint32_t cell = 0;  // that is entered
    Point at;
    std::uint32_t from_cell = 0;  // where the way to there comes from, straight
    Point from;
    std::uint32_t edge = kNoEdge;  // the portal as `cell` has it; none: a link
    std::uint32_t link = kNoLink;
    double g = 0;  // times factors
    double h = 0;  // the straight distance to the goal
    bool is_open = false;
  };
  // Appends them in the order in which they were last reached, at most `most`. False: there are
  // more. REQUIRES: a goal. O(states of the mesh).
  bool append_seen(std::size_t most, std::vector<Seen>* out) const;

  std::uint64_t expanded() const { return expanded_; }
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const;

 private:
  using Edge = NavMesh::Edge;
  static constexpr std::uint32_t kStart = ~std::uint32_t{0};

  // By state: an edge as the cell entered through it has it; after the edges two for each link, one
  // a direction, at its far end.
  struct State {
    double g = 0;
    double x = 0;
    double z = 0;
    std::uint32_t parent = kStart;
    std::uint32_t stamp = 0;
    std::uint32_t order = 0;  // of the newest entry in the queue
    bool is_open = false;
  };
  // A stretch of ground between links.
  struct Stretch {
    double from_x, from_z, to_x, to_z;
    std::vector<Portal> portals;
    std::vector<std::uint32_t> states;  // of the portals
    std::vector<std::uint32_t> cells;   // one more than portals
  };

  void begin_at(const NavMesh& mesh, const MeshPlace& start, const NavFilter& filter);
  std::span<const NavMesh::LinkEnd> link_ends_of(std::uint32_t cell) const;
  void list_exits();
  void note_entry(std::uint32_t cell, double x, double z, std::uint32_t state);
  void expand(std::uint32_t cell, double x, double z, double g, std::uint32_t parent);
  void relax(std::uint32_t state, double x, double z, double g, std::uint32_t parent);
  void relax_links(std::uint32_t cell, double x, double z, double g, std::uint32_t parent);
  void portal_point(std::uint32_t edge, double x, double z, double* px, double* pz) const;
  std::uint32_t cell_of_state(std::uint32_t state) const;
  bool is_goal_cell(std::uint32_t cell) const;
  void trace(std::uint32_t last, double to_x, double to_z);
  void pull(Stretch* stretch);
  double cost_of(const Stretch& stretch, const std::vector<FunnelPoint>& points) const;
  void append_corner(const CorridorCorner& corner, double cost_of_part);

  const NavMesh* mesh_ = nullptr;
  const NavFilter* filter_ = nullptr;
  MeshPlace start_;
  MeshPlace goal_;
  std::vector<std::uint32_t> goal_cells_;
  std::uint32_t stamp_ = 0;
  std::uint32_t order_ = 0;
  std::vector<State> states_;
  ConeHeap open_;
  bool is_done_ = false;
  bool has_goal_ = false;
  bool is_backward_ = false;
  std::vector<NavMesh::LinkEnd> exits_;  // where links end, by cell; if backward
  double limit_ = 0;                     // without a goal, steps
  bool has_best_ = false;
  double best_ = 0;
  std::uint32_t best_parent_ = kStart;
  std::uint32_t best_cell_ = kNoCell;
  double cost_ = 0;
  double length_ = 0;
  double lower_bound_ = 0;
  Stretch stretch_{};
  std::vector<FunnelPoint> points_;
  std::vector<std::uint32_t> chain_;
  std::vector<CorridorCorner> path_;
  std::vector<std::uint32_t> cells_;
  std::vector<CellEntry> entered_;
  std::vector<bool> is_entered_;  // by cell, without a goal alone
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath

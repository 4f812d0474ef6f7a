// Corridor search: a search from cell to cell through their portals, then the shortest line through
// the portals found. It is quick and usually, but not always, close to the shortest path. It
// respects a walker's filter, costs of ground, and links. A CorridorGuide says in which order cells
// are entered: as A*, Dijkstra's search or a breadth-first search enters them.
//
// Each portal is passed at the point that makes the way from the last point over the portal to the
// goal shortest. The search counts with those points, so its g is the cost of a real path. Then the
// path is pulled tight (navmesh/search/corridor_path.h).
// BOUNDED: cost() <= weight() x the least possible cost. weight() is cost() / lower_bound() of the
// same answer, and lower_bound() is the straight distance, because all factors are at least 1.
// kNoPath is exact.
// Only kBfs stops at the first way that it finds. If two states have equal f, the one reached last
// comes first. Not thread-safe. Borrows mesh and
// filter until the next begin(). Memory: 40 bytes for each edge and end of a link, kept from query
// to query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/corridor_path.h"
#include "navmesh/search/node_queue.h"
#include "navmesh/search/stamped.h"
#include "search/graph.h"

namespace repath {

// The order in which a corridor search enters cells.
struct CorridorGuide {
  // kAStar: by f = g + weight x h. kDijkstra: by g. kBfs: by the number of portals and links.
  enum class Order : std::uint8_t { kAStar, kDijkstra, kBfs };
  // The estimate h of the distance to the goal, from the differences of x and z. kManhattan and
  // kOctile may exceed the straight distance; lower_bound() never uses h.
  enum class Estimate : std::uint8_t { kEuclid, kZero, kManhattan, kChebyshev, kOctile };

  Order order = Order::kAStar;
  Estimate estimate = Estimate::kEuclid;  // kAStar alone
  double weight = 1;                      // >= 1; kAStar alone

  // Returns h for the differences, which have any sign. The other orders have none.
  double rest(double dx, double dz) const;
};

class CorridorSearch {
 public:
  // Begins a search; forgets the last one. A place in an excluded cell has no path. REQUIRES: both
  // places lie in their live cells.
  void begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
             const NavFilter& filter, const CorridorGuide& guide = {});

  // Begins a search without a goal, up to `cost` (world units times factors). It ends, with
  // kNoPath, once it has found all cells within that cost. Portals are passed at their nearest
  // point to the last point. With `is_backward` it looks for ways to the start, against the
  // direction of links, and describes them from their end, the start.
  void begin_within(const NavMesh& mesh, const MeshPlace& start, const NavFilter& filter,
                    double cost, bool is_backward);
  // A cell that was entered.
  struct CellEntry {
    std::uint32_t cell = 0;
    std::uint32_t before = 0;  // the cell that it was entered from; the start's cell: itself
    std::uint32_t state = 0;   // the state by which it was entered
    double x = 0;              // the point at which it was entered, lattice steps
    double z = 0;
  };
  // Each cell within the cost once, after the cell before it. REQUIRES: begin_within(), and
  // kNoPath.
  const std::vector<CellEntry>& entered() const { return entered_; }
  // Returns the cost of the way to the entry, pulled tight, in world units times factors. The only
  // lower bound known is the straight distance. O(cells of the way).
  double cost_to(const CellEntry& entry);
  // The last straight part of that way: its beginning in world units, and the link if the part goes
  // over one. REQUIRES: cost_to(entry) was the last question. O(1), and O(parts of no length).
  struct LastLeg {
    Point from;
    std::uint32_t link = kNoLink;
  };
  LastLeg last_leg(const CellEntry& entry) const;

  // Expands at most `*expansions` portals and subtracts the number used. O(edges of a cell + log n)
  // each, and once O(cells of the corridor).
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // World units times factors. This function and those below REQUIRE kPathFound.
  double cost() const { return path_.cost(); }
  double length() const { return path_.length(); }  // of the ground and of the links, horizontal
  double lower_bound() const { return lower_bound_; }
  // Infinite for a way from a point to the one above or below it.
  double weight() const {
    if (lower_bound_ > 0) return cost() / lower_bound_;
    return cost() > 0 ? std::numeric_limits<double>::infinity() : 1;
  }
  const CorridorPath& way() const { return path_; }
  const std::vector<CorridorCorner>& path() const { return path_.corners(); }
  // Cells crossed, in order.
  const std::vector<std::uint32_t>& cells() const { return path_.cells(); }

  static constexpr std::uint32_t kStart = ~std::uint32_t{0};  // no state: the start

  // A state that was reached, for ExplainPath: a portal or a link's far end. Lattice steps.
  struct Seen {
    std::uint32_t state = 0;        // its number in this search
    std::uint32_t parent = kStart;  // the state it was reached from; kStart: none
    std::uint32_t cell = 0;         // the cell that is entered
    Point at;
    std::uint32_t from_cell = 0;  // the cell of the point before, from which the way is straight
    Point from;
    std::uint32_t edge = kNoEdge;  // the portal, an edge of `cell`; kNoEdge if it is a link
    std::uint32_t link = kNoLink;
    double g = 0;  // times factors
    double h = 0;  // CorridorGuide::rest() to the goal
    bool is_open = false;
  };
  // Appends at most `most` states, in the order in which they were last reached. Returns false if
  // there are more. REQUIRES: a goal. O(states of the mesh).
  bool append_seen(std::size_t most, std::vector<Seen>* out) const;

  // Returns the state that was expanded last; kStart before the first.
  NodeId last_expanded() const { return NodeId{last_expanded_}; }
  std::uint64_t expanded() const { return queue_.expanded; }
  std::uint64_t generated() const { return queue_.generated; }
  std::size_t bytes() const;

 private:
  using Edge = NavMesh::Edge;

  // A state is an edge of the cell that is entered through it. After the edges come two states for
  // each link, one for each direction, at its far end.
  struct State {
    double g = 0;
    double x = 0;
    double z = 0;
    std::uint32_t parent = kStart;
    std::uint32_t stamp = 0;
    std::uint32_t order = 0;  // of the newest entry in the queue
    bool is_open = false;
  };
  void begin_at(const NavMesh& mesh, const MeshPlace& start, const NavFilter& filter);
  void expand_start();
  Turn next();
  void expand_state();
  std::span<const NavMesh::LinkEnd> link_ends_of(std::uint32_t cell) const;
  void list_exits();
  void note_entry(std::uint32_t cell, double x, double z, std::uint32_t state);
  void expand(std::uint32_t cell, double x, double z, double g, std::uint32_t parent);
  void relax(std::uint32_t state, double x, double z, double g, std::uint32_t parent);
  void relax_links(std::uint32_t cell, double x, double z, double g, std::uint32_t parent);
  Point portal_point(const Edge& a, double x, double z) const;
  double priority(double x, double z, double g) const;
  bool is_edge(std::uint32_t state) const { return state < mesh_->edges_end(); }
  LinkRide ride_of(std::uint32_t state) const;
  std::uint32_t cell_of_state(std::uint32_t state) const;
  void trace(std::uint32_t last, double to_x, double to_z);

  const NavMesh* mesh_ = nullptr;
  const NavFilter* filter_ = nullptr;
  MeshPlace start_;
  MeshPlace goal_;
  CorridorGuide guide_;
  double expanding_f_ = 0;  // of the state that is expanded; the start: 0
  std::vector<std::uint32_t> goal_cells_;
  Stamped<State> states_;
  NodeQueue queue_;  // its nodes are states
  bool has_goal_ = false;
  bool is_backward_ = false;
  std::vector<NavMesh::LinkEnd> exits_;  // where links end, by cell; if backward
  double limit_ = 0;                     // without a goal, steps
  bool has_best_ = false;
  double best_ = 0;
  std::uint32_t best_parent_ = kStart;
  std::uint32_t last_expanded_ = kStart;
  double lower_bound_ = 0;
  std::vector<std::uint32_t> chain_;  // states, from the last one back
  CorridorPath path_;
  std::vector<CellEntry> entered_;
  std::vector<bool> is_entered_;  // by cell, without a goal alone
};

}  // namespace repath

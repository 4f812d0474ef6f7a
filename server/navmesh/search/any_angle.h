// Any-angle search: a shortest path over the ground of a mesh, turning at corners only.
//
// Source: M. Cui, D. Harabor, A. Grastien, "Compromise-free pathfinding on a navigation mesh"
// (Polyanya), IJCAI 2017: A* over intervals of edges, each seen from one root (the start or a
// corner); observable successors go straight on, non-observable ones bend at an interval's end that
// is a corner; intermediate pruning; roots pruned by the best known g. We depart in this:
//   - a node keeps the two rays that bound what its root sees, as vectors to vertices, instead of
//     the interval's ends. So every question "which side" is a determinant of exact differences
//     and is answered exactly (navmesh/mesh/exact_side.h); there is no tolerance anywhere, and ends
//     of intervals are computed, rounded, for lengths alone;
//   - a bend must be taut: the blocked ground at the corner lies on the inner side;
//   - a node is dropped where each point of its interval is reached better over one of the edge's
//     ends, which some root has seen: so cones that went around an obstacle on both sides of it end
//     soon after they have crossed;
//   - bounds of what is left of the way come from straight distances and, where the caller has
//     landmarks, from those (navmesh/search/goal_bound.h); no node has a lower one than that it
//     came from;
//   - a longer search over what was carved out of a base first looks back from the goal over the
//     ground as it was before, which costs little and bounds what is left all but perfectly
//     (navmesh/search/way_back.h);
//   - a search may leave what it found to the next ones the other way, who expand little else than
//     the way itself then (navmesh/search/known_lengths.h);
//   - dead ends are whole trees of cells, found when the mesh is built, and entered only if the
//     goal lies in one;
//   - a goal's cell makes no node: the answer is at hand when an edge into it is seen.
// Lengths are horizontal, at factor 1, over the ground alone: links are not taken. Exact among such
// paths, to rounding: sums of lengths of segments, IEEE doubles, + - x / and square root. Equal f:
// the node made later first, so a run replays bit for bit.
// Not thread-safe. Borrows the mesh from begin() until the next; the mesh must not change before
// the search is done; the same holds for what the landmarks' view names. Memory is kept from query
// to query: 24 bytes a vertex (and 8 once it had lengths of another), 4 a cell (and 56 once
// begin_within was asked), 88 a node that waits, and once it looked back as much of the uncut mesh
// and 8 a cell of it, 40 a bend; no allocation once it is as large as the queries need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/cone_heap.h"
#include "navmesh/search/goal_bound.h"
#include "navmesh/search/known_lengths.h"
#include "search/graph.h"

namespace repath {

class FarPlaces;
class WayBack;

// One bend of a path, or one of its ends.
struct PathCorner {
  Point at;                                  // world units
  std::uint32_t vertex = ~std::uint32_t{0};  // of the mesh; none at start and goal
  bool operator==(const PathCorner&) const = default;
};

class AnyAngleSearch {
 public:
  AnyAngleSearch();
  AnyAngleSearch(AnyAngleSearch&&) noexcept;
  AnyAngleSearch& operator=(AnyAngleSearch&&) noexcept;
  ~AnyAngleSearch();

  // Begins a search; forgets the last one. REQUIRES: both places lie in their live cells. O(1) but
  // for the goal's way out of a dead end, and O(vertices) when the mesh has grown. `landmarks`: of
  // what the mesh was carved out of; they are asked once a search takes longer, kBoundUnits then,
  // and a way back over the uncut ground is looked for once it takes longer still, for at most two
  // nodes each. `lengths`: of a mesh whose ground was no smaller (a millimetre aside), with the
  // same goal; O(of those) more, and no way back until they say no more.
  void begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
             const LandmarkView& landmarks = {}, const LengthsUse& lengths = {});
  // The same without a goal: ends, without a path, once all ground was seen that can be.
  void begin_everywhere(const NavMesh& mesh, const MeshPlace& start);
  // After that: from the start to a vertex, lattice steps, to within 2^-40 of it; infinite if there
  // is no way. Only other vertices than where the start is count.
  double distance(std::uint32_t vertex) const {
    const Root& root = roots_[vertex];
    return root.stamp == stamp_ ? root.g : std::numeric_limits<double>::infinity();
  }

  // The same up to a length, world units, and with where each cell is entered first.
  void begin_within(const NavMesh& mesh, const MeshPlace& start, double length);
  // The nearest point of a cell, and the way there.
  struct CellEntry {
    double length = 0;  // steps, from the start; exact to rounding
    double x = 0;       // lattice steps: of the closed cell, to rounding
    double z = 0;
    std::uint32_t before = kNoCell;  // the cell that it is entered from; of the start's itself
    Point bend;                      // where the way comes from, straight; steps
    bool is_known = false;
  };
  // After begin_within and kNoPath: the cells that begin within the length, and more of no
  // interest, in no order.
  const std::vector<std::uint32_t>& entered() const { return entered_; }
  const CellEntry& entry_of(std::uint32_t cell) const { return entries_[cell]; }

  // The same to the nearest of the places that are far enough. Borrows them.
  void begin_far(const NavMesh& mesh, const MeshPlace& start, const FarPlaces& places);
  // After that and kNoPath: where it is, computed, so maybe beside the cell by rounding; and how
  // far, steps. Its cell is kNoCell: none can be reached.
  const MeshPlace& far_place() const { return far_place_; }
  double far_length() const { return best_; }

  // So many are expanded before nodes are dropped because of their edge's ends: most searches are
  // over before that pays.
  static constexpr std::uint64_t kNodesUncompared = 512;
  // Another number, from the next begin() on; 0 for tests on small meshes.
  void compare_ends_after(std::uint64_t nodes) { nodes_uncompared_ = nodes; }
  static constexpr std::uint32_t kBoundUnits = 16;  // expansions that asking them is worth

  // A node, for those who look inside: what one root sees of an edge. Lattice steps.
  struct Seen {
    std::uint32_t root = 0;  // vertex; vertices_end(): the start
    std::uint32_t cell = 0;  // that lies behind the edge
    Point from;              // the root
    Point left;              // ends of what it sees
    Point right;
    Point at;      // of that, nearest to the root
    double g = 0;  // of the way to there
    double f = 0;  // no path through the edge there is shorter
  };
  // Appends nodes as they are expanded, at most `most`, until the next begin(). Borrows the list.
  void log_expanded(std::vector<Seen>* log, std::size_t most) {
    log_ = log;
    log_max_ = most;
  }
  // A root, and a cell that it looks into.
  struct CellRoot {
    std::uint32_t cell = 0;
    std::uint32_t root = 0;  // vertex; vertices_end(): the start
  };
  // Appends those of nodes as they are expanded, some more than once, until the next begin().
  // Borrows the list.
  void log_roots(std::vector<CellRoot>* roots) { seen_roots_ = roots; }
  // Appends those that wait, at most `most`. False: there are more.
  bool append_waiting(std::size_t most, std::vector<Seen>* out) const;

  // Expands at most `*expansions` nodes and takes off what it used. O(edges of a cell + log n)
  // each.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // World units. REQUIRES: kPathFound.
  double path_length() const;
  // Of it, in lattice steps.
  double path_steps() const { return best_; }
  // Appends start, bends and goal, in order. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<PathCorner>* out) const;
  // What the search leaves. False, and nothing: there is nothing to be known, start and goal lie in
  // one cell. REQUIRES: begun with `beyond`, and kPathFound. O(vertices seen).
  bool append_lengths(KnownLengths* out) const;
  // The same of a search without a goal. REQUIRES: begun with begin_everywhere(), and kNoPath.
  // O(vertices).
  void append_all_lengths(KnownLengths* out) const;

  // Those of the way back counted in.
  std::uint64_t expanded() const { return expanded_ + expanded_back_; }
  // Nodes made.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const;

 private:
  using Edge = NavMesh::Edge;

  // What one root sees of one edge: between two rays. `edge` is the edge as the cell behind it has
  // it, so that cell lies to its left; left is where the edge begins.
  struct Cone {
    double root_x, root_z;
    double left_x, left_z;  // rays, as vectors from the root
    double right_x, right_z;
    double g;            // length to the root, steps
    std::uint32_t root;  // vertex; the start is vertices_end()
    std::uint32_t edge;
    bool left_at_vertex;  // the left ray passes the edge's left end, not somewhere inside
    bool right_at_vertex;
    bool root_is_left;  // the root is that end itself: the ray means nothing
    bool root_is_right;
  };
  // A vertex that was reached, or only seen, which no path bends at then.
  struct Root {
    double g = 0;     // the least length known
    double rest = 0;  // by landmarks, to the goal; below 0: not asked yet
    std::uint32_t parent = 0;
    std::uint32_t stamp = 0;  // meaningless unless it is that of this query
  };
  // Of a vertex, by an earlier search.
  struct Known {
    float steps = 0;
    std::uint32_t stamp = 0;  // meaningless unless it is that of this query
  };
  // A successor, and the edge it sees as the cell before it has it.
  struct Made {
    Cone cone;
    const Edge* left;
    const Edge* right;
  };
  // Where a cone starts: root, its place and its g.
  struct Origin {
    double x, z, g;
    std::uint32_t root;
  };
  struct Ray {
    double x, z;
    bool at_vertex;
  };
  // Of an edge, from its left end (0) to its right end (1).
  struct Part {
    double left, right;
  };
  // A cell's corners counterclockwise from the right end of the edge by which it was entered
  // (corner 0) to the left end (corner count() - 1); slot(k) holds the edge from corner k to k + 1.
  class Chain {
   public:
    Chain(const Edge* edges, std::uint32_t entered)
        : first_(edges + entered - edges[entered].place),
          begin_(edges[entered].place + 1u),
          count_(edges[entered].count) {}
    std::uint32_t count() const { return count_; }
    const Edge& slot(std::uint32_t k) const {
      const std::uint32_t place = begin_ + k;
      return first_[place >= count_ ? place - count_ : place];
    }

   private:
    const Edge* first_;
    std::uint32_t begin_;
    std::uint32_t count_;
  };

  void begin_at(const NavMesh& mesh, const MeshPlace& start, const LengthsUse& lengths = {});
  void open_start(const MeshPlace& start);
  void see_from_start(std::uint32_t cell);
  void mark_way_to(std::uint32_t cell);
  bool expand_next();
  bool passes_whole();
  void expand(const Cone& cone);
  std::uint32_t right_end(const Cone& cone, const Origin& from, const Chain& chain, double* before);
  void left_end(const Cone& cone, const Origin& from, const Chain& chain, std::uint32_t last,
                double after);
  void turn_right(const Cone& cone, const Origin& from, const Chain& chain, std::uint32_t last,
                  double before);
  void turn_left(const Cone& cone, const Origin& from, const Chain& chain, std::uint32_t last,
                 double after);
  void bend_along_right(const Origin& from, const Chain& chain, std::uint32_t k);
  void bend_along_left(const Origin& from, const Chain& chain, std::uint32_t k);
  bool is_taut(const Edge& corner, double dx, double dz, double inner) const;
  bool reach(const Edge& corner, const Origin& from, Origin* root);
  void see(const Origin& from, const Edge& right, const Edge& left, Ray left_ray, Ray right_ray,
           bool root_is_left, bool root_is_right);
  void note(const Edge& end, const Origin& from);
  void note_far(const Cone& cone, const Edge& right, const Edge& left);
  void offer_far(std::uint32_t cell, std::span<const Point> seen, Point from, double g);
  std::vector<Point> corners_of(std::uint32_t cell) const;
  Seen seen_by(const Cone& cone, double f) const;
  Part part_of(const Cone& cone, const Edge& left, const Edge& right) const;
  bool is_beaten(const Cone& cone, const Edge& left, const Edge& right) const;
  Point nearest_point(const Cone& cone, const Edge& left, const Edge& right) const;
  double least_length(const Cone& cone, const Edge& left, const Edge& right) const;
  void note_entry(const Cone& cone, const Edge& right, const Edge& left);
  void enter(std::uint32_t cell, const CellEntry& entry);
  void see_goal(const Cone& cone, const Edge& right, const Edge& left);
  void offer(const Origin& from);
  void set_length(std::uint32_t vertex, double g, std::uint32_t parent);
  double landmark_rest(const Edge& end, std::uint32_t cell);
  double lower_bound(const Cone& cone, const Edge& left, const Edge& right);
  double straight_bound(const Cone& cone, const Edge& left, const Edge& right, double to_x,
                        double to_z) const;
  double bound_by_way_back(const Cone& cone, const Edge& left, const Edge& right);
  double bound_by_ends(const Cone& cone, const Edge& left, const Edge& right);
  double known_length(std::uint32_t vertex) const;
  double rest_over(const Edge& end, std::uint32_t cell, double way);
  bool is_in_goal_cell(std::uint32_t cell) const;
  // The edge leads into a dead end without the goal, and nothing is to be learned there.
  bool ends_blindly(const Edge& e) const {
    return e.leads_into_dead_end && has_goal_ && !enters_dead_ends() &&
           on_way_[e.neighbour] != stamp_;
  }
  void settle_made();
  bool leaves_lengths() const { return lengths_.beyond > 0; }
  bool enters_dead_ends() const { return leaves_lengths() && lengths_.enters_dead_ends; }
  bool knows_lengths() const { return lengths_.known != nullptr || uses_way_back_; }
  void begin_way_back();
  bool look_back(std::uint32_t* expansions);
  void bound_waiting_anew();
  void look_up_known();
  void forget_known();

  const NavMesh* mesh_ = nullptr;
  bool has_goal_ = false;
  bool has_limit_ = false;          // then best_ is it
  const FarPlaces* far_ = nullptr;  // with a limit: what is looked for, or null
  MeshPlace far_place_;
  std::uint64_t nodes_uncompared_ = kNodesUncompared;
  bool compares_ends_ = false;
  LengthsUse lengths_;
  std::vector<Known> known_of_;       // by vertex, once lengths were known
  std::vector<std::uint32_t> noted_;  // vertices with a length, if lengths are left
  LandmarkView landmarks_;
  GoalBound bound_;  // says nothing before landmarks are asked
  MeshPlace start_;
  MeshPlace goal_;
  std::vector<std::uint32_t> goal_cells_;
  std::vector<std::uint32_t> start_cells_;
  std::uint32_t stamp_ = 0;
  std::vector<Root> roots_;         // by vertex, the start last
  std::vector<CellEntry> entries_;  // by cell, with a limit alone
  std::vector<std::uint32_t> entered_;
  std::vector<std::uint32_t> on_way_;  // by cell: stamp of the query whose goal lies behind it
  std::vector<Cone> cones_;            // a pool
  std::vector<std::uint32_t> free_;    // of it
  std::vector<Made> made_;             // successors of the node that is expanded
  ConeHeap open_;
  Cone current_{};
  bool has_current_ = false;  // a single successor, expanded without waiting
  double current_f_ = 0;      // no path through it is shorter
  bool is_done_ = false;
  double best_ = 0;  // steps; meaningful once has_best_
  bool has_best_ = false;
  std::uint32_t best_root_ = 0;
  std::uint32_t order_ = 0;  // of the node made last
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
  std::vector<Seen>* log_ = nullptr;  // null: nobody looks
  std::size_t log_max_ = 0;
  std::vector<CellRoot>* seen_roots_ = nullptr;
  std::unique_ptr<WayBack> way_back_;  // null: never asked yet
  bool looks_back_ = false;            // it is under way
  bool uses_way_back_ = false;         // it is found, and its bends bound what is left
  std::uint64_t expanded_back_ = 0;
  std::uint64_t back_until_ = 0;  // so many, then it is the search's own turn
};

}  // namespace repath

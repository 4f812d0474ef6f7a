// A region of the plane that is being cut into cells: half-edges along its boundary, and on both
// sides of each diagonal. The methods of geometry/partition.h work on it. Not thread-safe; keeps
// its memory.
//
// Invariants:
// 1. next and prev are inverse; following next goes round a boundary of one cell with the cell to
//    the left.
// 2. A half-edge stands for the corner at its origin, between prev and itself.
// 3. The two halves of a diagonal are each other's twin; boundary edges have none.
// 4. segments() holds every boundary edge and diagonal once.
// 5. Where has_single_loops(), the boundary of each cell is one loop: diagonals join its holes to
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/ring.h"

namespace repath {

inline constexpr std::uint32_t kNoHalf = ~std::uint32_t{0};

struct Segment {
  Segment(LatticePoint from, LatticePoint to)
      : a(from),
        b(to),
        low{std::min(a.x, b.x), std::min(a.z, b.z)},
        high{std::max(a.x, b.x), std::max(a.z, b.z)} {}
  LatticePoint a;
  LatticePoint b;
  LatticePoint low;  // bounds
  LatticePoint high;
  // Returns whether the open segment from v to w crosses this one or meets an end of it.
  bool blocks(LatticePoint v, LatticePoint w) const;
};

class Subdivision {
 public:
  struct Half {
    LatticePoint at;      // origin of the half-edge
    std::uint32_t point;  // number of the origin
    std::uint32_t next;   // kNoHalf: the half-edge was dropped
    std::uint32_t prev;
    std::uint32_t twin;    // kNoHalf: it is a boundary edge
    std::uint32_t source;  // boundary edges: number of the edge in the input
  };

  // Begins with a region as geometry/partition.h describes it. Corner i becomes half-edge i.
  void reset(std::span<const LatticePoint> points, std::span<const std::uint32_t> loop_ends);

  std::uint32_t size() const { return static_cast<std::uint32_t>(halves_.size()); }
  const Half& half(std::uint32_t h) const { return halves_[h]; }
  bool is_live(std::uint32_t h) const { return halves_[h].next != kNoHalf; }
  bool is_diagonal(std::uint32_t h) const { return halves_[h].twin != kNoHalf; }
  LatticePoint at(std::uint32_t h) const { return halves_[h].at; }
  LatticePoint after(std::uint32_t h) const { return at(halves_[h].next); }
  LatticePoint before(std::uint32_t h) const { return at(halves_[h].prev); }
  const std::vector<LatticePoint>& points() const { return points_; }
  const std::vector<Segment>& segments() const { return segments_; }

  bool is_convex(std::uint32_t h) const { return is_convex_corner(before(h), at(h), after(h)); }
  // Returns whether p lies strictly inside the angle of corner h.
  bool in_cone(std::uint32_t h, LatticePoint p) const {
    const LatticePoint a = before(h);
    const LatticePoint v = at(h);
    const LatticePoint c = after(h);
    const std::int64_t in = turn(a, v, p);
    const std::int64_t out = turn(v, c, p);
    return is_convex_corner(a, v, c) ? in > 0 && out > 0 : in > 0 || out > 0;
  }
  // Returns whether following next is known to go round all of the boundary of any cell.
  bool has_single_loops() const { return holes_ == 0; }
  // Returns a segment that lies on the open segment from v to w or crosses it, if there is one.
  std::optional<Segment> blocker(LatticePoint v, LatticePoint w) const;
  // Returns the same for the segment from corner h to w, which begins inside h's cell. It looks at
  // that cell's boundary only, because the segment would have to meet it first. REQUIRES:
  // has_single_loops(). O(corners of the cell).
  std::optional<Segment> blocker_in_cell(std::uint32_t h, LatticePoint w) const;
  bool is_clear(LatticePoint v, LatticePoint w) const { return !blocker(v, w); }
  // Returns is_clear(), ignoring boundary edge h.
  bool is_clear_but(LatticePoint v, LatticePoint w, std::uint32_t h) const;
  // Returns whether a diagonal can be drawn between the two corners.
  bool is_visible(std::uint32_t h, std::uint32_t g) const {
    return in_cone(h, at(g)) && in_cone(g, at(h)) && is_clear(at(h), at(g));
  }

  // Draws a diagonal. Returns its half from corner h to corner g; the twin is the next number.
  // Corner h then has the part of the angle after the diagonal (from it to h's edge); the new half
  // has the part before. REQUIRES: is_visible(h, g).
  std::uint32_t cut(std::uint32_t h, std::uint32_t g);
  // Adds a corner at p on boundary edge h and returns the half that begins there. Updates
  // segments().
  std::uint32_t split(std::uint32_t h, LatticePoint p);
  // Returns whether both ends of diagonal h stay convex without it.
  bool is_needless(std::uint32_t h) const;
  // Removes diagonal h. With `forget` false, segments() keeps it; that is enough where visibility
  // is not asked any more.
  void drop(std::uint32_t h, bool forget);
  // Turns diagonal h within the two triangles beside it. segments() keeps the old diagonal.
  // REQUIRES: the union of the triangles is strictly convex.
  void flip(std::uint32_t h);

 private:
  static constexpr std::uint32_t kUnknownHoles = ~std::uint32_t{0} / 2;

  // Returns whether following next from h leads to g.
  bool is_in_loop(std::uint32_t g, std::uint32_t h) const;
  void link(std::uint32_t from, std::uint32_t to) {
    halves_[from].next = to;
    halves_[to].prev = from;
  }

  std::vector<LatticePoint> points_;
  std::vector<Half> halves_;
  std::vector<Segment> segments_;
  std::uint32_t holes_ = 0;  // holes that no diagonal joins to the rest of the boundary yet
};

// Finds the diagonals that resolve reflex corners. Borrows the subdivision and only keeps memory.
class DiagonalFinder {
 public:
  explicit DiagonalFinder(const Subdivision* net) : net_(net) {}

  // Returns the corner to which the shortest visible diagonal from corner h leads. Diagonals that
  // leave no reflex angle at h come first. Ties: coordinates of the end, then its number. Returns
  // kNoHalf if no corner is visible or the meter is over. REQUIRES: h is reflex.
  std::uint32_t shortest(std::uint32_t h);

  // Counts all work from now on in `work`; null: work is not counted. Borrows it.
  void set_meter(WorkMeter* work) { work_ = work; }
  bool spend(std::uint64_t units) { return work_ == nullptr || work_->spend(units); }

 private:
  struct Candidate {
    std::uint64_t distance;
    LatticePoint end;
    std::uint32_t half;
    auto operator<=>(const Candidate&) const = default;
  };

  // Calls offer(candidate) for every corner where a diagonal from h may end, judged by the angle at
  // h. `Whole`: the diagonal must leave no reflex angle there.
  template <bool Whole, class Offer>
  void for_each_end(std::uint32_t h, Offer&& offer) const;
  // Returns the nearest visible corner, or kNoHalf.
  template <bool Whole>
  std::uint32_t first_visible(std::uint32_t h);
  bool is_end(std::uint32_t h, std::uint32_t g) const {
    return net_->is_live(g) && net_->in_cone(g, net_->at(h));
  }
  bool is_hidden(std::uint32_t h, LatticePoint to);

  const Subdivision* net_;
  WorkMeter* work_ = nullptr;
  std::vector<Candidate> candidates_;
  // A segment that hid a nearer corner probably hides the next one too.
  std::vector<Segment> blockers_;
};

}  // namespace repath

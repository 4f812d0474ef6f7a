// A region of the plane that is being cut into cells: half-edges along its boundary and both sides
// of each diagonal. What the methods of geometry/partition.h work on.
//
// Invariants: 1. next and prev are inverse; following next goes round a boundary of one cell with
// the cell to the left. 2. A half-edge stands for the corner at its origin, between prev and
// itself. 3. The two halves of a diagonal are each other's twin; boundary edges have none. 4.
// segments() holds every boundary edge and diagonal once. Not thread-safe; keeps its memory.
#pragma once

#include <algorithm>
#include <cstdint>
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
  // Whether the open segment from v to w crosses it or meets an end of it.
  bool blocks(LatticePoint v, LatticePoint w) const;
};

class Subdivision {
 public:
  struct Half {
    LatticePoint at;      // its origin
    std::uint32_t point;  // the number of that
    std::uint32_t next;   // kNoHalf: dropped
    std::uint32_t prev;
    std::uint32_t twin;    // kNoHalf: a boundary edge
    std::uint32_t source;  // boundary edges: their number in the input
  };

  // As geometry/partition.h; corner i is half-edge i.
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
  // Whether p lies strictly inside the angle of corner h.
  bool in_cone(std::uint32_t h, LatticePoint p) const {
    const LatticePoint a = before(h);
    const LatticePoint v = at(h);
    const LatticePoint c = after(h);
    const std::int64_t in = turn(a, v, p);
    const std::int64_t out = turn(v, c, p);
    return is_convex_corner(a, v, c) ? in > 0 && out > 0 : in > 0 || out > 0;
  }
  // What lies on the open segment from v to w, or crosses it; null: nothing.
  const Segment* blocker(LatticePoint v, LatticePoint w) const;
  bool is_clear(LatticePoint v, LatticePoint w) const { return blocker(v, w) == nullptr; }
  // The same, boundary edge h left aside.
  bool is_clear_but(LatticePoint v, LatticePoint w, std::uint32_t h) const;
  // Whether a diagonal can be drawn between the two corners.
  bool is_visible(std::uint32_t h, std::uint32_t g) const {
    return in_cone(h, at(g)) && in_cone(g, at(h)) && is_clear(at(h), at(g));
  }

  // The half from corner h to corner g; its twin is the next number. Corner h is then the part of
  // the angle after the diagonal (from it on to h's edge), the new half the part before.
  // REQUIRES: is_visible(h, g).
  std::uint32_t cut(std::uint32_t h, std::uint32_t g);
  // A new corner on boundary edge h, at p; the half from it on. Segments follow.
  std::uint32_t split(std::uint32_t h, LatticePoint p);
  // Whether both ends of diagonal h stay convex without it.
  bool is_needless(std::uint32_t h) const;
  // Takes diagonal h away. segments() keeps it if `!forget`: where no more visibility is asked.
  void drop(std::uint32_t h, bool forget);
  // Turns diagonal h within the two triangles beside it. REQUIRES: they are triangles whose union
  // is strictly convex. segments() keeps the old one.
  void flip(std::uint32_t h);

 private:
  void link(std::uint32_t from, std::uint32_t to) {
    halves_[from].next = to;
    halves_[to].prev = from;
  }

  std::vector<LatticePoint> points_;
  std::vector<Half> halves_;
  std::vector<Segment> segments_;
};

// Finds the diagonals that resolve reflex corners. Borrows the subdivision; keeps memory only.
class DiagonalFinder {
 public:
  explicit DiagonalFinder(const Subdivision* net) : net_(net) {}

  // The corner to which the shortest visible diagonal from corner h leads: of those that leave no
  // reflex angle at h, or where there is none of all. Ties by the end's coordinates, then number.
  // kNoHalf: none is visible, or the meter is over. REQUIRES: h is reflex.
  std::uint32_t shortest(std::uint32_t h);

  // Counts all work from now on; null: none is counted. Borrows it.
  void set_meter(WorkMeter* work) { work_ = work; }
  bool spend(std::uint64_t units) { return work_ == nullptr || work_->spend(units); }

 private:
  struct Candidate {
    std::uint64_t distance;
    LatticePoint end;
    std::uint32_t half;
    auto operator<=>(const Candidate&) const = default;
  };

  // offer(candidate) for all corners that may end a diagonal from h as far as the angle at h goes.
  // `Whole`: if it shall leave no reflex angle there.
  template <bool Whole, class Offer>
  void for_each_end(std::uint32_t h, Offer&& offer) const;
  // The least that is visible, or kNoHalf.
  template <bool Whole>
  std::uint32_t first_visible(std::uint32_t h);
  bool is_end(std::uint32_t h, std::uint32_t g) const {
    return net_->is_live(g) && net_->in_cone(g, net_->at(h));
  }
  bool is_hidden(LatticePoint from, LatticePoint to);

  const Subdivision* net_;
  WorkMeter* work_ = nullptr;
  std::vector<Candidate> candidates_;
  std::vector<Segment> blockers_;  // what hid nearer corners probably hides the next
};

}  // namespace repath

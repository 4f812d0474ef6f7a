// The nodes of an arrangement on the lattice, the edges cut at them, and exact predicates on
// segments: a part of navmesh/carve/carve.h, which says how. Not thread-safe; keeps its memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "geometry/ring.h"
#include "navmesh/carve/box_sweep.h"

namespace repath {

// Lattice steps, in x and in z: half a millimetre.
inline constexpr std::int32_t kCarveAttraction = 8;

// Tests whether the segment ab, whose ends are lattice points, meets the pixel of a point: the
// half-open square one step wide around it, its lower and left sides included. Exact.
class PixelTest {
 public:
  PixelTest(LatticePoint a, LatticePoint b)
      : a_(a),
        bounds_(bounds_of(a, b)),
        dx_(std::int64_t{b.x} - a.x),
        dz_(std::int64_t{b.z} - a.z),
        reach_(std::abs(dx_) + std::abs(dz_)) {}

  bool meets(LatticePoint c) const {
    if (!bounds_.holds(c)) return false;
    const std::int64_t off =
        2 * (dx_ * (std::int64_t{c.z} - a_.z) - dz_ * (std::int64_t{c.x} - a_.x));
    if (std::abs(off) != reach_) return std::abs(off) < reach_;
    return off - dx_ + dz_ == 0;  // touches a corner of the pixel: the lower left one
  }

 private:
  LatticePoint a_;
  LatticeBox bounds_;
  std::int64_t dx_;
  std::int64_t dz_;
  std::int64_t reach_;
};

// Returns whether ab meets the closed square of `far` steps around c. Exact.
inline bool meets_square(LatticePoint a, LatticePoint b, LatticePoint c, std::int32_t far) {
  if (!bounds_of(a, b).grown(far).holds(c)) return false;
  const std::int64_t reach = std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.z} - a.z);
  return std::abs(turn(a, b, c)) <= far * reach;
}

inline bool are_opposite(std::int64_t a, std::int64_t b) {
  return (a > 0 && b < 0) || (a < 0 && b > 0);
}

// Returns whether ab and cd cross at an inner point of both, and writes that point, rounded.
inline bool cross(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d,
                  LatticePoint* at) {
  if (!are_opposite(turn(a, b, c), turn(a, b, d))) return false;
  const std::int64_t from_a = turn(c, d, a);
  const std::int64_t from_b = turn(c, d, b);
  if (!are_opposite(from_a, from_b)) return false;
  *at = rounded_crossing(a, b, from_a, from_b);
  return true;
}

// Instead of a place in the list of rings: an edge of the cell, or of nothing.
inline constexpr std::uint32_t kBaseRing = ~std::uint32_t{0};
inline constexpr std::uint32_t kNoRing = kBaseRing - 1;

// Largest distance between a piece's end and a crossing that mend() undoes: lattice steps in x and
// z.
inline constexpr std::int32_t kMendReach = 64;

// A piece of edge `edge` of ring `ring`, in its direction.
struct EdgePiece {
  std::uint32_t from;  // nodes
  std::uint32_t to;
  std::uint32_t ring;
  std::uint32_t edge;
};

class CarveNodes {
 public:
  // Finds the nodes. REQUIRES: as Carver::carve. plain() then cuts the same edges again, every edge
  // at every node and without attraction, so that base edges depend on each other. Both return
  // false if `work` is over.
  [[nodiscard]] bool find(std::span<const LatticePoint> cell,
                          std::span<const std::span<const LatticePoint>> rings, WorkMeter* work);
  [[nodiscard]] bool plain(WorkMeter* work);
  // Leads pieces of obstacles' edges that cross another piece through its nearer end, if that is
  // within kMendReach. Base edges stay as they are. Returns false if pieces still cross, or if
  // `work` is over. REQUIRES: find().
  [[nodiscard]] bool mend(WorkMeter* work);

  // Ascending, each once.
  const std::vector<LatticePoint>& points() const { return points_; }
  const std::vector<EdgePiece>& pieces() const { return pieces_; }
  // Returns whether pieces may still cross, because a base edge kept clear of a node, or an edge
  // was attracted. Rare.
  bool is_doubtful() const { return doubtful_; }

 private:
  struct Line {
    LatticePoint a;
    LatticePoint b;
    std::uint32_t ring;
    std::uint32_t edge;
  };
  struct Ring {
    std::uint32_t first;  // its lines are [first, end)
    std::uint32_t end;
    LatticeBox bounds;
  };
  // A node. It cuts the base edge `edge` alone; with kAll it cuts each of them.
  struct Hot {
    LatticePoint at;
    std::uint32_t edge;
    auto operator<=>(const Hot&) const = default;
  };
  struct Forced {
    std::uint32_t line;
    LatticePoint at;
  };
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};

  // Two pieces to look at, the one with the greater place first.
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  bool mend_once(bool* crossed, WorkMeter* work);
  bool mend_pair(std::size_t one, std::size_t other);
  bool lead_through(std::size_t piece, std::uint32_t node);
  LatticeBox bounds_of_piece(std::size_t piece) const {
    return bounds_of(points_[pieces_[piece].from], points_[pieces_[piece].to]);
  }
  void find_again(std::uint32_t piece, Pair after);

  void add_ring(std::span<const LatticePoint> ring, std::uint32_t number);
  bool cross_rings(const Ring& one, const Ring& other, WorkMeter* work);
  bool cross_lines(std::uint32_t one, std::uint32_t other, WorkMeter* work);
  void attract_lines();
  bool make(bool attract, WorkMeter* work);
  bool cut(std::uint32_t line, std::uint32_t end, bool all_nodes, WorkMeter* work);
  std::uint32_t node_at(LatticePoint p) const;
  std::uint64_t collect_nodes(std::uint32_t line, bool all_nodes);

  std::vector<Line> lines_;
  std::vector<Ring> rings_;  // the cell first
  std::vector<Hot> hot_;
  std::vector<Forced> forced_;
  std::vector<LatticePoint> points_;
  std::vector<std::uint32_t> starts_;  // nodes, by line
  std::vector<LatticePoint> on_line_;
  std::vector<EdgePiece> pieces_;
  BoxSweep sweep_;
  std::vector<LatticeBox> boxes_;  // of pieces, in a round of mend()
  std::set<Pair> pairs_;           // whose boxes meet, and that the round has yet to look at
  bool doubtful_ = false;
};

}  // namespace repath

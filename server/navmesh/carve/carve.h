// What grown obstacles leave of one convex base cell, as convex fragments, and what is left of it
// under obstacles that make other ground of it instead.
//
// A pure function of the cell and of the obstacles near it: whatever was added and removed before,
// the same obstacles give the same fragments, byte for byte. How: the edges of the cell and of the
// obstacles are made an arrangement of the lattice by snap rounding (J. Hobby, 1999; L. Guibas, D.
// Marimont, 1998): every corner and every crossing, rounded to the lattice, is a hot pixel, and an
// edge goes through the middle of each it meets. That moves nothing by more than half a step in x
// and z and lets no edge cross another. What lies in the cell and in no obstacle is then cut into
// convex fragments (geometry/partition.h, shortest diagonals).
//
// Base edges, so that both cells beside one see the same: the points of a base edge depend on that
// edge and on the obstacles alone; its crossings are rounded from the exact crossing of the two
// edges. An obstacle's edge that comes within kCarveAttraction of a corner of the cell goes through
// that corner: there the next base edge is so near that roundings on both could interfere. What
// still crosses then is led through the nearer end of a piece, at most kMendReach away. Both cells
// see the same pieces of an edge, but for slivers: beside less than a millimetre of free ground one
// cell may see a piece that the other does not. A piece without its like is a wall, which costs
// nobody a way. (In cells with corners sharper than about 10 degrees, or thinner than two
// millimetres, a wider piece may lose its match.) Obstacles are closed: a piece of a base edge
// along which one lies is blocked from both sides.
//
// Obstacles that do not block are in the same arrangement. Free ground is cut along their border
// where it is of another kind on the other side, and each kind is cut into fragments of its own;
// what blocks takes ground of every kind. Where their border meets what blocks there is a node, as
// wherever edges cross, so walls move by half a step with them, too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "geometry/partition.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve_border.h"
#include "navmesh/carve/carve_ground.h"
#include "navmesh/carve/plain_border.h"

namespace repath {

// Lattice steps. A cell must be given every obstacle whose bounds, grown by this, meet its own.
inline constexpr std::int32_t kCarveMargin = 16;

// One convex ring of an obstacle, as geometry/grow.h makes them. Borrowed.
struct CarveObstacle {
  ObstacleId id{};
  std::uint32_t first_corner = 0;  // number of the ring's first corner; later rings of an obstacle
                                   // go on from the earlier one's last
  std::span<const LatticePoint> ring;
  CarveEffect effect = {};  // the same for all rings of an obstacle
};

enum class FragmentEdgeKind : std::uint8_t { kBase, kObstacle, kDiagonal, kSeam };

// From its corner to that of the fragment's next edge.
struct FragmentEdge {
  LatticePoint from;
  FragmentEdgeKind kind{};
  // kBase: which edge of the cell it lies on, open to what is behind. kObstacle: the obstacle's
  // corner before the edge in its ring, which runs the other way. kDiagonal: its number; exactly
  // one other fragment has it, the other way. kSeam: 0; behind it is a fragment of other ground,
  // which has the same edge, the other way.
  std::uint32_t number = 0;
  ObstacleId obstacle{};  // of kObstacle
  bool operator==(const FragmentEdge&) const = default;
};

struct Carving {
  std::vector<FragmentEdge> edges;           // fragment after fragment, counterclockwise
  std::vector<std::uint32_t> fragment_ends;  // fragment f is [fragment_ends[f - 1],
                                             // fragment_ends[f]) of edges
  std::uint32_t diagonals = 0;
  std::vector<FragmentGround> grounds;  // by fragment; empty: none is changed
  bool operator==(const Carving&) const = default;
};

// Keeps memory between calls, nothing else. Not thread-safe.
class Carver {
 public:
  // `always_arranges`: takes no notice of plain scenes; for tests, the result is the same.
  explicit Carver(bool always_arranges = false) : always_arranges_(always_arranges) {}

  // Fills `out` (what was in it is lost). Fragments are convex with areas above 0, in no promised
  // order but always the same; a cell that no obstacle comes near is its only fragment. REQUIRES:
  // `cell` is convex and counterclockwise, `obstacles` are those of kCarveMargin (more do no harm)
  // by ascending (id, first_corner). O(e^2) in the edges involved, 10-50 microseconds for one to
  // five obstacles.
  void carve(std::span<const LatticePoint> cell, std::span<const CarveObstacle> obstacles,
             Carving* out);

 private:
  // Its loop from corner `begin` on.
  static void whole_cell(std::span<const LatticePoint> cell, std::uint32_t begin, Carving* out);
  // Places in rings_ of those that are not told to take nothing from the cell by a line between.
  void find_reaching(std::span<const LatticePoint> cell);
  // The fragments of what a border traced, PlainBorder or CarveBorder.
  template <class Border>
  void append_fragments(const Border& border, Carving* out);

  bool always_arranges_;
  std::vector<CarveObstacle> near_;
  std::vector<std::span<const LatticePoint>> rings_;
  std::vector<SoftRing> soft_;
  std::vector<std::uint32_t> reaching_;
  PlainBorder plain_;
  CarveBorder border_;
  Partitioner partitioner_;
  Partition partition_;
};

}  // namespace repath

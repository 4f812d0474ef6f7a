// Carving: cuts grown obstacles out of one convex base cell and returns the rest as convex
// fragments. Obstacles that do not block make other ground of the fragments under them.
//
// Carving is a pure function of the cell and the obstacles near it. It works by snap rounding
// (J. Hobby, 1999; L. Guibas, D. Marimont, 1998): the edges of the cell and of the obstacles make
// an arrangement on the lattice. Every corner and every crossing, rounded to the lattice, is a hot
// pixel, and each edge goes through the middle of the hot pixels that it meets. So every point
// moves by at most half a step in x and z, and edges never cross. The region inside the cell and
// outside all obstacles is then cut into convex fragments (geometry/partition.h, shortest
// diagonals).
//
// Why both cells beside a base edge see the same pieces of it:
// - The points of a base edge depend on that edge and the obstacles alone. Its crossings are
//   rounded from the exact crossing of the two edges.
// - An obstacle's edge that comes within kCarveAttraction of a corner of the cell goes through that
//   corner. There the next base edge is so near that roundings on both could interfere.
// - Edges that still cross are led through the nearer end of a piece, at most kMendReach away.
// Slivers are the exception: beside less than a millimetre of free ground, one cell may see a piece
// that the other does not, which is a wall then. In cells with corners sharper than about 10
// degrees, or thinner than two millimetres, a wider piece may lose its match. Obstacles are closed
// sets, so an obstacle along a base edge blocks the edge from both sides.
//
// Obstacles that do not block are in the same arrangement. Free ground is cut along their border if
// the ground on the other side is of another kind. Each kind is cut into fragments of its own, and
// blocking obstacles take ground of every kind. Where a soft border meets a blocking one there is a
// node, as at every crossing, so soft obstacles may move walls by half a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/work_meter.h"
#include "geometry/partition.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve_border.h"
#include "navmesh/carve/carve_ground.h"
#include "navmesh/carve/plain_border.h"

namespace repath {

// In lattice steps. A cell must be given every obstacle whose bounds, grown by this, meet its own.
inline constexpr std::int32_t kCarveMargin = 16;

// One convex ring of an obstacle, as made by geometry/grow.h. The ring is borrowed.
struct CarveObstacle {
  ObstacleId id{};
  std::uint32_t first_corner = 0;  // number of the ring's first corner; later rings of an obstacle
                                   // go on from the earlier one's last
  std::span<const LatticePoint> ring;
  CarveEffect effect = {};  // the same for all rings of an obstacle
};

enum class FragmentEdgeKind : std::uint8_t { kBase, kObstacle, kDiagonal, kSeam };

// An edge of a fragment, from its corner to that of the fragment's next edge.
struct FragmentEdge {
  LatticePoint from;
  FragmentEdgeKind kind{};
  // kBase: the edge of the cell on which it lies; it is open to the neighbour.
  // kObstacle: the obstacle's corner before the edge in its ring, which runs the other way.
  // kDiagonal: its number. Exactly one other fragment has the same edge, the other way.
  // kSeam: 0. Behind it is a fragment of other ground, which has the same edge, the other way.
  std::uint32_t number = 0;
  ObstacleId obstacle{};  // of kObstacle
  bool operator==(const FragmentEdge&) const = default;
};

struct Carving {
  std::vector<FragmentEdge> edges;           // fragment after fragment, counterclockwise
  std::vector<std::uint32_t> fragment_ends;  // fragment f is [fragment_ends[f - 1],
                                             // fragment_ends[f]) of edges
  std::uint32_t diagonals = 0;
  std::vector<FragmentGround> grounds;  // by fragment; empty if none is changed
  bool operator==(const Carving&) const = default;
};

// Returns whether all of `others` lie beyond one side of `ring`, by more than kCarveMargin. A ring
// of two points is a segment, with both its sides.
bool has_beyond(std::span<const LatticePoint> ring, std::span<const LatticePoint> others);

// Keeps only memory between calls. Not thread-safe.
class Carver {
 public:
  // With `always_arranges` it treats plain scenes as all others. The result is the same; for tests.
  explicit Carver(bool always_arranges = false) : always_arranges_(always_arranges) {}

  // Replaces `out` by the fragments of the cell. They are convex, with areas above 0, in an order
  // that is always the same. A cell with no obstacle near it is its only fragment. REQUIRES: `cell`
  // is convex and counterclockwise; `obstacles` are those of kCarveMargin (more do no harm), by
  // ascending (id, first_corner). Returns false, with `out` unusable, if `work` is over (null: no
  // bound). O(e^2) in the edges involved.
  bool carve(std::span<const LatticePoint> cell, std::span<const CarveObstacle> obstacles,
             Carving* out, WorkMeter* work = nullptr);

 private:
  // Appends the whole cell as one fragment that begins at corner `begin`. Returns true.
  static bool whole_cell(std::span<const LatticePoint> cell, std::uint32_t begin, Carving* out);
  // Finds the rings that may take ground from the cell: those that no line separates from it.
  void find_reaching(std::span<const LatticePoint> cell);
  // Appends the fragments of the region that a border traced, a PlainBorder or a CarveBorder.
  // Returns false if `work` is over.
  template <class Border>
  bool append_fragments(const Border& border, Carving* out, WorkMeter* work);

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

// Polygons with holes cut into convex cells, by three methods.
//
// Input is a region given by its boundary: loops of lattice points, the region to the left of each
// (outer loops counterclockwise, holes clockwise). Loops may touch each other and themselves at
// corners, and corners may be straight; no two edges cross, and none passes through a corner of
// another. Edge i goes from point i to the next of its loop.
//   kShortestDiagonals: each reflex corner is resolved by the shortest visible diagonal that leaves
//     no reflex angle there (by the shortest two where none does); then the needless ones go,
//     longest first. Fewest cells that searches go astray in.
//   kDelaunay: the constrained Delaunay triangulation (by flips; C. Lawson, 1977), needless edges
//     dropped, longest first (S. Hertel, K. Mehlhorn, 1983).
// A third method, anavmg(), makes points of its own on edges of the input, and relaxes convexity if
// asked to (geometry/anavmg.h).
// All predicates are exact, so the cells cover the region and nothing twice: their areas add up to
// the step. Pure functions of their input; a Partitioner keeps memory only. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/anavmg.h"
#include "geometry/ring.h"
#include "geometry/subdivision.h"

namespace repath {

enum class PartitionMethod : std::uint8_t { kShortestDiagonals, kDelaunay };

struct PartitionEdge {
  std::uint32_t from = 0;  // into Partition::points; leads to the from of the cell's next edge
  // The input edge it lies on, or kDiagonalBit | number of the diagonal, which is an edge of
  // exactly one other cell, in the other direction.
  std::uint32_t source = 0;
};
inline constexpr std::uint32_t kDiagonalBit = std::uint32_t{1} << 31;

struct Partition {
  std::vector<LatticePoint> points;      // the input's, in its order; behind them anavmg()'s
  std::vector<PartitionEdge> edges;      // cell after cell, counterclockwise
  std::vector<std::uint32_t> cell_ends;  // into edges: cell c is [cell_ends[c - 1], cell_ends[c])
  std::uint32_t diagonals = 0;
};

// Largest relaxation of convexity, radians.
inline constexpr double kTauMax = 0.5;

class Partitioner {
 public:
  // Fills `out` (what was in it is lost) with convex cells of an area above 0. `loop_ends` as
  // Partition::cell_ends. REQUIRES: the input is as the head of this file says, fewer than 2^30
  // points. False, with `out` unusable, if a reflex corner cannot be resolved: then the input was
  // not; or if `work` (null: no bound) is over. O(reflex corners x points), times the tries for a
  // visible diagonal, 1-2 as a rule.
  [[nodiscard]] bool run(std::span<const LatticePoint> points,
                         std::span<const std::uint32_t> loop_ends, PartitionMethod method,
                         Partition* out, WorkMeter* work = nullptr);

  // The same by ANavMG: no inner angle exceeds pi + tau (radians). A point it makes lies on its
  // edge or up to a step outside of the region, so the cells cover that much more. REQUIRES: also
  // 0 <= tau <= kTauMax. O(notches x elements).
  [[nodiscard]] bool anavmg(std::span<const LatticePoint> points,
                            std::span<const std::uint32_t> loop_ends, double tau, Partition* out,
                            WorkMeter* work = nullptr);

 public:
  // Its parts point at each other.
  Partitioner() = default;
  Partitioner(const Partitioner&) = delete;
  Partitioner& operator=(const Partitioner&) = delete;

 private:
  bool resolve_shortest();
  bool triangulate();
  bool make_delaunay();
  void drop_needless();
  void read_out(Partition* out);

  Subdivision net_;
  DiagonalFinder finder_{&net_};
  PortalMaker portals_{&net_, &finder_};
  std::vector<std::uint32_t> work_;
  std::vector<std::uint32_t> number_;
};

}  // namespace repath

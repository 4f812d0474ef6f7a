// Cuts polygons with holes into convex cells, by three methods.
//
// The input is a region given by its boundary: loops of lattice points with the region to their
// left (outer loops counterclockwise, holes clockwise). Loops may touch each other and themselves
// at corners, and corners may be straight. Edges do not cross, and no edge passes through a corner
// of another. Edge i leads from point i to the next point of its loop. The methods:
// - kShortestDiagonals resolves each reflex corner by the shortest visible diagonal that leaves no
//   reflex angle there, or by the shortest two if no such diagonal exists. Then it drops needless
//   diagonals, longest first. Searches go astray in few of its cells.
// - kDelaunay makes the constrained Delaunay triangulation (by flips; C. Lawson, 1977) and drops
//   needless edges, longest first (S. Hertel, K. Mehlhorn, 1983).
// - kAnavmg makes points of its own on edges of the input, and relaxes convexity if asked to
//   (geometry/anavmg.h).
//
// All predicates are exact, so the cells cover the region, each place once, and their areas add up
// to it exactly. Pure functions of their input; a Partitioner only keeps memory. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/anavmg.h"
#include "geometry/ring.h"
#include "geometry/subdivision.h"

namespace repath {

enum class PartitionMethod : std::uint8_t { kAnavmg, kDelaunay, kShortestDiagonals };

struct PartitionEdge {
  // Index into Partition::points. The edge ends at the `from` of the cell's next edge.
  std::uint32_t from = 0;
  // The input edge on which this edge lies, or kDiagonalBit | number of the diagonal. A diagonal is
  // an edge of exactly one other cell, in the other direction.
  std::uint32_t source = 0;
};
inline constexpr std::uint32_t kDiagonalBit = std::uint32_t{1} << 31;

struct Partition {
  std::vector<LatticePoint> points;  // the points of the input in order, then those of kAnavmg
  std::vector<PartitionEdge> edges;  // cell after cell, counterclockwise
  // Indexes into edges: cell c is [cell_ends[c - 1], cell_ends[c]).
  std::vector<std::uint32_t> cell_ends;
  std::uint32_t diagonals = 0;
};

// Largest relaxation of convexity, in radians.
inline constexpr double kTauMax = 0.5;

// Says what happens to corners that kAnavmg leaves reflex, because they are within tau.
enum class Dents : std::uint8_t {
  kKept,  // they stay: cells are convex but for tau
  kCut,   // they are resolved as kShortestDiagonals does: every cell is convex
};

class Partitioner {
 public:
  // Fills `out` with cells of an area above 0; earlier contents of `out` are lost. `loop_ends` is
  // built like Partition::cell_ends. REQUIRES: the input is as described at the head of this file
  // and has fewer than 2^30 points. Returns false, with `out` unusable, if a reflex corner cannot
  // be resolved (the input was wrong) or if `work` is over (null: no bound). O(reflex corners x
  // points) times the tries for a visible diagonal, usually 1-2.
  //
  // The cells are convex, but with Dents::kKept kAnavmg only keeps every inner angle within pi +
  // tau (radians); a hole without a sharper corner then stays a loop of its own. REQUIRES: 0 <= tau
  // <= kTauMax. A point that kAnavmg makes lies on its edge or up to a step outside the region, so
  // the cells cover that much more.
  [[nodiscard]] bool run(std::span<const LatticePoint> points,
                         std::span<const std::uint32_t> loop_ends, PartitionMethod method,
                         Partition* out, WorkMeter* work = nullptr, double tau = 0,
                         Dents dents = Dents::kKept);

  // Not copied, because the parts point at each other.
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

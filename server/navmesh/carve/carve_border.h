// The border of the ground that obstacles leave of a cell: a part of navmesh/carve/carve.h, which
// says how it is found.
//
// Steps: the edges; their nodes (carve_nodes.h); the arrangement; its free sides and their kinds of
// ground; the loops around the ground of one kind. Not thread-safe; keeps its memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/work_meter.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve_ground.h"
#include "navmesh/carve/carve_nodes.h"
#include "navmesh/carve/planarity.h"

namespace repath {

// The line on which an edge of the border lies: base edge `edge`, edge `edge` of ring `ring`, or a
// seam between two kinds of ground.
struct BorderSource {
  std::uint32_t ring = 0;  // kBaseRing, kSeamRing or a place in the list of rings
  std::uint32_t edge = 0;
};
inline constexpr std::uint32_t kSeamRing = kNoRing - 1;

// A ring that changes the ground that it covers instead of taking it.
struct SoftRing {
  std::uint32_t ring = 0;  // its place in the list of rings
  ObstacleId obstacle{};   // the union of an obstacle's rings counts once
  CarveEffect effect{};
};

class CarveBorder {
 public:
  // Finds the border. Rings that are not in `soft` block. Returns false if `work` is over.
  // REQUIRES: as Carver::carve; `soft` by ascending place.
  [[nodiscard]] bool find(std::span<const LatticePoint> cell,
                          std::span<const std::span<const LatticePoint>> rings,
                          std::span<const SoftRing> soft, WorkMeter* work);

  // The kinds of free ground, each once. The first is unchanged ground, of which there may be none.
  const std::vector<FragmentGround>& grounds() const { return grounds_; }
  // Finds the loops around the ground of one kind, given as a place in grounds(). The functions
  // below return the loops found last.
  void trace(std::uint32_t ground);

  // The loops as geometry/partition.h takes them, with the traced region to their left. Edge i
  // begins at point i and lies on sources()[i].
  const std::vector<LatticePoint>& points() const { return points_; }
  const std::vector<std::uint32_t>& loop_ends() const { return loop_ends_; }
  const std::vector<BorderSource>& sources() const { return sources_; }

 private:
  // Number of times that a side lies in the cell, and in obstacles.
  struct Depth {
    std::int32_t base = 0;
    std::int32_t obstacles = 0;
    bool is_free() const { return base > 0 && obstacles == 0; }
  };
  // All pieces of edges that lie on each other, from the lesser node to the greater.
  struct Link {
    std::uint32_t low;
    std::uint32_t high;
    Depth step;  // left side less right side
    BorderSource base{kNoRing, 0};
    BorderSource obstacle{kNoRing, 0};
  };

  void merge_pieces();
  bool is_planar(WorkMeter* work);
  void sort_around_nodes();
  bool arrange(WorkMeter* work);
  bool find_depths(WorkMeter* work);
  void spread_depth(std::uint32_t half);
  void count_left_of(std::uint32_t node, std::uint32_t half);
  bool find_grounds(std::span<const SoftRing> soft, WorkMeter* work);
  std::uint32_t ground_under(std::uint32_t half, std::span<const SoftRing> soft);
  bool is_border(std::uint32_t half) const {
    if (!left_[half].is_free()) return false;
    return !left_[half ^ 1u].is_free() || (words_ > 0 && ground_[half] != ground_[half ^ 1u]);
  }
  BorderSource source_of(std::uint32_t half) const;

  void set_soft(std::size_t rings, std::span<const SoftRing> soft);
  // Crosses link `link` on the way from the left side of half `from` to that of half `to`.
  void cross_cover(std::uint32_t to, std::uint32_t from, std::size_t link);
  void copy_cover(std::uint32_t to, std::uint32_t from);

  // Halves: 2 k leads along link k, 2 k + 1 back.
  std::uint32_t origin(std::uint32_t half) const {
    const Link& link = links_[half >> 1];
    return (half & 1u) != 0 ? link.high : link.low;
  }
  LatticePoint at(std::uint32_t node) const { return nodes_.points()[node]; }

  CarveNodes nodes_;
  Planarity planarity_;
  std::vector<Link> links_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;  // pieces by their nodes
  std::vector<std::uint32_t> around_;      // halves out of each node, counterclockwise
  std::vector<std::uint32_t> around_end_;  // into around_
  std::vector<std::uint32_t> place_;       // of each half in around_
  std::vector<Depth> left_;                // of each half
  std::vector<bool> known_;                // left_, by half
  // Sets of soft rings, a bit for each, in words_ words: the rings that begin or end at a link, and
  // the rings over the left side of a half.
  std::size_t words_ = 0;
  std::vector<std::uint32_t> soft_of_;  // place in the list of soft rings, by ring; kNoRing: blocks
  std::vector<std::uint64_t> steps_;    // by link
  std::vector<std::uint64_t> cover_;    // by half
  std::vector<FragmentGround> grounds_;
  std::vector<std::uint32_t> ground_;  // place in grounds_ of the left side of each half
  std::vector<std::uint32_t> stack_;
  std::vector<LatticePoint> points_;
  std::vector<std::uint32_t> loop_ends_;
  std::vector<BorderSource> sources_;
};

}  // namespace repath

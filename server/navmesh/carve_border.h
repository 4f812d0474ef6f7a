// The border of what obstacles leave of a cell: a part of navmesh/carve.h, which says how.
//
// Steps: the edges, their nodes (carve_nodes.h), the arrangement, which of its sides are free, and
// the loops around the free ones. Not thread-safe; keeps its memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/ring.h"
#include "navmesh/carve_nodes.h"

namespace repath {

// Where an edge of the border lies: on base edge `edge`, or on edge `edge` of ring `ring`.
struct BorderSource {
  std::uint32_t ring = 0;  // kBaseRing or a place in the list of rings
  std::uint32_t edge = 0;
};

class CarveBorder {
 public:
  // REQUIRES: as Carver::carve.
  void find(std::span<const LatticePoint> cell,
            std::span<const std::span<const LatticePoint>> rings);

  // The loops, the free region to their left, as geometry/partition.h takes them; edge i leads from
  // point i on and lies on sources()[i].
  const std::vector<LatticePoint>& points() const { return points_; }
  const std::vector<std::uint32_t>& loop_ends() const { return loop_ends_; }
  const std::vector<BorderSource>& sources() const { return sources_; }

 private:
  // How often a side lies in the cell, and in obstacles.
  struct Depth {
    std::int32_t base = 0;
    std::int32_t obstacles = 0;
    bool is_free() const { return base > 0 && obstacles == 0; }
  };
  // Pieces of edges that lie on each other, from the lesser node to the greater.
  struct Link {
    std::uint32_t low;
    std::uint32_t high;
    Depth step;  // left side less right side
    BorderSource base{kNoRing, 0};
    BorderSource obstacle{kNoRing, 0};
  };

  void merge_pieces();
  bool is_planar() const;
  void sort_around_nodes();
  void find_depths();
  void spread_depth(std::uint32_t half);
  Depth depth_left_of(std::uint32_t node) const;
  void trace_loops();
  bool is_border(std::uint32_t half) const {
    return left_[half].is_free() && !left_[half ^ 1u].is_free();
  }
  BorderSource source_of(std::uint32_t half) const;

  // Halves: 2 k leads along link k, 2 k + 1 back.
  std::uint32_t origin(std::uint32_t half) const {
    const Link& link = links_[half >> 1];
    return (half & 1u) != 0 ? link.high : link.low;
  }
  LatticePoint at(std::uint32_t node) const { return nodes_.points()[node]; }

  CarveNodes nodes_;
  std::vector<Link> links_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;  // pieces by their nodes
  std::vector<std::uint32_t> around_;      // halves out of each node, counterclockwise
  std::vector<std::uint32_t> around_end_;  // into around_
  std::vector<std::uint32_t> place_;       // of each half in around_
  std::vector<Depth> left_;                // of each half
  std::vector<bool> known_;                // left_, by half
  std::vector<std::uint32_t> stack_;
  std::vector<LatticePoint> points_;
  std::vector<std::uint32_t> loop_ends_;
  std::vector<BorderSource> sources_;
};

}  // namespace repath

// The border of the ground that obstacles leave of a cell in plain scenes, in which snap rounding
// only rounds the crossings: a part of navmesh/carve/carve.h. Most scenes are plain. They need no
// arrangement: the pieces of edges inside the cell and outside all obstacles are strung together.
//
// The result is that of CarveBorder, in the same order. A scene is plain if
// - edges meet only pixels of nodes that lie on them,
// - no edge of an obstacle comes within kCarveAttraction of a corner of the cell,
// - corners touch no edges, and no edges lie on each other.
// So each node of the border is a corner or the crossing of two edges. Rounding keeps the order of
// edges around it, and one piece of the border begins and one ends there. Not thread-safe; keeps
// its memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/ring.h"
#include "navmesh/carve/carve_border.h"

namespace repath {

class PlainBorder {
 public:
  // Finds the border. Returns false if the scene is not plain, or if `work` is over; ask
  // CarveBorder in the first case. REQUIRES: as CarveBorder::find, and all rings block; `near` are
  // places in `rings`, ascending, and the other rings lie farther from the cell than
  // kCarveAttraction. O(product of the edges of rings whose bounds meet), signs of determinants
  // only.
  [[nodiscard]] bool find(std::span<const LatticePoint> cell,
                          std::span<const std::span<const LatticePoint>> rings,
                          std::span<const std::uint32_t> near, WorkMeter* work);

  // The same as those of CarveBorder.
  const std::vector<LatticePoint>& points() const { return points_; }
  const std::vector<std::uint32_t>& loop_ends() const { return loop_ends_; }
  const std::vector<BorderSource>& sources() const { return sources_; }

 private:
  struct Line {
    LatticePoint a;
    LatticePoint b;
    LatticeBox bounds;
    BorderSource source;
    std::uint32_t end;  // node: the next line of its ring
  };
  // A ring; the cell is the first. `is_in_cell` and `covers` tell whether its first corner lies in
  // the cell, and in how many obstacles.
  struct Ring {
    std::uint32_t first;  // its lines are [first, end)
    std::uint32_t end;
    LatticeBox bounds;
    bool is_in_cell;
    std::int32_t covers;
  };
  // Nodes below the number of lines are the beginnings of lines. The others are crossings of two.
  struct Node {
    LatticePoint at;
    std::uint32_t one;  // its lines
    std::uint32_t other;
  };
  // A point at which a line enters or leaves a ring.
  struct Cut {
    std::uint32_t line;
    std::uint32_t node;
    std::int64_t along;
    bool is_of_cell;
    bool enters;
  };
  // A piece of the border, with free ground to its left.
  struct Piece {
    std::uint32_t from;  // nodes
    std::uint32_t to;
    BorderSource source;
    bool is_traced = false;
  };

  void add_ring(std::span<const LatticePoint> ring, std::uint32_t number);
  bool meet(Ring* one, Ring* other, WorkMeter* work);
  bool meet_all(WorkMeter* work);
  bool cross_line(std::uint32_t line, const Ring& other, bool is_of_cell, bool is_other_cell);
  void place_in(Ring* ring, const Ring& other) const;
  bool touches_itself(const Ring& ring) const;
  bool comes_near(const Ring& corners, const Ring& lines, WorkMeter* work) const;
  bool passes_crossing(WorkMeter* work) const;
  bool follow(const Ring& ring, std::size_t* cut);
  bool add_piece(std::uint32_t from, std::uint32_t to, std::uint32_t line);
  bool trace_all(WorkMeter* work);
  bool trace(std::uint32_t first);

  std::vector<Line> lines_;
  std::vector<Ring> rings_;
  std::vector<Node> nodes_;
  std::vector<Cut> cuts_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> out_;  // the piece that begins at each node, or kNoPiece
  std::vector<LatticePoint> points_;
  std::vector<std::uint32_t> loop_ends_;
  std::vector<BorderSource> sources_;
};

}  // namespace repath

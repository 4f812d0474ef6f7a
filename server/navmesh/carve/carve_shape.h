// The fragments of a base cell as a mesh has them: those of its carving, with the ends of what its
// neighbours' carvings leave of the common edges as corners, so that edges have one cell behind
// them. A part of navmesh/carve/carved_mesh.h.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/carve/carve.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// What is behind a fragment's edge, beside the number of a base edge.
inline constexpr std::uint32_t kWallSide = ~std::uint32_t{0};
inline constexpr std::uint32_t kInnerSide = kWallSide - 1;  // another fragment of the same cell

// From its corner to that of the fragment's next side.
struct FragmentSide {
  LatticePoint from{};
  std::uint32_t on = kWallSide;  // kWallSide, kInnerSide or the base edge it lies on
  bool operator==(const FragmentSide&) const = default;
};

struct Fragments {
  std::vector<FragmentSide> sides;           // fragment after fragment, counterclockwise
  std::vector<std::uint32_t> ends;           // fragment f is [ends[f - 1], ends[f]) of sides
  std::vector<FragmentGround> grounds = {};  // by fragment; empty: none is changed
  std::uint32_t begin_of(std::size_t f) const { return f == 0 ? 0 : ends[f - 1]; }
  std::span<const FragmentSide> fragment(std::size_t f) const {
    return std::span(sides).subspan(begin_of(f), ends[f] - begin_of(f));
  }
  FragmentGround ground_of(std::size_t f) const {
    return grounds.empty() ? FragmentGround{} : grounds[f];
  }
  bool operator==(const Fragments&) const = default;
};

// Where a carving cuts a base edge: an end of one of its pieces that is no corner of the cell.
struct BaseCut {
  std::uint32_t edge = 0;
  LatticePoint at{};
  auto operator<=>(const BaseCut&) const = default;
};

// Fills `cuts` with all of the carving of `cell`, ascending, each once.
void find_cuts(std::span<const LatticePoint> cell, const Carving& carving,
               std::vector<BaseCut>* cuts);
// Those of one edge.
std::span<const BaseCut> cuts_of(const std::vector<BaseCut>& cuts, std::uint32_t edge);

// Not thread-safe; keeps its memory.
class FragmentShaper {
 public:
  // Fills `out` from the carving of `cell`; cuts[k] are those of the neighbour behind base edge k
  // on the edge as it has it. A pure function of all three. A fragment that a corner half a step
  // off the edge dents is cut up; one that cannot be cut keeps its edge, and the way over it is
  // closed. False: a fragment has more than kCellEdgesMax corners and cannot be cut.
  bool shape(std::span<const LatticePoint> cell, const Carving& carving,
             std::span<const std::span<const BaseCut>> cuts, Fragments* out);

  // By side of the last `out`: the same side as another fragment of the cell has it, or kNoTwin,
  // where that was not noted or there is none.
  static constexpr std::uint32_t kNoTwin = ~std::uint32_t{0};
  const std::vector<std::uint32_t>& twins() const { return twins_; }

 private:
  bool add(const std::vector<FragmentSide>& ring, Fragments* out);
  static bool append(const std::vector<FragmentSide>& ring, Fragments* out);
  void pair_up(std::size_t begin);

  std::vector<FragmentSide> plain_;
  std::vector<FragmentSide> ring_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> diagonals_;  // of ring_: place, number
  std::vector<std::uint32_t> seen_;  // by diagonal: the side that was made of its one half
  std::vector<std::uint32_t> twins_;
  std::vector<LatticePoint> points_;
  std::vector<std::vector<std::uint32_t>> pieces_;
};

}  // namespace repath

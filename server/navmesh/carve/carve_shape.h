// The fragments of a base cell as a mesh has them: those of its carving, with more corners. These
// are the points at which the neighbours' carvings cut the common edges, so that each edge has one
// cell behind it. A part of navmesh/carve/carved_mesh.h.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/carve/carve.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Kinds of sides, in place of the number of a base edge.
inline constexpr std::uint32_t kWallSide = ~std::uint32_t{0};
inline constexpr std::uint32_t kInnerSide = kWallSide - 1;  // another fragment of the same cell

// A side of a fragment, from its corner to that of the fragment's next side.
struct FragmentSide {
  LatticePoint from{};
  std::uint32_t on = kWallSide;  // kWallSide, kInnerSide or the base edge it lies on
  bool operator==(const FragmentSide&) const = default;
};

struct Fragments {
  std::vector<FragmentSide> sides;           // fragment after fragment, counterclockwise
  std::vector<std::uint32_t> ends;           // fragment f is [ends[f - 1], ends[f]) of sides
  std::vector<FragmentGround> grounds = {};  // by fragment; empty if none is changed
  std::uint32_t begin_of(std::size_t f) const { return f == 0 ? 0 : ends[f - 1]; }
  std::span<const FragmentSide> fragment(std::size_t f) const {
    return std::span(sides).subspan(begin_of(f), ends[f] - begin_of(f));
  }
  FragmentGround ground_of(std::size_t f) const {
    return grounds.empty() ? FragmentGround{} : grounds[f];
  }
  bool operator==(const Fragments&) const = default;
};

// A point at which a carving cuts a base edge: an end of one of its pieces, but no corner of the
// cell.
struct BaseCut {
  std::uint32_t edge = 0;
  LatticePoint at{};
  auto operator<=>(const BaseCut&) const = default;
};

// Fills `cuts` with all cuts of the carving of `cell`, ascending, each once.
void find_cuts(std::span<const LatticePoint> cell, const Carving& carving,
               std::vector<BaseCut>* cuts);
// Returns the cuts of one edge.
std::span<const BaseCut> cuts_of(const std::vector<BaseCut>& cuts, std::uint32_t edge);

// Not thread-safe; keeps its memory.
class FragmentShaper {
 public:
  // Fills `out` from the carving of `cell`; cuts[k] are the cuts of the neighbour behind base edge
  // k. The result is a pure function of all three. A corner half a step off the edge may dent a
  // fragment; the fragment is then cut up, or, if it cannot be, keeps its edge as a wall. Returns
  // false if a fragment has more than kCellEdgesMax corners and cannot be cut.
  bool shape(std::span<const LatticePoint> cell, const Carving& carving,
             std::span<const std::span<const BaseCut>> cuts, Fragments* out);

  // For each side of the last `out`: the same side of another fragment of the cell; kNoTwin if
  // there is none, or if it is not known.
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

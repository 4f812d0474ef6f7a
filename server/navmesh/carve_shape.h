// The fragments of a base cell as a mesh has them: those of its carving, with the ends of what its
// neighbours' carvings leave of the common edges as corners, so that edges have one cell behind
// them. A part of navmesh/carved_mesh.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navmesh/carve.h"
#include "navmesh/mesh_source.h"

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

// Appends the ends of the carving's pieces of base edge `edge`.
void append_cuts(const Carving& carving, std::uint32_t edge, std::vector<LatticePoint>* cuts);

// Not thread-safe; keeps its memory.
class FragmentShaper {
 public:
  // Fills `out` from the carving of `cell`; cuts[k] are the corners that the neighbour behind base
  // edge k would have on it. A pure function of all three. A fragment that a corner half a step off
  // the edge dents is cut up; one that cannot be cut keeps its edge, and the way over it is closed.
  // False: a fragment has more than kCellEdgesMax corners and cannot be cut.
  bool shape(std::span<const LatticePoint> cell, const Carving& carving,
             std::span<const std::vector<LatticePoint>> cuts, Fragments* out);

 private:
  bool add(const std::vector<FragmentSide>& ring, Fragments* out);

  std::vector<FragmentSide> plain_;
  std::vector<FragmentSide> ring_;
  std::vector<LatticePoint> points_;
  std::vector<std::vector<std::uint32_t>> pieces_;
};

}  // namespace repath

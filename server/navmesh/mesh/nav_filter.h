// The parts of a mesh that an agent may use, and their costs, as its profile defines them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "navmesh/mesh/mesh_source.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct NavFilter {
  static constexpr double kFactorMost = 1000;
  std::uint16_t include = 0xffff;  // cells and links must have at least one of these flags
  std::uint16_t exclude = 0;       // and none of these flags
  // Factor of each area type on length, in thousandths, [1000, 1'000'000].
  std::array<std::uint32_t, kAreaTypes> factors = plain_factors();

  bool allows(std::uint16_t flags) const {
    return (flags & include) != 0 && (flags & exclude) == 0;
  }
  double factor(AreaType area) const { return factors[index(area)] / 1000.0; }
  // Returns the factor of ground: that of its area times its own, in thousandths; at most 1000.
  double factor(AreaType area, std::uint32_t own) const {
    return std::min(kFactorMost, factor(area) * (own / 1000.0));
  }
  double factor(const NavMesh::Cell& cell) const { return factor(cell.area, cell.factor); }
  // Returns the factor of a link: that of its area times its own, at most 1000.
  double factor(const NavLink& link) const {
    return std::min(kFactorMost, link.factor / 1000.0 * factor(link.area));
  }

  static constexpr std::array<std::uint32_t, kAreaTypes> plain_factors() {
    std::array<std::uint32_t, kAreaTypes> all{};
    for (std::uint32_t& f : all) f = 1000;
    return all;
  }
};

// The least and the greatest of some factors. Both are 1 if there are none.
struct FactorRange {
  double least = 1;
  double most = 1;
  bool is_empty = true;

  void add(double factor) {
    least = is_empty ? factor : std::min(least, factor);
    most = is_empty ? factor : std::max(most, factor);
    is_empty = false;
  }
};

}  // namespace repath

// What of a mesh a walker may use, and what it costs: as profiles say it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "navmesh/mesh/mesh_source.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct NavFilter {
  static constexpr double kFactorMost = 1000;
  std::uint16_t include = 0xffff;  // cells and links must have one of these flags
  std::uint16_t exclude = 0;       // and none of these
  // By area type, thousandths, [1000, 1'000'000]: what a length over it is multiplied with.
  std::array<std::uint32_t, kAreaTypes> factors = plain_factors();

  bool allows(std::uint16_t flags) const {
    return (flags & include) != 0 && (flags & exclude) == 0;
  }
  double factor(AreaType area) const { return factors[index(area)] / 1000.0; }
  // Of ground: what its area costs times what it has of its own, 1000 at most.
  double factor(const NavMesh::Cell& cell) const {
    return std::min(kFactorMost, factor(cell.area) * (cell.factor / 1000.0));
  }
  bool is_uniform() const { return factors == plain_factors(); }

  static constexpr std::array<std::uint32_t, kAreaTypes> plain_factors() {
    std::array<std::uint32_t, kAreaTypes> all{};
    for (std::uint32_t& f : all) f = 1000;
    return all;
  }
};

}  // namespace repath

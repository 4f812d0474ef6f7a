// Small navigation meshes for tests: cells drawn as text, one character for each square.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "navmesh/mesh/mesh_source.h"

namespace repath::test {

// Converts units to the lattice; exact for thousandths.
inline LatticePoint at(double x, double z) {
  return {static_cast<std::int32_t>(x * kLatticePerUnit),
          static_cast<std::int32_t>(z * kLatticePerUnit)};
}

// Every '.' is a square cell of side 1, at x = column, z = row (z grows downwards in the drawing).
inline MeshSource squares(const std::vector<std::string>& rows) {
  MeshSource source;
  std::map<std::pair<int, int>, std::uint32_t> known;
  const auto vertex = [&](int x, int z) {
    const auto [place, is_new] =
        known.try_emplace({x, z}, static_cast<std::uint32_t>(source.vertices.size()));
    if (is_new) source.vertices.push_back({at(x, z), 0});
    return place->second;
  };
  for (int z = 0; z < static_cast<int>(rows.size()); ++z)
    for (int x = 0; x < static_cast<int>(rows[static_cast<std::size_t>(z)].size()); ++x)
      if (rows[static_cast<std::size_t>(z)][static_cast<std::size_t>(x)] == '.')
        source.add_cell({vertex(x, z), vertex(x + 1, z), vertex(x + 1, z + 1), vertex(x, z + 1)});
  return source;
}

}  // namespace repath::test

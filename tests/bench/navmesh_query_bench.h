// `repath-bench navmesh-query`: what a path over a navmesh costs once obstacles are carved out of
// it, exact and by corridor (the first answer an agent gets), and by how much the latter is longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshQueryOptions {
  std::string mesh;   // a file, or empty:
  unsigned open = 0;  // side of an open field, world units
  std::vector<std::size_t> obstacles{0, 300, 1000, 3000};
  std::size_t queries = 500;  // the same for every number of obstacles
  std::uint64_t seed = 1;
  double radius = 0;                       // of who must keep clear of the obstacles, world units
  std::optional<std::uint32_t> landmarks;  // empty: as many as a world has
  double cell_side = 8;                    // of our base cells, world units
  unsigned passes = 3;                     // each query's best time of so many counts
  std::string peer;                        // as of navmesh-static; gets the mesh with no obstacles
  bool json = false;
};

// 0, 1 if a path was missing or the exact one the longer, 2 if there is no room, 3 if the mesh
// cannot be read or the peer failed.
int run_navmesh_query(const NavmeshQueryOptions& options);

}  // namespace repath::bench

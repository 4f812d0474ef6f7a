// `repath-bench navmesh-query`: the cost of a path over a navmesh with obstacles carved out of it.
// It measures the exact path, the path by corridor (an agent's first answer), and how much longer
// that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshQueryOptions {
  std::string mesh;   // a file; if empty:
  unsigned open = 0;  // side of an open field, world units
  std::vector<std::size_t> obstacles{0, 300, 1000, 3000};
  std::size_t queries = 500;  // the same queries for every number of obstacles
  std::uint64_t seed = 1;
  double radius = 0;  // radius of the agents that must keep clear of the obstacles, world units
  std::optional<std::uint32_t> landmarks;  // empty: as many as a world has
  double cell_side = 8;                    // side of our base cells, world units
  unsigned passes = 3;  // the best time of each query over this many passes counts
  std::string peer;     // as in navmesh-static; gets the mesh without obstacles
  bool json = false;
};

// Returns 0, 1 if a path was missing or the exact path was the longer one, 2 if there is no room, 3
// if the mesh cannot be read or the peer failed.
int run_navmesh_query(const NavmeshQueryOptions& options);

}  // namespace repath::bench

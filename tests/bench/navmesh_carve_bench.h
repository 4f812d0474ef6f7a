// `repath-bench navmesh-carve`: the cost of an obstacle that comes or goes on a navmesh, carved by
// our CarvedMesh and by DetourTileCache, on the same ground and with the same obstacles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshCarveOptions {
  std::string mesh;                      // a file; if empty:
  unsigned open = 0;                     // side of an open field, world units
  std::vector<std::size_t> live{0, 60};  // numbers of obstacles that stay during a round
  std::size_t obstacles = 400;           // obstacles that come and go in each round
  std::uint64_t seed = 1;
  double radius = 0;     // radius of the agents that must keep clear of the obstacles, world units
  double cell_side = 8;  // side of our base cells, world units
  bool json = false;
};

// Returns 0, 1 if a mesh differed from its first state once all obstacles were gone or an edit was
// refused, 3 if the mesh cannot be read.
int run_navmesh_carve(const NavmeshCarveOptions& options);

}  // namespace repath::bench

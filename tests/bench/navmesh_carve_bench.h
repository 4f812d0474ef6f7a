// `repath-bench navmesh-carve`: what an obstacle costs a navmesh that comes or goes, carved by our
// CarvedMesh and by DetourTileCache, on the same ground and with the same obstacles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshCarveOptions {
  std::string mesh;                      // a file, or empty:
  unsigned open = 0;                     // side of an open field, world units
  std::vector<std::size_t> live{0, 60};  // obstacles that are there meanwhile
  std::size_t obstacles = 400;           // that come and go, at each of these numbers
  std::uint64_t seed = 1;
  double radius = 0;     // of who must keep clear of the obstacles, world units
  double cell_side = 8;  // of our base cells, world units
  bool json = false;
};

// 0, 1 if a mesh was not what it was once all obstacles were gone or an edit was refused, 3 if the
// mesh cannot be read.
int run_navmesh_carve(const NavmeshCarveOptions& options);

}  // namespace repath::bench

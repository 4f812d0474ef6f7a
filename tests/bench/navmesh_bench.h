// `repath-bench navmesh-static`: the cost of a path over an unchanging navmesh, exact, by corridor,
// and with Detour on the same polygons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshOptions {
  std::string mesh;  // Polyanya's format, or .obj: triangles, from which Recast builds a mesh
  std::string scen;  // empty: random places
  std::vector<std::string> algorithms;
  std::size_t queries = 0;  // maximum; 0: all of the scenario, or 1000 random ones
  std::uint64_t seed = 1;   // for random places
  unsigned passes = 5;      // the best time of each query over this many passes counts
  std::string peer;         // command that takes MESH SCEN and prints "length us" for each query
  bool json = false;
};

// Returns 0, 1 if an answer was wrong, 3 if mesh or scenario cannot be read or the peer failed.
int run_navmesh_static(const NavmeshOptions& options);

}  // namespace repath::bench

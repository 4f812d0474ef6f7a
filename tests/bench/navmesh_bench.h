// `repath-bench navmesh-static`: what a path over an unchanging navmesh costs, exact, by corridor,
// and with Detour on the same polygons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct NavmeshOptions {
  std::string mesh;  // Polyanya's format, or .obj: triangles, built with Recast
  std::string scen;  // empty: random places
  std::vector<std::string> algorithms;
  std::size_t queries = 0;  // at most; 0: all of the scenario, or 1000 random ones
  std::uint64_t seed = 1;   // of random places
  unsigned passes = 5;      // each query's best time of so many counts
  std::string peer;         // a command that takes MESH SCEN and prints "length us" for each query
  bool json = false;
};

// 0, 1 if an answer was wrong, 3 if mesh or scenario cannot be read or the peer failed.
int run_navmesh_static(const NavmeshOptions& options);

}  // namespace repath::bench

// `repath-bench navmesh-settle`: the cost of settling the agents of a navmesh when one obstacle
// comes near some path, and when it goes. It is compared with a fresh exact query for each
// concerned agent. On ground of several costs, where searches are repaired, the strategies are set
// side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace repath::bench {

struct NavmeshSettleOptions {
  std::string mesh;   // a file; if empty:
  unsigned open = 0;  // side of an open field, world units
  std::size_t agents = 1000;
  std::size_t goals = 0;         // number of goals that the agents share; 0: each has its own
  std::size_t obstacles = 1000;  // number of obstacles that stay all the time
  std::size_t events = 200;      // number of obstacles that come and go one after the other
  std::size_t dear = 0;  // number of obstacles that make ground dearer; 0: no rows of repairs
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> landmarks;  // empty: as many as a world has
  bool json = false;
};

// Returns 0, 1 if an agent was settled on another cost than a fresh query finds, 2 if there is no
// room, 3 if the mesh cannot be read.
int run_navmesh_settle(const NavmeshSettleOptions& options);

}  // namespace repath::bench

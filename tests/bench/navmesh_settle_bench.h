// `repath-bench navmesh-settle`: what settling the agents of a navmesh costs after one obstacle
// came near somebody's path, and after it went, beside a fresh exact query for each agent
// concerned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace repath::bench {

struct NavmeshSettleOptions {
  std::string mesh;   // a file, or empty:
  unsigned open = 0;  // side of an open field, world units
  std::size_t agents = 1000;
  std::size_t goals = 0;         // that they share; 0: each has one of its own
  std::size_t obstacles = 1000;  // that are there all the time
  std::size_t events = 200;      // obstacles that come and go, one after the other
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> landmarks;  // empty: as many as a world has
  bool json = false;
};

// 0, 1 if somebody was settled on another cost than a fresh query finds, 2 if there is no room, 3
// if the mesh cannot be read.
int run_navmesh_settle(const NavmeshSettleOptions& options);

}  // namespace repath::bench

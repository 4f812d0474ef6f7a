// DetourTileCache over the ground of a bench, behind plain functions; navmesh-carve compares it
// with our carving. As in the library's demo: tiles of 48 voxels of 0.3 units, layers stored
// without compression, and a bump allocator for rebuilds.
//
// An obstacle is marked in the layers of the tiles it touches, at most 8. The library does not grow
// obstacles, so they are passed grown: a box grows by the radius on each side, corners included.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "bench/carve_obstacles.h"
#include "bench/navmesh_ground.h"

namespace repath::bench {

inline constexpr int kTileCacheVoxels = 48;

class TileCacheSide {
 public:
  // Makes a side with room for `obstacles` at a time, at most 65,535. A rebuild examines the room
  // of every obstacle, so take no more than are used. Returns null, with `*why`, if Recast or
  // Detour refuse.
  static std::unique_ptr<TileCacheSide> make(const NavmeshGround& ground, int obstacles,
                                             std::string* why);
  ~TileCacheSide();

  // Run until every tile is up to date. Return 0 or false if the edit is refused. REQUIRES: a box
  // or a cylinder.
  unsigned add(const BenchObstacle& obstacle);
  bool remove(unsigned obstacle);
  // Returns whether there is ground at the point, at most 1 unit above or below.
  bool is_free(Point at, double y) const;
  std::size_t tiles() const;

 private:
  TileCacheSide();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath::bench

// DetourTileCache over the ground of a bench, behind plain functions: what navmesh-carve sets
// beside our own carving. Tiles of 48 voxels of 0.3 units, layers kept as they are (no
// compression), a bump allocator for what a rebuild needs, as the library's demo has it.
//
// An obstacle is marked in the layers of the tiles it touches, at most 8 of them, and is not grown
// by the library: it is given grown. A box grows by the radius on each side, corners and all.
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
  // With room for so many obstacles at a time, at most 65,535: a rebuild looks at every place for
  // one, so there should be no more than are used. Null with `*why` if Recast or Detour refuse.
  static std::unique_ptr<TileCacheSide> make(const NavmeshGround& ground, int obstacles,
                                             std::string* why);
  ~TileCacheSide();

  // Until every tile is up to date. 0, or false: refused. REQUIRES: a box or a cylinder.
  unsigned add(const BenchObstacle& obstacle);
  bool remove(unsigned obstacle);
  // Whether there is ground at the point, at most 1 unit above or below.
  bool is_free(Point at, double y) const;
  std::size_t tiles() const;

 private:
  TileCacheSide();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath::bench

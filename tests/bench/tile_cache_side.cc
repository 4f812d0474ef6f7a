#include "bench/tile_cache_side.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>
#include <Recast.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace repath::bench {
namespace {

constexpr int kObstaclesMax = 65'535;  // their indexes have 16 bits
constexpr int kUpdatesMax = 64;        // in one edit; one for each tile
constexpr int kLayersOfTile = 4;

}  // namespace

// Needed for Impl, which has a name outside this file.
namespace tile_cache {

class PlainCompressor : public dtTileCacheCompressor {
 public:
  int maxCompressedSize(const int size) override { return size; }
  dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int,
                    int* made) override {
    std::memcpy(to, from, static_cast<std::size_t>(size));
    *made = size;
    return DT_SUCCESS;
  }
  dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int room,
                      int* made) override {
    if (size > room) return DT_FAILURE | DT_BUFFER_TOO_SMALL;
    std::memcpy(to, from, static_cast<std::size_t>(size));
    *made = size;
    return DT_SUCCESS;
  }
};

class BumpAllocator : public dtTileCacheAlloc {
 public:
  void reset() override { used_ = 0; }
  void* alloc(const std::size_t size) override {
    const std::size_t end = used_ + ((size + 15) & ~std::size_t{15});
    if (end > room_.size()) return nullptr;
    void* made = room_.data() + used_;
    used_ = end;
    return made;
  }
  void free(void*) override {}

 private:
  std::vector<unsigned char> room_ = std::vector<unsigned char>(std::size_t{1} << 20);
  std::size_t used_ = 0;
};

class AllGround : public dtTileCacheMeshProcess {
 public:
  void process(dtNavMeshCreateParams* params, unsigned char* areas,
               unsigned short* flags) override {
    for (int i = 0; i < params->polyCount; ++i) {
      areas[i] = 0;
      flags[i] = 1;
    }
  }
};

template <class T, void (*Free)(T*)>
struct FreeBy {
  void operator()(T* p) const { Free(p); }
};
template <class T, void (*Free)(T*)>
using Owned = std::unique_ptr<T, FreeBy<T, Free>>;

}  // namespace tile_cache

namespace {

float as_float(double v) { return static_cast<float>(v); }

}  // namespace

struct TileCacheSide::Impl {
  tile_cache::PlainCompressor compressor;
  tile_cache::BumpAllocator allocator;
  tile_cache::AllGround process;
  rcContext context{false};
  rcConfig config{};
  int tiles_x = 0;
  int tiles_z = 0;
  std::size_t tiles = 0;
  tile_cache::Owned<dtNavMesh, dtFreeNavMesh> mesh{dtAllocNavMesh()};
  tile_cache::Owned<dtNavMeshQuery, dtFreeNavMeshQuery> query{dtAllocNavMeshQuery()};
  tile_cache::Owned<dtTileCache, dtFreeTileCache> cache{dtAllocTileCache()};
  dtQueryFilter filter;

  void lay_out(const NavmeshGround& ground);
  bool init(int obstacles);
  bool build_tile(const NavmeshGround& ground, const std::vector<int>& triangles, int x, int z);
  bool add_layers(rcCompactHeightfield* compact, int x, int z);
  bool settle();
};

void TileCacheSide::Impl::lay_out(const NavmeshGround& ground) {
  const RecastParameters p;
  config.cs = as_float(p.cell_size);
  config.ch = as_float(p.cell_height);
  config.walkableSlopeAngle = as_float(p.slope_degrees);
  config.walkableHeight = static_cast<int>(std::ceil(p.agent_height / p.cell_height - 1e-9));
  config.walkableClimb = static_cast<int>(std::floor(p.agent_climb / p.cell_height + 1e-9));
  config.walkableRadius =
      ground.is_eroded ? static_cast<int>(std::ceil(p.agent_radius / p.cell_size - 1e-9)) : 0;
  config.maxSimplificationError = as_float(p.edge_error_max);
  config.tileSize = kTileCacheVoxels;
  config.borderSize = config.walkableRadius + 3;
  config.width = config.height = config.tileSize + 2 * config.borderSize;
  rcCalcBounds(ground.soup.vertices.data(), static_cast<int>(ground.soup.vertices.size() / 3),
               config.bmin, config.bmax);
  for (const int axis : {0, 2})
    config.bmin[axis] = std::floor(config.bmin[axis] / config.cs) * config.cs;
  const float side = static_cast<float>(config.tileSize) * config.cs;
  tiles_x = static_cast<int>((config.bmax[0] - config.bmin[0]) / side) + 1;
  tiles_z = static_cast<int>((config.bmax[2] - config.bmin[2]) / side) + 1;
}

bool TileCacheSide::Impl::init(int obstacles) {
  const RecastParameters p;
  dtTileCacheParams params{};
  std::copy(config.bmin, config.bmin + 3, params.orig);
  params.cs = config.cs;
  params.ch = config.ch;
  params.width = params.height = config.tileSize;
  params.walkableHeight = as_float(p.agent_height);
  params.walkableRadius = static_cast<float>(config.walkableRadius) * config.cs;
  params.walkableClimb = as_float(p.agent_climb);
  params.maxSimplificationError = config.maxSimplificationError;
  params.maxTiles = tiles_x * tiles_z * kLayersOfTile;
  params.maxObstacles = obstacles;
  dtNavMeshParams mesh_params{};
  std::copy(config.bmin, config.bmin + 3, mesh_params.orig);
  mesh_params.tileWidth = mesh_params.tileHeight = static_cast<float>(config.tileSize) * config.cs;
  const int tile_bits =
      std::min(14, static_cast<int>(std::bit_width(static_cast<unsigned>(params.maxTiles))));
  mesh_params.maxTiles = 1 << tile_bits;
  mesh_params.maxPolys = 1 << (22 - tile_bits);
  return params.maxTiles <= mesh_params.maxTiles &&
         !dtStatusFailed(cache->init(&params, &allocator, &compressor, &process)) &&
         !dtStatusFailed(mesh->init(&mesh_params)) &&
         !dtStatusFailed(query->init(mesh.get(), 1024));
}

bool TileCacheSide::Impl::build_tile(const NavmeshGround& ground, const std::vector<int>& triangles,
                                     int x, int z) {
  if (triangles.empty()) return true;
  const tile_cache::Owned<rcHeightfield, rcFreeHeightField> field(rcAllocHeightfield());
  const float side = static_cast<float>(config.tileSize) * config.cs;
  const float border = static_cast<float>(config.borderSize) * config.cs;
  const float low[3] = {config.bmin[0] + static_cast<float>(x) * side - border, config.bmin[1],
                        config.bmin[2] + static_cast<float>(z) * side - border};
  const float high[3] = {low[0] + side + 2 * border, config.bmax[1], low[2] + side + 2 * border};
  if (!rcCreateHeightfield(&context, *field, config.width, config.height, low, high, config.cs,
                           config.ch))
    return false;
  const auto count = static_cast<int>(triangles.size() / 3);
  std::vector<unsigned char> areas(triangles.size() / 3, 0);
  const float* vertices = ground.soup.vertices.data();
  const auto vertex_count = static_cast<int>(ground.soup.vertices.size() / 3);
  rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, vertices, vertex_count,
                          triangles.data(), count, areas.data());
  if (!rcRasterizeTriangles(&context, vertices, vertex_count, triangles.data(), areas.data(), count,
                            *field, config.walkableClimb))
    return false;
  rcFilterLowHangingWalkableObstacles(&context, config.walkableClimb, *field);
  rcFilterLedgeSpans(&context, config.walkableHeight, config.walkableClimb, *field);
  rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, *field);
  const tile_cache::Owned<rcCompactHeightfield, rcFreeCompactHeightfield> compact(
      rcAllocCompactHeightfield());
  return rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *field,
                                   *compact) &&
         rcErodeWalkableArea(&context, config.walkableRadius, *compact) &&
         add_layers(compact.get(), x, z);
}

bool TileCacheSide::Impl::add_layers(rcCompactHeightfield* compact, int x, int z) {
  const tile_cache::Owned<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet> set(
      rcAllocHeightfieldLayerSet());
  if (!rcBuildHeightfieldLayers(&context, *compact, config.borderSize, config.walkableHeight, *set))
    return false;
  const auto byte = [](int v) { return static_cast<unsigned char>(v); };
  for (int i = 0; i < std::min(set->nlayers, kLayersOfTile); ++i) {
    const rcHeightfieldLayer& layer = set->layers[i];
    dtTileCacheLayerHeader header{};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    header.tx = x;
    header.ty = z;
    header.tlayer = i;
    std::copy(layer.bmin, layer.bmin + 3, header.bmin);
    std::copy(layer.bmax, layer.bmax + 3, header.bmax);
    header.width = byte(layer.width);
    header.height = byte(layer.height);
    header.minx = byte(layer.minx);
    header.maxx = byte(layer.maxx);
    header.miny = byte(layer.miny);
    header.maxy = byte(layer.maxy);
    header.hmin = static_cast<unsigned short>(layer.hmin);
    header.hmax = static_cast<unsigned short>(layer.hmax);
    unsigned char* data = nullptr;
    int size = 0;
    if (dtStatusFailed(dtBuildTileCacheLayer(&compressor, &header, layer.heights, layer.areas,
                                             layer.cons, &data, &size)))
      return false;
    if (dtStatusFailed(cache->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, nullptr))) {
      dtFree(data);
      return false;
    }
    ++tiles;
  }
  return !dtStatusFailed(cache->buildNavMeshTilesAt(x, z, mesh.get()));
}

bool TileCacheSide::Impl::settle() {
  bool is_done = false;
  for (int i = 0; i < kUpdatesMax && !is_done; ++i)
    if (dtStatusFailed(cache->update(0, mesh.get(), &is_done))) return false;
  return is_done;
}

TileCacheSide::TileCacheSide() : impl_(std::make_unique<Impl>()) {}
TileCacheSide::~TileCacheSide() = default;

std::unique_ptr<TileCacheSide> TileCacheSide::make(const NavmeshGround& ground, int obstacles,
                                                   std::string* why) {
  std::unique_ptr<TileCacheSide> side(new TileCacheSide());
  Impl& impl = *side->impl_;
  impl.lay_out(ground);
  *why = "DetourTileCache refused the ground";
  if (obstacles > kObstaclesMax || !impl.init(obstacles)) return nullptr;
  const float width = static_cast<float>(kTileCacheVoxels) * impl.config.cs;
  const float margin = static_cast<float>(impl.config.borderSize + 1) * impl.config.cs;
  const auto tiles = static_cast<std::size_t>(impl.tiles_x * impl.tiles_z);
  std::vector<std::vector<int>> triangles(tiles);
  for (std::size_t t = 0; t < ground.soup.triangle_count(); ++t) {
    const int* corners = &ground.soup.triangles[3 * t];
    const auto range = [&](std::size_t axis, int end) {
      float low = 1e30F;
      float high = -1e30F;
      for (int k = 0; k < 3; ++k) {
        const float c = ground.soup.vertices[3 * static_cast<std::size_t>(corners[k]) + axis];
        low = std::min(low, c);
        high = std::max(high, c);
      }
      const auto tile = [&](float c) {
        return std::clamp(static_cast<int>(std::floor((c - impl.config.bmin[axis]) / width)), 0,
                          end - 1);
      };
      return std::pair(tile(low - margin), tile(high + margin));
    };
    const auto [left, right] = range(0, impl.tiles_x);
    const auto [top, bottom] = range(2, impl.tiles_z);
    for (int z = top; z <= bottom; ++z)
      for (int x = left; x <= right; ++x) {
        std::vector<int>& list = triangles[static_cast<std::size_t>(z * impl.tiles_x + x)];
        list.insert(list.end(), corners, corners + 3);
      }
  }
  for (int z = 0; z < impl.tiles_z; ++z)
    for (int x = 0; x < impl.tiles_x; ++x)
      if (!impl.build_tile(ground, triangles[static_cast<std::size_t>(z * impl.tiles_x + x)], x, z))
        return nullptr;
  return side;
}

unsigned TileCacheSide::add(const BenchObstacle& obstacle) {
  dtObstacleRef made = 0;
  dtStatus status = 0;
  const float x = as_float(obstacle.middle().x);
  const float z = as_float(obstacle.middle().z);
  if (const Box* box = std::get_if<Box>(&obstacle.shape)) {
    const double half_y = (kObstacleAbove + kObstacleBelow) / 2;
    const float middle[3] = {x, as_float(obstacle.y - kObstacleBelow + half_y), z};
    const float halves[3] = {as_float(box->half_x + obstacle.radius), as_float(half_y),
                             as_float(box->half_z + obstacle.radius)};
    status = impl_->cache->addBoxObstacle(middle, halves, as_float(-box->yaw), &made);
  } else {
    const float foot[3] = {x, as_float(obstacle.y - kObstacleBelow), z};
    status = impl_->cache->addObstacle(
        foot, as_float(std::get<Circle>(obstacle.shape).radius + obstacle.radius),
        as_float(kObstacleAbove + kObstacleBelow), &made);
  }
  if (dtStatusFailed(status)) return 0;
  if (impl_->settle()) return made;
  remove(made);  // a tile with it cannot be built
  return 0;
}

bool TileCacheSide::remove(unsigned obstacle) {
  return !dtStatusFailed(impl_->cache->removeObstacle(obstacle)) && impl_->settle();
}

bool TileCacheSide::is_free(Point at, double y) const {
  const float from[3] = {as_float(at.x), as_float(y), as_float(at.z)};
  const float extents[3] = {0.01F, 1, 0.01F};
  dtPolyRef polygon = 0;
  float found[3] = {0, 0, 0};
  impl_->query->findNearestPoly(from, extents, &impl_->filter, &polygon, found);
  return polygon != 0 && std::abs(found[0] - from[0]) < 0.01F &&
         std::abs(found[2] - from[2]) < 0.01F;
}

std::size_t TileCacheSide::tiles() const { return impl_->tiles; }

}  // namespace repath::bench

// Small tile sets as RecastDemo writes them, made by Detour's own builder, for tests of the
// importer, which shares no code with it.
#pragma once

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/check.h"

namespace repath::test {

template <class T>
void append(std::string* bytes, const T& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Returns a tile of 4 x 4 at (4 x, 0): bands along z, each `depth` deep, all joined. At x = 0 an
// off-mesh connection leads from its middle to the next tile's middle.
inline std::string tile_at(int x, unsigned short depth) {
  constexpr unsigned short kNone = 0xffff;
  std::vector<unsigned short> vertices;
  std::vector<unsigned short> polygons;
  const auto bands = static_cast<unsigned short>(8 / depth);
  for (unsigned short i = 0; i <= bands; ++i)
    for (const unsigned short side : std::initializer_list<unsigned short>{0, 8})
      vertices.insert(vertices.end(), {side, static_cast<unsigned short>(1),
                                       static_cast<unsigned short>(i * depth)});
  for (unsigned short i = 0; i < bands; ++i) {
    const auto v = static_cast<unsigned short>(2 * i);
    const auto below = i > 0 ? static_cast<unsigned short>(i - 1) : kNone;
    const auto above = i + 1 < bands ? static_cast<unsigned short>(i + 1) : kNone;
    // Clockwise: low left, up, high right, down. The sides at x = 0 and 8 are portals.
    const unsigned short corners[6] = {v,
                                       static_cast<unsigned short>(v + 2),
                                       static_cast<unsigned short>(v + 3),
                                       static_cast<unsigned short>(v + 1),
                                       kNone,
                                       kNone};
    const unsigned short across[6] = {0x8000 | 0, above, 0x8000 | 2, below, kNone, kNone};
    polygons.insert(polygons.end(), corners, corners + 6);
    polygons.insert(polygons.end(), across, across + 6);
  }
  const std::vector<unsigned short> flags(bands, 1);
  const std::vector<unsigned char> areas(bands, 5);
  const float connection[6] = {2, 0.5F, 2, 6, 0.5F, 2};
  const float radius = 0.5F;
  const unsigned short connection_flags = 8;
  const unsigned char connection_area = 7;
  const unsigned char direction = 0;
  const unsigned int user = 99;
  dtNavMeshCreateParams params{};
  params.verts = vertices.data();
  params.vertCount = static_cast<int>(vertices.size() / 3);
  params.polys = polygons.data();
  params.polyFlags = flags.data();
  params.polyAreas = areas.data();
  params.polyCount = bands;
  params.nvp = 6;
  params.offMeshConVerts = connection;
  params.offMeshConRad = &radius;
  params.offMeshConFlags = &connection_flags;
  params.offMeshConAreas = &connection_area;
  params.offMeshConDir = &direction;
  params.offMeshConUserID = &user;
  params.offMeshConCount = x == 0 ? 1 : 0;
  params.tileX = x;
  params.bmin[0] = static_cast<float>(4 * x);
  params.bmax[0] = static_cast<float>(4 * x + 4);
  params.bmax[1] = 1;
  params.bmax[2] = 4;
  params.walkableHeight = 2;
  params.walkableClimb = 0.9F;
  params.cs = 0.5F;
  params.ch = 0.5F;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  REPATH_CHECK(dtCreateNavMeshData(&params, &data, &size));
  std::string bytes(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  dtFree(data);
  return bytes;
}

// Returns the tile as a build with 64-bit references would have it: links of 16 bytes.
inline std::string widened(const std::string& tile) {
  std::int32_t counts[3];
  std::memcpy(counts, tile.data() + 24, sizeof counts);
  const auto after = 100 + static_cast<std::size_t>(counts[1] * 12 + counts[0] * 32);
  return tile.substr(0, after) + std::string(static_cast<std::size_t>(counts[2]) * 16, '\0') +
         tile.substr(after + static_cast<std::size_t>(counts[2]) * 12);
}

inline std::string tile_set(const std::vector<std::string>& tiles, bool is_wide) {
  std::string bytes;
  append(&bytes, std::int32_t{'M' << 24 | 'S' << 16 | 'E' << 8 | 'T'});
  append(&bytes, std::int32_t{1});
  append(&bytes, static_cast<std::int32_t>(tiles.size()));
  bytes.append(28, '\0');
  for (const std::string& tile : tiles) {
    const std::string data = is_wide ? widened(tile) : tile;
    if (is_wide) append(&bytes, std::uint64_t{1});
    if (!is_wide) append(&bytes, std::uint32_t{1});
    append(&bytes, static_cast<std::int32_t>(data.size()));
    if (is_wide) append(&bytes, std::int32_t{0});
    bytes += data;
  }
  return bytes;
}

inline std::string two_tiles(bool is_wide) {
  return tile_set({tile_at(0, 4), tile_at(1, 2)}, is_wide);
}

}  // namespace repath::test

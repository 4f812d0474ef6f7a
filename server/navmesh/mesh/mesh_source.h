// What a navigation mesh is made of, as importers and builders hand it over: corners on the
// lattice, polygons as lists of corners, links. Plain values; NavMesh::build says what is valid.
//
// Which polygons are neighbours is said by corners alone: two polygons that list the same two
// corners, in opposite order, share that edge. Corners with different numbers are different, even
// at one place: a bridge may cross a road, and two halls that touch at a corner stay apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/lattice.h"

namespace repath {

inline constexpr std::size_t kNavCellsMax = std::size_t{1} << 22;
inline constexpr std::size_t kNavVerticesMax = std::size_t{1} << 23;
inline constexpr std::size_t kNavEdgesMax = std::size_t{1} << 25;  // of all cells together
inline constexpr std::size_t kCellEdgesMax = 128;
inline constexpr std::size_t kNavLinksMax = 65'536;
inline constexpr unsigned kAreaTypes = 64;
inline constexpr double kHeightMax = 1e6;  // |y|, world units

// What the ground is, [0, kAreaTypes); what that costs is for a filter to say.
enum class AreaType : std::uint8_t {};
constexpr unsigned index(AreaType a) { return static_cast<unsigned>(a); }

// Where a cell came from, for messages and for tools; the mesh makes nothing of it.
struct Provenance {
  std::uint32_t tile = 0;
  std::uint32_t polygon = 0;
  bool operator==(const Provenance&) const = default;
};

// A way between two points of the mesh that does not lead over its ground: a ladder, a jump, a
// lift.
struct NavLink {
  std::uint64_t id = 0;         // the client's, unique in the mesh
  std::uint32_t from_cell = 0;  // place in MeshSource::cells, later the cell's index
  std::uint32_t to_cell = 0;
  LatticePoint from{};  // in the closed cell it names
  LatticePoint to{};
  double from_y = 0;
  double to_y = 0;
  std::uint32_t factor = 1000;  // thousandths, [1000, 1'000'000]: cost is straight length x factor
  AreaType area{};
  std::uint16_t flags = 0;
  bool both_ways = true;
  bool enabled = true;
  bool operator==(const NavLink&) const = default;
};

struct MeshSource {
  struct Vertex {
    LatticePoint at{};
    double y = 0;  // world units, |y| <= kHeightMax
    bool operator==(const Vertex&) const = default;
  };
  struct Cell {
    std::uint32_t first = 0;  // its corners are corners[first, first + count)
    std::uint32_t count = 0;
    AreaType area{};
    std::uint16_t flags = 1;  // a filter excludes cells by them
    Provenance origin{};
    bool operator==(const Cell&) const = default;
  };

  // Appends a cell. REQUIRES: room for its corners in 32 bits.
  Cell& add_cell(const std::vector<std::uint32_t>& vertices_of_cell) {
    cells.push_back({.first = static_cast<std::uint32_t>(corners.size()),
                     .count = static_cast<std::uint32_t>(vertices_of_cell.size())});
    corners.insert(corners.end(), vertices_of_cell.begin(), vertices_of_cell.end());
    return cells.back();
  }

  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> corners;  // places in `vertices`, counterclockwise (x right, z up)
  std::vector<Cell> cells;
  std::vector<NavLink> links;
};

}  // namespace repath

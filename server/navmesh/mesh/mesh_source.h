// The parts of a navigation mesh as importers and builders hand them over: corners on the lattice,
// polygons as lists of corners, links. Plain values; NavMesh::build defines which are valid.
//
// Corners alone decide which polygons are neighbours: two polygons that list the same two corners
// in opposite order share that edge. Corners with different numbers are different, even at one
// place: a bridge may cross a road, and two halls that touch at a corner stay separate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "geometry/lattice.h"

namespace repath {

inline constexpr std::size_t kNavCellsMax = std::size_t{1} << 22;
inline constexpr std::size_t kNavVerticesMax = std::size_t{1} << 23;
inline constexpr std::size_t kNavEdgesMax = std::size_t{1} << 25;  // of all cells together
inline constexpr std::size_t kCellEdgesMax = 128;
inline constexpr std::size_t kNavLinksMax = 65'536;
inline constexpr unsigned kAreaTypes = 64;
inline constexpr double kHeightMax = 1e6;  // |y|, world units

// The kind of ground, [0, kAreaTypes). A filter gives its cost.
enum class AreaType : std::uint8_t {};
constexpr unsigned index(AreaType a) { return static_cast<unsigned>(a); }

// A connection between two points of the mesh that does not lead over its ground: a ladder, a jump,
// a lift.
struct NavLink {
  std::uint64_t id = 0;         // chosen by the client, unique in the mesh
  std::uint32_t from_cell = 0;  // index in MeshSource::cells, later the cell's index
  std::uint32_t to_cell = 0;
  LatticePoint from{};  // in the closed cell it names
  LatticePoint to{};
  double from_y = 0;
  double to_y = 0;
  // Thousandths, [1000, 1'000'000]; the cost is the straight length times the factor.
  std::uint32_t factor = 1000;
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
    std::uint32_t first = 0;  // corners[first, first + count) are its corners
    std::uint32_t count = 0;
    AreaType area{};
    std::uint16_t flags = 1;  // bits by which a filter excludes cells
    bool operator==(const Cell&) const = default;
  };

  // Appends a cell. REQUIRES: the number of corners fits 32 bits.
  Cell& add_cell(const std::vector<std::uint32_t>& vertices_of_cell) {
    cells.push_back({.first = static_cast<std::uint32_t>(corners.size()),
                     .count = static_cast<std::uint32_t>(vertices_of_cell.size())});
    corners.insert(corners.end(), vertices_of_cell.begin(), vertices_of_cell.end());
    return cells.back();
  }
  // Appends a cell with the area type and flags of another one.
  void add_cell(const std::vector<std::uint32_t>& vertices_of_cell, const Cell& like) {
    Cell& cell = add_cell(vertices_of_cell);
    cell.area = like.area;
    cell.flags = like.flags;
  }
  // Returns the vertices of the cell. REQUIRES: they are within `corners`.
  std::span<const std::uint32_t> corners_of(const Cell& cell) const {
    return std::span(corners).subspan(cell.first, cell.count);
  }
  // Returns whether the point lies in the closed cell. REQUIRES: the cell is convex. Exact.
  bool holds(const Cell& cell, LatticePoint p) const {
    const std::span<const std::uint32_t> ring = corners_of(cell);
    for (std::size_t k = 0; k < ring.size(); ++k)
      if (turn(vertices[ring[k]].at, vertices[ring[(k + 1) % ring.size()]].at, p) < 0) return false;
    return true;
  }

  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> corners;  // indexes in `vertices`, counterclockwise (x right, z up)
  std::vector<Cell> cells;
  std::vector<NavLink> links;
};

// Returns OK iff sizes, vertices, cells and links are within their limits, every cell is convex,
// and every link ends in its cells. Errors are those of NavMesh::build. O(corners).
absl::Status check_source(const MeshSource& source);

}  // namespace repath

// Random small navigation meshes for property tests: squares with holes, squares merged into bars
// with corners along their sides, and triangles over a jittered grid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/small_meshes.h"

namespace repath::test {

inline std::vector<std::string> random_rows(Random* random, std::uint32_t side_max) {
  const std::uint32_t width = 2 + random->below(side_max - 1);
  const std::uint32_t height = 2 + random->below(side_max - 1);
  const std::uint32_t blocked = random->below(50);
  std::vector<std::string> rows(height, std::string(width, '.'));
  for (auto& row : rows)
    for (char& c : row)
      if (random->below(100) < blocked) c = '#';
  rows[0][0] = '.';
  return rows;
}

// Joins squares that stand side by side in a row into cells, cut at random. Corners of the rows
// above and below lie along their sides.
inline MeshSource random_bars(Random* random, std::uint32_t side_max) {
  const MeshSource squares_source = squares(random_rows(random, side_max));
  MeshSource source;
  source.vertices = squares_source.vertices;
  std::vector<std::uint32_t> lower;
  std::vector<std::uint32_t> upper;
  const auto flush = [&] {
    if (lower.empty()) return;
    std::vector<std::uint32_t> cell = lower;
    cell.insert(cell.end(), upper.rbegin(), upper.rend());
    source.add_cell(cell);
    lower.clear();
    upper.clear();
  };
  for (const auto& cell : squares_source.cells) {
    const std::uint32_t* v = &squares_source.corners[cell.first];
    if (lower.empty() || lower.back() != v[0] || random->below(4) == 0) {
      flush();
      lower = {v[0], v[1]};
      upper = {v[3], v[2]};
    } else {
      lower.push_back(v[1]);
      upper.push_back(v[2]);
    }
  }
  flush();
  return source;
}

// Makes two triangles of each square, with corners moved by less than a quarter, and leaves out
// some triangles.
inline MeshSource random_triangles(Random* random, std::uint32_t side_max) {
  const MeshSource whole = squares(random_rows(random, side_max));
  MeshSource source;
  source.vertices = whole.vertices;
  for (auto& vertex : source.vertices) {
    vertex.at.x += static_cast<std::int32_t>(random->below(7600)) - 3800;
    vertex.at.z += static_cast<std::int32_t>(random->below(7600)) - 3800;
  }
  const std::uint32_t blocked = random->below(40);
  for (const auto& cell : whole.cells) {
    const std::uint32_t* v = &whole.corners[cell.first];
    const std::uint32_t turn_by = random->below(2);
    if (random->below(100) >= blocked || source.cells.empty())
      source.add_cell({v[turn_by], v[turn_by + 1], v[(turn_by + 2) % 4]});
    if (random->below(100) >= blocked)
      source.add_cell({v[turn_by], v[(turn_by + 2) % 4], v[(turn_by + 3) % 4]});
  }
  return source;
}

inline MeshSource random_mesh(Random* random, std::uint32_t side_max) {
  switch (random->below(3)) {
    case 0:
      return squares(random_rows(random, side_max));
    case 1:
      return random_bars(random, side_max);
    default:
      return random_triangles(random, side_max);
  }
}

// Turns and enlarges the mesh by whole numbers. Points on a line stay on a line, but not along an
// axis, and products of coordinates exceed the precision of doubles. REQUIRES: the result is within
// the extent.
inline void stretch(std::int32_t along, std::int32_t across, MeshSource* source) {
  for (auto& vertex : source->vertices) {
    const LatticePoint p = vertex.at;
    vertex.at = {p.x * along - p.z * across, p.x * across + p.z * along};
  }
}

// Returns a point of a random cell, in lattice steps: inside, on an edge, or one of its corners.
inline void random_point_of(Random* random, const MeshSource& source, std::uint32_t* cell,
                            double* x, double* z) {
  *cell = random->below(static_cast<std::uint32_t>(source.cells.size()));
  const MeshSource::Cell& c = source.cells[*cell];
  const auto corner = [&](std::uint32_t k) {
    return source.vertices[source.corners[c.first + k % c.count]].at;
  };
  const std::uint32_t k = random->below(c.count);
  const std::uint32_t kind = random->below(4);
  const LatticePoint a = corner(k);
  const LatticePoint b = corner(k + 1);
  const LatticePoint d = corner(k + 2);
  *x = a.x;
  *z = a.z;
  if (kind == 0) return;
  if (kind == 1) {  // half-way along an edge, exact
    *x = (a.x + b.x) / 2.0;
    *z = (a.z + b.z) / 2.0;
    return;
  }
  double u = random->unit();
  double v = random->unit();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  u = 0.001 + 0.998 * u;
  v = 0.001 + 0.998 * v * (1 - u);
  *x = a.x + u * (b.x - a.x) + v * (d.x - a.x);
  *z = a.z + u * (b.z - a.z) + v * (d.z - a.z);
}

}  // namespace repath::test

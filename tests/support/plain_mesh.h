// The plain model of shortest paths on small meshes: a visibility graph over all vertices. Segments
// are examined piece by piece, with doubles and a tolerance far below the lattice. It reads a
// MeshSource and shares no code with the searches. Floors are distinguished by which cells are
// connected.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "navmesh/mesh/mesh_source.h"

namespace repath::test {

class PlainMesh {
 public:
  struct Spot {
    double x, z;                     // world units
    std::vector<std::uint32_t> fan;  // cells that hold it and are connected there
  };
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  explicit PlainMesh(const MeshSource& source) {
    for (const MeshSource::Cell& cell : source.cells) {
      std::vector<std::uint32_t> ids;
      std::vector<std::pair<double, double>> points;
      for (std::uint32_t k = 0; k < cell.count; ++k) {
        const std::uint32_t v = source.corners[cell.first + k];
        ids.push_back(v);
        points.push_back({source.vertices[v].at.x / 16000.0, source.vertices[v].at.z / 16000.0});
      }
      for (std::uint32_t k = 0; k < cell.count; ++k)
        sides_[std::minmax(ids[k], ids[(k + 1) % cell.count])].push_back(
            static_cast<std::uint32_t>(cells_.size()));
      cells_.push_back(points);
      ids_.push_back(ids);
    }
    std::map<std::pair<double, double>, bool> seen;
    for (const auto& cell : cells_)
      for (const auto& p : cell)
        if (!std::exchange(seen[p], true)) add_vertex(p);
    between_.assign(spots_.size(), std::vector<double>(spots_.size(), kFar));
    for (std::size_t i = 0; i < spots_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        between_[i][j] = between_[j][i] = straight(spots_[i], spots_[j]);
  }

  // Returns the place in the cell. REQUIRES: the cell holds it.
  Spot spot(double x, double z, std::uint32_t cell) const {
    Spot at{x, z, {}};
    for (const auto& fan : fans(x, z))
      if (std::find(fan.begin(), fan.end(), cell) != fan.end()) at.fan = fan;
    return at;
  }

  // Returns the length of the segment; kFar if it leaves the ground or passes where blocked ground
  // touches itself.
  double straight(const Spot& a, const Spot& b) const {
    std::vector<double> cuts{0, 1};
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    const double length = std::sqrt(dx * dx + dz * dz);
    if (length < kClose) return meet(a.fan, b.fan) ? 0 : kFar;
    for (const auto& cell : cells_)
      for (std::size_t k = 0; k < cell.size(); ++k)
        cut(a, dx, dz, cell[k], cell[(k + 1) % cell.size()], &cuts);
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::uint32_t> here = a.fan;  // cells around the last cut
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if ((cuts[i + 1] - cuts[i]) * length < kClose) continue;
      const double middle = (cuts[i] + cuts[i + 1]) / 2;
      std::vector<std::uint32_t> inside = holders(a.x + middle * dx, a.z + middle * dz);
      std::erase_if(inside, [&here](std::uint32_t c) { return !meet(here, {c}); });  // other floors
      if (inside.empty()) return kFar;
      // The fan that those cells belong to at the next cut.
      const double x = a.x + cuts[i + 1] * dx;
      const double z = a.z + cuts[i + 1] * dz;
      here.clear();
      for (const auto& fan : fans(x, z))
        if (meet(fan, inside)) here.insert(here.end(), fan.begin(), fan.end());
    }
    return meet(here, b.fan) ? length : kFar;
  }

  // Returns the length of a shortest path; kFar if there is none. O(vertices^2), plus two sweeps.
  double shortest(const Spot& start, const Spot& goal) const {
    const std::size_t n = spots_.size();
    double best = straight(start, goal);
    std::vector<double> g(n);
    std::vector<double> rest(n);
    for (std::size_t i = 0; i < n; ++i) {
      g[i] = straight(start, spots_[i]);
      rest[i] = straight(spots_[i], goal);
    }
    std::vector<bool> is_done(n, false);
    for (;;) {
      std::size_t least = n;
      for (std::size_t i = 0; i < n; ++i)
        if (!is_done[i] && g[i] < kFar && (least == n || g[i] < g[least])) least = i;
      if (least == n) return best;
      is_done[least] = true;
      best = std::min(best, g[least] + rest[least]);
      for (std::size_t i = 0; i < n; ++i) g[i] = std::min(g[i], g[least] + between_[least][i]);
    }
  }

  std::vector<std::uint32_t> holders(double x, double z) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
      bool is_in = true;
      for (std::size_t k = 0; k < cells_[c].size(); ++k)
        is_in =
            is_in && distance(cells_[c][k], cells_[c][(k + 1) % cells_[c].size()], x, z) > -kClose;
      if (is_in) found.push_back(c);
    }
    return found;
  }

 private:
  using Pair = std::pair<double, double>;
  static constexpr double kClose = 1e-8;

  // Returns the distance to the left of the line a -> b.
  static double distance(const Pair& a, const Pair& b, double x, double z) {
    const double dx = b.first - a.first;
    const double dz = b.second - a.second;
    return (dx * (z - a.second) - dz * (x - a.first)) / std::sqrt(dx * dx + dz * dz);
  }
  static bool meet(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t c) {
      return std::find(b.begin(), b.end(), c) != b.end();
    });
  }
  static void cut(const Spot& a, double dx, double dz, const Pair& p, const Pair& q,
                  std::vector<double>* cuts) {
    const double ex = q.first - p.first;
    const double ez = q.second - p.second;
    const double px = p.first - a.x;
    const double pz = p.second - a.z;
    const double cross = dx * ez - dz * ex;
    const double length2 = dx * dx + dz * dz;
    if (std::abs(cross) > 1e-12) {
      const double t = (px * ez - pz * ex) / cross;
      const double u = (px * dz - pz * dx) / cross;
      if (t > 0 && t < 1 && u > -1e-9 && u < 1 + 1e-9) cuts->push_back(t);
    }
    const double on = (px * dx + pz * dz) / length2;  // ends on or along the segment
    if (on > 0 && on < 1) cuts->push_back(on);
  }
  void add_vertex(const Pair& p) {
    for (auto& fan : fans(p.first, p.second)) spots_.push_back({p.first, p.second, fan});
  }
  // Returns the cells that hold the point, grouped by edges through it.
  std::vector<std::vector<std::uint32_t>> fans(double x, double z) const {
    std::vector<std::uint32_t> left = holders(x, z);
    std::vector<std::vector<std::uint32_t>> groups;
    while (!left.empty()) {
      std::vector<std::uint32_t> group{left.back()};
      left.pop_back();
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t k = left.size(); k-- > 0;)
          if (share_edge_at(group[i], left[k], x, z)) {
            group.push_back(left[k]);
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
          }
      groups.push_back(group);
    }
    return groups;
  }
  bool share_edge_at(std::uint32_t a, std::uint32_t b, double x, double z) const {
    const std::size_t n = cells_[a].size();
    for (std::size_t k = 0; k < n; ++k) {
      const auto& side = sides_.at(std::minmax(ids_[a][k], ids_[a][(k + 1) % n]));
      if (std::find(side.begin(), side.end(), b) == side.end()) continue;
      const Pair& p = cells_[a][k];
      const Pair& q = cells_[a][(k + 1) % n];
      if (std::abs(distance(p, q, x, z)) < kClose && x > std::min(p.first, q.first) - kClose &&
          x < std::max(p.first, q.first) + kClose && z > std::min(p.second, q.second) - kClose &&
          z < std::max(p.second, q.second) + kClose)
        return true;
    }
    return false;
  }

  std::vector<std::vector<Pair>> cells_;
  std::vector<std::vector<std::uint32_t>> ids_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sides_;
  std::vector<Spot> spots_;
  std::vector<std::vector<double>> between_;
};

}  // namespace repath::test

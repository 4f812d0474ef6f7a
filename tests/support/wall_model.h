// A plain model of ground whose walls are grown: the walls of a mesh on one floor, how far a place
// is from being within one of them, and what a fine raster says of which places lead to which.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath::test {

// Greatest distance by which a grown wall reaches beyond the exact 16-gon, and what carving moves.
inline constexpr double kWallRounding = 0.003;

class WallModel {
 public:
  WallModel(MeshSource source, double radius) : source_(std::move(source)), radius_(radius) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& cell : source_.cells) {
      const auto ring = source_.corners_of(cell);
      for (std::size_t k = 0; k < ring.size(); ++k)
        edges[{ring[k], ring[(k + 1) % ring.size()]}] = 1;
    }
    for (const auto& [edge, one] : edges)
      if (!edges.contains({edge.second, edge.first}))
        walls_.push_back({to_point(source_.vertices[edge.first].at),
                          to_point(source_.vertices[edge.second].at)});
    for (int k = 0; k < 16; ++k) {
      const double half = M_PI / 16;
      normals_[k] = {std::cos((2 * k + 1) * half), std::sin((2 * k + 1) * half)};
      corners_[k] = {radius * std::cos(2 * k * half) / std::cos(half),
                     radius * std::sin(2 * k * half) / std::cos(half)};
    }
  }

  const std::vector<std::pair<Point, Point>>& walls() const { return walls_; }

  bool is_ground(Point at) const {
    const LatticePoint p = to_lattice(at);
    return std::ranges::any_of(source_.cells,
                               [&](const auto& cell) { return source_.holds(cell, p); });
  }

  // Returns how far the place is from the nearest grown wall; below 0: how deep it lies in one.
  double gap(Point at) const {
    double least = std::numeric_limits<double>::infinity();
    if (radius_ == 0) return least;
    for (const auto& [a, b] : walls_) least = std::min(least, gap_to(a, b, at));
    return least;
  }

 private:
  static double dot(Point a, Point b) { return a.x * b.x + a.z * b.z; }

  double gap_to(Point a, Point b, Point at) const {
    double most = -std::numeric_limits<double>::infinity();
    const auto look = [&](Point normal, double reach) {
      most = std::max(most, dot(normal, at) - std::max(dot(normal, a), dot(normal, b)) - reach);
    };
    for (const Point normal : normals_) look(normal, radius_);
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    for (const double way : {1.0, -1.0}) {
      const Point normal{way * (b.z - a.z) / length, -way * (b.x - a.x) / length};
      double reach = 0;
      for (const Point corner : corners_) reach = std::max(reach, dot(normal, corner));
      look(normal, reach);
    }
    return most;
  }

  MeshSource source_;
  double radius_;
  std::vector<std::pair<Point, Point>> walls_;
  std::array<Point, 16> normals_;  // of the sides of the 16-gon around the unit circle
  std::array<Point, 16> corners_;  // of the 16-gon around the radius
};

// The raster over [0, side] squared. Two labels for each point: points that certainly lead to each
// other have equal sure(), and points that may lead to each other have equal perhaps(). 0: the
// point is not free.
class WallRaster {
 public:
  WallRaster(const WallModel& model, double side, double step)
      : n_(static_cast<int>(side / step) + 1), step_(step) {
    std::vector<double> gaps;
    for (int i = 0; i < n_ * n_; ++i) {
      const Point at = point(i);
      gaps.push_back(model.is_ground(at) ? model.gap(at) : -side);
    }
    sure_ = flood(gaps, step / 2 + kWallRounding, false);
    perhaps_ = flood(gaps, -0.75 * step - kWallRounding, true);
  }

  int size() const { return n_ * n_; }
  Point point(int i) const { return {i % n_ * step_, i / n_ * step_}; }
  int sure(int i) const { return sure_[static_cast<std::size_t>(i)]; }
  int perhaps(int i) const { return perhaps_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<int> flood(const std::vector<double>& gaps, double least, bool has_diagonals) const {
    std::vector<int> labels(gaps.size(), 0);
    int label = 0;
    for (int first = 0; first < size(); ++first) {
      if (gaps[static_cast<std::size_t>(first)] < least || labels[static_cast<std::size_t>(first)])
        continue;
      std::vector<int> open{first};
      labels[static_cast<std::size_t>(first)] = ++label;
      while (!open.empty()) {
        const int i = open.back();
        open.pop_back();
        for (int dz = -1; dz <= 1; ++dz)
          for (int dx = -1; dx <= 1; ++dx) {
            const int x = i % n_ + dx;
            const int z = i / n_ + dz;
            if (x < 0 || z < 0 || x >= n_ || z >= n_ || (!has_diagonals && dx * dz != 0)) continue;
            const auto next = static_cast<std::size_t>(z * n_ + x);
            if (labels[next] != 0 || gaps[next] < least) continue;
            labels[next] = label;
            open.push_back(z * n_ + x);
          }
      }
    }
    return labels;
  }

  int n_;
  double step_;
  std::vector<int> sure_;
  std::vector<int> perhaps_;
};

}  // namespace repath::test

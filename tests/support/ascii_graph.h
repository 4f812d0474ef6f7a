// A small 8-connected grid drawn in the test. It is a SearchGraph that shares no code with
// server/grid.
//
// '#' is blocked, '.' free with factor 1, a digit free with that factor, and any other letter a
// free, named cell. A diagonal step needs both of its flanks free. A step costs its length times
// the mean of both factors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"

namespace repath::test {

class AsciiGraph {
 public:
  // Makes a grid whose cells are all free with factor 1.
  AsciiGraph(int width, int height)
      : width_(width), height_(height), factor_(static_cast<std::size_t>(width * height), 1) {}

  int width() const { return width_; }
  int height() const { return height_; }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(factor_.size()); }
  NodeId node_at(int x, int y) const { return NodeId{static_cast<std::uint32_t>(y * width_ + x)}; }
  int x_of(NodeId n) const { return static_cast<int>(index(n)) % width_; }
  int y_of(NodeId n) const { return static_cast<int>(index(n)) / width_; }

  bool is_free(int x, int y) const { return factor(x, y) != 0; }
  // Returns 0 for blocked cells and outside.
  Cost factor(int x, int y) const {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return 0;
    return factor_[index(node_at(x, y))];
  }
  void set_factor(int x, int y, Cost factor) { factor_[index(node_at(x, y))] = factor; }
  void toggle(int x, int y) { set_factor(x, y, is_free(x, y) ? 0 : 1); }

  // Returns the octile distance.
  Cost heuristic(NodeId a, NodeId b) const {
    const auto dx = static_cast<Cost>(std::abs(x_of(a) - x_of(b)));
    const auto dy = static_cast<Cost>(std::abs(y_of(a) - y_of(b)));
    const Cost diagonal = std::min(dx, dy);
    return kDiagonalStep * diagonal + kStraightStep * (std::max(dx, dy) - diagonal);
  }

  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    const int x = x_of(n);
    const int y = y_of(n);
    if (!is_free(x, y)) return;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || !is_free(x + dx, y + dy)) continue;
        if (!is_free(x + dx, y) || !is_free(x, y + dy)) continue;
        const Cost length = dx != 0 && dy != 0 ? kDiagonalStep : kStraightStep;
        visit(node_at(x + dx, y + dy), length * (factor(x, y) + factor(x + dx, y + dy)) / 2);
      }
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    for_each_successor(n, std::forward<Visit>(visit));
  }

  // Returns kUnreachable if there is no edge.
  Cost cost_between(NodeId a, NodeId b) const {
    Cost cost = kUnreachable;
    for_each_successor(a, [&](NodeId n, Cost step) { cost = n == b ? step : cost; });
    return cost;
  }

  // Calls visit(NodeId) for every node with an edge, open or closed, whose cost depends on (x, y).
  template <class Visit>
  void for_each_affected(int x, int y, Visit&& visit) const {
    for (int ny = std::max(0, y - 1); ny <= std::min(height_ - 1, y + 1); ++ny)
      for (int nx = std::max(0, x - 1); nx <= std::min(width_ - 1, x + 1); ++nx)
        visit(node_at(nx, ny));
  }

 private:
  int width_;
  int height_;
  std::vector<Cost> factor_;
};

struct Drawing {
  AsciiGraph graph;
  std::map<char, NodeId> at;  // the named cells
};

inline Drawing draw(const std::vector<std::string_view>& rows) {
  Drawing d{AsciiGraph(static_cast<int>(rows.front().size()), static_cast<int>(rows.size())), {}};
  for (int y = 0; y < d.graph.height(); ++y)
    for (int x = 0; x < d.graph.width(); ++x) {
      const char c = rows[static_cast<std::size_t>(y)].at(static_cast<std::size_t>(x));
      if (c == '#') d.graph.set_factor(x, y, 0);
      if (c >= '1' && c <= '9') d.graph.set_factor(x, y, static_cast<Cost>(c - '0'));
      if (c >= 'A') d.at[c] = d.graph.node_at(x, y);
    }
  return d;
}

}  // namespace repath::test

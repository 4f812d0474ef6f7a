// A small weighted directed graph that is a SearchGraph: one-way edges with any costs. Its nodes
// lie in a plane, so that it has a lower bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "base/ids.h"

namespace repath::test {

class DirectedGraph {
 public:
  struct Point {
    int x = 0;
    int y = 0;
  };

  // Makes one node for each point, without edges.
  explicit DirectedGraph(std::vector<Point> points)
      : points_(std::move(points)), cost_(points_.size() * points_.size(), kUnreachable) {}

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(points_.size()); }

  // Returns the edge's cost; kUnreachable if there is none.
  Cost cost(NodeId from, NodeId to) const { return cost_[at(from, to)]; }
  // Sets the cost of an edge; kUnreachable removes the edge. REQUIRES: cost >= 1 and >=
  // heuristic(from, to).
  void set_cost(NodeId from, NodeId to, Cost cost) {
    REPATH_CHECK(cost >= 1 && cost >= heuristic(from, to));
    cost_[at(from, to)] = cost;
  }

  // Returns the greater of both coordinate differences.
  Cost heuristic(NodeId a, NodeId b) const {
    const Point p = points_[index(a)];
    const Point q = points_[index(b)];
    return static_cast<Cost>(std::max(std::abs(p.x - q.x), std::abs(p.y - q.y)));
  }

  // Visits in descending order of ids, so that a search that takes the first node for the least
  // fails.
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    for (std::uint32_t m = node_count(); m-- > 0;)
      if (const Cost c = cost(n, NodeId{m}); c != kUnreachable) visit(NodeId{m}, c);
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    for (std::uint32_t m = node_count(); m-- > 0;)
      if (const Cost c = cost(NodeId{m}, n); c != kUnreachable) visit(NodeId{m}, c);
  }

 private:
  std::size_t at(NodeId from, NodeId to) const {
    return std::size_t{index(from)} * points_.size() + index(to);
  }

  std::vector<Point> points_;
  std::vector<Cost> cost_;  // row = from, column = to
};

}  // namespace repath::test

// Cells as pairs, boxes of cells, and the metric between them. Plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/cost.h"
#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/costs.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

struct Place {
  std::int32_t x = 0;
  std::int32_t y = 0;
  bool operator==(const Place&) const = default;
};

inline Place place_of(const GridLayer& layer, NodeId n) {
  const std::int32_t y = layer.y_of(n);
  return {static_cast<std::int32_t>(index(n)) - y * layer.width(), y};
}

// REQUIRES: the point is on the map.
inline Place place_of(MapPoint p) {
  return {static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y)};
}
inline NodeId node_at(const GridLayer& layer, MapPoint p) {
  const Place place = place_of(p);
  return layer.node_at(place.x, place.y);
}

// A box of cells; all limits are inclusive. A new box is empty.
struct PlaceBox {
  std::int32_t x0 = 1;
  std::int32_t y0 = 1;
  std::int32_t x1 = 0;
  std::int32_t y1 = 0;

  bool empty() const { return x0 > x1; }
  bool contains(Place p) const { return p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1; }
  // Returns a number of steps that no path from p to the box undercuts, whatever the topology; 0
  // for places in the box. REQUIRES: !empty().
  std::uint32_t steps_to(Place p) const {
    return static_cast<std::uint32_t>(std::max({x0 - p.x, p.x - x1, y0 - p.y, p.y - y1, 0}));
  }
  void add(Place p) {
    if (empty()) {
      *this = {p.x, p.y, p.x, p.y};
      return;
    }
    x0 = std::min(x0, p.x);
    y0 = std::min(y0, p.y);
    x1 = std::max(x1, p.x);
    y1 = std::max(y1, p.y);
  }
};

// A lower bound of the cost of every path between two cells: that of a path in which every step has
// factor 1, the least there is.
struct Metric {
  Topology topology = Topology::k8;

  // Returns the bound for cells that are `dx` columns and `dy` rows apart. On hexagons it depends
  // on the rows themselves; there this is the least of all.
  Cost operator()(std::uint32_t dx, std::uint32_t dy) const {
    if (topology == Topology::kHex) return kStraightStep * hex_distance_bound(dx, dy);
    return topology == Topology::k8 ? octile_cost(dx, dy) : manhattan_cost(dx, dy);
  }
  Cost between(Place a, Place b) const {
    if (topology == Topology::kHex) return kStraightStep * hex_distance(a.x, a.y, b.x, b.y);
    return (*this)(static_cast<std::uint32_t>(std::abs(a.x - b.x)),
                   static_cast<std::uint32_t>(std::abs(a.y - b.y)));
  }
  // Returns the bound for the nearest cell of the box. The metric grows with either difference.
  // REQUIRES: the box is not empty.
  Cost to_box(Place a, const PlaceBox& box) const {
    const std::int32_t dx = std::max({box.x0 - a.x, a.x - box.x1, 0});
    const std::int32_t dy = std::max({box.y0 - a.y, a.y - box.y1, 0});
    return (*this)(static_cast<std::uint32_t>(dx), static_cast<std::uint32_t>(dy));
  }
  // Returns the bound between the nearest cells of two boxes. REQUIRES: neither box is empty.
  Cost between(const PlaceBox& a, const PlaceBox& b) const {
    const std::int32_t dx = std::max({b.x0 - a.x1, a.x0 - b.x1, 0});
    const std::int32_t dy = std::max({b.y0 - a.y1, a.y0 - b.y1, 0});
    return (*this)(static_cast<std::uint32_t>(dx), static_cast<std::uint32_t>(dy));
  }
};

}  // namespace repath

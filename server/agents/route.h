// Ways through worlds that are no grids: points in space joined by straight legs. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/cost.h"

namespace repath {

// World units, y up.
struct Spot {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Spot&) const = default;
};

// Costs in worlds of routes are whole multiples of 1 / kRouteCostUnit of a world unit, so that sums
// are exact and compare. A length is rounded up: no sum of legs is less than the straight distance.
inline constexpr double kRouteCostUnit = 1073741824.0;  // 2^30
// Of costs that are sums of rounded lengths: those no farther apart count as equal, a millionth of
// a world unit. Points on the way are rounded to the lattice of the ground and legs to units.
inline constexpr Cost kRouteCostSlack = static_cast<Cost>(kRouteCostUnit * 1e-6);
constexpr double units_from_route_cost(Cost c) { return static_cast<double>(c) / kRouteCostUnit; }

// Where a route begins, turns or ends.
struct RoutePoint {
  Spot at;
  std::uint64_t node = 0;               // waypoint graphs: the client's id of the node
  std::uint8_t area = 0;                // of the ground from here on
  std::optional<std::uint64_t> link{};  // the client's id of the link taken from here to the next
  bool operator==(const RoutePoint&) const = default;
};

// A place that somebody can stand on. `cell` is the mesh's cell or the graph's node, and means
// something to the ground that gave it only (see RouteGround).
struct RoutePlace {
  Spot at;
  std::uint32_t cell = 0;
};

// On the plane, closed.
struct RouteBox {
  double min_x = std::numeric_limits<double>::infinity();
  double min_z = std::numeric_limits<double>::infinity();
  double max_x = -std::numeric_limits<double>::infinity();
  double max_z = -std::numeric_limits<double>::infinity();
  bool operator==(const RouteBox&) const = default;
};

}  // namespace repath

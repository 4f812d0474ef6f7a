// Paths through meshes and graphs: points in space, joined by straight legs. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/cost.h"

namespace repath {

// A point in world units; y is up.
struct Spot {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Spot&) const = default;
};

// Costs on meshes and graphs are whole multiples of 1 / kRouteCostUnit of a world unit, so that
// sums are exact and can be compared. A length is rounded up, so the sum of the legs is never less
// than the straight distance.
inline constexpr double kRouteCostUnit = 1073741824.0;  // 2^30
// Costs that are sums of rounded lengths count as equal if they differ by at most this, a millionth
// of a world unit. Points of a path are rounded to the lattice of the ground, and legs to cost
// units.
inline constexpr Cost kRouteCostSlack = static_cast<Cost>(kRouteCostUnit * 1e-6);
// The farthest that searches of areas look on meshes, in world units of cost, and the most that one
// length or link costs. Three times as much still fits in a Cost.
inline constexpr double kFarthestWay = 0x1p32;
constexpr double units_from_route_cost(Cost c) { return static_cast<double>(c) / kRouteCostUnit; }

// A point where a path begins, turns or ends.
struct RoutePoint {
  Spot at;
  std::uint64_t node = 0;               // waypoint graphs: the client's id of the node
  std::uint8_t area = 0;                // area type of the ground from here on
  std::optional<std::uint64_t> link{};  // client's id of the link from here to the next point
  std::uint8_t key = 0;  // waypoint graphs: key of the edge from here to the next point
  bool operator==(const RoutePoint&) const = default;
};

// A place where an agent can stand. `cell` is the mesh's cell or the graph's node; only the ground
// that returned the place can interpret it.
struct RoutePlace {
  Spot at;
  std::uint32_t cell = 0;
};

// A closed box in the plane, in world units.
struct RouteBox {
  double min_x = std::numeric_limits<double>::infinity();
  double min_z = std::numeric_limits<double>::infinity();
  double max_x = -std::numeric_limits<double>::infinity();
  double max_z = -std::numeric_limits<double>::infinity();
  bool operator==(const RouteBox&) const = default;
};

}  // namespace repath

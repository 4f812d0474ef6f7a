// From positions and goals to places on the ground as it is now. Pure functions, safe on any thread
// as the ground is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/map_point.h"
#include "routes/route_ground.h"

namespace repath {

// How far from the ground somebody may be found who still counts as standing on it: what rounding
// moves, not what anybody walks. World units.
inline constexpr double kStandReach = 0.001;
// How far the place may be that stands in for one in an obstacle (AgentSpec::snap_start), and how
// far from the world's bounds a client's points may lie. World units.
inline constexpr double kRouteSnapReach = 64;

inline Spot spot_of(const MapPoint& p) { return {p.x, p.height, p.y}; }
inline MapPoint point_of(const Spot& at) { return {at.x, at.z, at.y}; }

// Where somebody stands who was seen at `at`, on the floor that the height tells. Empty: in an
// obstacle, or nowhere near the ground.
std::optional<RoutePlace> stand_at(const RouteGround& ground, const Spot& at);
// Where somebody stands now whose place on the ground was `at`: on no other floor. Empty: something
// is over it.
std::optional<RoutePlace> stand_again(const RouteGround& ground, const Spot& at);

// As RouteGround::walk, but both ends may be off the ground by kStandReach: places beside an
// obstacle move by what a lattice rounds when others are carved into its sides.
RouteWalk walk_route(const RouteGround& ground, std::span<const RoutePoint> route);

// The places of the goals that have one: where somebody at the goal would stand, or with a radius
// the nearest within it.
std::vector<RoutePlace> places_of_goals(const RouteGround& ground, std::span<const Spot> goals,
                                        double radius);

// Whether both are one place of a ground: on the plane exactly or nearly, and on the same floor.
bool is_same_place(const Spot& a, const Spot& b);

// Whether both are one place of this ground. On graphs each node is a place of its own.
bool is_same_place_of(const RouteGround& ground, const Spot& a, const Spot& b);

bool has_place(std::span<const Spot> spots, const Spot& at);

std::vector<Spot> spots_of(std::span<const RoutePlace> places);

}  // namespace repath

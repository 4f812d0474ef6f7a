// From positions and goals to places on the ground as it is now. Pure functions, safe on any thread
// as the ground is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/map_point.h"
#include "routes/route_ground.h"

namespace repath {

// Greatest distance from the ground at which an agent still counts as standing on it, in world
// units. It covers what rounding moves, not what an agent walks.
inline constexpr double kStandReach = 0.001;
// Greatest distance of a place that stands in for a blocked one (AgentSpec::snap_start), and of a
// client's points from the world's bounds. World units.
inline constexpr double kRouteSnapReach = 64;

inline Spot spot_of(const MapPoint& p) { return {p.x, p.height, p.y}; }
inline MapPoint point_of(const Spot& at) { return {at.x, at.z, at.y}; }

// Returns the place of an agent that was seen at `at`, on the floor given by the height. Empty: the
// point is in an obstacle, or nowhere near the ground. Adds looks as RouteGround does, as all
// functions here with such an argument.
std::optional<RoutePlace> stand_at(const RouteGround& ground, const Spot& at,
                                   std::uint64_t* looks = nullptr);
// Returns today's place of an agent whose place on the ground was `at`, on the same floor. Empty:
// something covers it.
std::optional<RoutePlace> stand_again(const RouteGround& ground, const Spot& at,
                                      std::uint64_t* looks = nullptr);

// Walks the route like RouteGround::walk, but both ends may be off the ground by kStandReach.
// Places beside an obstacle move by the lattice's rounding when others are carved into its sides.
RouteWalk walk_route(const RouteGround& ground, std::span<const RoutePoint> route);

// Asks RouteGround::cost_of_part with both ends where walk_route() would take them.
Cost cost_of_part(const RouteGround& ground, const RoutePoint& from, const Spot& to,
                  const LegPart& part);

// Returns the places of the goals that have one: where an agent at the goal would stand, or with a
// radius the nearest place within it.
std::vector<RoutePlace> places_of_goals(const RouteGround& ground, std::span<const Spot> goals,
                                        double radius, std::uint64_t* looks = nullptr);

// Returns whether both are one place of a ground: equal or nearly so on the plane, and on the same
// floor.
bool is_same_place(const Spot& a, const Spot& b);

// Returns whether both are one place of this ground. On graphs each node is a place of its own.
bool is_same_place_of(const RouteGround& ground, const Spot& a, const Spot& b);

// Returns whether one of the spots is that place of this ground.
bool has_place(const RouteGround& ground, std::span<const Spot> spots, const Spot& at);

// Returns the spots of which has_place() is false for `others`. O(spots times others).
std::vector<Spot> spots_beside(const RouteGround& ground, std::span<const Spot> others,
                               std::span<const Spot> spots);

std::vector<Spot> spots_of(std::span<const RoutePlace> places);

}  // namespace repath

// A polyline driven by an agent that cannot turn on the spot: straight lines and arcs of circles.
//
// Source: L. E. Dubins, "On curves of minimal length with a constraint on average curvature", 1957:
// shortest such ways are straight lines and arcs of the least radius. We depart from it in two
// ways. The headings at both ends are free, and the way keeps near a path that a search has found:
// at each of its corners it turns once, to the same side. A circle of the radius lies on the inner
// side of the corner, at one of a few distances. Neighbouring circles are joined by the tangent
// that keeps the sense of both turns. The distances are chosen corner by corner with the least cost
// so far (dynamic programming). Uses only + - x / and square roots. Pure functions, any thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/map_point.h"
#include "base/stop_token.h"

namespace repath {

// The rules that a way keeps. All lengths have the unit of the points.
struct TurnRules {
  double radius = 1;          // of the arcs, > 0
  double deviation = 0.05;    // greatest distance of an arc from its chords, > 0
  double margin = 1.0 / 128;  // by which a turn round a corner keeps off it, in (0, radius)
  // Returns the cost of a straight way, at least its length; empty if an agent cannot go there.
  std::function<std::optional<double>(MapPoint, MapPoint)> cost = nullptr;
  const StopToken* stop = nullptr;  // borrowed; may be null
};

struct DrivenWay {
  // Ends of the straight lines and of the chords of the arcs. A circle through three of them in a
  // row has at least the radius of the rules, or they lie on a line.
  std::vector<MapPoint> points;
  double cost = 0;
};

// Returns a way that begins and ends with `path`. Empty if it found none: a turn has no room, or
// `stop` requested an end. Heights lie on straight lines between those of the corners. O(corners x
// chords of an arc), and as many calls of rules.cost. REQUIRES: 2 or more points, each different
// from the one before.
std::optional<DrivenWay> drive(std::span<const MapPoint> path, const TurnRules& rules);

}  // namespace repath

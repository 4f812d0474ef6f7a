// What a client believes about an agent by the events that it got.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "route_ground/rerouter.h"
#include "routes/places.h"

namespace repath::test {

// The client's knowledge of an agent.
struct Believed {
  AgentSpec spec;
  std::optional<EventType> verdict;  // latest except COST_CHANGED and CONFIRMED
  bool is_blocked = false;           // START_BLOCKED, with or without a path
  bool is_partial = false;
  bool is_tight = false;         // a turn of the path has no room
  std::vector<RoutePoint> path;  // empty: none that counts
  std::size_t at = 0;            // index of the leg on which the agent is
  Spot spot;                     // position of the agent
  // On graphs: its position up to each revision; other nodes replace its own while that is closed.
  std::map<Revision, Spot> before;
  // On graphs: the node at which its last report put it, until another one replaces that. An agent
  // that walks need not be at the nearest node.
  std::optional<Spot> led;
  bool has_reported = false;  // since it was put at its position
  PathVersion version{};
  Cost allowance = 0;
  Cost hysteresis = 0;  // an IMPROVED path saves more
  double weight = 1;
  Revision told{};

  std::vector<RoutePoint> rest() const {
    std::vector<RoutePoint> rest(path.begin() + static_cast<std::ptrdiff_t>(at), path.end());
    if (!is_same_place(rest[0].at, spot)) rest[0].link.reset();
    if (!is_blocked) rest[0].at = spot;
    return rest;
  }
};

// Finds the leg ahead that the spot is on. If there is none, the path lies behind the agent, and
// the server reports it.
inline void walk_to(const Spot& spot, Believed* agent) {
  for (std::size_t i = agent->at; i + 1 < agent->path.size(); ++i) {
    const double whole =
        std::sqrt(plane_distance_squared(agent->path[i].at, agent->path[i + 1].at));
    const double here = std::sqrt(plane_distance_squared(agent->path[i].at, spot));
    const double there = std::sqrt(plane_distance_squared(spot, agent->path[i + 1].at));
    if (here + there > whole + 1e-6) continue;
    agent->at = is_same_place(spot, agent->path[i + 1].at) ? i + 1 : i;
    return;
  }
}

inline std::string drawn(const std::vector<RoutePoint>& points) {
  std::string text = ":";
  for (const RoutePoint& p : points)
    text += " (" + std::to_string(p.at.x) + ", " + std::to_string(p.at.y) + ", " +
            std::to_string(p.at.z) + ")" + (p.link ? "L" + std::to_string(*p.link) : "");
  return text;
}

}  // namespace repath::test

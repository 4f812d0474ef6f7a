// Places that a search over routes looked at, for inspection. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agents/route.h"

namespace repath {

// Method of a search. kBest: exact if possible.
enum class RouteMethod : std::uint8_t { kBest, kAStar, kDijkstra, kFloydWarshall };

// Kernel of a search. Any-angle and corridor searches are those of meshes.
enum class RouteKernel : std::uint8_t { kAnyAngle, kCorridor, kAStar, kDijkstra, kFloydWarshall };

// A node of a search; lengths in world units.
struct TouchedPlace {
  Spot at;               // graphs: the node; meshes: where the way passes an edge or leaves a link
  double g = 0;          // of the way to there
  double h = 0;          // lower bound of the rest
  bool is_open = false;  // true: the place waits; false: it was expanded
  std::uint64_t node = 0;  // graphs: the client's id
  // Meshes:
  Spot from;  // where the way to `at` comes from, straight
  Spot left;  // of an edge the ends of what is seen or passed, of a link both its ends
  Spot right;
};

// One run of a kernel; a search may take several, one after the other.
struct TracedRun {
  RouteKernel kernel{};
  std::optional<Spot> goal;  // empty: all goals at once
  std::size_t first = 0;     // its places in RouteTrace::touched, up to the next run's
  std::uint64_t expanded = 0;
};

struct RouteTrace {
  std::vector<TracedRun> runs;
  std::vector<TouchedPlace> touched;
  bool is_truncated = false;  // some are left out
};

}  // namespace repath

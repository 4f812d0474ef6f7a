// Checks verdicts against the checker's own model (client/verify), which shares no code with the
// server. Samples are kept while the load runs and checked after it, because searches would take
// processor time from the server.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "load/clock.h"
#include "load/grid_ground.h"
#include "load/route_ground.h"
#include "repath/v1/agent.pb.h"
#include "verify/dice.h"
#include "verify/route_model.h"
#include "verify/world_model.h"

namespace repath::load {

// Result of the checks.
struct Checked {
  std::uint64_t verified = 0;
  std::uint64_t wrong = 0;
  std::uint64_t not_reached = 0;  // chosen, but the time was up or the history is incomplete
  void add(const Checked& other);
};

// One verdict of an agent on a grid.
struct GridSample {
  std::uint64_t agent = 0;
  std::uint64_t revision = 0;
  v1::EventType type = v1::EVENT_TYPE_UNSPECIFIED;
  Spot at;
  Spot goal;
  double cost = 0;
  std::vector<int> corners;  // x, y of each
};

// Checks that each path is open, leads from the agent to its goal, has the cost that it claims, and
// that no path is cheaper. Samples that share a revision and a goal share a search. These groups
// are checked in random order until `until`. `history` has the changes by revision, from 2 on.
// Reports the first few faults on stderr.
Checked check_grid(const std::string& map_file, const std::vector<verify::TerrainClass>& classes,
                   const std::map<std::uint64_t, verify::Batch>& history,
                   const std::vector<GridSample>& samples, Nanos until, verify::Dice& dice);

// One verdict of an agent on a mesh or a graph.
struct RouteSample {
  v1::PathEvent event;
  Place goal;       // the agent's goal now,
  Place last_goal;  // and the one before: the verdict is for one of them
};

// As check_grid, with a search for each sample. `model` is the world as it was made. Paths over
// links, which the model cannot search, are checked for their own cost only.
Checked check_routes(verify::RouteModel& model,
                     const std::map<std::uint64_t, v1::ChangeBatch>& history,
                     const std::vector<RouteSample>& samples, Nanos until, verify::Dice& dice);

}  // namespace repath::load

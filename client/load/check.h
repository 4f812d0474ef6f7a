// Verdicts held against the checker's own model (client/verify), which shares no code with the
// server. What is to be checked is kept while the load runs and searched out when it has ended:
// searching beside it would take the server's processor.
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

// What was held against the model.
struct Checked {
  std::uint64_t verified = 0;
  std::uint64_t wrong = 0;
  std::uint64_t not_reached = 0;  // chosen, but the time was up or the history is not whole
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

// Is the path open, does it lead from the agent to its goal, does it cost what it says, and is
// nothing cheaper? Samples that share a revision and a goal share a search; these groups come in an
// order of chance until `until`. `history`: what was changed, by revision from 2 on. What is wrong
// goes to stderr, the first few.
Checked check_grid(const std::string& map_file, const std::vector<verify::TerrainClass>& classes,
                   const std::map<std::uint64_t, verify::Batch>& history,
                   const std::vector<GridSample>& samples, Nanos until, verify::Dice& dice);

// One verdict of an agent on a mesh or a graph.
struct RouteSample {
  v1::PathEvent event;
  Place goal;       // as the agent has it now,
  Place last_goal;  // and had it before: the verdict is for one of them
};

// As check_grid, each sample by a search of its own. `model` is as the world was when it was made.
// Ways that the model cannot judge (over links) are held against their own cost only.
Checked check_routes(verify::RouteModel& model,
                     const std::map<std::uint64_t, v1::ChangeBatch>& history,
                     const std::vector<RouteSample>& samples, Nanos until, verify::Dice& dice);

}  // namespace repath::load

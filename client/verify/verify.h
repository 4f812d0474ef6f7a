// `repath verify`: drives a changing world with walking agents, and lets the Judge check every
// verdict and every silence. In lockstep frames pass by Tick with random budgets, so that searches
// are sliced over frames while agents walk; in real time the server's clock runs. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"
#include "repath/v1/world.pb.h"
#include "verify/ground.h"

namespace repath::verify {

// Kinds of world to which an option applies.
struct Kinds {
  bool grid;
  bool mesh;
  bool graph;
};

// An option as it was given on the command line.
struct GivenOption {
  std::string text;
  Kinds kinds;
};

struct VerifyOptions {
  std::string map;  // file
  int agents = 200;
  int events = 500;  // change batches
  std::uint64_t seed = 1;
  v1::Strategy strategy = v1::STRATEGY_AUTO;
  Topology topology = Topology::k8;
  CornerRule corner = CornerRule::kNone;
  bool teams = true;
  bool terrain = true;
  bool clearance = false;
  bool ground = false;  // meshes: obstacles that make ground dearer
  bool flags = false;   // meshes: agents that must not use ground of some flags
  bool turns = false;   // squares, meshes: agents that keep a turning radius
  bool kinds = false;   // graphs: parallel edges of several kinds
  bool goals = false;   // graphs: agents with two goals, and agents that take a partial path
  bool hex = false;
  bool influence = false;
  bool fog = false;
  bool standing = false;
  bool crowd = false;  // most agents keep clear of others
  bool mass = false;   // grids: changes of most of the map at once
  bool legs = false;   // agents get a first leg on a map of any size
  bool realtime = false;
  double restart_s = 0;  // longest wait for a server that was killed, seconds; 0: the run ends
  std::vector<GivenOption> given;  // refused if the map is of another kind
  std::uint64_t traced = 0;  // the agent whose events and steps are printed to stderr; 0: none
};

// Prints the outcome and leaves the exit status in `context`: 1 unless wrong, missed_improvements,
// invalid_paths and unsettled are all 0.
void verify(const VerifyOptions& options, cli::CommandContext& context);

}  // namespace repath::verify

// Options of a run. Every figure is an option; a scenario is a set of defaults, and of switches for
// the kind of game. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/schedule.h"

namespace repath::load {

enum class MadeGround { kForest, kRooms, kPlan };

struct LoadOptions {
  std::string scenario;
  std::string what;  // the scenario in a sentence

  std::string map;                          // a file; empty: a map is made
  MadeGround ground = MadeGround::kForest;  // kind of a generated map
  int side = 512;                           // side of a generated map, cells or metres
  int worlds = 1;
  int agents = 1000;        // of each world
  int goals = 1000;         // of each world; agents share them evenly
  bool streams = false;     // goals stay; an agent that arrives begins again at an entrance
  int sessions = 1;         // of each world, which share its agents
  int obstacles = 200;      // of each world, greatest number at a time
  double events = 20;       // a second, in each world
  double storm_events = 0;  // a second, for the first storm_seconds
  double storm_seconds = 0;
  double queries = 0;     // a second, FindPath
  int short_query = 32;   // longest short query, cells or metres
  int slow_sessions = 0;  // one session in so many reads slowly; 0: none
  int slowness = 10;      // how many times slower
  int slow_worlds = 0;    // number of worlds, the first ones, with a higher load:
  int slow_load = 50;     // factor for their agents, goals, obstacles and events
  bool walks = true;      // agents take part

  double duration = 30;  // seconds that are measured
  double warm_up = 5;    // seconds before, with events, that are not measured
  double drain = 10;     // seconds after, at most, until all agents are settled
  double frame_rate = 60;
  double speed = 4;  // cells or metres a second
  bool report_all = false;
  double verify = 0;  // percent of the verdicts
  double verify_seconds = 60;
  std::uint64_t seed = 1;
  int server_pid = 0;  // 0: the process that listens at the server's address
  std::string strategy = "auto";

  std::string csv;
  std::string report;
  std::string plot;
  std::vector<std::string> objectives;
};

// The names of all scenarios.
const std::vector<std::string>& scenario_names();
// Returns the defaults of a scenario; `name` must be one of scenario_names().
LoadOptions scenario(const std::string& name);

// Returns the first fault, naming option and limit; empty if there is none.
std::string problem_in(const LoadOptions& options);

// Returns the options of one world; the slow worlds come first.
LoadOptions options_of_world(const LoadOptions& options, int world);

// When the events of one world are due.
Schedule events_of(const LoadOptions& options);

}  // namespace repath::load

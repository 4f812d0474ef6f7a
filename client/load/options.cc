#include "load/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace repath::load {
namespace {

struct Scenario {
  const char* what;
  std::function<void(LoadOptions&)> set;
};

// In the order in which --help lists them, hence a vector of pairs.
const std::vector<std::pair<std::string, Scenario>>& scenarios() {
  static const std::vector<std::pair<std::string, Scenario>> all = {
      {"tower-defence",
       {"Creeps stream to four goals while towers are built and sold in front of them",
        [](LoadOptions& o) {
          o.side = 1024, o.agents = 10'000, o.goals = 4, o.streams = true, o.sessions = 4;
          o.events = 50, o.obstacles = 400;
        }}},
      {"rts",
       {"Units are sent about in groups while buildings go up and down on their ways",
        [](LoadOptions& o) { o.agents = 2000, o.goals = 200, o.events = 20, o.obstacles = 200; }}},
      {"mmo",
       {"Many worlds of rooms, each with its own game server, where doors shut and open",
        [](LoadOptions& o) {
          o.ground = MadeGround::kRooms, o.worlds = 100, o.agents = 50, o.goals = 50;
          o.events = 1, o.obstacles = 20;
        }}},
      {"navmesh",
       {"Agents cross a navmesh in which a thousand obstacles come and go",
        [](LoadOptions& o) {
          o.ground = MadeGround::kPlan, o.side = 256, o.agents = 500, o.goals = 500;
          o.events = 20, o.obstacles = 1000;
        }}},
      {"storm",
       {"Doors change hundreds of times a second for ten seconds, then there is calm",
        [](LoadOptions& o) {
          o.ground = MadeGround::kRooms, o.agents = 2000, o.goals = 2000, o.events = 0;
          o.storm_events = 500, o.storm_seconds = 10, o.duration = 20, o.obstacles = 200;
        }}},
      {"queries",
       {"FindPath and nothing else, half of them short and half across the map",
        [](LoadOptions& o) {
          o.walks = false, o.agents = 0, o.goals = 0, o.sessions = 0, o.events = 0;
          o.queries = 500, o.obstacles = 0;
        }}},
      {"sessions",
       {"A thousand game servers, each with a connection and a session of its own",
        [](LoadOptions& o) {
          o.ground = MadeGround::kRooms, o.agents = 2000, o.goals = 2000, o.sessions = 1000;
          o.events = 10;
        }}},
      {"slow-reader",
       {"One session in ten reads at a tenth of the rate; the others must not notice",
        [](LoadOptions& o) {
          o.ground = MadeGround::kRooms, o.agents = 2000, o.goals = 2000, o.sessions = 20;
          o.slow_sessions = 10, o.events = 20;
        }}},
  };
  return all;
}

struct Limit {
  const char* option;
  double value;
  double least;
  double most;
};

constexpr double kAgentsMax = 1e6;
constexpr double kObstaclesMax = 100'000;
constexpr double kEventsMax = 10'000;

// Returns the greatest factor for the load of a slow world.
double slow_load_max(const LoadOptions& o) {
  const double events = std::max(o.events, o.storm_events);
  return std::floor(
      std::min({1000.0, kAgentsMax / std::max({1, o.agents, o.goals}),
                kObstaclesMax / std::max(1, o.obstacles), kEventsMax / std::max(1.0, events)}));
}

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

const std::vector<std::string>& scenario_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, scenario] : scenarios()) all.push_back(name);
    return all;
  }();
  return names;
}

LoadOptions scenario(const std::string& name) {
  LoadOptions options;
  for (const auto& [key, scenario] : scenarios()) {
    if (key != name) continue;
    options.scenario = name;
    options.what = scenario.what;
    scenario.set(options);
  }
  return options;
}

std::string problem_in(const LoadOptions& o) {
  const std::array limits{
      Limit{"--side", static_cast<double>(o.side), 16, 4096},
      Limit{"--worlds", static_cast<double>(o.worlds), 1, 1000},
      Limit{"--agents", static_cast<double>(o.agents), o.walks ? 1.0 : 0.0, kAgentsMax},
      Limit{"--goals", static_cast<double>(o.goals), o.walks ? 1.0 : 0.0, kAgentsMax},
      Limit{"--sessions", static_cast<double>(o.sessions), o.walks ? 1.0 : 0.0, 10'000},
      Limit{"--obstacles", static_cast<double>(o.obstacles), 0, kObstaclesMax},
      Limit{"--events", o.events, 0, kEventsMax},
      Limit{"--storm-events", o.storm_events, 0, kEventsMax},
      Limit{"--storm-seconds", o.storm_seconds, 0, 3600},
      Limit{"--queries", o.queries, 0, 100'000},
      Limit{"--short-query", static_cast<double>(o.short_query), 1, 4096},
      Limit{"--slow-sessions", static_cast<double>(o.slow_sessions), 0, 10'000},
      Limit{"--slowness", static_cast<double>(o.slowness), 1, 1000},
      Limit{"--slow-worlds", static_cast<double>(o.slow_worlds), 0,
            static_cast<double>(o.worlds - 1)},
      Limit{"--slow-load", static_cast<double>(o.slow_load), 1,
            o.slow_worlds > 0 ? slow_load_max(o) : 1000},
      Limit{"--duration", o.duration, 0.5, 86'400},
      Limit{"--warm-up", o.warm_up, 0, 3600},
      Limit{"--drain", o.drain, 0, 3600},
      Limit{"--frame-rate", o.frame_rate, 1, 1000},
      Limit{"--speed", o.speed, 0.01, 1000},
      Limit{"--verify", o.verify, 0, 100},
      Limit{"--verify-seconds", o.verify_seconds, 1, 86'400},
  };
  for (const Limit& limit : limits) {
    if (limit.value >= limit.least && limit.value <= limit.most) continue;
    return std::string(limit.option) + ": " + number(limit.value) + " is not in [" +
           number(limit.least) + ", " + number(limit.most) + "]";
  }
  if (o.walks && o.sessions > o.agents)
    return "--sessions: " + std::to_string(o.sessions) + " share " + std::to_string(o.agents) +
           " agents; there must be one for each";
  if (o.storm_seconds > o.duration) return "--storm-seconds: the storm is longer than --duration";
  if (o.obstacles == 0 && o.events + o.storm_events > 0)
    return "--obstacles: events need at least 1 that may be live";
  return "";
}

LoadOptions options_of_world(const LoadOptions& options, int world) {
  LoadOptions own = options;
  if (world >= options.slow_worlds) return own;
  for (int* figure : {&own.agents, &own.goals, &own.obstacles}) *figure *= options.slow_load;
  for (double* rate : {&own.events, &own.storm_events}) *rate *= options.slow_load;
  return own;
}

Schedule events_of(const LoadOptions& o) {
  return Schedule({{o.warm_up, o.events},
                   {o.storm_seconds, o.storm_events},
                   {o.duration - o.storm_seconds, o.events}});
}

}  // namespace repath::load

// Holds the server to its promise in worlds of routes: every verdict against the model at the
// verdict's revision, and silence against each settled_revision that is named.
//
// What is held against it:
//  - a path is open leg by leg, costs what it says, begins where the agent is and ends at its goal,
//    and nothing cheaper is found (OPTIMAL), or nothing cheaper than its bound allows (WITHIN,
//    BOUNDED);
//  - INVALIDATED comes for a path that is broken, at the right waypoint, and for every such path
//    before the next settled batch;
//  - UNREACHABLE, GOAL_BLOCKED and START_BLOCKED are so;
//  - silence: at each settled_revision that is named, the latest verdict of every agent without a
//    newer event holds: its path is open, and as good as was said.
// Whether something cheaper exists is a search of its own: as many as were granted are made, the
// others are passed over. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "repath/v1/agent.pb.h"
#include "verify/dice.h"
#include "verify/route_model.h"
#include "verify/tally.h"

namespace repath::verify {

// One agent as its game server sees it.
struct RouteAgent {
  std::uint64_t id = 0;
  int view = 0;
  Spot at;
  Spot goal;
  double ratio = 0;      // hysteresis
  v1::PathEvent held;    // the last verdict; its path is what it walks on
  std::size_t next = 1;  // the waypoint it walks to
  bool broken = false;   // INVALIDATED since
  bool has_verdict = false;
  std::uint64_t asked_at = 0;  // revision at which it was last asked for or sent elsewhere
  std::uint64_t heard_at = 0;  // revision of its latest event
  bool holds_path() const { return has_verdict && held.path().positions_size() > 0 && !broken; }
};

class RouteJudge {
 public:
  // Borrows all.
  RouteJudge(RouteModel& model, std::map<std::uint64_t, RouteAgent>& agents, Tally& tally,
             Dice& dice)
      : model_(model), agents_(agents), tally_(tally), dice_(dice) {}

  // Searches that are yet to be made until this is called again.
  void grant(int searches) { searches_ = searches; }
  void on_event(const v1::PathEvent& event);
  // The server says that everybody is settled at `revision`; `all`: search for everybody.
  void check_silence(std::uint64_t revision, bool all);
  // The server named it as settled_revision while others wait: silence speaks for the agents whose
  // latest event is no newer.
  void check_named(std::uint64_t revision);

 private:
  void on_path(RouteAgent& agent, const v1::PathEvent& event);
  void on_invalidated(RouteAgent& agent, const v1::PathEvent& event);
  void on_cost_changed(const RouteAgent& agent, const v1::PathEvent& event);
  void on_cut_off(const RouteAgent& agent, const v1::PathEvent& event);
  void on_start_blocked(const RouteAgent& agent, const v1::PathEvent& event);
  void check_held(const RouteAgent& agent, std::uint64_t revision, bool search);
  // Nothing costs less than `cost` / weight - allowance, as optimality says.
  void check_optimal(const RouteAgent& agent, const v1::Path& path, std::uint64_t revision,
                     const Spot& from, double cost, const char* what);
  Walk rest_of(const RouteAgent& agent) const;
  static void put_back(RouteAgent* agent, const Spot& at);
  void defect(Defect kind, const RouteAgent& agent, const std::string& what) {
    tally_.add(kind, agent.id, what);
  }

  RouteModel& model_;
  std::map<std::uint64_t, RouteAgent>& agents_;
  Tally& tally_;
  Dice& dice_;
  int searches_ = 0;
  std::uint64_t sampled_ = 0;  // turns over the agents whose named silence is searched out
};

}  // namespace repath::verify

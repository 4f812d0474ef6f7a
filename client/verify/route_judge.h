// Holds the server to its promise on meshes and graphs: it checks every verdict against the model
// at the verdict's revision, and silence at each settled_revision that batches name.
//
// A path is open leg by leg, costs what it claims, begins at the agent and ends at its goal. No
// cheaper path is found (OPTIMAL), or none cheaper than its bound allows (WITHIN, BOUNDED). A STALE
// path is held to that at its own revision.
//
// A path of an agent that keeps a turning radius has no narrower turn, unless it says that one has
// no room.
//
// INVALIDATED comes for a broken path, names the right waypoint, and comes for every such path
// before the next settled batch. UNREACHABLE, GOAL_BLOCKED and START_BLOCKED are true.
//
// Silence: at each settled_revision that is named, the latest verdict of every agent without a
// newer event holds. Its path is open and as good as it claimed.
//
// Whether something cheaper exists takes a search; only granted searches are made. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  // Where it was when it last told the server; empty after a restart, which may lose a report.
  std::optional<Spot> reported;
  std::vector<Spot> goals;  // on meshes one
  double ratio = 0;         // hysteresis
  bool partial = false;     // graphs: a partial path will do
  bool curves = false;      // its paths keep the turning radius of its profile
  v1::PathEvent held;       // the last verdict, with the path that it follows
  std::size_t next = 1;     // the waypoint it walks to
  bool broken = false;      // INVALIDATED since
  bool has_verdict = false;
  std::uint64_t asked_at = 0;  // revision at which its question or place was last changed
  std::uint64_t asked_in = 0;  // sequence of the message that asked its question
  std::uint64_t heard_at = 0;  // revision of its latest event
  bool holds_path() const { return has_verdict && held.path().positions_size() > 0 && !broken; }
};

class RouteJudge {
 public:
  // Borrows all.
  RouteJudge(RouteModel& model, std::map<std::uint64_t, RouteAgent>& agents, Tally& tally,
             Dice& dice)
      : model_(model), agents_(agents), tally_(tally), dice_(dice) {}

  // Allows this many searches until it is called again.
  void grant(int searches) { searches_ = searches; }
  void on_event(const v1::PathEvent& event);
  // Checks the claim that all agents are settled at `revision`; with `all` it searches for each of
  // them.
  void check_silence(std::uint64_t revision, bool all);
  // Checks a settled_revision that was named while agents wait: silence covers the agents whose
  // latest event is not newer.
  void check_named(std::uint64_t revision);

 private:
  void take_place(RouteAgent* agent, const v1::PathEvent& event);
  void on_path(RouteAgent& agent, const v1::PathEvent& event);
  void check_turns(const RouteAgent& agent, const v1::PathEvent& event, bool is_new);
  void on_invalidated(RouteAgent& agent, const v1::PathEvent& event);
  void on_cost_changed(const RouteAgent& agent, const v1::PathEvent& event);
  void on_cut_off(const RouteAgent& agent, const v1::PathEvent& event);
  void on_start_blocked(const RouteAgent& agent, const v1::PathEvent& event);
  void check_held(const RouteAgent& agent, std::uint64_t revision, bool search);
  // Checks that no path is cheaper than the claimed optimality allows.
  void check_optimal(const RouteAgent& agent, const v1::Path& path, std::uint64_t revision,
                     const Spot& from, double cost, const char* what);
  // Checks that the agent may have a partial path, that no goal can be reached, and that the path
  // is a cheapest one to a node as near to a goal as can be reached.
  void check_partial(const RouteAgent& agent, std::uint64_t revision, const Spot& from,
                     const Spot& end, double cost, const std::string& what);
  // Returns the cheapest path to any goal of the agent, if it costs less than `bound`.
  Verdict cheapest(const RouteAgent& agent, std::uint64_t revision, const Spot& from, double bound);
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
  std::uint64_t sampled_ = 0;  // rotates the agents whose silence is searched
};

}  // namespace repath::verify

// `repath verify` in a world of routes: a mesh (obstacles come, move and go) or a graph (edges and
// nodes are switched, priced, added), agents that walk, and the RouteJudge. Frames pass by Tick
// with random budgets; now and then the next change comes before everybody is settled. Thread rule:
// one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "verify/route_judge.h"
#include "verify/session_link.h"
#include "verify/verify.h"
#include "verify/world_link.h"

namespace repath::verify {

// Is this file of a world of routes a graph? Else it is a mesh or what one is built from.
bool is_graph_file(const std::string& file);

class RouteRun {
 public:
  // Borrows both.
  RouteRun(const VerifyOptions& options, cli::CommandContext& context);

  // Makes the world of the file, opens the session, brings everybody in. False after a refusal,
  // which `context` has, as drive().
  bool begin(const std::string& file);
  bool drive();
  const Tally& tally() const { return tally_; }

 private:
  bool join();
  bool one_event(int number);
  bool settle(bool all);
  bool arrive();
  bool tick(std::uint64_t budget, bool* settled);
  void walk();
  void step(RouteAgent* agent, double length, v1::SessionRequest* report);
  std::vector<Spot> hurting_spots();
  v1::Agent describe(const RouteAgent& agent) const;
  void take(const v1::SessionResponse& answer);

  const VerifyOptions& options_;
  cli::CommandContext& context_;
  Tally tally_;
  Dice dice_;
  WorldLink link_;
  std::unique_ptr<RouteModel> model_;
  std::unique_ptr<SessionLink> session_;
  std::unique_ptr<RouteJudge> judge_;
  std::map<std::uint64_t, RouteAgent> agents_;
  std::uint64_t revision_ = 1;
  std::uint64_t last_read_ = 0;
  std::uint64_t waiting_ = 0;
};

}  // namespace repath::verify

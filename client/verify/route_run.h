// `repath verify` on a mesh or graph: a mesh (obstacles come, move and go) or a graph (edges and
// nodes are switched, priced, added), agents that walk, and the RouteJudge. Frames pass by Tick
// with random budgets; sometimes the next change comes before all agents are settled. Thread rule:
// one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "verify/comeback.h"
#include "verify/graph_model.h"
#include "verify/route_judge.h"
#include "verify/session_link.h"
#include "verify/verify.h"
#include "verify/world_link.h"

namespace repath::verify {

class RouteRun {
 public:
  // Borrows both.
  RouteRun(const VerifyOptions& options, cli::CommandContext& context);

  // Makes the world of the file, opens the session, adds all agents. Returns false, as drive()
  // does, after it has reported a refusal to `context`.
  bool begin(const std::string& file);
  bool drive();
  const Tally& tally() const { return tally_; }

 private:
  bool read_graph(const std::string& file, const GraphEdits& edits);
  bool join();
  bool one_event(int number);
  bool settle(bool all);
  template <class Call>
  bool call(Call make);
  bool come_back(const grpc::Status& broken);
  void upsert(v1::SessionRequest request);
  bool arrive();
  bool play_frame(std::uint64_t budget, v1::TickResponse& answer);
  bool tick(std::uint64_t budget, bool* settled);
  void walk();
  void step(RouteAgent* agent, double length, v1::SessionRequest* report);
  std::vector<Spot> some_goals(int view);
  std::vector<Spot> hurting_spots();
  v1::Agent describe(const RouteAgent& agent) const;
  void take(const v1::SessionResponse& answer);

  const VerifyOptions& options_;
  cli::CommandContext& context_;
  Tally tally_;
  Dice dice_;
  WorldLink link_;
  Comeback comeback_;
  std::unique_ptr<RouteModel> model_;
  std::unique_ptr<SessionLink> session_;
  std::unique_ptr<RouteJudge> judge_;
  std::map<std::uint64_t, RouteAgent> agents_;
  std::uint64_t revision_ = 1;
  std::uint64_t last_read_ = 0;
  std::uint64_t durable_ = 0;  // sequence of the last message known to be safe
  std::uint64_t waiting_ = 0;
};

}  // namespace repath::verify

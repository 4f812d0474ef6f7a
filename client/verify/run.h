// One run of `repath verify`: world, session, crowd, mischief and judge, and the order of their
// turns. Thread rule: one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "verify/comeback.h"
#include "verify/crowd.h"
#include "verify/judge.h"
#include "verify/mischief.h"
#include "verify/session_link.h"
#include "verify/tally.h"
#include "verify/verify.h"
#include "verify/world_link.h"

namespace repath::verify {

class Run {
 public:
  // Borrows both.
  Run(const VerifyOptions& options, cli::CommandContext& context);

  // Makes the world, opens the session, adds all agents. Returns false after it has reported a
  // refusal to `context`.
  bool begin(const std::string& file, const MapFile& map);
  // Runs all events, then frames until all agents are settled. Returns false as begin() does.
  bool drive();

  const Tally& tally() const { return tally_; }

 private:
  std::vector<Profile> profiles() const;
  void add_views(const std::vector<Profile>& profiles);
  void add_views_of_teams(const std::vector<Profile>& profiles);
  bool bring_fog();
  bool import_world(const std::string& file, const MapFile& map);
  bool one_event(int number);
  bool commit();
  bool check_world(const v1::ApplyChangesResponse& applied, v1::ApplyChangesRequest request);
  void act();
  void send(const v1::SessionRequest& request);
  bool frame(std::uint64_t budget);
  template <class Call>
  bool call(Call make);
  bool come_back(const grpc::Status& broken);
  bool arrive();
  bool play_frame(std::uint64_t budget, v1::TickResponse& answer);
  bool tick(std::uint64_t budget);
  bool pass_time();
  void take(v1::SessionResponse answer);
  void judge_pending();
  void acknowledge();
  bool settled() const;
  bool settle(int frames);
  std::uint64_t budget();

  const VerifyOptions& options_;
  cli::CommandContext& context_;
  Tally tally_;
  Dice dice_;
  bool has_legs_ = false;  // the world is large enough for first legs
  double cell_size_;
  WorldLink link_;
  Comeback comeback_;
  std::unique_ptr<WorldModel> world_;
  std::unique_ptr<SessionLink> session_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<Crowd> crowd_;
  std::unique_ptr<Judge> judge_;
  std::unique_ptr<Mischief> mischief_;

  std::vector<v1::EventBatch> pending_;  // read, not yet judged
  std::uint64_t last_read_ = 0;          // batch number
  std::uint64_t durable_ = 0;            // sequence of the last message known to be safe
  std::map<std::uint64_t, std::uint64_t> removals_;  // sequence of each agent's removal
  std::uint64_t last_acknowledged_ = 0;
  std::uint64_t last_action_ = 0;  // sequence of the last message other than an acknowledgement
  std::uint64_t waiting_ = 0;      // waiting agents in the latest batch
  bool moving_ = false;            // events are under way: agents may move at any time
  int thrift_ = 0;                 // how small the budgets are now
};

}  // namespace repath::verify

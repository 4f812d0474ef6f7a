// One run of the generator: worlds, sessions, the open loop, and the results.
//
// One thread plays everything. It sleeps until the next event is due, handles arrived messages,
// moves and reports squads, and sends changes and queries. gRPC's own threads only stamp messages
// and hand them over. Each frame is cut into kSlots slots; a session has its slot, so that sessions
// and worlds are not in step.
#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "load/inbox.h"
#include "load/link.h"
#include "load/meter.h"
#include "load/options.h"
#include "load/process.h"
#include "load/progress.h"
#include "load/stage.h"
#include "load/tally.h"

namespace repath::load {

class Run final : public Link::Listener {
 public:
  // Borrows both.
  Run(const LoadOptions& options, cli::CommandContext& context);
  // Ends all sessions and deletes all worlds.
  ~Run() override;

  // Makes worlds, opens sessions, adds all agents. Returns false, as drive() does, after it has
  // reported a refusal to `context`.
  bool begin();
  // Warms up, measures, waits until all agents are settled.
  bool drive();

  // Checks the kept verdicts against the checker's model. Call it after drive().
  Checked check();

  const Tally& tally() const { return tally_; }
  const Meter& meter() const { return meter_; }
  const std::vector<Second>& seconds() const { return seconds_; }
  const std::vector<Stage>& stages() const { return stages_; }
  // Sums over all sessions.
  SquadCounts counts() const;
  std::uint64_t coalesced() const;
  std::uint64_t unsettled() const { return unsettled_; }
  std::optional<double> calm_after() const { return calm_after_; }
  std::optional<int> server_pid() const { return server_pid_; }
  double measured_seconds() const { return seconds_measured_; }

  void on_answer(int session, const v1::SessionResponse& answer, Nanos at) override;
  void on_end(int session, const grpc::Status& status) override;

 private:
  struct Session {
    int world = 0;
    int number = 0;  // of its squad
    bool reads_slowly = false;
    bool is_apart = false;  // its latencies are measured apart: it or its world is slow
    Squad* squad = nullptr;
    std::unique_ptr<Link> link;
    Nanos walked = 0;  // until when
    std::uint64_t settled = 0;
    std::uint64_t waiting = 0;
    std::uint64_t late = 0;
    std::uint64_t coalesced = 0;
    std::uint64_t joined_at = 0;  // the message that brought the last of its agents
    bool is_open = false;
    bool has_joined = false;
  };
  struct Use {
    double server = 0;
    double own = 0;
    double machine = 0;
    double rss_mb = 0;
    bool has_server = false;
  };

  bool make_stages();
  void open_sessions();
  bool join();
  bool wait_for_joining();
  void plan(Nanos start);
  void send_all_due_until(Nanos until);
  bool is_over(Nanos at);
  bool all_settled() const;
  void play_slot(std::uint64_t number, Nanos due);
  void play(Session& session, Nanos due);
  // Each returns when the next one is due.
  Nanos send_due_events(Nanos at);
  bool is_slow_world(int world) const { return world < options_.slow_worlds; }
  void send_event(int world, Nanos intended);
  Nanos send_due_queries(Nanos at);
  void send_query(int world, std::uint64_t number, Nanos intended);
  void note_send(Nanos intended);
  void take_batch(Session& session, const v1::EventBatch& batch, Nanos at);
  void take_event(const Session& session, const v1::PathEvent& event, Nanos at);
  void poll_stats();
  void end_second(Nanos at);
  void measure_machine(Nanos at, Second& second);
  void tell(const Second& second);
  Use use_now() const;
  void fail(const std::string& code);
  void fail_call(const grpc::Status& status);  // a server that cannot be reached ends the run
  bool has_lost_server() const { return !lost_.ok(); }

  const LoadOptions& options_;
  cli::CommandContext& context_;
  Inbox inbox_;
  Meter meter_;
  Tally tally_;
  std::shared_ptr<grpc::Channel> control_;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
  std::unique_ptr<v1::PathService::Stub> paths_;
  std::unique_ptr<v1::DebugService::Stub> debug_;
  MadeMap map_;
  verify::Dice dice_;
  std::vector<LoadOptions> asked_;  // of each world
  std::vector<Stage> stages_;
  std::vector<Session> sessions_;
  Schedule events_;
  Schedule slow_events_;  // of slow worlds
  Schedule queries_;
  Progress progress_;

  Nanos start_ = 0;
  Nanos from_ = 0;  // the window
  Nanos to_ = 0;
  Nanos period_ = 0;
  Nanos next_second_ = 0;
  std::uint64_t in_flight_ = 0;          // calls
  std::uint64_t in_flight_changes_ = 0;  // of these
  std::uint64_t unsettled_ = 0;
  std::optional<double> calm_after_;
  Nanos storm_end_ = 0;
  double seconds_measured_ = 0;
  std::optional<int> server_pid_;
  Use last_use_;
  Nanos last_second_at_ = 0;
  Second last_second_;                // totals when the last second ended
  std::uint64_t waiting_ = 0;         // agents, over all sessions
  std::uint64_t second_waiting_ = 0;  // greatest `waiting_` since the second began
  std::vector<Second> seconds_;
  grpc::Status lost_;
};

}  // namespace repath::load

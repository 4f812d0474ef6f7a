// One world in the server: its engine on a strand, its frame clock, its log, its streams and its
// queries.
//
// Thread rule: every public function may be called from any thread and returns at once. Answers
// come once, on the world's strand (queries: on a query thread), so an answer must hand on what
// takes long. Held by shared_ptr; work under way keeps it alive. Invariants: 1. commands take
// effect in the order in which they were posted; a tick is cut to slices, between which other
// worlds go on, and everything else that is asked of its world waits for its end; 2. an at-once
// verdict leaves for the streams in the command that caused it, before any planning; 3. without
// waiting agents and without commands the world costs nothing; 4. a world that was deleted answers
// NOT_FOUND, reason WORLD_UNKNOWN; 5. a check that fails in the world, or any exception, puts the
// world aside (world_quarantine.cc): its engine is not called again, and every answer that is owed
// is FAILED_PRECONDITION, reason QUARANTINED; 6. a call whose caller does not wait any more has no
// effect if its turn has not come.
#pragma once

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "runtime/answer.h"
#include "runtime/change_feed.h"
#include "runtime/config.h"
#include "runtime/failure.h"
#include "runtime/frame_pacer.h"
#include "runtime/metrics.h"
#include "runtime/snapshot_cache.h"
#include "runtime/stream_hub.h"
#include "runtime/threads.h"
#include "store/world_log.h"

namespace repath {

// What a world is run with; every default filled in.
struct WorldSettings {
  FrameOptions frame;
  bool lockstep = false;
  Strategy strategy = Strategy::kAuto;
  std::uint64_t history_revisions = 10'000;
  std::uint64_t memory_mb = 4096;
  std::uint64_t first_leg_cells = std::uint64_t{1} << 20;
};

// What never changes in a world's life; read by any thread.
struct WorldFacts {
  std::string name;
  std::string kind = "grid";  // or "navmesh", "graph": worlds of routes
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  TerrainTable terrain;
  Topology default_topology{};  // the default profile's
  std::string epoch;
  WorldSettings settings;
  RouteBox bounds = {};  // worlds of routes alone
  bool is_grid() const { return kind == "grid"; }
};

struct WorldInfo {
  std::shared_ptr<const WorldFacts> facts;
  Revision revision{};
  std::uint64_t state_hash = 0;
  AnyProfiles profiles;
  std::uint64_t obstacles = 0;
  std::uint64_t agents = 0;
  std::uint64_t memory_bytes = 0;
  Revision oldest{};
  std::string quarantine_reason = {};  // empty: it is served
};

struct ApplyCommand {
  ApplyChanges changes;
  Durability durability = Durability::kApplied;
  std::uint64_t game_tick = 0;
};

struct ReportAnswer {
  Revision revision{};
  std::vector<AgentId> unknown;  // in the order of the report
};

struct AgentListCommand {
  AgentId from{};
  std::size_t limit = 100;
  bool with_paths = false;
  std::vector<AgentId> agents;  // ascending; empty: all
};

struct AgentList {
  std::vector<AgentView> agents;
  std::optional<AgentId> next;  // where the next page starts
  Revision revision{};
};

// How long a tick waits for its session's messages if nothing else ends the wait.
inline constexpr Micros kBarrierUs = 10'000'000;

struct TickCommand {
  std::string session_id;
  WorkUnits budget_units = 0;  // 0: by budget_us
  Micros budget_us = 0;        // 0 too: the world's own budget
  // The tick begins once the session's messages up to this sequence have taken effect; 0: at once.
  std::uint64_t after_sequence = 0;
  Micros barrier_us = kBarrierUs;  // of waiting for them; 0: as long as the caller waits
};

struct TickAnswer {
  StepReport step;
  Revision settled{};
  std::uint64_t applied_sequence = 0;
  std::uint64_t last_batch = 0;
  std::uint64_t state_hash = 0;
};

struct ChangePage {
  std::vector<LogRecord> records;
  Revision revision{};
};

struct WorldStats {
  Stats engine;
  Revision revision{};
  std::uint64_t frames_over_budget = 0;
  WorkUnits last_grant = 0;
  double units_per_us = 0;
  double frame_us_p50 = 0;
  double frame_us_p99 = 0;
};

struct QueryFor {
  std::string profile = "default";
  TeamId team{};
  Revision min_revision{};
};

class WorldHost : public std::enable_shared_from_this<WorldHost> {
 public:
  // Borrows `threads` and `metrics`, which must outlive it.
  WorldHost(WorldFacts facts, std::unique_ptr<Engine> engine, std::unique_ptr<WorldLog> log,
            const Limits& limits, Threads& threads, Metrics& metrics);
  ~WorldHost();

  const WorldFacts& facts() const { return *facts_; }
  // Not older than a quarter of a second of frames and commands.
  std::uint64_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }
  // As of the last frame.
  WorldFigures figures() const;

  // Of a quarantined world: as it was when something of it was published last.
  void info(Answer<WorldInfo> answer);
  void stats(Answer<WorldStats> answer);

  // Answered when the change is as safe as wanted.
  void apply(ApplyCommand command, Answer<ChangeAnswer> answer);
  void test(TestChanges command, Answer<TestAnswer> answer);
  // From a revision on, as WorldLog::read; at most kChangesBytes.
  void read_changes(Revision start, std::size_t limit, Answer<ChangePage> answer);

  // See StreamHub::upsert, report and remove.
  void upsert_agents(Caller caller, SessionMessage::Upsert message, Answer<Revision> answer);
  void report_positions(Caller caller, SessionMessage::Report message, Answer<ReportAnswer> answer);
  void remove_agents(Caller caller, SessionMessage::Remove message, Answer<std::uint64_t> answer);
  // With paths, a page ends before it exceeds 2 MiB on the wire.
  void list_agents(AgentListCommand command, Answer<AgentList> answer);
  // FAILED_PRECONDITION, reason NOT_LOCKSTEP, unless the world's clock is the client's. Ends after
  // the slice under way when the caller does not wait any more, with what that says, and when the
  // server drains (UNAVAILABLE, reason DRAINING); what was planned stays and is sent. NOT_FOUND,
  // reason SESSION_UNKNOWN; DEADLINE_EXCEEDED, reason BARRIER, if the messages did not come in
  // time.
  void tick(TickCommand command, Answer<TickAnswer> answer);

  // Runs `job` on a query thread with a snapshot of the world as it is now, or of a later moment.
  // Refusals (the queue is full, the revision or the profile is not there) go to the job too, on
  // any thread. A job that throws must not have answered: it is called once more, with the refusal
  // of a quarantined world.
  using QueryJob = std::function<void(absl::StatusOr<AnySnapshot>)>;
  void query(QueryFor who, QueryJob job);
  // The snapshot that such a query would get, if it is at hand: for questions that take less time
  // than another thread takes to wake.
  std::optional<AnySnapshot> at_hand(const QueryFor& who) const;
  // Runs `work`, which reads such a snapshot, on this thread. False if a check failed in it; the
  // world is quarantined then.
  template <class Work>
  bool guard(std::string_view during, Work&& work);
  // Empty while the world is served.
  std::string quarantine_reason() const;

  // Streams. A refusal ends the sink. The id is for the calls below.
  StreamId open_session(SessionOpen open, std::shared_ptr<EventSink> sink);
  StreamId open_watch(WatchOpen open, std::shared_ptr<EventSink> sink);
  StreamId open_changes(Revision start, std::shared_ptr<ChangeSink> sink);
  // `taken` is called when the message has had its effect: time to read the next one.
  void session_message(StreamId stream, SessionMessage message, std::function<void()> taken);
  // The message of a watch was written.
  void ready(StreamId stream);
  void close_stream(StreamId stream);

  // Ends every stream and refuses new ones.
  void end_streams(absl::Status status);
  // The world is deleted: its agents get REMOVED, then every stream ends.
  void close();

  // Tests alone plant faults by it. Runs on the strand, as a command.
  void run_for_test(std::function<void(Engine&)> work);

 private:
  struct TickUnderWay {
    TickCommand command;
    Answer<TickAnswer> answer;
    OwnerId owner{};
    WorkUnits left = 0;
    WorkUnits used = 0;
    int little_slices = 0;  // that planned next to nothing, one after the other
    StepReport step;        // of the last slice
  };
  // A tick that waits for its session's messages.
  struct Barrier {
    TickCommand command;
    Answer<TickAnswer> answer;
    Micros ends_at = 0;  // 0: when the caller does not wait any more
  };

  template <class T, class Work>
  void ask(Answer<T> answer, Work work);
  template <class Work>
  void on_strand(Work work);
  // On the strand: runs it, or keeps it for the end of the tick under way.
  void enter(std::function<void()> work);
  void run_held();
  void let_go();
  absl::Status gone() const;
  // Why nothing can be asked of the world; OK if it is served.
  absl::Status refusal() const;
  absl::Status quarantined() const;
  bool is_quarantined() const { return is_quarantined_.load(std::memory_order_acquire); }
  void quarantine(std::string_view during, const std::exception_ptr& thrown);
  void end_quarantined();
  void end_streams_now(const absl::Status& status);
  void remove_all();

  void begin_tick(TickCommand command, Answer<TickAnswer> answer);
  void start_tick(const TickCommand& command, Answer<TickAnswer> answer);
  void run_slice();
  void plan_slice();
  bool is_tick_done() const;
  void finish_tick(const absl::Status& status);
  TickAnswer tick_answer() const;
  absl::Status why_end_tick() const;
  // Why the wait of one is over without a tick; OK if it is not.
  absl::Status why_end_wait(const Barrier& barrier) const;
  // Starts the tick whose messages have come, ends the waits that are over.
  void release_barriers();
  void schedule_barriers();

  AgentList list_now(const AgentListCommand& command) const;
  WorldInfo info_now() const;
  absl::StatusOr<ChangeAnswer> apply_now(const ApplyCommand& command);
  // Delivers what a command caused, and sees to the next frame.
  void after_command();
  StepReport plan(WorkUnits grant, bool begins_frame);
  void schedule_frame();
  void schedule_portion();
  // Runs the work of a timer, unless the world is not served any more.
  template <class Work>
  void in_frame(Work work);
  void run_frame(Micros due);
  void run_portion();
  void count_last_frame();
  void schedule_expiry();
  void schedule_forgetting();
  void publish();
  void publish_figures();
  void query_on_strand(const QueryFor& who, QueryJob job, QueryGate::Slot slot);
  void answer_query(AnySnapshot snapshot, Revision min_revision, QueryJob job,
                    QueryGate::Slot slot);
  void run_query(const QueryJob& job, AnySnapshot snapshot);
  StreamId new_stream() { return StreamId{next_stream_.fetch_add(1, std::memory_order_relaxed)}; }

  const std::shared_ptr<const WorldFacts> facts_;
  Threads& threads_;
  Metrics& metrics_;
  boost::asio::strand<boost::asio::thread_pool::executor_type> strand_;
  SnapshotCache snapshots_;
  std::atomic<std::uint64_t> memory_bytes_{0};
  std::atomic<std::uint64_t> next_stream_{1};
  std::atomic<bool> is_quarantined_{false};
  mutable std::mutex figures_mutex_;  // guards the next two
  WorldFigures figures_;
  std::string quarantine_reason_;
  // Everything below belongs to the strand.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<WorldLog> log_;
  FramePacer pacer_;
  StreamHub hub_;
  ChangeFeed feed_;
  boost::asio::steady_timer frame_timer_;
  boost::asio::steady_timer expiry_timer_;
  boost::asio::steady_timer forget_timer_;  // of what streams that begin share
  boost::asio::steady_timer barrier_timer_;
  WorldInfo known_;        // as published last; of a quarantined world
  Micros memory_due_ = 0;  // when memory is counted again
  bool frame_scheduled_ = false;
  bool portion_scheduled_ = false;
  bool forgetting_scheduled_ = false;
  absl::Status streams_refused_;  // not OK: the server drains
  bool closed_ = false;
  std::unique_ptr<TickUnderWay> ticking_;   // null: none
  bool ends_tick_ = false;                  // the world is about to be closed
  std::deque<std::function<void()>> held_;  // for the end of the tick; the first may be running
  bool is_letting_go_ = false;              // the first of them runs or is about to
  std::vector<Barrier> barriers_;           // as they came
  bool is_releasing_ = false;
  bool barriers_scheduled_ = false;
};

inline std::chrono::microseconds microseconds(Micros us) {
  return std::chrono::microseconds(static_cast<std::chrono::microseconds::rep>(us));
}

template <class Work>
bool WorldHost::guard(std::string_view during, Work&& work) {
  const std::exception_ptr thrown = run_guarded(std::forward<Work>(work));
  if (thrown != nullptr) quarantine(during, thrown);
  return thrown == nullptr;
}

// Runs `work` on the strand, in the order of calls.
template <class Work>
void WorldHost::on_strand(Work work) {
  boost::asio::post(strand_, [self = shared_from_this(), work = std::move(work)]() mutable {
    self->enter(std::move(work));
  });
}

// The same for a question or command with one answer; `work` gives it as absl::StatusOr<T>.
template <class T, class Work>
void WorldHost::ask(Answer<T> answer, Work work) {
  on_strand([this, answer = std::move(answer), work = std::move(work)]() mutable {
    absl::Status refused = refusal();
    if (refused.ok()) refused = answer.over();
    if (!refused.ok()) return answer(std::move(refused));
    std::optional<absl::StatusOr<T>> result;
    const bool done = guard("command", [&] { result.emplace(work()); });
    done ? answer(*std::move(result)) : answer(quarantined());
    release_barriers();
  });
}

template <class Work>
void WorldHost::in_frame(Work work) {
  if (refusal().ok()) guard("frame", work);
}

}  // namespace repath

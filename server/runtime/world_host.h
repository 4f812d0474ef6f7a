// One world in the server: its engine on a strand, its frame clock, its log, its streams and its
// queries.
//
// Thread rule: every public function may be called from any thread and returns at once. Answers
// come once, on the world's strand (queries: on a query thread), so an answer must hand on what
// takes long. Held by shared_ptr; work under way keeps it alive. Invariants: 1. commands take
// effect in the order in which they were posted; 2. an at-once verdict leaves for the streams in
// the command that caused it, before any planning; 3. without waiting agents and without commands
// the world costs nothing; 4. a world that was deleted answers NOT_FOUND, reason WORLD_UNKNOWN.
#pragma once

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "runtime/change_feed.h"
#include "runtime/config.h"
#include "runtime/frame_pacer.h"
#include "runtime/metrics.h"
#include "runtime/snapshot_cache.h"
#include "runtime/stream_hub.h"
#include "runtime/threads.h"
#include "store/world_log.h"

namespace repath {

template <class T>
using Answer = std::function<void(absl::StatusOr<T>)>;

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

struct TickCommand {
  std::string session_id;
  WorkUnits budget_units = 0;  // 0: by budget_us
  Micros budget_us = 0;        // 0 too: the world's own budget
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

  const WorldFacts& facts() const { return *facts_; }
  // Not older than a quarter of a second of frames and commands.
  std::uint64_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }
  // As of the last frame.
  WorldFigures figures() const;

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
  // FAILED_PRECONDITION, reason NOT_LOCKSTEP, unless the world's clock is the client's.
  void tick(TickCommand command, Answer<TickAnswer> answer);

  // Runs `job` on a query thread with a snapshot of the world as it is now, or of a later moment.
  // Refusals (the queue is full, the revision or the profile is not there) go to the job too, on
  // any thread.
  using QueryJob = std::function<void(absl::StatusOr<AnySnapshot>)>;
  void query(QueryFor who, QueryJob job);
  // The snapshot that such a query would get, if it is at hand: for questions that take less time
  // than another thread takes to wake.
  std::optional<AnySnapshot> at_hand(const QueryFor& who) const;

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

 private:
  template <class T, class Work>
  void ask(Answer<T> answer, Work work);
  template <class Work>
  void on_strand(Work work);
  absl::Status gone() const;

  absl::StatusOr<TickAnswer> tick_now(const TickCommand& command);
  AgentList list_now(const AgentListCommand& command) const;
  WorldInfo info_now() const;
  // Delivers what a command caused, and sees to the next frame.
  void after_command();
  StepReport plan(WorkUnits grant, bool begins_frame);
  void schedule_frame();
  void schedule_portion();
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
  StreamId new_stream() { return StreamId{next_stream_.fetch_add(1, std::memory_order_relaxed)}; }

  const std::shared_ptr<const WorldFacts> facts_;
  Threads& threads_;
  Metrics& metrics_;
  boost::asio::strand<boost::asio::thread_pool::executor_type> strand_;
  SnapshotCache snapshots_;
  std::atomic<std::uint64_t> memory_bytes_{0};
  std::atomic<std::uint64_t> next_stream_{1};
  mutable std::mutex figures_mutex_;  // guards the next one
  WorldFigures figures_;
  // Everything below belongs to the strand.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<WorldLog> log_;
  FramePacer pacer_;
  StreamHub hub_;
  ChangeFeed feed_;
  boost::asio::steady_timer frame_timer_;
  boost::asio::steady_timer expiry_timer_;
  boost::asio::steady_timer forget_timer_;  // of what streams that begin share
  Micros memory_due_ = 0;                   // when memory is counted again
  bool frame_scheduled_ = false;
  bool portion_scheduled_ = false;
  bool forgetting_scheduled_ = false;
  absl::Status streams_refused_;
  bool closed_ = false;
};

}  // namespace repath

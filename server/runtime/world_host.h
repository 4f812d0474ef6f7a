// One world in the server: its engine on a strand, its frame clock, its log, its streams and its
// queries.
//
// Thread rule: every public function may be called from any thread and returns at once. Each answer
// is called once, on the world's strand (for queries on a query thread), so it must hand long work
// to other threads. Held by shared_ptr; work in progress keeps the world alive. Invariants, beside
// 1, 13 and 14 of the room's README:
// 1. An at-once verdict leaves for the streams in the command that caused it, before any planning.
// 2. A world without commands and waiting agents costs nothing.
// 3. A deleted world answers NOT_FOUND, reason WORLD_UNKNOWN; a quarantined one
//    FAILED_PRECONDITION, reason QUARANTINED; a damaged one DATA_LOSS, reason WORLD_DAMAGED.
// 4. A durable world may lie in its store alone. The first command then loads it on a query thread,
//    and commands wait for that in their order.
// 5. An answer that promises the disk is given once the units before it are durable, in order.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
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
#include "runtime/frame_watch.h"
#include "runtime/journal.h"
#include "runtime/loaded_world.h"
#include "runtime/metrics.h"
#include "runtime/snapshot_cache.h"
#include "runtime/stream_hub.h"
#include "runtime/threads.h"
#include "runtime/view_feed.h"
#include "runtime/world_commands.h"
#include "store/world_log.h"

namespace repath {

class WorldHost : public std::enable_shared_from_this<WorldHost> {
 public:
  // A world in memory alone. Borrows `threads` and `metrics`, which must outlive it.
  WorldHost(WorldFacts facts, std::unique_ptr<Engine> engine, std::unique_ptr<WorldLog> log,
            const Limits& limits, Threads& threads, Metrics& metrics);
  // A world that is not in memory yet: a durable one lies in its store.
  WorldHost(WorldFacts facts, std::optional<Keeping> keeping, const Limits& limits,
            Threads& threads, Metrics& metrics);
  WorldHost(const WorldHost&) = delete;
  WorldHost& operator=(const WorldHost&) = delete;

  // Puts a world that was just made into memory. REQUIRES: no other thread knows this object yet.
  void begin_loaded(LoadedWorld world) { install(std::move(world)); }
  // Has a recorder told of what comes in; null: none. REQUIRES: as begin_loaded(), and the recorder
  // is its engine's tap.
  void record_by(std::shared_ptr<Recorder> recorder) {
    recorder_ = std::move(recorder);
    journal_->set_recorder(recorder_.get());
  }
  // Adds its memory to `total` from now on, and no longer to another; null: to none. Any thread.
  void count_memory_in(MemoryTotal* total);
  bool is_durable() const { return keeping_.has_value(); }
  // Returns whether commands that change agents must bring the agents' bytes.
  bool keeps_bytes() const { return is_durable() || limits_.records_worlds; }
  // Returns the key in the store. REQUIRES: is_durable().
  WorldKey key() const { return keeping_->key; }
  bool is_loaded() const { return is_loaded_.load(std::memory_order_acquire); }

  const WorldFacts& facts() const { return *facts_; }
  // Returns the revision as of the last command or frame; 0 before the world was first in memory.
  Revision revision() const { return snapshots_.revision(); }
  const Limits& limits() const { return limits_; }
  Pressure& pressure() const { return threads_.pressure(); }
  // Returns the memory as of at most a quarter of a second of frames and commands ago.
  std::uint64_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }
  // Returns how much of the world is on the disk.
  DurableState durable() const { return durable_.get(); }
  // Returns the figures of the last frame.
  WorldFigures figures() const;

  // For a quarantined world returns the state that was published last; a damaged one refuses.
  void info(Answer<WorldInfo> answer);
  // The same without loading the world. If it is not in memory, the figures known last are given.
  void info_as_is(Answer<WorldInfo> answer);
  void stats(Answer<WorldStats> answer);

  // Applies a change. Answers once the change is as durable as the command demands. UNAVAILABLE
  // with reason STORE_UNAVAILABLE if the store takes no more; then nothing has changed. The calls
  // that change agents fail in the same way, and answer once their change is durable.
  void apply(ApplyCommand command, Answer<ChangeAnswer> answer);
  void test(TestChanges command, Answer<TestAnswer> answer);
  // Reads the durable records from a revision on, as WorldLog::read; at most kChangesBytes.
  void read_changes(Revision start, std::size_t limit, Answer<ChangePage> answer);
  // Read a page of the world as it is now, see Engine::read_terrain.
  void read_terrain(TerrainQuestion question, Answer<TerrainPage> answer);
  void read_graph(GraphQuestion question, Answer<GraphPage> answer);
  void read_obstacles(ObstacleQuestion question, Answer<ObstaclePage> answer);
  // Copies the world as it is when the strand takes the call up. The copy is made in pieces of
  // about kCopyPieceBytes, and other work of the world runs between two pieces. RESOURCE_EXHAUSTED
  // with reason EXPORTS_MAX if kCopiesMax copies are under way. A caller that stops waiting ends
  // its copy.
  static constexpr std::size_t kCopyPieceBytes = std::size_t{1} << 18;
  void copy(Answer<std::shared_ptr<const WorldContent>> answer);
  // Returns what is needed to make a world that equals this one at `wanted`; 0: at its revision
  // now. On a durable world it waits until the revision is on the disk. `base` is the revision at
  // which this world began, if that can be made again. OUT_OF_RANGE with reason REVISION_NOT_YET,
  // or HISTORY_GONE as in Store::snapshot_at.
  void fork_point(Revision wanted, std::optional<Revision> base, Answer<ForkPoint> answer);

  // See StreamHub::upsert, report and remove.
  void upsert_agents(Caller caller, SessionMessage::Upsert message, Answer<Revision> answer);
  void report_positions(Caller caller, SessionMessage::Report message, Answer<ReportAnswer> answer);
  void remove_agents(Caller caller, SessionMessage::Remove message, Answer<std::uint64_t> answer);
  // With paths, a page ends before it exceeds 2 MiB on the wire.
  void list_agents(AgentListCommand command, Answer<AgentList> answer);
  // Lists an agent's verdicts, the oldest first, as far as they are kept. NOT_FOUND with reason
  // AGENT_UNKNOWN if there is no such agent and no verdict of it.
  void list_verdicts(AgentId agent, Answer<PastVerdicts> answer);
  // Lists the first `limit` sessions after the name `after`.
  void list_sessions(std::string after, std::size_t limit, Answer<SessionPage> answer);
  // See StreamHub::close. Returns the number of agents removed.
  void close_session(std::string session_id, Answer<std::uint64_t> answer);
  // Runs a frame that the client asks for. If the caller stops waiting or the server drains, the
  // tick ends after the current slice; everything planned so far stays and is sent. Errors:
  // - FAILED_PRECONDITION, reason NOT_LOCKSTEP: the world runs by the server's clock.
  // - NOT_FOUND, reason SESSION_UNKNOWN.
  // - DEADLINE_EXCEEDED, reason BARRIER: the session's messages did not come in time.
  // - UNAVAILABLE, reason DRAINING: the server drains.
  // - The caller's own status if it stopped waiting.
  void tick(TickCommand command, Answer<TickAnswer> answer);

  // Runs `job` on a query thread with a snapshot of the world's present or a later state. Refusals
  // (the queue is full, the revision or the profile does not exist) also go to the job, on any
  // thread. A job that throws must not have answered: it is called once more, with the refusal of a
  // quarantined world.
  using QueryJob = std::function<void(absl::StatusOr<AnySnapshot>)>;
  void query(QueryFor who, QueryJob job);
  // Runs `job` in the same way with a snapshot that the caller has.
  void query_with(AnySnapshot snapshot, ClientKey client, QueryJob job);
  // Runs `job` in the same way with what placements need, see Engine::capture_placements.
  using PlacementJob = std::function<void(absl::StatusOr<PlacementGround>)>;
  void query_placements(QueryFor who, const PlacementQuery& query, PlacementJob job);
  // Returns the snapshot that such a query would get, if it is available now. For questions that
  // take less time than waking another thread.
  std::optional<AnySnapshot> at_hand(const QueryFor& who) const;
  // Runs `work`, which reads such a snapshot, on this thread. Returns false if a check failed in
  // it; the world is then quarantined.
  template <class Work>
  bool guard(std::string_view during, Work&& work);
  std::string quarantine_reason() const;  // empty while it is served; a damaged world has one, too

  // Open streams. A refusal ends the sink. The id returned is for the calls below.
  StreamId open_session(SessionOpen open, std::shared_ptr<EventSink> sink);
  StreamId open_watch(WatchOpen open, std::shared_ptr<EventSink> sink);
  StreamId open_changes(Revision start, std::shared_ptr<ChangeSink> sink);
  StreamId open_view(std::shared_ptr<ViewSink> sink);
  // Applies a message, then calls `taken`: the next message may be read.
  void session_message(StreamId stream, SessionMessage message, std::function<void()> taken);
  // Reports that the message of a watch was written.
  void ready(StreamId stream);
  void close_stream(StreamId stream);

  // Ends every stream and refuses new ones.
  void end_streams(absl::Status status);
  // Closes a deleted world: its agents get REMOVED, then every stream ends.
  void close();

  // Writes a snapshot of a loaded durable world that has changed since the last one, and its
  // positions. Answers when they are on the disk; OK at once if there is nothing to write.
  void save(Answer<bool> answer);
  // Puts the world out of memory if nothing has used it for `idle_us`: saves it first. Returns at
  // once.
  void unload_if_idle(Micros idle_us);

  // Drops the snapshots kept for queries.
  void drop_copies() { snapshots_.clear(); }

  // Drops the world's log and all that uses it, so that the store may go. REQUIRES: the threads
  // have ended.
  void drop_log();

  // For tests that plant faults. Runs on the strand, as a command.
  void run_for_test(std::function<void(Engine&)> work);

 private:
  struct TickUnderWay {
    TickCommand command;
    Answer<TickAnswer> answer;
    OwnerId owner{};
    WorkUnits left = 0;
    WorkUnits used = 0;
    int little_slices = 0;  // number of slices in a row that planned next to nothing
    StepReport step;        // report of the last slice
  };
  // A tick that waits for its session's messages.
  struct Barrier {
    TickCommand command;
    Answer<TickAnswer> answer;
    Micros ends_at = 0;  // 0: when the caller stops waiting
  };

  // `waits`: the answer waits until what was recorded is durable.
  template <class T, class Work>
  void ask(Answer<T> answer, Work work, bool waits = false);
  // `loads`: the work needs the world in memory.
  template <class Work>
  void on_strand(Work work, bool loads = true);
  // On the strand: runs `work` once no tick is in progress and, if it must, the world is loaded.
  void enter(std::function<void()> work, bool loads);
  void run_held();
  void let_go();
  absl::Status gone() const;
  // Returns why the world takes no requests; OK if it is served.
  absl::Status refusal() const;
  absl::Status quarantined() const;
  bool is_quarantined() const { return is_quarantined_.load(std::memory_order_acquire); }
  void quarantine(std::string_view during, const std::exception_ptr& thrown);
  // Puts the world aside with this error, which all calls get. Returns false if it is aside.
  bool put_aside(absl::Status error, std::string reason);
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
  // Returns why the wait is over without a tick; OK if it is not over.
  absl::Status why_end_wait(const Barrier& barrier) const;
  // Starts the ticks whose messages have come, and ends the waits that are over.
  void release_barriers();
  void schedule_barriers();

  // ---- world_loading.cc ----
  void begin_load();
  void finish_load(absl::StatusOr<LoadedWorld> world);
  void fail_load(const absl::Status& why);
  void install(LoadedWorld world);
  void unload();
  bool is_idle_now(Micros idle_us) const;
  absl::Status not_loaded() const;

  // ---- world_durable.cc ----
  // Gives the answer once everything recorded so far is durable; a refusal at once.
  template <class T>
  void answer_when_durable(Answer<T> answer, absl::StatusOr<T> result);
  void on_progress();
  // Ends a world whose log says that it is damaged.
  void end_damaged(absl::Status damage);
  // Publishes what is durable now.
  DurableState note_durable();
  void release_answers();
  void schedule_answers();
  void read_from_disk(Revision start, std::size_t limit, Answer<ChangePage> answer);
  void feed_from_disk(StreamId stream, Revision start);
  void save_if_due();
  void begin_snapshot();
  void write_snapshot(std::shared_ptr<const WorldContent> content, Lsn lsn);
  void end_snapshot(const absl::Status& status);
  void schedule_positions();
  void save_positions();

  void schedule_view();
  std::shared_ptr<ViewFrame> look() const;

  void advance_copy(CopyId copy, Answer<std::shared_ptr<const WorldContent>> answer);
  void begin_copy_now(Answer<std::shared_ptr<const WorldContent>> answer);
  void give_fork_point(Revision wanted, std::optional<Revision> base, Answer<ForkPoint> answer);
  AgentList list_now(const AgentListCommand& command) const;
  WorldInfo info_now() const;
  // Returns the world's memory. O(agents).
  std::uint64_t memory_now() const;
  absl::StatusOr<ChangeAnswer> apply_now(const ApplyCommand& command, Durability durability);
  // Delivers the events that a command caused, and schedules the next frame.
  void after_command();
  StepReport plan(WorkUnits grant, bool begins_frame);
  void schedule_frame();
  void schedule_portion();
  // Runs the work of a timer if the world is still served.
  template <class Work>
  void in_frame(Work work);
  void run_frame(Micros due);
  void run_portion();
  void count_last_frame();
  template <class Sink, class Open>
  StreamId open_stream(std::shared_ptr<Sink> sink, Open open);
  // As refusal(), also while the server drains.
  absl::Status stream_refusal() const;
  template <class Work>
  void at(Micros due, boost::asio::steady_timer& timer, Work work);
  void expire_sessions();
  void schedule_expiry();
  void schedule_forgetting();
  void publish();
  void publish_figures();
  void count_memory(std::uint64_t bytes);
  void query_on_strand(const QueryFor& who, QueryJob job, QueryGate::Slot slot);
  // Runs `job` on a query thread with the snapshot, unless this is older than the query demands.
  template <class Captured>
  void answer_query(Captured snapshot, const QueryFor& who,
                    std::function<void(absl::StatusOr<Captured>)> job, QueryGate::Slot slot);

  // An answer that waits for the disk.
  struct Pending {
    Lsn unit{};
    std::function<absl::Status()> over;      // why its caller no longer waits
    std::function<void(absl::Status)> give;  // OK: the answer itself
  };

  const std::shared_ptr<const WorldFacts> facts_;
  const Limits limits_;
  const std::optional<Keeping> keeping_;  // empty: in memory alone
  Threads& threads_;
  Metrics& metrics_;
  boost::asio::strand<boost::asio::io_context::executor_type> strand_;
  SnapshotCache snapshots_;
  std::atomic<std::uint64_t> memory_bytes_{0};
  std::atomic<std::uint64_t> next_stream_{1};
  std::atomic<bool> is_quarantined_{false};
  std::atomic<bool> is_loaded_{false};
  std::atomic<Micros> used_at_{0};  // when a command came last
  Micros used_before_ = 0;          // used_at_ before that command
  DurableMark durable_;
  mutable std::mutex figures_mutex_;  // guards the five members below
  WorldFigures figures_;
  std::string quarantine_reason_;
  absl::Status aside_;  // what calls get of a quarantined world
  MemoryTotal* total_ = nullptr;
  std::uint64_t counted_ = 0;  // memory that total_ has of this world
  // All below belongs to the strand. These seven are empty while the world is not loaded.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<WorldLog> log_;
  std::shared_ptr<Recorder> recorder_;  // null: the world is not recorded
  std::optional<Journal> journal_;
  std::optional<StreamHub> hub_;
  std::optional<ChangeFeed> feed_;
  std::optional<ViewFeed> views_;
  FramePacer pacer_;
  FrameWatch watch_;
  boost::asio::steady_timer frame_timer_;
  boost::asio::steady_timer expiry_timer_;
  boost::asio::steady_timer forget_timer_;  // for events that beginning streams share
  boost::asio::steady_timer barrier_timer_;
  boost::asio::steady_timer answers_timer_;
  boost::asio::steady_timer positions_timer_;
  boost::asio::steady_timer view_timer_;
  WorldFigures before_load_;  // counters of earlier times in memory
  bool is_loading_ = false;
  absl::Status load_error_;  // why the last load failed; commands that waited for it get it
  bool is_damaged_ = false;  // load_error_ is for good
  std::deque<Pending> pending_;
  bool answers_scheduled_ = false;
  bool positions_scheduled_ = false;
  bool snapshot_under_way_ = false;
  Micros snapshot_after_ = 0;         // not before, because one failed
  std::vector<Answer<bool>> saving_;  // callers who wait for the snapshot under way
  std::uint64_t copies_ = 0;          // under way
  WorldInfo known_;                   // as published last; a quarantined world answers with it
  Micros memory_due_ = 0;             // when the memory is counted again
  bool frame_scheduled_ = false;
  bool view_scheduled_ = false;
  bool portion_scheduled_ = false;
  bool forgetting_scheduled_ = false;
  absl::Status streams_refused_;  // not OK: the server drains
  bool closed_ = false;
  std::unique_ptr<TickUnderWay> ticking_;  // null: no tick
  bool ends_tick_ = false;                 // the world is about to be closed
  // Work for the end of the tick; the first may be running.
  std::deque<std::function<void()>> held_;
  bool is_letting_go_ = false;     // the first of them runs or is about to run
  std::vector<Barrier> barriers_;  // in the order of arrival
  bool is_releasing_ = false;
  bool barriers_scheduled_ = false;
};

template <class Work>
bool WorldHost::guard(std::string_view during, Work&& work) {
  const WorldPool::Piece piece;
  const std::exception_ptr thrown = run_guarded(std::forward<Work>(work));
  if (thrown != nullptr) quarantine(during, thrown);
  return thrown == nullptr;
}

// Runs `work` on the strand, in the order of calls.
template <class Work>
void WorldHost::on_strand(Work work, bool loads) {
  boost::asio::post(strand_, [self = shared_from_this(), work = std::move(work), loads]() mutable {
    self->enter(std::move(work), loads);
  });
}

template <class T>
void WorldHost::answer_when_durable(Answer<T> answer, absl::StatusOr<T> result) {
  if (!result.ok()) return answer(std::move(result));
  if (journal_->last() <= log_->durable()) {
    // The store's thread was faster; what it has to tell may still wait on the strand.
    release_answers();
    return answer(std::move(result));
  }
  const auto give = [answer, result = std::move(result)](absl::Status status) {
    status.ok() ? answer(result) : answer.fail(std::move(status), *result);
  };
  pending_.push_back({journal_->last(), [answer] { return answer.over(); }, give});
  schedule_answers();
}

// Runs a question or command with one answer on the strand; `work` returns it as absl::StatusOr<T>.
template <class T, class Work>
void WorldHost::ask(Answer<T> answer, Work work, bool waits) {
  on_strand([this, answer = std::move(answer), work = std::move(work), waits]() mutable {
    absl::Status refused = refusal();
    if (refused.ok()) refused = answer.over();
    if (!refused.ok()) return answer(std::move(refused));
    std::optional<absl::StatusOr<T>> result;
    const bool done = guard("command", [&] { result.emplace(work()); });
    if (!done) {
      answer(quarantined());
    } else if (waits) {
      answer_when_durable(std::move(answer), *std::move(result));
    } else {
      answer(*std::move(result));
    }
    release_barriers();
  });
}

template <class Work>
void WorldHost::in_frame(Work work) {
  if (refusal().ok()) guard("frame", work);
}

}  // namespace repath

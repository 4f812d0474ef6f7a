#include "runtime/world_host.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// Time between two counts of the memory, because a count visits every agent.
constexpr Micros kMemoryEveryUs = 250'000;

}  // namespace

WorldHost::WorldHost(WorldFacts facts, std::unique_ptr<Engine> engine,
                     std::unique_ptr<WorldLog> log, const Limits& limits, Threads& threads,
                     Metrics& metrics)
    : WorldHost(std::move(facts), std::nullopt, limits, threads, metrics) {
  install({std::move(engine), std::move(log)});
}

WorldHost::WorldHost(WorldFacts facts, std::optional<Keeping> keeping, const Limits& limits,
                     Threads& threads, Metrics& metrics)
    : facts_(std::make_shared<const WorldFacts>(std::move(facts))),
      limits_(limits),
      keeping_(std::move(keeping)),
      threads_(threads),
      metrics_(metrics),
      strand_(boost::asio::make_strand(threads.worlds())),
      pacer_(facts_->settings.frame),
      watch_(facts_->settings.frame),
      frame_timer_(strand_),
      expiry_timer_(strand_),
      forget_timer_(strand_),
      barrier_timer_(strand_),
      answers_timer_(strand_),
      positions_timer_(strand_),
      view_timer_(strand_) {
  known_.facts = facts_;
  known_.is_loaded = false;
  if (!facts_->damage.ok()) fail_load(facts_->damage);
}

absl::Status WorldHost::refusal() const {
  if (closed_) return gone();
  if (is_quarantined()) return quarantined();
  return is_loaded() ? absl::OkStatus() : not_loaded();
}

absl::Status WorldHost::stream_refusal() const {
  absl::Status status = refusal();
  return status.ok() ? streams_refused_ : status;
}

absl::Status WorldHost::gone() const {
  return make_error(absl::StatusCode::kNotFound, "WORLD_UNKNOWN", "world",
                    "there is no world '" + facts_->name + "'");
}

void WorldHost::publish() {
  snapshots_.publish(engine_->revision());
  known_.revision = engine_->revision();
  known_.state_hash = engine_->state_hash();
  known_.obstacles = engine_->obstacle_count();
  known_.agents = engine_->agent_count();
  known_.oldest = log_->oldest();
  const Micros now = now_us();
  if (now < memory_due_) return;
  memory_due_ = now + kMemoryEveryUs;
  count_memory(memory_now());
}

std::uint64_t WorldHost::memory_now() const {
  return engine_->memory_bytes() + hub_->diary().bytes() + log_->memory_bytes();
}

void WorldHost::count_memory(std::uint64_t bytes) {
  memory_bytes_.store(bytes, std::memory_order_relaxed);
  const std::lock_guard lock(figures_mutex_);
  if (total_ == nullptr) return;
  total_->bytes += bytes - counted_;
  counted_ = bytes;
}

void WorldHost::count_memory_in(MemoryTotal* total) {
  const std::lock_guard lock(figures_mutex_);
  if (total_ != nullptr) total_->bytes -= counted_;
  total_ = total;
  counted_ = total == nullptr ? 0 : memory_bytes();
  if (total_ != nullptr) total_->bytes += counted_;
}

void WorldHost::publish_figures() {
  WorldFigures figures;
  figures.engine = engine_->stats();
  figures.frames_over_budget = pacer_.frames_over_budget();
  figures.late_frames = pacer_.late_frames();
  figures.oldest_wait_seconds =
      static_cast<double>(figures.engine.oldest_wait_frames) / facts_->settings.frame.rate_hz;
  figures.memory_bytes = memory_bytes();
  figures.history_bytes = log_->memory_bytes();
  figures.answers_bytes = engine_->answers_bytes();
  figures.sessions = hub_->sessions();
  figures.streams = hub_->streams() + feed_->streams() + views_->streams();
  figures.coalesced = hub_->coalesced();
  figures.loaded = 1;
  figures += before_load_;
  const std::lock_guard lock(figures_mutex_);
  if (!is_quarantined()) figures_ = figures;
}

WorldFigures WorldHost::figures() const {
  const std::lock_guard lock(figures_mutex_);
  return figures_;
}

WorldInfo WorldHost::info_now() const {
  return {facts_,
          engine_->revision(),
          engine_->state_hash(),
          engine_->profiles(),
          engine_->obstacle_count(),
          engine_->agent_count(),
          memory_now(),
          log_->oldest(),
          durable()};
}

void WorldHost::info(Answer<WorldInfo> answer) {
  on_strand([this, answer = std::move(answer)] {
    absl::Status refused = refusal();
    if (closed_ || absl::IsDataLoss(refused)) return answer(std::move(refused));
    const bool has_no_room = absl::IsResourceExhausted(load_error_);
    if (!is_quarantined() && !is_loaded() && !has_no_room) return answer(not_loaded());
    if (!is_quarantined() && is_loaded() && guard("command", [this] { known_ = info_now(); }))
      return answer(known_);
    WorldInfo info = known_;
    info.memory_bytes = memory_bytes();
    info.quarantine_reason = quarantine_reason();
    answer(std::move(info));
  });
}

void WorldHost::info_as_is(Answer<WorldInfo> answer) {
  on_strand(
      [this, answer = std::move(answer)] {
        if (closed_) return answer(gone());
        if (!is_quarantined() && is_loaded() && guard("command", [this] { known_ = info_now(); }))
          return answer(known_);
        WorldInfo info = known_;
        info.memory_bytes = memory_bytes();
        info.quarantine_reason = quarantine_reason();
        answer(std::move(info));
      },
      /*loads=*/false);
}

void WorldHost::stats(Answer<WorldStats> answer) {
  ask(std::move(answer), [this]() -> absl::StatusOr<WorldStats> {
    // A look at the figures is no use of the world: it may still go out of memory.
    used_at_.store(used_before_, std::memory_order_relaxed);
    return WorldStats{engine_->stats(),
                      engine_->revision(),
                      pacer_.frames_over_budget(),
                      pacer_.last_grant(),
                      pacer_.units_per_us(),
                      pacer_.frame_us_quantile(0.5),
                      pacer_.frame_us_quantile(0.99)};
  });
}

// ---- changes ----

void WorldHost::apply(ApplyCommand command, Answer<ChangeAnswer> answer) {
  const Durability durability =
      command.durability.value_or(is_durable() ? Durability::kLocalDisk : Durability::kApplied);
  ask(
      std::move(answer),
      [this, command = std::move(command), durability] { return apply_now(command, durability); },
      durability == Durability::kLocalDisk);
}

// The answer is given after the events of the change have been sent on their way.
absl::StatusOr<ChangeAnswer> WorldHost::apply_now(const ApplyCommand& command,
                                                  Durability durability) {
  if (auto status = journal_->accepts(durability); !status.ok()) {
    // A repeated request gets its earlier answer even then.
    const auto repeated = engine_->find_answer(command.changes, now_us());
    if (!repeated.ok()) return repeated.status();
    if (*repeated && is_durable()) return **repeated;
    return status;
  }
  absl::StatusOr<ChangeAnswer> result = journal_->apply(command, now_us());
  if (!result.ok() || result->repeated_request) return result;
  publish();
  journal_->commit();
  after_command();
  feed_->pump();
  save_if_due();
  return result;
}

// Stops the engine's work soon after the caller has stopped waiting.
void WorldHost::test(TestChanges command, Answer<TestAnswer> answer) {
  auto work = [this, command = std::move(command),
               caller = answer]() -> absl::StatusOr<TestAnswer> {
    const CallerGone gone(caller);
    absl::StatusOr<TestAnswer> tried = engine_->test(command, &gone);
    if (tried.ok()) return tried;
    absl::Status over = caller.over();
    return over.ok() ? tried.status() : over;
  };
  ask(std::move(answer), std::move(work));
}

void WorldHost::read_changes(Revision start, std::size_t limit, Answer<ChangePage> answer) {
  on_strand([this, start, limit, answer = std::move(answer)]() mutable {
    absl::Status refused = refusal();
    if (refused.ok()) refused = answer.over();
    if (!refused.ok()) return answer(std::move(refused));
    absl::StatusOr<LogPage> page = LogPage{};
    if (!guard("command", [&] { page = log_->read(start, limit, kChangesBytes); }))
      return answer(quarantined());
    if (!page.ok()) return answer(page.status());
    if (page->on_disk) return read_from_disk(start, limit, std::move(answer));
    const Revision last = previous(log_->readable_end());
    note_durable();  // after the read: the answer tells of the disk what its records need
    answer(ChangePage{std::move(page->records), last});
  });
}

// ---- agents ----

void WorldHost::upsert_agents(Caller caller, SessionMessage::Upsert message,
                              Answer<Revision> answer) {
  ask(
      std::move(answer),
      [this, caller, message = std::move(message)]() -> absl::StatusOr<Revision> {
        const absl::Status status = hub_->upsert(caller, message, now_us());
        after_command();
        if (!status.ok()) return status;
        return engine_->revision();
      },
      is_durable());
}

void WorldHost::report_positions(Caller caller, SessionMessage::Report message,
                                 Answer<ReportAnswer> answer) {
  ask(std::move(answer),
      [this, caller, message = std::move(message)]() -> absl::StatusOr<ReportAnswer> {
        auto unknown = hub_->report(caller, message, now_us());
        after_command();
        if (!unknown.ok()) return unknown.status();
        return ReportAnswer{engine_->revision(), *std::move(unknown)};
      });
}

void WorldHost::remove_agents(Caller caller, SessionMessage::Remove message,
                              Answer<std::uint64_t> answer) {
  ask(
      std::move(answer),
      [this, caller, message = std::move(message)] {
        absl::StatusOr<std::uint64_t> removed = hub_->remove(caller, message);
        after_command();
        return removed;
      },
      is_durable());
}

void WorldHost::list_agents(AgentListCommand command, Answer<AgentList> answer) {
  ask(std::move(answer), [this, command = std::move(command)]() -> absl::StatusOr<AgentList> {
    return list_now(command);
  });
}

AgentList WorldHost::list_now(const AgentListCommand& command) const {
  constexpr std::size_t kPageBytes = 2u << 20;
  AgentList list{{}, std::nullopt, engine_->revision()};
  std::size_t bytes = 0;
  // Returns false if the page is full; `agent` then starts the next page.
  const auto add = [&](AgentView& agent) {
    bytes += estimated_bytes(agent.verdict);
    if (list.agents.size() == command.limit || (!list.agents.empty() && bytes > kPageBytes)) {
      list.next = agent.spec.id;
      return false;
    }
    if (!command.with_paths && agent.verdict.path) {
      agent.verdict.path->nodes.clear();
      agent.verdict.path->points.clear();
    }
    list.agents.push_back(std::move(agent));
    return true;
  };
  if (command.agents.empty()) {
    auto views = engine_->agents(command.from, command.limit + 1, command.with_paths, std::nullopt);
    (void)std::all_of(views.begin(), views.end(), add);
    return list;
  }
  const auto first = std::lower_bound(command.agents.begin(), command.agents.end(), command.from);
  (void)std::all_of(first, command.agents.end(), [&](AgentId id) {
    auto view = engine_->agent(id);
    return !view || add(*view);
  });
  return list;
}

// ---- frames ----

// Plans a portion. Agents without an event learn the settled revision when a frame begins and when
// no agent waits any more.
StepReport WorldHost::plan(WorkUnits grant, bool begins_frame) {
  if (begins_frame) {
    engine_->begin_frame();
    watch_.begin(engine_->stats());
  }
  const Micros begun = now_us();
  const StepReport report = engine_->plan(grant, begun);
  const Micros done = now_us();
  pacer_.end(grant, {report.used, report.done}, done - begun);
  if (pacer_.took() > watch_.limit())
    if (const auto line = watch_.check(pacer_.took(), engine_->stats(), done))
      spdlog::warn("slow frame world={} revision={} {}", facts_->name, value(report.revision),
                   *line);
  if (begins_frame || report.idle) {
    hub_->deliver_frame(report.frame, done);
  } else {
    hub_->deliver(done);
  }
  publish();
  publish_figures();
  return report;
}

void WorldHost::after_command() {
  hub_->deliver(now_us());
  schedule_frame();
  schedule_positions();
}

// Schedules the next frame, and another portion of this one if there is something to plan.
void WorldHost::schedule_frame() {
  if (facts_->settings.lockstep) return;
  schedule_portion();
  if (frame_scheduled_) return;
  frame_scheduled_ = true;
  const Micros now = now_us();
  const Micros due = pacer_.next_due(now);
  frame_timer_.expires_after(microseconds(due - now));
  frame_timer_.async_wait(
      [self = shared_from_this(), due](const boost::system::error_code& cancelled) {
        if (!cancelled) self->in_frame([&] { self->run_frame(due); });
      });
}

// Schedules a portion after the work that already waits on the strand.
void WorldHost::schedule_portion() {
  if (portion_scheduled_ || engine_->is_idle() || pacer_.grant_portion(now_us()) == 0) return;
  portion_scheduled_ = true;
  boost::asio::post(strand_,
                    [self = shared_from_this()] { self->in_frame([&] { self->run_portion(); }); });
}

void WorldHost::run_frame(Micros due) {
  frame_scheduled_ = false;
  const Micros now = now_us();
  count_last_frame();
  pacer_.begin(due, now);
  if (!plan(pacer_.grant_portion(now), /*begins_frame=*/true).idle) schedule_frame();
}

// Counts the last frame only when the next one begins, because it may plan until then.
void WorldHost::count_last_frame() {
  if (pacer_.took() != 0) metrics_.count_frame(pacer_.took());
}

void WorldHost::run_portion() {
  portion_scheduled_ = false;
  const WorkUnits grant = pacer_.grant_portion(now_us());
  if (grant > 0 && !engine_->is_idle()) plan(grant, /*begins_frame=*/false);
  if (!engine_->is_idle()) schedule_frame();
}

void WorldHost::run_for_test(std::function<void(Engine&)> work) {
  on_strand([this, work = std::move(work)] {
    if (refusal().ok()) guard("command", [&] { work(*engine_); });
  });
}

// ---- a failed check: the world is quarantined, and all other worlds go on ----

absl::Status WorldHost::quarantined() const {
  const std::lock_guard lock(figures_mutex_);
  return aside_;
}

std::string WorldHost::quarantine_reason() const {
  const std::lock_guard lock(figures_mutex_);
  return quarantine_reason_;
}

// Quarantines the world. May run on any thread; only the first failure counts.
void WorldHost::quarantine(std::string_view during, const std::exception_ptr& thrown) {
  const Failure failure = describe(thrown);
  absl::Status error =
      make_error(absl::StatusCode::kFailedPrecondition, "QUARANTINED", "world",
                 "an internal check failed in the world '" + facts_->name +
                     "'; delete the world and make it again (" + failure.reason + ")");
  if (!put_aside(with_fact(std::move(error), "check", failure.reason), failure.reason)) return;
  log_failure(facts_->name, during,
              "the world is quarantined, all others go on; delete it and make it again", failure);
  metrics_.count_quarantine();
  boost::asio::post(strand_, [self = shared_from_this()] { self->end_quarantined(); });
}

bool WorldHost::put_aside(absl::Status error, std::string reason) {
  const std::lock_guard lock(figures_mutex_);
  if (is_quarantined()) return false;
  aside_ = std::move(error);
  quarantine_reason_ = std::move(reason);
  figures_.quarantined = 1;
  figures_.sessions = figures_.streams = 0;
  is_quarantined_.store(true, std::memory_order_release);
  return true;
}

// Ends the world without calling the engine. Unsent events are lost.
void WorldHost::end_quarantined() {
  for (auto* timer : {&frame_timer_, &expiry_timer_, &forget_timer_, &positions_timer_})
    timer->cancel();
  const absl::Status status = quarantined();
  if (is_loaded()) {
    hub_->abandon(status);
    feed_->end_all(status);
    views_->end_all(status);
  }
  release_barriers();
}

}  // namespace repath

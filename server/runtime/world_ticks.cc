// WorldHost's ticks: frames that a client asks for, in slices of a fixed size. Other worlds of the
// thread run between the slices, but nothing else of this world. The events are sent at the end, as
// if the tick had been one piece.
#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"

namespace repath {
namespace {

// A few milliseconds. A smaller tick is one slice.
constexpr WorkUnits kTickSliceUnits = FramePacer::kPortionUnitsMax;
// A slice that plans less than this makes no progress. After this many in a row the tick ends, as a
// frame does.
constexpr WorkUnits kLittleUnits = 64;
constexpr int kLittleSlicesMax = 16;
// How often waits for messages are checked, in addition to each arrival of a message.
constexpr std::chrono::milliseconds kBarrierPeriod(10);

}  // namespace

// ---- what waits for the end of a tick, or for the world to be loaded ----

void WorldHost::enter(std::function<void()> work, bool loads) {
  if (loads) used_before_ = used_at_.exchange(now_us(), std::memory_order_relaxed);
  const bool may_run = !loads || is_loaded() || closed_ || is_quarantined() || is_damaged_;
  if (ticking_ == nullptr && !is_loading_ && held_.empty() && may_run) return work();
  if (!may_run && !is_loading_ && held_.empty()) begin_load();
  held_.push_back(std::move(work));
  let_go();
}

// Runs the held work piece by piece, each piece behind the work of other worlds.
void WorldHost::let_go() {
  if (ticking_ != nullptr || is_loading_ || held_.empty() || is_letting_go_) return;
  is_letting_go_ = true;
  boost::asio::post(strand_, [self = shared_from_this()] { self->run_held(); });
}

// Runs the first piece. It stays in the queue while it runs, so that work which arrives then queues
// behind it.
void WorldHost::run_held() {
  const std::function<void()> work = std::move(held_.front());
  work();
  held_.pop_front();
  is_letting_go_ = false;
  let_go();
}

// ---- ticks ----

void WorldHost::tick(TickCommand command, Answer<TickAnswer> answer) {
  on_strand([this, command = std::move(command), answer = std::move(answer)]() mutable {
    begin_tick(std::move(command), std::move(answer));
  });
}

void WorldHost::begin_tick(TickCommand command, Answer<TickAnswer> answer) {
  absl::Status refused = stream_refusal();
  if (refused.ok()) refused = answer.over();
  if (refused.ok() && !facts_->settings.lockstep) {
    refused = make_error(absl::StatusCode::kFailedPrecondition, "NOT_LOCKSTEP", "world",
                         "the world runs by the server's clock; make it with options.lockstep");
  }
  if (refused.ok()) refused = hub_->owner_of(command.session_id).status();
  if (refused.ok() && command.after_sequence != 0 && command.session_id.empty()) {
    refused = invalid_field("SESSION_MISSING", "after_sequence",
                            "needs session_id: the session whose messages it waits for");
  }
  if (!refused.ok()) return answer(std::move(refused));
  if (command.after_sequence <= hub_->sequence_of(command.session_id))
    return start_tick(command, std::move(answer));
  const Micros ends_at = command.barrier_us == 0 ? 0 : now_us() + command.barrier_us;
  barriers_.push_back({std::move(command), std::move(answer), ends_at});
  schedule_barriers();
}

void WorldHost::start_tick(const TickCommand& command, Answer<TickAnswer> answer) {
  WorkUnits grant = command.budget_units;
  if (grant == 0)
    grant = command.budget_us != 0 ? pacer_.grant_for(command.budget_us) : pacer_.grant();
  ticking_ = std::make_unique<TickUnderWay>();
  ticking_->command = command;
  ticking_->answer = std::move(answer);
  ticking_->left = grant;
  const bool begun = guard("tick", [&] {
    ticking_->owner = hub_->owner_of(command.session_id).value_or(kNoOwner);
    count_last_frame();
    pacer_.begin_tick(grant);
    engine_->begin_frame();
    plan_slice();
  });
  if (!begun || is_tick_done()) return finish_tick(begun ? absl::OkStatus() : quarantined());
  boost::asio::post(strand_, [self = shared_from_this()] { self->run_slice(); });
}

void WorldHost::run_slice() {
  absl::Status status = why_end_tick();
  if (status.ok() && !guard("tick", [this] { plan_slice(); })) status = quarantined();
  if (!status.ok() || is_tick_done()) return finish_tick(status);
  boost::asio::post(strand_, [self = shared_from_this()] { self->run_slice(); });
}

void WorldHost::plan_slice() {
  TickUnderWay& tick = *ticking_;
  const WorkUnits slice = std::min(tick.left, kTickSliceUnits);
  const Micros begun = now_us();
  tick.step = engine_->plan(slice, begun);
  pacer_.end(slice, {tick.step.used, tick.step.done}, now_us() - begun);
  tick.left -= std::min(tick.left, tick.step.used);
  tick.used += tick.step.used;
  tick.little_slices = tick.step.used < kLittleUnits ? tick.little_slices + 1 : 0;
}

bool WorldHost::is_tick_done() const {
  const TickUnderWay& tick = *ticking_;
  return tick.step.idle || tick.left == 0 || tick.little_slices >= kLittleSlicesMax;
}

absl::Status WorldHost::why_end_tick() const {
  if (ends_tick_) return gone();
  if (is_quarantined()) return quarantined();
  return streams_refused_.ok() ? ticking_->answer.over() : streams_refused_;
}

// Sends everything that was planned, whatever ended the tick.
void WorldHost::finish_tick(const absl::Status& status) {
  std::optional<TickAnswer> made;
  const bool sent = !is_quarantined() && guard("tick", [&] {
    ticking_->step.used = ticking_->used;
    hub_->deliver_frame(ticking_->step.frame, now_us());
    publish();
    publish_figures();
    made = tick_answer();
  });
  const Answer<TickAnswer> answer = std::move(ticking_->answer);
  ticking_.reset();
  if (!sent) {
    answer(quarantined());
  } else if (!status.ok()) {
    answer(status);
  } else {
    answer(*std::move(made));
  }
  release_barriers();
  let_go();
}

TickAnswer WorldHost::tick_answer() const {
  TickAnswer answer;
  answer.step = ticking_->step;
  answer.state_hash = engine_->state_hash();
  if (const Stream* stream = hub_->stream_of(ticking_->command.session_id)) {
    std::tie(answer.settled, answer.applied_sequence) = stream->settled_when_read(*engine_);
    answer.last_batch = stream->last_batch();
    return answer;
  }
  answer.applied_sequence = hub_->sequence_of(ticking_->command.session_id);
  const OwnerId owner = ticking_->owner;
  answer.settled =
      engine_->settled_revision(owner == kNoOwner ? std::nullopt : std::optional(owner));
  return answer;
}

// ---- waiting for a session's messages ----

absl::Status WorldHost::why_end_wait(const Barrier& barrier) const {
  REPATH_RETURN_IF_ERROR(stream_refusal());
  REPATH_RETURN_IF_ERROR(barrier.answer.over());
  REPATH_RETURN_IF_ERROR(hub_->owner_of(barrier.command.session_id).status());
  if (barrier.ends_at == 0 || now_us() < barrier.ends_at) return absl::OkStatus();
  return make_error(absl::StatusCode::kDeadlineExceeded, "BARRIER", "after_sequence",
                    "the session's messages up to " +
                        std::to_string(barrier.command.after_sequence) + " did not come in time");
}

void WorldHost::release_barriers() {
  if (is_releasing_) return;
  is_releasing_ = true;
  for (std::size_t i = 0; i < barriers_.size();) {
    absl::Status over = why_end_wait(barriers_[i]);
    const bool is_reached =
        ticking_ == nullptr &&
        barriers_[i].command.after_sequence <= hub_->sequence_of(barriers_[i].command.session_id);
    if (over.ok() && !is_reached) {
      ++i;
      continue;
    }
    const Barrier barrier = std::move(barriers_[i]);
    barriers_.erase(barriers_.begin() + static_cast<std::ptrdiff_t>(i));
    over.ok() ? start_tick(barrier.command, barrier.answer) : barrier.answer(std::move(over));
  }
  is_releasing_ = false;
}

void WorldHost::schedule_barriers() {
  if (barriers_scheduled_ || barriers_.empty()) return;
  barriers_scheduled_ = true;
  barrier_timer_.expires_after(kBarrierPeriod);
  barrier_timer_.async_wait([self = shared_from_this()](const boost::system::error_code&) {
    self->barriers_scheduled_ = false;
    self->release_barriers();
    self->schedule_barriers();
  });
}

}  // namespace repath

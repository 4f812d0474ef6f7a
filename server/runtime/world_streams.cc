// WorldHost's streams: opening, feeding and ending them; and the end of the world.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/world_host.h"
#include "spdlog/spdlog.h"

namespace repath {

// Opens a stream on the strand by `open(id)`, which returns an absl::Status. A refusal ends the
// sink.
template <class Sink, class Open>
StreamId WorldHost::open_stream(std::shared_ptr<Sink> sink, Open open) {
  const StreamId id{next_stream_.fetch_add(1, std::memory_order_relaxed)};
  on_strand([this, id, sink = std::move(sink), open = std::move(open)]() mutable {
    absl::Status status = stream_refusal();
    if (!status.ok()) return sink->on_end(status);
    const bool opened = guard("command", [&] {
      status = open(id, sink);
      if (!status.ok()) return sink->on_end(status);
      publish_figures();
      schedule_forgetting();
    });
    const bool ends_later = is_loaded() && (hub_->has(id) || feed_->has(id) || views_->has(id));
    if (!opened && status.ok() && !ends_later) sink->on_end(quarantined());
  });
  return id;
}

StreamId WorldHost::open_session(SessionOpen open, std::shared_ptr<EventSink> sink) {
  return open_stream(std::move(sink), [this, open = std::move(open)](StreamId id, auto& to) {
    absl::Status status = hub_->open_session(id, open, to, now_us());
    if (status.ok()) schedule_expiry();
    return status;
  });
}

StreamId WorldHost::open_watch(WatchOpen open, std::shared_ptr<EventSink> sink) {
  return open_stream(std::move(sink),
                     [this, open = std::move(open)](StreamId id, auto& to) mutable {
                       return hub_->open_watch(id, std::move(open), to, now_us());
                     });
}

StreamId WorldHost::open_changes(Revision start, std::shared_ptr<ChangeSink> sink) {
  return open_stream(std::move(sink),
                     [this, start](StreamId id, auto& to) { return feed_->open(id, start, to); });
}

void WorldHost::session_message(StreamId stream, SessionMessage message,
                                std::function<void()> taken) {
  on_strand([this, stream, message = std::move(message), taken = std::move(taken)]() mutable {
    if (refusal().ok()) {
      guard("command", [&] {
        if (hub_->take(stream, std::move(message), now_us())) schedule_frame();
        schedule_positions();
        schedule_forgetting();
      });
      release_barriers();
    }
    taken();
  });
}

void WorldHost::list_sessions(std::string after, std::size_t limit, Answer<SessionPage> answer) {
  ask(std::move(answer), [this, after = std::move(after), limit]() -> absl::StatusOr<SessionPage> {
    return hub_->list(after, limit, now_us());
  });
}

void WorldHost::close_session(std::string session_id, Answer<std::uint64_t> answer) {
  ask(
      std::move(answer),
      [this, session_id = std::move(session_id)] {
        absl::StatusOr<std::uint64_t> removed = hub_->close(session_id, now_us());
        after_command();
        publish_figures();
        schedule_expiry();
        return removed;
      },
      is_durable());
}

void WorldHost::ready(StreamId stream) {
  on_strand(
      [this, stream] {
        if (!refusal().ok()) return;
        guard("command", [&] {
          hub_->ready(stream, now_us());
          schedule_forgetting();
          feed_->ready(stream);
          views_->ready(stream);
        });
      },
      /*loads=*/false);
}

void WorldHost::close_stream(StreamId stream) {
  on_strand(
      [this, stream] {
        if (is_quarantined() || !is_loaded()) return;
        guard("command", [&] {
          hub_->detach(stream, now_us());
          feed_->close(stream);
          views_->close(stream);
          publish_figures();
          schedule_expiry();
          used_at_.store(now_us(), std::memory_order_relaxed);
        });
      },
      /*loads=*/false);
}

// Sets the timer; `work` then runs in the order of commands if the world is still served.
template <class Work>
void WorldHost::at(Micros due, boost::asio::steady_timer& timer, Work work) {
  const Micros now = now_us();
  timer.expires_after(microseconds(due > now ? due - now : 0));
  timer.async_wait([self = shared_from_this(), work](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    self->enter(
        [host = self.get(), work] {
          host->in_frame(work);
          host->release_barriers();
        },
        /*loads=*/false);
  });
}

// Ends the sessions whose time is over. If a token or certificate opened one, its end is a line of
// the audit.
void WorldHost::expire_sessions() {
  for (const StreamHub::Expired& session : hub_->expire(now_us()))
    if (!session.identity.empty())
      spdlog::info("audit who=\"server\" what=session-expired world={} session={} revision={}",
                   facts_->name, session.name, value(engine_->revision()));
}

void WorldHost::schedule_expiry() {
  const std::optional<Micros> expiry = hub_->next_expiry();
  if (!expiry || closed_) {
    expiry_timer_.cancel();
    return;
  }
  at(*expiry, expiry_timer_, [this] {
    expire_sessions();
    after_command();
    schedule_expiry();
  });
}

void WorldHost::schedule_forgetting() {
  const std::optional<Micros> expiry = hub_->latest_expiry();
  if (!expiry || forgetting_scheduled_ || closed_) return;
  forgetting_scheduled_ = true;
  at(*expiry, forget_timer_, [this] {
    forgetting_scheduled_ = false;
    hub_->expire_latest(now_us());
    schedule_forgetting();
  });
}

StreamId WorldHost::open_view(std::shared_ptr<ViewSink> sink) {
  return open_stream(std::move(sink), [this](StreamId id, auto& to) {
    absl::Status status = views_->open(id, to);
    if (status.ok()) schedule_view();
    return status;
  });
}

void WorldHost::schedule_view() {
  if (view_scheduled_ || closed_ || views_->empty()) return;
  view_scheduled_ = true;
  at(now_us() + ViewFeed::kPeriodUs, view_timer_, [this] {
    view_scheduled_ = false;
    views_->send([this] { return look(); });
    schedule_view();
  });
}

std::shared_ptr<ViewFrame> WorldHost::look() const {
  auto frame = std::make_shared<ViewFrame>();
  frame->revision = engine_->revision();
  frame->settled = engine_->settled_revision(std::nullopt);
  frame->agents = engine_->glances();
  if (frame->agents.size() > ViewFeed::kAgentsMax) frame->agents.resize(ViewFeed::kAgentsMax);
  frame->stats = engine_->stats();
  frame->frames_over_budget = pacer_.frames_over_budget();
  frame->frame_us_p50 = pacer_.frame_us_quantile(0.5);
  frame->frame_us_p99 = pacer_.frame_us_quantile(0.99);
  return frame;
}

// Ends a tick in progress at once, and the streams when their turn comes.
void WorldHost::end_streams(absl::Status status) {
  boost::asio::post(strand_, [self = shared_from_this(), status] {
    self->streams_refused_ = status;
    self->release_barriers();
  });
  on_strand(
      [this, status = std::move(status)] {
        if (refusal().ok()) guard("command", [&] { end_streams_now(status); });
      },
      /*loads=*/false);
}

void WorldHost::end_streams_now(const absl::Status& status) {
  hub_->end_all(status, now_us());
  feed_->end_all(status);
  views_->end_all(status);
}

void WorldHost::close() {
  count_memory_in(nullptr);
  boost::asio::post(strand_, [self = shared_from_this()] { self->ends_tick_ = true; });
  on_strand(
      [this] {
        if (closed_) return;
        closed_ = true;
        release_barriers();
        if (log_ != nullptr) release_answers();  // no answer waits for a world out of memory
        for (auto* timer :
             {&frame_timer_, &expiry_timer_, &forget_timer_, &positions_timer_, &view_timer_})
          timer->cancel();
        if (!is_quarantined() && is_loaded()) remove_all();
      },
      /*loads=*/false);
}

// Removes the agents page by page, so that a large world does not hold up the others on its thread.
void WorldHost::remove_all() {
  constexpr std::size_t kPage = 1024;
  std::vector<AgentId> ids;
  const bool removed = guard("command", [&] {
    for (const AgentView& agent :
         engine_->agents(AgentId{}, kPage, /*with_paths=*/false, std::nullopt))
      ids.push_back(agent.spec.id);
    engine_->remove_agents(ids, EventReason::kWorldDeleted);
    if (ids.size() < kPage) return end_streams_now(gone());
    hub_->deliver(now_us());
  });
  if (!removed || ids.size() < kPage) return;
  boost::asio::post(strand_, [self = shared_from_this()] {
    if (!self->is_quarantined()) self->remove_all();
  });
}

}  // namespace repath

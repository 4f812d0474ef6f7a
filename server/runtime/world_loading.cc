// WorldHost's part that brings a world from its store into memory, and out of it again.
#include <atomic>
#include <memory>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"
#include "spdlog/spdlog.h"

namespace repath {

// ---- loading ----

absl::Status WorldHost::not_loaded() const {
  if (!load_error_.ok()) return load_error_;
  return make_error(absl::StatusCode::kUnavailable, "WORLD_NOT_LOADED", "world",
                    "the world is not in memory; try again");
}

void WorldHost::begin_load() {
  is_loading_ = true;
  load_error_ = absl::OkStatus();
  boost::asio::post(threads_.makers(), [self = shared_from_this()] {
    absl::StatusOr<LoadedWorld> world = absl::InternalError("");
    const std::exception_ptr thrown =
        run_guarded([&] { world = self->keeping_->load(self->facts()); });
    if (thrown != nullptr) {
      self->quarantine("load", thrown);
      world = self->quarantined();
    }
    boost::asio::post(self->strand_, [self, world = std::move(world)]() mutable {
      self->finish_load(std::move(world));
    });
  });
}

// Takes note that the world is not in memory because of `why`; if it is damaged, for good.
void WorldHost::fail_load(const absl::Status& why) {
  load_error_ = why;
  if (absl::IsDataLoss(why)) {
    is_damaged_ = true;
    const std::lock_guard lock(figures_mutex_);
    quarantine_reason_ = std::string(why.message());
    figures_.quarantined = 1;
  }
  if (closed_ || is_quarantined()) return;
  spdlog::log(is_damaged_ ? spdlog::level::critical : spdlog::level::warn,
              "world not loaded world={} reason=\"{}\" {}", facts_->name,
              std::string(why.message()),
              is_damaged_ ? "outcome=\"it stays on the disk, all others are served\""
                          : "outcome=\"the next call tries again\"");
}

void WorldHost::finish_load(absl::StatusOr<LoadedWorld> world) {
  is_loading_ = false;
  if (world.ok() && !closed_ && !is_quarantined()) {
    guard("load", [&] {
      install(*std::move(world));
      // Before the commands that wait, so that none of them resumes a session that is over.
      expire_sessions();
      schedule_expiry();
      if (!engine_->is_idle()) schedule_frame();
    });
  } else if (!world.ok()) {
    fail_load(world.status());
  }
  let_go();
}

// Takes over a world that was loaded from its store or made just now.
void WorldHost::install(LoadedWorld world) {
  engine_ = std::move(world.engine);
  log_ = std::move(world.log);
  journal_.emplace(*engine_, log_.get(), keeping_ ? keeping_->codec : nullptr);
  journal_->restore_positions(std::move(world.positions));
  journal_->begin_at(world.newest_at);
  record_by(std::move(world.recorder));
  hub_.emplace(*engine_, *journal_,
               StreamHub::Bounds{limits_.sessions_per_world_max, limits_.watches_per_world_max,
                                 limits_.sessions_per_client_max, limits_.stream_backlog_mb << 20,
                                 limits_.verdicts_mb << 20},
               metrics_);
  views_.emplace(limits_.watches_per_world_max);
  feed_.emplace(
      *log_, limits_.watches_per_world_max, [this] { note_durable(); },
      [this](StreamId stream, Revision start) { feed_from_disk(stream, start); });
  for (const LoadedWorld::Session& session : world.sessions)
    hub_->restore_session(session.row, session.owner, session.expires_at);
  if (keeping_) {
    // The store's thread must not end the world, so the handler takes the last reference along.
    const auto is_posted = std::make_shared<std::atomic<bool>>(false);
    log_->on_progress([weak = weak_from_this(), strand = strand_, is_posted] {
      if (is_posted->exchange(true)) return;
      auto self = weak.lock();
      if (self == nullptr) return;
      boost::asio::post(strand, [self = std::move(self), is_posted] {
        *is_posted = false;
        self->on_progress();
      });
    });
    durable_.set({log_->durable_revision(), world.incarnation});
    hub_->set_durable(durable_.get());
  }
  frame_scheduled_ = portion_scheduled_ = forgetting_scheduled_ = false;
  memory_due_ = 0;
  is_loaded_.store(true, std::memory_order_release);
  used_before_ = now_us();
  used_at_.store(used_before_, std::memory_order_relaxed);
  known_ = info_now();
  publish();
  publish_figures();
}

// ---- putting it out of memory ----

bool WorldHost::is_idle_now(Micros idle_us) const {
  return stream_refusal().ok() && ticking_ == nullptr && barriers_.empty() && held_.empty() &&
         pending_.empty() && copies_ == 0 && !snapshot_under_way_ && hub_->streams() == 0 &&
         feed_->empty() && views_->empty() && engine_->is_idle() &&
         journal_->last() <= log_->durable() &&
         now_us() >= used_at_.load(std::memory_order_relaxed) + idle_us;
}

void WorldHost::unload_if_idle(Micros idle_us) {
  // The world stays while the store takes no writes, because it could not be loaded again then.
  if (!keeping_ || !keeping_->store->health().ok()) return;
  if (!is_loaded() || now_us() < used_at_.load(std::memory_order_relaxed) + idle_us) return;
  on_strand(
      [this, idle_us] {
        if (!is_idle_now(idle_us) || now_us() < snapshot_after_) return;
        save_positions();
        if (log_->since_snapshot().records == 0) return unload();
        saving_.push_back([this, idle_us](absl::StatusOr<bool> saved) {
          if (saved.ok() && is_idle_now(idle_us)) unload();
        });
        begin_snapshot();
      },
      /*loads=*/false);
}

void WorldHost::drop_log() {
  is_loaded_.store(false, std::memory_order_release);
  pending_.clear();
  views_.reset();
  feed_.reset();
  hub_.reset();
  journal_.reset();
  recorder_.reset();
  log_.reset();
}

void WorldHost::unload() {
  for (auto* timer : {&frame_timer_, &expiry_timer_, &forget_timer_, &positions_timer_})
    timer->cancel();
  known_ = info_now();
  known_.is_loaded = false;
  known_.memory_bytes = 0;
  {
    const std::lock_guard lock(figures_mutex_);
    figures_.end();
    before_load_ = figures_;
  }
  drop_log();
  snapshots_.clear();
  // A large world takes milliseconds to go.
  boost::asio::post(threads_.makers(), [engine = std::move(engine_)] {});
  count_memory(0);
}

}  // namespace repath

// WorldHost's part that deals with the disk: answers that wait for it, records read from it,
// snapshots and positions.
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"
#include "spdlog/spdlog.h"

namespace repath {
namespace {

// A snapshot is due after so many records, or bytes of their batches.
constexpr std::uint64_t kSnapshotRecords = 10'000;
constexpr std::uint64_t kSnapshotBytes = 4u << 20;
constexpr Micros kSnapshotRetryUs = 5'000'000;  // after one that failed
// How often positions are kept. The store takes up to 250 ms more until they are in a file.
constexpr std::chrono::milliseconds kPositionsPeriod(500);
// How often answers that wait for the disk are looked through for callers who have gone.
constexpr std::chrono::milliseconds kAnswersPeriod(50);

}  // namespace

// ---- answers that wait for the disk ----

DurableState WorldHost::note_durable() {
  if (!keeping_) return {};
  const DurableState state{log_->durable_revision(), durable_.get().incarnation};
  durable_.set(state);
  return state;
}

void WorldHost::on_progress() {
  if (!is_loaded()) return;
  release_answers();
  absl::Status taken = log_->accepts(Durability::kApplied);
  if (absl::IsDataLoss(taken)) end_damaged(std::move(taken));
  const DurableState state = note_durable();
  if (!refusal().ok()) return;
  guard("progress", [&] {
    hub_->set_durable(state);
    feed_->pump();
    if (hub_->note_durable(log_->durable())) schedule_frame();
  });
}

void WorldHost::release_answers() {
  const auto give_first = [this](absl::Status status) {
    const Pending first = std::move(pending_.front());
    pending_.pop_front();
    first.give(std::move(status));
  };
  const Lsn durable = log_->durable();
  note_durable();  // after that: no answer says less than it waited for
  while (!pending_.empty() && (closed_ || pending_.front().unit <= durable))
    give_first(closed_ ? gone() : absl::OkStatus());
  if (pending_.empty()) return;
  absl::Status lost = log_->accepts(Durability::kApplied);
  if (!absl::IsDataLoss(lost))
    lost = keeping_->store->has_failed() ? keeping_->store->health() : absl::OkStatus();
  if (!lost.ok()) {
    while (!pending_.empty()) give_first(lost);
    return;
  }
  for (std::size_t i = 0; i < pending_.size();) {
    absl::Status over = pending_[i].over();
    if (over.ok()) {
      ++i;
      continue;
    }
    const Pending gone = std::move(pending_[i]);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    gone.give(std::move(over));
  }
}

// Puts the world aside, because the store can write no unit of it any more.
void WorldHost::end_damaged(absl::Status damage) {
  std::string reason(damage.message());
  if (closed_ || !put_aside(std::move(damage), reason)) return;
  spdlog::critical(
      "world damaged world={} reason=\"{}\" outcome=\"it is put aside, all others are served\"",
      facts_->name, reason);
  end_quarantined();
}

void WorldHost::schedule_answers() {
  if (answers_scheduled_ || pending_.empty()) return;
  answers_scheduled_ = true;
  answers_timer_.expires_after(kAnswersPeriod);
  answers_timer_.async_wait([self = shared_from_this()](const boost::system::error_code&) {
    self->answers_scheduled_ = false;
    if (!self->pending_.empty()) self->release_answers();
    self->schedule_answers();
  });
}

// ---- records that are no longer in memory ----

void WorldHost::read_from_disk(Revision start, std::size_t limit, Answer<ChangePage> answer) {
  const Revision last = note_durable().revision;
  boost::asio::post(
      threads_.disk(), [self = shared_from_this(), start, limit, last, answer = std::move(answer)] {
        auto records = self->keeping_->store->read(self->key(), start, limit, kChangesBytes);
        if (!records.ok()) return answer(records.status());
        std::erase_if(*records, [last](const LogRecord& read) { return read.revision > last; });
        answer(ChangePage{*std::move(records), last});
      });
}

void WorldHost::feed_from_disk(StreamId stream, Revision start) {
  boost::asio::post(threads_.disk(), [self = shared_from_this(), stream, start] {
    auto records = self->keeping_->store->read(self->key(), start, kChangesMax, kChangesBytes);
    boost::asio::post(self->strand_, [self, stream, records = std::move(records)]() mutable {
      if (self->refusal().ok())
        self->guard("progress", [&] { self->feed_->give(stream, std::move(records)); });
    });
  });
}

// ---- snapshots ----

void WorldHost::save_if_due() {
  if (!keeping_ || snapshot_under_way_ || now_us() < snapshot_after_) return;
  const WorldLog::SinceSnapshot since = log_->since_snapshot();
  if (since.records >= kSnapshotRecords || since.bytes >= kSnapshotBytes) begin_snapshot();
}

void WorldHost::save(Answer<bool> answer) {
  on_strand(
      [this, answer = std::move(answer)]() mutable {
        if (!keeping_ || !refusal().ok()) return answer(false);
        save_positions();
        if (log_->since_snapshot().records == 0) return answer(false);
        saving_.push_back(std::move(answer));
        begin_snapshot();
      },
      /*loads=*/false);
}

void WorldHost::begin_snapshot() {
  if (snapshot_under_way_) return;
  snapshot_under_way_ = true;
  absl::StatusOr<CopyId> begun = CopyId{};
  if (!guard("snapshot", [&] { begun = engine_->begin_copy(); })) begun = quarantined();
  if (!begun.ok()) return end_snapshot(begun.status());
  ++copies_;
  const auto take =
      [this, unit = journal_->last()](absl::StatusOr<std::shared_ptr<const WorldContent>> content) {
        content.ok() ? write_snapshot(*std::move(content), unit) : end_snapshot(content.status());
      };
  advance_copy(*begun, take);
}

void WorldHost::write_snapshot(std::shared_ptr<const WorldContent> content, Lsn lsn) {
  boost::asio::post(
      threads_.disk(), [self = shared_from_this(), content = std::move(content), lsn] {
        absl::Status status;
        const std::exception_ptr thrown = run_guarded([&] {
          const auto bytes = self->keeping_->codec->write_world(content, self->facts());
          status = self->keeping_->store->snapshot(self->key(), lsn, content->revision, *bytes);
        });
        if (thrown != nullptr) status = absl::InternalError(describe(thrown).reason);
        boost::asio::post(self->strand_, [self, status] { self->end_snapshot(status); });
      });
}

void WorldHost::end_snapshot(const absl::Status& status) {
  snapshot_under_way_ = false;
  if (!status.ok()) {
    snapshot_after_ = now_us() + kSnapshotRetryUs;
    if (!closed_ && !is_quarantined())
      spdlog::warn("snapshot failed world={} reason=\"{}\"", facts_->name,
                   std::string(status.message()));
  }
  for (const Answer<bool>& answer : std::exchange(saving_, {}))
    status.ok() ? answer(true) : answer(status);
}

// ---- positions ----

void WorldHost::schedule_positions() {
  if (!keeping_ || positions_scheduled_ || !journal_->has_moved()) return;
  positions_scheduled_ = true;
  positions_timer_.expires_after(kPositionsPeriod);
  positions_timer_.async_wait(
      [self = shared_from_this()](const boost::system::error_code& cancelled) {
        self->positions_scheduled_ = false;
        if (!cancelled && self->refusal().ok()) self->save_positions();
      });
}

void WorldHost::save_positions() {
  if (!keeping_ || !journal_->take_moved()) return;
  std::vector<PositionRow> rows;
  rows.reserve(journal_->positions().size());
  for (const auto& [agent, reported] : journal_->positions())
    rows.push_back({agent, reported.position, reported.at});
  keeping_->store->save_positions(keeping_->key, std::move(rows), journal_->stamp());
}

}  // namespace repath

// A transport that only records what it is given, for tests that need the end of a stream. Safe on
// any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/stream.h"

namespace repath::test {

class RecordingSink final : public EventSink {
 public:
  struct Seen {
    std::optional<SessionOpened> opened;
    std::vector<EventBatch> batches;
    std::vector<std::pair<std::uint64_t, absl::Status>> rejected;
    std::vector<std::pair<std::uint64_t, std::vector<AgentId>>> unknown;
    std::optional<absl::Status> end;
    int ends = 0;

    std::vector<EventType> types() const {
      std::vector<EventType> types;
      for (const EventBatch& batch : batches) {
        for (const OutgoingEvent& e : batch.events) types.push_back(e.event->type);
      }
      return types;
    }
    std::string end_reason() const { return end ? error_reason(*end) : std::string(); }
  };

  void on_opened(const SessionOpened& opened) override {
    change([&](Seen& s) { s.opened = opened; });
  }
  void on_batch(EventBatch batch) override {
    change([&](Seen& s) { s.batches.push_back(std::move(batch)); });
  }
  void on_rejected(std::uint64_t sequence, absl::Status status) override {
    change([&](Seen& s) { s.rejected.emplace_back(sequence, std::move(status)); });
  }
  void on_unknown(std::uint64_t sequence, std::vector<AgentId> agents) override {
    change([&](Seen& s) { s.unknown.emplace_back(sequence, std::move(agents)); });
  }
  void on_end(absl::Status status) override {
    change([&](Seen& s) {
      s.end = std::move(status);
      ++s.ends;
    });
  }

  Seen seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  // Returns false if the condition is not true within ten seconds.
  bool wait_until(const std::function<bool(const Seen&)>& true_of) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return true_of(seen_); });
  }

 private:
  template <class Change>
  void change(Change what) {
    const std::lock_guard lock(mutex_);
    what(seen_);
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Seen seen_;
};

}  // namespace repath::test

// One verdict, shared by all streams that send it, and its bytes on the wire: written once, when
// the first of them needs them, whatever the number of readers.
//
// Thread rule: the verdict never changes; bytes() from any thread. Held by shared_ptr.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agents/agent.h"

namespace repath {

// Waypoints of a path that fit one message, 3 MB of them; of a longer path an event has the first.
inline constexpr std::size_t kPathWaypointsMax = 100'000;

// An upper bound of the event's size on the wire in bytes: a waypoint for each turn of its path, up
// to kPathWaypointsMax. O(path).
std::size_t estimated_bytes(const AgentEvent& event);

class SharedEvent : public AgentEvent {
 public:
  using Bytes = std::vector<std::uint8_t>;

  explicit SharedEvent(AgentEvent&& event)
      : AgentEvent(std::move(event)), bytes_most_(estimated_bytes(*this)) {}

  // The event as `write(const AgentEvent&)` returns it, as Bytes. The room knows no wire format:
  // the transport brings the writer, the same one each time.
  template <class Write>
  const Bytes& bytes(Write write) const {
    if (state_.load(std::memory_order_acquire) != State::kWritten) make_bytes(write);
    return bytes_;
  }
  // Their number if they are there, else estimated_bytes(), here O(1).
  std::size_t size() const {
    return state_.load(std::memory_order_acquire) == State::kWritten ? bytes_.size() : bytes_most_;
  }

 private:
  enum class State : std::uint32_t { kNone, kBeingWritten, kWritten };

  // Whoever comes first writes, the others wait for it.
  template <class Write>
  void make_bytes(Write& write) const {
    State none = State::kNone;
    if (state_.compare_exchange_strong(none, State::kBeingWritten)) {
      bytes_ = write(static_cast<const AgentEvent&>(*this));
      state_.store(State::kWritten, std::memory_order_release);
      state_.notify_all();
    } else {
      state_.wait(State::kBeingWritten, std::memory_order_acquire);
    }
  }

  const std::size_t bytes_most_;
  mutable Bytes bytes_;
  mutable std::atomic<State> state_{State::kNone};
};

using EventPtr = std::shared_ptr<const SharedEvent>;

inline EventPtr share(AgentEvent&& event) {
  return std::make_shared<const SharedEvent>(std::move(event));
}

}  // namespace repath

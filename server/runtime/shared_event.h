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

// Bytes that are made when first asked for. Thread rule: bytes() and size() from any thread.
class BytesOnce {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // Until they are there they count as `estimate`.
  explicit BytesOnce(std::size_t estimate) : estimate_(estimate) {}

  // As `make()` returns them; whoever comes first makes them, the others wait for it. If it throws,
  // the next one makes them.
  template <class Make>
  const Bytes& bytes(Make make) const {
    while (state_.load(std::memory_order_acquire) != State::kMade) make_bytes(make);
    return bytes_;
  }
  std::size_t size() const {
    return state_.load(std::memory_order_acquire) == State::kMade ? bytes_.size() : estimate_;
  }

 private:
  enum class State : std::uint32_t { kNone, kBeingMade, kMade };

  template <class Make>
  void make_bytes(Make& make) const {
    State none = State::kNone;
    if (state_.compare_exchange_strong(none, State::kBeingMade)) {
      try {
        bytes_ = make();
      } catch (...) {
        become(State::kNone);
        throw;
      }
      become(State::kMade);
    } else {
      state_.wait(State::kBeingMade, std::memory_order_acquire);
    }
  }

  void become(State state) const {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
  }

  const std::size_t estimate_;
  mutable Bytes bytes_;
  mutable std::atomic<State> state_{State::kNone};
};

// The room knows no wire format: the transport brings it, the same one each time. Whoever counts
// readers and sizes needs the bytes and the event's first fields: they lie side by side.
class SharedEvent : private BytesOnce, public AgentEvent {
 public:
  using BytesOnce::Bytes;

  explicit SharedEvent(AgentEvent&& event)
      : BytesOnce(estimated_bytes(event)), AgentEvent(std::move(event)) {}

  // As `write(const AgentEvent&)` returns them.
  template <class Write>
  const Bytes& bytes(Write write) const {
    return BytesOnce::bytes([&] { return write(static_cast<const AgentEvent&>(*this)); });
  }
  // Of the bytes if they are there, else estimated_bytes(), here O(1).
  using BytesOnce::size;
};

using EventPtr = std::shared_ptr<const SharedEvent>;

inline EventPtr share(AgentEvent&& event) {
  return std::make_shared<const SharedEvent>(std::move(event));
}

}  // namespace repath

// One verdict and its bytes on the wire, shared by all streams that send it. Held by shared_ptr.
//
// Thread rule: the verdict does not change; bytes() may be called from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "agents/agent.h"

namespace repath {

// Greatest number of a path's waypoints, and of its bytes, in one message, which may have 4 MiB. An
// event with a longer path has only the first waypoints.
inline constexpr std::size_t kPathWaypointsMax = 100'000;
inline constexpr std::size_t kPathBytesMax = 3'600'000;

// Returns how many of the first points of a path on a mesh or graph fit one message. Edges and
// nodes with large ids take up to 38 bytes a point.
std::size_t fitting_points(std::span<const RoutePoint> points);
// Returns how many points of the line of a driven path through cells fit beside so many waypoints.
std::size_t fitting_line(std::size_t points, std::size_t waypoints);

// Returns an upper bound of the event's size on the wire, in bytes: one waypoint for each turn of
// its path, as many as fit. O(path).
std::size_t estimated_bytes(const AgentEvent& event);

// Bytes that are made on the first request. Thread rule: bytes() and size() from any thread.
class BytesOnce {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // `estimate`: the size to report until the bytes are made.
  explicit BytesOnce(std::size_t estimate) : estimate_(estimate) {}

  // Returns the bytes as `make()` makes them. The first caller makes them, and other callers wait.
  // If `make` throws, the next caller tries again.
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

// A verdict with its bytes. This room does not know the wire format; the transport brings it,
// always the same one. The bytes and the event's first fields lie side by side, because most
// readers need both.
class SharedEvent : private BytesOnce, public AgentEvent {
 public:
  using BytesOnce::Bytes;

  explicit SharedEvent(AgentEvent&& event)
      : BytesOnce(estimated_bytes(event)), AgentEvent(std::move(event)) {}

  // Returns the bytes as `write(const AgentEvent&)` makes them.
  template <class Write>
  const Bytes& bytes(Write write) const {
    return BytesOnce::bytes([&] { return write(static_cast<const AgentEvent&>(*this)); });
  }
  // Returns the size of the bytes if they are made, otherwise estimated_bytes(); O(1) here.
  using BytesOnce::size;
};

using EventPtr = std::shared_ptr<const SharedEvent>;

inline EventPtr share(AgentEvent&& event) {
  return std::make_shared<const SharedEvent>(std::move(event));
}

}  // namespace repath

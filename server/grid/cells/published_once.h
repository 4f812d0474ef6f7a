// A place for a shared value that whoever needs it first may fill, on any thread, and that then
// stays as it is.
//
// Thread rule: get() and publish() may be called by any number of threads at once; copying takes
// what is there at that moment, and may go on beside them too. Assigning and destroying are for the
// owner alone. No thread ever waits for another.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "grid/cells/cow.h"

namespace repath {

template <class T>
class PublishedOnce {
 public:
  PublishedOnce() = default;
  PublishedOnce(const PublishedOnce& other) {
    if (other.get() == nullptr) return;
    value_ = other.value_;
    state_.store(kThere, std::memory_order_relaxed);
  }
  PublishedOnce& operator=(const PublishedOnce&) = delete;

  // Null before it is published. O(1).
  const T* get() const {
    return state_.load(std::memory_order_acquire) == kThere ? value_.get() : nullptr;
  }
  // Without effect if another value is there or about to be.
  void publish(Cow<T> value) const {
    std::uint8_t expected = kEmpty;
    if (!state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire)) return;
    value_ = std::move(value);
    state_.store(kThere, std::memory_order_release);
  }
  // Another handle of the value; empty before it is published.
  Cow<T> share() const { return get() != nullptr ? value_ : Cow<T>(); }
  // Empty again. REQUIRES: nobody else uses it.
  void clear() {
    value_ = Cow<T>();
    state_.store(kEmpty, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint8_t kEmpty = 0;
  static constexpr std::uint8_t kTaken = 1;  // somebody writes it
  static constexpr std::uint8_t kThere = 2;

  mutable std::atomic<std::uint8_t> state_{kEmpty};
  mutable Cow<T> value_;
};

}  // namespace repath

// For facts about layers that queries find and leave to later queries (grid/hpa/hpa_map.h,
// grid/components/component_map.h). Here are the place where a fact is published, and the memory of
// all facts with its limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "grid/cells/cow.h"

namespace repath {

// Thread rule: any thread. All maps that are made with it share it, and so do their copies.
struct FactMemory : CowCounted {
  static constexpr std::uint64_t kBytesMaxDefault = std::uint64_t{256} << 20;

  explicit FactMemory(std::uint64_t most = kBytesMaxDefault) : bytes_max(most) {}

  bool is_full() const { return bytes.load(std::memory_order_relaxed) >= bytes_max; }

  const std::uint64_t bytes_max;
  mutable std::atomic<std::uint64_t> bytes{0};
  // Total number of cells and nodes expanded to find the facts of clusters (grid/hpa/hpa_map.h).
  mutable std::atomic<std::uint64_t> expanded{0};
};

// Counts some bytes in a FactMemory from hold() on, for as long as it lives.
class HeldBytes {
 public:
  HeldBytes() = default;
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() {
    if (memory_) memory_->bytes.fetch_sub(bytes_, std::memory_order_relaxed);
  }

  // Returns the bytes that `memory` counts, including these. REQUIRES: the first call.
  std::uint64_t hold(Cow<FactMemory> memory, std::uint64_t bytes) {
    memory_ = std::move(memory);
    bytes_ = bytes;
    return memory_->bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  }

 private:
  Cow<FactMemory> memory_;
  std::uint64_t bytes_ = 0;
};

// A place for a shared value. The first thread that needs the value fills the place; then the value
// stays.
//
// Thread rule: any number of threads may call get() and publish() at once. Copying takes the value
// that is there at that moment, and other threads may go on using the place. Only the owner may
// assign or destroy it. No call waits for another thread.
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

  // Returns the value; null before it is published. O(1).
  const T* get() const {
    return state_.load(std::memory_order_acquire) == kThere ? value_.get() : nullptr;
  }
  // Publishes the value, unless another value is there or is being written.
  void publish(Cow<T> value) const {
    std::uint8_t expected = kEmpty;
    if (!state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire)) return;
    value_ = std::move(value);
    state_.store(kThere, std::memory_order_release);
  }
  // Returns another handle of the value; an empty one before it is published.
  Cow<T> share() const { return get() != nullptr ? value_ : Cow<T>(); }
  // Makes the place empty again. REQUIRES: no other thread uses it.
  void clear() {
    value_ = Cow<T>();
    state_.store(kEmpty, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint8_t kEmpty = 0;
  static constexpr std::uint8_t kTaken = 1;  // a thread is writing the value
  static constexpr std::uint8_t kThere = 2;

  mutable std::atomic<std::uint8_t> state_{kEmpty};
  mutable Cow<T> value_;
};

}  // namespace repath

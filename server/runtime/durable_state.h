// The durable state: how much of a world is on the disk. Streams and answers pass it on to clients.
//
// Thread rule: DurableMark may be read from any thread; the world's strand sets it.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ids.h"

namespace repath {

// Both are 0 in a world that lives in memory alone.
struct DurableState {
  Revision revision{};            // greatest revision that is durable
  std::uint64_t incarnation = 0;  // grows whenever the world is loaded
  bool operator==(const DurableState&) const = default;
};

// The durable state of now. Its two numbers are read one after the other, which is safe, because
// the incarnation stays the same while the world is loaded.
class DurableMark {
 public:
  void set(const DurableState& state) {
    revision_.store(value(state.revision), std::memory_order_relaxed);
    incarnation_.store(state.incarnation, std::memory_order_relaxed);
  }
  DurableState get() const {
    return {Revision{revision_.load(std::memory_order_relaxed)},
            incarnation_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> revision_{0};
  std::atomic<std::uint64_t> incarnation_{0};
};

}  // namespace repath

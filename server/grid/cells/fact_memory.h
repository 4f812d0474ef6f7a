// Limits and counts the memory of facts about layers that queries find and leave to later queries
// (grid/hpa/hpa_map.h, grid/components/component_map.h).
//
// Thread rule: any thread. All maps that are made with it share it, and so do their copies.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "grid/cells/cow.h"

namespace repath {

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

}  // namespace repath

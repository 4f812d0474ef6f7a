// Watches the memory that the process really uses, and sets the stage by which calls are refused.
//
// It compares the resident set with the limit twenty times a second. A stage begins at 80, 90 and
// 95 % of the limit and ends 2 % below that, so that it does not change back and forth. The figures
// follow the overload manager of Envoy.
//
// Thread rule: owned by main's thread; has a thread of its own, which calls the functions given to
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "limits/pressure.h"

namespace repath {

// Memory that the process may use beside its worlds: code, threads, buffers.
inline constexpr std::uint64_t kOwnMemoryBytes = std::uint64_t{256} << 20;

struct MemoryLimit {
  std::uint64_t bytes = 0;
  std::string source;  // "--memory-total-mb", "cgroup" or "machine"
};
// Returns the least of `worlds_bytes` + kOwnMemoryBytes, the limits of the process's control group
// and those above it (versions 1 and 2), and 95 % of the machine's memory.
MemoryLimit find_memory_limit(std::uint64_t worlds_bytes);
// Returns the resident set of this process; 0 if it cannot be read.
std::uint64_t resident_bytes();

// Returns the stage for such a use, coming from stage `before`.
MemoryStage stage_of(std::uint64_t used, std::uint64_t limit, MemoryStage before);

class MemoryWatch {
 public:
  // Borrows `pressure`. `shrink` gives memory back that can be spared. It is called at the
  // beginning of a stage above kPlenty, and once a second while that lasts. May be null.
  MemoryWatch(MemoryLimit limit, Pressure& pressure, std::function<void()> shrink);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  // Returns its figures for /metrics.
  std::string metrics_text() const;

 private:
  void run(const std::stop_token& stop);
  void look();

  const MemoryLimit limit_;
  Pressure& pressure_;
  const std::function<void()> shrink_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
  std::atomic<std::uint64_t> changes_{0};
  std::uint64_t looks_ = 0;
  std::uint64_t shrunk_at_ = 0;  // number of the look at which memory was last given back
  std::jthread thread_;          // last: it uses all other members
};

}  // namespace repath

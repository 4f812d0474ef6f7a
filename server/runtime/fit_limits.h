// Limits that are shares of others: of the memory for all worlds, or of what all clients may.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/config.h"

namespace repath {

// Returns the limits with those lowered that together could exceed memory_total_mb by far, and with
// the shares of a client that are not set.
inline Limits fit_to_memory(Limits limits) {
  const auto share = [&](std::uint64_t part) {
    return std::max<std::uint64_t>(limits.memory_total_mb / part, 1);
  };
  limits.world_memory_mb = std::min(limits.world_memory_mb, share(1));
  limits.import_total_mb = std::min(limits.import_total_mb, share(2));
  limits.query_memory_mb = std::min(limits.query_memory_mb, share(4));
  limits.stream_backlog_mb = std::min(limits.stream_backlog_mb, share(8));
  limits.held_mb_max = std::min(limits.held_mb_max, share(8));
  limits.held_mb_per_client_max =
      std::min(limits.held_mb_per_client_max, std::max<std::uint64_t>(limits.held_mb_max / 4, 1));
  if (limits.sessions_per_client_max == 0)
    limits.sessions_per_client_max = std::max<std::uint64_t>(limits.sessions_per_world_max / 2, 1);
  return limits;
}

}  // namespace repath

// How many WebSockets are open, in all and from each address.
//
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "absl/status/status.h"

namespace repath {

class SocketCounts {
 public:
  // At most `most` in all, and half of them from one address, but at least one.
  explicit SocketCounts(std::uint64_t most);

  // Counts a WebSocket of this peer, which Door::upgrade() names. RESOURCE_EXHAUSTED, reason
  // TOO_MANY_SOCKETS, if there are too many; it does not count then.
  absl::Status enter(const std::string& peer);
  // REQUIRES: enter() counted it.
  void leave(const std::string& peer);

 private:
  const std::uint64_t most_;
  const std::uint64_t of_address_;
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::map<std::string, std::uint64_t> counts_;  // by address
};

}  // namespace repath

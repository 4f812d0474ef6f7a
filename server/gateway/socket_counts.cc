#include "gateway/socket_counts.h"

#include <algorithm>

#include "base/error.h"
#include "rpc/connection_table.h"

namespace repath {
namespace {

absl::Status too_many(std::uint64_t most, const std::string& whose) {
  return make_error(absl::StatusCode::kResourceExhausted, "TOO_MANY_SOCKETS", "",
                    "at most " + std::to_string(most) + " WebSockets " + whose + " may be open");
}

}  // namespace

SocketCounts::SocketCounts(std::uint64_t most)
    : most_(most), of_address_(std::max<std::uint64_t>(most / 2, 1)) {}

absl::Status SocketCounts::enter(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  if (count_ >= most_) return too_many(most_, "of all clients");
  std::uint64_t& mine = counts_[address_of_peer(peer)];
  if (mine >= of_address_) return too_many(of_address_, "of one address");
  ++mine;
  ++count_;
  return absl::OkStatus();
}

void SocketCounts::leave(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  const auto mine = counts_.find(address_of_peer(peer));
  if (--mine->second == 0) counts_.erase(mine);
  --count_;
}

}  // namespace repath

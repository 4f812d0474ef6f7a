#include "rpc/connection_table.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>
#include <utility>

#include "base/error.h"
#include "rpc/open_streams.h"
#include "rpc/socket_address.h"

namespace repath {
namespace {

constexpr Micros kResetWindowUs = 1'000'000;
const std::string kLocalPeer = "unix:";

// Returns the inode of an open socket; 0 if the descriptor is closed.
ino_t inode_of(int socket) {
  struct stat facts {};
  return fstat(socket, &facts) == 0 && S_ISSOCK(facts.st_mode) ? facts.st_ino : 0;
}

// Returns the peer's name as gRPC writes it; nothing for a unix socket.
std::optional<std::string> peer_of(int socket) {
  const SocketAddress peer = SocketAddress::of_peer(socket);
  if (!peer.is_ip()) return std::nullopt;
  const std::string port = ":" + std::to_string(peer.port());
  if (peer.family() == AF_INET) {
    const in_addr v4 = peer.v4();
    return "ipv4:" + text_of(AF_INET, &v4) + port;
  }
  const in6_addr v6 = peer.v6();
  constexpr std::size_t kMappedAt = 12;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) return "ipv4:" + text_of(AF_INET, &v6.s6_addr[kMappedAt]) + port;
  return "ipv6:%5B" + text_of(AF_INET6, &v6) + "%5D" + port;
}

std::uint64_t bytes_received(int socket) {
  // The kernel's tcp_info goes on where the C library's ends: pacing_rate, max_pacing_rate,
  // bytes_acked, bytes_received.
  static_assert(sizeof(tcp_info) == 104);
  struct {
    tcp_info known;
    std::array<std::uint64_t, 4> more;
  } info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return size < sizeof info ? 0 : info.more.back();
}

// Returns the processor time of this thread.
Micros processor_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<Micros>(time.tv_sec) * 1'000'000 + static_cast<Micros>(time.tv_nsec) / 1000;
}

absl::Status too_many(std::uint64_t most, const std::string& whose) {
  return make_error(absl::StatusCode::kResourceExhausted, "CONNECTIONS_MAX", "",
                    whose + " has " + std::to_string(most) + " connections, its limit");
}

}  // namespace

std::string address_of_peer(const std::string& peer) {
  if (peer.rfind("ipv", 0) != 0) return kLocalPeer;
  std::string address = peer.substr(0, peer.rfind(':'));
  // A client with one IPv6 address has the other 2^64 of its network, too.
  in6_addr v6{};
  constexpr std::size_t kBefore = 8;  // "ipv6:%5B"
  if (address.rfind("ipv6:%5B", 0) != 0 || address.size() < kBefore + 3) return address;
  const std::string inner = address.substr(kBefore, address.size() - kBefore - 3);
  if (inet_pton(AF_INET6, inner.c_str(), &v6) != 1) return address;
  for (std::size_t i = 8; i < 16; ++i) v6.s6_addr[i] = 0;
  return "ipv6:" + text_of(AF_INET6, &v6) + "/64";
}

absl::Status ConnectionTable::add(int socket) {
  if (size() >= bounds_.connections_max) return too_many(bounds_.connections_max, "the server");
  const std::optional<std::string> peer = peer_of(socket);
  const std::string address = address_of_peer(peer.value_or(kLocalPeer));
  if (held_off_.contains(address))
    return make_error(absl::StatusCode::kResourceExhausted, "CONNECTIONS_MAX", "",
                      address + " had a connection that held too much, within the last second");
  std::uint64_t& count = counts_[address];
  if (count >= bounds_.per_address_max) return too_many(bounds_.per_address_max, address);
  ++count;
  ++count_;
  if (!peer) {
    local_sockets_.push_back({socket, inode_of(socket)});
    return absl::OkStatus();
  }
  auto connection = std::make_shared<Connection>();
  connection->address_ = address;
  connection->socket_ = socket;
  connection->inode_ = inode_of(socket);
  const std::lock_guard lock(mutex_);
  // A peer may come back with the same port before its old connection was seen to be closed.
  std::shared_ptr<Connection>& at = by_peer_[*peer];
  if (at != nullptr) forget(*at);
  at = std::move(connection);
  return absl::OkStatus();
}

std::shared_ptr<Connection> ConnectionTable::find(const std::string& peer) const {
  const std::lock_guard lock(mutex_);
  const auto at = by_peer_.find(peer);
  return at == by_peer_.end() ? local_ : at->second;
}

void ConnectionTable::forget(const Connection& connection) {
  const auto count = counts_.find(connection.address_);
  if (--count->second == 0) counts_.erase(count);
  --count_;
}

std::string ConnectionTable::fault_of(Connection& connection, std::uint64_t resets_max,
                                      Micros now) {
  const std::uint64_t resets = connection.resets_;
  const std::uint64_t more = resets - connection.resets_seen_;
  if (more > resets_max) {
    connection.resets_seen_ = resets;
    return "cancelled " + std::to_string(more) + " calls within a second";
  }
  if (now >= connection.resets_since_ + kResetWindowUs) {
    connection.resets_since_ = now;
    connection.resets_seen_ = resets;
  }
  if (connection.unfinished_ <= kUnfinishedBytesMax) return "";
  return "sent " + std::to_string(connection.unfinished_) + " bytes of messages that do not end";
}

// Counts the bytes that arrived beyond whole messages. A little of that is forgiven each second:
// frames that belong to no message, and metadata that are longer on the wire than they were
// counted.
std::uint64_t ConnectionTable::count_unfinished(Connection& connection, Micros us) {
  constexpr std::uint64_t kForgivenInASecond = 64u << 10;
  const std::uint64_t whole = connection.whole_bytes_;
  const std::uint64_t bytes = bytes_received(connection.socket_);
  const std::uint64_t more = bytes - connection.bytes_seen_;
  const std::uint64_t all = connection.unfinished_ + more;
  const std::uint64_t less =
      whole - connection.whole_bytes_seen_ + kForgivenInASecond * us / 1'000'000;
  connection.unfinished_ = all - std::min(all, less);
  connection.whole_bytes_seen_ = whole;
  connection.bytes_seen_ = bytes;
  return more;
}

// A call takes at least 14 bytes on the wire, so few bytes mean few calls.
bool ConnectionTable::must_count_streams(Micros now, MemoryStage stage) const {
  constexpr std::uint64_t kCallWireBytes = 14;
  if (stage >= MemoryStage::kShrink) return true;
  const std::uint64_t calls_at_most = bytes_since_count_ / kCallWireBytes;
  const bool may_be_many = calls_at_most * kWaitingCallBytes > bounds_.unfinished_max / 4;
  return now >= count_after_ && (has_waiting_ || may_be_many);
}

void ConnectionTable::close_silent() {
  const std::lock_guard lock(mutex_);
  for (const auto& [peer, connection] : by_peer_)
    if (connection->messages_ == 0 && inode_of(connection->socket_) == connection->inode_)
      shutdown(connection->socket_, SHUT_RDWR);
}

void ConnectionTable::forget_local() {
  std::erase_if(local_sockets_, [this](const Local& one) {
    if (inode_of(one.socket) == one.inode) return false;
    forget(*local_);
    return true;
  });
}

void ConnectionTable::update(Micros now) {
  const Micros since = now - std::min(now, std::exchange(swept_at_, now));
  const std::lock_guard lock(mutex_);
  absl::erase_if(by_peer_, [&](const auto& entry) {
    Connection& connection = *entry.second;
    const bool is_closed = inode_of(connection.socket_) != connection.inode_;
    if (is_closed) {
      forget(connection);
    } else {
      bytes_since_count_ += count_unfinished(connection, since);
    }
    return is_closed;
  });
}

// Asks gRPC before the lock, because every call takes it.
void ConnectionTable::count_waiting(Micros now) {
  constexpr Micros kShareOfTime = 50;  // of which at most one is spent on counting
  const Micros began = processor_us();
  const auto streams = open_streams();
  count_after_ = now + kShareOfTime * (processor_us() - began);
  bytes_since_count_ = 0;
  has_waiting_ = false;
  const std::lock_guard lock(mutex_);
  for (const auto& [peer, connection] : by_peer_) {
    const auto open = streams.find(peer);
    const std::uint64_t all = open == streams.end() ? 0 : open->second;
    const std::uint64_t begun = connection->calls_;
    connection->waiting_ = all - std::min(all, begun);
    has_waiting_ |= connection->waiting_ > 0;
  }
}

std::vector<std::string> ConnectionTable::sweep(Micros now, MemoryStage stage) {
  const bool is_narrow = stage >= MemoryStage::kNarrow;
  const std::uint64_t resets_max = is_narrow ? bounds_.resets_max / 20 : bounds_.resets_max;
  forget_local();
  std::erase_if(held_off_, [now](const auto& entry) { return now >= entry.second; });
  update(now);
  if (must_count_streams(now, stage)) count_waiting(now);
  std::vector<std::string> ended;
  const auto shut = [&](const std::string& peer, Connection& at, const std::string& why) {
    ended.push_back("peer=" + peer + " reason=\"" + why + "\"");
    shutdown(at.socket_, SHUT_RDWR);
    at.is_shut_ = true;
  };
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::uint64_t, std::string>> unfinished;  // by bytes
  std::uint64_t sum = 0;
  for (const auto& [peer, connection] : by_peer_) {
    if (connection->is_shut_) continue;
    const std::uint64_t bytes = connection->unfinished_ + connection->waiting_ * kWaitingCallBytes;
    if (const std::string fault = fault_of(*connection, resets_max, now); !fault.empty()) {
      shut(peer, *connection, fault);
    } else if (bytes > 0) {
      unfinished.emplace_back(bytes, peer);
      sum += bytes;
    }
  }
  // The largest go first: a client with one long message stays.
  std::ranges::sort(unfinished);
  const std::uint64_t most = is_narrow ? bounds_.unfinished_max / 4 : bounds_.unfinished_max;
  for (; sum > most; unfinished.pop_back()) {
    const auto& [bytes, peer] = unfinished.back();
    Connection& at = *by_peer_[peer];
    held_off_[at.address_] = now + kHoldOffUs;
    shut(peer, at,
         "has " + std::to_string(at.waiting_) + " calls without a message and sent " +
             std::to_string(at.unfinished_) +
             " bytes of messages that do not end, more than others");
    sum -= bytes;
  }
  return ended;
}

}  // namespace repath

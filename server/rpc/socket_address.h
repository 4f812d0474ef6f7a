// The address of a socket, of whatever family. A plain value.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace repath {

class SocketAddress {
 public:
  SocketAddress() = default;
  SocketAddress(const void* address, std::size_t size)
      : size_(static_cast<socklen_t>(std::min(size, sizeof storage_))) {
    std::memcpy(&storage_, address, size_);
  }
  // Returns the address of the other end. It has no family if the socket has lost its connection.
  static SocketAddress of_peer(int socket) {
    SocketAddress address;
    address.size_ = sizeof address.storage_;
    void* const any = &address.storage_;
    if (getpeername(socket, static_cast<sockaddr*>(any), &address.size_) != 0) return {};
    return address;
  }

  int family() const { return storage_.ss_family; }
  bool is_ip() const { return family() == AF_INET || family() == AF_INET6; }
  const void* data() const { return &storage_; }
  std::size_t size() const { return size_; }
  bool operator==(const SocketAddress& other) const {
    return size_ == other.size_ && std::memcmp(&storage_, &other.storage_, size_) == 0;
  }

  // REQUIRE: is_ip().
  unsigned short port() const {
    return ntohs(family() == AF_INET ? as<sockaddr_in>().sin_port : as<sockaddr_in6>().sin6_port);
  }
  in_addr v4() const { return as<sockaddr_in>().sin_addr; }
  in6_addr v6() const { return as<sockaddr_in6>().sin6_addr; }

  // Returns the address at which this machine reaches one that it listens on: loopback in place of
  // all addresses.
  SocketAddress reached() const {
    SocketAddress to = *this;
    if (family() == AF_INET && v4().s_addr == INADDR_ANY) {
      auto address = as<sockaddr_in>();
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      std::memcpy(&to.storage_, &address, sizeof address);
    } else if (family() == AF_INET6 && is_v6_any()) {
      auto address = as<sockaddr_in6>();
      address.sin6_addr = in6addr_loopback;
      std::memcpy(&to.storage_, &address, sizeof address);
    }
    return to;
  }

 private:
  bool is_v6_any() const {
    const in6_addr address = v6();
    return std::memcmp(&address, &in6addr_any, sizeof address) == 0;
  }
  template <class Address>
  Address as() const {
    Address address{};
    std::memcpy(&address, &storage_, sizeof address);
    return address;
  }

  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

// Returns an IP address as text: "127.0.0.1", "::1".
inline std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(family, address, text.data(), text.size());
  return text.data();
}

}  // namespace repath

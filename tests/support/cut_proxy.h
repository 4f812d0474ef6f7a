// A TCP proxy on the loopback interface whose connections can be cut. Both sides then see the same
// as when the client's process or machine dies.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace repath::test {

class CutProxy {
 public:
  // `to`: "127.0.0.1:PORT".
  explicit CutProxy(const std::string& to)
      : to_port_(static_cast<std::uint16_t>(std::atoi(to.substr(to.rfind(':') + 1).c_str()))) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at = address(0);
    socklen_t size = sizeof at;
    is_up_ = bind(listener_, reinterpret_cast<sockaddr*>(&at), size) == 0 &&
             listen(listener_, 64) == 0 &&
             getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) == 0;
    port_ = ntohs(at.sin_port);
    threads_.emplace_back([this] { accept_all(); });
  }
  ~CutProxy() {
    is_ended_ = true;
    cut(false);
    for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i].join();
    close(listener_);
  }

  bool is_up() const { return is_up_; }
  std::string address_text() const { return "127.0.0.1:" + std::to_string(port_); }
  // Ends every connection at once: with a reset, or as the end of a process does.
  void cut(bool with_reset) {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) {
      if (with_reset) {
        const linger at_once{1, 0};
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      }
      shutdown(socket, with_reset ? SHUT_RD : SHUT_RDWR);
    }
    ++cuts_;
  }

 private:
  static sockaddr_in address(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    return at;
  }
  bool waits(int socket) const {
    pollfd ready{socket, POLLIN, 0};
    return poll(&ready, 1, 20) <= 0;
  }
  void accept_all() {
    while (!is_ended_) {
      if (waits(listener_)) continue;
      const int from = accept(listener_, nullptr, nullptr);
      const int to = socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in at = address(to_port_);
      if (from < 0 || connect(to, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) continue;
      const std::lock_guard lock(mutex_);
      sockets_.push_back(from);
      sockets_.push_back(to);
      threads_.emplace_back([this, from, to, cuts = cuts_.load()] { pump(from, to, cuts); });
    }
  }
  void pump(int from, int to, int cuts) {
    std::string bytes(1 << 16, '\0');
    while (!is_ended_ && cuts_ == cuts) {
      pollfd ready[2] = {{from, POLLIN, 0}, {to, POLLIN, 0}};
      if (poll(ready, 2, 20) <= 0) continue;
      bool is_over = false;
      for (const auto& [in, out] : {std::pair{0, to}, {1, from}}) {
        if (ready[in].revents == 0) continue;
        const ssize_t got = recv(ready[in].fd, bytes.data(), bytes.size(), 0);
        is_over =
            is_over || got <= 0 || !send_all(out, bytes.data(), static_cast<std::size_t>(got));
      }
      if (is_over) break;
    }
    const std::lock_guard lock(mutex_);
    std::erase(sockets_, from);
    std::erase(sockets_, to);
    close(from);
    close(to);
  }
  static bool send_all(int out, const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t sent = send(out, bytes, count, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes += sent;
      count -= static_cast<std::size_t>(sent);
    }
    return true;
  }

  const std::uint16_t to_port_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  bool is_up_ = false;
  std::atomic<bool> is_ended_{false};
  std::atomic<int> cuts_{0};
  std::mutex mutex_;
  std::vector<int> sockets_;
  std::vector<std::thread> threads_;
};

}  // namespace repath::test

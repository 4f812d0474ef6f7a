#include "rpc/acceptor.h"

#include <netinet/tcp.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "rpc/socket_address.h"
#include "rpc/unix_socket.h"
#include "runtime/threads.h"

namespace repath {
namespace {

namespace asio = boost::asio;
using SocketStream = asio::generic::stream_protocol;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kSweepEvery(100);
constexpr std::chrono::milliseconds kPause(100);  // while descriptors are short
constexpr std::chrono::seconds kCheckEvery(5);
constexpr Micros kLogEveryUs = 10'000'000;
constexpr int kAcceptedAtOnce = 64;

// How a client of HTTP/2 begins (RFC 9113, 3.4): the preface and empty SETTINGS.
constexpr std::string_view kHello(
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    "\0\0\0\4\0\0\0\0\0",
    24 + 9);

absl::Status cannot(const std::string& address, const error_code& error) {
  return cannot_listen(address, error.message());
}

SocketAddress address_of(const SocketStream::endpoint& at) { return {at.data(), at.size()}; }

SocketStream::endpoint endpoint_of(const SocketAddress& address) {
  return {address.data(), address.size()};
}

}  // namespace

// One listening socket.
struct Acceptor::Door {
  explicit Door(asio::io_context& context) : listener(context) {}
  asio::basic_socket_acceptor<SocketStream> listener;
  SocketStream::endpoint at;
  bool answers = false;
  Receiver* to = nullptr;

  bool is_tcp() const { return address_of(at).is_ip(); }
};

// One connection of the server to itself. It counts as a success once gRPC has answered; with TLS
// once it is connected.
class Acceptor::Check : public std::enable_shared_from_this<Check> {
 public:
  explicit Check(Acceptor& acceptor)
      : acceptor_(acceptor), socket_(acceptor.context_), timer_(acceptor.context_) {}

  void begin(const Door& door) {
    const Endpoint to = endpoint_of(address_of(door.at).reached());
    error_code error;
    socket_.open(to.protocol(), error);
    if (error) return end(false);
    answers_ = door.answers;
    timer_.expires_after(kCheckEvery / 2);
    timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
      if (!cancelled) self->end(false);
    });
    socket_.async_connect(to, [self = shared_from_this()](const error_code& failed) {
      if (failed || !self->answers_) return self->end(!failed);
      self->greet();
    });
  }
  // Returns whether this is the other end of an accepted socket.
  bool is_peer(const SocketAddress& peer) const {
    error_code error;
    const Endpoint own = socket_.local_endpoint(error);
    return !error && peer.is_ip() && address_of(own) == peer;
  }

 private:
  void greet() {
    asio::async_write(socket_, asio::buffer(kHello),
                      [self = shared_from_this()](const error_code& failed, std::size_t) {
                        if (failed) return self->end(false);
                        self->socket_.async_receive(
                            asio::buffer(self->answer_),
                            [self](const error_code& ended, std::size_t) { self->end(!ended); });
                      });
  }
  void end(bool is_good) {
    if (std::exchange(is_over_, true)) return;
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    const int failed = acceptor_.failed_checks_;
    if (is_good && failed >= kFailedChecksMax) spdlog::warn("self check outcome=\"answers again\"");
    acceptor_.failed_checks_ = is_good ? 0 : failed + 1;
    if (!is_good && failed + 1 == kFailedChecksMax)
      spdlog::critical(
          "self check outcome=\"not ready\" reason=\"the server does not answer on its own "
          "address\"");
  }

  Acceptor& acceptor_;
  Socket socket_;
  asio::steady_timer timer_;
  std::array<char, 64> answer_{};
  bool answers_ = false;
  bool is_over_ = false;
};

Acceptor::Acceptor(const ConnectionTable::Bounds& bounds, const Pressure& pressure,
                   std::function<void()> on_sweep)
    : table_(bounds), pressure_(pressure), on_sweep_(std::move(on_sweep)) {}

Acceptor::~Acceptor() { stop(); }

error_code Acceptor::open(const Endpoint& at, bool answers, Receiver* to) {
  auto door = std::make_unique<Door>(context_);
  error_code error;
  door->listener.open(at.protocol(), error);
  if (!error) door->listener.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) door->listener.bind(at, error);
  if (!error) door->listener.listen(SOMAXCONN, error);
  if (!error) door->listener.non_blocking(true, error);
  if (!error) door->at = door->listener.local_endpoint(error);
  if (error) return error;
  door->answers = answers;
  door->to = to;
  doors_.push_back(std::move(door));
  return error;
}

absl::StatusOr<std::string> Acceptor::listen_tcp(const std::string& address, bool answers,
                                                 std::unique_ptr<Receiver> to) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  error_code error;
  Tcp::resolver resolver(context_);
  const auto found =
      resolver.resolve(host, address.substr(colon + 1), Tcp::resolver::passive, error);
  if (error) return cannot(address, error);
  receivers_.push_back(std::move(to));
  // All addresses of a host get the same port. A family that the machine does not have is left out.
  unsigned short port = 0;
  std::size_t opened = 0;
  for (const auto& entry : found) {
    Tcp::endpoint at = entry.endpoint();
    if (at.port() == 0) at.port(port);
    error = open(Endpoint(at.data(), at.size()), answers, receivers_.back().get());
    if (error == asio::error::address_in_use) return cannot(address, error);
    if (error) continue;
    ++opened;
    port = address_of(doors_.back()->at).port();
  }
  if (opened == 0) return cannot(address, error);
  return address.substr(0, colon + 1) + std::to_string(port);
}

absl::Status Acceptor::listen_unix(const std::string& path, std::unique_ptr<Receiver> to) {
  receivers_.push_back(std::move(to));
  const asio::local::stream_protocol::endpoint at(path);
  const error_code error =
      open(Endpoint(at.data(), at.size()), /*answers=*/false, receivers_.back().get());
  return error ? cannot("unix:" + path, error) : absl::OkStatus();
}

void Acceptor::start() {
  for (const auto& door : doors_) wait(*door);
  sweep();
  check();
  thread_ = std::thread([this] { context_.run(); });
}

void Acceptor::stop_listening() {
  boost::asio::post(context_, [this] {
    pause_timer_.cancel();
    check_timer_.cancel();
    for (const auto& door : doors_) {
      error_code ignored;
      door->listener.close(ignored);
    }
    table_.close_silent();
  });
}

void Acceptor::stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  doors_.clear();
}

void Acceptor::wait(Door& door) {
  door.listener.async_wait(asio::socket_base::wait_read, [this, &door](const error_code& error) {
    if (error == asio::error::operation_aborted) return;
    accept(door);
  });
}

void Acceptor::accept(Door& door) {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    const int socket =
        accept4(door.listener.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      take(door, socket);
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) break;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    log_refused(make_error(absl::StatusCode::kResourceExhausted, "CONNECTIONS_MAX", "",
                           "no descriptor: " + std::generic_category().message(errno)));
    paused_.push_back(&door);
    if (paused_.size() > 1) return;
    pause_timer_.expires_after(kPause);
    pause_timer_.async_wait([this](const error_code& cancelled) {
      if (cancelled) return;
      for (Door* paused : std::exchange(paused_, {})) wait(*paused);
    });
    return;
  }
  wait(door);
}

// The server's own check is let in whoever else is there.
bool Acceptor::is_own(int socket) const {
  return check_ != nullptr && check_->is_peer(SocketAddress::of_peer(socket));
}

void Acceptor::take(Door& door, int socket) {
  if (!is_own(socket)) {
    absl::Status status = pressure_.stage() < MemoryStage::kCritical
                              ? table_.add(socket)
                              : Pressure::ended(MemoryStage::kCritical);
    if (!status.ok()) {
      close(socket);
      return log_refused(status);
    }
  }
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  door.to->take(socket);
}

void Acceptor::log_refused(const absl::Status& why) {
  ++refused_;
  ++refused_before_log_;
  const Micros now = now_us();
  if (now < log_after_) return;
  log_after_ = now + kLogEveryUs;
  spdlog::warn("connections refused count={} reason=\"{}\"", std::exchange(refused_before_log_, 0),
               std::string(why.message()));
}

void Acceptor::sweep() {
  for (const std::string& connection : table_.sweep(now_us(), pressure_.stage())) {
    ++ended_;
    spdlog::warn("connection ended {}", connection);
  }
  on_sweep_();
  sweep_timer_.expires_after(kSweepEvery);
  sweep_timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled) sweep();
  });
}

void Acceptor::check() {
  check_timer_.expires_after(kCheckEvery);
  check_timer_.async_wait([this](const error_code& cancelled) {
    if (cancelled) return;
    const auto door = std::ranges::find_if(doors_, [](const auto& one) { return one->is_tcp(); });
    if (door == doors_.end()) return;
    check_ = std::make_shared<Check>(*this);
    check_->begin(**door);
    check();
  });
}

std::string Acceptor::metrics_text() const {
  const auto one = [](const std::string& name, const std::string& help, const std::string& type,
                      std::uint64_t value) {
    return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n" + name + " " +
           std::to_string(value) + "\n";
  };
  return one("repath_connections", "Open connections.", "gauge", table_.size()) +
         one("repath_connections_refused_total", "Connections closed at once at a limit.",
             "counter", refused_) +
         one("repath_connections_ended_total",
             "Connections shut down because of cancelled calls, or messages that do not come "
             "whole.",
             "counter", ended_) +
         one("repath_self_check_failures", "Failed checks of the server's own address in a row.",
             "gauge", static_cast<std::uint64_t>(failed_checks_.load()));
}

}  // namespace repath

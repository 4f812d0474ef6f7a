#include "admin/admin_server.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <utility>

#include "admin/connection.h"
#include "base/error.h"

namespace repath {
namespace {

namespace asio = boost::asio;
using Tcp = boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kLook(5);     // between two looks at what is under way
constexpr std::chrono::milliseconds kPause(100);  // after accept() found no free file descriptor

absl::Status cannot_listen(const std::string& address, const std::string& why) {
  return make_error(absl::StatusCode::kUnavailable, "ADDRESS_IN_USE", "",
                    "cannot listen on " + address + ": " + why);
}

// Returns half of a bound, but at least 1.
constexpr std::uint64_t half_of(std::uint64_t most) { return (most + 1) / 2; }

}  // namespace

AdminServer::AdminServer(const Bounds& bounds, MetricsText metrics, Rules rules, Door* door,
                         const CertificateKeeper* tls)
    : bounds_(bounds),
      metrics_(std::move(metrics)),
      rules_(std::move(rules)),
      door_(door),
      tls_(tls),
      door_calls_(
          half_of(bounds.connections_max),
          half_of(bounds.per_address_max > 0 ? bounds.per_address_max : bounds.connections_max)),
      held_(std::make_shared<Shares>(bounds.held_bytes_max, bounds.held_bytes_max / 2)) {}

absl::StatusOr<std::unique_ptr<AdminServer>> AdminServer::start(const std::string& address,
                                                                const Bounds& bounds,
                                                                MetricsText metrics, Rules rules,
                                                                Door* door,
                                                                const CertificateKeeper* tls) {
  std::unique_ptr<AdminServer> server(
      new AdminServer(bounds, std::move(metrics), std::move(rules), door, tls));
  REPATH_RETURN_IF_ERROR(server->listen(address));
  server->accept();
  server->thread_ = std::thread([context = &server->context_] { context->run(); });
  return server;
}

AdminServer::~AdminServer() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  figures_.stop();
  figures_.join();
}

void AdminServer::finish(std::chrono::steady_clock::time_point time) {
  std::promise<void> is_told;
  asio::post(context_, [&] {
    is_finishing_ = true;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    is_told.set_value();
  });
  is_told.get_future().wait();
  while (answers_ > 0 && std::chrono::steady_clock::now() < time)
    std::this_thread::sleep_for(kLook);
}

absl::Status AdminServer::listen(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return cannot_listen(address, "not HOST:PORT");
  error_code error;
  Tcp::resolver resolver(context_);
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  const auto found =
      resolver.resolve(host, address.substr(colon + 1), Tcp::resolver::passive, error);
  if (error || found.empty()) return cannot_listen(address, error.message());
  const Tcp::endpoint endpoint = *found.begin();
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  return error ? cannot_listen(address, error.message()) : absl::OkStatus();
}

void AdminServer::accept() {
  acceptor_.async_accept([this](error_code error, Tcp::socket socket) {
    if (!error) {
      take(std::move(socket));
      return accept();
    }
    if (error == asio::error::operation_aborted) return;
    // Without a descriptor the next attempt would fail at once, and so on.
    pause_.expires_after(kPause);
    pause_.async_wait([this](error_code cancelled) {
      if (!cancelled) accept();
    });
  });
}

void AdminServer::take(Tcp::socket socket) {
  error_code error;
  const Tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return;  // it is closed again
  const std::string address = Connection::address_of(peer);
  const auto of_address = of_address_.find(address);
  if (bounds_.per_address_max > 0 && of_address != of_address_.end() &&
      of_address->second >= bounds_.per_address_max) {
    const auto longest = std::ranges::find(waiting_, address, &Connection::address);
    if (longest == waiting_.end()) return;
    (*longest)->give_up();
  }
  if (connections_ >= bounds_.connections_max && !waiting_.empty()) waiting_.front()->give_up();
  if (connections_ >= bounds_.connections_max) return;
  asio::ssl::context* const tls = tls_.is_on() ? tls_.current() : nullptr;
  if (tls_.is_on() && tls == nullptr) return;
  std::make_shared<Connection>(std::move(socket), tls, peer, *this)->begin();
}

std::string AdminServer::address() const {
  const Tcp::endpoint endpoint = acceptor_.local_endpoint();
  return endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

}  // namespace repath

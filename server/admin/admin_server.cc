#include "admin/admin_server.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "access/address_rule.h"
#include "access/certificate_names.h"
#include "base/error.h"

namespace repath {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kHeaderBytesMax = 8192;
constexpr std::uint64_t kBodyBytesMax = 1024;
// Greatest body of a request that goes to the door: as large as a message of gRPC may be.
constexpr std::uint64_t kDoorBodyBytesMax = 4 << 20;
// A refused request is read on for at most so many bytes, in portions of kDropBytes, and dropped.
constexpr std::size_t kDroppedBytesMax = 64 << 20;
constexpr std::size_t kDropBytes = 64 << 10;
constexpr std::chrono::milliseconds kPause(100);  // after accept() found no free file descriptor

absl::Status cannot_listen(const std::string& address, const std::string& why) {
  return make_error(absl::StatusCode::kUnavailable, "ADDRESS_IN_USE", "",
                    "cannot listen on " + address + ": " + why);
}

constexpr const char* kPlainText = "text/plain";
// Version of the Prometheus text format.
constexpr const char* kMetricsText = "text/plain; version=0.0.4; charset=utf-8";

struct Reply {
  http::status status;
  std::string text;
  const char* type = kPlainText;
};

using Request = http::request<http::string_body>;

std::string_view header(const Request& request, http::field name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

// Returns why a page of another site may not make this request; nothing if it may. Browsers say in
// Origin whose page it is.
std::optional<Reply> refused_site(const Request& request, const AdminServer::Rules& rules) {
  const std::string_view host = header(request, http::field::host);
  if (!is_allowed_host(host, rules.hosts))
    return Reply{http::status::misdirected_request,
                 "the Host header is not allowed; --admin-host allows a name\n"};
  const std::string_view origin = header(request, http::field::origin);
  const std::size_t name = origin.find("://");
  if (origin.empty() || (name != origin.npos && origin.substr(name + 3) == host))
    return std::nullopt;
  return Reply{http::status::forbidden, "the Origin header is of another site\n"};
}

// Returns why the caller may not see the figures; nothing if it may.
std::optional<Reply> refused_caller(const Request& request, const AdminServer::Rules& rules,
                                    const HttpPeer& peer) {
  if (!rules.may_see) return std::nullopt;
  Credentials credentials;
  credentials.certificate_names = [&peer] { return peer.names; };
  const auto given = request.find(http::field::authorization);
  if (given != request.end())
    credentials.authorization = std::string_view(given->value().data(), given->value().size());
  const absl::Status status = rules.may_see(credentials);
  if (status.ok()) return std::nullopt;
  const bool is_known = status.code() == absl::StatusCode::kPermissionDenied;
  return Reply{is_known ? http::status::forbidden : http::status::unauthorized,
               std::string(status.message()) + "\n"};
}

// Returns the address whose connections count together: of IPv6 its network of 64 bits.
std::string address_of(const Tcp::endpoint& peer) {
  const asio::ip::address address = peer.address();
  if (!address.is_v6() || address.to_v6().is_v4_mapped()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
}

// Returns the peer's name for the door.
std::string name_of(const Tcp::endpoint& peer) {
  const asio::ip::address address = peer.address();
  const std::string port = ":" + std::to_string(peer.port());
  if (address.is_v4()) return "ipv4:" + address.to_string() + port;
  if (address.to_v6().is_v4_mapped())
    return "ipv4:" + asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string() +
           port;
  return "ipv6:%5B" + address.to_string() + "%5D" + port;
}

// Returns what to say of a request that cannot be read; nothing if it broke off.
std::optional<Reply> unreadable(error_code error, std::uint64_t body_bytes_max) {
  const auto json = [](http::status status, const std::string& code, const std::string& message) {
    return Reply{status, "{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}\n",
                 "application/json"};
  };
  if (error == http::error::body_limit)
    return json(http::status::payload_too_large, "resource_exhausted",
                "the body has more than " + std::to_string(body_bytes_max) + " bytes");
  if (error == http::error::header_limit)
    return json(http::status::request_header_fields_too_large, "resource_exhausted",
                "the headers have more than " + std::to_string(kHeaderBytesMax) + " bytes");
  const bool is_of_http =
      error.category() == http::make_error_code(http::error::body_limit).category();
  if (!is_of_http || error == http::error::end_of_stream || error == http::error::partial_message)
    return std::nullopt;
  return json(http::status::bad_request, "invalid_argument",
              "this is no HTTP request: " + error.message());
}

bool is_health(beast::string_view target) { return target == "/livez" || target == "/readyz"; }

// Answers for a page of the port's own.
Reply own_page(const Request& request, bool ready, const AdminServer::MetricsText& metrics,
               const AdminServer::Rules& rules, const HttpPeer& peer) {
  const http::verb method = request.method();
  const beast::string_view target = request.target();
  if (method != http::verb::get && method != http::verb::head) {
    return {http::status::method_not_allowed, "only GET and HEAD\n"};
  }
  if (target == "/livez") return {http::status::ok, "alive\n"};
  if (target == "/readyz") {
    return ready ? Reply{http::status::ok, "ready\n"}
                 : Reply{http::status::service_unavailable, "not serving\n"};
  }
  if (std::optional<Reply> refused = refused_site(request, rules)) return *std::move(refused);
  if (std::optional<Reply> refused = refused_caller(request, rules, peer))
    return *std::move(refused);
  if (target == "/metrics" && metrics) return {http::status::ok, metrics(), kMetricsText};
  return {http::status::not_found, "there are /livez, /readyz and /metrics\n"};
}

}  // namespace

// Serves one connection: reads a request, answers it, and goes on while the peer keeps the
// connection alive. Keeps itself alive.
class AdminServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  // With TLS if there is a context.
  Connection(Tcp::socket socket, asio::ssl::context* tls, const Tcp::endpoint& peer,
             AdminServer& server)
      : stream_(std::move(socket), tls),
        server_(server),
        peer_{name_of(peer)},
        address_(address_of(peer)) {
    ++server_.connections_;
    ++server_.of_address_[address_];
  }
  ~Connection() { give_up(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& address() const { return address_; }

  // Closes the connection, which no longer counts.
  void give_up() {
    if (!is_counted_) return;
    uncount();
    stream_.close();
  }

  // Sets up TLS, if the port has it, and goes on with requests.
  void begin() {
    wait_for_request();
    expire_later();
    stream_.async_handshake([self = shared_from_this()](error_code error) {
      if (error) return;
      if (const SSL* tls = self->stream_.tls()) self->peer_.names = names_of_peer(tls);
      self->read();
    });
  }

 private:
  void read() {
    if (!is_counted_) return;
    wait_for_request();
    parser_.emplace();
    parser_->header_limit(kHeaderBytesMax);
    parser_->body_limit(kDoorBodyBytesMax);
    expire_later();
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              error ? self->refuse(error) : self->read_body();
                            });
  }

  // Joins the connections that wait for a request, and give way to new ones.
  void wait_for_request() {
    if (is_waiting_) return;
    place_ = server_.waiting_.insert(server_.waiting_.end(), this);
    is_waiting_ = true;
  }

  // The connection no longer counts.
  void uncount() {
    is_counted_ = false;
    --server_.connections_;
    const auto of_address = server_.of_address_.find(address_);
    if (--of_address->second == 0) server_.of_address_.erase(of_address);
    if (is_waiting_) server_.waiting_.erase(place_);
    is_waiting_ = false;
  }

  void expire_later() {
    stream_.expires_after(std::chrono::milliseconds(server_.bounds_.timeout_ms));
  }

  bool is_for_door() const {
    const beast::string_view target = parser_->get().target();
    return server_.door_ != nullptr && !is_health(target) &&
           (target != "/metrics" || !server_.metrics_);
  }

  void read_body() {
    const std::uint64_t most = is_for_door() ? kDoorBodyBytesMax : kBodyBytesMax;
    // The parser has looked at the length already.
    if (parser_->content_length().value_or(0) > most) return refuse(http::error::body_limit);
    parser_->body_limit(most);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       error ? self->refuse(error) : self->answer();
                     });
  }

  // Says why a request cannot be read, and ends the connection.
  void refuse(error_code error) {
    if (!is_counted_) return;
    std::optional<Reply> reply =
        unreadable(error, is_for_door() ? kDoorBodyBytesMax : kBodyBytesMax);
    if (!reply) return;
    response_ = Door::Response(reply->status, 11);
    response_.keep_alive(false);
    response_.set(http::field::content_type, reply->type);
    response_.body() = std::move(reply->text);
    response_.prepare_payload();
    expire_later();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed) return;
                        if (self->stream_.tls() == nullptr)
                          self->stream_.tcp().socket().shutdown(Tcp::socket::shutdown_send, failed);
                        self->drop_rest(kDroppedBytesMax);
                      });
  }

  // Reads on until the client ends, because it may look for the answer only then. If the
  // connection were closed with bytes unread, TCP would reset it, and the answer could be lost.
  void drop_rest(std::size_t most) {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kDropBytes),
                            [self = shared_from_this(), most](error_code error, std::size_t got) {
                              if (!error && got < most) self->drop_rest(most - got);
                            });
  }

  void answer() {
    if (!is_counted_) return;
    server_.waiting_.erase(place_);
    is_waiting_ = false;
    const Request& request = parser_->get();
    if (!is_for_door())
      return answer(
          own_page(request, server_.ready_.load(), server_.metrics_, server_.rules_, peer_));
    if (std::optional<Reply> refused = refused_site(request, server_.rules_))
      return answer(*std::move(refused));
    if (beast::websocket::is_upgrade(request)) {
      uncount();
      return server_.door_->upgrade(std::move(stream_), peer_, parser_->release());
    }
    if (server_.door_calls_ >= (server_.bounds_.connections_max + 1) / 2)
      return answer({http::status::too_many_requests, "too many requests are under way\n"});
    ++server_.door_calls_;
    // The call's own deadline counts from here.
    stream_.expires_never();
    keeps_alive_ = request.keep_alive();
    server_.door_->serve(
        parser_->release(), peer_,
        // Gives this object back to the port's thread, which alone may end it.
        [self = shared_from_this(),
         executor = stream_.get_executor()](Door::Response response) mutable {
          asio::post(executor, [self = std::move(self), response = std::move(response)]() mutable {
            --self->server_.door_calls_;
            response.keep_alive(self->keeps_alive_);
            self->write(std::move(response));
          });
        });
  }

  void answer(Reply reply) {
    const Request& request = parser_->get();
    Door::Response response(reply.status, request.version());
    response.keep_alive(request.keep_alive());
    response.set(http::field::content_type, reply.type);
    if (reply.status == http::status::unauthorized)
      response.set(http::field::www_authenticate, "Bearer");
    response.body() = std::move(reply.text);
    response.prepare_payload();
    if (request.method() == http::verb::head) response.body().clear();
    write(std::move(response));
  }

  void write(Door::Response response) {
    response_ = std::move(response);
    expire_later();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (!error && self->response_.keep_alive()) self->read();
                      });
  }

  Door::Stream stream_;
  AdminServer& server_;
  HttpPeer peer_;
  const std::string address_;
  bool is_counted_ = true;
  bool is_waiting_ = false;  // for a request; `place_` is then in the server's list
  std::list<Connection*>::iterator place_;
  beast::flat_buffer buffer_{kHeaderBytesMax + kDoorBodyBytesMax};
  std::optional<http::request_parser<http::string_body>> parser_;
  Door::Response response_;
  bool keeps_alive_ = false;
};

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
  const std::string address = address_of(peer);
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

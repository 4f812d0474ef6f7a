#include "admin/connection.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <utility>

#include "access/certificate_names.h"
#include "base/error.h"

namespace repath {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = boost::asio::ip::tcp;

// Greatest body of a request that goes to the door: as large as a message of gRPC may be.
constexpr std::uint64_t kDoorBodyBytesMax = 4 << 20;
// A refused request is read on for at most so many bytes, in portions of kDropBytes, and dropped.
constexpr std::size_t kDroppedBytesMax = 64 << 20;
constexpr std::size_t kDropBytes = 64 << 10;
// While a request is answered, the connection is read on, in portions of kWatchBytes, as long as
// fewer bytes than kAheadBytesMax have been sent ahead.
constexpr std::size_t kWatchBytes = 4 << 10;
constexpr std::size_t kAheadBytesMax = 64 << 10;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

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

}  // namespace

AdminServer::Connection::Connection(Tcp::socket socket, asio::ssl::context* tls,
                                    const Tcp::endpoint& peer, AdminServer& server)
    : stream_(std::move(socket), tls),
      server_(server),
      peer_{name_of(peer)},
      address_(address_of(peer)),
      held_(server.held_, address_),
      buffer_(kHeaderBytesMax + kDoorBodyBytesMax) {
  ++server_.connections_;
  ++server_.of_address_[address_];
}

std::string AdminServer::Connection::address_of(const Tcp::endpoint& peer) {
  const asio::ip::address address = peer.address();
  if (!address.is_v6() || address.to_v6().is_v4_mapped()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
}

void AdminServer::Connection::begin() {
  wait_for_request();
  expire_later();
  stream_.async_handshake([self = shared_from_this()](ErrorCode error) {
    if (error) return;
    if (const SSL* tls = self->stream_.tls()) self->peer_.names = names_of_peer(tls);
    self->read();
  });
}

void AdminServer::Connection::give_up() {
  if (!is_counted_) return;
  uncount();
  stream_.close();
}

// ---- the request ----

// Waits for the first byte of another request, whose time begins with it.
void AdminServer::Connection::read_next() {
  if (buffer_.size() > 0) return read();
  wait_for_request();
  stream_.expires_after(std::chrono::milliseconds(server_.bounds_.idle_ms));
  stream_.async_read_some(buffer_.prepare(kWatchBytes),
                          [self = shared_from_this()](ErrorCode error, std::size_t got) {
                            if (error) return;
                            self->buffer_.commit(got);
                            self->read();
                          });
}

void AdminServer::Connection::read() {
  if (!is_counted_) return;
  wait_for_request();
  parser_.emplace();
  parser_->header_limit(kHeaderBytesMax);
  parser_->body_limit(kDoorBodyBytesMax);
  expire_later();
  http::async_read_header(stream_, buffer_, *parser_,
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            error ? self->refuse(error) : self->take_header();
                          });
}

void AdminServer::Connection::take_header() {
  const std::string_view ambiguity = ambiguity_of(parser_->get());
  if (!ambiguity.empty()) return refuse(refusal_of(not_http(ambiguity)));
  use_path_as_target(parser_->get());
  // The parser has looked at the length already.
  if (parser_->content_length().value_or(0) > body_bytes_max())
    return refuse(http::error::body_limit);
  parser_->body_limit(body_bytes_max());
  parser_->eager(true);
  const bool is_body_to_come = !parser_->is_done() && buffer_.size() == 0;
  if (is_body_to_come && waits_for_continue(parser_->get())) return send_continue();
  read_body();
}

// Asks for the body (RFC 9110, 10.1.1).
void AdminServer::Connection::send_continue() {
  if (const auto refused = refused_site(parser_->get(), server_.rules_); refused && is_for_door())
    return refuse(refusal_of(*refused));
  asio::async_write(stream_, asio::buffer(kContinue),
                    [self = shared_from_this()](ErrorCode error, std::size_t) {
                      if (!error) self->read_body();
                    });
}

void AdminServer::Connection::read_body() {
  if (parser_->is_done()) return answer();
  http::async_read_some(
      stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
        if (error) return self->refuse(error);
        if (!self->is_for_door() || self->held_.resize(self->parser_->get().body().size()))
          return self->read_body();
        self->refuse(self->server_.door_->refusal(
            make_error(absl::StatusCode::kResourceExhausted, "HELD_MAX", "",
                       "unfinished requests by HTTP hold too many bytes")));
      });
}

bool AdminServer::Connection::is_for_door() const {
  const std::string_view path = path_of(parser_->get());
  return server_.door_ != nullptr && !is_health(path) && (path != "/metrics" || !server_.metrics_);
}

std::uint64_t AdminServer::Connection::body_bytes_max() const {
  return is_for_door() ? kDoorBodyBytesMax : kBodyBytesMax;
}

void AdminServer::Connection::refuse(ErrorCode error) {
  if (!is_counted_) return;
  if (const auto refusal = unreadable(error, body_bytes_max())) refuse(refusal_of(*refusal));
}

void AdminServer::Connection::refuse(Door::Response response) {
  is_head_ = parser_->get().method() == http::verb::head;
  keeps_alive_ = false;
  set_response(std::move(response));
  parser_.emplace();  // without what has been read
  held_.resize(0);
  expire_later();
  http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode failed, std::size_t) {
    if (failed) return;
    if (self->stream_.tls() == nullptr)
      self->stream_.tcp().socket().shutdown(Tcp::socket::shutdown_send, failed);
    self->drop_rest(kDroppedBytesMax);
  });
}

// Reads on until the client ends, because it may look for the answer only then. If the connection
// were closed with bytes unread, TCP would reset it, and the answer could be lost.
void AdminServer::Connection::drop_rest(std::size_t most) {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(kDropBytes),
                          [self = shared_from_this(), most](ErrorCode error, std::size_t got) {
                            if (!error && got < most) self->drop_rest(most - got);
                          });
}

// ---- the answer ----

void AdminServer::Connection::answer() {
  if (!is_counted_) return;
  stop_waiting();
  const HttpRequest& request = parser_->get();
  keeps_alive_ = request.keep_alive();
  is_head_ = request.method() == http::verb::head;
  set_answering(true);
  if (!is_for_door()) {
    std::optional<Reply> reply = own_page(request, server_.ready_.load(),
                                          server_.metrics_ != nullptr, server_.rules_, peer_);
    return reply ? answer(response_of(request, *std::move(reply))) : make_figures();
  }
  if (const auto refused = refused_site(request, server_.rules_))
    return answer(refusal_of(*refused));
  beast::websocket::is_upgrade(request) ? upgrade() : call_door();
}

void AdminServer::Connection::answer(Door::Response response) {
  set_response(std::move(response));
  write();
}

Door::Response AdminServer::Connection::refusal_of(const Refusal& refusal) const {
  if (server_.door_ == nullptr) return response_of(parser_->get(), reply_of(refusal));
  Door::Response response = server_.door_->refusal(refusal.why);
  response.result(refusal.status);
  return response;
}

void AdminServer::Connection::set_response(Door::Response response) {
  response_ = std::move(response);
  response_.keep_alive(keeps_alive_ && !server_.is_finishing_);
  // The headers are those of the answer to GET; a body would be taken for the next answer.
  if (is_head_) response_.body().clear();
}

void AdminServer::Connection::set_answering(bool is_now) {
  if (is_now && !is_answering_) ++server_.answers_;
  if (!is_now && is_answering_) --server_.answers_;
  is_answering_ = is_now;
}

void AdminServer::Connection::upgrade() {
  uncount();
  held_.resize(0);
  server_.door_->upgrade(std::move(stream_), peer_, parser_->release(), std::move(held_));
}

void AdminServer::Connection::call_door() {
  if (!server_.door_calls_.take(address_))
    return answer(server_.door_->refusal(
        make_error(absl::StatusCode::kResourceExhausted, "CALLS_MAX", "",
                   "too many calls by HTTP are under way, of all clients or of one address")));
  is_call_ = true;
  begin_work();
  cancel_ = server_.door_->serve(parser_->release(), peer_, finisher());
}

void AdminServer::Connection::make_figures() {
  begin_work();
  const auto is_wanted = std::make_shared<std::atomic<bool>>(true);
  cancel_ = [is_wanted] { *is_wanted = false; };
  asio::post(server_.figures_, [done = finisher(), is_wanted, request = parser_->release(),
                                make = &server_.metrics_] {
    done(response_of(request, *is_wanted ? figures_page((*make)())
                                         : Reply{http::status::client_closed_request,
                                                 "the client has ended its side\n"}));
  });
}

void AdminServer::Connection::begin_work() {
  stream_.expires_never();
  watch();
}

Door::Done AdminServer::Connection::finisher() {
  // Gives this object back to the port's thread, which alone may end it.
  return [self = shared_from_this(),
          executor = stream_.get_executor()](Door::Response response) mutable {
    asio::post(executor, [self = std::move(self), response = std::move(response)]() mutable {
      self->finish(std::move(response));
    });
  };
}

void AdminServer::Connection::finish(Door::Response response) {
  if (is_call_) server_.door_calls_.give_back(address_);
  is_call_ = false;
  cancel_ = nullptr;
  held_.resize(0);
  set_response(std::move(response));
  if (!is_watching_) return write();
  is_answered_ = true;
  stream_.tcp().cancel();
}

// Reads on, to notice the client's end. Bytes that a client sends ahead are kept for its next
// request.
void AdminServer::Connection::watch() {
  if (buffer_.size() >= kAheadBytesMax) return;
  is_watching_ = true;
  stream_.async_read_some(buffer_.prepare(kWatchBytes),
                          [self = shared_from_this()](ErrorCode error, std::size_t got) {
                            self->is_watching_ = false;
                            self->buffer_.commit(got);
                            if (std::exchange(self->is_answered_, false)) return self->write();
                            if (!error) return self->watch();
                            self->keeps_alive_ = false;
                            if (self->cancel_) self->cancel_();
                          });
}

void AdminServer::Connection::write() {
  expire_later();
  http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode error, std::size_t) {
    self->set_answering(false);
    const bool goes_on = !error && self->response_.keep_alive();
    self->response_ = {};
    if (goes_on) self->read_next();
  });
}

// ---- what the port counts ----

void AdminServer::Connection::wait_for_request() {
  if (is_waiting_) return;
  place_ = server_.waiting_.insert(server_.waiting_.end(), this);
  is_waiting_ = true;
}

void AdminServer::Connection::stop_waiting() {
  if (is_waiting_) server_.waiting_.erase(place_);
  is_waiting_ = false;
}

void AdminServer::Connection::uncount() {
  is_counted_ = false;
  --server_.connections_;
  const auto of_address = server_.of_address_.find(address_);
  if (--of_address->second == 0) server_.of_address_.erase(of_address);
  stop_waiting();
}

void AdminServer::Connection::expire_later() {
  stream_.expires_after(std::chrono::milliseconds(server_.bounds_.timeout_ms));
}

}  // namespace repath

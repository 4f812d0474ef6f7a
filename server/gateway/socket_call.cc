#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket.hpp>
#include <shared_mutex>
#include <utility>

#include "base/error.h"
#include "gateway/api_methods.h"
#include "gateway/connect_error.h"
#include "gateway/gateway_core.h"
#include "rpc/status.h"

namespace repath {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;
using google::protobuf::MethodDescriptor;

constexpr std::size_t kFrameBytesMax = 4 << 20;  // a message's maximum size
constexpr std::size_t kPortionBytes = 64 << 10;  // a message is read in portions
constexpr std::chrono::seconds kSilenceMax(30);  // then it ends; a ping is sent after half of it
// A WebSocket whose call is over is closed so long after its close frame if the client does not
// answer it. One that was refused is closed sooner.
constexpr std::chrono::seconds kFarewellMax(3);
constexpr std::chrono::seconds kRefusedMax(1);
constexpr std::chrono::milliseconds kLastChance(250);
constexpr std::uint16_t kErrorCloseCode = 4000;  // plus gRPC's code

// The subprotocol and the token that the client asks for in Sec-WebSocket-Protocol.
struct Wishes {
  std::string_view protocol;  // to be confirmed; empty if none was asked for
  Encoding encoding = Encoding::kJson;
  std::optional<std::string> authorization;
};

// Adds a token. Two tokens count as a wrong one, as two headers do.
void add_token(std::string_view token, Wishes& wishes) {
  wishes.authorization = wishes.authorization ? "" : "Bearer " + std::string(token);
}

void add_wishes(std::string_view list, Wishes& wishes) {
  constexpr std::string_view kBearer = "bearer.";
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find_first_of(", ", at), list.size());
    const std::string_view name = list.substr(at, end - at);
    at = end + 1;
    if (name.substr(0, kBearer.size()) == kBearer) {
      add_token(name.substr(kBearer.size()), wishes);
    } else if (wishes.protocol.empty() && (name == "json" || name == "proto")) {
      wishes.protocol = name == "json" ? "json" : "proto";
      wishes.encoding = name == "json" ? Encoding::kJson : Encoding::kProto;
    }
  }
}

absl::StatusOr<Wishes> wishes_of(const Door::Request& request) {
  Wishes wishes;
  wishes.authorization = authorization_of(request);
  // A list may be given by several headers.
  const auto [first, last] = request.equal_range(http::field::sec_websocket_protocol);
  for (auto it = first; it != last; ++it)
    add_wishes({it->value().data(), it->value().size()}, wishes);
  if (first != last && wishes.protocol.empty())
    return invalid_field("HEADER_INVALID", "sec-websocket-protocol",
                         "the subprotocols are json and proto");
  return wishes;
}

// Answers a request that becomes no WebSocket, and closes the connection.
void refuse_upgrade(Door::Stream stream, Door::Response response) {
  struct Refused {
    Door::Stream stream;
    Door::Response response;
  };
  response.keep_alive(false);
  const auto refused = std::make_shared<Refused>(Refused{std::move(stream), std::move(response)});
  refused->stream.expires_after(kSilenceMax);
  http::async_write(refused->stream, refused->response, [refused](error_code, std::size_t) {});
}

// A stream under way. At most one message is under way in each direction, so a slow client slows
// its own stream, by gRPC's flow control.
//
// All members belong to the port's thread. gRPC's callbacks and the threads for JSON only pass work
// on to it.
// The call holds gRPC back from its end (AddHold) while this object may begin another operation.
class SocketCall final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                         public std::enable_shared_from_this<SocketCall> {
 public:
  // A call of `client`; if that is an error, a WebSocket that tells it and ends. REQUIRES: `counts`
  // counts this WebSocket.
  SocketCall(std::shared_ptr<GatewayCore> core, const MethodDescriptor& method,
             absl::StatusOr<std::string> client, SocketCounts& counts, Wishes wishes,
             Door::Stream stream, HttpPeer peer, RequestBytes held)
      : core_(std::move(core)),
        method_(method),
        client_(std::move(client)),
        counts_(&counts),
        wishes_(std::move(wishes)),
        peer_(std::move(peer)),
        held_(std::move(held)),
        socket_(std::move(stream)),
        executor_(socket_.get_executor()) {}
  ~SocketCall() override { counts_->leave(peer_.address); }

  void accept(Door::Request request) {
    if (const absl::Status status = copy_headers(request, wishes_.authorization, context_);
        !status.ok())
      return refuse_upgrade(std::move(socket_.next_layer()), error_response(status));
    set_options();
    request_ = std::move(request);
    socket_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (!error) self->begin();
    });
  }

 private:
  void set_options() {
    beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has its own
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = client_.ok() ? kFarewellMax : kRefusedMax;  // of the close, too
    timeout.idle_timeout = client_.ok() ? kSilenceMax : kRefusedMax;
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.read_message_max(kFrameBytesMax);
    socket_.auto_fragment(false);
    socket_.set_option(websocket::stream_base::decorator(
        [protocol = wishes_.protocol](websocket::response_type& response) {
          if (!protocol.empty())
            response.set(http::field::sec_websocket_protocol,
                         beast::string_view(protocol.data(), protocol.size()));
        }));
  }

  void begin() {
    if (!client_.ok()) return end(to_grpc(client_.status()));
    const std::shared_lock making(core_->making);
    OpenCalls::End stop_writing = [executor = executor_, weak = weak_from_this()] {
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->stop_writing();
      });
    };
    if (const absl::Status status = enter(*core_, peer_, context_, std::move(stop_writing));
        !status.ok())
      return end(to_grpc(status));
    has_entered_ = true;
    self_ = shared_from_this();
    core_->stub->PrepareBidiStreamingCall(&context_, path_of(method_), {}, this);
    AddHold();
    StartRead(&incoming_);
    StartCall();
    read_next();
  }

  // From the client to the call.

  // Reads a message; the one before no longer counts.
  void read_next() {
    held_.resize(0);
    read_portion();
  }

  void read_portion() {
    socket_.async_read_some(
        frame_, kPortionBytes, [self = shared_from_this()](error_code error, std::size_t) {
          if (error) return self->lose();
          if (!self->held_.resize(self->frame_.size()))
            return self->fail(make_error(absl::StatusCode::kResourceExhausted, "HELD_MAX", "",
                                         "unfinished messages by HTTP hold too many bytes"));
          self->socket_.is_message_done() ? self->take_message() : self->read_portion();
        });
  }

  void take_message() {
    const bool is_end = socket_.got_text() && frame_.size() == 0;
    std::string text = beast::buffers_to_string(frame_.data());
    drop_frame();
    // Messages after the client's last one are dropped. They are read only so that pings and the
    // end of the connection are noticed.
    if (is_call_over_ || has_sent_all_) return read_next();
    if (is_end && !method_.client_streaming()) {
      fail(invalid_field("REQUEST_MISSING", "",
                         "the client's side ended before the request, which is one message"));
      return read_next();
    }
    if (is_end) {
      has_sent_all_ = true;
      StartWritesDone();
      return read_next();
    }
    const std::size_t size = text_bytes(wishes_.encoding, text.size());
    core_->threads.post(*client_, size, [self = shared_from_this(), text = std::move(text)] {
      const absl::Status wanted = check_wanted(*self->core_, self->is_gone_);
      auto bytes = wanted.ok()
                       ? to_grpc_bytes(*self->method_.input_type(), self->wishes_.encoding, text)
                       : wanted;
      asio::post(self->executor_,
                 [self, bytes = std::move(bytes)]() mutable { self->send(std::move(bytes)); });
    });
  }

  void drop_frame() {
    frame_.clear();
    frame_.shrink_to_fit();
  }

  // The client has gone.
  void lose() {
    is_gone_ = true;
    context_.TryCancel();
  }

  // The gateway itself ends the call.
  void fail(const absl::Status& why) {
    drop_frame();
    held_.resize(0);
    failure_ = to_grpc(why);
    context_.TryCancel();
  }

  void send(absl::StatusOr<grpc::ByteBuffer> bytes) {
    if (is_call_over_) return read_next();
    if (!bytes.ok()) {
      fail(bytes.status());
      return read_next();
    }
    outgoing_ = *std::move(bytes);
    // A method without a stream of requests takes one message.
    has_sent_all_ = !method_.client_streaming();
    StartWrite(&outgoing_,
               has_sent_all_ ? grpc::WriteOptions().set_last_message() : grpc::WriteOptions());
  }

  void OnWriteDone(bool) override {
    asio::post(executor_, [self = shared_from_this()] { self->read_next(); });
  }

  // From the call to the client.

  void OnReadDone(bool ok) override {
    if (!ok)
      return asio::post(executor_, [self = shared_from_this()] {
        self->is_call_over_ = true;
        self->RemoveHold();
      });
    const std::size_t size = text_bytes(wishes_.encoding, incoming_.Length());
    core_->threads.post(*client_, size, [self = shared_from_this()] {
      const absl::Status wanted = check_wanted(*self->core_, self->is_gone_);
      auto text = wanted.ok() ? from_grpc_bytes(*self->method_.output_type(),
                                                self->wishes_.encoding, self->incoming_)
                              : wanted;
      self->incoming_.Clear();
      asio::post(self->executor_,
                 [self, text = std::move(text)]() mutable { self->write(std::move(text)); });
    });
  }

  void write(absl::StatusOr<std::string> text) {
    if (const absl::Status wanted = check_wanted(*core_, is_gone_); !wanted.ok()) text = wanted;
    if (!text.ok()) {
      fail(text.status());
      return StartRead(&incoming_);
    }
    socket_.text(wishes_.encoding == Encoding::kJson);
    write_frame(*std::move(text),
                [self = shared_from_this()] { self->StartRead(&self->incoming_); });
  }

  // Sends one frame. Goes on once the client has taken it, or has gone.
  template <class GoOn>
  void write_frame(std::string text, GoOn go_on) {
    text_ = std::move(text);
    is_writing_ = true;
    core_->unsent.begin(this, text_.size(), [executor = executor_, weak = weak_from_this()] {
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->give_up_writing();
      });
    });
    socket_.async_write(asio::buffer(text_), [self = shared_from_this(), go_on = std::move(go_on)](
                                                 error_code error, std::size_t) {
      self->core_->unsent.end(self.get());
      self->is_writing_ = false;
      self->text_ = {};
      if (error) self->lose();
      go_on();
    });
  }

  void give_up_writing() {
    if (is_writing_) beast::get_lowest_layer(socket_).close();
  }

  // The end.

  // Gives the client a moment to take the message that is being written, so that a client that
  // takes none does not hold up the end.
  void stop_writing() {
    last_chance_.expires_after(kLastChance);
    last_chance_.async_wait([weak = weak_from_this()](error_code error) {
      const auto self = weak.lock();
      if (!error && self) self->give_up_writing();
    });
  }

  void OnDone(const grpc::Status& status) override {
    asio::post(executor_, [self = std::move(self_), status] {
      self->end(self->failure_.value_or(for_client(
          *self->core_, with_cause(status, *self->method_.input_type(), self->outgoing_))));
    });
  }

  void end(const grpc::Status& status) {
    if (is_gone_ || status.ok()) return close(websocket::close_code::normal);
    // OpenCalls may have ended this call before the frame begins.
    if (core_->phase == GatewayCore::Phase::kEnding) stop_writing();
    socket_.text(true);
    write_frame("{\"error\":" + connect_error(status) + "}",
                [self = shared_from_this(), code = kErrorCloseCode + status.error_code()] {
                  self->close(static_cast<std::uint16_t>(code));
                });
  }

  // Says why the WebSocket ends, if the client is still there. The call is over then: what the
  // client answers is waited for, but not by the call.
  void close(std::uint16_t code) {
    if (!is_gone_) {
      socket_.async_close(websocket::close_reason(code),
                          [self = shared_from_this()](error_code) {});
      give_place_back();
    }
    if (has_entered_) core_->calls.leave(context_);
  }

  // Counts among the WebSockets that are over from now on, if there are not too many of them.
  void give_place_back() {
    if (counts_ == &core_->ending || !core_->ending.enter(peer_.address).ok()) return;
    counts_->leave(peer_.address);
    counts_ = &core_->ending;
  }

  const std::shared_ptr<GatewayCore> core_;
  const MethodDescriptor& method_;
  const absl::StatusOr<std::string> client_;  // as admit() names it; an error: may not call
  SocketCounts* counts_;                      // where this WebSocket counts
  const Wishes wishes_;
  const HttpPeer peer_;
  RequestBytes held_;  // the message that is being read or sent on
  websocket::stream<Door::Stream> socket_;
  const asio::any_io_executor executor_;
  asio::steady_timer last_chance_{executor_};
  Door::Request request_;
  grpc::ClientContext context_;
  beast::flat_buffer frame_;
  grpc::ByteBuffer outgoing_;
  grpc::ByteBuffer incoming_;
  std::string text_;          // being written
  bool has_entered_ = false;  // counts among the open calls
  bool has_sent_all_ = false;
  bool is_call_over_ = false;            // the last message has been read
  bool is_writing_ = false;              // the client takes text_
  std::atomic<bool> is_gone_{false};     // the client; read by the threads, too
  std::optional<grpc::Status> failure_;  // why the gateway itself ended the call
  std::shared_ptr<SocketCall> self_;     // while gRPC may call back
};

absl::StatusOr<const MethodDescriptor*> method_of(const Door::Request& request) {
  const auto target = request.target();
  const std::string_view path(target.data(), target.size());
  const MethodDescriptor* method = find_api_method(path.substr(0, path.find('?')));
  if (method == nullptr)
    return make_error(absl::StatusCode::kUnimplemented, "METHOD_UNKNOWN", "",
                      "there is no method of this path; /docs of the admin port lists them");
  return method;
}

}  // namespace

void call_by_socket(const std::shared_ptr<GatewayCore>& core, Door::Stream stream, HttpPeer peer,
                    Door::Request request, RequestBytes held) {
  const auto method = method_of(request);
  if (!method.ok()) return refuse_upgrade(std::move(stream), error_response(method.status()));
  auto wishes = wishes_of(request);
  if (!wishes.ok()) return refuse_upgrade(std::move(stream), error_response(wishes.status()));
  auto client = [&] {
    const std::shared_lock making(core->making);
    return admit(*core, **method, wishes->authorization, peer);
  }();
  // Browsers see no answer but that of a WebSocket. So one who may not call gets one, as long as
  // there are not too many of these. It takes no place of those who may.
  SocketCounts& counts = client.ok() ? core->sockets : core->ending;
  if (const absl::Status full = counts.enter(peer.address); !full.ok())
    return refuse_upgrade(std::move(stream), error_response(client.ok() ? full : client.status()));
  std::make_shared<SocketCall>(core, **method, std::move(client), counts, *std::move(wishes),
                               std::move(stream), std::move(peer), std::move(held))
      ->accept(std::move(request));
}

}  // namespace repath

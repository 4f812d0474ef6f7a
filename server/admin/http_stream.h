// A connection of an HTTP port: TCP, or TLS over TCP. It reads and writes as streams of Boost.Asio
// do, and has the timeouts of Boost.Beast.
//
// Thread rule: every function, and every handler, on the port's one thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace repath {

class HttpStream {
 public:
  using Tcp = boost::beast::tcp_stream;
  using Tls = boost::asio::ssl::stream<Tcp>;
  using executor_type = Tcp::executor_type;

  // A connection with TLS if there is a context. Its handshake is still to be made.
  HttpStream(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls) {
    if (tls == nullptr)
      plain_.emplace(std::move(socket));
    else
      tls_ = std::make_unique<Tls>(std::move(socket), *tls);
  }

  executor_type get_executor() { return tcp().get_executor(); }
  Tcp& tcp() { return tls_ ? tls_->next_layer() : *plain_; }
  // Returns the state of TLS, borrowed; null for a connection without.
  SSL* tls() { return tls_ ? tls_->native_handle() : nullptr; }

  // An operation that is under way then ends with an error, and the connection is closed.
  void expires_after(std::chrono::steady_clock::duration most) { tcp().expires_after(most); }
  void expires_never() { tcp().expires_never(); }
  void close() { tcp().close(); }

  // Calls `handler` with an error_code once TLS is set up; at once, from the executor, without TLS.
  template <class Handler>
  void async_handshake(Handler&& handler) {
    if (tls_) {
      tls_->async_handshake(Tls::server, std::forward<Handler>(handler));
    } else {
      boost::asio::post(get_executor(),
                        boost::beast::bind_front_handler(std::forward<Handler>(handler),
                                                         boost::beast::error_code()));
    }
  }
  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_)
      tls_->async_read_some(buffers, std::forward<Handler>(handler));
    else
      plain_->async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_)
      tls_->async_write_some(buffers, std::forward<Handler>(handler));
    else
      plain_->async_write_some(buffers, std::forward<Handler>(handler));
  }

  // Found by Boost.Beast: the end of a WebSocket, and of one that is too slow.
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, HttpStream& stream, Handler&& handler) {
    using boost::beast::async_teardown;
    if (stream.tls_)
      async_teardown(role, *stream.tls_, std::forward<Handler>(handler));
    else
      async_teardown(role, *stream.plain_, std::forward<Handler>(handler));
  }
  friend void beast_close_socket(HttpStream& stream) { stream.close(); }

 private:
  // One of the two.
  std::optional<Tcp> plain_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace repath

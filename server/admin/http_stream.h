// A connection of an HTTP port: TCP, or TLS over TCP. It reads and writes as streams of Boost.Asio
// do, and has the timeouts of Boost.Beast.
//
// Thread rule: every function, and every handler, on the port's one thread.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace repath {

class HttpStream {
 public:
  using Tcp = boost::beast::tcp_stream;
  using Tls = boost::asio::ssl::stream<Tcp>;
  using Error = boost::beast::error_code;
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

  // Calls `done` once TLS is set up; at once, from the executor, without TLS.
  void async_handshake(std::function<void(Error)> done);
  // As the streams of Boost.Asio do.
  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    read_some(list<boost::asio::mutable_buffer>(buffers), erase<Error, std::size_t>(handler));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    write_some(list<boost::asio::const_buffer>(buffers), erase<Error, std::size_t>(handler));
  }

  // Found by Boost.Beast: the end of a WebSocket, and of one that is too slow.
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, HttpStream& stream, Handler&& handler) {
    stream.tear_down(role, erase<Error>(handler));
  }
  friend void beast_close_socket(HttpStream& stream) { stream.close(); }

 private:
  template <class Buffer>
  using List = std::vector<Buffer>;

  // The operations of the two kinds of stream are made for one type of buffers and one of handlers:
  // they are long to compile. A handler runs on the port's one thread whatever executor it asks
  // for.
  void read_some(const List<boost::asio::mutable_buffer>& buffers,
                 std::function<void(Error, std::size_t)> done);
  void write_some(const List<boost::asio::const_buffer>& buffers,
                  std::function<void(Error, std::size_t)> done);
  void tear_down(boost::beast::role_type role, std::function<void(Error)> done);

  template <class Buffer, class Buffers>
  static List<Buffer> list(const Buffers& buffers) {
    return {boost::asio::buffer_sequence_begin(buffers), boost::asio::buffer_sequence_end(buffers)};
  }
  // Handlers of Boost.Beast can only be moved.
  template <class... Arguments, class Handler>
  static std::function<void(Arguments...)> erase(Handler& handler) {
    return [held = std::make_shared<Handler>(std::move(handler))](Arguments... arguments) {
      (*held)(arguments...);
    };
  }

  // One of the two.
  std::optional<Tcp> plain_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace repath

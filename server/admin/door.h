// The interface by which an HTTP port passes on requests that are not for its own pages.
//
// Thread rule: the port's thread calls serve() and upgrade().
#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>

namespace repath {

class Door {
 public:
  // Its executor runs on the port's one thread, so it is a strand.
  using Stream = boost::beast::tcp_stream;
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Done = std::function<void(Response)>;

  virtual ~Door() = default;
  // Answers a request by calling `done` once, from any thread, now or later. Must not wait. `peer`
  // is the client's address and port, "ipv4:10.0.0.1:4711" or "ipv6:%5B::1%5D:4711".
  virtual void serve(Request request, std::string peer, Done done) = 0;
  // Takes a connection whose request asks for a WebSocket.
  virtual void upgrade(Stream stream, std::string peer, Request request) = 0;
};

}  // namespace repath

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
  // Answers a request by calling `done` once, from any thread, now or later. Must not wait.
  virtual void serve(Request request, Done done) = 0;
  // Takes a connection whose request asks for a WebSocket.
  virtual void upgrade(Stream stream, Request request) = 0;
};

}  // namespace repath

// The interface by which an HTTP port passes on requests that are not for its own pages.
//
// Thread rule: the port's thread calls serve() and upgrade().
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <string>
#include <vector>

#include "admin/http_stream.h"

namespace repath {

// The client at the other end of a connection.
struct HttpPeer {
  std::string address;  // with its port: "ipv4:10.0.0.1:4711" or "ipv6:%5B::1%5D:4711"
  // The names of its certificate, see names_of_peer(); empty without one.
  std::vector<std::string> names = {};
};

class Door {
 public:
  // Its executor runs on the port's one thread, so it is a strand.
  using Stream = HttpStream;
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Done = std::function<void(Response)>;

  virtual ~Door() = default;
  // Answers a request by calling `done` once, from any thread, now or later. Must not wait.
  virtual void serve(Request request, HttpPeer peer, Done done) = 0;
  // Takes a connection whose request asks for a WebSocket.
  virtual void upgrade(Stream stream, HttpPeer peer, Request request) = 0;
};

}  // namespace repath

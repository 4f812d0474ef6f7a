// The interface by which an HTTP port passes on requests that are not for its own pages.
//
// Thread rule: the port's thread calls every function.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "admin/http_stream.h"
#include "admin/request_headers.h"
#include "admin/shares.h"

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
  using Request = HttpRequest;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Done = std::function<void(Response)>;
  using Cancel = std::function<void()>;

  virtual ~Door() = default;
  // Answers a request by calling `done` once, from any thread, now or later. Must not wait. Returns
  // a function for the port to call if the client goes before the answer comes; null if the answer
  // takes no work. It must not keep `done`. The answer must come nevertheless, but may be short.
  virtual Cancel serve(Request request, HttpPeer peer, Done done) = 0;
  // Takes a connection whose request asks for a WebSocket. The bytes of the client's unfinished
  // messages must count in `held`.
  virtual void upgrade(Stream stream, HttpPeer peer, Request request, RequestBytes held) = 0;
  // Returns the answer to a request that the port itself refuses for this reason.
  virtual Response refusal(const absl::Status& why) const = 0;
};

}  // namespace repath

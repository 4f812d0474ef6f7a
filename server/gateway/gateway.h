// The API by HTTP and WebSocket, for callers without gRPC: browsers, curl, game engines' scripts.
//
// A unary method is a POST to its path, by the Connect protocol. A stream is a WebSocket at its
// path, one message a frame. Each request becomes a gRPC call inside the process, so access, limits
// and errors are those of gRPC, and a new method is there by itself.
//
// Thread rule: serve() and upgrade() on the port's thread, the others on the main thread. JSON is
// read and written on threads of the gateway's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "admin/door.h"
#include "gateway/pages.h"
#include "rpc/server.h"

namespace repath {

struct GatewayCore;

class Gateway {
 public:
  struct Bounds {
    // For a unary call whose client sets no shorter Connect-Timeout-Ms.
    std::chrono::milliseconds timeout{60'000};
    std::uint64_t sockets_max = 256;  // WebSockets open at once
    int threads = 2;                  // for JSON; at least 2, see TextThreads
  };

  // `pages` are served by console() beside the API.
  Gateway(const Bounds& bounds, Pages pages);
  // REQUIRES: close() was called if open() was.
  ~Gateway();

  // Return the doors for ports: one to the API alone, one to the API and the pages.
  Door& api();
  Door& console();

  // Calls go to this server from now on; before, they are refused with UNAVAILABLE. Borrows the
  // server until close().
  void open(const RpcServer& server);
  // Takes no more calls; those under way go on. To be called before the server shuts down.
  void stop_calls();
  // Takes no more calls, and lets those under way go on until that time. Then it ends them:
  // an answer that waits to be written as JSON is UNAVAILABLE. Returns when all are over. The
  // ports must still run.
  void close(std::chrono::steady_clock::time_point time = {});

 private:
  class ApiDoor;
  class ConsoleDoor;
  std::shared_ptr<GatewayCore> core_;
  std::unique_ptr<ApiDoor> api_;
  std::unique_ptr<ConsoleDoor> console_;
};

}  // namespace repath

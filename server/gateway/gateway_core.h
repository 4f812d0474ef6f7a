// The state that all calls of a gateway share. Only the gateway's own files use it.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "admin/door.h"
#include "gateway/gateway.h"
#include "gateway/message_text.h"
#include "gateway/open_calls.h"
#include "gateway/socket_counts.h"

namespace repath {

struct GatewayCore {
  explicit GatewayCore(const Gateway::Bounds& given)
      : bounds(given), sockets(given.sockets_max), pool(static_cast<std::size_t>(given.threads)) {}

  const Gateway::Bounds bounds;
  // The next two are written once, before is_open.
  const RpcServer* server = nullptr;
  std::unique_ptr<grpc::GenericStub> stub;
  std::atomic<bool> is_open{false};
  // Held while a call is made or given to the pool, and alone while is_open becomes false. gRPC
  // 1.51 ends the process over a call that is made while its server shuts down. Work that is given
  // to the pool after its end never runs, and keeps this object, which has the pool.
  std::shared_mutex making;
  SocketCounts sockets;
  OpenCalls calls;
  boost::asio::thread_pool pool;  // reads and writes JSON
};

// Returns a header's value; empty if there is none.
std::string_view header_of(const Door::Request& request, boost::beast::http::field name);
std::string_view header_of(const Door::Request& request, std::string_view name);

// Passes on what the server needs to know: the token and the trace. INVALID_ARGUMENT, reason
// HEADER_INVALID, for a value that gRPC cannot carry.
absl::Status copy_headers(const Door::Request& request, std::string_view authorization,
                          grpc::ClientContext& context);

// UNAVAILABLE: the server does not serve yet, or no longer.
absl::Status not_serving();

// Makes the call known, so that it can be ended, and names its client. Returns not_serving() if it
// is so.
absl::Status enter(GatewayCore& core, const HttpPeer& peer, grpc::ClientContext& context);

// Returns an answer with a body and the headers that each answer has.
Door::Response make_response(unsigned status, std::string_view type, std::string body);
Door::Response error_response(const grpc::Status& status);
Door::Response error_response(const absl::Status& status);

// Makes a unary call of the request and answers it. Runs on the pool.
void call_unary(const std::shared_ptr<GatewayCore>& core, Door::Request request,
                const HttpPeer& peer, Door::Done done);

// Makes the connection a WebSocket and its frames the messages of a stream. Runs on the port's
// thread.
void call_by_socket(const std::shared_ptr<GatewayCore>& core, Door::Stream stream, HttpPeer peer,
                    Door::Request request);

}  // namespace repath

// The state that all calls of a gateway share. Only the gateway's own files use it.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "admin/door.h"
#include "gateway/gateway.h"
#include "gateway/message_text.h"
#include "gateway/open_calls.h"
#include "gateway/socket_counts.h"
#include "gateway/text_threads.h"
#include "gateway/unsent_texts.h"

namespace repath {

struct GatewayCore {
  explicit GatewayCore(const Gateway::Bounds& given)
      : bounds(given),
        sockets(given.sockets_max),
        ending(given.sockets_max),
        threads(given.threads) {}

  const Gateway::Bounds bounds;
  // The phases follow each other in this order. Each says what the gateway takes.
  enum class Phase {
    kStarting,  // no calls yet
    kOpen,
    kDraining,  // no new calls
    kEnding,    // nothing that waits is read or written as JSON any more
  };

  // The next two are written once, before kOpen.
  const RpcServer* server = nullptr;
  std::unique_ptr<grpc::GenericStub> stub;
  std::atomic<Phase> phase{Phase::kStarting};
  // Locked shared while a call is made or given to the threads, and exclusively while the phase
  // becomes kDraining. Otherwise two faults could follow. gRPC 1.51 ends the process if a call is
  // made while its server shuts down. And work that is given to the threads after their end never
  // runs, and keeps this object, which owns the threads, alive.
  std::shared_mutex making;
  SocketCounts sockets;  // WebSockets whose call may begin or is under way
  SocketCounts ending;   // those that are over, or refused, and are about to be closed
  UnsentTexts unsent;
  OpenCalls calls;
  TextThreads threads;
};

// Passes on what the server needs to know: the token and the trace. INVALID_ARGUMENT, reason
// HEADER_INVALID, for a value that gRPC cannot carry.
absl::Status copy_headers(const Door::Request& request,
                          std::optional<std::string_view> authorization,
                          grpc::ClientContext& context);

// UNAVAILABLE: the server does not serve yet (NOT_STARTED), or no longer (DRAINING).
absl::Status not_serving(const GatewayCore& core);

// DEADLINE_EXCEEDED, reason DEADLINE, as the server says it.
absl::Status deadline_passed();

// Decides about a call before its request is read, and counts it, as RpcServer::admit(). Returns
// the client, whose turns its texts take; or not_serving(). REQUIRES: core.making is locked.
absl::StatusOr<std::string> admit(const GatewayCore& core,
                                  const google::protobuf::MethodDescriptor& method,
                                  std::optional<std::string_view> authorization,
                                  const HttpPeer& peer);

// Makes the call known, so that it can be ended, and names its client. Returns not_serving() if it
// is so.
absl::Status enter(GatewayCore& core, const HttpPeer& peer, grpc::ClientContext& context,
                   OpenCalls::End end = nullptr);

// Returns why a message need not be read or written any more: the client has gone (CANCELLED), or
// the gateway ends (UNAVAILABLE). OK: it is wanted.
absl::Status check_wanted(const GatewayCore& core, bool is_client_gone);

// Returns the status for the client of a call that gRPC has ended with `status`. A call that the
// gateway's end has cancelled is not_serving(). Where gRPC gives no details, they name the code as
// the reason.
grpc::Status for_client(const GatewayCore& core, const grpc::Status& status);

// Returns an answer with a body and the headers that each answer has. The port leaves the body out
// where the request is HEAD.
Door::Response make_response(unsigned status, std::string_view type, std::string body);
Door::Response error_response(const grpc::Status& status);
Door::Response error_response(const absl::Status& status);
// The same with another HTTP status than that of the code.
Door::Response error_response(boost::beast::http::status http_status, const absl::Status& status);

// Makes a unary call of the request and answers it. Returns how to cancel it, as Door::serve().
Door::Cancel call_unary(const std::shared_ptr<GatewayCore>& core, Door::Request request,
                        HttpPeer peer, Door::Done done);

// Makes the connection a WebSocket and its frames the messages of a stream. Runs on the port's
// thread.
void call_by_socket(const std::shared_ptr<GatewayCore>& core, Door::Stream stream, HttpPeer peer,
                    Door::Request request, RequestBytes held);

}  // namespace repath

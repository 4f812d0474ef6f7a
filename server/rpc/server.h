// The gRPC server: all services on all addresses, with health for each service and reflection.
//
// Thread rule: owned by main's thread; gRPC's own threads call the services.
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpcpp/channel.h>
#include <grpcpp/server.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/passed_peer.h"
#include "rpc/protection.h"
#include "rpc/unix_socket.h"
#include "runtime/registry.h"

namespace repath {

// The services of the API.
inline constexpr std::array kServiceNames{"repath.v1.WorldService", "repath.v1.PathService",
                                          "repath.v1.AgentService", "repath.v1.DebugService",
                                          "repath.v1.AdminService"};

// Maximum size of a message; larger ones are rejected with RESOURCE_EXHAUSTED.
inline constexpr int kMessageBytesMax = 4 << 20;

class RpcServer {
 public:
  // Starts to serve. Borrows the registry. Returns UNAVAILABLE, naming the address, if the server
  // cannot listen there; for a unix socket also if another process listens there. The socket's file
  // is removed when the server ends.
  static absl::StatusOr<std::unique_ptr<RpcServer>> start(const std::vector<std::string>& listen,
                                                          Registry& registry,
                                                          const Protection& protection = {});
  ~RpcServer();

  // Returns the addresses asked for, with the port that was chosen where 0 was asked for.
  const std::vector<std::string>& addresses() const { return addresses_; }

  // Returns a channel to the same services within the process. Its calls are judged and counted as
  // those from outside are.
  std::shared_ptr<grpc::Channel> channel() const;
  // Returns what makes the header by which calls of that channel name the HTTP client they are for.
  const PassedPeer& http_peer() const;

  // Decides about a call by HTTP before its request is read, and counts it among its client's calls
  // in a second. `peer` is its address, as PassedPeer names it. Returns the name of the client:
  // that of its token or certificate, or else its address. The guard of the call that follows
  // decides again, but does not count it again. Errors as CallAccess::decide(), and
  // RESOURCE_EXHAUSTED, reason CALL_RATE; a refused call counts in the metrics.
  absl::StatusOr<std::string> admit(const google::protobuf::MethodDescriptor& method,
                                    const Credentials& caller, const std::string& peer) const;

  // Returns whether the server answers on its own address, as it checks every few seconds.
  bool answers() const;
  // Returns the figures of connections and calls for /metrics.
  std::string metrics_text() const;
  // Makes health report NOT_SERVING from now on.
  void set_not_serving();
  // Takes no new connections and calls from outside, lets calls in progress finish for
  // `timeout_ms`, then cancels them; returns when all are over. The calls of channel() go on.
  void shut_down(std::uint64_t timeout_ms);
  // Cancels the calls of channel() that are left, and returns when they are over. To be called
  // after shut_down(), when no more calls are made there.
  void close_channel();

 private:
  struct Services;
  struct Listening;
  RpcServer(std::unique_ptr<Services> services, std::unique_ptr<Listening> listening,
            std::unique_ptr<grpc::Server> server, std::unique_ptr<grpc::Server> within,
            std::vector<std::string> addresses);

  std::unique_ptr<Services> services_;
  std::unique_ptr<Listening> listening_;
  std::unique_ptr<grpc::Server> server_;
  // What channel() reaches. It is a server of its own because gRPC 1.51 cuts a channel within the
  // process as soon as its server begins to shut down.
  std::unique_ptr<grpc::Server> within_;
  std::vector<std::string> addresses_;
};

}  // namespace repath

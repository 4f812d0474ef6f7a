// The gRPC server: all services on all addresses, with health for each service and reflection.
//
// Thread rule: owned by main's thread; the services are called on gRPC's own.
#pragma once

#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/unix_socket.h"
#include "runtime/registry.h"

namespace repath {

// What a message may have at most; larger ones are refused with RESOURCE_EXHAUSTED.
inline constexpr int kMessageBytesMax = 4 << 20;

class RpcServer {
 public:
  // Serves at once. Borrows the registry. UNAVAILABLE, naming the address, if one cannot be
  // listened on: a unix socket also if another process listens there. The socket's file is removed
  // when the server ends.
  static absl::StatusOr<std::unique_ptr<RpcServer>> start(const std::vector<std::string>& listen,
                                                          Registry& registry);
  ~RpcServer();

  // As asked for, with the port chosen where 0 was asked for.
  const std::vector<std::string>& addresses() const { return addresses_; }

  // Health says NOT_SERVING from now on.
  void set_not_serving();
  // Takes no new calls, lets those under way finish for so long, then cancels them; returns when
  // all are over.
  void shut_down(std::uint64_t timeout_ms);

 private:
  struct Services;
  RpcServer(std::unique_ptr<Services> services, std::vector<UnixSocket> sockets,
            std::unique_ptr<grpc::Server> server, std::vector<std::string> addresses);

  std::unique_ptr<Services> services_;
  std::vector<UnixSocket> sockets_;
  std::unique_ptr<grpc::Server> server_;
  std::vector<std::string> addresses_;
};

}  // namespace repath

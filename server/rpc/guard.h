// Decides about each call before its handler runs: the only way from gRPC to the services.
//
// A GuardedService stands before a service and has the same methods. It looks up the method's rule,
// finds out who calls, counts the call, and runs the service's handler or refuses the call. A call
// is refused for lack of a permission, of room among the calls under way, or of memory. The request
// of a refused call is not read. While the handler runs, CallAccess::current() is the call's
// permission, so the handler can check the world and a stream can keep the permission.
//
// Thread rule: made before the server starts; gRPC's threads call it. Must outlive the server.
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpcpp/impl/service_type.h>

#include <deque>
#include <memory>
#include <string>

#include "access/access.h"
#include "limits/pressure.h"
#include "rpc/call_ledger.h"
#include "rpc/passed_peer.h"
#include "rpc/services.h"
#include "runtime/metrics.h"

namespace repath {

// The parts that decide about a call. All is borrowed.
struct Judges {
  Access& access;
  CallLedger& calls;
  const PassedPeer& http_peer;
  Pressure& pressure;
  Metrics& metrics;
};

class GuardedService final : public grpc::Service {
 public:
  // `service` has the methods of `descriptor`, all of them with the callback API. Borrows all.
  GuardedService(const google::protobuf::ServiceDescriptor& descriptor, grpc::Service& service,
                 const Judges& judges);

 private:
  std::deque<std::string> names_;  // "/repath.v1.WorldService/GetWorld"; gRPC keeps pointers
};

}  // namespace repath

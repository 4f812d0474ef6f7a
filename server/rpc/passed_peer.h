// The address of a client that calls by HTTP. Its call reaches gRPC from within the process, so the
// gateway passes the address on in a header.
//
// Thread rule: any thread.
#pragma once

#include <grpcpp/server_context.h>

#include <string>
#include <string_view>

namespace repath {

class PassedPeer {
 public:
  static constexpr const char* kHeader = "repath-http-peer";

  PassedPeer();

  // Returns the header's value for a peer, which is named as gRPC names it: "ipv4:10.0.0.1:4711".
  // The value has a secret of this object, so that no other client can claim an address. Keep it
  // within the process.
  std::string value_for(std::string_view peer) const;
  // Returns the peer that the call's header names; empty if there is no header, or another secret.
  std::string of(const grpc::ServerContextBase& context) const;

 private:
  std::string secret_;
};

}  // namespace repath

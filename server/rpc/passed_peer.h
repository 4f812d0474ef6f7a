// The client that calls by HTTP. Its call reaches gRPC from within the process, so the gateway
// passes on in a header who it is. The gateway has counted such a call (RpcServer::admit()).
//
// Thread rule: any thread.
#pragma once

#include <grpcpp/server_context.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repath {

class PassedPeer {
 public:
  static constexpr const char* kHeader = "repath-http-peer";
  // The names together may have so many bytes, because gRPC limits headers. Those beyond are left
  // out.
  static constexpr std::size_t kNameBytesMax = 4096;

  struct Peer {
    std::string address;  // as gRPC names it: "ipv4:10.0.0.1:4711"
    // The names of its certificate, see names_of_peer(). They have no spaces.
    std::vector<std::string> names;
  };

  PassedPeer();

  // Returns the header's value for a peer. It has a secret of this object, so that no other client
  // can claim an address or a name. Keep it within the process.
  std::string value_for(std::string_view address, const std::vector<std::string>& names = {}) const;
  // Returns the peer that the call's header names; nothing if there is no header, or another
  // secret.
  std::optional<Peer> of(const grpc::ServerContextBase& context) const;

 private:
  std::string secret_;
};

}  // namespace repath

// gRPC's credentials for a listener with TLS whose certificate may change while it serves.
//
// Thread rule: gRPC asks for the certificate at each handshake, on any of its threads.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "access/certificate.h"

namespace repath {

// Returns credentials for one address, which use the keeper's current certificate for each new
// connection; open connections go on with theirs. Clients must show a certificate if the keeper has
// authorities for them. Borrows the keeper, which must outlive the server.
std::shared_ptr<grpc::ServerCredentials> tls_credentials(const CertificateKeeper& keeper);

}  // namespace repath

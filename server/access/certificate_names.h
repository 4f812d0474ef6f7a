// The names of a client's certificate, as lines of the token file have them.
//
// Thread rule: pure functions.
#pragma once

#include <openssl/types.h>

#include <string>
#include <vector>

namespace repath {

// Returns the subject alternative names of a certificate: "uri:..." for those of type URI, then
// "dns:..." for those of type DNS. A client of gRPC has its names in the same order. The first that
// has a line in the token file counts. A name with a character that is not visible ASCII is left
// out.
std::vector<std::string> names_of_certificate(const X509* certificate);

// Returns the names of the certificate that the peer has shown; none if it has shown none.
// REQUIRES: the connection lets in only peers whose certificate it has verified.
std::vector<std::string> names_of_peer(const SSL* connection);

}  // namespace repath

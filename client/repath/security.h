// How a client shows who it is, and checks which server it reached.
//
// Thread rule: plain values.
#pragma once

#include <string>

namespace repath::client {

// The strings are content, not paths of files. A connection without any of the TLS fields is not
// encrypted: anyone on the way can read a token.
struct Security {
  std::string token;   // ID.SECRET, sent with each call; empty: none.
  std::string tls_ca;  // PEM of the authorities that the server's certificate must be from.
  std::string tls_certificate;  // PEM of the client's own certificate, if the server asks for one.
  std::string tls_key;          // PEM of its key.

  [[nodiscard]] bool has_tls() const { return !tls_ca.empty() || !tls_certificate.empty(); }
};

}  // namespace repath::client

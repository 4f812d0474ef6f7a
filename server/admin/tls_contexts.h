// TLS of an HTTP port, with the certificate that is in use now.
//
// Thread rule: the port's thread.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "access/certificate.h"

namespace repath {

class TlsContexts {
 public:
  // Borrows the keeper. Null: the port has no TLS.
  explicit TlsContexts(const CertificateKeeper* keeper) : keeper_(keeper) {}

  bool is_on() const { return keeper_ != nullptr; }
  // Returns the context to make a connection of, valid until the next call; null if the certificate
  // cannot be used. The connection may outlive the context. Clients must show a certificate if the
  // keeper has authorities for them. TLS is 1.2 or newer. REQUIRES: is_on().
  boost::asio::ssl::context* current();

 private:
  const CertificateKeeper* keeper_;
  std::shared_ptr<const Certificate> certificate_;  // of `context_`; null before the first call
  std::unique_ptr<boost::asio::ssl::context> context_;
};

}  // namespace repath

#include "rpc/credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <mutex>

namespace repath {
namespace {

// The C++ classes of gRPC 1.51 take a certificate only once, or watch files and drop the good pair
// when a file is bad. The core's interface asks for a new one at each handshake instead.
class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(const CertificateKeeper& keeper) : keeper_(keeper) {
    const auto request = keeper.asks_for_client_certificate()
                             ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(request, &fetch, this));
  }
  ~TlsCredentials() override { grpc_server_credentials_release(credentials_); }
  TlsCredentials(const TlsCredentials&) = delete;
  TlsCredentials& operator=(const TlsCredentials&) = delete;

  // The guard decides about calls, with TLS and without.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  static grpc_ssl_certificate_config_reload_status fetch(
      void* self, grpc_ssl_server_certificate_config** config) {
    return static_cast<TlsCredentials*>(self)->fetch_newer(config);
  }

  grpc_ssl_certificate_config_reload_status fetch_newer(
      grpc_ssl_server_certificate_config** config) {
    const auto newest = keeper_.current();
    const std::lock_guard lock(mutex_);
    if (newest == given_) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair{newest->key.c_str(), newest->chain.c_str()};
    // gRPC wants authorities also if it asks for no client certificate; they verify nothing then.
    const std::string& authorities = newest->client_ca.empty() ? newest->chain : newest->client_ca;
    *config = grpc_ssl_server_certificate_config_create(authorities.c_str(), &pair, 1);
    given_ = newest;
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const CertificateKeeper& keeper_;
  grpc_server_credentials* credentials_ = nullptr;
  std::mutex mutex_;  // guards the member below
  std::shared_ptr<const Certificate> given_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> tls_credentials(const CertificateKeeper& keeper) {
  return std::make_shared<TlsCredentials>(keeper);
}

}  // namespace repath

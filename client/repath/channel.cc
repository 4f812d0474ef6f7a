#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/client_interceptor.h>

#include <utility>
#include <vector>

#include "repath/internal/channel.h"

namespace repath::client {
namespace {

namespace experimental = grpc::experimental;

// Adds the token to the metadata of one call. gRPC's call credentials would refuse to do so on a
// unix socket.
class TokenAdder final : public experimental::Interceptor {
 public:
  explicit TokenAdder(const std::string& header) : header_(header) {}
  void Intercept(experimental::InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(
            experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA))
      batch->GetSendInitialMetadata()->insert({"authorization", header_});
    batch->Proceed();
  }

 private:
  const std::string& header_;
};

class TokenAdders final : public experimental::ClientInterceptorFactoryInterface {
 public:
  // gRPC ends the process over a header with other characters; no token has any.
  explicit TokenAdders(std::string token) {
    std::erase_if(token, [](char c) { return c <= ' ' || c > '~'; });
    header_ = "Bearer " + token;
  }
  experimental::Interceptor* CreateClientInterceptor(experimental::ClientRpcInfo*) override {
    return new TokenAdder(header_);
  }

 private:
  std::string header_;  // lives as long as the channel
};

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const Security& security) {
  if (!security.has_tls()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = security.tls_ca;
  options.pem_cert_chain = security.tls_certificate;
  options.pem_private_key = security.tls_key;
  return grpc::SslCredentials(options);
}

}  // namespace

std::shared_ptr<grpc::Channel> make_channel(const std::string& address, const Security& security,
                                            const grpc::ChannelArguments& arguments) {
  if (security.token.empty())
    return grpc::CreateCustomChannel(address, credentials_of(security), arguments);
  std::vector<std::unique_ptr<experimental::ClientInterceptorFactoryInterface>> adders;
  adders.push_back(std::make_unique<TokenAdders>(security.token));
  return experimental::CreateCustomChannelWithInterceptors(address, credentials_of(security),
                                                           arguments, std::move(adders));
}

}  // namespace repath::client

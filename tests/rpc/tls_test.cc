// TLS on the listeners: certificates that are replaced while the server serves, and clients that
// show one.
#include <chrono>
#include <thread>

#include "rpc/tls_fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

class Tls : public GuardedByTls {
 protected:
  // A channel of a connection of its own that trusts only this certificate.
  std::shared_ptr<grpc::Channel> trusting(const TestCertificate& server,
                                          const TestCertificate* own = nullptr) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = server.pem();
    if (own != nullptr) {
      options.pem_cert_chain = own->pem();
      options.pem_private_key = own->key_pem();
    }
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(server_->addresses().front(), grpc::SslCredentials(options),
                                     arguments);
  }
  static grpc::Status list(const std::shared_ptr<grpc::Channel>& channel,
                           const std::string& authorization = bearer("all")) {
    Context context;
    if (!authorization.empty()) context.AddMetadata("authorization", authorization);
    v1::ListWorldsResponse response;
    return v1::WorldService::NewStub(channel)->ListWorlds(&context, {}, &response);
  }
  bool serves(const TestCertificate& certificate) { return list(trusting(certificate)).ok(); }
};

TEST_F(Tls, OnlyClientsWithTlsAndTheRightAuthorityAreServed) {
  start();
  EXPECT_TRUE(serves(first_));
  EXPECT_FALSE(serves(TestCertificate()));
  EXPECT_EQ(
      list(grpc::CreateChannel(server_->addresses().front(), grpc::InsecureChannelCredentials()))
          .error_code(),
      grpc::StatusCode::UNAVAILABLE);
}

TEST_F(Tls, EveryAddressGetsTheNewCertificate) {
  auto keeper = CertificateKeeper::start({certificate_, key_, ""});
  ASSERT_TRUE(keeper.ok()) << keeper.status();
  keeper_ = *std::move(keeper);
  auto server =
      RpcServer::start({"127.0.0.1:0", "127.0.0.1:0"}, registry_, {nullptr, keeper_.get(), true});
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  const TestCertificate next;
  for (const TestCertificate* certificate : {&first_, &next}) {
    put(*certificate);
    ASSERT_TRUE(keeper_->reload().ok());
    for (const std::string& address : server_->addresses()) {
      grpc::SslCredentialsOptions options;
      options.pem_root_certs = certificate->pem();
      EXPECT_TRUE(list(grpc::CreateChannel(address, grpc::SslCredentials(options)), "").ok());
    }
  }
}

TEST_F(Tls, ReplacedFilesAreUsedOnlyWhenTheyBelongTogetherAndNoConnectionIsLost) {
  start();
  const auto old = trusting(first_);
  ASSERT_TRUE(list(old).ok());
  Context context;
  context.AddMetadata("authorization", bearer("all"));
  const auto session = v1::AgentService::NewStub(old)->Session(&context);

  const TestCertificate next;
  std::ofstream(certificate_) << next.pem().substr(0, 300);  // half-written
  EXPECT_FALSE(keeper_->reload().ok());
  EXPECT_TRUE(serves(first_));
  std::ofstream(certificate_) << next.pem();  // whole, but the key is still the old one
  EXPECT_FALSE(keeper_->reload().ok());
  EXPECT_TRUE(serves(first_));
  put(TestCertificate({.begins_s = -7200, .ends_s = -60}));  // expired
  EXPECT_FALSE(keeper_->reload().ok());
  EXPECT_TRUE(serves(first_));
  std::remove(key_.c_str());
  EXPECT_FALSE(keeper_->reload().ok());
  EXPECT_TRUE(serves(first_));

  const auto begun = std::chrono::steady_clock::now();
  put(next);
  while (!serves(next))
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  EXPECT_FALSE(serves(first_));

  // The connection of before, and its stream, go on.
  EXPECT_TRUE(list(old).ok());
  v1::SessionRequest request;
  request.mutable_open()->set_world("none");
  EXPECT_TRUE(session->Write(request));
  v1::SessionResponse answer;
  EXPECT_FALSE(session->Read(&answer));
  EXPECT_EQ(session->Finish().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(Tls, ClientsShowACertificateOfTheAuthorityIfOneIsAskedFor) {
  start(/*asks_for_certificates=*/true);
  const TestCertificate known({.name = "game", .names = "DNS:game.example"}, &authority_);
  const TestCertificate stranger({.name = "game", .names = "DNS:game.example"});
  EXPECT_TRUE(list(trusting(first_, &known)).ok());
  EXPECT_FALSE(list(trusting(first_)).ok());
  EXPECT_FALSE(list(trusting(first_, &stranger)).ok());
  // A certificate without a line is no token.
  expect_fault(list(trusting(first_, &known), ""), grpc::StatusCode::UNAUTHENTICATED,
               "CERTIFICATE_UNKNOWN", "");
}

TEST_F(Tls, NamesOfACertificateHaveScopesOfTheirOwn) {
  start(/*asks_for_certificates=*/true,
        "certificate uri:spiffe://example.org/match read *\n"
        "certificate dns:writer.example write *\n");
  const auto code = [&](const std::string& names) {
    const TestCertificate own({.name = "game", .names = names}, &authority_);
    return list(trusting(first_, &own), "").error_code();
  };
  EXPECT_EQ(code("URI:spiffe://example.org/match"), grpc::StatusCode::OK);
  EXPECT_EQ(code("DNS:other.example,URI:spiffe://example.org/match"), grpc::StatusCode::OK);
  EXPECT_EQ(code("DNS:writer.example"), grpc::StatusCode::PERMISSION_DENIED);
  // If two names have a line, that of the URI counts.
  EXPECT_EQ(code("DNS:writer.example,URI:spiffe://example.org/match"), grpc::StatusCode::OK);
  EXPECT_EQ(code("URI:spiffe://example.org/other"), grpc::StatusCode::UNAUTHENTICATED);
  // A name of another type is another name.
  EXPECT_EQ(code("DNS:spiffe.example.org"), grpc::StatusCode::UNAUTHENTICATED);
}

}  // namespace
}  // namespace repath

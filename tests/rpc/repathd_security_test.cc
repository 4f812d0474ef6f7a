// The program with tokens and TLS: which addresses it opens, what it reads again, what it logs.
#include <sys/stat.h>

#include <boost/beast/ssl/ssl_stream.hpp>
#include <fstream>
#include <set>

#include "rpc/access_fixture.h"
#include "rpc/http_port.h"
#include "rpc/program.h"
#include "rpc/protection.h"
#include "support/certificates.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the helpers' names

// A file of one test.
struct TempFile {
  explicit TempFile(const std::string& name, const std::string& text = "") : path(temp_path(name)) {
    std::ofstream(path) << text;
  }
  ~TempFile() { std::remove(path.c_str()); }
  const std::string path;
};

TEST(RepathdSecurity, AnAddressInReachOfOthersNeedsTlsOrTheFlag) {
  expect_refused({"--listen", "0.0.0.0:0", "--admin", "127.0.0.1:0"}, 2,
                 "--listen 0.0.0.0:0: other machines reach this address without TLS");
  expect_refused({"--listen", "[::]:0", "--admin", "127.0.0.1:0"}, 2, "--insecure");
  expect_refused({"--listen", "127.0.0.1:0", "--admin", "0.0.0.0:0"}, 2,
                 "--admin 0.0.0.0:0: other machines reach this address");
  Program open({"--listen", "0.0.0.0:0", "--admin", "0.0.0.0:0", "--insecure"});
  EXPECT_TRUE(open.wait_for_log("ready admin=")) << open.log();
  for (const char* exposure : {"everyone who reaches --listen 0.0.0.0:0 may do everything",
                               "--listen 0.0.0.0:0 has no TLS", "--admin 0.0.0.0:0 has no TLS"})
    EXPECT_NE(open.log().find(exposure), std::string::npos) << open.log();
}

TEST(RepathdSecurity, WithoutFlagsItListensOnLoopbackOnly) {
  Config config;
  for (const std::string& address : config.listen) EXPECT_EQ(address, "127.0.0.1:7700");
  EXPECT_EQ(config.admin, "127.0.0.1:7780");
  EXPECT_TRUE(check_protection(config).ok());
  EXPECT_TRUE(exposures(config).empty());
  config.listen = {"0.0.0.0:7700"};
  config.tls_cert = "cert.pem";
  config.tls_key = "key.pem";
  EXPECT_TRUE(check_protection(config).ok());
  EXPECT_EQ(exposures(config).size(), 1u) << "TLS lets everyone in";
  config.tokens = "tokens";
  EXPECT_TRUE(exposures(config).empty());
  config.tokens.clear();
  config.tls_client_ca = "ca.pem";
  EXPECT_TRUE(exposures(config).empty());
}

TEST(RepathdSecurity, AnHttpAddressInReachOfOthersHasTlsUnlessToldOtherwise) {
  Config config;
  config.http = "0.0.0.0:8080";
  EXPECT_FALSE(check_protection(config).ok());
  config.tls_cert = "cert.pem";
  config.tls_key = "key.pem";
  EXPECT_TRUE(check_protection(config).ok());
  EXPECT_TRUE(has_http_tls(config, config.http));
  EXPECT_FALSE(has_http_tls(config, config.admin)) << "loopback";
  EXPECT_EQ(exposures(config).size(), 1u) << "TLS lets everyone in";
  config.tls_client_ca = "ca.pem";
  EXPECT_TRUE(exposures(config).empty());
  config.is_insecure = true;
  EXPECT_FALSE(has_http_tls(config, config.http));
  EXPECT_EQ(exposures(config).size(), 2u) << "it can be read, and lets everyone in";
}

TEST(RepathdSecurity, WithTlsAnOpenAddressNeedsNoFlag) {
  const TestCertificate pair;
  const TempFile certificate("cert.pem", pair.pem());
  const TempFile key("key.pem", pair.key_pem());
  Program open({"--listen", "0.0.0.0:0", "--admin", "127.0.0.1:0", "--tls-cert", certificate.path,
                "--tls-key", key.path});
  EXPECT_TRUE(open.wait_for_log("ready admin=")) << open.log();
}

TEST(RepathdSecurity, WithTlsAnOpenHttpAddressNeedsNoFlagAndHasTls) {
  const TestCertificate pair;
  const TempFile certificate("cert.pem", pair.pem());
  const TempFile key("key.pem", pair.key_pem());
  Program server({"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--http", "0.0.0.0:0",
                  "--tls-cert", certificate.path, "--tls-key", key.path});
  ASSERT_TRUE(server.wait_for_log("ready admin=")) << server.log();
  const std::string log = server.log();
  const std::string word = " http=0.0.0.0:";
  const std::size_t at = log.find(word);
  ASSERT_NE(at, std::string::npos) << log;
  const std::string port = log.substr(at + word.size(), log.find(' ', at + 1) - at - word.size());

  boost::asio::io_context context;
  boost::asio::ssl::context tls(boost::asio::ssl::context::tls_client);
  tls.add_certificate_authority(boost::asio::buffer(pair.pem()));
  boost::beast::ssl_stream<tcp::socket> stream(context, tls);
  stream.set_verify_mode(boost::asio::ssl::verify_peer);
  connect_from("127.0.0.1", port, stream.next_layer());
  stream.handshake(boost::asio::ssl::stream_base::client);
  http::write(stream, http::request<http::string_body>(http::verb::get, "/livez", 11));
  boost::beast::flat_buffer buffer;
  http::response<http::string_body> response;
  http::read(stream, buffer, response);
  EXPECT_EQ(response.body(), "alive\n");
}

TEST(RepathdSecurity, FilesThatCannotBeUsedEndItWithTwo) {
  const TestCertificate pair;
  const TempFile certificate("cert.pem", pair.pem());
  const TempFile other("other.pem", TestCertificate().key_pem());
  const TempFile tokens("tokens", "token a read\n");
  expect_refused({"--tls-cert", certificate.path}, 2, "need each other");
  expect_refused({"--tls-client-ca", certificate.path}, 2, "needs --tls-cert");
  expect_refused({"--tls-cert", certificate.path, "--tls-key", other.path}, 2,
                 "is not the key of the certificate");
  expect_refused({"--tokens", tokens.path}, 2, tokens.path + ":1: expected `token");
  expect_refused({"--tokens", "/nowhere"}, 2, "/nowhere: cannot be read");
}

TEST(RepathdSecurity, OnlyOwnerAndGroupReachAUnixSocket) {
  const std::string path = temp_path("closed.sock");
  Program server({"--listen", "unix:" + path, "--admin", "127.0.0.1:0"});
  ASSERT_TRUE(server.wait_for_log("ready admin="));
  struct stat socket {};
  ASSERT_EQ(stat(path.c_str(), &socket), 0);
  EXPECT_EQ(socket.st_mode & 0777, 0660u);
}

grpc::Status list_worlds(const std::string& address, const std::string& id) {
  const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  Context context;
  context.AddMetadata("authorization", bearer(id));
  v1::ListWorldsResponse response;
  return v1::WorldService::NewStub(channel)->ListWorlds(&context, {}, &response);
}

TEST(RepathdSecurity, HangUpReadsTheTokensAgainAndABadFileKeepsTheLastOne) {
  const TempFile tokens("tokens", token_line("first", "read", "*"));
  const std::string socket = "unix:" + temp_path("tokens.sock");
  Program server({"--listen", socket, "--admin", "127.0.0.1:0", "--tokens", tokens.path});
  ASSERT_TRUE(server.wait_for_log("ready admin="));
  EXPECT_TRUE(list_worlds(socket, "first").ok());
  std::ofstream(tokens.path) << "token hush.hush\n";
  server.signal(SIGHUP);
  ASSERT_TRUE(server.wait_for_log("signal=SIGHUP tokens=kept")) << server.log();
  EXPECT_TRUE(list_worlds(socket, "first").ok());
  std::ofstream(tokens.path) << token_line("second", "read", "*");
  server.signal(SIGHUP);
  ASSERT_TRUE(server.wait_for_log("signal=SIGHUP tokens=taken")) << server.log();
  EXPECT_EQ(list_worlds(socket, "first").error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(list_worlds(socket, "second").ok());
  EXPECT_NE(server.log().find("need a restart"), std::string::npos);
  server.signal(SIGTERM);
  EXPECT_EQ(server.exit_status(), 0);
  EXPECT_EQ(server.log().find("hush"), std::string::npos) << server.log();
  EXPECT_EQ(server.log().find("secret-of"), std::string::npos) << server.log();
}

}  // namespace
}  // namespace repath

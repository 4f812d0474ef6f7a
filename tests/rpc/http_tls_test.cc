// TLS on an HTTP port: the certificate in use, clients that show one, and WebSockets.
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <chrono>
#include <thread>

#include "rpc/http_port.h"
#include "rpc/tls_fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;
using nlohmann::json;

constexpr const char* kListWorlds = "/repath.v1.WorldService/ListWorlds";

// A client's connection that trusts one certificate only, and shows its own if there is one.
class TlsClient {
 public:
  TlsClient(const std::string& address, const TestCertificate& server,
            const TestCertificate* own = nullptr)
      : host_(address), tls_(trusting(server, own)), stream_(context_, tls_) {
    socket().set_verify_mode(ssl::verify_peer);
    connect_from("127.0.0.1", address.substr(address.rfind(':') + 1), socket().next_layer());
    socket().handshake(ssl::stream_base::client, error_);
  }

  bool is_open() const { return !error_; }
  const error_code& error() const { return error_; }

  // Calls a unary method with the token; returns the status of HTTP, 0 if none comes.
  unsigned post(const std::string& path, const std::string& authorization, json* answer = nullptr) {
    http::request<http::string_body> request(http::verb::post, path, 11, "{}");
    request.set(http::field::host, host_);
    request.set(http::field::content_type, "application/json");
    if (!authorization.empty()) request.set(http::field::authorization, authorization);
    request.prepare_payload();
    if (!error_) http::write(socket(), request, error_);
    http::response<http::string_body> response;
    if (!error_) http::read(socket(), buffer_, response, error_);
    if (error_) return 0;
    if (answer != nullptr) *answer = json::parse(response.body());
    return response.result_int();
  }
  unsigned list(const std::string& authorization = bearer("all")) {
    return post(kListWorlds, authorization);
  }

  // Makes the connection a WebSocket, sends a message, and returns what comes until the end.
  std::vector<std::string> ask_stream(const std::string& path, const std::string& request) {
    std::vector<std::string> answers;
    stream_.set_option(websocket::stream_base::decorator([](websocket::request_type& upgrade) {
      upgrade.set(http::field::sec_websocket_protocol, "json, bearer.all.secret-of-all");
    }));
    stream_.handshake(host_, path, error_);
    if (!error_) stream_.write(asio::buffer(request), error_);
    while (!error_) {
      beast::flat_buffer message;
      stream_.read(message, error_);
      if (!error_) answers.push_back(beast::buffers_to_string(message.data()));
    }
    return answers;
  }
  unsigned close_code() const { return stream_.reason().code; }

 private:
  static ssl::context trusting(const TestCertificate& server, const TestCertificate* own) {
    ssl::context tls(ssl::context::tls_client);
    tls.add_certificate_authority(asio::buffer(server.pem()));
    if (own == nullptr) return tls;
    tls.use_certificate_chain(asio::buffer(own->pem()));
    tls.use_private_key(asio::buffer(own->key_pem()), ssl::context::pem);
    return tls;
  }
  beast::ssl_stream<tcp::socket>& socket() { return stream_.next_layer(); }

  const std::string host_;
  asio::io_context context_;
  ssl::context tls_;
  websocket::stream<beast::ssl_stream<tcp::socket>> stream_;
  beast::flat_buffer buffer_;
  error_code error_;
};

class HttpTls : public GuardedByTls {
 protected:
  void TearDown() override {
    if (port_ != nullptr) gateway_->close();
    port_.reset();
    gateway_.reset();
    GuardedByTls::TearDown();
  }
  void open(bool asks_for_certificates = false, const std::string& lines = all_,
            const AdminServer::Bounds& bounds = {}) {
    start(asks_for_certificates, lines);
    gateway_ = std::make_unique<Gateway>(Gateway::Bounds(), Pages::built_in());
    auto port =
        AdminServer::start("127.0.0.1:0", bounds, nullptr, {}, &gateway_->api(), keeper_.get());
    ASSERT_TRUE(port.ok()) << port.status();
    port_ = *std::move(port);
    gateway_->open(*server_);
  }
  std::string address() const { return port_->address(); }

  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<AdminServer> port_;
};

TEST_F(HttpTls, CallsAreAnsweredOverTlsAlone) {
  open();
  TlsClient client(address(), first_);
  EXPECT_EQ(client.list(), 200u);
  EXPECT_EQ(client.list(), 200u) << "the connection is kept";
  EXPECT_EQ(client.list(""), 401u);
  EXPECT_FALSE(TlsClient(address(), TestCertificate()).is_open());

  asio::io_context context;
  tcp::socket plain(context);
  connect_from("127.0.0.1", address().substr(address().rfind(':') + 1), plain);
  asio::write(plain, asio::buffer(std::string("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")));
  std::string answer;
  error_code error;
  asio::read(plain, asio::dynamic_buffer(answer), error);
  EXPECT_EQ(answer.find("HTTP"), std::string::npos);
}

TEST_F(HttpTls, AStreamIsAWebSocketOverTls) {
  open();
  TlsClient stranger(address(), first_);
  const auto refused =
      stranger.ask_stream("/repath.v1.WorldService/WatchWorld", R"({"world":"nowhere"})");
  ASSERT_EQ(refused.size(), 1u) << stranger.error();
  EXPECT_EQ(json::parse(refused[0])["error"]["code"], "not_found");
  EXPECT_EQ(stranger.close_code(), 4005u);
  TlsClient client(address(), first_);
  const auto worlds = client.ask_stream(kListWorlds, "{}");
  ASSERT_EQ(worlds.size(), 1u) << client.error();
  EXPECT_EQ(client.close_code(), 1000u);
}

TEST_F(HttpTls, LargeRequestsAndRefusalsArriveWhole) {
  open();
  TlsClient client(address(), first_);
  json answer;
  EXPECT_EQ(client.post("/repath.v1.WorldService/None", bearer("all"), &answer), 404u);
  // A path that is longer than all headers may be.
  EXPECT_EQ(client.post("/" + std::string(9000, 'a'), bearer("all"), &answer), 431u);
  EXPECT_EQ(answer["code"], "resource_exhausted");
}

TEST_F(HttpTls, NewConnectionsGetTheNewCertificateAndOpenOnesGoOn) {
  open();
  TlsClient old(address(), first_);
  ASSERT_EQ(old.list(), 200u);
  std::ofstream(certificate_) << "half-written";
  EXPECT_FALSE(keeper_->reload().ok());
  EXPECT_EQ(TlsClient(address(), first_).list(), 200u);
  const TestCertificate next;
  put(next);
  ASSERT_TRUE(keeper_->reload().ok());
  EXPECT_EQ(TlsClient(address(), next).list(), 200u);
  EXPECT_FALSE(TlsClient(address(), first_).is_open());
  EXPECT_EQ(old.list(), 200u);
}

TEST_F(HttpTls, ClientsShowACertificateIfOneIsAskedFor) {
  open(/*asks_for_certificates=*/true);
  const TestCertificate known({.name = "game", .names = "DNS:game.example"}, &authority_);
  const TestCertificate stranger({.name = "game", .names = "DNS:game.example"});
  EXPECT_EQ(TlsClient(address(), first_, &known).list(), 200u);
  // By TLS 1.3 the client learns of the refusal when it reads.
  EXPECT_EQ(TlsClient(address(), first_).list(), 0u);
  EXPECT_EQ(TlsClient(address(), first_, &stranger).list(), 0u);
}

TEST_F(HttpTls, NamesOfACertificateHaveScopesOfTheirOwn) {
  open(/*asks_for_certificates=*/true, all_ +
                                           "certificate uri:spiffe://example.org/match read *\n" +
                                           "certificate dns:writer.example write *\n");
  const auto status = [&](const std::string& names) {
    const TestCertificate own({.name = "game", .names = names}, &authority_);
    return TlsClient(address(), first_, &own).list("");
  };
  EXPECT_EQ(status("URI:spiffe://example.org/match"), 200u);
  EXPECT_EQ(status("DNS:other.example,URI:spiffe://example.org/match"), 200u);
  EXPECT_EQ(status("DNS:writer.example"), 403u);
  EXPECT_EQ(status("DNS:writer.example,URI:spiffe://example.org/match"), 200u);
  EXPECT_EQ(status("URI:spiffe://example.org/other"), 401u);
  EXPECT_EQ(status("DNS:spiffe.example.org"), 401u);
  EXPECT_EQ(status(""), 401u);
  // A token stands before the certificate.
  const TestCertificate reader({.names = "URI:spiffe://example.org/match"}, &authority_);
  EXPECT_EQ(TlsClient(address(), first_, &reader).list("Bearer all.wrong"), 401u);
}

TEST_F(HttpTls, NamesBeyondTheLimitAreLeftOut) {
  std::string names;
  for (int i = 0; i < 100; ++i)
    names += "DNS:" + std::string(60, 'a') + std::to_string(i) + ".example,";
  open(/*asks_for_certificates=*/true, "certificate dns:late.example read *\n");
  const TestCertificate late({.names = names + "DNS:late.example"}, &authority_);
  EXPECT_EQ(TlsClient(address(), first_, &late).list(""), 401u);
  const TestCertificate early({.names = "DNS:late.example," + names + "DNS:b.example"},
                              &authority_);
  EXPECT_EQ(TlsClient(address(), first_, &early).list(""), 200u);
}

TEST_F(HttpTls, AConnectionWithoutAHandshakeGivesWay) {
  open(false, all_, {.connections_max = 2, .timeout_ms = 400});
  const std::string port = address().substr(address().rfind(':') + 1);
  asio::io_context context;
  std::vector<tcp::socket> silent;
  for (int i = 0; i < 4; ++i) {
    silent.emplace_back(context);
    connect_from("127.0.0.1", port, silent.back());
  }
  EXPECT_EQ(TlsClient(address(), first_).list(), 200u);
  // The server has closed them, or closes them when their time is over.
  for (tcp::socket& socket : silent) {
    std::string rest;
    error_code error;
    asio::read(socket, asio::dynamic_buffer(rest), error);
    EXPECT_TRUE(error);
  }
}

}  // namespace
}  // namespace repath

#include "admin/admin_server.h"

#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <vector>

namespace repath {
namespace {

using boost::asio::ip::tcp;

class Admin : public testing::Test {
 protected:
  // `idle_ms`: how long the server bears a silent connection.
  explicit Admin(std::uint64_t idle_ms = 200)
      : server_(*AdminServer::start("127.0.0.1:0", {2, idle_ms},
                                    [] { return std::string("figures 7\n"); })) {}

  tcp::socket connect() {
    const std::string address = server_->address();
    const std::size_t colon = address.rfind(':');
    tcp::socket socket(context_);
    tcp::resolver resolver(context_);
    boost::asio::connect(socket,
                         resolver.resolve(address.substr(0, colon), address.substr(colon + 1)));
    return socket;
  }
  // Reads everything until the server closes the connection.
  static std::string rest(tcp::socket& socket) {
    std::string text;
    boost::system::error_code end;
    boost::asio::read(socket, boost::asio::dynamic_buffer(text), end);
    return text;
  }
  std::string ask(const std::string& request) {
    tcp::socket socket = connect();
    boost::asio::write(socket, boost::asio::buffer(request));
    return rest(socket);
  }
  std::string get(const std::string& path) {
    return ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  boost::asio::io_context context_;
  std::unique_ptr<AdminServer> server_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Admin, LivesAlwaysAndIsReadyWhenTold) {
  EXPECT_TRUE(has(get("/livez"), "200 OK"));
  EXPECT_TRUE(has(get("/readyz"), "503 Service Unavailable"));
  server_->set_ready(true);
  EXPECT_TRUE(has(get("/readyz"), "200 OK"));
  server_->set_ready(false);
  EXPECT_TRUE(has(get("/readyz"), "503 Service Unavailable"));
}

TEST_F(Admin, GivesTheMetricsInTheFormatOfPrometheus) {
  const std::string reply = get("/metrics");
  EXPECT_TRUE(has(reply, "200 OK"));
  EXPECT_TRUE(has(reply, "Content-Type: text/plain; version=0.0.4"));
  EXPECT_TRUE(has(reply, "\r\n\r\nfigures 7\n"));
}

TEST_F(Admin, AnythingElseIsRefused) {
  EXPECT_TRUE(has(get("/"), "404 Not Found"));
  EXPECT_TRUE(
      has(ask("POST /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
          "405 Method Not Allowed"));
}

TEST_F(Admin, AForeignHostReadsHealthOnly) {
  const auto ask_as = [this](const std::string& path, const std::string& host) {
    return ask("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  };
  EXPECT_TRUE(has(ask_as("/metrics", "evil.example.org"), "421 Misdirected Request"));
  EXPECT_FALSE(has(ask_as("/metrics", "evil.example.org"), "figures"));
  EXPECT_TRUE(has(ask_as("/", "evil.example.org:7780"), "421 Misdirected Request"));
  EXPECT_TRUE(has(ask_as("/livez", "pod.example.org"), "200 OK"));
  EXPECT_TRUE(has(ask_as("/metrics", "10.0.0.1:7780"), "200 OK"));
  EXPECT_TRUE(has(ask_as("/metrics", "[::1]:7780"), "200 OK"));
}

TEST(AdminRules, FiguresNeedAPermissionAndHealthDoesNot) {
  const auto server =
      *AdminServer::start("127.0.0.1:0", {2, 200}, [] { return std::string("figures 7\n"); },
                          {{"metrics.example.org"}, [](const Credentials& credentials) {
                             if (!credentials.authorization)
                               return absl::UnauthenticatedError("no token");
                             if (credentials.authorization->empty())
                               return absl::UnauthenticatedError("wrong token");
                             if (*credentials.authorization == "Bearer good")
                               return absl::OkStatus();
                             return absl::PermissionDeniedError("no scope");
                           }});
  const auto get = [&](const std::string& path, const std::string& header) {
    boost::asio::io_context context;
    tcp::socket socket(context);
    const std::string address = server->address();
    boost::asio::connect(socket, tcp::resolver(context).resolve(
                                     "127.0.0.1", address.substr(address.rfind(':') + 1)));
    boost::asio::write(
        socket, boost::asio::buffer("GET " + path + " HTTP/1.1\r\nHost: metrics.example.org\r\n" +
                                    header + "Connection: close\r\n\r\n"));
    std::string text;
    boost::system::error_code end;
    boost::asio::read(socket, boost::asio::dynamic_buffer(text), end);
    return text;
  };
  EXPECT_TRUE(has(get("/metrics", ""), "401 Unauthorized"));
  EXPECT_TRUE(has(get("/metrics", ""), "WWW-Authenticate: Bearer"));
  EXPECT_TRUE(has(get("/metrics", "Authorization: Bearer bad\r\n"), "403 Forbidden"));
  EXPECT_TRUE(has(get("/metrics", "Authorization: Bearer good\r\n"), "figures 7"));
  EXPECT_TRUE(has(get("/metrics", "Authorization: Bearer good\r\nAuthorization: Bearer good\r\n"),
                  "wrong token"));
  EXPECT_TRUE(has(get("/livez", ""), "200 OK"));
}

TEST_F(Admin, HeadHasNoBody) {
  const std::string reply = ask("HEAD /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(has(reply, "200 OK"));
  EXPECT_FALSE(has(reply, "alive"));
}

TEST_F(Admin, ARequestThatIsTooLargeIsRefusedWithTheLimit) {
  const std::string headers =
      ask("GET /livez HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n");
  EXPECT_TRUE(has(headers, "HTTP/1.1 431")) << headers;
  EXPECT_TRUE(has(headers, "more than 8192 bytes")) << headers;
  const std::string body =
      ask("POST /livez HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n" + std::string(3'000'000, 'x'));
  EXPECT_TRUE(has(body, "HTTP/1.1 413")) << body;
  EXPECT_TRUE(has(body, "the body has more than 1024 bytes")) << body;
}

TEST_F(Admin, WhatIsNoRequestIsRefused) {
  EXPECT_TRUE(has(ask("\x16\x03\x01 hello\r\n\r\n"), "HTTP/1.1 400"));
}

TEST_F(Admin, ARequestThatCanBeReadInTwoWaysIsRefused) {
  const auto ask_with = [this](const std::string& headers) {
    return ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
               "\r\n");
  };
  EXPECT_TRUE(has(ask_with(""), "200 OK"));
  EXPECT_TRUE(has(ask_with("Transfer-Encoding: Chunked\r\n\r\n0\r\n"), "200 OK"));
  EXPECT_TRUE(has(ask_with("Host: localhost\r\n"), "HTTP/1.1 400"));
  EXPECT_TRUE(
      has(ask_with("Origin: http://localhost\r\nOrigin: http://localhost\r\n"), "HTTP/1.1 400"));
  for (const char* coding :
       {"gzip", "identity", "gzip, chunked", "chunked, gzip", "", "xchunked",
        "chunked\r\nTransfer-Encoding: gzip", "gzip\r\nTransfer-Encoding: chunked"})
    EXPECT_TRUE(has(ask_with("Transfer-Encoding: " + std::string(coding) + "\r\n\r\n0\r\n"),
                    "HTTP/1.1 400"))
        << coding;
}

TEST_F(Admin, AQueryAndAWholeUriNameTheSamePage) {
  EXPECT_TRUE(has(get("/livez?verbose"), "alive\n"));
  EXPECT_TRUE(has(get("/metrics?x=1"), "figures 7\n"));
  EXPECT_TRUE(has(get("http://localhost/livez"), "alive\n"));
  EXPECT_TRUE(has(get("HTTP://localhost:80/metrics?x=1"), "figures 7\n"));
  EXPECT_TRUE(has(get("http://localhost"), "404 Not Found"));
  EXPECT_TRUE(has(get("http://evil.example.org/metrics"), "421 Misdirected Request"))
      << "the URI counts, not the Host header";
}

TEST_F(Admin, NamesOfHostsAreTheSameInEitherCase) {
  EXPECT_TRUE(has(ask("GET /metrics HTTP/1.1\r\nHost: LOCALHOST\r\nOrigin: http://localhost\r\n"
                      "Connection: close\r\n\r\n"),
                  "200 OK"));
}

TEST_F(Admin, ASilentConnectionIsClosedInTime) {
  tcp::socket socket = connect();
  EXPECT_EQ(rest(socket), "");
}

class PatientAdmin : public Admin {
 protected:
  PatientAdmin() : Admin(20'000) {}
};

TEST_F(PatientAdmin, IdleConnectionsGiveWayToNewOnes) {
  std::vector<tcp::socket> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(connect());
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(has(get("/livez"), "200 OK"));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
  EXPECT_EQ(rest(idle.front()), "");
}

TEST(AdminBounds, AnAddressHasItsShareOfTheConnections) {
  const auto server =
      *AdminServer::start("127.0.0.1:0", {10, 20'000, 2}, [] { return std::string(); });
  const std::string address = server->address();
  const auto port = static_cast<unsigned short>(std::stoi(address.substr(address.rfind(':') + 1)));
  boost::asio::io_context context;
  const auto connect_from = [&](const char* source) {
    tcp::socket socket(context);
    socket.open(tcp::v4());
    socket.bind({boost::asio::ip::make_address(source), 0});
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port});
    return socket;
  };
  tcp::socket other = connect_from("127.0.0.2");
  std::vector<tcp::socket> mine;
  for (int i = 0; i < 3; ++i) mine.push_back(connect_from("127.0.0.1"));
  std::string text;
  boost::system::error_code end;
  boost::asio::read(mine.front(), boost::asio::dynamic_buffer(text), end);
  EXPECT_EQ(end, boost::asio::error::eof) << "the one that has waited longest is closed";
  for (tcp::socket* const open : {&other, &mine.back()}) {
    boost::asio::write(*open, boost::asio::buffer(std::string(
                                  "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: "
                                  "close\r\n\r\n")));
    text.clear();
    boost::asio::read(*open, boost::asio::dynamic_buffer(text), end);
    EXPECT_TRUE(has(text, "200 OK"));
  }
}

TEST_F(Admin, AnAddressInUseIsAnError) {
  EXPECT_EQ(AdminServer::start(server_->address(), {}, {}).status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace repath

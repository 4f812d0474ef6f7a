// Limits of callers by HTTP: the places of WebSockets, and calls in a second.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "rpc/access_fixture.h"
#include "rpc/http_port.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

constexpr const char* kGetOne = "/repath.v1.WorldService/GetWorld";
constexpr const char* kWatchOne = "/repath.v1.WorldService/WatchWorld";

// ---- places of WebSockets ----

std::string upgrade_to(const std::string& path, const std::string& headers = "") {
  return "GET " + path +
         " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + headers +
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
}

std::string read_head(tcp::socket& socket) {
  std::string head;
  boost::asio::read_until(socket, boost::asio::dynamic_buffer(head), "\r\n\r\n");
  return head;
}

class PlacesOfSockets : public Guarded {
 protected:
  void SetUp() override {
    serve(token_line("reader", "read", "*"));
    port_.emplace(*server_, Gateway::Bounds{std::chrono::minutes(10), 2});  // one of an address
  }
  void TearDown() override {
    port_.reset();
    Guarded::TearDown();
  }
  static std::string reason_of_end(Socket& socket) {
    const std::optional<std::string> error = socket.read();
    if (!error) return "no message";
    return fault_of(status_of(nlohmann::json::parse(*error).at("error"))).reason;
  }

  std::optional<HttpPort> port_;
  boost::asio::io_context context_;
};

TEST_F(PlacesOfSockets, CallersWhoMayNotCallTakeNone) {
  const auto open_from = [&](const std::string& address, const std::string& authorization = "") {
    port_->call_from(address);
    return port_->open(kWatchOne, "json", authorization);
  };
  Socket stranger = open_from("127.0.0.2");
  Socket forger = open_from("127.0.0.3", "Bearer a.b");
  Socket reader = open_from("127.0.0.2", bearer("reader"));
  EXPECT_TRUE(reader.is_open()) << reader.response();
  EXPECT_EQ(reason_of_end(stranger), "TOKEN_MISSING");
  EXPECT_EQ(reason_of_end(forger), "TOKEN_INVALID");
  EXPECT_FALSE(stranger.read());
  EXPECT_EQ(stranger.close_code(), 4000u + grpc::UNAUTHENTICATED);
}

TEST_F(PlacesOfSockets, TooManyWhoMayNotCallAreAnsweredByHttp) {
  std::vector<tcp::socket> strangers;  // they do not answer the end
  std::string answer;
  for (int i = 0; i < 20 && answer.find("HTTP/1.1 401") == answer.npos; ++i) {
    strangers.push_back(port_->send(context_, upgrade_to(kWatchOne)));
    read_head(strangers.back());
    answer = port_->exchange(upgrade_to(kWatchOne));
  }
  EXPECT_NE(answer.find("HTTP/1.1 401"), answer.npos) << answer;
  EXPECT_NE(answer.find("TOKEN_MISSING"), answer.npos) << answer;
}

TEST_F(PlacesOfSockets, AClientThatDoesNotAnswerTheEndHoldsNone) {
  tcp::socket client =
      port_->send(context_, upgrade_to(kWatchOne, "Authorization: " + bearer("reader") + "\r\n"));
  EXPECT_NE(read_head(client).find(" 101 "), std::string::npos);
  const std::array<char, 7> frame{'\x81', '\x81', 0, 0, 0, 0, '{'};
  boost::asio::write(client, boost::asio::buffer(frame));
  std::string told;
  boost::asio::read_until(client, boost::asio::dynamic_buffer(told), "JSON_INVALID");
  bool is_open = false;
  for (int i = 0; i < 200 && !is_open; ++i) {
    is_open = port_->open(kWatchOne, "json", bearer("reader")).is_open();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_open);
  boost::system::error_code ended;
  boost::asio::async_read(client, boost::asio::dynamic_buffer(told),
                          [&](boost::system::error_code error, std::size_t) { ended = error; });
  context_.run_for(std::chrono::seconds(20));
  EXPECT_EQ(ended, boost::asio::error::eof) << "a silent client is given up after 30 s";
}

// ---- calls in a second ----

constexpr int kCallsPerSecond = 20;
constexpr int kCallsMax = 400;  // made until one is refused

Limits few_calls() {
  Limits limits;
  limits.calls_per_second_max = kCallsPerSecond;
  return limits;
}

class FewCalls : public Server {
 protected:
  FewCalls() : Server(few_calls()) {}
  void SetUp() override {
    Server::SetUp();
    v1::CreateWorldRequest request;
    request.set_name("w");
    request.set_width(8);
    request.set_height(8);
    Context context;
    v1::World world;
    ASSERT_TRUE(worlds_->CreateWorld(&context, request, &world).ok());
    port_.emplace(*server_);
    port_->call_from("127.0.0.3");
  }
  void TearDown() override { port_.reset(); }

  grpc::Status post(const std::string& body) {
    const auto response = port_->post_json(kGetOne, body);
    return response.result() == http::status::ok
               ? grpc::Status::OK
               : status_of(nlohmann::json::parse(response.body()));
  }
  grpc::Status ask_by_socket() {
    Socket socket = port_->open(kGetOne, "json");
    socket.send(R"({"world":"w"})", /*is_text=*/true);
    const std::optional<std::string> first = socket.read();
    if (!first) return {grpc::UNKNOWN, "no message"};
    const auto json = nlohmann::json::parse(*first);
    return json.contains("error") ? status_of(json.at("error")) : grpc::Status::OK;
  }
  // Makes calls until one is refused for their rate. Returns how many were not.
  template <class Call>
  static int calls_before_refusal(Call call) {
    for (int i = 0; i < kCallsMax; ++i) {
      const grpc::Status status = call();
      if (!status.ok() && fault_of(status).reason == "CALL_RATE") return i;
    }
    return kCallsMax;
  }

  std::optional<HttpPort> port_;
};

TEST_F(FewCalls, ACallByHttpCountsOnce) {
  const int served = calls_before_refusal([&] { return post(R"({"world":"w"})"); });
  EXPECT_GE(served, kCallsPerSecond);
  EXPECT_LT(served, kCallsMax);
  EXPECT_NE(server_->metrics_text().find("repath_calls_above_rate_total 1\n"), std::string::npos)
      << server_->metrics_text();
}

TEST_F(FewCalls, AWebSocketCountsAsOneCall) {
  const int served = calls_before_refusal([&] { return ask_by_socket(); });
  EXPECT_GE(served, kCallsPerSecond);
  EXPECT_LT(served, kCallsMax);
}

TEST_F(FewCalls, TextsThatAreNoRequestCountAndAreNotReadAboveTheRate) {
  int unreadable = 0;
  const int calls = calls_before_refusal([&] {
    const grpc::Status status = post("no JSON");
    if (fault_of(status).reason == "JSON_INVALID") ++unreadable;
    return status;
  });
  EXPECT_GE(unreadable, kCallsPerSecond);
  EXPECT_EQ(unreadable, calls);
  EXPECT_LT(calls, kCallsMax);
}

TEST_F(FewCalls, ATokensCallsByHttpAndByGrpcCountTogether) {
  const std::string path = temp_path("few_calls");
  std::ofstream(path) << token_line("one", "read", "*") << token_line("other", "read", "*");
  auto access = Access::with_tokens(path);
  ASSERT_TRUE(access.ok()) << access.status();
  auto server = RpcServer::start({"127.0.0.1:0"}, registry_, {access->get(), nullptr, true});
  ASSERT_TRUE(server.ok()) << server.status();
  {
    HttpPort port(**server);
    const auto* service = v1::WorldService::service_full_name();
    const auto* method = google::protobuf::DescriptorPool::generated_pool()->FindMethodByName(
        std::string(service) + ".GetWorld");
    v1::GetWorldRequest request;
    request.set_world("w");
    const auto by_http = [&](const std::string& token) {
      return port.call(*method, request.SerializeAsString(), bearer(token));
    };
    connect((*server)->addresses().front());
    EXPECT_LT(calls_before_refusal([&] { return by_http("one"); }), kCallsMax);
    EXPECT_TRUE(by_http("other").ok());
    EXPECT_LT(calls_before_refusal([&] {
                Context context;
                context.AddMetadata("authorization", bearer("other"));
                v1::World world;
                return worlds_->GetWorld(&context, request, &world);
              }),
              kCallsMax);
    EXPECT_LT(calls_before_refusal([&] { return by_http("other"); }), kCallsPerSecond / 2);
  }
  server->reset();
  std::remove(path.c_str());
}

}  // namespace
}  // namespace repath

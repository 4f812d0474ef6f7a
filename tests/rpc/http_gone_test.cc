// HTTP clients that go, that do not read, and that give two tokens; and the end of the gateway.
#include <algorithm>
#include <chrono>
#include <thread>

#include "rpc/access_fixture.h"
#include "rpc/http_port.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

constexpr const char* kFlowField = "/repath.v1.PathService/GetFlowField";
constexpr const char* kFindPath = "/repath.v1.PathService/FindPath";
constexpr const char* kEndlessSearch =
    R"({"world":"plain","from":{"cell":{}},"goals":[{"cell":{"x":299,"y":0}}],)"
    R"("options":{"algorithm":"ALGORITHM_IDA_STAR"}})";

std::string post_of(const std::string& path, const std::string& body,
                    const std::string& headers = "") {
  return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

Limits without_time_limits() {
  Limits limits;
  limits.query_max_ms = 600'000;
  limits.query_expansions_max = 1'000'000'000'000;
  return limits;
}

class HttpGone : public Server {
 protected:
  HttpGone() : Server(without_time_limits()) {}
  void SetUp() override {
    Server::SetUp();
    port_.emplace(*server_, Gateway::Bounds{std::chrono::minutes(10)});
  }
  void TearDown() override { port_.reset(); }

  void make_world(int side) {
    v1::CreateWorldRequest request;
    request.set_name("plain");
    request.set_width(side);
    request.set_height(side);
    Context context;
    v1::World world;
    ASSERT_TRUE(worlds_->CreateWorld(&context, request, &world).ok());
  }
  // Makes kEndlessSearch a search that does not end by itself.
  void make_endless_search() {
    make_world(300);
    auto wall = shut_door("plain");
    auto* cells = wall.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells();
    cells->set_x0(150);
    cells->set_y0(0);
    cells->set_x1(151);
    cells->set_y1(299);
    apply(wall);
  }
  bool has_calls(int count) const {
    return server_->metrics_text().find("\nrepath_calls " + std::to_string(count) + "\n") !=
           std::string::npos;
  }
  // Returns false if the server has another number of calls for a minute.
  bool wait_for_calls(int count) const {
    for (int i = 0; i < 6000 && !has_calls(count); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return has_calls(count);
  }

  std::optional<HttpPort> port_;
  boost::asio::io_context context_;
};

TEST_F(HttpGone, AQueryEndsWhenItsClientGoes) {
  make_endless_search();
  {
    const tcp::socket client = port_->send(context_, post_of(kFindPath, kEndlessSearch));
    ASSERT_TRUE(wait_for_calls(1));
  }
  EXPECT_TRUE(wait_for_calls(0));
}

TEST_F(HttpGone, ADeadlineThatPassesHasAReason) {
  make_endless_search();
  const std::string answer =
      port_->exchange(post_of(kFindPath, kEndlessSearch, "Connect-Timeout-Ms: 300\r\n"));
  EXPECT_NE(answer.find("HTTP/1.1 504"), answer.npos) << answer;
  EXPECT_NE(answer.find(R"("reason":"DEADLINE")"), answer.npos) << answer;
}

TEST_F(HttpGone, TheEndDoesNotWaitForAnswersThatWaitForTheirTurn) {
  make_world(500);
  std::vector<tcp::socket> clients;
  for (int i = 0; i < 40; ++i)  // many more than are written while their calls are answered
    clients.push_back(
        port_->send(context_, post_of(kFlowField, R"({"world":"plain","goals":[{"cell":{"x":)" +
                                                      std::to_string(i) + R"(}}]})")));
  std::string first;
  boost::asio::read_until(clients[0], boost::asio::dynamic_buffer(first), "HTTP/1.1");
  ASSERT_TRUE(wait_for_calls(0)) << "only texts are left to write";
  const auto waiting = std::ranges::count_if(
      clients, [](const tcp::socket& client) { return client.available() == 0; });
  if (waiting < 3) GTEST_SKIP() << "here texts are written as fast as calls are answered";
  port_->close_gateway();
  int refused = 0;
  for (tcp::socket& client : clients) {
    std::string answer = &client == &clients[0] ? first : "";
    boost::asio::read_until(client, boost::asio::dynamic_buffer(answer), "\r\n");
    if (answer.find(" 503 ") != answer.npos) ++refused;
  }
  EXPECT_GT(refused, 0);
}

TEST_F(HttpGone, TheEndDoesNotWaitForAWebSocketThatDoesNotRead) {
  make_world(600);
  tcp::socket client = port_->send(
      context_, "GET " + std::string(kFlowField) +
                    " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    "\r\n");
  std::string head;
  boost::asio::read_until(client, boost::asio::dynamic_buffer(head), "\r\n\r\n");
  const std::string ask = R"({"world":"plain","goals":[{"cell":{}}]})";
  const std::string zeros(4, '\0');
  boost::asio::write(
      client, boost::asio::buffer("\x81" + std::string(1, char(0x80 | ask.size())) + zeros + ask));
  // The answer has begun, and the client takes no more of it.
  char byte = 0;
  boost::asio::read(client, boost::asio::buffer(&byte, 1));
  EXPECT_EQ(byte, '\x81') << "one frame has the whole text";
  const auto begun = std::chrono::steady_clock::now();
  port_->close_gateway();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20))
      << "a silent client is given up after 30 s";
}

constexpr const char* kWorldOf = "/repath.v1.WorldService/GetWorld";

class HttpTokens : public Guarded {
 protected:
  void SetUp() override {
    Guarded::SetUp();
    port_.emplace(*server_);
  }
  void TearDown() override {
    port_.reset();
    Guarded::TearDown();
  }
  std::optional<HttpPort> port_;
};

TEST_F(HttpTokens, TwoTokensCountAsAWrongOne) {
  const std::string good = "Authorization: " + bearer("all") + "\r\n";
  const auto answer = [&](const std::string& headers) {
    return port_->exchange(post_of(kWorldOf, R"({"world":"nowhere"})", headers));
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != text.npos;
  };
  EXPECT_TRUE(has(answer(good), "WORLD_UNKNOWN"));
  EXPECT_TRUE(has(answer(""), "TOKEN_MISSING"));
  EXPECT_TRUE(has(answer(good + good), "TOKEN_INVALID"));
  EXPECT_TRUE(has(answer(good + "Authorization: Bearer a.b\r\n"), "TOKEN_INVALID"));
  EXPECT_TRUE(has(answer("Authorization:\r\n"), "TOKEN_INVALID"));

  const std::string token = "bearer." + bearer("all").substr(7);
  const auto reason = [&](const std::string& protocols, const std::string& authorization) {
    Socket socket = port_->open(kWorldOf, protocols, authorization);
    socket.send(R"({"world":"nowhere"})", true);
    const auto error = socket.read();
    return error ? fault_of(status_of(nlohmann::json::parse(*error).at("error"))).reason : "";
  };
  EXPECT_EQ(reason("json, " + token, ""), "WORLD_UNKNOWN");
  EXPECT_EQ(reason("json, " + token + ", " + token, ""), "TOKEN_INVALID");
  EXPECT_EQ(reason("json, " + token, bearer("all")), "TOKEN_INVALID");
}

}  // namespace
}  // namespace repath

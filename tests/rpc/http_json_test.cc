// What the JSON of a request may be, and what is decided before it is read.
#include "repath/v1/world.pb.h"
#include "rpc/access_fixture.h"
#include "rpc/http_port.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

constexpr const char* kGetPath = "/repath.v1.WorldService/GetWorld";
constexpr const char* kWatchPath = "/repath.v1.WorldService/WatchWorld";
constexpr const char* kApplyPath = "/repath.v1.WorldService/ApplyChanges";
constexpr std::size_t kLargestBody = 4 << 20;

grpc::Status status_of_answer(const http::response<http::string_body>& response) {
  if (response.result() == http::status::ok) return grpc::Status::OK;
  return status_of(nlohmann::json::parse(response.body()));
}

// The error that the last message of a stream tells.
grpc::Status status_of_end(Socket& socket) {
  const std::optional<std::string> error = socket.read();
  if (!error) return {grpc::UNKNOWN, "no message"};
  return status_of(nlohmann::json::parse(*error).at("error"));
}

class HttpJson : public Server {
 protected:
  void SetUp() override {
    Server::SetUp();
    port_.emplace(*server_);
    import_square("hall", /*lockstep=*/false);
  }
  void TearDown() override { port_.reset(); }

  Fault refused(const std::string& path, const std::string& body) {
    return fault_of(status_of_answer(port_->post_json(path, body)));
  }

  std::optional<HttpPort> port_;
};

TEST_F(HttpJson, ATextThatIsNoJsonIsRefused) {
  for (const char* const body :
       {R"({world:"hall"})", "{'world':'hall'}", R"({"world":"hall",})", "{\"world\":\"hall\x01\"}",
        R"({"world":"h\x61ll"})", R"({"world":"hall"}{})"}) {
    const Fault fault = refused(kGetPath, body);
    EXPECT_EQ(fault.reason, "JSON_INVALID") << body;
    EXPECT_EQ(fault.field, "") << body;
  }
}

TEST_F(HttpJson, ANullInAListIsRefusedAndNamed) {
  // What JSON.stringify makes of a list with a NaN.
  const std::string body =
      R"({"world":"hall","batch":{"upsertObstacles":[{"id":1,"polygon":{"xz":[4,0,null,5,6]}}]}})";
  const Fault fault = refused(kApplyPath, body);
  EXPECT_EQ(fault.reason, "JSON_INVALID");
  EXPECT_EQ(fault.field, "batch.upsert_obstacles[0].polygon.xz[2]");
  Socket socket = port_->open(kApplyPath, "json");
  socket.send(body, /*is_text=*/true);
  EXPECT_EQ(fault_of(status_of_end(socket)).field, "batch.upsert_obstacles[0].polygon.xz[2]");
}

TEST_F(HttpJson, ANullFieldAndNumbersAsTextAreTaken) {
  const auto response = port_->post_json(
      "/repath.v1.PathService/FindPath",
      R"({"world":"hall","from":{"cell":{"x":"0","y":null}},"goals":[{"cell":{"x":9,"y":4}}],)"
      R"("goalRadius":"0.5","allowPartial":null})");
  EXPECT_EQ(response.result(), http::status::ok) << response.body();
}

TEST_F(HttpJson, BracketsWithoutAnEndAreRefusedForTheirDepth) {
  std::string body = R"({"batch":{"removeObstacles":)";
  body.append(kLargestBody - body.size(), '[');
  EXPECT_EQ(refused(kApplyPath, body).field, "batch.remove_obstacles[0]");
  body.clear();
  while (body.size() + 5 <= kLargestBody) body += R"({"a":)";
  const grpc::Status status = status_of_answer(port_->post_json(kApplyPath, body));
  EXPECT_NE(status.error_message().find("nested deeper"), std::string::npos)
      << status.error_message();
}

// ---- deadlines ----

// A request for a world that takes much longer to read than to answer.
std::string request_long_to_read() {
  std::string body = "{";
  while (body.size() + 100 < kLargestBody) body += R"("world":"",)";
  return body + R"("world":"hall"})";
}

TEST_F(HttpJson, ACallWhoseTimeIsOverIsNotRead) {
  HttpPort port(*server_, {std::chrono::milliseconds(0)});
  EXPECT_EQ(status_of_answer(port.post_json(kGetPath, "no JSON")).error_code(),
            grpc::DEADLINE_EXCEEDED);
}

TEST_F(HttpJson, ReadingARequestCountsTowardsItsDeadline) {
  const auto within = [&](const char* ms) {
    return status_of_answer(
        port_->ask(http::verb::post, kGetPath, request_long_to_read(),
                   {{"Content-Type", "application/json"}, {"Connect-Timeout-Ms", ms}}));
  };
  EXPECT_EQ(within("10").error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_TRUE(within("60000").ok());
}

// ---- who may call ----

class HttpJsonTokens : public Guarded {
 protected:
  void SetUp() override {
    serve(token_line("reader", "read", "*"));
    port_.emplace(*server_);
  }
  void TearDown() override {
    port_.reset();
    Guarded::TearDown();
  }

  std::string reason_of_post(const std::string& path, const std::string& token) {
    HttpPort::Headers headers{{"Content-Type", "application/json"}};
    if (!token.empty()) headers.emplace_back("Authorization", token);
    return fault_of(status_of_answer(port_->ask(http::verb::post, path, "no JSON", headers)))
        .reason;
  }
  std::string reason_of_socket(const std::string& path, const std::string& token) {
    Socket socket = port_->open(path, "json", token);
    socket.send("no JSON", /*is_text=*/true);
    return fault_of(status_of_end(socket)).reason;
  }

  std::optional<HttpPort> port_;
};

TEST_F(HttpJsonTokens, TheCallerIsJudgedBeforeTheRequestIsRead) {
  EXPECT_EQ(reason_of_post(kApplyPath, ""), "TOKEN_MISSING");
  EXPECT_EQ(reason_of_post(kApplyPath, "Bearer a.b"), "TOKEN_INVALID");
  EXPECT_EQ(reason_of_post(kApplyPath, bearer("reader")), "SCOPE_MISSING");
  EXPECT_EQ(reason_of_post(kGetPath, bearer("reader")), "JSON_INVALID");
}

TEST_F(HttpJsonTokens, TheCallerOfAStreamIsJudgedBeforeItsRequestIsRead) {
  EXPECT_EQ(reason_of_socket(kWatchPath, ""), "TOKEN_MISSING");
  EXPECT_EQ(reason_of_socket(kWatchPath, "Bearer a.b"), "TOKEN_INVALID");
  EXPECT_EQ(reason_of_socket(kApplyPath, bearer("reader")), "SCOPE_MISSING");
  EXPECT_EQ(reason_of_socket(kWatchPath, bearer("reader")), "JSON_INVALID");
}

TEST_F(HttpJsonTokens, CallsThatAreRefusedUnreadAreCounted) {
  reason_of_post(kGetPath, "");
  reason_of_socket(kGetPath, "");
  const std::string text = registry_.metrics_text();
  EXPECT_NE(text.find("repath_rpc_total{code=\"UNAUTHENTICATED\",method=\"" +
                      std::string(kGetPath) + "\"} 2"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace repath

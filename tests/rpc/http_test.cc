// The API by HTTP and WebSocket: what is refused, and how streams begin, flow and end.
#include <thread>

#include "rpc/http_port.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names
using Json = nlohmann::json;

constexpr const char* kGetWorld = "/repath.v1.WorldService/GetWorld";
constexpr const char* kWatchWorld = "/repath.v1.WorldService/WatchWorld";

class Http : public Server {
 protected:
  void SetUp() override {
    Server::SetUp();
    port_.emplace(*server_);
    import_square("hall", /*lockstep=*/false);
  }
  void TearDown() override { port_.reset(); }

  // The answer to a request that is refused, with this status.
  Json refused(http::status status, const std::string& path, const std::string& body,
               const HttpPort::Headers& headers) {
    const auto response = port_->ask(http::verb::post, path, body, headers);
    EXPECT_EQ(response.result(), status) << response.body();
    return Json::parse(response.body(), nullptr, false);
  }
  static std::string reason_of(const Json& error) { return fault_of(status_of(error)).reason; }

  std::optional<HttpPort> port_;
  const HttpPort::Headers json_{{"Content-Type", "application/json"}};
};

TEST_F(Http, ACallHasNamesInEitherCaseAndLargeNumbersAsText) {
  const auto response = port_->post_json(kGetWorld, R"({"world":"hall"})");
  ASSERT_EQ(response.result(), http::status::ok) << response.body();
  EXPECT_EQ(response[http::field::content_type], "application/json");
  const Json world = Json::parse(response.body());
  EXPECT_EQ(world.at("name"), "hall");
  EXPECT_TRUE(world.at("stateHash").is_string());
  const auto path = port_->post_json(
      "/repath.v1.PathService/FindPath",
      R"({"world":"hall","from":{"cell":{"x":0,"y":0}},"goals":[{"cell":{"x":9,"y":4}}],"goal_radius":0.5,"allowPartial":true})");
  EXPECT_EQ(path.result(), http::status::ok) << path.body();
}

// As the page /docs says of numbers.
TEST_F(Http, AWholeNumberInAStringHasDigitsOnly) {
  const auto result_of = [&](const std::string& team, const std::string& radius) {
    return port_
        ->post_json("/repath.v1.PathService/FindPath",
                    R"({"world":"hall","from":{"cell":{}},"goals":[{"cell":{"x":9,"y":4}}],)"
                    R"("walker":{"team":)" +
                        team + R"(},"goalRadius":)" + radius + "}")
        .result();
  };
  for (const char* team : {"3", "3.0", "3e0", R"("3")", R"("+3")", R"("003")"})
    EXPECT_EQ(result_of(team, "0"), http::status::ok) << team;
  for (const char* team : {R"("0x3")", R"("3.0")", R"("3e0")", R"(" 3")", R"("")", "3.5"})
    EXPECT_EQ(result_of(team, "0"), http::status::bad_request) << team;
  for (const char* radius :
       {"1.5", R"("1.5")", R"("+1.5")", R"("01.5")", R"("15e-1")", R"("0x1.8p0")", R"("0x2")"})
    EXPECT_EQ(result_of("0", radius), http::status::ok) << radius;
}

TEST_F(Http, AnErrorNamesReasonAndFieldInPlainJson) {
  const Json error = refused(http::status::not_found, kGetWorld, R"({"world":"nowhere"})", json_);
  EXPECT_EQ(error.at("code"), "not_found");
  EXPECT_EQ(error.at("details").at(0).at("type"), "google.rpc.ErrorInfo");
  EXPECT_EQ(error.at("details").at(0).at("debug").at("reason"), "WORLD_UNKNOWN");
}

TEST_F(Http, ABodyThatIsNoRequestIsRefused) {
  for (const char* body : {"", "{", "[]", "7", R"({"worl":"hall"})", R"({"world":7e400})",
                           R"({"world":"hall"} x)", "\xff\xfe"}) {
    SCOPED_TRACE(body);
    EXPECT_EQ(reason_of(refused(http::status::bad_request, kGetWorld, body, json_)),
              "JSON_INVALID");
  }
  // Deeper than any request.
  EXPECT_EQ(reason_of(refused(http::status::bad_request, kGetWorld,
                              std::string(100'000, '[') + std::string(100'000, ']'), json_)),
            "JSON_INVALID");
  const auto proto = port_->ask(http::verb::post, kGetWorld, "\xff\xff\xff",
                                {{"Content-Type", "application/proto"}});
  EXPECT_NE(proto.result(), http::status::ok);
}

TEST_F(Http, AnErrorOfJsonNamesTheField) {
  const auto field_of = [&](const std::string& body) {
    const Json error =
        refused(http::status::bad_request, "/repath.v1.PathService/FindPath", body, json_);
    EXPECT_EQ(error.value("message", "").find('?'), std::string::npos) << error;
    return fault_of(status_of(error));
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"world":5})", "world"},
      {R"({"world":"hall","from":{"cell":{"x":1.5}}})", "from.cell.x"},
      {R"({"world":"hall","walker":{"team":-1}})", "walker.team"},
      {R"({"world":"hall","walker":{"tem":1}})", "walker.tem"},
      {R"({"wrld":"hall"})", "wrld"},
      {R"({"options":{"algorithm":"QUICK"}})", "options.algorithm"},
      {R"({"world":)", ""}};
  for (const auto& [body, field] : cases) {
    const auto fault = field_of(body);
    EXPECT_EQ(fault.reason, "JSON_INVALID") << body;
    EXPECT_EQ(fault.field, field) << body;
  }
}

TEST_F(Http, BytesThatAreNoMessageAreRefused) {
  const Json error = refused(http::status::bad_request, kGetWorld, "\xff\xff\xff",
                             {{"Content-Type", "application/proto"}});
  EXPECT_EQ(reason_of(error), "PROTO_INVALID");
  Socket socket = port_->open(kWatchWorld, "proto");
  socket.send("\xff\xff\xff", /*is_text=*/false);
  const std::optional<std::string> answer = socket.read();
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->find("PROTO_INVALID"), std::string::npos) << *answer;
}

TEST_F(Http, PagesAreCompressedForThoseWhoTakeIt) {
  const std::string plain = port_->ask(http::verb::get, "/docs/types").body();
  for (const char* const list : {"gzip", "deflate, gzip;q=0.8", "br , gzip ; q=1"}) {
    const auto packed = port_->ask(http::verb::get, "/docs/types", "", {{"Accept-Encoding", list}});
    EXPECT_EQ(packed[http::field::content_encoding], "gzip") << list;
    EXPECT_LT(packed.body().size(), plain.size() / 3);
    EXPECT_EQ(packed.body().substr(0, 2), "\x1f\x8b");
  }
  for (const char* const list : {"", "br", "gzip;q=0", "gzip;q=0.0"}) {
    const auto whole = port_->ask(http::verb::get, "/docs/types", "", {{"Accept-Encoding", list}});
    EXPECT_EQ(whole[http::field::content_encoding], "") << list;
    EXPECT_EQ(whole.body(), plain);
  }
}

TEST_F(Http, HeadersThatCannotBeServedAreRefusedByName) {
  const std::string body = R"({"world":"hall"})";
  const auto with = [&](const std::string& name, const std::string& value) {
    HttpPort::Headers headers = json_;
    headers.emplace_back(name, value);
    return headers;
  };
  for (const char* timeout : {"0", "-1", "12345678901", "1s", "1.5"}) {
    const Json error =
        refused(http::status::bad_request, kGetWorld, body, with("Connect-Timeout-Ms", timeout));
    EXPECT_EQ(fault_of(status_of(error)).field, "connect-timeout-ms") << timeout;
    EXPECT_NE(error["message"].get<std::string>().find("from 1 to 9999999999"), std::string::npos);
  }
  EXPECT_EQ(reason_of(refused(http::status::bad_request, kGetWorld, body,
                              with("Authorization", "Bearer \xe4\xf6"))),
            "HEADER_INVALID");
  EXPECT_EQ(reason_of(refused(http::status::not_implemented, kGetWorld, body,
                              with("Content-Encoding", "gzip"))),
            "HEADER_INVALID");
  EXPECT_EQ(reason_of(refused(http::status::bad_request, kGetWorld, body,
                              with("Connect-Protocol-Version", "2"))),
            "HEADER_INVALID");
  EXPECT_EQ(reason_of(refused(http::status::unsupported_media_type, kGetWorld, body,
                              {{"Content-Type", "text/plain"}})),
            "HEADER_INVALID");
}

TEST_F(Http, MediaTypesAndCodingsAreTheSameInEitherCase) {
  const std::string body = R"({"world":"hall"})";
  for (const char* type :
       {"Application/JSON", "application/json\t;charset=utf-8", "application/json ; Charset=UTF-8"})
    EXPECT_EQ(port_->ask(http::verb::post, kGetWorld, body, {{"Content-Type", type}}).result(),
              http::status::ok)
        << type;
  EXPECT_EQ(port_
                ->ask(http::verb::post, kGetWorld, body,
                      {{"Content-Type", "application/json"}, {"Content-Encoding", "Identity"}})
                .result(),
            http::status::ok);
}

// Each refusal has the JSON of an error, whether the port, the gateway or gRPC refuses.
TEST_F(Http, EveryErrorOfTheApiHasAReason) {
  const std::string body = R"({"world":"hall"})";
  const auto with = [&](const std::string& name, const std::string& value) {
    HttpPort::Headers headers = json_;
    headers.emplace_back(name, value);
    return headers;
  };
  EXPECT_EQ(reason_of(refused(http::status::forbidden, kGetWorld, body,
                              with("Origin", "http://evil.example.org"))),
            "ORIGIN_FOREIGN");
  EXPECT_EQ(reason_of(refused(http::status::misdirected_request, kGetWorld, body,
                              with("Host", "evil.example.org"))),
            "HOST_UNKNOWN");
  for (const http::verb verb : {http::verb::put, http::verb::get}) {
    const auto refused_verb = port_->ask(verb, kGetWorld);
    EXPECT_EQ(refused_verb.result(), http::status::method_not_allowed) << verb;
    EXPECT_EQ(refused_verb[http::field::allow], "POST") << verb;
    EXPECT_EQ(reason_of(Json::parse(refused_verb.body())), "POST_ONLY") << verb;
  }
  EXPECT_EQ(reason_of(refused(http::status::payload_too_large, kGetWorld,
                              std::string((4 << 20) + 1, ' '), json_)),
            "REQUEST_TOO_LARGE");
  EXPECT_EQ(reason_of(refused(http::status::request_header_fields_too_large, kGetWorld, body,
                              with("X", std::string(9000, 'x')))),
            "HEADERS_TOO_LARGE");
  EXPECT_EQ(reason_of(refused(http::status::bad_request, kGetWorld, body,
                              with("Transfer-Encoding", "gzip"))),
            "HTTP_INVALID");
}

TEST_F(Http, AWebSocketThatEndsBeforeItsRequestIsToldSo) {
  for (const char* method : {kGetWorld, kWatchWorld}) {
    Socket socket = port_->open(method, "json");
    socket.send_end();
    const std::optional<std::string> answer = socket.read();
    ASSERT_TRUE(answer);
    const Json error = Json::parse(*answer).at("error");
    EXPECT_EQ(reason_of(error), "REQUEST_MISSING") << *answer;
    EXPECT_FALSE(socket.read());
    EXPECT_EQ(socket.close_code(), 4003u);
  }
}

TEST_F(Http, APageOfAnotherSiteMayNotCall) {
  const auto from = [&](const std::string& origin, const std::string& host) {
    HttpPort::Headers headers = json_;
    headers.emplace_back("Origin", origin);
    headers.emplace_back("Host", host);
    return port_->ask(http::verb::post, kGetWorld, R"({"world":"hall"})", headers).result();
  };
  EXPECT_EQ(from("http://localhost:80", "localhost:80"), http::status::ok);
  EXPECT_EQ(from("http://localhost:81", "localhost:80"), http::status::forbidden);
  EXPECT_EQ(from("http://evil.example.org", "localhost:80"), http::status::forbidden);
  EXPECT_EQ(from("null", "localhost:80"), http::status::forbidden);
  EXPECT_EQ(from("http://evil.example.org", "evil.example.org"), http::status::misdirected_request);
}

TEST_F(Http, PathsAndVerbsThatAreNoCallAreRefused) {
  EXPECT_EQ(port_->post_json("/repath.v1.WorldService/Fly", "{}").result(),
            http::status::not_found);
  EXPECT_EQ(port_->post_json("/grpc.health.v1.Health/Check", "{}").result(),
            http::status::not_found);
  EXPECT_EQ(port_->ask(http::verb::put, kGetWorld).result(), http::status::method_not_allowed);
  EXPECT_EQ(port_->post_json(kWatchWorld, "{}").result(), http::status::not_implemented);
  EXPECT_EQ(port_->ask(http::verb::get, "/../etc/passwd").result(), http::status::not_found);
  EXPECT_EQ(port_->ask(http::verb::get, "/livez").body(), "alive\n");
  EXPECT_EQ(port_->ask(http::verb::get, "/metrics").body(), "figures\n");
}

TEST_F(Http, AWatchShowsAChange) {
  Socket socket = port_->open(kWatchWorld, "json");
  ASSERT_TRUE(socket.is_open());
  EXPECT_EQ(socket.response()[http::field::sec_websocket_protocol], "json");
  socket.send(R"({"world":"hall"})", true);
  std::optional<std::string> message = socket.read();
  ASSERT_TRUE(message);
  const auto applied = apply(shut_door("hall"));
  while (message && message->find("upsertObstacles") == std::string::npos) message = socket.read();
  ASSERT_TRUE(message);
  EXPECT_NE(message->find("\"revision\":\"" + std::to_string(applied.revision()) + "\""),
            std::string::npos)
      << *message;
}

TEST_F(Http, AnImportIsAStreamOfRequestsWithOneAnswer) {
  Socket socket = port_->open("/repath.v1.WorldService/ImportWorld", "json");
  ASSERT_TRUE(socket.is_open());
  socket.send(R"({"header":{"world":{"name":"yard"}}})", true);
  socket.send(R"({"chunk":")" + absl::Base64Escape("....\n.##.\n") + R"("})", true);
  socket.send_end();
  const std::optional<std::string> answer = socket.read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(Json::parse(*answer).value("name", ""), "yard") << *answer;
  EXPECT_FALSE(socket.read());
  EXPECT_EQ(socket.close_code(), 1000u);
}

TEST_F(Http, AFrameThatIsNoMessageEndsTheStreamWithTheReason) {
  Socket socket = port_->open("/repath.v1.AgentService/Session", "json");
  ASSERT_TRUE(socket.is_open());
  socket.send(R"({"opeen":{}})", true);
  const std::optional<std::string> answer = socket.read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(reason_of(Json::parse(*answer).at("error")), "JSON_INVALID");
  EXPECT_FALSE(socket.read());
  EXPECT_EQ(socket.close_code(), 4003u);
}

TEST_F(Http, AHandshakeThatCannotBeServedIsAnsweredByHttp) {
  EXPECT_EQ(port_->open("/nothing", "json").response().result(), http::status::not_implemented);
  EXPECT_EQ(port_->open(kWatchWorld, "soap").response().result(), http::status::bad_request);
  EXPECT_TRUE(port_->open(kWatchWorld, "").is_open());
}

TEST_F(Http, SocketsHaveALimitAndGiveTheirPlaceBack) {
  HttpPort port(*server_, {std::chrono::milliseconds(1000), 4});
  {
    Socket first = port.open(kWatchWorld, "json");
    Socket second = port.open(kWatchWorld, "json");
    EXPECT_TRUE(second.is_open());
    EXPECT_EQ(port.open(kWatchWorld, "json").response().result(), http::status::too_many_requests)
        << "an address has half of them";
    port.call_from("127.0.0.2");
    Socket third = port.open(kWatchWorld, "json");
    EXPECT_TRUE(third.is_open());
    Socket fourth = port.open(kWatchWorld, "json");
    port.call_from("127.0.0.3");
    EXPECT_EQ(port.open(kWatchWorld, "json").response().result(), http::status::too_many_requests);
  }
  port.call_from("127.0.0.1");
  bool is_open = false;
  for (int i = 0; i < 200 && !is_open; ++i) {
    is_open = port.open(kWatchWorld, "json").is_open();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_open);
}

TEST_F(Http, TheEndOfTheServerEndsStreamsAndRefusesCalls) {
  Socket socket = port_->open(kWatchWorld, "json");
  socket.send(R"({"world":"hall"})", true);
  ASSERT_TRUE(socket.read());
  port_->close_gateway();
  while (socket.read()) {
  }
  EXPECT_GE(socket.close_code(), 4001u);
}

}  // namespace
}  // namespace repath

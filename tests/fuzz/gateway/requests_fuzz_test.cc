// The HTTP port with the gateway behind it: bytes of requests over a socket, and the JSON of every
// method's request.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gateway/message_text.h"
#include "rpc/fields/worlds.h"
#include "rpc/http_port.h"
#include "support/fuzz.h"
#include "support/hostile_message.h"

namespace repath {
namespace {

using test::FieldTable;
using test::MessagePtr;
using test::MethodDescriptor;

const std::vector<std::string>& names() {
  static const std::vector<std::string> kNames{"square", "default", "other", "wide"};
  return kNames;
}

std::vector<const MethodDescriptor*> sorted_methods() {
  std::vector<const MethodDescriptor*> methods = test::all_methods();
  std::ranges::sort(methods, {}, &MethodDescriptor::full_name);
  return methods;
}

MessagePtr base_of(const MethodDescriptor& method) {
  MessagePtr request = test::new_message(*method.input_type());
  const auto* line = FieldTable::get().exact("base", method.name());
  if (line != nullptr) test::merge_text(test::with_world(line->part(1), "square"), request.get());
  return request;
}

std::string json_of(const google::protobuf::Message& message) {
  std::string text;
  (void)google::protobuf::util::MessageToJsonString(message, &text);
  return text;
}

// ---- JSON ----

// The first byte names the method.
absl::Status read_json(const std::string& text) {
  static const std::vector<const MethodDescriptor*> kMethods = sorted_methods();
  if (text.empty()) return absl::OkStatus();
  const auto& type = *kMethods[static_cast<unsigned char>(text[0]) % kMethods.size()]->input_type();
  const auto bytes = to_grpc_bytes(type, Encoding::kJson, std::string_view(text).substr(1));
  if (!bytes.ok()) return bytes.status();
  return from_grpc_bytes(type, Encoding::kJson, *bytes).status();
}

// Puts something into the text that Protobuf's reader of JSON must not see.
std::string with_fault(std::string text, Random* random) {
  static const std::string kDeep(60'000, '[');
  static const std::array<std::string, 8> kFaults{
      "null,", "[null]", "1.,", "'a':", "\\x41", "\x01", "[[1]]", kDeep};
  text.insert(random->below(static_cast<std::uint32_t>(text.size()) + 1),
              kFaults[random->below(kFaults.size())]);
  return text;
}

TEST(Fuzz, JsonOfRequests) {
  const std::vector<const MethodDescriptor*> methods = sorted_methods();
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < methods.size(); ++i)
    seeds.push_back(static_cast<char>(i) + json_of(*base_of(*methods[i])));
  test::feed(seeds, read_json, [&](Random* random) {
    const std::uint32_t at = random->below(static_cast<std::uint32_t>(methods.size()));
    const MessagePtr message = base_of(*methods[at]);
    test::HostileMessage(random, names()).change(message.get());
    const std::string text = json_of(*message);
    return static_cast<char>(at) + (random->below(4) == 0 ? with_fault(text, random) : text);
  });
}

// ---- bytes of requests ----

Limits small_limits() {
  Limits limits;
  limits.worlds_max = 3;
  limits.agents_per_world_max = 64;
  limits.memory_total_mb = 256;
  limits.world_memory_mb = 64;
  limits.import_mb_max = 1;
  limits.query_expansions_max = 20'000;
  return limits;
}

class HttpFuzz : public test::Server {
 protected:
  HttpFuzz() : Server(small_limits()) { spdlog::set_level(spdlog::level::off); }
  ~HttpFuzz() override { spdlog::set_level(spdlog::level::info); }
  void SetUp() override {
    Server::SetUp();
    port_.emplace(*server_);
    import_square("square", /*lockstep=*/true);
  }
  void TearDown() override { port_.reset(); }

  // An answer has a status that says what is wrong, and never that the server is.
  absl::Status read(const std::string& bytes) {
    // Connections that have just been closed keep their port for a while.
    port_->call_from("127.0." + std::to_string(1 + asked_ / 8000 % 200) + ".1");
    ++asked_;
    const std::string answer = port_->exchange(bytes);
    if (!registry_.find("square").ok()) import_square("square", /*lockstep=*/true);
    if (answer.empty()) return make_error(absl::StatusCode::kAborted, "CLOSED", "", "no answer");
    EXPECT_TRUE(answer.starts_with("HTTP/1.")) << answer.substr(0, 100);
    const std::string status = answer.substr(0, answer.find("\r\n")).substr(9, 3);
    EXPECT_NE(status, "500") << answer;
    if (status[0] < '4') return absl::OkStatus();
    return make_error(absl::StatusCode::kInvalidArgument, "HTTP_" + status, "", "refused");
  }

  static std::string post(const std::string& path, const std::string& type,
                          const std::string& body) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/" + type +
           "\r\nConnect-Protocol-Version: 1\r\nConnect-Timeout-Ms: 5000\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  // A WebSocket with one message, whose mask is zero, and its end.
  static std::string socket(const std::string& path, const std::string& message) {
    const std::string head =
        "GET " + path +
        " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: json, bearer.a.b\r\n\r\n";
    const std::string zeros(4, '\0');
    return head + "\x81" + static_cast<char>(0x80 | message.size()) + zeros + message + "\x81\x80" +
           zeros;
  }
  static std::string any_post(Random* random) {
    static const std::vector<const MethodDescriptor*> kMethods = sorted_methods();
    const auto& method = *kMethods[random->below(static_cast<std::uint32_t>(kMethods.size()))];
    const MessagePtr message = base_of(method);
    test::HostileMessage(random, names()).change(message.get());
    const std::string path = "/" + method.service()->full_name() + "/" + method.name();
    if (method.server_streaming() || method.client_streaming())
      return socket(path, json_of(*message).substr(0, 125));
    return random->below(2) == 0 ? post(path, "json", json_of(*message))
                                 : post(path, "proto", message->SerializeAsString());
  }

  std::optional<test::HttpPort> port_;
  std::uint64_t asked_ = 0;
};

TEST_F(HttpFuzz, BytesOfRequests) {
  const std::string find = "/repath.v1.PathService/FindPath";
  const std::string ask =
      R"({"world":"square","from":{"cell":{}},"goals":[{"cell":{"x":9,"y":4}}]})";
  std::string proto;
  v1::FindPathRequest request;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(ask, &request).ok());
  request.SerializeToString(&proto);
  const std::string get = " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
  test::feed(
      {"GET /livez HTTP/1.0\r\n\r\n", "HEAD /metrics" + get, "GET /" + get,
       "GET /docs/types" + get + "GET /livez" + get, post(find, "json", ask),
       post(find, "proto", proto), post("/repath.v1.WorldService/ListWorlds", "json", "{}"),
       socket("/repath.v1.WorldService/ExportWorld", R"({"world":"square"})"),
       socket("/repath.v1.AgentService/Session", R"({"open":{"world":"square","sessionId":"s"}})")},
      [this](const std::string& bytes) { return read(bytes); }, any_post);
}

}  // namespace
}  // namespace repath

// Every method by gRPC, by HTTP unless it streams, and by WebSocket: the answers are the same. The
// walk reads the descriptors, so a new method is part of it.
#include <google/protobuf/util/json_util.h>

#include "rpc/access_fixture.h"
#include "rpc/http_port.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

class HttpWalk : public Guarded {
 protected:
  void SetUp() override {
    Server::SetUp();
    port_.emplace(*server_);
    import_square("hall", /*lockstep=*/true);
    apply(shut_door("hall"));
  }
  void TearDown() override { port_.reset(); }

  static bool is_unary(const MethodDescriptor& method) {
    return !method.client_streaming() && !method.server_streaming();
  }
  static std::string json_of(const Descriptor& type, const std::string& bytes) {
    const std::unique_ptr<Message> message(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)->New());
    std::string text;
    EXPECT_TRUE(message->ParseFromString(bytes));
    EXPECT_TRUE(google::protobuf::util::MessageToJsonString(*message, &text).ok());
    return text;
  }
  std::string answer_by_grpc(const MethodDescriptor& method, const std::string& request) {
    grpc::GenericStub stub(channel_);
    Context context;
    const grpc::Slice slice(request);
    const grpc::ByteBuffer bytes(&slice, 1);
    grpc::ByteBuffer answer;
    grpc::CompletionQueue queue;
    const auto call = stub.PrepareUnaryCall(
        &context, "/" + method.service()->full_name() + "/" + method.name(), bytes, &queue);
    call->StartCall();
    grpc::Status status;
    call->Finish(&answer, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    std::vector<grpc::Slice> slices;
    if (!status.ok() || !answer.Dump(&slices).ok()) return "";
    std::string text;
    for (const grpc::Slice& one : slices)
      text.append(reinterpret_cast<const char*>(one.begin()), one.size());
    return text;
  }

  std::optional<HttpPort> port_;
};

TEST_F(HttpWalk, EveryErrorIsTheSame) {
  for (const std::string world : {"nowhere", "", "no name"}) {
    for (const auto* method : all_methods()) {
      SCOPED_TRACE(method->full_name() + " of '" + world + "'");
      const std::string request = request_of(*method, world);
      const grpc::Status by_grpc = call(*method, request, "");
      const grpc::Status by_http = port_->call(*method, request, "");
      EXPECT_EQ(by_grpc.error_code(), by_http.error_code()) << by_http.error_message();
      EXPECT_EQ(by_grpc.error_message(), by_http.error_message());
      EXPECT_EQ(by_grpc.error_details(), by_http.error_details());
    }
  }
}

TEST_F(HttpWalk, EveryAnswerThatReadsIsTheSame) {
  int compared = 0;
  for (const auto* method : all_methods()) {
    // The figures of GetStats change between two calls.
    if (!is_unary(*method) || rule_of(method->full_name())->scope != Scope::kRead ||
        method->name() == "GetStats")
      continue;
    SCOPED_TRACE(method->full_name());
    const std::string request = request_of(*method, "hall");
    const std::string expected = answer_by_grpc(*method, request);
    std::string answer;
    const grpc::Status status = port_->call(*method, request, "", &answer);
    EXPECT_EQ(status.ok(), call(*method, request, "").ok());
    if (!status.ok()) continue;
    EXPECT_EQ(answer, expected);
    Socket socket =
        port_->open("/" + method->service()->full_name() + "/" + method->name(), "proto");
    socket.send(request, /*is_text=*/false);
    EXPECT_EQ(socket.read().value_or("nothing"), expected) << "by WebSocket";
    EXPECT_FALSE(socket.read());
    EXPECT_EQ(socket.close_code(), 1000u);
    const auto by_json =
        port_->post_json("/" + method->service()->full_name() + "/" + method->name(),
                         json_of(*method->input_type(), request));
    EXPECT_EQ(by_json.result(), http::status::ok) << by_json.body();
    EXPECT_EQ(by_json.body(), json_of(*method->output_type(), expected));
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

TEST_F(HttpWalk, NoAnswerOfAStreamHasAFieldThatLooksLikeAnError) {
  for (const auto* method : all_methods()) {
    if (is_unary(*method)) continue;
    EXPECT_EQ(method->output_type()->FindFieldByName("error"), nullptr) << method->full_name();
  }
}

TEST_F(HttpWalk, TheReferenceHasEveryMethodAndItsPath) {
  const auto index = port_->ask(http::verb::get, "/docs");
  EXPECT_EQ(index.result(), http::status::ok);
  EXPECT_NE(index["Content-Security-Policy"].find("default-src 'none'"), std::string::npos);
  for (const auto* method : all_methods()) {
    const std::string page =
        port_->ask(http::verb::get, "/docs/" + method->service()->name()).body();
    EXPECT_NE(index.body().find(">" + method->name() + "<"), std::string::npos);
    EXPECT_NE(page.find("/" + method->service()->full_name() + "/" + method->name()),
              std::string::npos);
    EXPECT_NE(port_->ask(http::verb::get, "/docs/types")
                  .body()
                  .find("id=\"" + method->input_type()->full_name() + "\""),
              std::string::npos);
  }
}

}  // namespace
}  // namespace repath

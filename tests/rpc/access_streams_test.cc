// Open streams whose token is revoked, what is logged, and what needs no token.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <grpcpp/support/client_callback.h>

#include <sstream>

#include "rpc/access_fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

class Revoked : public Guarded {
 protected:
  void SetUp() override {
    serve(keeper_line_ + token_line("game", "read,write,agents,admin", "*"));
    allow(make_);
    v1::CreateWorldRequest request;
    request.set_name("town");
    request.set_width(8);
    request.set_height(8);
    v1::World world;
    ASSERT_TRUE(worlds_->CreateWorld(&make_, request, &world).ok());
  }
  static void allow(grpc::ClientContext& context) {
    context.AddMetadata("authorization", bearer("game"));
  }
  void revoke() {
    write_tokens(keeper_line_);
    ASSERT_TRUE(access_->reload().ok());
  }
  static void expect_revoked(const grpc::Status& status) {
    expect_fault(status, grpc::StatusCode::UNAUTHENTICATED, "TOKEN_REVOKED", "");
  }

  const std::string keeper_line_ = token_line("keeper", "read", "*");
  Context make_;
};

TEST_F(Revoked, EndsWatchesOfAWorld) {
  Context context;
  allow(context);
  v1::WatchWorldRequest request;
  request.set_world("town");
  const auto stream = worlds_->WatchWorld(&context, request);
  // The stream is open when a change comes through it.
  Context change;
  allow(change);
  v1::ApplyChangesResponse applied;
  ASSERT_TRUE(worlds_->ApplyChanges(&change, shut_door("town"), &applied).ok());
  v1::WatchWorldResponse answer;
  ASSERT_TRUE(stream->Read(&answer));
  revoke();
  while (stream->Read(&answer)) continue;
  expect_revoked(stream->Finish());
}

TEST_F(Revoked, EndsWatchesOfPaths) {
  Context context;
  allow(context);
  v1::WatchPathsRequest request;
  request.set_world("town");
  const auto stream = agents_->WatchPaths(&context, request);
  // Another call on the connection comes after the stream's beginning.
  Context other;
  allow(other);
  v1::ListWorldsResponse worlds;
  ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
  revoke();
  v1::EventBatch batch;
  while (stream->Read(&batch)) continue;
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(Revoked, EndsSessions) {
  Context context;
  allow(context);
  const auto stream = agents_->Session(&context);
  v1::SessionRequest request;
  request.mutable_open()->set_world("town");
  stream->Write(request);
  v1::SessionResponse answer;
  ASSERT_TRUE(stream->Read(&answer));
  ASSERT_TRUE(answer.has_opened());
  revoke();
  while (stream->Read(&answer)) continue;
  expect_revoked(stream->Finish());
}

TEST_F(Revoked, EndsASessionBeforeItsFirstMessage) {
  Context context;
  allow(context);
  const auto stream = agents_->Session(&context);
  // Another call on the connection comes after the stream's beginning.
  Context other;
  allow(other);
  v1::ListWorldsResponse worlds;
  ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
  revoke();
  v1::SessionResponse answer;
  EXPECT_FALSE(stream->Read(&answer));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(Revoked, EndsImports) {
  Context context;
  allow(context);
  v1::World world;
  const auto stream = worlds_->ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  part.mutable_header()->mutable_world()->set_name("hall");
  ASSERT_TRUE(stream->Write(part));
  Context other;
  allow(other);
  v1::ListWorldsResponse worlds;
  ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
  revoke();
  part.set_chunk("....\n");
  stream->Write(part);
  stream->WritesDone();
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(Revoked, EndsEveryKindOfStream) {
  int streams = 0;
  for (const auto* method : all_methods()) {
    // A client that has not ended its messages, or an answer that goes on.
    const bool is_endless = method->client_streaming() || method->name().rfind("Watch", 0) == 0;
    if (!is_endless) continue;
    SCOPED_TRACE(method->full_name());
    write_tokens(keeper_line_ + token_line("game", "read,write,agents,admin", "*"));
    ASSERT_TRUE(access_->reload().ok());
    grpc::GenericStub stub(channel_);
    Context context;
    allow(context);
    grpc::CompletionQueue queue;
    void* tag = nullptr;
    bool ok = false;
    const auto wait = [&] { return queue.Next(&tag, &ok) && ok; };
    const auto stream = stub.PrepareCall(
        &context, "/" + method->service()->full_name() + "/" + method->name(), &queue);
    stream->StartCall(nullptr);
    wait();
    const grpc::Slice request(request_of(*method, "town"));
    stream->Write(grpc::ByteBuffer(&request, 1), nullptr);
    wait();
    if (!method->client_streaming()) {
      stream->WritesDone(nullptr);
      wait();
    }
    Context other;
    allow(other);
    v1::ListWorldsResponse worlds;
    ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
    revoke();
    for (bool has_more = true; has_more;) {
      grpc::ByteBuffer answer;
      stream->Read(&answer, nullptr);
      has_more = wait();
    }
    grpc::Status status;
    stream->Finish(&status, nullptr);
    wait();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << status.error_message();
    ++streams;
  }
  EXPECT_GE(streams, 4);
}

// A session may name its world long after its call was let in.
TEST_F(Revoked, ASessionOpensOnlyWorldsOfTheTokensOfNow) {
  Context context;
  allow(context);
  const auto stream = agents_->Session(&context);
  Context other;
  allow(other);
  v1::ListWorldsResponse worlds;
  ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
  write_tokens(token_line("game", "agents", "village"));
  ASSERT_TRUE(access_->reload().ok());
  v1::SessionRequest request;
  request.mutable_open()->set_world("town");
  stream->Write(request);
  v1::SessionResponse answer;
  EXPECT_FALSE(stream->Read(&answer));
  expect_fault(stream->Finish(), grpc::StatusCode::PERMISSION_DENIED, "WORLD_DENIED", "open.world");
}

TEST_F(Revoked, AnImportMakesOnlyWorldsOfTheTokensOfNow) {
  Context context;
  allow(context);
  v1::World world;
  const auto stream = worlds_->ImportWorld(&context, &world);
  Context other;
  allow(other);
  v1::ListWorldsResponse worlds;
  ASSERT_TRUE(worlds_->ListWorlds(&other, {}, &worlds).ok());
  write_tokens(token_line("game", "admin", "village"));
  ASSERT_TRUE(access_->reload().ok());
  v1::ImportWorldRequest part;
  part.mutable_header()->mutable_world()->set_name("hall");
  stream->Write(part);
  stream->WritesDone();
  expect_fault(stream->Finish(), grpc::StatusCode::PERMISSION_DENIED, "WORLD_DENIED",
               "header.world.name");
}

TEST_F(Revoked, RefusesNewCallsAndLeavesOthersAlone) {
  Context watch;
  watch.AddMetadata("authorization", bearer("keeper"));
  v1::WatchWorldRequest request;
  request.set_world("town");
  const auto stream = worlds_->WatchWorld(&watch, request);
  v1::WatchWorldResponse first;
  Context change;
  allow(change);
  v1::ApplyChangesResponse applied;
  ASSERT_TRUE(worlds_->ApplyChanges(&change, shut_door("town"), &applied).ok());
  ASSERT_TRUE(stream->Read(&first));
  revoke();
  Context refused;
  allow(refused);
  v1::ListWorldsResponse worlds;
  expect_fault(worlds_->ListWorlds(&refused, {}, &worlds), grpc::StatusCode::UNAUTHENTICATED,
               "TOKEN_INVALID", "");
  // The keeper's stream is open: nothing ends it until its client does.
  watch.TryCancel();
  while (stream->Read(&first)) continue;
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(Revoked, AChangeIsLoggedWithItsCallerAndNoSecretIs) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  Context change;
  allow(change);
  v1::ApplyChangesResponse applied;
  EXPECT_TRUE(worlds_->ApplyChanges(&change, shut_door("town"), &applied).ok());
  for (const char* const owner : {"one", "another"}) {
    Context session;
    allow(session);
    const auto stream = agents_->Session(&session);
    v1::SessionRequest open;
    open.mutable_open()->set_world("town");
    open.mutable_open()->set_session_id("match");
    open.mutable_open()->set_session_secret(owner);
    stream->Write(open);
    v1::SessionResponse answer;
    EXPECT_EQ(stream->Read(&answer), std::string_view(owner) == "one");
    session.TryCancel();
    while (stream->Read(&answer)) continue;
    EXPECT_FALSE(stream->Finish().ok());
  }
  Context removal;
  allow(removal);
  v1::DeleteWorldRequest removed;
  removed.set_world("town");
  v1::DeleteWorldResponse nothing;
  EXPECT_TRUE(worlds_->DeleteWorld(&removal, removed, &nothing).ok());
  Context wrong;
  wrong.AddMetadata("authorization", "Bearer game.wrong-secret");
  EXPECT_FALSE(worlds_->DeleteWorld(&wrong, removed, &nothing).ok());
  revoke();
  spdlog::set_default_logger(before);
  const std::string text = log.str();
  const auto has = [&text](const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(
      has("audit who=\"token game\" what=repath.v1.WorldService.ApplyChanges world=town "
          "revision=" +
          std::to_string(applied.revision())))
      << text;
  EXPECT_TRUE(has("audit who=\"token game\" what=repath.v1.WorldService.DeleteWorld world=town"))
      << text;
  const std::string opened = "what=repath.v1.AgentService.Session world=town";
  EXPECT_TRUE(has(opened)) << text;
  EXPECT_EQ(text.find(opened, text.find(opened) + 1), std::string::npos)
      << "a session that was refused is no change: " << text;
  EXPECT_FALSE(has("secret")) << text;
}

TEST_F(Guarded, TwoTokensInOneCallAreNone) {
  Context context;
  for (int i = 0; i < 2; ++i) context.AddMetadata("authorization", bearer("all"));
  v1::ListWorldsResponse worlds;
  expect_fault(worlds_->ListWorlds(&context, {}, &worlds), grpc::StatusCode::UNAUTHENTICATED,
               "TOKEN_INVALID", "");
}

// ---- what is free ----

class Free : public Guarded {
 protected:
  // Calls a method without request fields that count, and without a token.
  grpc::StatusCode call_free(const std::string& method) {
    grpc::GenericStub stub(channel_);
    Context context;
    grpc::CompletionQueue queue;
    void* tag = nullptr;
    bool ok = false;
    const grpc::Slice none("");
    const auto call = stub.PrepareUnaryCall(&context, method, grpc::ByteBuffer(&none, 1), &queue);
    call->StartCall();
    grpc::ByteBuffer answer;
    grpc::Status status;
    call->Finish(&answer, &status, nullptr);
    queue.Next(&tag, &ok);
    return status.error_code();
  }
};

TEST_F(Free, HealthNeedsNoToken) {
  EXPECT_EQ(call_free("/grpc.health.v1.Health/Check"), grpc::StatusCode::OK);
}

TEST_F(Free, MethodsThatThereAreNotCountAsOneAndTakeNoNameFromOthers) {
  const auto names = [&](const std::string& method, int calls) {
    return registry_.metrics_text().find("method=\"" + method + "\"} " + std::to_string(calls) +
                                         "\n") != std::string::npos;
  };
  constexpr int kUnknown = 300;
  for (int i = 0; i < kUnknown; ++i)
    ASSERT_EQ(call_free("/a.B/" + std::to_string(i)), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(call_free("/repath.v1.PathService/Unheard"), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(call_free("/grpc.health.v1.Health/Check"), grpc::StatusCode::OK);
  EXPECT_EQ(call_free("/repath.v1.WorldService/ListWorlds"), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(names("unknown", kUnknown + 1)) << registry_.metrics_text();
  EXPECT_TRUE(names("/grpc.health.v1.Health/Check", 1)) << registry_.metrics_text();
  EXPECT_TRUE(names("/repath.v1.WorldService/ListWorlds", 1)) << registry_.metrics_text();
  EXPECT_EQ(registry_.metrics_text().find("/a.B/"), std::string::npos);
  EXPECT_EQ(registry_.metrics_text().find("Unheard"), std::string::npos);
}

TEST_F(Free, ReflectionCanBeSwitchedOff) {
  const std::string method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  EXPECT_NE(call_free(method), grpc::StatusCode::UNIMPLEMENTED);
  serve(token_line("all", "read", "*"), nullptr, /*has_reflection=*/false);
  EXPECT_EQ(call_free(method), grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace repath

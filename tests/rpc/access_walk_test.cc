// Permissions of calls: a walk of all methods of the API, so that a new one cannot be forgotten.
#include <algorithm>
#include <array>
#include <set>

#include "repath/v1/admin.grpc.pb.h"
#include "rpc/access_fixture.h"
#include "rpc/http_port.h"
#include "support/certificates.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

constexpr const char* kAllScopes = "read,write,agents,admin";

std::string scopes_without(Scope missing) {
  Scopes scopes;
  for (std::size_t i = 0; i < kScopeNames.size(); ++i)
    if (static_cast<Scope>(i) != missing) scopes.add(static_cast<Scope>(i));
  return to_text(scopes);
}

TEST(MethodRules, EveryMethodHasARuleAndEveryRuleAMethod) {
  std::set<std::string> methods;
  for (const auto* method : all_methods()) {
    methods.insert(method->full_name());
    EXPECT_NE(rule_of(method->full_name()), nullptr)
        << method->full_name() << " needs a line in server/access/method_rules.cc";
  }
  EXPECT_GE(methods.size(), 35u);
  for (const MethodRule& rule : method_rules())
    EXPECT_TRUE(methods.count(std::string(rule.method))) << rule.method;
  EXPECT_EQ(methods.size(), method_rules().size());
}

TEST(MethodRules, AMethodWithAWorldNamesItsField) {
  // The only methods whose request names no world.
  const std::set<std::string> none{"repath.v1.WorldService.ListWorlds",
                                   "repath.v1.DebugService.GrowObstacle",
                                   "repath.v1.AdminService.Backup"};
  for (const MethodRule& rule : method_rules())
    EXPECT_EQ(rule.world_field.empty(), none.count(std::string(rule.method)) == 1) << rule.method;
}

// Adds the paths of fields that name a world, at any depth.
void find_worlds(const Descriptor& message, const std::string& prefix, int depth,
                 std::set<std::string>* found) {
  constexpr int kDepthMax = 6;  // messages may hold themselves
  for (int i = 0; i < message.field_count() && depth < kDepthMax; ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (field.message_type() != nullptr)
      find_worlds(*field.message_type(), prefix + field.name() + ".", depth + 1, found);
    if (field.name() == "world" && field.type() == FieldDescriptor::TYPE_STRING)
      found->insert(prefix + field.name());
  }
}

TEST(MethodRules, NoOtherFieldOfARequestNamesAWorld) {
  for (const auto* method : all_methods()) {
    std::set<std::string> found;
    find_worlds(*method->input_type(), "", 0, &found);
    found.erase(std::string(rule_of(method->full_name())->world_field));
    found.erase(std::string(rule_of(method->full_name())->source_field));
    // Each query of a batch is about the batch's world, or refused.
    if (method->name() == "FindPaths") found.erase("requests.world");
    EXPECT_TRUE(found.empty()) << method->full_name() << ": " << *found.begin();
  }
}

enum class By { kGrpc, kTls, kHttp };

class AccessWalk : public Guarded, public testing::WithParamInterface<By> {
 protected:
  void SetUp() override {
    const bool has_tls = GetParam() == By::kTls;
    std::string lines =
        token_line("all", kAllScopes, "*") + token_line("other", kAllScopes, "other-*");
    for (std::size_t i = 0; i < kScopeNames.size(); ++i) {
      const auto scope = static_cast<Scope>(i);
      lines += token_line("no-" + std::string(name_of(scope)), scopes_without(scope), "*");
    }
    if (!has_tls) {
      serve(lines);
      if (GetParam() == By::kHttp) port_.emplace(*server_);
      return;
    }
    std::ofstream(certificate_) << own_.pem();
    std::ofstream(key_) << own_.key_pem();
    auto keeper = CertificateKeeper::start({certificate_, key_, ""});
    ASSERT_TRUE(keeper.ok()) << keeper.status();
    keeper_ = *std::move(keeper);
    serve(lines, keeper_.get());
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = own_.pem();
    channel_ = grpc::CreateChannel(server_->addresses().front(), grpc::SslCredentials(options));
    worlds_ = v1::WorldService::NewStub(channel_);
  }
  void TearDown() override {
    port_.reset();
    for (const std::string& path : {certificate_, key_}) std::remove(path.c_str());
    Guarded::TearDown();
  }

  grpc::Status call(const MethodDescriptor& method, const std::string& request,
                    const std::string& authorization) {
    return port_ ? port_->call(method, request, authorization)
                 : Guarded::call(method, request, authorization);
  }

  void make_world(const std::string& name) {
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(8);
    request.set_height(8);
    Context context;
    context.AddMetadata("authorization", bearer("all"));
    v1::World world;
    const grpc::Status status = worlds_->CreateWorld(&context, request, &world);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  std::vector<std::string> names(const std::string& id) {
    Context context;
    context.AddMetadata("authorization", bearer(id));
    v1::ListWorldsResponse response;
    const grpc::Status status = worlds_->ListWorlds(&context, {}, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    std::vector<std::string> names;
    for (const auto& world : response.worlds()) names.push_back(world.name());
    return names;
  }

  std::optional<HttpPort> port_;
  TestCertificate own_;
  const std::string certificate_ = temp_path("walk-cert.pem");
  const std::string key_ = temp_path("walk-key.pem");
  std::unique_ptr<CertificateKeeper> keeper_;
};

TEST_P(AccessWalk, WithoutATokenEveryMethodIsRefused) {
  for (const auto* method : all_methods()) {
    SCOPED_TRACE(method->full_name());
    expect_fault(call(*method, request_of(*method, "mine"), ""), grpc::StatusCode::UNAUTHENTICATED,
                 "TOKEN_MISSING", "");
  }
}

TEST_P(AccessWalk, WithAWrongTokenEveryMethodIsRefused) {
  for (const std::string& wrong :
       {std::string("Bearer all.secret-of-al"), std::string("Bearer nobody.secret-of-all"),
        std::string("Bearer all."), std::string("Bearer "), std::string("Basic YWxsOg=="),
        std::string("all.secret-of-all"), std::string("Bearer .secret-of-all"),
        "Bearer " + std::string(4000, 'a') + ".x"}) {
    for (const auto* method : all_methods()) {
      SCOPED_TRACE(method->full_name() + " with " + wrong.substr(0, 40));
      expect_fault(call(*method, request_of(*method, "mine"), wrong),
                   grpc::StatusCode::UNAUTHENTICATED, "TOKEN_INVALID", "");
    }
  }
}

TEST_P(AccessWalk, WithoutItsScopeEveryMethodIsRefused) {
  make_world("mine");
  for (const auto* method : all_methods()) {
    SCOPED_TRACE(method->full_name());
    const Scope scope = rule_of(method->full_name())->scope;
    const std::string token = bearer("no-" + std::string(name_of(scope)));
    expect_fault(call(*method, request_of(*method, "mine"), token),
                 grpc::StatusCode::PERMISSION_DENIED, "SCOPE_MISSING", "");
    if (rule_of(method->full_name())->source_field.empty()) continue;
    const Scope second = rule_of(method->full_name())->source_scope;
    expect_fault(
        call(*method, request_of(*method, "mine"), bearer("no-" + std::string(name_of(second)))),
        grpc::StatusCode::PERMISSION_DENIED, "SCOPE_MISSING", "");
  }
  EXPECT_EQ(names("all"), std::vector<std::string>{"mine"});
}

TEST_P(AccessWalk, WithAnotherWorldsPatternEveryMethodWithAWorldIsRefused) {
  make_world("mine");
  for (const auto* method : all_methods()) {
    const std::string field(rule_of(method->full_name())->world_field);
    if (field.empty()) continue;
    // The answer does not tell whether the world exists.
    for (const std::string world : {"mine", "unmade", "", "no name"}) {
      SCOPED_TRACE(method->full_name() + " of " + world);
      expect_fault(call(*method, request_of(*method, world), bearer("other")),
                   grpc::StatusCode::PERMISSION_DENIED, "WORLD_DENIED", field);
    }
  }
  EXPECT_EQ(names("all"), std::vector<std::string>{"mine"});
}

TEST_P(AccessWalk, ABackupNeedsAPatternForAllWorlds) {
  const auto backups = v1::AdminService::NewStub(channel_);
  const auto back_up = [&](const std::string& id) {
    Context context;
    context.AddMetadata("authorization", bearer(id));
    v1::BackupRequest request;
    request.set_name("new");
    v1::BackupResponse response;
    return backups->Backup(&context, request, &response);
  };
  expect_fault(back_up("other"), grpc::StatusCode::PERMISSION_DENIED, "WORLD_DENIED", "");
  expect_fault(back_up("all"), grpc::StatusCode::FAILED_PRECONDITION, "NOT_DURABLE", "");
}

TEST_P(AccessWalk, AQueryOfABatchCannotNameAnotherWorld) {
  make_world("mine");
  make_world("other-1");
  const auto paths = v1::PathService::NewStub(channel_);
  for (const char* world : {"mine", "unmade"}) {
    Context context;
    context.AddMetadata("authorization", bearer("other"));
    v1::FindPathsRequest request;
    request.set_world("other-1");
    request.add_requests()->set_world(world);
    v1::FindPathsResponse response;
    const grpc::Status status = paths->FindPaths(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    EXPECT_EQ(status.error_message().find(world), std::string::npos) << status.error_message();
  }
}

TEST_P(AccessWalk, WithTheRightTokenNoMethodIsRefused) {
  for (const auto* method : all_methods()) {
    SCOPED_TRACE(method->full_name());
    const grpc::Status status = call(*method, request_of(*method, "mine"), bearer("all"));
    EXPECT_NE(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << status.error_message();
    EXPECT_NE(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << status.error_message();
    EXPECT_NE(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
  }
}

TEST_P(AccessWalk, BytesThatAreNoMessageAreAnsweredAsWithoutTokens) {
  for (const auto* method : all_methods()) {
    if (method->client_streaming()) continue;
    SCOPED_TRACE(method->full_name());
    // By HTTP it has a reason.
    EXPECT_EQ(call(*method, "\x0a\xff", bearer("all")).error_code(),
              GetParam() == By::kHttp ? grpc::StatusCode::INVALID_ARGUMENT
                                      : grpc::StatusCode::UNIMPLEMENTED);
    EXPECT_EQ(call(*method, "\x0a\xff", "").error_code(), grpc::StatusCode::UNAUTHENTICATED);
  }
}

TEST_P(AccessWalk, ListWorldsShowsOnlyWorldsOfThePattern) {
  for (const char* name : {"a", "mine", "other-1", "other-2", "z"}) make_world(name);
  EXPECT_EQ(names("other"), (std::vector<std::string>{"other-1", "other-2"}));
  // Pages are of worlds that the caller sees.
  Context context;
  context.AddMetadata("authorization", bearer("other"));
  v1::ListWorldsRequest request;
  request.set_page_size(1);
  v1::ListWorldsResponse response;
  ASSERT_TRUE(worlds_->ListWorlds(&context, request, &response).ok());
  ASSERT_EQ(response.worlds_size(), 1);
  EXPECT_EQ(response.worlds(0).name(), "other-1");
  EXPECT_EQ(response.next_page_token(), "other-1");
}

std::string name_of_door(const testing::TestParamInfo<By>& door) {
  constexpr std::array kNames{"ByGrpc", "ByGrpcWithTls", "ByHttp"};
  return kNames[static_cast<std::size_t>(door.param)];
}
INSTANTIATE_TEST_SUITE_P(Doors, AccessWalk, testing::Values(By::kGrpc, By::kTls, By::kHttp),
                         name_of_door);

}  // namespace
}  // namespace repath

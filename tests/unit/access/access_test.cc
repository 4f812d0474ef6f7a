#include "access/access.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "access/address_rule.h"
#include "base/error.h"
#include "support/temp_path.h"

namespace repath {
namespace {

// The SHA-256 of "secret".
const std::string kHash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

Credentials token(const char* authorization) { return {std::string_view(authorization)}; }

class Tokens : public testing::Test {
 protected:
  Tokens() { write("token a read,write town-* " + kHash + "\n"); }
  ~Tokens() override { std::remove(path_.c_str()); }
  void write(const std::string& text) { std::ofstream(path_) << text; }
  Access& access() {
    if (access_ == nullptr) access_ = *Access::with_tokens(path_);
    return *access_;
  }
  CallAccess call(const char* method) {
    auto call = CallAccess::decide(access(), rule_of(method), token("Bearer a.secret"));
    EXPECT_TRUE(call.ok()) << call.status();
    return *call;
  }

  const std::string path_ = test::temp_path("tokens");
  std::unique_ptr<Access> access_;
};

constexpr const char* kGetWorld = "repath.v1.WorldService.GetWorld";
constexpr const char* kWatchWorld = "repath.v1.WorldService.WatchWorld";

TEST_F(Tokens, ACallNeedsItsScope) {
  const auto decide = [&](const char* method, const char* authorization) {
    return error_reason(
        CallAccess::decide(access(), rule_of(method), token(authorization)).status());
  };
  EXPECT_EQ(decide(kGetWorld, "Bearer a.secret"), "");
  EXPECT_EQ(decide(kGetWorld, "bearer a.secret"), "");
  EXPECT_EQ(decide(kGetWorld, "Bearer a.wrong"), "TOKEN_INVALID");
  EXPECT_EQ(decide("repath.v1.WorldService.DeleteWorld", "Bearer a.secret"), "SCOPE_MISSING");
  EXPECT_EQ(decide("repath.v1.WorldService.Unheard", "Bearer a.secret"), "METHOD_HAS_NO_RULE");
  EXPECT_EQ(error_reason(CallAccess::decide(access(), rule_of(kGetWorld), {}).status()),
            "TOKEN_MISSING");
}

TEST_F(Tokens, AMethodWithASourceNeedsTheScopeOfBothWorlds) {
  const auto decide = [&](const std::string& scopes) {
    write("token a " + scopes + " * " + kHash + "\n");
    EXPECT_TRUE(access().reload().ok());
    return CallAccess::decide(access(), rule_of("repath.v1.WorldService.ForkWorld"),
                              token("Bearer a.secret"))
        .status();
  };
  EXPECT_EQ(error_reason(decide("admin")), "SCOPE_MISSING");
  EXPECT_EQ(error_reason(decide("read")), "SCOPE_MISSING");
  EXPECT_EQ(error_reason(decide("write,agents")), "SCOPE_MISSING");
  EXPECT_TRUE(decide("read,admin").ok());
}

TEST_F(Tokens, WhatConcernsAllWorldsNeedsAPatternForAll) {
  EXPECT_EQ(error_reason(call(kGetWorld).check_all_worlds()), "WORLD_DENIED");
  write("token a read * " + kHash + "\n");
  ASSERT_TRUE(access().reload().ok());
  EXPECT_TRUE(call(kGetWorld).check_all_worlds().ok());
  EXPECT_FALSE(CallAccess::current().check_all_worlds().ok());
  Access open;
  EXPECT_TRUE(CallAccess::decide(open, rule_of(kGetWorld), {})->check_all_worlds().ok());
}

TEST_F(Tokens, AMethodWithoutARuleIsRefusedAlsoWithoutAFile) {
  Access open;
  EXPECT_EQ(error_reason(CallAccess::decide(open, nullptr, {}).status()), "METHOD_HAS_NO_RULE");
  const auto call = CallAccess::decide(open, rule_of(kGetWorld), {});
  ASSERT_TRUE(call.ok());
  EXPECT_TRUE(call->check_world("anything").ok());
}

TEST_F(Tokens, AWorldNeedsAPatternAndOutsideOfACallNothingIsAllowed) {
  const CallAccess mine = call(kGetWorld);
  EXPECT_TRUE(mine.check_world("town-1").ok());
  const absl::Status denied = mine.check_world("arena", "header.world.name");
  EXPECT_EQ(error_reason(denied), "WORLD_DENIED");
  EXPECT_EQ(error_field(denied), "header.world.name");
  EXPECT_EQ(denied.message(), "header.world.name: token a has no pattern that matches this name");
  EXPECT_EQ(mine.check_world("arena", "").message(),
            "token a has no pattern that matches this name");
  EXPECT_FALSE(CallAccess::current().check_world("town-1").ok());
  {
    const CallAccess::Scope scope(mine);
    EXPECT_TRUE(CallAccess::current().check_world("town-1").ok());
  }
  EXPECT_FALSE(CallAccess::current().check_world("town-1").ok());
}

TEST_F(Tokens, ACertificateCountsOnlyWithoutAToken) {
  write("token a read * " + kHash + "\ncertificate dns:game.example write *\n");
  Credentials both = token("Bearer a.wrong");
  both.certificate_names = [] { return std::vector<std::string>{"dns:game.example"}; };
  EXPECT_EQ(error_reason(access().identify(both).status()), "TOKEN_INVALID");
  both.authorization.reset();
  const auto caller = access().identify(both);
  ASSERT_TRUE(caller.ok());
  EXPECT_EQ((*caller)->name, "certificate dns:game.example");
  both.certificate_names = [] { return std::vector<std::string>{"dns:other.example"}; };
  EXPECT_EQ(error_reason(access().identify(both).status()), "CERTIFICATE_UNKNOWN");
}

TEST_F(Tokens, FiguresOfAllWorldsNeedAPatternForAll) {
  EXPECT_EQ(error_reason(access().may_see_all(token("Bearer a.secret"))), "WORLD_DENIED");
  EXPECT_EQ(error_reason(access().may_see_all({})), "TOKEN_MISSING");
  write("token a read * " + kHash + "\n");
  ASSERT_TRUE(access().reload().ok());
  EXPECT_TRUE(access().may_see_all(token("Bearer a.secret")).ok());
  write("token a write * " + kHash + "\n");
  ASSERT_TRUE(access().reload().ok());
  EXPECT_EQ(error_reason(access().may_see_all(token("Bearer a.secret"))), "SCOPE_MISSING");
}

TEST_F(Tokens, ABadFileKeepsTheLastGoodOne) {
  EXPECT_TRUE(access().identify(token("Bearer a.secret")).ok());
  for (const std::string bad :
       {"token a read", "nonsense\n", "token a read * 00\n", "", "\n", " \t\r\n\n"}) {
    write(bad);
    EXPECT_FALSE(access().reload().ok()) << bad;
    EXPECT_TRUE(access().identify(token("Bearer a.secret")).ok()) << bad;
  }
  std::remove(path_.c_str());
  EXPECT_FALSE(access().reload().ok());
  EXPECT_TRUE(access().identify(token("Bearer a.secret")).ok());
}

TEST_F(Tokens, AFileWithACommentAloneRevokesAll) {
  EXPECT_TRUE(access().identify(token("Bearer a.secret")).ok());
  write("# none\n");
  EXPECT_TRUE(access().reload().ok());
  EXPECT_FALSE(access().identify(token("Bearer a.secret")).ok());
}

TEST_F(Tokens, AnEmptyFileIsEnoughForAStart) {
  write("");
  EXPECT_FALSE(access().identify(token("Bearer a.secret")).ok());
  write("token a read * " + kHash + "\n");
  EXPECT_TRUE(access().reload().ok());
  EXPECT_TRUE(access().identify(token("Bearer a.secret")).ok());
}

// The reasons with which a stream on town-1 ends when the file becomes `text`.
class OpenStreams : public Tokens {
 protected:
  std::vector<std::string> ends_with(const std::string& text) {
    std::vector<std::string> reasons;
    StreamLease lease(call(kWatchWorld),
                      [&](const absl::Status& why) { reasons.push_back(error_reason(why)); });
    EXPECT_TRUE(lease.set_world("town-1").ok());
    write(text);
    EXPECT_TRUE(access().reload().ok());
    return reasons;
  }
};

TEST_F(OpenStreams, EndWhenTheirTokenIsRevoked) {
  EXPECT_EQ(ends_with("token b read * " + kHash + "\n"), std::vector<std::string>{"TOKEN_REVOKED"});
}
TEST_F(OpenStreams, EndWhenTheirSecretChanges) {
  EXPECT_EQ(ends_with("token a read * " + std::string(64, '0') + "\n"),
            std::vector<std::string>{"TOKEN_REVOKED"});
}
TEST_F(OpenStreams, EndWhenTheirScopeOrWorldIsTakenAway) {
  EXPECT_EQ(ends_with("token a write town-* " + kHash + "\n"),
            std::vector<std::string>{"SCOPE_MISSING"});
}
TEST_F(OpenStreams, EndWhenTheirWorldIsTakenAway) {
  EXPECT_EQ(ends_with("token a read arena " + kHash + "\n"),
            std::vector<std::string>{"WORLD_DENIED"});
}
TEST_F(OpenStreams, GoOnWhenTheirTokenIsStillGood) {
  EXPECT_TRUE(ends_with("token a read town-1 " + kHash + "\n").empty());
}
TEST_F(OpenStreams, AClosedStreamIsForgotten) {
  int ended = 0;
  {
    StreamLease lease(call(kWatchWorld), [&](const absl::Status&) { ++ended; });
    StreamLease moved = std::move(lease);
  }
  write("# none\n");
  EXPECT_TRUE(access().reload().ok());
  EXPECT_EQ(ended, 0);
}
TEST_F(OpenStreams, AStreamThatOpensAfterItsTokenWentEndsAtOnce) {
  const CallAccess early = call(kWatchWorld);
  write("# none\n");
  EXPECT_TRUE(access().reload().ok());
  std::string reason;
  const StreamLease lease(early, [&](const absl::Status& why) { reason = error_reason(why); });
  EXPECT_EQ(reason, "TOKEN_REVOKED");
}

TEST_F(OpenStreams, AWorldThatIsNamedLaterIsJudgedByTheTokensOfThen) {
  StreamLease lease(call(kWatchWorld), [](const absl::Status&) { FAIL() << "no world was named"; });
  write("token a read town-2 " + kHash + "\n");
  EXPECT_TRUE(access().reload().ok());
  const absl::Status denied = lease.set_world("town-1", "open.world");
  EXPECT_EQ(error_reason(denied), "WORLD_DENIED");
  EXPECT_EQ(error_field(denied), "open.world");
  EXPECT_TRUE(lease.set_world("town-2").ok());
}

TEST(AddressRule, OnlyLoopbackAndUnixSocketsAreLocal) {
  for (const char* local : {"unix:/run/repath.sock", "127.0.0.1:7700", "127.9.9.9:1",
                            "localhost:7700", "LOCALHOST:7700", "[::1]:7700"})
    EXPECT_TRUE(is_local_address(local)) << local;
  for (const char* open :
       {"0.0.0.0:7700", "[::]:7700", "10.0.0.1:7700", "server:7700", "127.0.0.1.example.org:7700",
        "[::ffff:10.0.0.1]:7700", "128.0.0.1:1", "localhost.example.org:1", ""})
    EXPECT_FALSE(is_local_address(open)) << open;
}

TEST(AddressRule, AForeignHostNameIsRefused) {
  for (const char* good : {"", "localhost", "localhost:7780", "127.0.0.1:7780", "[::1]:7780",
                           "10.1.2.3", "Metrics.example.org:7780"})
    EXPECT_TRUE(is_allowed_host(good, {"metrics.example.org"})) << good;
  for (const char* bad : {"evil.example.org", "evil.example.org:7780", "127.0.0.1.evil.org",
                          "localhost.evil.org", "[evil]", "[::1"})
    EXPECT_FALSE(is_allowed_host(bad, {"metrics.example.org"})) << bad;
}

}  // namespace
}  // namespace repath

// A checker that comes back to a restarted server must notice what the server has lost.
#include "verify/comeback.h"

#include <gtest/gtest.h>

#include "unit/client/fake_server.h"

namespace repath::verify {
namespace {

const grpc::Status kGone{grpc::StatusCode::UNAVAILABLE, "socket closed"};

class ComebackTest : public testing::Test {
 protected:
  ComebackTest() {
    server_.load_again(1, 5);
    context_.server = server_.address();
    made_.set_epoch("epoch");
    made_.set_incarnation(1);
  }

  // Opens the session as a run does.
  void begin() {
    ASSERT_TRUE(comeback_.begin(made_));
    link_ = std::make_unique<SessionLink>(context_.channel(), "town", comeback_.session_ttl_ms());
    ASSERT_TRUE(link_->opened().has_value());
    ASSERT_TRUE(server_.received().has_open());
  }
  void restart(std::uint64_t incarnation, std::uint64_t revision) {
    server_.stop();
    server_.load_again(incarnation, revision);
    server_.start();
  }
  bool reopen(std::uint64_t revision = 5, bool is_durable = true) {
    return comeback_.reopen(kGone, &link_, revision, is_durable).has_value();
  }

  test::FakeServer server_;
  cli::CommandContext context_;
  Tally tally_{0};
  Comeback comeback_{10, context_, tally_};
  v1::World made_;
  std::unique_ptr<SessionLink> link_;
};

TEST_F(ComebackTest, TheSameSessionIsOpenedAndItsMessagesAreNumberedOn) {
  begin();
  const std::uint64_t last = link_->last_sequence();
  restart(2, 5);
  ASSERT_TRUE(reopen());
  EXPECT_TRUE(tally_.clean());
  EXPECT_EQ(tally_.restarts, 1u);
  const v1::SessionRequest open = server_.received();
  EXPECT_EQ(open.open().session_id(), "made-by-server");
  EXPECT_EQ(open.open().session_ttl_ms(), 70'000u);
  EXPECT_EQ(open.sequence(), last + 1);
  comeback_.settled();
  EXPECT_GT(tally_.resettled_s, 0);
}

TEST_F(ComebackTest, ARevisionThatWasNotAcknowledgedMayBeThere) {
  begin();
  restart(2, 6);
  EXPECT_TRUE(reopen());
  EXPECT_TRUE(tally_.clean());
}

TEST_F(ComebackTest, AnAcknowledgedRevisionThatIsLostIsADefect) {
  begin();
  restart(2, 4);
  EXPECT_TRUE(reopen());
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(ComebackTest, AnAcknowledgedSessionThatIsLostIsADefect) {
  begin();
  server_.forget_sessions();
  restart(2, 5);
  EXPECT_TRUE(reopen());
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(ComebackTest, ASessionThatWasNotAcknowledgedMayBeLost) {
  begin();
  server_.forget_sessions();
  restart(2, 5);
  EXPECT_TRUE(reopen(5, /*is_durable=*/false));
  EXPECT_TRUE(tally_.clean());
}

TEST_F(ComebackTest, AnotherEpochIsADefect) {
  made_.set_epoch("another");
  begin();
  restart(2, 5);
  EXPECT_TRUE(reopen());
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(ComebackTest, AStreamThatBreaksWithoutARestartEndsTheRun) {
  begin();
  restart(1, 5);
  EXPECT_FALSE(reopen());
  EXPECT_EQ(context_.exit_code, cli::kCheckFailed);
}

TEST_F(ComebackTest, ARefusalEndsTheRun) {
  begin();
  const grpc::Status refusal =
      test::refusal(grpc::StatusCode::NOT_FOUND, "WORLD_UNKNOWN", "world", "there is none");
  EXPECT_FALSE(comeback_.reopen(refusal, &link_, 5, true).has_value());
  EXPECT_EQ(context_.exit_code, cli::kRefused);
  EXPECT_EQ(tally_.restarts, 0u);
}

TEST_F(ComebackTest, AServerThatDoesNotComeBackEndsTheRun) {
  Comeback hasty{0.2, context_, tally_};
  begin();
  server_.stop();
  EXPECT_FALSE(hasty.reopen(kGone, &link_, 5, true).has_value());
  EXPECT_EQ(context_.exit_code, cli::kRefused);
}

TEST_F(ComebackTest, WithoutTheOptionABreakEndsTheRun) {
  Comeback off{0, context_, tally_};
  begin();
  restart(2, 5);
  EXPECT_FALSE(off.reopen(kGone, &link_, 5, true).has_value());
  EXPECT_EQ(context_.exit_code, cli::kRefused);
}

TEST_F(ComebackTest, AWorldInMemoryIsRefusedAtTheBeginning) {
  made_.set_incarnation(0);
  EXPECT_FALSE(comeback_.begin(made_));
  EXPECT_EQ(context_.exit_code, cli::kCheckFailed);
  Comeback off{0, context_, tally_};
  EXPECT_TRUE(off.begin(made_));
}

TEST(BrokenStatus, IsOneOfTheConnectionAndNoRefusal) {
  EXPECT_TRUE(is_broken(kGone));
  EXPECT_TRUE(is_broken(grpc::Status(grpc::StatusCode::INTERNAL, "reset")));
  EXPECT_TRUE(is_broken(test::refusal(grpc::StatusCode::UNAVAILABLE, "DRAINING", "", "it drains")));
  EXPECT_FALSE(is_broken(
      test::refusal(grpc::StatusCode::UNAVAILABLE, "STORE_UNAVAILABLE", "", "disk full")));
  EXPECT_FALSE(is_broken(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "late")));
}

}  // namespace
}  // namespace repath::verify

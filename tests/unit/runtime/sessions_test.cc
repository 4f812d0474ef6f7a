// Callers that may act for a session, the list of sessions, and sessions that are closed.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/sha256.h"
#include "unit/runtime/hub_bed.h"

namespace repath {
namespace {

using test::kFirst;
using test::kSecond;
using test::kThird;
using test::walker;

SessionProof proof(const std::string& secret, const std::string& identity = "") {
  SessionProof shown{std::nullopt, identity};
  if (!secret.empty()) shown.secret = sha256(secret);
  return shown;
}

class Sessions : public testing::Test {
 protected:
  absl::Status open(StreamId id, const std::string& session, const SessionProof& shown,
                    std::shared_ptr<test::RecordingSink> sink = nullptr) {
    SessionOpen opening{session};
    opening.ttl_us = 1'000'000;
    opening.sequence = 1;
    opening.client = "address 1";
    opening.proof = shown;
    if (sink == nullptr) sink = std::make_shared<test::RecordingSink>();
    return bed_.hub().open_session(id, opening, sink, bed_.now);
  }
  static void expect_denied(const absl::Status& status, const std::string& field) {
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
    EXPECT_EQ(error_reason(status), "SESSION_DENIED");
    EXPECT_EQ(error_field(status), field);
  }

  InlineExecutor executor_;
  test::HubBed bed_{test::HubBed::square(executor_)};
};

TEST_F(Sessions, WithASecretOnlyThatSecretResumesOrTakesOver) {
  const auto sink = std::make_shared<test::RecordingSink>();
  ASSERT_TRUE(open(kFirst, "a", proof("abc"), sink).ok());
  for (const char* wrong : {"", "abd", "abcd", "ab"})
    expect_denied(open(kSecond, "a", proof(wrong)), "open.session_secret");
  EXPECT_FALSE(sink->seen().end.has_value()) << "the stream goes on";
  EXPECT_TRUE(bed_.hub().has(kFirst));
  ASSERT_TRUE(open(kSecond, "a", proof("abc")).ok());
  EXPECT_EQ(sink->seen().end_reason(), "SESSION_TAKEN_OVER");
  bed_.detach(kSecond);
  expect_denied(open(kThird, "a", proof("")), "open.session_secret");
  EXPECT_TRUE(open(kThird, "a", proof("abc")).ok());
}

TEST_F(Sessions, WithoutASecretTheNameIsEnoughAndTheFirstSecretStays) {
  ASSERT_TRUE(open(kFirst, "a", proof("")).ok());
  ASSERT_TRUE(open(kSecond, "a", proof("")).ok());
  ASSERT_TRUE(open(kThird, "a", proof("late")).ok());
  expect_denied(open(kFirst, "a", proof("")), "open.session_secret");
  expect_denied(open(kFirst, "a", proof("other")), "open.session_secret");
}

TEST_F(Sessions, BelongToTheIdentityThatOpenedThem) {
  ASSERT_TRUE(open(kFirst, "a", proof("abc", "token game-1")).ok());
  expect_denied(open(kSecond, "a", proof("abc", "token game-2")), "open.session_id");
  ASSERT_TRUE(open(kSecond, "a", proof("abc", "token game-1")).ok());
  // A server that was started again without tokens.
  EXPECT_TRUE(open(kThird, "a", proof("abc")).ok());
}

TEST_F(Sessions, CallsOutsideAStreamNeedTheSecretToo) {
  ASSERT_TRUE(open(kFirst, "a", proof("abc", "token game-1")).ok());
  StreamHub& hub = bed_.hub();
  const SessionMessage::Upsert upsert{{walker(7)}, false};
  const SessionMessage::Report report{{{AgentId{7}, {2.5, 1.5}, {}}}};
  for (const std::uint64_t sequence : {0, 9}) {
    const Caller wrong{"a", sequence, proof("abd", "token game-1")};
    expect_denied(hub.upsert(wrong, upsert, 1), "session_secret");
    expect_denied(hub.report(wrong, report, 1).status(), "session_secret");
    expect_denied(hub.remove(wrong, {{AgentId{7}}}).status(), "session_secret");
    const Caller other{"a", sequence, proof("abc", "token game-2")};
    expect_denied(hub.upsert(other, upsert, 1), "session_id");
  }
  EXPECT_EQ(bed_.engine().agent_count(), 0u);
  EXPECT_EQ(hub.sequence_of("a"), 1u) << "nothing took effect";
  const Caller right{"a", 9, proof("abc", "token game-1")};
  EXPECT_TRUE(hub.upsert(right, upsert, 1).ok());
  EXPECT_EQ(bed_.engine().agent_count(), 1u);
}

TEST_F(Sessions, AreListedByNamePageByPage) {
  ASSERT_TRUE(open(kFirst, "b", proof("abc")).ok());
  bed_.upsert(kFirst, 2, walker(7));
  ASSERT_TRUE(open(kSecond, "a", proof("", "token game-1")).ok());
  ASSERT_TRUE(open(kThird, "c", proof("")).ok());
  bed_.detach(kThird);
  bed_.now += 400'000;
  const SessionPage first = bed_.hub().list("", 2, bed_.now);
  ASSERT_EQ(first.sessions.size(), 2u);
  EXPECT_FALSE(first.is_last);
  EXPECT_EQ(first.sessions[0].name, "a");
  EXPECT_FALSE(first.sessions[0].has_secret);
  EXPECT_EQ(first.sessions[0].agents, 0u);
  const SessionView& b = first.sessions[1];
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.client, "address 1");
  EXPECT_TRUE(b.is_connected);
  EXPECT_TRUE(b.has_secret);
  EXPECT_EQ(b.agents, 1u);
  EXPECT_GT(b.opened_at, 0u);
  EXPECT_EQ(b.ttl_us, 1'000'000u);
  EXPECT_EQ(b.left_us, 0u);
  EXPECT_EQ(b.applied_sequence, 2u);
  const SessionPage second = bed_.hub().list("b", 2, bed_.now);
  ASSERT_EQ(second.sessions.size(), 1u);
  EXPECT_TRUE(second.is_last);
  EXPECT_EQ(second.sessions[0].name, "c");
  EXPECT_FALSE(second.sessions[0].is_connected);
  EXPECT_EQ(second.sessions[0].left_us, 600'000u);
  EXPECT_TRUE(bed_.hub().list("c", 2, bed_.now).sessions.empty());
  EXPECT_TRUE(bed_.hub().list("b", 1, bed_.now).is_last) << "a full last page";
}

TEST_F(Sessions, UnsentEventsOfAFullWindowAreListed) {
  SessionOpen opening{"a"};
  opening.ack_window = 1;  // the first batch is in flight
  opening.sequence = 1;
  ASSERT_TRUE(bed_.hub()
                  .open_session(kFirst, opening, std::make_shared<test::RecordingSink>(), bed_.now)
                  .ok());
  EXPECT_EQ(bed_.hub().list("", 1, bed_.now).sessions[0].unsent_bytes, 0u);
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  EXPECT_GT(bed_.hub().list("", 1, bed_.now).sessions[0].unsent_bytes, 0u);
}

TEST_F(Sessions, AreClosedAtOnceWithTheirAgents) {
  const auto sink = std::make_shared<test::RecordingSink>();
  ASSERT_TRUE(open(kFirst, "a", proof("abc"), sink).ok());
  bed_.upsert(kFirst, 2, walker(7));
  const auto watch = bed_.watch(kThird);
  bed_.hub().ready(kThird, bed_.now);
  bed_.frame();
  bed_.hub().ready(kThird, bed_.now);
  ASSERT_TRUE(open(kSecond, "away", proof("")).ok());
  bed_.upsert(kSecond, 2, walker(8));
  bed_.detach(kSecond);
  StreamHub& hub = bed_.hub();
  EXPECT_EQ(*hub.close("a", bed_.now), 1u);
  EXPECT_EQ(sink->seen().end_reason(), "SESSION_CLOSED");
  EXPECT_FALSE(hub.has(kFirst));
  EXPECT_EQ(*hub.close("away", bed_.now), 1u);
  EXPECT_EQ(hub.sessions(), 0u);
  EXPECT_EQ(bed_.engine().agent_count(), 0u);
  EXPECT_EQ(error_reason(hub.close("a", bed_.now).status()), "SESSION_UNKNOWN");
  EXPECT_EQ(error_field(hub.close("a", bed_.now).status()), "session_id");
  hub.deliver(bed_.now);
  const auto events = test::events_of(*watch);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back()->type, EventType::kRemoved);
  EXPECT_EQ(events.back()->reason, EventReason::kSessionExpired);
  EXPECT_FALSE(hub.next_expiry().has_value());
  // The name is free again, without the secret.
  EXPECT_TRUE(open(kFirst, "a", proof("")).ok());
  EXPECT_FALSE(hub.list("", 9, bed_.now).sessions[0].has_secret);
}

TEST_F(Sessions, KeepTheirProofInTheirRow) {
  const Sha256::Digest digest = sha256("abc");
  SessionRow row{"a", 1'000'000, 5, 7'000'000, ""};
  row.secret.assign(digest.begin(), digest.end());
  row.identity = "token game-1";
  row.opened_at = 6'000'000;
  bed_.hub().restore_session(row, OwnerId{3}, bed_.now + 500'000);
  const SessionView view = bed_.hub().list("", 1, bed_.now).sessions.at(0);
  EXPECT_TRUE(view.has_secret);
  EXPECT_EQ(view.client, "token game-1");
  EXPECT_EQ(view.opened_at, 6'000'000u);
  EXPECT_EQ(view.left_us, 500'000u);
  expect_denied(open(kFirst, "a", proof("", "token game-1")), "open.session_secret");
  expect_denied(open(kFirst, "a", proof("abc", "token game-2")), "open.session_id");
  EXPECT_TRUE(open(kFirst, "a", proof("abc", "token game-1")).ok());
}

}  // namespace
}  // namespace repath

// A world that meets damage while it is served: its store can write no more of its rows.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "unit/runtime/durable_fixture.h"

namespace repath {
namespace {

using test::wait_for;

constexpr std::chrono::seconds kLong(10);

class DamagedWorld : public test::Durable {
 protected:
  static void expect_damaged(const absl::Status& status) {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_EQ(error_reason(status), "WORLD_DAMAGED");
  }
  bool metrics_have(const std::string& line) const {
    return registry_->metrics_text().find("\n" + line + "\n") != std::string::npos;
  }
};

TEST_F(DamagedWorld, AnswersTheCallsThatWaitForItsDisk) {
  ASSERT_TRUE(create("a").ok());
  store_.hold(true);
  auto first = begin_apply(test::shut_door());
  auto second = begin_apply(test::open_door());
  info();
  store_.damage("a");
  for (auto* answer : {&first, &second}) {
    ASSERT_EQ(answer->wait_for(kLong), std::future_status::ready);
    expect_damaged(answer->get().status());
  }
}

TEST_F(DamagedWorld, EndsItsStreamsRefusesItsCallsAndLeavesOtherWorldsAlone) {
  ASSERT_TRUE(create("a").ok());
  ASSERT_TRUE(create("b").ok());
  const std::shared_ptr<WorldHost> host = world();
  const auto [session, stream] = open("s");
  const auto watch = std::make_shared<test::RecordingSink>();
  host->open_watch({}, watch);
  info();
  store_.damage("a");
  for (const auto& sink : {session, watch}) {
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
    expect_damaged(*sink->seen().end);
  }
  expect_damaged(apply(test::shut_door()).status());
  expect_damaged(wait_for<WorldInfo>([&](auto answer) { host->info(answer); }).status());
  expect_damaged(wait_for<AgentList>([&](auto answer) { host->list_agents({}, answer); }).status());
  expect_damaged(wait_for<AnySnapshot>([&](auto answer) { host->query({}, answer); }).status());
  const auto [late, refused] = open("t");
  ASSERT_TRUE(late->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  expect_damaged(*late->seen().end);
  EXPECT_TRUE(wait_for<WorldInfo>([&](auto answer) { world("b")->info(answer); }).ok());
}

TEST_F(DamagedWorld, CountsAsQuarantinedUntilItIsDeleted) {
  ASSERT_TRUE(create("a").ok());
  EXPECT_TRUE(metrics_have("repath_worlds_quarantined 0"));
  store_.damage("a");
  for (int i = 0; i < 1000 && !metrics_have("repath_worlds_quarantined 1"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(metrics_have("repath_worlds_quarantined 1"));
  EXPECT_TRUE(metrics_have("repath_quarantines_total 0")) << "no check failed";
  const auto listed = wait_for<WorldInfo>([&](auto answer) { world()->info_as_is(answer); });
  ASSERT_TRUE(listed.ok()) << listed.status();
  EXPECT_NE(listed->quarantine_reason.find("scripted"), std::string::npos);
  EXPECT_TRUE(test::remove_world(*registry_, "a").ok());
  EXPECT_TRUE(metrics_have("repath_worlds_quarantined 0"));
  EXPECT_TRUE(create("a", "2").ok());
}

}  // namespace
}  // namespace repath

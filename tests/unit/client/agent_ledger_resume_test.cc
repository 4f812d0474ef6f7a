// What a ledger repeats after a break, and what it makes of refusals. The random games beside this
// file play it as a whole.
#include <gtest/gtest.h>

#include "repath/internal/agent_ledger.h"

namespace repath::client {
namespace {

Agent agent_at(std::uint64_t id, std::int32_t x = 0) {
  Agent agent;
  agent.id = id;
  agent.position = Cell{x, 0};
  agent.goals = {Cell{9, 9}};
  return agent;
}

void break_and_resume(AgentLedger& ledger, std::uint64_t applied_sequence = 0) {
  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/false, applied_sequence);
}

TEST(AgentLedgerResume, AnAgentPutInAfterItsRemovalStays) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.remove({1});
  ASSERT_TRUE(ledger.next().has_value());
  ledger.upsert({agent_at(1)});
  ASSERT_TRUE(ledger.next().has_value());
  break_and_resume(ledger);
  EXPECT_TRUE(ledger.next()->has_remove());
  EXPECT_TRUE(ledger.next()->has_upsert());
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, ARemovalThatWaitsComesAfterTheUpsertsInFlight) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ASSERT_TRUE(ledger.next().has_value());
  ledger.remove({1});
  ledger.upsert({agent_at(1)});
  break_and_resume(ledger);
  EXPECT_TRUE(ledger.next()->has_remove());
  EXPECT_TRUE(ledger.next()->has_upsert());
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, OfPositionsInFlightTheLatestIsRepeated) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.applied(ledger.next()->sequence());
  for (std::int32_t x = 1; x <= 8; ++x) {
    ledger.report({{1, Cell{x, 0}, 3}});
    ASSERT_TRUE(ledger.next().has_value());
  }
  break_and_resume(ledger);
  const auto report = ledger.next();
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->report().positions_size(), 1);
  EXPECT_EQ(report->report().positions(0).position().cell().x(), 8);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, OnlyWhatTheServerHasNotTakenInIsRepeated) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.upsert({agent_at(2)});
  const std::uint64_t first = ledger.next()->sequence();
  ASSERT_TRUE(ledger.next().has_value());
  break_and_resume(ledger, first);
  EXPECT_FALSE(ledger.is_outdated(1, 0)) << "the server answers this question";
  EXPECT_TRUE(ledger.is_outdated(2, 0));
  EXPECT_EQ(ledger.applied_call(), 1u);
  const auto again = ledger.next();
  ASSERT_TRUE(again.has_value());
  ASSERT_EQ(again->upsert().agents_size(), 1);
  EXPECT_EQ(again->upsert().agents(0).id(), 2u);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, TheOpenOfAnUnheardStreamSaysNothingOfEarlierMessages) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ASSERT_TRUE(ledger.next().has_value());
  const std::uint64_t unheard = ledger.begin_stream();
  break_and_resume(ledger, unheard);
  EXPECT_TRUE(ledger.next().has_value());
}

TEST(AgentLedgerResume, AQuestionThatARestartHasLostIsAskedAnew) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.taken(ledger.next()->sequence());
  EXPECT_FALSE(ledger.is_outdated(1, 0));
  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/true, 0);
  EXPECT_TRUE(ledger.is_outdated(1, 0));
  ledger.taken(ledger.next()->sequence());
  EXPECT_FALSE(ledger.is_outdated(1, 0));
}

TEST(AgentLedgerResume, EventsOfARemovedAgentAreOutdatedUntilItIsGone) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.remove({1});
  EXPECT_TRUE(ledger.is_outdated(1, 0));
  ledger.begin_stream();
  ledger.opened(/*resumed=*/false);
  EXPECT_TRUE(ledger.is_outdated(1, 0));
  ledger.applied(ledger.next()->sequence());
  EXPECT_FALSE(ledger.is_outdated(1, 0));
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, ARefusalNamesTheIndexInTheListOfTheCall) {
  AgentLedger ledger;
  std::vector<Agent> crowd;
  for (std::uint64_t id = 3000; id > 0; --id) crowd.push_back(agent_at(id));
  ledger.upsert(crowd);
  ASSERT_TRUE(ledger.next().has_value());
  ASSERT_TRUE(ledger.next().has_value());
  const auto third = ledger.next();
  ASSERT_TRUE(third.has_value());
  const auto refusal = ledger.rejected(third->sequence(), 452);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->call, 1u);
  EXPECT_EQ(refusal->place, 2 * AgentLedger::kUpsertsMax + 452);
  EXPECT_EQ(crowd[2 * AgentLedger::kUpsertsMax + 452].id, third->upsert().agents(452).id());
}

TEST(AgentLedgerResume, ARefusalOfAForgottenAgentNamesItsOwnCallAndSparesTheOthers) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.upsert({agent_at(3), agent_at(2)});
  ledger.applied(ledger.next()->sequence());
  ledger.begin_stream();
  ledger.opened(/*resumed=*/false);
  const auto again = ledger.next();
  ASSERT_EQ(again->upsert().agents_size(), 3);
  const auto refusal = ledger.rejected(again->sequence(), 1);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->call, 2u);
  EXPECT_EQ(refusal->place, 1u) << "agent 2";
  EXPECT_EQ(ledger.next()->upsert().agents_size(), 2);
}

TEST(AgentLedgerResume, ARefusedAgentThatANewerMessageAddsStays) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1)});
  const std::uint64_t refused = ledger.next()->sequence();
  ledger.upsert({agent_at(1, 5)});
  ASSERT_TRUE(ledger.next().has_value());
  EXPECT_TRUE(ledger.rejected(refused).has_value());
  break_and_resume(ledger);
  const auto again = ledger.next();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->upsert().agents(0).position().cell().x(), 5);
}

TEST(AgentLedgerResume, TheRestOfARefusedRemovalSparesAgentsPutInSince) {
  AgentLedger ledger;
  ledger.upsert({agent_at(1), agent_at(2)});
  ledger.applied(ledger.next()->sequence());
  ledger.remove({1, 2, 9});
  const std::uint64_t removal = ledger.next()->sequence();
  ledger.upsert({agent_at(1)});
  ASSERT_TRUE(ledger.next().has_value());
  EXPECT_FALSE(ledger.rejected(removal, 2, /*is_owned=*/true).has_value());
  const auto rest = ledger.next();
  ASSERT_TRUE(rest.has_value());
  ASSERT_EQ(rest->remove().agent_ids_size(), 1);
  EXPECT_EQ(rest->remove().agent_ids(0), 2u);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedgerResume, CallsWithoutAgentsCountWithTheCallBeforeThem) {
  AgentLedger ledger;
  EXPECT_EQ(ledger.report({}), 1u);
  EXPECT_EQ(ledger.with_empty_calls(0), 1u);
  ledger.upsert({agent_at(1)});
  EXPECT_EQ(ledger.remove({}), 3u);
  EXPECT_EQ(ledger.with_empty_calls(1), 1u);
  EXPECT_EQ(ledger.with_empty_calls(2), 3u);
}

}  // namespace
}  // namespace repath::client

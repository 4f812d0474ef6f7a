#include "repath/internal/agent_ledger.h"

#include <gtest/gtest.h>

namespace repath::client {
namespace {

Agent walker(std::uint64_t id, std::int32_t x = 0) {
  Agent agent;
  agent.id = id;
  agent.position = Cell{x, 0};
  agent.goals = {Cell{9, 9}};
  return agent;
}

std::int32_t x_of(const v1::Location& location) { return location.cell().x(); }

TEST(AgentLedger, NothingAskedIsNothingToSay) {
  AgentLedger ledger;
  EXPECT_FALSE(ledger.next().has_value());
  EXPECT_EQ(ledger.applied_call(), 0u);
}

TEST(AgentLedger, ACallIsAppliedOnceTheServerTookItsMessageIn) {
  AgentLedger ledger;
  EXPECT_EQ(ledger.upsert({walker(1)}), 1u);
  EXPECT_EQ(ledger.applied_call(), 0u);
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->upsert().agents_size(), 1);
  EXPECT_EQ(ledger.applied_call(), 0u);
  ledger.applied(message->sequence());
  EXPECT_EQ(ledger.applied_call(), 1u);
}

TEST(AgentLedger, OnlyTheLatestReportOfAnAgentIsSent) {
  AgentLedger ledger;
  for (std::int32_t x = 0; x < 100; ++x) ledger.report({{7, Cell{x, 0}, 3}});
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  ASSERT_EQ(message->report().positions_size(), 1);
  EXPECT_EQ(x_of(message->report().positions(0).position()), 99);
  EXPECT_FALSE(ledger.next().has_value());
  ledger.applied(message->sequence());
  EXPECT_EQ(ledger.applied_call(), 100u);
}

TEST(AgentLedger, AMessageCarriesOneCallOnlySoThatARefusalIsOneCallers) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.upsert({walker(2)});
  EXPECT_EQ(ledger.next()->upsert().agents_size(), 1);
  const auto second = ledger.next();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->upsert().agents(0).id(), 2u);
  const auto refusal = ledger.rejected(second->sequence());
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->call, 2u);
}

TEST(AgentLedger, RemovingAndPuttingInAgainIsSentAsBothInThisOrder) {
  AgentLedger ledger;
  ledger.remove({5});
  ledger.upsert({walker(5)});
  EXPECT_TRUE(ledger.next()->has_remove());
  EXPECT_TRUE(ledger.next()->has_upsert());
}

TEST(AgentLedger, AnAgentRemovedBeforeItWasSentIsNotPutIn) {
  AgentLedger ledger;
  ledger.upsert({walker(5)});
  ledger.remove({5});
  EXPECT_TRUE(ledger.next()->has_remove());
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, ManyAgentsGoInSeveralMessagesAndCountAsAppliedWithTheLast) {
  AgentLedger ledger;
  std::vector<Agent> crowd;
  for (std::uint64_t id = 0; id <= AgentLedger::kUpsertsMax; ++id) crowd.push_back(walker(id));
  ledger.upsert(crowd);
  const auto first = ledger.next();
  const auto second = ledger.next();
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->upsert().agents_size(), static_cast<int>(AgentLedger::kUpsertsMax));
  EXPECT_EQ(second->upsert().agents_size(), 1);
  ledger.applied(first->sequence());
  EXPECT_EQ(ledger.applied_call(), 0u);
  ledger.applied(second->sequence());
  EXPECT_EQ(ledger.applied_call(), 1u);
}

TEST(AgentLedger, ResumingSendsAgainOnlyWhatWasNotTakenIn) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.upsert({walker(2)});
  ledger.report({{1, Cell{4, 0}, 1}});
  ASSERT_TRUE(ledger.next()->has_upsert());
  ASSERT_TRUE(ledger.next()->has_report());

  const std::uint64_t open = ledger.begin_stream();
  ledger.opened(true);
  const auto upsert = ledger.next();
  ASSERT_TRUE(upsert.has_value());
  ASSERT_EQ(upsert->upsert().agents_size(), 1);
  EXPECT_EQ(upsert->upsert().agents(0).id(), 2u);
  EXPECT_EQ(upsert->sequence(), open + 1);
  const auto report = ledger.next();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(x_of(report->report().positions(0).position()), 4);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, ANewerReportIsNotOverwrittenByOneSentAgain) {
  AgentLedger ledger;
  ledger.report({{1, Cell{4, 0}, 1}});
  ASSERT_TRUE(ledger.next().has_value());
  ledger.report({{1, Cell{5, 0}, 1}});
  ledger.opened(true);
  const auto report = ledger.next();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(x_of(report->report().positions(0).position()), 5);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, AForgottenSessionGetsAllAgentsAtTheirLastReportedPositions) {
  AgentLedger ledger;
  ledger.upsert({walker(1), walker(2)});
  ledger.applied(ledger.next()->sequence());
  ledger.report({{2, Cell{6, 0}, 1}});
  ledger.remove({1});
  ledger.opened(false);
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  ASSERT_EQ(message->upsert().agents_size(), 1);
  EXPECT_EQ(message->upsert().agents(0).id(), 2u);
  EXPECT_EQ(x_of(message->upsert().agents(0).position()), 6);
  const auto removal = ledger.next();  // The agent may belong to no session.
  ASSERT_TRUE(removal.has_value());
  EXPECT_EQ(removal->remove().agent_ids(0), 1u);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, ARefusedAgentIsNotPutInAgain) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  const auto refusal = ledger.rejected(ledger.next()->sequence());
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->call, 1u);
  EXPECT_EQ(ledger.applied_call(), 1u);
  ledger.opened(false);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, HoldsBackWhenTooMuchIsInFlight) {
  AgentLedger ledger;
  for (std::uint64_t id = 0; id <= AgentLedger::kInFlightMax; ++id) ledger.upsert({walker(id)});
  std::uint64_t sequence = 0;
  for (std::size_t i = 0; i < AgentLedger::kInFlightMax; ++i) sequence = ledger.next()->sequence();
  EXPECT_FALSE(ledger.next().has_value());
  ledger.applied(sequence);
  EXPECT_TRUE(ledger.next().has_value());
}

TEST(AgentLedger, AgentsToTakeOverGoInMessagesOfTheirOwn) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.upsert({walker(2)}, /*take_over=*/true);
  ledger.upsert({walker(2)});
  EXPECT_FALSE(ledger.next()->upsert().take_over());
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(message->upsert().take_over());
  EXPECT_EQ(message->upsert().agents(0).id(), 2u);
  EXPECT_FALSE(ledger.next().has_value());
  ledger.begin_stream();
  ledger.opened(true);
  EXPECT_FALSE(ledger.next()->upsert().take_over());
  EXPECT_TRUE(ledger.next()->upsert().take_over()) << "also when it is sent again";
}

TEST(AgentLedger, AnAgentThatWasTakenIsNotPutInAgainNorReported) {
  AgentLedger ledger;
  ledger.upsert({walker(1), walker(2)});
  ledger.applied(ledger.next()->sequence());
  ledger.report({{1, Cell{4, 0}, 1}, {2, Cell{5, 0}, 1}});
  ledger.taken_over(1);
  const auto report = ledger.next();
  ASSERT_EQ(report->report().positions_size(), 1);
  EXPECT_EQ(report->report().positions(0).id(), 2u);
  ledger.begin_stream();
  ledger.opened(false);
  const auto again = ledger.next();
  ASSERT_EQ(again->upsert().agents_size(), 1);
  EXPECT_EQ(again->upsert().agents(0).id(), 2u);
}

TEST(AgentLedger, AnAgentThatIsToBePutInAgainStaysThoughItWasTaken) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.upsert({walker(1)}, /*take_over=*/true);
  ledger.taken_over(1);
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(message->upsert().take_over());
  ledger.taken_over(1);  // known before that message took effect
  ledger.begin_stream();
  ledger.opened(true);
  EXPECT_TRUE(ledger.next().has_value());
}

TEST(AgentLedger, AReportWithAnothersAgentIsSentAgainWithoutIt) {
  AgentLedger ledger;
  ledger.upsert({walker(1), walker(2), walker(3)});
  ledger.applied(ledger.next()->sequence());
  ledger.report({{1, Cell{4, 0}, 1}, {2, Cell{5, 0}, 1}, {3, Cell{6, 0}, 1}});
  const auto report = ledger.next();
  ledger.report({{3, Cell{7, 0}, 1}});
  EXPECT_FALSE(ledger.rejected(report->sequence(), 1, true).has_value()) << "nobody need know";
  const auto again = ledger.next();
  ASSERT_EQ(again->report().positions_size(), 2);
  EXPECT_EQ(again->report().positions(0).id(), 1u);
  EXPECT_EQ(x_of(again->report().positions(1).position()), 7) << "the newest position";
  EXPECT_FALSE(ledger.next().has_value());
  ledger.applied(again->sequence());
  EXPECT_EQ(ledger.applied_call(), 3u);
}

TEST(AgentLedger, OfForgottenAgentsOnlyAnothersIsRefused) {
  AgentLedger ledger;
  ledger.upsert({walker(1), walker(2)});
  ledger.applied(ledger.next()->sequence());
  ledger.begin_stream();
  ledger.opened(false);
  const auto again = ledger.next();
  ASSERT_EQ(again->upsert().agents_size(), 2);
  const auto refusal = ledger.rejected(again->sequence(), 0, true);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->call, 1u);
  const auto rest = ledger.next();
  ASSERT_EQ(rest->upsert().agents_size(), 1);
  EXPECT_EQ(rest->upsert().agents(0).id(), 2u);
}

TEST(AgentLedger, AReplacedQuestionIsKnownUntilTheServerHasTakenItIn) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  EXPECT_TRUE(ledger.is_outdated(1, 0));
  ledger.applied(ledger.next()->sequence());
  EXPECT_FALSE(ledger.is_outdated(1, 0));
  Agent agent = walker(1);
  agent.priority = 3;
  agent.goal_generation = 2;
  ledger.upsert({agent});
  EXPECT_FALSE(ledger.is_outdated(1, 0)) << "it asks the same";
  ledger.applied(ledger.next()->sequence());
  agent.goals = {Cell{2, 2}};
  ledger.upsert({agent});
  const auto message = ledger.next();
  EXPECT_EQ(message->upsert().agents(0).goal_generation(), 2u);
  ledger.applied(message->sequence() - 1);
  EXPECT_TRUE(ledger.is_outdated(1, 2));
  ledger.begin_stream();
  ledger.opened(true);
  EXPECT_TRUE(ledger.is_outdated(1, 2));
  ledger.applied(ledger.next()->sequence());
  EXPECT_FALSE(ledger.is_outdated(1, 2));
}

TEST(AgentLedger, AGreaterGoalGenerationTellsTheNewQuestionFromTheOld) {
  AgentLedger ledger;
  Agent agent = walker(1);
  agent.goal_generation = 4;
  ledger.upsert({agent});
  EXPECT_FALSE(ledger.is_outdated(1, 4));
  agent.goals = {Cell{2, 2}};
  agent.goal_generation = 5;
  ledger.upsert({agent});
  EXPECT_TRUE(ledger.is_outdated(1, 4));
  EXPECT_FALSE(ledger.is_outdated(1, 5));
  agent.goals = {Cell{3, 3}};  // The game does not count up.
  ledger.upsert({agent});
  EXPECT_TRUE(ledger.is_outdated(1, 5));
}

TEST(AgentLedger, RepeatingAQuestionThatIsUnderWayDoesNotReplaceIt) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  const std::uint64_t first = ledger.next()->sequence();
  Agent agent = walker(1);
  agent.priority = 3;
  ledger.upsert({agent});
  ASSERT_TRUE(ledger.next().has_value());
  ledger.taken(first);
  EXPECT_FALSE(ledger.is_outdated(1, 0));
}

// ---- restarts of the server ----

TEST(AgentLedger, AfterARestartWhatWasNotOnTheDiskIsSentAgainWithAllPositions) {
  AgentLedger ledger;
  ledger.upsert({walker(1, 1), walker(2, 2)});
  ledger.applied(ledger.next()->sequence());
  ledger.report({{1, Cell{5, 0}, 3}});
  ledger.applied(ledger.next()->sequence());
  ledger.upsert({walker(3, 3)});
  ledger.remove({2});
  const std::uint64_t upsert = ledger.next()->sequence();
  ledger.taken(ledger.next()->sequence());  // taken in, but not on the disk
  EXPECT_EQ(ledger.applied_call(), 2u);

  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/true);
  std::map<std::uint64_t, int> reported;
  std::vector<std::uint64_t> added;
  std::vector<std::uint64_t> removed;
  while (const auto message = ledger.next()) {
    for (const auto& position : message->report().positions()) {
      reported[position.id()] = x_of(position.position());
      EXPECT_EQ(position.path_version(), 0u);
    }
    for (const auto& agent : message->upsert().agents()) added.push_back(agent.id());
    for (const std::uint64_t id : message->remove().agent_ids()) removed.push_back(id);
  }
  EXPECT_EQ(reported, (std::map<std::uint64_t, int>{{1, 5}}));
  EXPECT_EQ(added, std::vector<std::uint64_t>{3});
  EXPECT_EQ(removed, std::vector<std::uint64_t>{2});
  EXPECT_EQ(ledger.applied_call(), 0u);
  ledger.applied(upsert + 100);
  EXPECT_EQ(ledger.applied_call(), 4u);
}

TEST(AgentLedger, AResumptionWithoutARestartRepeatsNoPositions) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/false);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, AReportOfAPathOfBeforeTheRestartNamesNoPath) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  ledger.applied(ledger.next()->sequence());
  ledger.report({{1, Cell{5, 0}, 3}});
  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/true);
  const auto message = ledger.next();
  ASSERT_TRUE(message.has_value());
  ASSERT_EQ(message->report().positions_size(), 1);
  EXPECT_EQ(x_of(message->report().positions(0).position()), 5);
  EXPECT_EQ(message->report().positions(0).path_version(), 0u);
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(AgentLedger, AQuestionThatIsTakenInIsAnsweredBeforeItIsOnTheDisk) {
  AgentLedger ledger;
  ledger.upsert({walker(1)});
  const std::uint64_t sequence = ledger.next()->sequence();
  EXPECT_TRUE(ledger.is_outdated(1, 0));
  ledger.taken(sequence);
  EXPECT_FALSE(ledger.is_outdated(1, 0));
  EXPECT_EQ(ledger.applied_call(), 0u);
  ledger.taken_over(1);  // by another session, after that
  ledger.begin_stream();
  ledger.opened(/*resumed=*/true, /*reloaded=*/true);
  EXPECT_FALSE(ledger.next().has_value());
}

}  // namespace
}  // namespace repath::client

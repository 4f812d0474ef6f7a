#include "runtime/verdict_diary.h"

#include <gtest/gtest.h>

#include <random>

#include "support/seed.h"

namespace repath {
namespace {

EventPtr verdict(std::uint64_t agent, std::uint64_t revision, std::size_t nodes = 0) {
  AgentEvent event;
  event.agent = AgentId{agent};
  event.revision = Revision{revision};
  if (nodes > 0) event.path.emplace().nodes.resize(nodes);
  return share(std::move(event));
}

std::vector<std::uint64_t> revisions(const VerdictDiary& diary, std::uint64_t agent) {
  std::vector<std::uint64_t> all;
  for (const DiaryEntry& entry : diary.of(AgentId{agent}))
    all.push_back(value(entry.event->revision));
  return all;
}

TEST(VerdictDiary, KeepsTheNewestOfEachAgent) {
  VerdictDiary diary(std::size_t{1} << 20);
  for (std::uint64_t revision = 1; revision <= 70; ++revision) diary.add(verdict(7, revision), 0);
  diary.add(verdict(9, 5), 42);
  const auto kept = revisions(diary, 7);
  ASSERT_EQ(kept.size(), VerdictDiary::kOfAgent);
  EXPECT_EQ(kept.front(), 7u);
  EXPECT_EQ(kept.back(), 70u);
  EXPECT_EQ(revisions(diary, 9), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(diary.of(AgentId{9}).front().at, 42);
  EXPECT_TRUE(diary.of(AgentId{8}).empty());
}

TEST(VerdictDiary, ForgetsTheOldestOfTheWorldAboveItsMemory) {
  VerdictDiary diary(100'000);
  diary.add(verdict(1, 1), 0);
  for (std::uint64_t agent = 2; agent < 40; ++agent) diary.add(verdict(agent, agent, 1000), 0);
  EXPECT_LE(diary.bytes(), 100'000u);
  EXPECT_TRUE(diary.of(AgentId{1}).empty());
  EXPECT_EQ(diary.of(AgentId{39}).size(), 1u);
  // One that is too large by itself leaves nothing.
  diary.add(verdict(50, 1, 100'000), 0);
  EXPECT_TRUE(diary.of(AgentId{50}).empty());
  EXPECT_EQ(diary.bytes(), 0u);
}

TEST(VerdictDiary, OfNoMemoryKeepsNothing) {
  VerdictDiary diary(0);
  EXPECT_FALSE(diary.keeps());
  diary.add(verdict(1, 1), 0);
  EXPECT_TRUE(diary.of(AgentId{1}).empty());
}

// Against a list of all verdicts: an agent has its newest ones, at most 64, and none of them is
// older than a verdict that the world has forgotten for lack of memory.
TEST(VerdictDiary, RandomVerdictsAreThoseOfAPlainList) {
  std::mt19937_64 random(test::seed());
  VerdictDiary diary(40'000);
  std::vector<EventPtr> all;
  for (std::uint64_t revision = 1; revision <= 3000; ++revision) {
    all.push_back(verdict(random() % 5 == 0 ? random() % 20 : 1, revision, random() % 30));
    diary.add(all.back(), 0);
    if (revision % 100 != 0) continue;
    std::size_t kept = 0;
    for (std::uint64_t agent = 0; agent < 20; ++agent) {
      std::vector<std::uint64_t> own;
      for (const EventPtr& event : all)
        if (event->agent == AgentId{agent}) own.push_back(value(event->revision));
      const auto found = revisions(diary, agent);
      kept += found.size();
      ASSERT_LE(found.size(), VerdictDiary::kOfAgent);
      ASSERT_TRUE(std::equal(found.rbegin(), found.rend(), own.rbegin()));
    }
    ASSERT_GT(kept, 0u);
    ASSERT_LE(diary.bytes(), 40'000u);
  }
}

}  // namespace
}  // namespace repath

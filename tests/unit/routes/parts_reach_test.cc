// Many questions about which nodes lead to which, against plain searches, and the work that they
// take.
#include "routes/parts_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/stop_token.h"
#include "support/node_ways.h"
#include "support/seed.h"

namespace repath {
namespace {

class NodesInParts final : public PartsReach {
 public:
  explicit NodesInParts(const NodeWays& ways) : PartsReach(test::parts_of(ways)) {}
  std::uint64_t graph_units() const {
    return parts()->part_count() + parts()->step_count(0, parts()->part_count() - 1);
  }

 private:
  void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const override {
    list->push_back(parts()->part_of(place.cell));
  }
};

RoutePlace at_node(std::uint32_t node) { return {{}, node}; }

// A table, its questions, and their goals.
struct Asked {
  explicit Asked(const NodeWays& ways) : table(ways) {}

  void ask(std::uint32_t from, std::uint32_t of_goals) {
    questions.push_back({at_node(from), of_goals});
  }
  bool answer(const WorkLimits& limits = kNoWorkLimits, const StopToken* stop = nullptr) {
    const std::vector<std::span<const RoutePlace>> spans(goals.begin(), goals.end());
    WorkMeter meter(limits, 0, stop);
    const bool is_done = table.answer(questions, spans, &meter, &leads);
    spent = meter.spent();
    return is_done;
  }
  // Work beside the sweeps.
  std::uint64_t units_of_places() const {
    std::uint64_t places = questions.size();
    for (const std::vector<RoutePlace>& some : goals) places += some.size();
    return places * PartsReach::kUnitsOfPlace;
  }

  NodesInParts table;
  std::vector<ReachQuestion> questions;
  std::vector<std::vector<RoutePlace>> goals;
  std::vector<bool> leads;
  std::uint64_t spent = 0;
};

// Asks from up to `starts` nodes for up to `sets` different goals.
void ask_at_random(Random* random, std::uint32_t nodes, std::uint32_t starts, std::uint32_t sets,
                   Asked* asked) {
  for (std::uint32_t i = 0; i < sets; ++i) {
    asked->goals.emplace_back();
    for (std::uint32_t k = random->below(4); k > 0; --k)
      asked->goals.back().push_back(at_node(random->below(nodes)));
  }
  for (std::uint32_t i = 0; i < 900; ++i)
    asked->ask(random->below(std::min(starts, nodes)), random->below(sets));
}

TEST(PartsReach, LeadsWhereAPlainSearchGets) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int one_way = 0;
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t nodes = 1 + random.below(random.below(2) == 0 ? 40 : 900);
    const NodeWays ways = test::random_ways(&random, nodes, 1);
    Asked asked(ways);
    const bool few_starts = random.below(2) == 0;
    ask_at_random(&random, nodes, few_starts ? 5 : nodes, few_starts ? 700 : 1 + random.below(700),
                  &asked);
    ASSERT_TRUE(asked.answer());
    std::vector<std::vector<bool>> met(nodes);
    const auto gets = [&](std::uint32_t from, std::uint32_t to) -> bool {
      if (met[from].empty()) met[from] = test::flood(ways, from);
      return met[from][to];
    };
    for (std::size_t i = 0; i < asked.questions.size(); ++i) {
      const std::uint32_t from = asked.questions[i].from.cell;
      const std::vector<RoutePlace>& goals = asked.goals[asked.questions[i].goals];
      bool leads = false;
      bool leads_back = false;
      for (const RoutePlace& goal : goals) {
        leads = leads || gets(from, goal.cell);
        leads_back = leads_back || gets(goal.cell, from);
      }
      ASSERT_EQ(asked.leads[i], leads) << "question " << i << " from " << from;
      one_way += leads && !leads_back ? 1 : 0;
    }
  }
  EXPECT_GT(one_way, 1000);
}

// Ways lead right and down only, so each node is a part of its own. The nodes of the upper left
// lead to all others.
NodeWays one_way_grid(std::uint32_t side) {
  NodeWays ways;
  for (std::uint32_t n = 0; n < side * side; ++n) {
    if (n % side + 1 < side) ways.targets.push_back(n + 1);
    if (n + side < side * side) ways.targets.push_back(n + side);
    ways.end_node();
  }
  return ways;
}

constexpr std::uint32_t kSquareSide = 100;
constexpr std::uint32_t kSquareNodes = kSquareSide * kSquareSide;

TEST(PartsReach, OneSweepAnswersAllQuestionsAboutTheSameGoals) {
  Asked asked(one_way_grid(kSquareSide));
  asked.goals.emplace_back();
  for (std::uint32_t k = 0; k < 16; ++k) asked.goals[0].push_back(at_node(kSquareNodes - 1 - k));
  for (std::uint32_t n = 0; n < kSquareNodes / 2; ++n) asked.ask(n, 0);
  ASSERT_TRUE(asked.answer());
  EXPECT_EQ(std::ranges::count(asked.leads, true), kSquareNodes / 2);
  EXPECT_LE(asked.spent, asked.table.graph_units() + asked.units_of_places());
}

TEST(PartsReach, OneSweepAnswersAllQuestionsFromTheSamePlace) {
  Asked asked(one_way_grid(kSquareSide));
  for (std::uint32_t n = 0; n < kSquareNodes / 2; ++n) {
    asked.goals.push_back({at_node(kSquareNodes / 2 + n)});
    asked.ask(0, n);
  }
  ASSERT_TRUE(asked.answer());
  EXPECT_EQ(std::ranges::count(asked.leads, true), kSquareNodes / 2);
  EXPECT_LE(asked.spent, asked.table.graph_units() + asked.units_of_places());
}

TEST(PartsReach, ASweepCarries256QuestionsThatShareNothing) {
  Asked asked(one_way_grid(kSquareSide));
  constexpr std::uint32_t kQuestions = 4 * PartsReach::kLanes;
  for (std::uint32_t i = 0; i < kQuestions; ++i) {
    asked.goals.push_back({at_node(kSquareNodes - 1 - i)});
    asked.ask(i, i);
  }
  ASSERT_TRUE(asked.answer());
  EXPECT_LE(asked.spent, 4 * asked.table.graph_units() + asked.units_of_places());
}

TEST(PartsReach, EndsAtTheLimitOfItsWork) {
  Asked asked(one_way_grid(kSquareSide));
  asked.goals.push_back({at_node(kSquareNodes - 1)});
  asked.ask(0, 0);
  ASSERT_TRUE(asked.answer());
  EXPECT_TRUE(asked.answer({asked.spent, 0, 0}));
  EXPECT_FALSE(asked.answer({asked.spent - 1, 0, 0}));
}

class StoppedAtOnce final : public StopToken {
 public:
  bool stop_requested() const override { return true; }
};

TEST(PartsReach, EndsWhenItIsStopped) {
  Asked asked(one_way_grid(200));
  asked.goals.push_back({at_node(200 * 200 - 1)});
  asked.ask(0, 0);
  const StoppedAtOnce stop;
  EXPECT_FALSE(asked.answer(kNoWorkLimits, &stop));
}

}  // namespace
}  // namespace repath

// A world that is exported and imported again is the same world: its state hash, its content, and
// its answers. The copy that is exported is made in pieces while the world goes on changing.
#include "rpc/world_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "property/engine/command_kinds.h"
#include "support/seed.h"
#include "support/world_files.h"

namespace repath {
namespace {

constexpr int kWorlds = 60;  // of each kind
constexpr int kQueries = 30;

std::unique_ptr<test::CommandKind> make_kind(int kind, Random* random) {
  if (kind == 0) return std::make_unique<test::GridCommands>(random);
  return std::make_unique<test::RouteCommands>(random, kind == 1);
}

class WorldFile : public testing::TestWithParam<int> {
 protected:
  // Applies a few random batches, of which some are refused.
  void change(Engine* engine, std::uint32_t most) {
    for (std::uint32_t batches = random_.below(most + 1); batches > 0; --batches)
      (void)engine->apply({kind_->batch(&random_), "", std::nullopt}, 0);
  }
  std::unique_ptr<Engine> import(const std::string& file) {
    auto engine = test::import_file(file, registry_, executor_);
    EXPECT_TRUE(engine.ok()) << engine.status();
    return engine.ok() ? *std::move(engine) : nullptr;
  }
  void expect_same_answers(Engine* one, Engine* other) {
    for (int i = 0; i < kQueries; ++i) {
      const std::string profile = test::one_of(&random_, kind_->profiles());
      const TeamId team{static_cast<std::uint8_t>(random_.below(3))};
      PathQuery query;
      query.from = kind_->point(&random_);
      query.goals = {kind_->point(&random_)};
      query.snap_start = random_.below(2) == 0;
      const auto before = one->capture(profile, team);
      const auto after = other->capture(profile, team);
      ASSERT_EQ(before.ok(), after.ok()) << profile;
      if (!before.ok()) continue;
      const auto ask = [&](const AnySnapshot& snapshot) {
        return snapshot.ask([&](const auto& view) { return find_path(view, query, {}); });
      };
      const PathAnswer a = ask(*before);
      const PathAnswer b = ask(*after);
      ASSERT_EQ(a.state, b.state) << profile << " team " << static_cast<int>(team);
      // Ties may fall otherwise: jump points may not be known yet, and cells of meshes and nodes of
      // graphs may have other numbers. An answer within a bound may then be another one within it.
      const bool is_mesh = before->routes != nullptr && before->routes->is_continuous();
      const double slack = is_mesh ? 0.004 * static_cast<double>(kRouteCostUnit) : 0;
      EXPECT_LE(static_cast<double>(a.cost), a.bound * static_cast<double>(b.cost) + slack);
      EXPECT_LE(static_cast<double>(b.cost), b.bound * static_cast<double>(a.cost) + slack);
    }
  }

  Random random_{test::seed()};
  InlineExecutor executor_;
  Limits limits_;
  Threads threads_{limits_};
  Registry registry_{limits_, threads_};
  std::unique_ptr<test::CommandKind> kind_;
};

TEST_P(WorldFile, MakesAnEqualWorld) {
  SCOPED_TRACE(test::seed_trace());
  for (int round = 0; round < kWorlds && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    kind_ = make_kind(GetParam(), &random_);
    const std::unique_ptr<Engine> engine = kind_->make({}, executor_);
    change(engine.get(), 20);
    const std::string file = test::file_of(test::copy_of(*engine));
    const std::unique_ptr<Engine> again = import(file);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->revision(), engine->revision());
    EXPECT_EQ(again->state_hash(), engine->state_hash());
    EXPECT_EQ(again->profiles(), engine->profiles());
    // Tiles of the new world changed at its first revision, so files differ only there and later.
    if (GetParam() != 0) {
      EXPECT_EQ(test::file_of(test::copy_of(*again)), file);
    }
    expect_same_answers(engine.get(), again.get());
    // Both go on alike.
    for (int i = 0; i < 5; ++i) {
      const ApplyChanges next{kind_->batch(&random_), "", std::nullopt};
      const auto one = engine->apply(next, 0);
      const auto other = again->apply(next, 0);
      ASSERT_EQ(one.ok(), other.ok()) << one.status() << other.status();
    }
    EXPECT_EQ(again->state_hash(), engine->state_hash());
  }
}

TEST_P(WorldFile, ACopyInPiecesIsOfTheRevisionAtWhichItBegan) {
  SCOPED_TRACE(test::seed_trace());
  int interrupted = 0;
  for (int round = 0; round < kWorlds && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    kind_ = make_kind(GetParam(), &random_);
    const std::unique_ptr<Engine> engine = kind_->make({}, executor_);
    change(engine.get(), 10);
    const std::string whole = test::file_of(test::copy_of(*engine));
    const Revision begun = engine->revision();
    const std::uint64_t hash = engine->state_hash();
    const CopyId copy = *engine->begin_copy();
    std::optional<WorldContent> content;
    while (!(content = engine->advance_copy(copy, 1 + random_.below(200)))) {
      const Revision before = engine->revision();
      if (random_.below(3) != 0) change(engine.get(), 2);
      interrupted += before == engine->revision() ? 0 : 1;
    }
    EXPECT_EQ(content->revision, begun);
    EXPECT_EQ(content->state_hash, hash);
    const std::string file = test::file_of(*std::move(content));
    EXPECT_EQ(file, whole);
    ASSERT_NE(import(file), nullptr);
  }
  EXPECT_GT(interrupted, kWorlds / 4);
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, WorldFile, testing::Values(0, 1, 2));

}  // namespace
}  // namespace repath

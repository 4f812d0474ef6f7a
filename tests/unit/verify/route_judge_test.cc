#include "verify/route_judge.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace repath::verify {
namespace {

// Every walk is open and costs 10. The cheapest path costs 8.
class PlainModel : public RouteModel {
 public:
  bool is_continuous() const override { return true; }
  int views() const override { return 1; }
  std::string profile(int) const override { return "default"; }
  v1::ChangeBatch next_change(const std::vector<Spot>&, Dice&) override { return {}; }
  bool take(const v1::ChangeBatch&, std::uint64_t, std::string*) override { return true; }
  Spot some_place(int, Dice&) override { return {}; }
  bool stands(int, std::uint64_t, const Spot&) override { return true; }
  Spot settled_at(int, std::uint64_t, const Spot& at) override { return at; }
  Walked walk(int, std::uint64_t, const Walk&) override { return {10, 10, std::nullopt}; }
  Verdict cheapest(int, std::uint64_t, const Spot&, const Spot&, double bound) override {
    return {true, 8 < bound ? 8 : kNoWay};
  }
  void forget_before(std::uint64_t) override {}
};

class Claims : public testing::Test {
 protected:
  // Returns the number of cheaper paths that a path of cost 10 has missed.
  std::uint64_t missed_by(v1::Optimality optimality, double bound) {
    PlainModel model;
    Tally tally(1);
    Dice dice(1);
    std::map<std::uint64_t, RouteAgent> agents;
    agents[7].id = 7;
    agents[7].goals = {{10, 0, 0}};
    RouteJudge judge(model, agents, tally, dice);
    judge.grant(1);
    v1::PathEvent event;
    event.set_agent_id(7);
    event.set_type(v1::EVENT_TYPE_NEW_PATH);
    event.set_revision(3);
    event.set_cost(10);
    v1::Path& path = *event.mutable_path();
    for (const double c : {0.0, 0.0, 0.0, 10.0, 0.0, 0.0}) path.add_positions(c);
    path.set_cost(10);
    path.set_revision(3);
    path.set_optimality(optimality);
    path.set_bound(bound);
    judge.on_event(event);
    EXPECT_EQ(tally.wrong + tally.invalid_paths, 0u);
    return tally.missed_improvements;
  }
};

TEST_F(Claims, OfTheOptimumAreHeldAgainstTheCheapestPath) {
  EXPECT_EQ(missed_by(v1::OPTIMALITY_OPTIMAL, 0), 1u);
}

TEST_F(Claims, OfABoundAllowThatMuch) {
  EXPECT_EQ(missed_by(v1::OPTIMALITY_BOUNDED, 1.2), 1u);
  EXPECT_EQ(missed_by(v1::OPTIMALITY_BOUNDED, 1.3), 0u);
}

TEST_F(Claims, OfStalePathsAreThoseOfTheirRevision) {
  EXPECT_EQ(missed_by(v1::OPTIMALITY_STALE, 0), 1u);
  EXPECT_EQ(missed_by(v1::OPTIMALITY_STALE, 1.2), 1u);
  EXPECT_EQ(missed_by(v1::OPTIMALITY_STALE, 1.3), 0u);
}

// An agent with hysteresis 0.2 is sent a path of cost 10, of which it walks a half.
TEST(Improvements, SaveMoreThanTheHysteresisOfTheCostFirstSent) {
  const auto defects = [](double old_cost, double cost) {
    PlainModel model;
    Tally tally(1);
    Dice dice(1);
    std::map<std::uint64_t, RouteAgent> agents;
    agents[7].id = 7;
    agents[7].goals = {{10, 0, 0}};
    agents[7].ratio = 0.2;
    RouteJudge judge(model, agents, tally, dice);
    judge.grant(1);
    v1::PathEvent event;
    event.set_agent_id(7);
    event.set_type(v1::EVENT_TYPE_NEW_PATH);
    event.set_revision(3);
    v1::Path& path = *event.mutable_path();
    for (const double c : {0.0, 0.0, 0.0, 10.0, 0.0, 0.0}) path.add_positions(c);
    path.set_revision(3);
    path.set_optimality(v1::OPTIMALITY_VALID_ONLY);
    path.set_cost(10);
    event.set_cost(10);
    judge.on_event(event);
    event.set_type(v1::EVENT_TYPE_IMPROVED);
    event.set_old_cost(old_cost);
    event.set_cost(cost);
    tally.wrong = 0;
    judge.on_event(event);
    return tally.wrong;
  };
  EXPECT_EQ(defects(5, 2.5), 0u);
  EXPECT_EQ(defects(5, 3.5), 1u) << "1.5 is more than a fifth of 5, but not of 10";
}

// A graph. From each revision named on, one node is open, or none.
class NodeModel final : public PlainModel {
 public:
  explicit NodeModel(std::map<std::uint64_t, std::optional<Spot>> open) : open_(std::move(open)) {}
  bool is_continuous() const override { return false; }
  bool stands(int, std::uint64_t revision, const Spot&) override {
    return open_at(revision).has_value();
  }
  Spot settled_at(int, std::uint64_t revision, const Spot& at) override {
    return open_at(revision).value_or(at);
  }

 private:
  const std::optional<Spot>& open_at(std::uint64_t revision) const {
    return std::prev(open_.upper_bound(revision))->second;
  }

  std::map<std::uint64_t, std::optional<Spot>> open_;
};

class Places : public testing::Test {
 protected:
  static constexpr Spot kHome{0, 0, 0};
  static constexpr Spot kNear{10, 0, 0};
  static constexpr Spot kFar{20, 0, 0};

  // An agent has reported `kHome` and stands on `kFar`. Returns the defects found in an event of
  // revision 9 that says it stands at `place`.
  static std::uint64_t defects(std::map<std::uint64_t, std::optional<Spot>> open,
                               v1::EventType type, const Spot& place) {
    NodeModel model(std::move(open));
    Tally tally(1);
    Dice dice(1);
    std::map<std::uint64_t, RouteAgent> agents;
    agents[7].id = 7;
    agents[7].reported = kHome;
    agents[7].at = kFar;
    RouteJudge judge(model, agents, tally, dice);
    v1::PathEvent event;
    event.set_agent_id(7);
    event.set_type(type);
    event.set_revision(9);
    event.mutable_position()->set_x(place.x);
    judge.on_event(event);
    EXPECT_EQ(agents[7].at, place);
    return tally.wrong;
  }
};

TEST_F(Places, AreTheNearestOpenNode) {
  EXPECT_EQ(defects({{0, kNear}}, v1::EVENT_TYPE_CONFIRMED, kNear), 0u);
  EXPECT_EQ(defects({{0, kNear}}, v1::EVENT_TYPE_CONFIRMED, kFar), 1u);
}

TEST_F(Places, AreNotLookedAtWhileNoNodeIsOpen) {
  EXPECT_EQ(defects({{0, kFar}, {9, std::nullopt}}, v1::EVENT_TYPE_CONFIRMED, kFar), 0u);
  EXPECT_EQ(defects({{0, std::nullopt}, {9, kNear}}, v1::EVENT_TYPE_CONFIRMED, kFar), 1u);
}

// The agent waits since revision 7, when a nearer node opened. Until it is settled it follows its
// route from `kFar`.
TEST_F(Places, OfInvalidatedRoutesAreWhereTheyBegin) {
  const std::map<std::uint64_t, std::optional<Spot>> open{{0, kFar}, {7, kNear}, {9, kHome}};
  EXPECT_EQ(defects(open, v1::EVENT_TYPE_INVALIDATED, kFar), 0u);
  EXPECT_EQ(defects(open, v1::EVENT_TYPE_INVALIDATED, kNear), 0u) << "the node from before it";
  EXPECT_EQ(defects(open, v1::EVENT_TYPE_INVALIDATED, kHome), 0u);
  EXPECT_EQ(defects(open, v1::EVENT_TYPE_INVALIDATED, {30, 0, 0}), 1u);
  EXPECT_EQ(defects(open, v1::EVENT_TYPE_CONFIRMED, kFar), 1u);
}

}  // namespace
}  // namespace repath::verify

// Agents on a mesh that keep a turning radius, against plain squares that are walled up and opened:
// every path sent is open and no narrower than the radius, a path is told to be broken with the
// change that meets it, and a path of which nothing is said is open.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "property/engine/plain_squares.h"
#include "property/engine/turn_radius.h"
#include "routes/nav_world.h"
#include "routes/places.h"
#include "support/carved_worlds.h"
#include "support/route_kinds.h"
#include "support/seed.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

constexpr std::size_t kColumns = 30;
constexpr std::size_t kRows = 18;
constexpr std::uint64_t kPlain = 100;  // added to an agent's id: the same one, without curves
constexpr double kTouch = 2e-3;        // by which rounding may move a side of a square

struct Totals {
  int turns = 0;
  int tight = 0;
  int broken = 0;
  int broken_by_arcs = 0;  // and the path of an agent without a turning radius was not
};

class DrivenGame {
 public:
  DrivenGame(Random* random, Totals* totals)
      : random_(*random),
        totals_(*totals),
        radius_(std::array{0.4, 1.5, 4.0}[random->below(3)]),
        squares_(kRows, std::string(kColumns, '.')),
        bed_(make_world()) {
    for (std::uint64_t id = 1; id <= 4; ++id) put(id);
  }

  void play() {
    for (int turn = 0; turn < 40 && !testing::Test::HasFailure(); ++turn) {
      SCOPED_TRACE("turn " + std::to_string(turn));
      switch_square();
      take(bed_.events());
      check_open("before planning");
      if (random_.below(3) != 0) take(bed_.settle(random_.below(2) == 0 ? 50 : 5000));
      check_open("after planning");
      for (auto& [id, agent] : agents_) walk(id, &agent);
      take(bed_.events());
    }
  }

 private:
  struct Client {
    Spot at;
    std::vector<RoutePoint> rest;  // of its path; empty: it has none that counts
    PathVersion version{};
    Spot goal;
  };

  std::unique_ptr<RouteWorld> make_world() {
    for (int bar = 0; bar < 12; ++bar) {
      const std::size_t x = random_.below(kColumns - 5);
      const std::size_t z = random_.below(kRows - 5);
      const bool is_row = random_.below(2) == 0;
      for (std::size_t k = 0; k < 5; ++k) squares_[is_row ? z : z + k][is_row ? x + k : x] = '#';
    }
    NavWorld::Source source;
    source.name = "nav";
    source.mesh = test::squares(squares_);
    source.profiles = {{.turning_radius = radius_}};
    auto world = NavWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }

  // Returns the middle of a square that is free for ever or for now.
  Spot some_square() {
    for (;;) {
      const std::size_t x = random_.below(kColumns);
      const std::size_t z = random_.below(kRows);
      if (squares_[z][x] == '.')
        return {static_cast<double>(x) + 0.5, 0, static_cast<double>(z) + 0.5};
    }
  }

  void put(std::uint64_t id) {
    Client& agent = agents_[id];
    agent = {some_square(), {}, agent.version, some_square()};
    AgentSpec spec = test::RouteBed::walker(id, point_of(agent.at), point_of(agent.goal));
    spec.curves = true;
    spec.min_improvement_ratio = random_.below(4) == 0 ? 0.2 : 0;
    bed_.put(spec);
    spec.id = AgentId{id + kPlain};
    spec.curves = false;
    bed_.put(spec);
  }

  // Walls up a free square that no agent stands on and none goes to, and opens one of these again.
  void switch_square() {
    std::size_t x = random_.below(kColumns);
    std::size_t z = random_.below(kRows);
    const std::vector<RoutePoint>& path = agents_.at(1 + random_.below(4)).rest;
    if (path.size() > 1 && random_.below(4) != 0) {  // on a path
      const std::size_t leg = random_.below(static_cast<std::uint32_t>(path.size() - 1));
      x = std::min(static_cast<std::size_t>((path[leg].at.x + path[leg + 1].at.x) / 2),
                   kColumns - 1);
      z = std::min(static_cast<std::size_t>((path[leg].at.z + path[leg + 1].at.z) / 2), kRows - 1);
    }
    char& square = squares_[z][x];
    const auto is_on = [&](const Spot& at) {
      return std::abs(at.x - static_cast<double>(x) - 0.5) < 0.6 &&
             std::abs(at.z - static_cast<double>(z) - 0.5) < 0.6;
    };
    for (const auto& [id, agent] : agents_)
      if (is_on(agent.at) || is_on(agent.goal)) return;
    const std::uint64_t id = z * kColumns + x + 1;
    const double left = static_cast<double>(x);
    const double top = static_cast<double>(z);
    if (square == '.') {
      bed_.put_block(id, {left, top, left + 1, top + 1});
      square = '@';
      built_.push_back({x, z});
    }
    if (built_.size() > 12) {  // another one
      const std::size_t i = random_.below(12);
      const auto [bx, bz] = built_[i];
      built_.erase(built_.begin() + static_cast<std::ptrdiff_t>(i));
      ChangeBatch batch;
      batch.remove_obstacles = {ObstacleId{bz * kColumns + bx + 1}};
      bed_.apply(batch);
      squares_[bz][bx] = '.';
    }
  }

  // Returns the squares as blocked ones and others.
  std::vector<std::string> walls() const {
    std::vector<std::string> rows = squares_;
    for (std::string& row : rows) std::ranges::replace(row, '@', '#');
    return rows;
  }
  // Returns whether the path comes nearer to a wall than `beside`; less than 0: so deep into it.
  bool meets_wall(const std::vector<RoutePoint>& path, double beside) const {
    const std::vector<std::string> rows = walls();
    for (std::size_t i = 1; i < path.size(); ++i) {
      const Spot& a = path[i - 1].at;
      const Spot& b = path[i].at;
      const int samples = 2 + static_cast<int>(std::hypot(b.x - a.x, b.z - a.z) * 400);
      for (int k = 0; k <= samples; ++k) {
        const double share = static_cast<double>(k) / samples;
        if (test::is_in_wall(rows, a.x + (b.x - a.x) * share, a.z + (b.z - a.z) * share, -beside))
          return true;
      }
    }
    return false;
  }

  void check_open(const char* when) {
    for (const auto& [id, agent] : agents_)
      EXPECT_FALSE(meets_wall(agent.rest, -kTouch)) << when << ": agent " << id;
  }

  void take(const std::vector<AgentEvent>& events) {
    const auto is_broken = [&events](std::uint64_t id) {
      return std::ranges::any_of(events, [id](const AgentEvent& event) {
        return value(event.agent) == id && event.type == EventType::kInvalidated;
      });
    };
    for (const AgentEvent& event : events) {
      const std::uint64_t id = value(event.agent);
      if (id > kPlain) continue;
      SCOPED_TRACE("event " + std::to_string(static_cast<int>(event.type)) + " of agent " +
                   std::to_string(id));
      Client& agent = agents_.at(id);
      if (event.type == EventType::kInvalidated) {
        ++totals_.broken;
        totals_.broken_by_arcs += is_broken(id + kPlain) ? 0 : 1;
        // A path that is broken is told again if it breaks at a nearer place.
        EXPECT_TRUE(agent.rest.empty() || meets_wall(agent.rest, kTouch)) << "its path is open";
        agent.rest.clear();
      }
      if (event.path) take_path(event, &agent);
    }
  }

  void take_path(const AgentEvent& event, Client* agent) {
    const AgentPath& path = *event.path;
    agent->rest = path.points;
    agent->version = path.version;
    if (path.points.empty()) return;
    EXPECT_LT(plane_distance_squared(path.points.front().at, agent->at), 1e-6);
    EXPECT_LT(plane_distance_squared(path.points.back().at, agent->goal), 1e-6);
    double length = 0;
    for (std::size_t i = 1; i < path.points.size(); ++i)
      length += std::sqrt(plane_distance_squared(path.points[i - 1].at, path.points[i].at));
    EXPECT_NEAR(length, units_from_route_cost(path.cost), 1e-6);
    totals_.tight += path.turn_too_tight ? 1 : 0;
    if (path.turn_too_tight) {
      EXPECT_GT(path.points.size(), 2u) << "a leg turns nowhere";
      return;
    }
    for (std::size_t i = 2; i < path.points.size(); ++i) {
      const auto at = [&](std::size_t k) { return point_of(path.points[k].at); };
      // A path that is sent again may begin within a chord, where the agent is.
      EXPECT_TRUE(test::keeps_radius(at(i - 2), at(i - 1), at(i), radius_,
                                     std::min(0.05, radius_ / 32), i == 2))
          << i;
      totals_.turns += std::isfinite(test::radius_through(at(i - 2), at(i - 1), at(i))) ? 1 : 0;
    }
  }

  // Walks to a point of its path; that must not cost the agent its verdict.
  void walk(std::uint64_t id, Client* agent) {
    const bool has_arrived = agent->rest.size() < 2 && agent->version != PathVersion{};
    if (has_arrived && random_.below(3) == 0) return put(id);
    if (agent->rest.size() < 2 || random_.below(2) == 0) return;
    const std::size_t most = std::min<std::size_t>(agent->rest.size() - 1, 6);
    const std::size_t leg = random_.below(static_cast<std::uint32_t>(most));
    const double share = random_.unit();
    const Spot& a = agent->rest[leg].at;
    const Spot& b = agent->rest[leg + 1].at;
    const Spot to{a.x + (b.x - a.x) * share, 0, a.z + (b.z - a.z) * share};
    const bool waited = bed_->agent(AgentId{id})->waiting;
    bed_.report(id, point_of(to), agent->version);
    bed_.report(id + kPlain, point_of(to));
    const AgentView view = *bed_->agent(AgentId{id});
    EXPECT_EQ(view.waiting, waited);
    agent->rest.erase(agent->rest.begin(), agent->rest.begin() + static_cast<std::ptrdiff_t>(leg));
    agent->rest.front().at = agent->at = view.spot;
  }

  Random& random_;
  Totals& totals_;
  double radius_;
  std::vector<std::string> squares_;  // '#': never free; '@': walled up
  std::vector<std::pair<std::size_t, std::size_t>> built_;
  test::RouteBed bed_;
  std::map<std::uint64_t, Client> agents_;
};

TEST(DrivenAgents, HoldOpenPathsThatKeepTheTurningRadius) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Totals totals;
  for (int game = 0; game < 40 && !HasFailure(); ++game) {
    SCOPED_TRACE("game " + std::to_string(game));
    DrivenGame(&random, &totals).play();
  }
  EXPECT_GT(totals.turns, 300);
  EXPECT_GT(totals.tight, 20);
  EXPECT_GT(totals.broken, 100);
  EXPECT_GT(totals.broken_by_arcs, 10);
}

}  // namespace
}  // namespace repath

// Placements of towers, anchor by anchor, against TestChanges and against what becomes of the
// agents once a tower stands there.
#include "engine/placements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "engine/engine.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr ObstacleId kTower{1000};

std::vector<Profile> kinds_of_agents() {
  return {{.name = "four", .topology = Topology::k4},
          {.name = "cutter", .corner_rule = CornerRule::kOne},
          {.name = "hex", .topology = Topology::kHex},
          {.name = "swimmer", .terrain_rules = {{.terrain = TerrainId{4}}}},
          {.name = "dry", .terrain_rules = {{.terrain = TerrainId{2}, .forbidden = true}}},
          {.name = "wide", .radius = 0.7},
          {.name = "wider", .corner_rule = CornerRule::kOne, .radius = 1.2},
          {.name = "widehex", .topology = Topology::kHex, .radius = 0.8}};
}

// A small world with agents of all kinds that have their verdicts.
class TowerWorld {
 public:
  explicit TowerWorld(Random* random) : random_(*random) {
    const bool is_wide = random_.below(4) == 0;  // several tiles
    map_ = test::open_map(is_wide ? 60 + number(20) : 2 + number(14), 2 + number(12));
    const std::uint32_t walls = random_.below(25);
    const std::uint32_t others = random_.below(12);
    for (TerrainId& cell : map_.cells) {
      if (random_.below(100) < walls) cell = TerrainId{1};
      if (random_.below(100) < others)
        cell = TerrainId{static_cast<std::uint8_t>(std::array{2, 4, 7}[random_.below(3)])};
    }
    engine_ =
        Engine::create(*World::create({"towers", map_, 1.0, kinds_of_agents()}, {}), {}, executor_);
    add_doors();
    add_agents();
  }

  Engine& engine() { return *engine_; }
  std::int32_t width() const { return map_.width; }
  std::int32_t height() const { return map_.height; }
  std::string random_profile() {
    static const std::vector<Profile> profiles = kinds_of_agents();
    const std::uint32_t i = random_.below(static_cast<std::uint32_t>(profiles.size()) + 1);
    return i == profiles.size() ? "default" : profiles[i].name;
  }
  TeamId random_team() { return TeamId{static_cast<std::uint8_t>(random_.below(3))}; }
  std::int32_t number(std::int32_t below) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(below)));
  }
  PlaceBox random_box() {
    if (random_.below(3) == 0) return {0, 0, width() - 1, height() - 1};
    const std::int32_t x = number(width());
    const std::int32_t y = number(height());
    return {x, y, x + number(std::min(12, width() - x)), y + number(height() - y)};
  }
  void settle() {
    while (!engine_->step(100'000, 0).idle) {
    }
  }
  // Does something that makes agents wait: they are asked again, report another place, or lose
  // their paths.
  void disturb() {
    const AgentId agent{1 + random_.below(8)};
    const std::optional<AgentView> view = engine_->agent(agent);
    if (random_.below(3) == 0 || !view) {
      const std::int32_t x = number(width());
      const ObstacleSpec wall{ObstacleId{20 + random_.below(3)},
                              CellRect{x, 0, x + 1, 1 + number(height())}};
      ChangeBatch batch;
      batch.upsert_obstacles.push_back(wall);
      ASSERT_TRUE(engine_->apply({batch, "", std::nullopt}, 0).ok());
    } else if (random_.below(2) == 0) {
      const PositionReport report{agent, point(), {}};
      ASSERT_TRUE(engine_->report_positions(std::span(&report, 1), 0).ok());
    } else {
      AgentSpec spec = view->spec;
      spec.goals.push_back(point());
      if (spec.goals.size() > 3) spec.goals = {point()};
      ASSERT_TRUE(engine_->upsert_agents(std::span(&spec, 1), kNoOwner, 0).ok());
    }
  }

 private:
  MapPoint point() { return {random_.unit() * map_.width, random_.unit() * map_.height}; }
  // Walls for some teams, and cells that a team has not seen.
  void add_doors() {
    ChangeBatch batch;
    for (std::uint32_t id = 1; id < 1 + random_.below(5); ++id) {
      const std::int32_t x = number(width());
      const std::int32_t y = number(height());
      const CellRect rect = random_.below(2) == 0 ? CellRect{x, 0, x + 1, height()}
                                                  : CellRect{x, y, x + 1 + number(3), y + 1};
      batch.upsert_obstacles.push_back({ObstacleId{id}, rect, {}, TeamMask{1 + random_.below(7)}});
    }
    if (random_.below(2) == 0)
      batch.fog_edits.push_back({CellRect{0, 0, 1 + number(width()), 1 + number(height())},
                                 TeamId{static_cast<std::uint8_t>(random_.below(2))}, true});
    if (batch.entries() == 0) return;
    ASSERT_TRUE(engine_->apply({batch, "", std::nullopt}, 0).ok());
  }
  void add_agents() {
    std::vector<AgentSpec> agents(1 + random_.below(7));
    ChangeBatch bodies;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      AgentSpec& agent = agents[i];
      agent.id = AgentId{i + 1};
      agent.profile = random_profile();
      agent.team = random_team();
      agent.position = point();
      for (std::uint32_t goals = 1 + random_.below(2); goals > 0; --goals)
        agent.goals.push_back(point());
      if (random_.below(6) == 0) agent.goals = {agent.position};
      if (random_.below(4) == 0) agent.goal_radius = random_.unit() * 3;
      agent.snap_start = random_.below(3) == 0;
      agent.allow_partial = random_.below(4) == 0;
      agent.stands = random_.below(6) == 0;
      if (agent.stands)
        bodies.stand.push_back({agent.id, Circle{{agent.position.x, agent.position.y}, 0.3}});
    }
    ASSERT_TRUE(engine_->upsert_agents(agents, kNoOwner, 0).ok());
    if (!bodies.stand.empty()) {
      ASSERT_TRUE(engine_->apply({bodies, "", std::nullopt}, 0).ok());
    }
  }

  Random& random_;
  InlineExecutor executor_;
  GridMap map_;
  std::unique_ptr<Engine> engine_;
};

ChangeBatch tower_at(Place anchor, TowerSize size) {
  ObstacleSpec tower;
  tower.id = kTower;
  tower.shape = Box{{anchor.x + size.width / 2.0, anchor.y + size.height / 2.0},
                    size.width / 2.0,
                    size.height / 2.0};
  ChangeBatch batch;
  batch.upsert_obstacles.push_back(tower);
  return batch;
}

bool is_ground(const GridLayer& ground, Place anchor, TowerSize size) {
  for (std::int32_t y = anchor.y; y < anchor.y + size.height; ++y)
    for (std::int32_t x = anchor.x; x < anchor.x + size.width; ++x)
      if (!ground.is_free(x, y)) return false;
  return true;
}

bool has_path(const AgentView& view) {
  return view.verdict.path && !view.verdict.path->nodes.empty() &&
         view.verdict.type != EventType::kPartial;
}
// Returns whether the agent's path begins in another cell than its own, or nowhere for that reason.
bool is_off_its_cell(const AgentView& view) {
  const AgentPath& path = *view.verdict.path;
  return path.nodes.empty() ? path.state == PathState::kStartBlocked
                            : path.nodes.front() != view.node;
}

// Lets the tower stand, looks at the agents that had a path to a goal, and takes it away. Appends
// those that have none any more to `cut_off`. REQUIRES: all agents have their verdicts.
Placement try_tower(TowerWorld* world, const ChangeBatch& tower, std::vector<AgentId>* cut_off) {
  Engine& engine = world->engine();
  const auto look = [&] {
    return engine.agents(AgentId{}, 100, /*with_paths=*/true, std::nullopt);
  };
  const std::vector<AgentView> before = look();
  EXPECT_TRUE(engine.apply({tower, "", std::nullopt}, 0).ok());
  world->settle();
  const std::vector<AgentView> after = look();
  Placement found = Placement::kFree;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!has_path(before[i]) || has_path(after[i])) continue;
    cut_off->push_back(before[i].spec.id);
    if (is_off_its_cell(after[i]) && !is_off_its_cell(before[i])) found = Placement::kAgent;
    if (found == Placement::kFree) found = Placement::kCutsOff;
  }
  ChangeBatch gone;
  gone.remove_obstacles = {kTower};
  EXPECT_TRUE(engine.apply({gone, "", std::nullopt}, 0).ok());
  world->settle();
  return found;
}

using Counts = std::array<int, 6>;  // by Placement

// Compares every anchor of a random query.
void compare(TowerWorld* world, Counts* counts) {
  const PlacementQuery query{world->random_box(), {1 + world->number(4), 1 + world->number(4)}};
  const std::string profile = world->random_profile();
  const TeamId team = world->random_team();
  const auto ground = world->engine().capture_placements(profile, team, query);
  ASSERT_TRUE(ground.ok()) << ground.status();
  const PlacementAnswer answer = find_placements(*ground, query, {});
  const Snapshot walker = *world->engine().capture(profile, team)->grid;
  const GridLayer& free = walker.ground ? *walker.ground : walker.layer;
  std::size_t at = 0;
  for (std::int32_t y = query.anchors.y0; y <= query.anchors.y1; ++y) {
    for (std::int32_t x = query.anchors.x0; x <= query.anchors.x1; ++x) {
      SCOPED_TRACE("tower of " + std::to_string(query.size.width) + " x " +
                   std::to_string(query.size.height) + " at " + std::to_string(x) + ", " +
                   std::to_string(y));
      ASSERT_LT(at, answer.placements.size());
      const Placement found = answer.placements[at++];
      ++(*counts)[static_cast<std::size_t>(found)];
      if (!is_ground(free, {x, y}, query.size)) {
        ASSERT_EQ(found, Placement::kGround);
        continue;
      }
      TestChanges command;
      command.batch = tower_at({x, y}, query.size);
      const auto tested = world->engine().test(command);
      ASSERT_TRUE(tested.ok()) << tested.status();
      ASSERT_EQ(found == Placement::kFree, tested->cut_off_agents.empty());
      std::vector<AgentId> cut_off;
      ASSERT_EQ(found, try_tower(world, command.batch, &cut_off));
      ASSERT_EQ(tested->cut_off_agents, cut_off);
    }
  }
  ASSERT_EQ(at, answer.placements.size());
}

TEST(Placements, AreWhatTestChangesSaysOfEachAnchor) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Counts counts{};
  for (int round = 0; round < 1200; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    TowerWorld world(&random);
    world.settle();
    compare(&world, &counts);
    if (HasFatalFailure()) return;
  }
  for (const Placement placement :
       {Placement::kFree, Placement::kGround, Placement::kAgent, Placement::kCutsOff})
    EXPECT_GT(counts[static_cast<std::size_t>(placement)], 400) << static_cast<int>(placement);
}

// Compares every anchor while agents wait, and the last one that has free ground with what becomes
// of the agents. Returns the number of agents that one cuts off.
std::size_t compare_while_waiting(TowerWorld* world) {
  const PlacementQuery query{{0, 0, world->width() - 1, world->height() - 1},
                             {1 + world->number(4), 1 + world->number(4)}};
  const auto ground = world->engine().capture_placements("default", TeamId{}, query);
  EXPECT_TRUE(ground.ok()) << ground.status();
  const std::vector<Placement> placements = find_placements(*ground, query, {}).placements;
  const std::int32_t chosen = world->number(static_cast<std::int32_t>(placements.size()));
  std::optional<std::size_t> last;
  TestChanges command;
  TestAnswer tested;
  for (std::size_t at = 0; at < placements.size(); ++at) {
    if (placements[at] == Placement::kGround) continue;
    if (last && at > static_cast<std::size_t>(chosen)) break;
    last = at;
    const Place anchor{static_cast<std::int32_t>(at) % world->width(),
                       static_cast<std::int32_t>(at) / world->width()};
    command.batch = tower_at(anchor, query.size);
    tested = *world->engine().test(command);
    EXPECT_EQ(placements[at] == Placement::kFree, tested.cut_off_agents.empty()) << "anchor " << at;
    EXPECT_TRUE(std::ranges::includes(tested.affected_agents, tested.cut_off_agents));
  }
  if (!last) return 0;
  world->settle();
  std::vector<AgentId> cut_off;
  EXPECT_EQ(placements[*last], try_tower(world, command.batch, &cut_off)) << "anchor " << *last;
  EXPECT_EQ(tested.cut_off_agents, cut_off) << "anchor " << *last;
  return cut_off.size();
}

TEST(Placements, AreWhatTestChangesSaysWhileAgentsWait) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  std::size_t cut_off = 0;
  for (int round = 0; round < 1200 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    TowerWorld world(&random);
    if (random.below(3) != 0) {
      world.settle();
      for (std::uint32_t times = 1 + random.below(4); times > 0; --times) world.disturb();
    }
    if (random.below(3) == 0) world.engine().step(64, 0);  // some of them have a verdict
    cut_off += compare_while_waiting(&world);
  }
  EXPECT_GT(cut_off, 100u);
}

// An anchor has the same answer under every limit, or UNKNOWN.
TEST(Placements, AreUnknownOnlyAtTheLimit) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int unknown = 0;
  for (int round = 0; round < 100; ++round) {
    TowerWorld world(&random);
    world.settle();
    const PlacementQuery query{world.random_box(), {1 + world.number(3), 1 + world.number(3)}};
    const auto ground = world.engine().capture_placements("default", TeamId{}, query);
    ASSERT_TRUE(ground.ok());
    const PlacementAnswer whole = find_placements(*ground, query, {});
    ASSERT_EQ(std::ranges::count(whole.placements, Placement::kUnknown), 0);
    QueryLimits limits;
    limits.max_expansions = random.below(static_cast<std::uint32_t>(whole.expanded) + 1);
    const PlacementAnswer part = find_placements(*ground, query, limits);
    ASSERT_LE(part.expanded, limits.max_expansions);
    for (std::size_t i = 0; i < whole.placements.size(); ++i) {
      if (part.placements[i] == Placement::kUnknown) {
        ++unknown;
      } else {
        ASSERT_EQ(part.placements[i], whole.placements[i]);
      }
    }
  }
  EXPECT_GT(unknown, 100);
}

}  // namespace
}  // namespace repath

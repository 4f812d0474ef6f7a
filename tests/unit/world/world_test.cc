#include "world/world.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "base/error.h"
#include "support/ascii_grid.h"
#include "unit/world/small_worlds.h"
#include "world/content_hash.h"

namespace repath {
namespace {

using test::apply;
using test::kBlue;
using test::kRed;
using test::make_world;
using test::mud;
using test::seen;
using test::wall;

TEST(World, StartsAtRevisionOneWithADefaultProfile) {
  const auto world = make_world(test::open_map(3, 2));
  EXPECT_EQ(world->revision(), Revision{1});
  ASSERT_NE(world->profile("default"), nullptr);
  EXPECT_EQ(*world->profile("default"), Profile{});
  EXPECT_EQ(world->profile("tank"), nullptr);
}

TEST(World, ShowsTerrainAsTheProfileSeesIt) {
  const Profile boat{.name = "boat",
                     .terrain_rules = {{.terrain = TerrainId{4}, .factor = 2},
                                       {.terrain = TerrainId{0}, .forbidden = true}}};
  const auto world = make_world(test::draw_map({".W#", "..W"}), {boat});
  EXPECT_EQ(seen(*world, *world->acquire_view("default", kRed)), ".##\n..#\n");
  const ViewId view = *world->acquire_view("boat", kRed);
  EXPECT_EQ(seen(*world, view), "#.#\n##.\n");
  EXPECT_EQ(world->layer(view).factor(1, 0), to_factor(2));
}

TEST(World, OneDoorShutIsOneRevisionAndItsEdges) {
  const auto world = make_world(test::draw_map({"#.#", "#.#", "#.#"}));
  const ViewId view = *world->acquire_view("default", kRed);
  const Commit shut = apply(world.get(), {.upsert_obstacles = {wall(7, {1, 1, 2, 2})}});
  EXPECT_EQ(shut.revision, Revision{2});
  EXPECT_EQ(shut.state_hash, world->state_hash());
  EXPECT_EQ(shut.causes, std::vector<ObstacleId>{ObstacleId{7}});
  ASSERT_EQ(shut.views.size(), 1u);
  EXPECT_EQ(shut.views[0].view, view);
  EXPECT_EQ(shut.views[0].blocked, std::vector<NodeId>{NodeId{4}});
  EXPECT_EQ(shut.views[0].changed_nodes, (std::vector<NodeId>{NodeId{1}, NodeId{4}, NodeId{7}}));
  ASSERT_EQ(shut.views[0].risen.size(), 4u);
  for (const EdgeChange& e : shut.views[0].risen) {
    EXPECT_EQ(e.before, kStraightStep);
    EXPECT_EQ(e.after, kUnreachable);
    EXPECT_EQ(e.cause, 0u);
  }
  const Commit open = apply(world.get(), {.switch_obstacles = {{ObstacleId{7}, false}}});
  EXPECT_EQ(open.views[0].fallen.size(), 4u);
  EXPECT_EQ(open.views[0].freed, std::vector<NodeId>{NodeId{4}});
  EXPECT_EQ(seen(*world, view), "#.#\n#.#\n#.#\n");
}

TEST(World, RemovingOneObstacleDoesNotOpenWhatAnotherCovers) {
  const auto world = make_world(test::open_map(4, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(1, {0, 0, 3, 1}), wall(2, {2, 0, 4, 1})}});
  EXPECT_EQ(seen(*world, view), "####\n");
  const Commit commit = apply(world.get(), {.remove_obstacles = {ObstacleId{2}}});
  EXPECT_EQ(seen(*world, view), "###.\n");
  EXPECT_EQ(commit.views[0].freed, std::vector<NodeId>{NodeId{3}});
  EXPECT_EQ(world->obstacle(ObstacleId{2}), nullptr);
}

TEST(World, FactorsMultiplyUpToAThousand) {
  const auto world = make_world(test::draw_map({".5."}));
  const ViewId view = *world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {mud(1, {0, 0, 2, 1}, 2), mud(2, {1, 0, 3, 1}, 3)}});
  EXPECT_EQ(world->layer(view).factor(0, 0), to_factor(2));
  EXPECT_EQ(world->layer(view).factor(1, 0), to_factor(30));
  EXPECT_EQ(world->layer(view).factor(2, 0), to_factor(3));
  apply(world.get(), {.upsert_obstacles = {mud(3, {0, 0, 3, 1}, 400)}});
  EXPECT_EQ(world->layer(view).factor(0, 0), to_factor(800));
  EXPECT_EQ(world->layer(view).factor(1, 0), to_factor(1000));
  apply(world.get(), {.remove_obstacles = {ObstacleId{1}, ObstacleId{2}, ObstacleId{3}}});
  EXPECT_EQ(world->layer(view).factor(1, 0), to_factor(5));
}

TEST(World, ABodyIsInEverybodysWayButItsAgents) {
  const auto world = make_world(test::open_map(4, 1));
  const ViewId all = *world->acquire_view("default", kRed);
  const ViewId own = *world->acquire_view("default", kRed, AgentId{7});
  EXPECT_NE(all, own);
  EXPECT_EQ(own, *world->acquire_view("default", kRed, AgentId{7}));
  const Commit commit = apply(world.get(), {.upsert_obstacles = {wall(7, {3, 0, 4, 1})},
                                            .stand = {{AgentId{7}, CellRect{1, 0, 2, 1}}}});
  EXPECT_EQ(seen(*world, all), ".#.#\n");
  EXPECT_EQ(seen(*world, own), "...#\n");
  EXPECT_EQ(seen(*world, *world->acquire_view("default", kBlue)), ".#.#\n");
  ASSERT_EQ(commit.causes.size(), 1u) << "the obstacle only";
  EXPECT_EQ(commit.views[0].risen.front().cause, kNoCause);
  // A second body on the same cell blocks the first one's agent.
  apply(world.get(), {.stand = {{AgentId{8}, CellRect{1, 0, 3, 1}}}});
  EXPECT_EQ(seen(*world, own), ".###\n");
  apply(world.get(), {.walk_on = {AgentId{8}}});
  EXPECT_EQ(seen(*world, all), ".#.#\n");
  EXPECT_EQ(seen(*world, own), "...#\n");
  apply(world.get(), {.stand = {{AgentId{7}, CellRect{0, 0, 1, 1}}}});
  EXPECT_EQ(seen(*world, all), "#..#\n");
  EXPECT_EQ(seen(*world, *world->acquire_view("default", kBlue, AgentId{7})), "...#\n");
}

TEST(World, ObstaclesConcernOnlyTheirTeams) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId red = *world->acquire_view("default", kRed);
  const ViewId blue = *world->acquire_view("default", kBlue);
  ObstacleSpec door = wall(1, {1, 0, 2, 1});
  door.teams = 1u << 1;
  const Commit commit = apply(world.get(), {.upsert_obstacles = {door}});
  EXPECT_EQ(seen(*world, red), "...\n");
  EXPECT_EQ(seen(*world, blue), ".#.\n");
  ASSERT_EQ(commit.views.size(), 1u);
  EXPECT_EQ(commit.views[0].view, blue);
  door.teams = 1u << 0;
  EXPECT_EQ(apply(world.get(), {.upsert_obstacles = {door}}).views.size(), 2u);
  EXPECT_EQ(seen(*world, red), ".#.\n");
  EXPECT_EQ(seen(*world, blue), "...\n");
}

TEST(World, AgentsWithARadiusKeepAwayFromWhatIsBlockedAndFromTheEdge) {
  const Profile point{.name = "point", .radius = 0.5};
  const Profile cart{.name = "cart", .radius = 0.6};
  const Profile tank{.name = "tank", .radius = 1.2};
  const auto world = make_world(
      test::draw_map({".......", ".......", "...#...", ".......", "......."}), {point, cart, tank});
  EXPECT_EQ(seen(*world, *world->acquire_view("point", kRed)),
            ".......\n.......\n...#...\n.......\n.......\n");
  EXPECT_EQ(seen(*world, *world->acquire_view("cart", kRed)),
            "#######\n#..#..#\n#.###.#\n#..#..#\n#######\n")
      << "0.71 from the corner of the wall is far enough";
  EXPECT_EQ(seen(*world, *world->acquire_view("tank", kRed)),
            "#######\n#.###.#\n#.###.#\n#.###.#\n#######\n");
}

TEST(World, ARadiusIsInWorldUnits) {
  auto world = *World::create({.name = "w",
                               .map = test::open_map(5, 5),
                               .cell_size = 2,
                               .profiles = {{.name = "tank", .radius = 2}}},
                              {});
  const ViewId view = *world->acquire_view("tank", kRed);
  EXPECT_EQ(seen(*world, view), "#####\n#...#\n#...#\n#...#\n#####\n");
}

// With two obstacles the edge names the one that is near enough to have closed it.
TEST(World, AnEdgeNamesTheObstacleThatClosedItFromAfar) {
  const auto world = make_world(test::open_map(40, 9), {{.name = "tank", .radius = 3}});
  const ViewId view = *world->acquire_view("tank", kRed);
  const Commit shut =
      apply(world.get(), {.upsert_obstacles = {wall(7, {30, 4, 31, 5}), wall(8, {8, 4, 9, 5})}});
  ASSERT_EQ(shut.views.size(), 1u);
  const GridLayer& layer = world->layer(view);
  EXPECT_EQ(shut.views[0].blocked.size(), 2 * 3 * 7u) << "of the three rows that were free";
  ASSERT_FALSE(shut.views[0].risen.empty());
  for (const EdgeChange& e : shut.views[0].risen)
    EXPECT_EQ(shut.causes[e.cause], layer.x_of(e.from) > 20 ? ObstacleId{7} : ObstacleId{8});
}

// The effect of an obstacle on ground that is barred anyway is kept until the ground is no longer
// barred.
TEST(World, AnObstacleInTheShadowOfAnotherCountsWhenThatOneGoes) {
  const auto world = make_world(test::open_map(11, 3), {{.name = "cart", .radius = 1}});
  const ViewId view = *world->acquire_view("cart", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(1, {4, 1, 7, 2})}});
  EXPECT_EQ(seen(*world, view), "###########\n#..#####..#\n###########\n");
  const Commit hidden = apply(world.get(), {.upsert_obstacles = {wall(2, {5, 1, 6, 2})}});
  EXPECT_TRUE(hidden.views.empty());
  apply(world.get(), {.remove_obstacles = {ObstacleId{1}}});
  EXPECT_EQ(seen(*world, view), "###########\n#...###...#\n###########\n");
}

TEST(World, AViewMadeLaterSeesWhatOneMadeEarlierSees) {
  const auto world = make_world(test::draw_map({"..3..", ".#...", "....."}));
  const ViewId early = *world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(1, {3, 0, 4, 3}), mud(2, {0, 0, 5, 2}, 2)},
                      .terrain_edits = {{{0, 2, 2, 3}, TerrainId{1}}}});
  const std::string drawn = seen(*world, early);
  EXPECT_EQ(drawn, "...#.\n.#.#.\n##.#.\n");
  world->release_view(early);
  EXPECT_EQ(seen(*world, *world->acquire_view("default", kRed)), drawn);
}

TEST(World, TerrainEditsHaveNoCauseAndTheLastOneCounts) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  const Commit commit =
      apply(world.get(),
            {.terrain_edits = {{{0, 0, 3, 1}, TerrainId{1}}, {{1, -5, 9, 9}, TerrainId{0}}}});
  EXPECT_EQ(seen(*world, view), "#..\n");
  ASSERT_EQ(commit.views.size(), 1u);
  for (const EdgeChange& e : commit.views[0].risen) EXPECT_EQ(e.cause, kNoCause);
  EXPECT_EQ(world->terrain(0, 0), TerrainId{1});
  EXPECT_EQ(world->terrain(2, 0), TerrainId{0});
}

TEST(World, EachEdgeNamesTheObstacleOfTheBatchThatChangedIt) {
  const auto world = make_world(test::open_map(9, 1));
  (void)*world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(50, {0, 0, 1, 1})}});
  const Commit commit = apply(world.get(), {.upsert_obstacles = {wall(60, {4, 0, 5, 1})},
                                            .remove_obstacles = {ObstacleId{50}},
                                            .terrain_edits = {{{8, 0, 9, 1}, TerrainId{1}}}});
  EXPECT_EQ(commit.causes, (std::vector<ObstacleId>{ObstacleId{50}, ObstacleId{60}}));
  ASSERT_EQ(commit.views.size(), 1u);
  for (const EdgeChange& e : commit.views[0].fallen) EXPECT_EQ(e.cause, 0u);
  for (const EdgeChange& e : commit.views[0].risen)
    EXPECT_EQ(e.cause, index(e.from) > 5 ? kNoCause : 1u);
}

TEST(World, StagingChangesNothing) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  const std::uint64_t hash = world->state_hash();
  const auto staged = world->stage({.upsert_obstacles = {wall(1, {1, 0, 2, 1})}});
  ASSERT_TRUE(staged.ok());
  EXPECT_EQ(test::drawing(staged->view(view)->layer), ".#.\n");
  EXPECT_EQ(staged->view(view)->delta.blocked.size(), 1u);
  EXPECT_EQ(staged->view(ViewId{1}), nullptr);
  EXPECT_EQ(seen(*world, view), "...\n");
  EXPECT_EQ(world->state_hash(), hash);
  EXPECT_EQ(world->revision(), Revision{1});
  EXPECT_EQ(world->obstacle_count(), 0u);
}

TEST(World, ABatchThatChangesNothingIsStillARevision) {
  const auto world = make_world(test::open_map(3, 1));
  (void)*world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(1, {1, 0, 2, 1})}});
  const Commit commit = apply(world.get(), {.switch_obstacles = {{ObstacleId{1}, true}}});
  EXPECT_EQ(commit.revision, Revision{3});
  EXPECT_TRUE(commit.views.empty());
}

TEST(World, AnOpenDoorStaysOpenWhenItsNeighbourhoodChanges) {
  const auto world = make_world(test::open_map(5, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  ObstacleSpec door = wall(1, {1, 0, 2, 1});
  door.enabled = false;
  apply(world.get(), {.upsert_obstacles = {door}});
  apply(world.get(), {.upsert_obstacles = {wall(2, {3, 0, 4, 1})},
                      .switch_obstacles = {{ObstacleId{1}, false}}});
  EXPECT_EQ(seen(*world, view), "...#.\n");
}

TEST(World, AShutDoorStaysShutWhenABatchNamesItWithoutEffect) {
  const auto world = make_world(test::open_map(5, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  apply(world.get(), {.upsert_obstacles = {wall(1, {1, 0, 2, 1})}});
  apply(world.get(),
        {.upsert_obstacles = {wall(2, {3, 0, 4, 1})}, .switch_obstacles = {{ObstacleId{1}, true}}});
  EXPECT_EQ(seen(*world, view), ".#.#.\n");
}

TEST(World, SnapshotsOutliveCommits) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  const GridLayer snapshot = world->layer(view);
  apply(world.get(), {.upsert_obstacles = {wall(1, {1, 0, 2, 1})}});
  EXPECT_EQ(test::drawing(snapshot), "...\n");
}

TEST(World, ViewsAreSharedAndCounted) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId a = *world->acquire_view("default", kRed);
  EXPECT_EQ(*world->acquire_view("default", kRed), a);
  EXPECT_NE(*world->acquire_view("default", kBlue), a);
  world->release_view(a);
  EXPECT_EQ(world->layer(a).width(), 3) << "still one use";
  world->release_view(a);
  EXPECT_EQ(error_reason(world->acquire_view("nobody", kRed).status()), "PROFILE_UNKNOWN");
  EXPECT_FALSE(world->acquire_view("default", TeamId{32}).ok());
}

TEST(World, AddsProfilesInABatch) {
  const auto world = make_world(test::open_map(3, 1));
  const Profile crawler{.name = "crawler", .topology = Topology::k4};
  apply(world.get(), {.add_profiles = {crawler}});
  EXPECT_EQ(*world->profile("crawler"), crawler);
  apply(world.get(), {.add_profiles = {crawler}});
  EXPECT_EQ(world->profiles().size(), 2u) << "the same again is fine";
  const auto other = world->stage({.add_profiles = {{.name = "crawler"}}});
  EXPECT_EQ(other.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(error_field(other.status()), "add_profiles[0].name");
}

TEST(WorldDeathTest, DoesNotCommitWhatWasStagedForAnotherRevision) {
  const auto world = make_world(test::open_map(3, 1));
  auto first = world->stage({.upsert_obstacles = {wall(1, {1, 0, 2, 1})}});
  auto second = world->stage({.upsert_obstacles = {wall(2, {1, 0, 2, 1})}});
  world->commit(*std::move(first));
  EXPECT_DEATH(world->commit(*std::move(second)), "base_");
}

TEST(WorldHash, IsEqualForEqualContentAndRevisionWhateverTheWay) {
  const auto one = make_world(test::open_map(9, 9));
  const auto two = make_world(test::open_map(9, 9));
  EXPECT_EQ(one->state_hash(), two->state_hash());
  apply(one.get(), {.upsert_obstacles = {wall(1, {0, 0, 2, 2})},
                    .terrain_edits = {{{3, 3, 5, 5}, TerrainId{2}}}});
  apply(one.get(), {.upsert_obstacles = {wall(2, {4, 0, 6, 2})}});
  apply(one.get(), {.switch_obstacles = {{ObstacleId{1}, false}}});
  apply(two.get(), {.upsert_obstacles = {wall(2, {4, 0, 6, 2})},
                    .terrain_edits = {{{0, 3, 5, 5}, TerrainId{2}}}});
  EXPECT_NE(one->state_hash(), two->state_hash());
  ObstacleSpec open = wall(1, {0, 0, 2, 2});
  open.enabled = false;
  apply(two.get(), {.upsert_obstacles = {open}});
  apply(two.get(), {.terrain_edits = {{{0, 3, 3, 5}, TerrainId{0}}}});
  EXPECT_EQ(one->state_hash(), two->state_hash());
}

TEST(WorldHash, CountsTheRevision) {
  const auto world = make_world(test::open_map(9, 9));
  const std::uint64_t hash = world->state_hash();
  apply(world.get(), {.upsert_obstacles = {wall(1, {0, 0, 2, 2})}});
  apply(world.get(), {.remove_obstacles = {ObstacleId{1}}});
  EXPECT_NE(world->state_hash(), hash);
}

TEST(Profiles, ATurningRadiusHasLimitsAndIsPartOfTheHash) {
  const ProfileRules grid{WorldKind::kGrid, 1, 2};
  const ProfileRules mesh{WorldKind::kNavmesh};
  const auto reason = [](const Profile& profile, const ProfileRules& rules) {
    const absl::Status status = check_profile(profile, rules);
    if (status.ok()) return std::string();
    EXPECT_EQ(error_field(status), "turning_radius");
    return std::string(error_reason(status));
  };
  EXPECT_EQ(reason({.turning_radius = 128}, grid), "");
  EXPECT_EQ(reason({.turning_radius = 128.1}, grid), "OUT_OF_RANGE");
  EXPECT_EQ(reason({.turning_radius = -1}, grid), "OUT_OF_RANGE");
  EXPECT_EQ(reason({.turning_radius = 64}, mesh), "");
  EXPECT_EQ(reason({.turning_radius = 64.1}, mesh), "OUT_OF_RANGE");
  EXPECT_EQ(reason({.turning_radius = std::numeric_limits<double>::infinity()}, mesh),
            "NOT_FINITE");
  EXPECT_EQ(reason({.topology = Topology::kHex, .turning_radius = 1}, grid), "SMOOTHING_UNSUITED");
  EXPECT_EQ(reason({.turning_radius = 1}, {WorldKind::kGraph}), "KIND_UNSUITED");
  EXPECT_NE(content_hash(Profile{.turning_radius = 1}), content_hash(Profile{}));
  EXPECT_NE(content_hash(Profile{.turning_radius = 1}), content_hash(Profile{.turning_radius = 2}));
}

}  // namespace
}  // namespace repath

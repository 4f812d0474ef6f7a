// Silence means CONFIRMED at each settled_revision that a batch named since the agent's last event;
// it claims nothing about the revisions in between. So agents get no CONFIRMED for these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using ::testing::IsEmpty;

// A door in the wall is a short cut; the longer path is at the bottom.
const std::vector<std::string_view> kDoor = {".........",  //
                                             "....#....",  //
                                             "....#....",  //
                                             "....#....",  //
                                             "........."};

TEST(Silence, ClaimsNothingOfARevisionThatNoBatchNames) {
  SmallWorld world(kDoor);
  world.block(1, {4, 0, 5, 1});
  for (std::uint64_t id = 1; id <= 3; ++id)
    world.put(SmallWorld::walker(id, SmallWorld::centre(0, 0), SmallWorld::centre(8, 0)));
  world.settle();
  world.shut(1, false);  // revision 3 opens the door, 4 shuts it
  world.shut(1, true);
  EXPECT_EQ(world->settled_revision(std::nullopt), Revision{2});
  EXPECT_THAT(world.settle(), IsEmpty());
  EXPECT_EQ(world->settled_revision(std::nullopt), Revision{4});
}

TEST(Silence, ClaimsNothingOfARevisionThatNoBatchNamesOnPlanes) {
  test::RouteBed bed(test::plane());
  bed.put_block(1, {48, -1, 52, 30});
  for (std::uint64_t id = 1; id <= 3; ++id)
    bed.put(test::RouteBed::walker(id, {10, 5, 0}, {90, 5, 0}));
  bed.settle();
  bed.shut(1, false);
  bed.shut(1, true);
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{2});
  EXPECT_THAT(bed.settle(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{4});
}

TEST(Silence, ClaimsNothingOfARevisionThatNoBatchNamesOnGraphs) {
  GraphWorld::Source source{"square", {}, {}};
  source.graph.nodes = {
      {.id = 1}, {.id = 2, .x = 10}, {.id = 3, .z = 10}, {.id = 4, .x = 10, .z = 10}};
  source.graph.edges = {{.from = 1, .to = 2, .both = true, .enabled = false},
                        {.from = 1, .to = 3, .both = true},
                        {.from = 3, .to = 4, .both = true},
                        {.from = 4, .to = 2, .cost = 17.3, .both = true}};
  test::RouteBed bed(*GraphWorld::create(std::move(source)));
  for (std::uint64_t id = 1; id <= 3; ++id)
    bed.put(test::RouteBed::walker(id, {0, 0, 0}, {10, 0, 0}));
  bed.settle();
  bed.edit(SwitchGraphEdge{1, 2, true});  // 10 instead of 37.3
  bed.edit(SwitchGraphEdge{1, 2, false});
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{1});
  EXPECT_THAT(bed.settle(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{3});
}

// A batch may still name the revision in between, because another agent is proved up to it.
TEST(Silence, IsBrokenWhereABatchMayNameTheRevisionBetween) {
  SmallWorld world(kDoor);
  world.block(1, {4, 0, 5, 1});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(8, 0)));
  world.put(SmallWorld::walker(2, SmallWorld::centre(0, 4), SmallWorld::centre(2, 4)));
  world.settle();
  world.shut(1, false);
  world.block(2, {1, 4, 2, 5});  // revision 4 breaks the path of agent 2, proved up to 3
  world.shut(1, true);
  world.events();
  std::vector<AgentEvent> events;
  for (int frame = 0; frame < 100 && !world->is_idle(); ++frame) {
    world->step(8, world.now += 16'000);
    for (AgentEvent& event : world.events()) events.push_back(std::move(event));
  }
  const auto confirmed = std::ranges::count(events, EventType::kConfirmed, &AgentEvent::type);
  const auto first_of_2 = std::ranges::find(events, AgentId{2}, &AgentEvent::agent);
  const auto first_of_1 = std::ranges::find(events, AgentId{1}, &AgentEvent::agent);
  // The agent that is served last needs none.
  EXPECT_EQ(confirmed, first_of_1 < first_of_2 ? 1 : 0);
}

}  // namespace
}  // namespace repath

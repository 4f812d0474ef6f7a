// FindReachable and GetFlowField name the edges of graphs that they mean.
#include <gmock/gmock.h>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;

class EdgeKeys : public test::RouteServer {};

// A road and a ladder lead from 1 to 2, a narrow tunnel and a ladder from 2 to 3.
TEST_F(EdgeKeys, PiecesOfAGraphNameTheEdgesBetweenThem) {
  import("ladders", R"({"nodes": [{"id": 1, "position": [0, 0, 0]},
    {"id": 2, "position": [10, 0, 0]}, {"id": 3, "position": [20, 0, 0]}],
   "edges": [{"from": 1, "to": 2, "both": false}, {"from": 1, "to": 2, "both": false, "key": 7, "cost": 4},
    {"from": 2, "to": 3, "both": false, "key": 3, "cost": 5, "width": 1},
    {"from": 2, "to": 3, "both": false, "key": 9, "cost": 6}]})",
         v1::MAP_FORMAT_GRAPH);
  v1::ApplyChangesRequest change;
  change.set_world("ladders");
  change.mutable_batch()->add_add_profiles()->set_name("wide");
  change.mutable_batch()->mutable_add_profiles(0)->set_radius(2);
  apply(change);
  for (const bool is_wide : {false, true}) {
    const std::uint32_t last_key = is_wide ? 9 : 3;
    v1::FindReachableRequest reach;
    reach.set_world("ladders");
    reach.set_max_cost(100);
    set_place(0, 0, 0, reach.mutable_from());
    if (is_wide) reach.mutable_walker()->set_profile("wide");
    Context context;
    v1::FindReachableResponse reached;
    ASSERT_TRUE(paths_->FindReachable(&context, reach, &reached).ok());
    EXPECT_THAT(reached.edge_keys(), testing::ElementsAre(0, 7, last_key));
    v1::GetFlowFieldRequest flow;
    flow.set_world("ladders");
    set_place(20, 0, 0, flow.add_goals());
    *flow.mutable_walker() = reach.walker();
    Context second;
    v1::GetFlowFieldResponse field;
    ASSERT_TRUE(paths_->GetFlowField(&second, flow, &field).ok());
    EXPECT_THAT(field.edge_keys(), testing::ElementsAre(0, last_key, 7));
  }
}

}  // namespace
}  // namespace repath

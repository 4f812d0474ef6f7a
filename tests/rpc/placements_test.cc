// FindPlacements over sockets: its answer, its errors and its limits.
#include <string>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class PlacementCalls : public test::RouteServer {
 protected:
  void SetUp() override {
    RouteServer::SetUp();
    import_square("square", true);
    v1::UpsertAgentsRequest upsert;
    upsert.set_world("square");
    v1::Agent* agent = upsert.add_agents();
    agent->set_id(1);
    set_cell(0, 0, agent->mutable_position());
    set_cell(9, 4, agent->add_goals());
    Context upserting;
    v1::UpsertAgentsResponse upserted;
    ASSERT_TRUE(agents_->UpsertAgents(&upserting, upsert, &upserted).ok());
  }
  static v1::FindPlacementsRequest towers(std::uint32_t width, std::uint32_t height) {
    v1::FindPlacementsRequest request;
    request.set_world("square");
    request.set_width(width);
    request.set_height(height);
    return request;
  }
  grpc::Status find(const v1::FindPlacementsRequest& request) {
    Context context;
    return paths_->FindPlacements(&context, request, &response_);
  }
  // Returns the numbers of the placements as text.
  std::string numbers() const {
    std::string text;
    for (const char number : response_.placements()) text += static_cast<char>('0' + number);
    return text;
  }

  v1::FindPlacementsResponse response_;
};

TEST_F(PlacementCalls, EachAnchorHasItsAnswer) {
  ASSERT_TRUE(find(towers(1, 1)).ok());
  EXPECT_EQ(numbers(),
            "3111111111"
            "1111411111"
            "2222422222"
            "1111411111"
            "1111111114");
  EXPECT_EQ(response_.revision(), 1u);
  EXPECT_EQ(response_.area().x1(), 10);
  EXPECT_GT(response_.expanded(), 0u);
  ASSERT_TRUE(find(towers(2, 2)).ok());
  EXPECT_EQ(numbers(),
            "3444411112"
            "2222222222"
            "2222222222"
            "1114444442"
            "2222222222");
}

TEST_F(PlacementCalls, TheAreaIsClippedToTheMap) {
  v1::FindPlacementsRequest request = towers(1, 1);
  request.mutable_area()->set_x0(3);
  request.mutable_area()->set_y0(2);
  request.mutable_area()->set_x1(50);
  request.mutable_area()->set_y1(3);
  ASSERT_TRUE(find(request).ok());
  EXPECT_EQ(numbers(), "2422222");
  EXPECT_EQ(response_.area().x0(), 3);
  EXPECT_EQ(response_.area().x1(), 10);
}

TEST_F(PlacementCalls, BeyondTheLimitNothingIsKnown) {
  v1::FindPlacementsRequest request = towers(1, 1);
  request.set_max_expansions(1);
  ASSERT_TRUE(find(request).ok());
  EXPECT_EQ(numbers(), std::string(50, '5'));
}

TEST_F(PlacementCalls, RefusalsNameTheField) {
  expect_fault(find(towers(0, 1)), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "width");
  expect_fault(find(towers(1, 65)), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "height");
  v1::FindPlacementsRequest request = towers(1, 1);
  request.mutable_area()->set_x0(2);
  request.mutable_area()->set_x1(2);
  expect_fault(find(request), grpc::INVALID_ARGUMENT, "RECT_EMPTY", "area");
  request = towers(1, 1);
  request.set_min_revision(2);
  expect_fault(find(request), grpc::FAILED_PRECONDITION, "REVISION_NOT_YET", "min_revision");
  request = towers(1, 1);
  request.mutable_walker()->set_profile("other");
  expect_fault(find(request), grpc::NOT_FOUND, "PROFILE_UNKNOWN", "walker.profile");
  request.mutable_walker()->set_profile("");
  request.mutable_walker()->set_team(32);
  expect_fault(find(request), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "walker.team");
}

TEST_F(PlacementCalls, MeshesAndGraphsHaveNoCells) {
  for (const std::string world : {"house", "streets"}) {
    v1::FindPlacementsRequest request = towers(1, 1);
    request.set_world(world);
    expect_fault(find(request), grpc::FAILED_PRECONDITION, "KIND_UNSUITED", "world");
  }
}

TEST_F(PlacementCalls, AWorldMayBeTooLargeForOneAnswer) {
  v1::CreateWorldRequest create;
  create.set_name("large");
  create.set_width(1025);
  create.set_height(1024);
  Context creating;
  v1::World world;
  ASSERT_TRUE(worlds_->CreateWorld(&creating, create, &world).ok());
  v1::FindPlacementsRequest request = towers(1, 1);
  request.set_world("large");
  expect_fault(find(request), grpc::INVALID_ARGUMENT, "AREA_TOO_LARGE", "area");
  request.mutable_area()->set_x1(1024);
  request.mutable_area()->set_y1(1024);
  ASSERT_TRUE(find(request).ok());
  EXPECT_EQ(response_.placements(), std::string(std::size_t{1} << 20, '\1'));
}

}  // namespace
}  // namespace repath

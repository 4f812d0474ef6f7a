// The maps of deploy/maps that scripts of tests/data make: each is imported, searched, changed and
// searched again.
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;

class ShippedMaps : public test::RouteServer {
 protected:
  void import_shipped(const std::string& name, const std::string& file, v1::MapFormat format) {
    std::ifstream in(std::string(REPATH_SOURCE_DIR) + "/deploy/maps/" + file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ASSERT_FALSE(text.empty()) << file;
    import(name, text, format);
  }
  v1::FindPathResponse find(const std::string& world, const v1::Location& from,
                            const v1::Location& to) {
    v1::FindPathRequest request;
    request.set_world(world);
    *request.mutable_from() = from;
    *request.add_goals() = to;
    Context context;
    v1::FindPathResponse response;
    const grpc::Status status = paths_->FindPath(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  void apply(const v1::ApplyChangesRequest& request) {
    Context context;
    v1::ApplyChangesResponse response;
    const grpc::Status status = worlds_->ApplyChanges(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  static v1::Location place(double x, double y, double z) {
    v1::Location location;
    set_place(x, y, z, &location);
    return location;
  }
  static std::vector<std::uint64_t> nodes_of(const v1::FindPathResponse& response) {
    return {response.path().nodes().begin(), response.path().nodes().end()};
  }
};

// The march leads from Portugal (1) to Poland (12). First the border of France (3) and Germany (11)
// is closed, then France itself.
TEST_F(ShippedMaps, AMarchThroughTheCountriesGoesRoundAClosedBorder) {
  import_shipped("countries", "countries.json", v1::MAP_FORMAT_GRAPH);
  const v1::Location portugal = place(-700, 0, 1150);
  const v1::Location poland = place(1250, 0, 150);
  const v1::FindPathResponse open = find("countries", portugal, poland);
  EXPECT_EQ(nodes_of(open), (std::vector<std::uint64_t>{1, 2, 3, 11, 12}));
  const double length =
      std::hypot(350, 50) + std::hypot(500, 500) + std::hypot(550, 400) + std::hypot(550, 50);
  EXPECT_NEAR(open.path().cost(), length, 1e-4);

  v1::ApplyChangesRequest change;
  change.set_world("countries");
  v1::GraphEdit* border = change.mutable_batch()->add_graph_edits();
  border->mutable_switch_edge()->set_from(3);
  border->mutable_switch_edge()->set_to(11);
  apply(change);
  const v1::FindPathResponse round = find("countries", portugal, poland);
  EXPECT_EQ(nodes_of(round), (std::vector<std::uint64_t>{1, 2, 3, 6, 11, 12}));
  EXPECT_GT(round.path().cost(), open.path().cost());

  border->mutable_switch_node()->set_id(3);
  apply(change);
  EXPECT_EQ(find("countries", portugal, poland).path().status(), v1::PATH_STATUS_UNREACHABLE);
}

// From under the gallery up to it there is one way: out, and up the ramp.
TEST_F(ShippedMaps, TheGalleryOfTheHallIsReachedByTheRampOnly) {
  import_shipped("hall", "hall.obj", v1::MAP_FORMAT_OBJ);
  const v1::Location below = place(26, 0, 10);
  const v1::Location above = place(26, 3.5, 10);
  const v1::FindPathResponse found = find("hall", below, above);
  ASSERT_EQ(found.path().status(), v1::PATH_STATUS_COMPLETE);
  // To the lower part of the ramp, where its side is no higher than an agent climbs, and back.
  EXPECT_GT(found.path().cost(), 2 * 13);
  EXPECT_LT(found.path().cost(), 2 * 16 + 4);
  bool leads_up = false;
  for (int i = 1; i < found.path().positions_size(); i += 3)
    leads_up = leads_up || found.path().positions(i) > 3;
  EXPECT_TRUE(leads_up);

  v1::ApplyChangesRequest change;
  change.set_world("hall");
  v1::Obstacle* barricade = change.mutable_batch()->add_upsert_obstacles();
  barricade->set_id(1);
  barricade->mutable_box()->mutable_center()->set_x(15);
  barricade->mutable_box()->mutable_center()->set_z(10);
  barricade->mutable_box()->set_half_x(0.5);
  barricade->mutable_box()->set_half_z(3);
  barricade->set_blocked(true);
  apply(change);
  EXPECT_EQ(find("hall", below, above).path().status(), v1::PATH_STATUS_UNREACHABLE);
  EXPECT_EQ(find("hall", below, place(2, 0, 2)).path().status(), v1::PATH_STATUS_COMPLETE);
}

}  // namespace
}  // namespace repath

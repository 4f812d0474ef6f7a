// A mesh that was made of a floor plan is exported as that plan. An import by the same method makes
// the same mesh, vertex by vertex. So the new world has the same state hash.
#include "rpc/plan_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "navmesh/import/floor_plan.h"
#include "support/carved_worlds.h"
#include "support/random_polygons.h"
#include "support/seed.h"
#include "world/content_hash.h"

namespace repath {
namespace {

std::string number_text(double number) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", number)));
  return text;
}

std::string point_text(LatticePoint at) {
  return "[" + number_text(to_point(at).x) + "," + number_text(to_point(at).z) + "]";
}

// The rings of a region as JSON, some of them the other way round.
std::string floor_text(const test::Region& region, Random* random) {
  std::string text;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : region.loop_ends) {
    std::vector<std::string> corners;
    for (; begin < end; ++begin) corners.push_back(point_text(region.points[begin]));
    if (random->below(3) == 0) std::ranges::reverse(corners);
    std::string ring;
    for (const std::string& corner : corners) ring += (ring.empty() ? "[" : ",") + corner;
    const bool is_outer = text.empty();
    text += is_outer ? "{\"outer\": " + ring + "], \"holes\": [" : ring + "],";
  }
  if (text.back() == ',') text.pop_back();
  return text + "], \"y\": " + number_text(random->below(5) * 2.25) +
         ", \"area\": " + std::to_string(random->below(4)) +
         ", \"flags\": " + std::to_string(1 + random->below(9)) + "}";
}

std::string plan_of(std::uint32_t floors, Random* random) {
  std::string text = "{\"floors\": [";
  std::vector<LatticePoint> places;  // on each floor
  for (std::uint32_t i = 0; i < floors; ++i) {
    const test::Region region =
        test::random_plan(random, 4 + random->below(12), static_cast<int>(random->below(5)));
    places.push_back(
        region.points[random->below(static_cast<std::uint32_t>(region.points.size()))]);
    text += (i == 0 ? "" : ",") + floor_text(region, random);
  }
  text += "], \"links\": [";
  for (std::uint32_t i = 0; i < random->below(4); ++i) {
    const std::uint32_t from = random->below(floors);
    const std::uint32_t to = random->below(floors);
    text += std::string(i == 0 ? "" : ",") + "{\"from_floor\": " + std::to_string(from) +
            ", \"from\": " + point_text(places[from]) + ", \"to_floor\": " + std::to_string(to) +
            ", \"to\": " + point_text(places[to]) +
            ", \"both\": " + (random->below(2) == 0 ? "true" : "false") +
            ", \"factor\": " + number_text(1 + random->below(3000) / 1000.0) + "}";
  }
  return text + "]}";
}

std::string text_of(const MeshSource& mesh, std::vector<LinkSwitch> switched = {}) {
  auto content = std::make_shared<WorldContent>();
  content->kind = WorldKind::kNavmesh;
  content->mesh = std::make_shared<const MeshSource>(mesh);
  content->switched_links = std::move(switched);
  auto source = plan_text(std::move(content));
  EXPECT_TRUE(source.ok()) << source.status();
  std::string text;
  while (source.ok() && (*source)->next(&text)) {
  }
  return text;
}

TEST(PlanText, AnImportOfItIsTheSameMesh) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    const auto method = static_cast<PlanMethod>(random.below(3));
    const double tau = method == PlanMethod::kAnavmg && random.below(2) == 0 ? 0.2 : 0;
    const std::string plan = plan_of(1 + random.below(4), &random);
    const auto mesh = import_floor_plan(plan, method, nullptr, tau);
    ASSERT_TRUE(mesh.ok()) << mesh.status() << plan;
    const std::string text = text_of(*mesh);
    const auto again = import_floor_plan(text, method, nullptr, tau);
    ASSERT_TRUE(again.ok()) << again.status() << text;
    ASSERT_EQ(again->vertices, mesh->vertices) << plan << "\n" << text;
    ASSERT_EQ(again->corners, mesh->corners);
    ASSERT_EQ(again->cells, mesh->cells);
    ASSERT_EQ(again->links, mesh->links);
    ASSERT_EQ(content_hash(*again, 20.0), content_hash(*mesh, 20.0));
  }
}

TEST(PlanText, LinksAreAsTheyAreNow) {
  const auto mesh = import_floor_plan(
      R"({"floors": [{"outer": [[0,0],[4,0],[4,4],[0,4]]}],
          "links": [{"id": 7, "from": [1,1], "to": [3,3]}]})",
      PlanMethod::kAnavmg);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_NE(text_of(*mesh).find("\"enabled\": true"), std::string::npos);
  EXPECT_NE(text_of(*mesh, {{7, false}}).find("\"enabled\": false"), std::string::npos);
}

// Cells of squares share corners, and their vertices are numbered row by row.
TEST(PlanText, AMeshOfAnotherSourceHasNoPlan) {
  auto content = std::make_shared<WorldContent>();
  content->kind = WorldKind::kNavmesh;
  content->mesh = std::make_shared<const MeshSource>(test::squares({"...", ".#.", "..."}));
  const auto source = plan_text(std::move(content));
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(error_reason(source.status()), "PLAN_MISSING");
  EXPECT_EQ(error_field(source.status()), "format");
}

}  // namespace
}  // namespace repath

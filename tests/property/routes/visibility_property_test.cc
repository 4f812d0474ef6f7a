// Points of visibility against exact searches over the mesh of the same plan.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "geometry/grow.h"
#include "graph/graph_view.h"
#include "graph/visibility_import.h"
#include "graph/waypoint_graph.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/search/any_angle.h"
#include "search/classic/a_star.h"
#include "support/hostile.h"
#include "support/random_polygons.h"
#include "support/seed.h"

namespace repath {
namespace {

std::string text_of(const std::vector<LatticePoint>& points) {
  std::string text;
  for (const LatticePoint at : points) {
    const Point p = to_point(at);
    text +=
        (text.empty() ? "[[" : ",[") + test::number_text(p.x) + "," + test::number_text(p.z) + "]";
  }
  return text + "]";
}

// A plan twice: the ground of the agent as a point, for the mesh, and its obstacles.
struct Plan {
  LatticeRing outer;
  std::vector<LatticeRing> holes;
};

std::string rings_of(const Plan& plan) {
  std::string text = R"("outer":)" + text_of(plan.outer) + R"(,"holes":[)";
  for (std::size_t i = 0; i < plan.holes.size(); ++i)
    text += (i == 0 ? "" : ",") + text_of(plan.holes[i]);
  return text + "]";
}

struct Compared {
  int paths = 0;
  int bent = 0;
};

// Compares all pairs of some random points.
void compare(const Plan& ground, const Plan& drawn, double radius, Random* random,
             Compared* compared) {
  const auto source = import_floor_plan("{" + rings_of(ground) + "}", PlanMethod::kDelaunay);
  ASSERT_TRUE(source.ok()) << source.status();
  const auto mesh = NavMesh::build(*source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const CellFinder finder(*mesh);
  std::vector<LatticePoint> points;
  std::vector<MeshPlace> places;
  while (points.size() < 6) {
    const LatticePoint at = to_lattice(finder.random_place(random).point());
    const auto place = finder.find_cell(to_point(at), 0, 1);
    if (!place) continue;
    points.push_back(at);
    places.push_back(*place);
  }
  std::string text =
      R"({"radius":)" + test::number_text(radius) + "," + rings_of(drawn) + R"(,"points":[)";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = to_point(points[i]);
    text += (i == 0 ? R"({"position":[)" : R"(,{"position":[)") + test::number_text(p.x) + "," +
            test::number_text(p.z) + "]}";
  }
  const auto nodes = import_visibility_json(text + "]}");
  ASSERT_TRUE(nodes.ok()) << nodes.status() << text;
  const auto graph = WaypointGraph::build(*nodes);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const GraphView view(&*graph);
  WithOwnCore<AnyAngleSearch> exact;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      exact.begin(*mesh, places[i], places[k]);
      std::uint32_t left = 1'000'000;
      const bool is_found = exact.advance(&left) == Progress::kPathFound;
      AStar<GraphView> search(view, graph->find(i + 1), GoalSet{graph->find(k + 1)});
      std::uint32_t budget = 1'000'000;
      ASSERT_EQ(search.advance(&budget) == Progress::kPathFound, is_found) << text;
      if (!is_found) continue;
      std::vector<NodeId> path;
      search.append_path(&path);
      ++compared->paths;
      compared->bent += path.size() > 2 ? 1 : 0;
      // Rounding: half a unit for each edge.
      ASSERT_NEAR(static_cast<double>(search.path_cost()) / static_cast<double>(kStraightStep),
                  exact.path_length(), 1e-5)
          << text << " from point " << i << " to point " << k;
    }
}

TEST(VisibilityOfPlans, PathsAreAsShortAsOnTheMesh) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Compared compared;
  for (int round = 0; round < 150; ++round) {
    const test::Region region = test::random_plan(&random, 4 + random.below(30), 6);
    Plan plan;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : region.loop_ends) {
      const LatticeRing ring(region.points.begin() + begin, region.points.begin() + end);
      if (begin == 0) {
        plan.outer = ring;
      } else {
        plan.holes.push_back(ring);
      }
      begin = end;
    }
    compare(plan, plan, 0, &random, &compared);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(compared.paths, 2000);
  EXPECT_GT(compared.bent, 500);
}

// Returns a hall of 20 x 20 units with triangles. A triangle that would touch an earlier one when
// both are grown is left out. So the grown ones are holes of a plan, which `ground` gets.
Plan hall_with_obstacles(double radius, Random* random, Plan* ground) {
  // Half a plane grows by the corner of the 16-gon, rounded outward.
  const double inset = std::ceil(radius / std::cos(3.141592653589793 / 16) * 1000) / 1000;
  const auto square = [](double low, double high) {
    return LatticeRing{to_lattice({low, low}), to_lattice({high, low}), to_lattice({high, high}),
                       to_lattice({low, high})};
  };
  Plan drawn{square(0, 20), {}};
  ground->outer = square(inset, 20 - inset);
  for (int i = 0; i < 12; ++i) {
    const Point center{2 + 16 * random->unit(), 2 + 16 * random->unit()};
    Polygon shape = test::random_star(random, center, 1.5, 3);
    for (Point& p : shape.points)
      p = {std::floor(p.x * 1000) / 1000, std::floor(p.z * 1000) / 1000};
    if (!check_polygon(shape).ok()) continue;
    const auto grown = grow(shape, radius);
    bool is_clear =
        grown.ok() && grown->size() == 1 && !test::rings_meet(grown->front(), ground->outer);
    for (std::size_t k = 0; is_clear && k < ground->holes.size(); ++k)
      is_clear =
          !test::rings_meet(grown->front(), ground->holes[k]) &&
          !test::lies_inside(ground->holes[k].data(), ground->holes[k].size(), grown->front()[0]) &&
          !test::lies_inside(grown->front().data(), grown->front().size(), ground->holes[k][0]);
    if (!is_clear) continue;
    ground->holes.push_back(grown->front());
    drawn.holes.push_back(test::to_lattice(shape.points));
  }
  return drawn;
}

TEST(VisibilityOfPlans, ARadiusGrowsObstaclesAndOutline) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  Compared compared;
  for (int round = 0; round < 100; ++round) {
    const double radius = (1 + random.below(1500)) * 0.001;
    Plan ground;
    const Plan drawn = hall_with_obstacles(radius, &random, &ground);
    compare(ground, drawn, radius, &random, &compared);
    if (HasFatalFailure()) FAIL() << "round " << round << ", radius " << radius;
  }
  EXPECT_GT(compared.paths, 1400);
  EXPECT_GT(compared.bent, 400);
}

}  // namespace
}  // namespace repath

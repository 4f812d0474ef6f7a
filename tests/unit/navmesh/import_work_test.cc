// The cost of reading a mesh: counted, limited, and stopped from outside. Most of these meshes took
// minutes or gigabytes before their work was counted.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/work_meter.h"
#include "navmesh/carve/carved_mesh.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/import/mset_import.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/polyanya_import.h"
#include "navmesh/import/recast_build.h"
#include "navmesh/mesh/convex_split.h"
#include "support/detour_tiles.h"

namespace repath {
namespace {

// Requests a stop from the given call on.
class StopAt final : public StopToken {
 public:
  explicit StopAt(int question) : left_(question) {}
  bool stop_requested() const override { return --left_ <= 0; }
  int questions_after() const { return -left_; }

 private:
  mutable int left_;
};

void expect_too_large(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(error_reason(status), "IMPORT_TOO_LARGE") << status;
  EXPECT_NE(std::string(status.message()).find("limit"), std::string::npos) << status;
}

// A comb whose right end is tied into a knot: every cut of the comb leads to the knot.
std::vector<LatticePoint> knotted_comb(int teeth) {
  const std::int32_t right = 2 * teeth + 6;
  std::vector<LatticePoint> corners = {{0, 0},         {right, 0},     {right, 9},
                                       {right - 3, 7}, {right - 3, 9}, {right - 1, 7}};
  for (std::int32_t x = 2 * teeth; x > 0; --x) corners.push_back({x, x % 2 != 0 ? 9 : 3});
  for (LatticePoint& p : corners) p = {p.x * 1000, p.z * 1000};
  return corners;
}

std::string polyanya_of(const std::vector<LatticePoint>& corners) {
  std::string vertices;
  std::string polygon = std::to_string(corners.size());
  std::string sides;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    vertices +=
        std::to_string(corners[i].x / 1000) + " " + std::to_string(corners[i].z / 1000) + " 1 0\n";
    polygon += " " + std::to_string(i);
    sides += " -1";
  }
  return "mesh\n2\n" + std::to_string(corners.size()) + " 1\n" + vertices + polygon + sides + "\n";
}

// A polygon of 325 bytes took more than ten seconds, and each further tooth made it four times as
// long.
TEST(ImportWork, APolygonThatCrossesItselfIsRefusedAtOnceWithItsEdges) {
  for (const int teeth : {2, 8, 30, 200}) {
    SCOPED_TRACE(teeth);
    const absl::Status status = import_polyanya(polyanya_of(knotted_comb(teeth))).status();
    if (error_reason(status) != "IMPORT_TOO_LARGE") {
      EXPECT_EQ(error_reason(status), "MESH_POLYGON") << status;
      EXPECT_NE(status.message().find("polygon 0 crosses itself: its edges 2 and 4 meet"),
                std::string::npos)
          << status;
    }
    if (teeth <= 30) {
      EXPECT_EQ(error_reason(status), "MESH_POLYGON") << status;
    }
  }
}

TEST(ImportWork, AStarOfPositiveAreaIsRefusedAtOnce) {
  for (const int rounds : {2, 3, 5, 7}) {
    std::vector<MeshSource::Vertex> vertices;
    std::vector<std::uint32_t> polygon;
    for (std::uint32_t i = 0; i < 41; ++i) {
      const double angle = 6.283185307179586 * rounds * i / 41;
      vertices.push_back({{static_cast<std::int32_t>(1e6 * std::cos(angle)),
                           static_cast<std::int32_t>(1e6 * std::sin(angle))},
                          0});
      polygon.push_back(i);
    }
    std::vector<std::vector<std::uint32_t>> pieces;
    WorkMeter work;
    EXPECT_FALSE(append_convex(vertices, polygon, &pieces, &work));
    EXPECT_LT(work.spent(), 100'000u);
    EXPECT_TRUE(pieces.empty());
  }
}

TriangleSoup triangle_of(float side) {
  return {.vertices = {0, 0, 0, 0, 0, side, side, 0, 0}, .triangles = {0, 1, 2}};
}

TEST(ImportWork, ATriangleAsLargeAsTheExtentIsRefusedBeforeItsVoxelsAreMade) {
  TriangleSoup soup = triangle_of(33000);
  for (std::size_t i = 0; i < 9; i += 3) soup.vertices[i] -= 16000;
  RecastParameters coarse;
  coarse.cell_size = 10;
  coarse.agent_radius = 5;
  expect_too_large(build_with_recast(soup, coarse).status());
  RecastParameters fine = coarse;
  fine.cell_size = 3;
  WorkMeter work;
  const absl::Status status = build_with_recast(soup, fine, &work).status();
  expect_too_large(status);
  EXPECT_LT(work.spent(), work.limit() / 4) << "it is refused before most of the work is done";
  EXPECT_NE(status.message().find("work units"), std::string::npos) << status;
}

TEST(ImportWork, VoxelsAreNotMadeWhereABorderWouldTakeGigabytes) {
  RecastParameters tiny;
  tiny.cell_size = 0.01;
  tiny.agent_radius = 100;
  const absl::Status status = build_with_recast(triangle_of(20), tiny).status();
  expect_too_large(status);
  EXPECT_EQ(error_field(status), "agent_radius");
}

TEST(ImportWork, TrianglesInTooManyTilesAreRefusedBeforeTheyAreListed) {
  TriangleSoup soup = triangle_of(150);
  for (int i = 0; i < 200'000; ++i) soup.triangles.insert(soup.triangles.end(), {0, 1, 2});
  RecastParameters fine;
  fine.cell_size = 0.01;
  fine.agent_radius = 0.1;
  fine.tile_voxels = 16;
  expect_too_large(build_with_recast(soup, fine).status());
}

TEST(ImportWork, ABuildEndsSoonAfterItIsStopped) {
  const StopAt stop(200);
  WorkMeter work({.units = ~std::uint64_t{0} >> 1}, 0, &stop);
  const absl::Status status = build_with_recast(triangle_of(3000), {}, &work).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
  EXPECT_LT(stop.questions_after(), 10);
}

std::string comb(int teeth) {
  std::string outer = "[[0,0],[" + std::to_string(teeth) + ",0]";
  for (int i = 2 * teeth; i-- > 0;)
    outer += ",[" + std::to_string(i / 2.0) + (i % 2 == 0 ? ",1]" : ",900]");
  return R"({"outer": )" + outer + "]}";
}

std::string pillars(int count) {
  std::string holes;
  for (int i = 0; i < count; ++i) {
    const std::string x = std::to_string(1 + 2 * (i % 40));
    const std::string z = std::to_string(1 + 2 * (i / 40));
    holes += std::string(i == 0 ? "" : ",") + "[[" + x + "," + z + "],[" + x + ".5," + z + "],[" +
             x + "," + z + ".5]]";
  }
  return R"({"outer": [[0,0],[200,0],[200,200],[0,200]], "holes": [)" + holes + "]}";
}

TEST(ImportWork, APlanOfAnyShapeEndsWithinItsWorkUnits) {
  for (const std::string& plan : {comb(4000), pillars(2700)})
    for (const PlanMethod method :
         {PlanMethod::kAnavmg, PlanMethod::kDelaunay, PlanMethod::kShortestDiagonals}) {
      const absl::Status status = import_floor_plan(plan, method).status();
      if (!status.ok()) expect_too_large(status);
    }
}

TEST(ImportWork, APlanBeyondItsWorkUnitsNamesTheFloor) {
  for (const PlanMethod method :
       {PlanMethod::kAnavmg, PlanMethod::kDelaunay, PlanMethod::kShortestDiagonals}) {
    WorkMeter work({.units = 3'000'000, .units_per_byte = 0});
    const absl::Status status =
        import_floor_plan(R"({"floors": [)" + pillars(4) + "," + pillars(900) + "]}", method, &work)
            .status();
    expect_too_large(status);
    EXPECT_EQ(error_field(status).rfind("floors[1].", 0), 0u) << status;
  }
}

TEST(ImportWork, BracketsThatWouldFillTheMemoryAreRefusedFromTheText) {
  std::string text = R"({"outer": [)";
  while (text.size() < 36'000'000) text += "[],[],[],[],";
  text += "0]}";
  const absl::Status status = import_floor_plan(text, PlanMethod::kAnavmg).status();
  expect_too_large(status);
  EXPECT_NE(status.message().find("bytes of memory"), std::string::npos) << status;
}

TEST(ImportWork, ATriangleIsCutToNoMoreCellsThanItsFileMayCost) {
  const std::string file = "mesh\n2\n3 1\n0 0 1 0\n6000 0 1 0\n0 6000 1 0\n3 0 1 2 -1 -1 -1\n";
  WorkMeter work({}, file.size());
  const auto source = import_polyanya(file, &work);
  ASSERT_TRUE(source.ok()) << source.status();
  expect_too_large(CarvedMesh::make(*source, 8, {}, &work).status());
}

TEST(ImportWork, TileSetsAreCounted) {
  WorkMeter work({.units = 3000, .units_per_byte = 0});
  expect_too_large(import_mset(test::two_tiles(false), &work).status());
}

}  // namespace
}  // namespace repath

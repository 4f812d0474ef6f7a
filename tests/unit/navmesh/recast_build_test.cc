#include "navmesh/import/recast_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "navmesh/import/stitch.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/search/any_angle.h"
#include "support/seed.h"
#include "support/shared_data.h"
#include "support/small_meshes.h"
#include "support/spoil.h"

namespace repath {
namespace {

// A floor of 40 x 20 with a wall across it that leaves a gap at one end. A second floor lies above
// one half, out of reach.
constexpr const char* kHall =
    "# hall\n"
    "v 0 0 0\nv 40 0 0\nv 40 0 20\nv 0 0 20\n"
    "f 4/1/1 3/2/1 2/3/1 1/4/1\n"
    "v 19 0 0\nv 21 0 0\nv 21 0 15\nv 19 0 15\n"
    "v 19 3 0\nv 21 3 0\nv 21 3 15\nv 19 3 15\n"
    "f 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\nf 12 11 10 9\n"
    "v 0 8 0\nv 15 8 0\nv 15 8 20\nv 0 8 20\n"
    "f -1 -2 -3 -4\n";

// Returns twice the area of each component of a built mesh, by its label.
std::map<std::uint32_t, double> areas(const NavMesh& mesh) {
  std::map<std::uint32_t, double> sums;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    const auto e = mesh.edges_of(c);
    for (std::size_t k = 2; k < e.size(); ++k)
      sums[mesh.component_of(c)] += from_steps(from_steps(
          (e[k - 1].x - e[0].x) * (e[k].z - e[0].z) - (e[k - 1].z - e[0].z) * (e[k].x - e[0].x)));
  }
  return sums;
}

TEST(ObjImport, ReadsFacesAndCountsBackwards) {
  const auto soup = import_obj(kHall);
  ASSERT_TRUE(soup.ok()) << soup.status();
  EXPECT_EQ(soup->vertices.size(), 16u * 3);
  EXPECT_EQ(soup->triangle_count(), 14u);
  EXPECT_EQ(soup->triangles[0], 3);
  EXPECT_EQ(soup->triangles.back(), 12);
}

TEST(ObjImport, ErrorsNameTheLine) {
  struct Case {
    const char* text;
    const char* reason;
    const char* line;
  };
  const Case cases[] = {
      {"v 0 0\n", "OBJ_SYNTAX", "line 1:"},
      {"v 0 0 x\n", "OBJ_SYNTAX", "line 1:"},
      {"v 0 0 nan\n", "OBJ_EXTENT", "line 1:"},
      {"v 0 0 0\nv 1e9 0 0\n", "OBJ_EXTENT", "line 2:"},
      {"v 0 0 0\nf 1 1\n", "OBJ_SYNTAX", "line 2:"},
      {"v 0 0 0\r\nf 1 1 2\r\n", "OBJ_INDEX", "line 2:"},
      {"v 0 0 0\nf 1 1 0\n", "OBJ_INDEX", "line 2:"},
      {"v 0 0 0\nf 1 1 -2\n", "OBJ_INDEX", "line 2:"},
      {"v 0 0 0\nf 1 1 1x\n", "OBJ_SYNTAX", "line 2:"},
      {"v 0 0 0\n", "OBJ_SYNTAX", "line 1:"},
  };
  for (const Case& c : cases) {
    const auto soup = import_obj(c.text);
    ASSERT_FALSE(soup.ok()) << c.text;
    EXPECT_EQ(error_reason(soup.status()), c.reason) << c.text;
    EXPECT_NE(std::string(soup.status().message()).find(c.line), std::string::npos)
        << soup.status();
  }
}

TEST(ObjImport, SpoiledFilesAreReadOrRefused) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int good = 0;
  test::for_each_spoiled(kHall, 2000, &random,
                         [&](const std::string& text) { good += import_obj(text).ok(); });
  EXPECT_GT(good, 0);
  EXPECT_LT(good, 4000);
}

TEST(RecastBuild, TilesAreJoinedIntoOneGround) {
  const auto soup = import_obj(kHall);
  ASSERT_TRUE(soup.ok());
  const auto source = build_with_recast(*soup, {});  // 134 x 67 voxels, and one more: 6 tiles
  ASSERT_TRUE(source.ok()) << source.status();
  const auto mesh = NavMesh::build(*source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const auto sums = areas(*mesh);
  EXPECT_EQ(sums.size(), 2u);  // the hall and the floor above; the top of the wall is too narrow
  const CellFinder finder(*mesh);
  const auto from = finder.find_cell({5, 2}, 0, 1);
  const auto to = finder.find_cell({35, 2}, 0, 1);
  const auto above = finder.find_cell({5, 2}, 8, 1);
  ASSERT_TRUE(from && to && above);
  EXPECT_NE(from->cell, above->cell);
  EXPECT_NE(mesh->component_of(from->cell), mesh->component_of(above->cell));
  WithOwnCore<AnyAngleSearch> search;
  search.begin(*mesh, *from, *to);
  std::uint32_t plenty = 1000;
  ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
  // Round the end of the wall, which is 15 + 0.6 deep and 2 + 1.2 wide, within about a voxel.
  const double around = 2 * std::hypot(13.6, 13.4) + 3.2;
  EXPECT_NEAR(search.path_length(), around, 1.2);
}

TEST(RecastBuild, ParametersHaveRanges) {
  const auto soup = import_obj(kHall);
  struct Case {
    const char* field;
    void (*spoil)(RecastParameters*);
  };
  const Case cases[] = {
      {"cell_size", [](RecastParameters* p) { p->cell_size = 0; }},
      {"cell_size", [](RecastParameters* p) { p->cell_size = 0.30001; }},
      {"cell_height", [](RecastParameters* p) { p->cell_height = 11; }},
      {"agent_radius", [](RecastParameters* p) { p->agent_radius = -1; }},
      {"agent_height", [](RecastParameters* p) { p->agent_height = 0.0 / 0.0; }},
      {"agent_climb", [](RecastParameters* p) { p->agent_climb = 2.1; }},
      {"slope_degrees", [](RecastParameters* p) { p->slope_degrees = 90; }},
      {"region_min", [](RecastParameters* p) { p->region_min = 151; }},
      {"region_merge", [](RecastParameters* p) { p->region_merge = -1; }},
      {"edge_length_max", [](RecastParameters* p) { p->edge_length_max = 1001; }},
      {"edge_error_max", [](RecastParameters* p) { p->edge_error_max = 0; }},
      {"tile_voxels", [](RecastParameters* p) { p->tile_voxels = 15; }},
  };
  for (const Case& c : cases) {
    RecastParameters parameters;
    c.spoil(&parameters);
    const auto source = build_with_recast(*soup, parameters);
    ASSERT_FALSE(source.ok()) << c.field;
    EXPECT_EQ(error_reason(source.status()), "PARAMETER_RANGE");
    EXPECT_EQ(error_field(source.status()), c.field);
  }
}

TEST(RecastBuild, RefusesWhatIsTooLargeOrCannotBeWalked) {
  const auto wide = import_obj("v 0 0 0\nv 30000 0 0\nv 0 0 30000\nf 3 2 1\n");
  EXPECT_EQ(error_reason(build_with_recast(*wide, {}).status()), "MESH_TOO_LARGE");
  const auto wall = import_obj("v 0 0 0\nv 30 0 0\nv 0 30 0\nf 3 2 1\n");
  EXPECT_EQ(error_reason(build_with_recast(*wall, {}).status()), "NO_GROUND");
}

// Rectangles of ground, counterclockwise seen from above, in OBJ's order.
class Level {
 public:
  explicit Level(double shift = 0) : shift_(shift) {}

  // A rectangle whose height goes from `low` at x = l to `high` at x = r.
  void add(double l, double r, double t, double b, double low, double high) {
    add_corner(l, low, t);
    add_corner(l, low, b);
    add_corner(r, high, b);
    add_corner(r, high, t);
    text_ += "f -4 -3 -2 -1\n";
  }
  // A ramp that rises from (x, z) and (x2, z2), its foot, to `high` at right angles to its left.
  void add_ramp(double x, double z, double x2, double z2, double length, double high) {
    const double width = std::hypot(x2 - x, z2 - z);
    const double dx = (z2 - z) / width * length;
    const double dz = (x - x2) / width * length;
    add_corner(x, 0, z);
    add_corner(x2, 0, z2);
    add_corner(x2 + dx, high, z2 + dz);
    add_corner(x + dx, high, z + dz);
    text_ += "f -4 -3 -2 -1\n";
  }
  const std::string& text() const { return text_; }

 private:
  void add_corner(double x, double y, double z) {
    text_ += "v " + std::to_string(x + shift_) + " " + std::to_string(y) + " " +
             std::to_string(z + shift_) + "\n";
  }

  double shift_;
  std::string text_;
};

NavMesh mesh_of(const Level& level, const RecastParameters& parameters) {
  const auto soup = import_obj(level.text());
  EXPECT_TRUE(soup.ok()) << soup.status();
  const auto source = build_with_recast(*soup, parameters);
  EXPECT_TRUE(source.ok()) << source.status();
  auto mesh = NavMesh::build(*source);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return *std::move(mesh);
}

// A ramp that begins near the corner of a tile. A cell over both would lie metres above the floor.
TEST(RecastBuild, AFloorBeforeARampKeepsItsHeight) {
  Level level;
  level.add(0, 40.8, 0, 22.25, 0, 0);
  level.add_ramp(40.67, 16.16, 28.29, 15.86, 4.3, 3.89);
  for (const double edge_length_max : {0., 0.5, 3., 12.}) {
    for (const double agent_climb : {0.6, 0.9}) {
      RecastParameters parameters;
      parameters.edge_length_max = edge_length_max;
      parameters.agent_climb = agent_climb;
      const NavMesh mesh = mesh_of(level, parameters);
      const CellFinder finder(mesh);
      const auto start = finder.find_cell({10, 10}, 0, 0.5);
      ASSERT_TRUE(start);
      for (double x = 1.5; x < 39.2; x += 0.3) {
        for (double z = 1.5; z < 15.3; z += 0.3) {
          const auto place = finder.find_cell({x, z}, 0, 1.2);  // half the headroom and a voxel
          ASSERT_TRUE(place) << x << " " << z;
          EXPECT_EQ(mesh.component_of(place->cell), mesh.component_of(start->cell));
        }
      }
      for (double rise = 0.2; rise < 0.75; rise += 0.1)
        EXPECT_TRUE(finder.find_cell({34, 16 + 4.3 * rise}, 3.89 * rise, 1.4)) << rise;
    }
  }
}

// A yard of 60 x 40 under a bridge 4 high, whose ramps begin on the yard. Watershed regions
// overlap here for most shifts.
TEST(RecastBuild, RampsOverTheGroundTheyBeginOnLoseNoGround) {
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE(step);
    const double shift = 1.7 * step;
    Level level(shift);
    level.add(0, 60, 0, 40, 0, 0);
    level.add(2, 12, 18, 22, 0, 4);
    level.add(12, 48, 18, 22, 4, 4);
    level.add(48, 58, 18, 22, 4, 0);
    const NavMesh mesh = mesh_of(level, {});
    const CellFinder finder(mesh);
    const auto has_ground = [&](double x, double y, double z) {
      return finder.find_cell({x + shift, z + shift}, y, 1.4).has_value();
    };
    for (double x = 1.5; x < 59; ++x) {
      const double from_end = std::min(x, 60 - x);
      const double ramp = std::clamp((from_end - 2) * 0.4, 0., 4.);
      for (double z = 1.5; z < 39; ++z) {
        // Under the ramps there is no headroom, and agents keep away from what is too low.
        const bool is_near_ramp = z > 16.8 && z < 23.2 && from_end < 10;
        EXPECT_TRUE(is_near_ramp || has_ground(x, 0, z)) << x << " " << z;
      }
      EXPECT_TRUE(from_end < 3 || has_ground(x, ramp, 20)) << x;
    }
  }
}

// Hills of 6 from valley to top, 40 apart, on 25 tiles.
TEST(RecastBuild, HillsKeepTheirHeightsWithFewCells) {
  constexpr int kSide = 90;
  const auto height = [](int x, int z) {
    return 1.5 * (std::sin(x * 6.2832 / 40) + std::sin(z * 6.2832 / 40));
  };
  TriangleSoup soup;
  for (int z = 0; z <= kSide; ++z)
    for (int x = 0; x <= kSide; ++x)
      for (const double c : {double(x), height(x, z), double(z)})
        soup.vertices.push_back(static_cast<float>(c));
  for (int z = 0; z < kSide; ++z) {
    for (int x = 0; x < kSide; ++x) {
      const int a = z * (kSide + 1) + x;
      const int b = a + kSide + 1;
      for (const int v : {a, b, b + 1, a, b + 1, a + 1}) soup.triangles.push_back(v);
    }
  }
  const auto source = build_with_recast(soup, {});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_LT(source->cells.size(), 25u * 20);
  const auto mesh = NavMesh::build(*source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const CellFinder finder(*mesh);
  for (int x = 2; x < kSide - 1; ++x)
    for (int z = 2; z < kSide - 1; ++z)
      EXPECT_TRUE(finder.find_cell({double(x), double(z)}, height(x, z), 1.35)) << x << " " << z;
}

// Borders may be off by ten voxels here, which is more than these lanes are wide. So the outlines
// of all divisions cross themselves.
TEST(RecastBuild, GroundThatCannotBeDividedIsRefused) {
  Level level;
  level.add(14.42, 15.09, 4.87, 20.1, 0, 0);
  level.add(1.13, 14.7, 5.3, 6.19, 0, 0);
  level.add(13.91, 21.4, 8.6, 9.2, 0, 0);
  RecastParameters parameters;
  parameters.agent_radius = 0;
  parameters.region_min = 0;
  parameters.edge_error_max = 10;
  const auto soup = import_obj(level.text());
  ASSERT_TRUE(soup.ok()) << soup.status();
  const absl::Status status = build_with_recast(*soup, parameters).status();
  EXPECT_EQ(error_reason(status), "GROUND_FOLDED") << status;
  EXPECT_NE(status.message().find("tile (0, 0)"), std::string::npos) << status;
  parameters.edge_error_max = 1.3;
  EXPECT_TRUE(build_with_recast(*soup, parameters).ok());
}

TEST(RecastBuild, SaysThatALevelFacesDown) {
  const auto soup = import_obj("v 0 0 0\nv 30 0 0\nv 30 0 30\nv 0 0 30\nf 1 2 3 4\n");
  const absl::Status status = build_with_recast(*soup, {}).status();
  EXPECT_EQ(error_reason(status), "NO_GROUND");
  EXPECT_NE(status.message().find("face down"), std::string::npos) << status;
}

// Nearly all ground is connected, for every size of tiles.
TEST(RecastBuild, SharedLevelsAreOneGroundWhateverTheTiles) {
  const auto folder = test::shared_data("navmesh");
  if (!folder) GTEST_SKIP() << "the shared test data is not here";
  for (const std::string name : {"nav_test.obj", "dungeon.obj"}) {
    const auto soup = import_obj(test::read_file(*folder / name));
    ASSERT_TRUE(soup.ok()) << name << ": " << soup.status();
    double whole = 0;
    for (const std::int32_t tile : {1024, 32, 48, 64}) {
      RecastParameters parameters;
      parameters.tile_voxels = tile;
      const auto source = build_with_recast(*soup, parameters);
      ASSERT_TRUE(source.ok()) << source.status();
      const auto mesh = NavMesh::build(*source);
      ASSERT_TRUE(mesh.ok()) << name << " " << tile << ": " << mesh.status();
      double most = 0;
      for (const auto& [label, area] : areas(*mesh)) most = std::max(most, area);
      if (tile == 1024) whole = most;
      EXPECT_NEAR(most, whole, 0.05 * whole) << name << ", tiles of " << tile;
    }
  }
}

TEST(Stitch, CornersOnLongEdgesCutThem) {
  // Two squares to the left of the line x = 1, a bar of height 2 to its right, and one more floor.
  MeshSource source;
  const auto add = [&source](double l, double t, double r, double b, double y) {
    const auto v = static_cast<std::uint32_t>(source.vertices.size());
    for (const auto& [x, z] : {std::pair(l, t), std::pair(r, t), std::pair(r, b), std::pair(l, b)})
      source.vertices.push_back({test::at(x, z), y});
    source.add_cell({v, v + 1, v + 2, v + 3});
  };
  add(0, 0, 1, 1, 0);
  add(0, 1, 1, 2, 0.2);
  add(1, 0, 2, 2, 0.1);
  add(1, 0, 2, 2, 3);
  WorkMeter work;
  ASSERT_TRUE(stitch_tiles({{16'000}, {}}, 0.5, &work, &source));
  const NavMesh mesh = *NavMesh::build(source);
  EXPECT_EQ(mesh.component_of(0), mesh.component_of(2));
  EXPECT_EQ(mesh.component_of(1), mesh.component_of(2));
  EXPECT_NE(mesh.component_of(3), mesh.component_of(2));
  EXPECT_EQ(mesh.edges_of(2).size(), 5u);
}

TEST(Stitch, EdgesOnOneSideStayApart) {
  // Three cells meet at one edge: on the right there are two floors closer than the climb.
  MeshSource source;
  const auto add = [&source](double l, double r, double y) {
    const auto v = static_cast<std::uint32_t>(source.vertices.size());
    for (const auto& [x, z] :
         {std::pair(l, 0.), std::pair(r, 0.), std::pair(r, 1.), std::pair(l, 1.)})
      source.vertices.push_back({test::at(x, z), y});
    source.add_cell({v, v + 1, v + 2, v + 3});
  };
  add(0, 1, 0);
  add(1, 2, 0.1);
  add(1, 2, 0.2);
  WorkMeter work;
  ASSERT_TRUE(stitch_tiles({{16'000}, {}}, 0.5, &work, &source));
  const auto mesh = NavMesh::build(source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->component_of(0), mesh->component_of(1));
  EXPECT_NE(mesh->component_of(0), mesh->component_of(2));
}

}  // namespace
}  // namespace repath

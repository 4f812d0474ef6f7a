// Every reader of navmeshes; the result is also built and searched.
#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/work_meter.h"
#include "navmesh/carve/carved_mesh.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/import/mset_import.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/polyanya_import.h"
#include "navmesh/import/recast_build.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "support/detour_tiles.h"
#include "support/fuzz.h"
#include "support/hostile.h"

namespace repath {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(std::string(REPATH_SOURCE_DIR) + "/tests/data/meshes/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Searches a path from one live cell to the last one, if that does not take long.
void search(const NavMesh& mesh) {
  constexpr std::uint32_t kExpansionsMax = 2000;
  std::vector<std::uint32_t> cells;
  for (std::uint32_t cell = 0; cell < mesh.cells_end(); ++cell)
    if (mesh.is_live(cell)) cells.push_back(cell);
  if (cells.empty()) return;
  const auto corner = [&](std::uint32_t cell) {
    const NavMesh::Edge& edge = mesh.edges_of(cell).front();
    return pull_into(mesh, cell, edge.x, edge.z);
  };
  WithOwnCore<AnyAngleSearch> exact;
  exact.begin(mesh, corner(cells.front()), corner(cells.back()));
  std::uint32_t left = kExpansionsMax;
  if (exact.advance(&left) != Progress::kPathFound) return;
  std::vector<PathCorner> path;
  exact.append_path(&path);
  EXPECT_GE(path.size(), 2u);
}

// Makes a world's mesh within the rest of the reader's work meter.
absl::Status build(const absl::StatusOr<MeshSource>& source, WorkMeter* work) {
  if (!source.ok()) return source.status();
  constexpr double kCellSide = 8;  // as in worlds
  const auto mesh = CarvedMesh::make(*source, kCellSide, {}, work);
  if (!mesh.ok()) return mesh.status();
  search(mesh->base());
  return absl::OkStatus();
}

// Parameters that go with the text.
Random dice_of(const std::string& text) { return Random(Hasher().add(text).value()); }

TEST(Fuzz, Polyanya) {
  test::feed(
      {file("courtyard.mesh"), file("shelves.mesh")},
      [](const std::string& text) {
        WorkMeter work({}, text.size());
        return build(import_polyanya(text, &work), &work);
      },
      test::hostile_polyanya);
}

TEST(Fuzz, Mset) {
  test::feed({test::two_tiles(false), test::two_tiles(true)}, [](const std::string& bytes) {
    WorkMeter work({}, bytes.size());
    return build(import_mset(bytes, &work), &work);
  });
}

TEST(Fuzz, FloorPlan) {
  const std::string room =
      R"({"outer": [[0,0],[8,0],[8,6],[5,6],[5,3],[0,3]], "holes": [[[1,1],[1,2],[2,2]]]})";
  const std::string floors =
      R"({"floors": [{"outer": [[0,0],[4,0],[4,4],[0,4]]}, {"outer": [[0,0],[4,0],[4,4],[0,4]], "y": 3, "area": 2}],)"
      R"( "links": [{"id": 9, "from": [1,1], "to": [2,2], "to_floor": 1, "both": false, "factor": 1.5}]})";
  const auto read = [](const std::string& text) {
    constexpr PlanMethod kMethods[] = {PlanMethod::kDelaunay, PlanMethod::kShortestDiagonals,
                                       PlanMethod::kAnavmg};
    WorkMeter work({}, text.size());
    return build(import_floor_plan(text, kMethods[dice_of(text).below(3)], &work), &work);
  };
  test::feed({room, floors}, read, [](Random* random) {
    return random->below(8) == 0 ? test::hostile_json(random) : test::hostile_plan(random);
  });
}

RecastParameters settings_for(const std::string& text) {
  Random random = dice_of(text);
  RecastParameters p;
  const auto choose = [&](double* value, std::initializer_list<double> among) {
    if (random.below(3) == 0)
      *value = among.begin()[random.below(static_cast<std::uint32_t>(among.size()))];
  };
  choose(&p.cell_size, {0.01, 0.05, 0.1, 1, 10, 0.0100625});
  choose(&p.cell_height, {0.01, 0.05, 1, 10});
  choose(&p.agent_radius, {0, 0.1, 5, 100});
  choose(&p.agent_height, {0.01, 0.5, 10, 100});
  choose(&p.agent_climb, {0, 0.001, 5, 99});
  choose(&p.slope_degrees, {0, 10, 89});
  choose(&p.region_min, {0, 1, 150});
  choose(&p.region_merge, {0, 1, 150});
  choose(&p.edge_length_max, {0, 0.01, 1000});
  choose(&p.edge_error_max, {0.1, 10});
  if (random.below(3) == 0) p.tile_voxels = 16 << random.below(7);
  return p;
}

TEST(Fuzz, Obj) {
  const std::string hall =
      "# a hall\nv 0 0 0\nv 6 0 0\nv 6 0 5\nv 0 0 5\nv 3 0 2\nv 3 2 2\nv 3 2 4\n"
      "f 1 4 3 2\nf 5/1/1 6/2/2 7/3/3\nf -3 -2 -1\n";
  const auto read = [](const std::string& text) -> absl::Status {
    const auto soup = import_obj(text);
    if (!soup.ok()) return soup.status();
    WorkMeter work({}, text.size());
    const RecastParameters settings = text.size() < 200 ? RecastParameters() : settings_for(text);
    return build(build_with_recast(*soup, settings, &work), &work);
  };
  test::feed({hall}, read, test::hostile_obj);
}

}  // namespace
}  // namespace repath

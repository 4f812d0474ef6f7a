// Every reader of navmeshes; what is read is built and searched, too.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "navmesh/any_angle.h"
#include "navmesh/cell_finder.h"
#include "navmesh/corridor.h"
#include "navmesh/floor_plan.h"
#include "navmesh/mset_import.h"
#include "navmesh/nav_mesh.h"
#include "navmesh/obj_import.h"
#include "navmesh/polyanya_import.h"
#include "navmesh/recast_build.h"
#include "support/detour_tiles.h"
#include "support/fuzz.h"

namespace repath {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(std::string(REPATH_SOURCE_DIR) + "/tests/data/meshes/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A path from one live cell to the last one, if it does not take long.
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
  AnyAngleSearch exact;
  exact.begin(mesh, corner(cells.front()), corner(cells.back()));
  std::uint32_t left = kExpansionsMax;
  if (exact.advance(&left) != Progress::kPathFound) return;
  std::vector<PathCorner> path;
  exact.append_path(&path);
  EXPECT_GE(path.size(), 2u);
}

absl::Status build(const absl::StatusOr<MeshSource>& source) {
  if (!source.ok()) return source.status();
  const auto mesh = NavMesh::build(*source);
  if (!mesh.ok()) return mesh.status();
  search(*mesh);
  return absl::OkStatus();
}

TEST(Fuzz, Polyanya) {
  test::feed({file("courtyard.mesh"), file("shelves.mesh")},
             [](const std::string& text) { return build(import_polyanya(text)); });
}

TEST(Fuzz, Mset) {
  test::feed({test::two_tiles(false), test::two_tiles(true)},
             [](const std::string& bytes) { return build(import_mset(bytes)); });
}

TEST(Fuzz, FloorPlan) {
  const std::string room =
      R"({"outer": [[0,0],[8,0],[8,6],[5,6],[5,3],[0,3]], "holes": [[[1,1],[1,2],[2,2]]]})";
  const std::string floors =
      R"({"floors": [{"outer": [[0,0],[4,0],[4,4],[0,4]]}, {"outer": [[0,0],[4,0],[4,4],[0,4]], "y": 3, "area": 2}],)"
      R"( "links": [{"id": 9, "from": [1,1], "to": [2,2], "to_floor": 1, "both": false, "factor": 1.5}]})";
  test::feed({room, floors}, [](const std::string& text) {
    for (const PlanMethod method : {PlanMethod::kDelaunay, PlanMethod::kShortestDiagonals}) {
      if (const absl::Status status = build(import_floor_plan(text, method)); !status.ok())
        return status;
    }
    return build(import_floor_plan(text, PlanMethod::kAnavmg));
  });
}

// Small ground only: voxels of what is read are many.
TEST(Fuzz, Obj) {
  const std::string hall =
      "# a hall\nv 0 0 0\nv 6 0 0\nv 6 0 5\nv 0 0 5\nv 3 0 2\nv 3 2 2\nv 3 2 4\n"
      "f 1 4 3 2\nf 5/1/1 6/2/2 7/3/3\nf -3 -2 -1\n";
  test::feed({hall}, [](const std::string& text) -> absl::Status {
    const auto soup = import_obj(text);
    if (!soup.ok()) return soup.status();
    float most = 0;
    for (const float v : soup->vertices) most = std::max(most, std::abs(v));
    if (most > 50) return absl::OkStatus();
    const absl::Status status = build(build_with_recast(*soup, {}, {}));
    return status;
  });
}

}  // namespace
}  // namespace repath

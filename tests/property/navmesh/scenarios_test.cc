// Any-angle search on the meshes of the test data, whose lengths the plain model computes again,
// and on the shared meshes if present.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "navmesh/import/polyanya_import.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/mesh_ray.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "support/plain_mesh.h"
#include "support/shared_data.h"

namespace repath {
namespace {

struct MeshQuery {
  MeshPlace from;
  MeshPlace to;
  double length = 0;
  std::string line;
};

std::vector<MeshQuery> read_queries(const std::filesystem::path& file, const CellFinder& finder) {
  std::istringstream text(test::read_file(file));
  std::vector<MeshQuery> queries;
  MeshQuery query;
  std::getline(text, query.line);
  while (std::getline(text, query.line)) {
    std::istringstream fields(query.line);
    std::string word[4];
    Point from;
    Point to;
    if (!(fields >> word[0] >> word[1] >> word[2] >> word[3] >> from.x >> from.z >> to.x >> to.z >>
          query.length))
      continue;
    const auto start = finder.find_cell(from, 0, 1);
    const auto goal = finder.find_cell(to, 0, 1);
    EXPECT_TRUE(start && goal) << query.line;
    if (!start || !goal) continue;
    query.from = *start;
    query.to = *goal;
    queries.push_back(query);
  }
  return queries;
}

double shortest(const NavMesh& mesh, const MeshQuery& query, AnyAngleSearch* search) {
  search->begin(mesh, query.from, query.to);
  std::uint32_t plenty = 100'000'000;
  EXPECT_EQ(search->advance(&plenty), Progress::kPathFound) << query.line;
  // Every part lies on the ground.
  std::vector<PathCorner> path;
  search->append_path(&path);
  MeshPlace at = query.from;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool is_goal = i + 1 == path.size();
    const double x = is_goal ? query.to.x : mesh.vertex(path[i].vertex).at.x;
    const double z = is_goal ? query.to.z : mesh.vertex(path[i].vertex).at.z;
    const RayResult ray = cast_ray(mesh, at, x, z, {}, nullptr);
    EXPECT_TRUE(ray.is_free) << query.line;
    at = ray.end;
  }
  return search->path_length();
}

TEST(AnyAngleScenarios, OwnMeshesHaveTheLengthsOfTheFilesAndOfThePlainModel) {
  const auto folder = std::filesystem::path(REPATH_SOURCE_DIR) / "tests" / "data" / "meshes";
  const auto files = test::files_in(folder, ".mesh");
  ASSERT_GE(files.size(), 2u);
  for (std::filesystem::path file : files) {
    const auto source = import_polyanya(test::read_file(file));
    ASSERT_TRUE(source.ok()) << file << ": " << source.status();
    const NavMesh mesh = *NavMesh::build(*source);
    const CellFinder finder(mesh);
    const test::PlainMesh plain(*source);
    WithOwnCore<AnyAngleSearch> search;
    const std::vector<MeshQuery> queries = read_queries(file.replace_extension(".scen"), finder);
    ASSERT_EQ(queries.size(), 100u);
    for (const MeshQuery& query : queries) {
      const auto spot = [&](const MeshPlace& p) {
        return plain.spot(p.point().x, p.point().z, p.cell);
      };
      const double length = shortest(mesh, query, &search);
      EXPECT_NEAR(length, query.length, 1e-8 * (1 + query.length)) << query.line;
      EXPECT_NEAR(length, plain.shortest(spot(query.from), spot(query.to)), 1e-9 * (1 + length))
          << query.line;
    }
  }
}

// The lengths in the shared files belong to grid paths with steps in eight directions around the
// same blocks. Shortest paths are not longer, and shorter by at most the cost of such steps.
TEST(AnyAngleScenarios, SharedMeshesHaveNoLongerPathsThanTheirGrids) {
  const auto folder = test::shared_data("navmesh");
  if (!folder) GTEST_SKIP() << "the shared test data is not here";
  std::size_t seen = 0;
  for (const std::string name : {"arena", "aurora"}) {
    const auto mesh_file = *folder / ("polyanya-" + name + "-merged.mesh");
    const auto scen_file = *folder / ("polyanya-" + name + ".scen");
    if (!std::filesystem::exists(mesh_file) || !std::filesystem::exists(scen_file)) continue;
    const auto source = import_polyanya(test::read_file(mesh_file));
    ASSERT_TRUE(source.ok()) << name << ": " << source.status();
    const NavMesh mesh = *NavMesh::build(*source);
    const CellFinder finder(mesh);
    WithOwnCore<AnyAngleSearch> search;
    CorridorSearch corridor;
    const NavFilter filter;
    for (const MeshQuery& query : read_queries(scen_file, finder)) {
      const double length = shortest(mesh, query, &search);
      EXPECT_LE(length, query.length * (1 + 1e-5)) << query.line;
      EXPECT_GE(length, query.length * 0.85) << query.line;
      corridor.begin(mesh, query.from, query.to, filter);
      std::uint32_t plenty = 100'000'000;
      ASSERT_EQ(corridor.advance(&plenty), Progress::kPathFound) << query.line;
      EXPECT_GE(corridor.length(), length * (1 - 1e-9)) << query.line;
      ++seen;
    }
  }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace repath

#include "bench/navmesh_ground.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "navmesh/cell_finder.h"
#include "navmesh/mset_import.h"
#include "navmesh/obj_import.h"
#include "navmesh/polyanya_import.h"
#include "navmesh/recast_build.h"

namespace repath::bench {

absl::StatusOr<NavMesh> load_navmesh(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  absl::StatusOr<MeshSource> source;
  if (std::filesystem::path(file).extension() == ".obj") {
    const absl::StatusOr<TriangleSoup> soup = import_obj(text);
    if (!soup.ok()) return soup.status();
    source = build_with_recast(*soup, {}, {});
  } else if (text.substr(0, 4) == "TESM") {
    source = import_mset(text);
  } else {
    source = import_polyanya(text);
  }
  if (!source.ok()) return source.status();
  return NavMesh::build(*source);
}

std::vector<NavmeshQuery> load_navmesh_queries(const std::string& scen, const NavMesh& mesh,
                                               std::size_t* skipped) {
  const CellFinder finder(mesh);
  std::vector<NavmeshQuery> queries;
  std::ifstream in(scen);
  std::string line;
  std::getline(in, line);  // version
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string bucket, map, width, height, length;
    Point from;
    Point to;
    if (!(fields >> bucket >> map >> width >> height >> from.x >> from.z >> to.x >> to.z >> length))
      continue;
    const auto start = finder.find_cell(from, 0, kHeightMax);
    const auto goal = finder.find_cell(to, 0, kHeightMax);
    if (!start || !goal) {
      ++*skipped;
      continue;
    }
    NavmeshQuery query{*start, *goal, std::stod(length), 0};
    const std::size_t point = length.find('.');
    const double decimals =
        point == std::string::npos ? 0 : static_cast<double>(length.size() - point - 1);
    query.tolerance = std::max(1e-4 * query.length, 0.5 * std::pow(10.0, -decimals));
    queries.push_back(query);
  }
  return queries;
}

std::vector<NavmeshQuery> random_navmesh_queries(const NavMesh& mesh, std::size_t queries,
                                                 std::uint64_t seed) {
  const CellFinder finder(mesh);
  Random random(seed);
  std::vector<NavmeshQuery> made;
  for (std::size_t tries = 100 * queries; tries > 0 && made.size() < queries; --tries) {
    NavmeshQuery query{finder.random_place(&random), finder.random_place(&random)};
    if (mesh.component_of(query.from.cell) == mesh.component_of(query.to.cell))
      made.push_back(query);
  }
  return made;
}

}  // namespace repath::bench

#include "bench/navmesh_ground.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "navmesh/import/mset_import.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/polyanya_import.h"
#include "navmesh/import/recast_build.h"
#include "navmesh/mesh/cell_finder.h"

namespace repath::bench {

namespace {

// Makes each cell a fan. Recast's triangles that face up run in the opposite direction of our
// cells.
TriangleSoup soup_of(const MeshSource& source) {
  TriangleSoup soup;
  for (const MeshSource::Vertex& v : source.vertices) {
    const Point p = to_point(v.at);
    for (const double c : {p.x, v.y, p.z}) soup.vertices.push_back(static_cast<float>(c));
  }
  for (const MeshSource::Cell& cell : source.cells)
    for (std::uint32_t k = 2; k < cell.count; ++k)
      for (const std::uint32_t corner : {0U, k, k - 1})
        soup.triangles.push_back(static_cast<std::int32_t>(source.corners[cell.first + corner]));
  return soup;
}

}  // namespace

absl::StatusOr<NavmeshGround> load_navmesh_ground(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  NavmeshGround ground;
  ground.name = std::filesystem::path(file).stem().string();
  absl::StatusOr<MeshSource> source;
  if (std::filesystem::path(file).extension() == ".obj") {
    absl::StatusOr<TriangleSoup> soup = import_obj(text);
    if (!soup.ok()) return soup.status();
    ground.soup = *std::move(soup);
    ground.is_eroded = true;
    source = build_with_recast(ground.soup, {});
  } else if (text.substr(0, 4) == "TESM") {
    source = import_mset(text);
  } else {
    source = import_polyanya(text);
  }
  if (!source.ok()) return source.status();
  ground.source = *std::move(source);
  if (!ground.is_eroded) ground.soup = soup_of(ground.source);
  return ground;
}

NavmeshGround open_navmesh_ground(unsigned side) {
  NavmeshGround ground;
  ground.name = "open_" + std::to_string(side);
  const auto far = static_cast<std::int32_t>(side * std::uint32_t{kLatticePerUnit});
  ground.source.vertices = {{{0, 0}, 0}, {{far, 0}, 0}, {{far, far}, 0}, {{0, far}, 0}};
  ground.source.add_cell({0, 1, 2, 3});
  ground.soup = soup_of(ground.source);
  return ground;
}

absl::StatusOr<NavMesh> load_navmesh(const std::string& file) {
  const absl::StatusOr<NavmeshGround> ground = load_navmesh_ground(file);
  if (!ground.ok()) return ground.status();
  return NavMesh::build(ground->source);
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

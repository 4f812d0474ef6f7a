// Navmeshes and their queries for repath-bench: files of Polyanya, scenarios with real coordinates,
// random places.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "navmesh/mesh_place.h"
#include "navmesh/nav_mesh.h"

namespace repath::bench {

struct NavmeshQuery {
  MeshPlace from;
  MeshPlace to;
  double length = -1;    // as the scenario has it; below 0: not given
  double tolerance = 0;  // max(1e-4 of it, half a unit of its last printed decimal)
};

absl::StatusOr<NavMesh> load_navmesh(const std::string& file);

// Every query of the scenario whose ends are on the mesh; `*skipped` the others.
std::vector<NavmeshQuery> load_navmesh_queries(const std::string& scen, const NavMesh& mesh,
                                               std::size_t* skipped);

// Pairs of places, evenly over the mesh, with a path between them.
std::vector<NavmeshQuery> random_navmesh_queries(const NavMesh& mesh, std::size_t queries,
                                                 std::uint64_t seed);

}  // namespace repath::bench

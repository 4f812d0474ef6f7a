// Navmeshes and their queries for repath-bench: files of Polyanya, scenarios with real coordinates,
// random places.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/mesh_source.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath::bench {

struct NavmeshQuery {
  MeshPlace from;
  MeshPlace to;
  double length = -1;    // length in the scenario; below 0: not given
  double tolerance = 0;  // max(1e-4 of `length`, half a unit of its last printed decimal)
};

// A mesh and triangles that Recast can build the same ground from.
struct NavmeshGround {
  std::string name;
  MeshSource source;
  TriangleSoup soup;
  // Whether the mesh keeps an agent's radius away from the triangles' borders.
  bool is_eroded = false;
};

inline constexpr unsigned kOpenSideMax = 30'000;  // world units

// Loads a ground. From .obj the mesh is built with Recast's defaults; for other files the triangles
// are those of the mesh.
absl::StatusOr<NavmeshGround> load_navmesh_ground(const std::string& file);
// Returns an empty square. REQUIRES: 1 <= side <= kOpenSideMax.
NavmeshGround open_navmesh_ground(unsigned side);
absl::StatusOr<NavMesh> load_navmesh(const std::string& file);

// Returns every query of the scenario whose ends are on the mesh; `*skipped` counts the others.
std::vector<NavmeshQuery> load_navmesh_queries(const std::string& scen, const NavMesh& mesh,
                                               std::size_t* skipped);

// Returns random pairs of places, evenly over the mesh, with a path between them.
std::vector<NavmeshQuery> random_navmesh_queries(const NavMesh& mesh, std::size_t queries,
                                                 std::uint64_t seed);

}  // namespace repath::bench

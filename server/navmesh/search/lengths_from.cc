#include "navmesh/search/lengths_from.h"

#include <algorithm>
#include <limits>

#include "navmesh/search/cone_steps.h"

namespace repath {
namespace {

struct AllGround : NoPathAsked {
  static constexpr bool kHearsOfAll = false;
  static bool take(const Cone& /*cone*/, const NavMesh::Edge& /*right*/,
                   const NavMesh::Edge& /*left*/) {
    return true;
  }
  static bool is_enough(double /*f*/) { return false; }
};

// Bounds that only set the order in which cones are expanded. They cost little.
struct RayLengths : FixedBounds {
  static double lower(const Cone& cone, const NavMesh::Edge& /*left*/,
                      const NavMesh::Edge& /*right*/) {
    const double left = length_of(cone.left_x, cone.left_z);
    return cone.root.g + std::min(left, length_of(cone.right_x, cone.right_z));
  }
};

}  // namespace

void LengthsFrom::begin(const NavMesh& mesh, const MeshPlace& start) {
  core_->begin(mesh, start);
  open_cones(*core_, RayLengths{}, AllGround{});
}

Progress LengthsFrom::advance(std::uint32_t* expansions) {
  return advance_cones(*core_, RayLengths{}, AllGround{}, expansions);
}

void LengthsFrom::append_lengths(KnownLengths* out) const {
  const NavMesh& mesh = *core_->mesh;
  out->certain = std::numeric_limits<double>::infinity();
  out->edits = mesh.edits();
  out->by_vertex.reserve(mesh.vertices_end());
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v)
    out->by_vertex.push_back(KnownLengths::rounded(length(v)));
}

}  // namespace repath

// The shortest known way to each vertex that a search has reached or seen: which vertices its paths
// may bend at, and which cones are not worth expanding.
//
// A root is pruned by the best known length of a way to it, as in Polyanya (source:
// navmesh/search/any_angle.h). Beyond the paper, a cone is pruned if each point that it sees is
// reached by a shorter way over an end of its edge. So cones that went around an obstacle on both
// sides of it end soon after they have met.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/prefetch.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/cone.h"
#include "navmesh/search/stamped.h"

namespace repath {

class ConeRoots {
 public:
  using Edge = NavMesh::Edge;
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  // Begins a search; the start is the last of the vertices. `lists`: noted() is asked for.
  void begin(std::uint32_t vertices, bool compares_ends, bool lists) {
    roots_.begin(vertices);
    compares_ends_ = compares_ends;
    lists_ = lists;
    noted_.clear();
  }
  // From now on lengths to seen vertices are kept, and cones are compared with them.
  void compare_ends() { compares_ends_ = true; }

  // Returns the length of the shortest known way to the vertex; infinite if none is known.
  double length(std::uint32_t vertex) const {
    return roots_.knows(vertex) ? roots_[vertex].g : kFar;
  }
  std::uint32_t parent(std::uint32_t vertex) const { return roots_[vertex].parent; }
  // Returns whether a shorter way to the root was found since.
  bool is_outdated(const ConeRoot& root) const { return root.g > roots_[root.vertex].g; }
  // Vertices with a length, in the order in which they were reached or seen, if they are listed.
  const std::vector<std::uint32_t>& noted() const { return noted_; }
  // The landmarks' lower bound of a way from the vertex to the goal; below 0 if it was not computed
  // yet. It is kept here because its user reads the vertex's length as well.
  double& rest(std::uint32_t vertex) {
    if (!roots_.knows(vertex)) roots_[vertex] = {kFar, -1, 0, roots_.stamp()};
    return roots_[vertex].rest;
  }

  void set(std::uint32_t vertex, double g, std::uint32_t parent) {
    Root& root = roots_[vertex];
    const bool is_known = roots_.knows(vertex);
    if (lists_ && (!is_known || std::isinf(root.g))) noted_.push_back(vertex);
    root = {g, is_known ? root.rest : -1, parent, roots_.stamp()};
  }
  // Makes the corner a root. Returns false if a shorter way to it is known.
  bool reach(const Edge& corner, const ConeRoot& from, ConeRoot* root) {
    const double g = from.g + length_of(corner.x - from.x, corner.z - from.z);
    const Root& known = roots_[corner.vertex];
    if (known.stamp == roots_.stamp() && known.g <= g) {
      if (known.g < g) return false;
    } else {
      set(corner.vertex, g, from.vertex);
    }
    *root = {corner.x, corner.z, g, corner.vertex};
    return true;
  }
  // Keeps the length of the way to a vertex that is seen. The length is made a little longer, so
  // that an equally long path whose sum is rounded in another way may still bend there.
  void note(const Edge& end, const ConeRoot& from) {
    if (!compares_ends_ && !lists_) return;
    const double g = (from.g + length_of(end.x - from.x, end.z - from.z)) * (1 + kEqual);
    const Root& known = roots_[end.vertex];
    if (known.stamp != roots_.stamp() || known.g > g) set(end.vertex, g, from.vertex);
  }
  bool is_beaten(const Cone& cone, const Edge& a, const Edge& b) const;

  void prefetch(std::uint32_t vertex) const { repath::prefetch(&roots_[vertex]); }
  std::size_t bytes() const { return roots_.bytes() + noted_.capacity() * sizeof(std::uint32_t); }

 private:
  // Lengths that differ by less may be equal but for rounding.
  static constexpr double kEqual = 0x1p-40;
  struct Root {
    double g = 0;
    double rest = 0;
    std::uint32_t parent = 0;  // the root from which the vertex was reached or seen
    std::uint32_t stamp = 0;
  };

  Stamped<Root> roots_;  // by vertex
  std::vector<std::uint32_t> noted_;
  bool compares_ends_ = false;
  bool lists_ = false;
};

// Returns whether each point that the cone sees of its edge is reached by a shorter way over an end
// of the edge. Going away from an end, the way over it grows at least as fast as the way from the
// root. So if the way over an end is the shorter one at some point, it is so from there back to the
// end. Therefore one point decides for all: the one at which both ends are equally good, or the
// nearest to it that the cone sees. `a` and `b` are the left and the right end.
inline bool ConeRoots::is_beaten(const Cone& cone, const Edge& a, const Edge& b) const {
  if (!compares_ends_ || cone.root_is_end()) return false;
  // An end that is best seen from this root beats nothing of what the root sees.
  const auto length_to = [&](std::uint32_t vertex) {
    const Root& end = roots_[vertex];
    return end.stamp == roots_.stamp() && end.parent != cone.root.vertex ? end.g : kFar;
  };
  const double at_a = length_to(a.vertex);
  const double at_b = length_to(b.vertex);
  const auto is_nearer = [&cone](double at, const Edge& end) {
    const double way = at - cone.root.g;
    const double dx = end.x - cone.root.x;
    const double dz = end.z - cone.root.z;
    return way < 0 || way * way < dx * dx + dz * dz;
  };
  if (!is_nearer(at_a, a) && !is_nearer(at_b, b)) return false;
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double edge = length_of(ex, ez);
  double share = at_a == kFar ? 0 : at_b == kFar ? 1 : ((at_b - at_a) / edge + 1) / 2;
  const EdgePart part = part_of(cone, a, b);
  share = std::clamp(share, part.left, std::max(part.left, part.right));
  const double over_ends = std::min(at_a + share * edge, at_b + (1 - share) * edge);
  const double direct =
      cone.root.g + length_of(a.x + share * ex - cone.root.x, a.z + share * ez - cone.root.z);
  return over_ends < direct * (1 - kEqual);
}

}  // namespace repath

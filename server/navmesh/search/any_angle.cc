#include "navmesh/search/any_angle.h"

#include <algorithm>

#include "base/check.h"
#include "navmesh/search/cone_steps.h"

namespace repath {

void AnyAngleSearch::begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
                           const LandmarkView& landmarks, const LengthsUse& lengths) {
  beyond_ = lengths.beyond;
  path_.log = nullptr;
  core_->begin(mesh, start, uncompared_, beyond_ > 0);
  const bool is_found = path_.begin(goal, beyond_, beyond_ > 0);
  bounds_.begin(landmarks, lengths);
  if (!is_found) ConeSteps(*core_, bounds_, path_).open();
}

Progress AnyAngleSearch::advance(std::uint32_t* expansions) {
  return ConeSteps(*core_, bounds_, path_).advance(expansions);
}

double AnyAngleSearch::path_length() const {
  REPATH_CHECK(core_->queue.is_done && path_.has_path());
  return from_steps(path_.best());
}

bool AnyAngleSearch::append_lengths(KnownLengths* out) const {
  const NavMesh& mesh = *core_->mesh;
  const ConeRoots& roots = core_->roots;
  if (roots.noted().size() <= 1) return false;  // nothing but the start
  out->certain = path_.best() + beyond_;
  out->edits = mesh.edits();
  for (const std::uint32_t v : roots.noted()) {
    if (v == mesh.vertices_end()) continue;  // the start
    const LatticePoint at = mesh.vertex(v).at;
    const double straight = length_of(at.x - path_.goal().x, at.z - path_.goal().z);
    if (roots.length(v) + straight > out->certain) continue;  // on no way that is certain
    out->of.push_back({v, KnownLengths::rounded(roots.length(v))});
  }
  out->of.shrink_to_fit();  // they are kept for long
  return true;
}

// The f of a single successor, which does not wait, is that of the cone it came from. So the
// straight distance may be the better bound.
SeenCone AnyAngleSearch::LoggedPath::seen(const Cone& cone, double f) const {
  const ConeCore& core = this->core();
  return core.seen(
      cone, f, length_through(cone, core.left_end(cone), core.right_end(cone), goal().x, goal().z));
}

// Leaves out cones whose root was reached by a shorter way since: they are never expanded.
bool AnyAngleSearch::append_waiting(std::size_t most, std::vector<SeenCone>* out) const {
  const auto append = [&](const Cone& cone, double f) {
    if (core_->roots.is_outdated(cone.root)) return true;
    if (most == 0) return false;
    --most;
    out->push_back(path_.seen(cone, f));
    return true;
  };
  if (core_->has_current && !append(core_->current, core_->current_f)) return false;
  return std::ranges::all_of(core_->queue.heap.entries(), [&](const NodeHeap::Entry& entry) {
    return append(core_->cones[entry.node], entry.f);
  });
}

}  // namespace repath

// The part of mesh_model.h that searches cheapest paths: A* over corners that see each other, from
// both ends in turn.
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "verify/mesh_geometry.h"
#include "verify/mesh_model.h"

namespace repath::verify {
namespace {

constexpr int kCastsMax = 200'000;  // in one search

bool passes_by(const Spot& from, const Spot& to, const Spot& spot, double near) {
  const double dx = to.x - from.x;
  const double dz = to.z - from.z;
  const double along = (spot.x - from.x) * dx + (spot.z - from.z) * dz;
  const double share = std::clamp(along / std::max(dx * dx + dz * dz, 1e-18), 0.0, 1.0);
  return plane_distance({from.x + share * dx, 0, from.z + share * dz}, spot) <= near;
}

}  // namespace

void MeshModel::gather_corners(int view, std::uint64_t revision, std::vector<Corner>* corners,
                               std::vector<Spot>* tight) const {
  for (const Corner& corner : ground_corners_) {
    if (!is_covered(view, revision, corner.at, corner.cell, -kTight))
      corners->push_back(corner);
    else if (!is_covered(view, revision, corner.at, corner.cell))
      tight->push_back(corner.at);
  }
  gather_turns(view, revision, corners, tight);
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const Solid& solid = solids_[s];
    if (!solid.holds(revision)) continue;
    for (const Ring& ring : solid.rings[static_cast<std::size_t>(view)]) {
      const std::size_t n = ring.corners.size();
      for (std::size_t i = 0; i < n; ++i) {
        Spot at = ring.corners[i];
        at.y = 0;
        for (const int c : cells_at(at, kNoWay)) {
          const MeshCell& ground = cells_[static_cast<std::size_t>(c)];
          if (solid.bottom > ground.high || solid.top < ground.low) continue;
          if (is_covered(view, revision, at, c)) continue;
          Corner corner{at,
                        c,
                        solid.blocks() ? static_cast<int>(s) : -1,
                        solid.blocks(),
                        ring.corners[(i + n - 1) % n],
                        ring.corners[(i + 1) % n]};
          corner.at.y = height_at(ground, at);
          if (solid.blocks() && is_tight(view, revision, corner))
            tight->push_back(corner.at);
          else
            corners->push_back(corner);
        }
      }
    }
  }
}

// Appends the corners of grown walls that no obstacle covers.
void MeshModel::gather_turns(int view, std::uint64_t revision, std::vector<Corner>* corners,
                             std::vector<Spot>* tight) const {
  const MeshWalls* walls = walls_of(view);
  if (walls == nullptr) return;
  for (const MeshWalls::Turn& turn : walls->turns()) {
    if (is_under_solid(view, revision, turn.at, turn.cell, kSlack)) continue;
    const bool is_tight =
        turn.is_tight || is_under_solid(view, revision, turn.at, turn.cell, -kTight);
    if (is_tight)
      tight->push_back(turn.at);
    else
      corners->push_back({turn.at, turn.cell, -1, true, turn.before, turn.after});
  }
}

bool MeshModel::squeezes(int view, std::uint64_t revision, const Walk& walk) {
  std::vector<Corner> corners;
  std::vector<Spot> tight;
  gather_corners(view, revision, &corners, &tight);
  for (std::size_t i = 1; i < walk.points.size(); ++i)
    for (const Spot& spot : tight)
      if (passes_by(walk.points[i - 1], walk.points[i], spot, kTight)) return true;
  return false;
}

// One side of a search that goes on from both ends.
struct MeshModel::Frontier {
  struct Node {
    double f;
    double g;
    int corner;
    bool operator>(const Node& o) const { return std::tie(f, corner) > std::tie(o.f, o.corner); }
  };
  Spot start;
  int start_cell;
  Spot goal;
  int goal_cell;
  std::vector<double> best;
  std::vector<bool> closed;
  std::vector<int> parents;
  std::vector<Spot> tight;  // corners that paths avoid if they can
  int last = -1;            // corner before the goal
  std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
  double found = kNoWay;

  Frontier(const Spot& from, int from_cell, const Spot& to, int to_cell, std::size_t corners,
           std::vector<Spot> tight_spots)
      : start(from),
        start_cell(from_cell),
        goal(to),
        goal_cell(to_cell),
        best(corners, kNoWay),
        closed(corners, false),
        parents(corners, -1),
        tight(std::move(tight_spots)) {
    open.push({plane_distance(from, to), 0, -1});
  }
};

// Expands the best node. Returns false if none is left below the bound.
bool MeshModel::expand(int view, std::uint64_t revision, const std::vector<Corner>& corners,
                       double bound, Frontier* frontier, int* casts) const {
  Frontier& f = *frontier;
  const double most = std::min(bound, f.found);
  if (f.open.empty() || f.open.top().f >= most) return false;
  const Frontier::Node node = f.open.top();
  f.open.pop();
  if (node.corner >= 0) {
    const auto n = static_cast<std::size_t>(node.corner);
    if (f.closed[n]) return true;
    f.closed[n] = true;
  }
  const bool is_start = node.corner < 0;
  const Spot& at = is_start ? f.start : corners[static_cast<std::size_t>(node.corner)].at;
  const int cell = is_start ? f.start_cell : corners[static_cast<std::size_t>(node.corner)].cell;
  // Returns the greatest cost to there; kNoWay if it is not in sight.
  const auto cost_to = [&](const Spot& to, int to_cell) {
    ++*casts;
    for (const Spot& spot : f.tight)
      if (passes_by(at, to, spot, kTight)) return kNoWay;
    Stretches ground;
    const int end = cast(view, revision, cell, at, to, kSlack, &ground);
    if (end < 0 || !hang_together(end, to_cell, to)) return kNoWay;
    return cost_of_line(revision, at, to, ground).second;
  };
  if (node.g + plane_distance(at, f.goal) < most) {
    const double whole = node.g + cost_to(f.goal, f.goal_cell);
    if (whole < most) {
      f.found = whole;
      f.last = node.corner;
    }
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner& corner = corners[i];
    const double straight = node.g + plane_distance(at, corner.at);
    const double rest = plane_distance(corner.at, f.goal);
    if (f.closed[i] || straight >= f.best[i] || straight + rest >= std::min(bound, f.found))
      continue;
    if (corner.is_of_ring) {
      const double one = cross(at, corner.at, corner.before);
      const double other = cross(at, corner.at, corner.after);
      if (one * other < 0) continue;  // into the obstacle or away from it: paths do not bend there
    }
    const double g = node.g + cost_to(corner.at, corner.cell);
    if (g >= f.best[i]) continue;
    f.best[i] = g;
    f.parents[i] = node.corner;
    f.open.push({g + rest, g, static_cast<int>(i)});
  }
  return true;
}

Verdict MeshModel::verdict_of(const Frontier& frontier, const std::vector<Corner>& corners,
                              double bound) {
  if (frontier.found >= bound) return {};
  Verdict verdict{true, frontier.found, {}};
  for (int c = frontier.last; c >= 0; c = frontier.parents[static_cast<std::size_t>(c)])
    verdict.by.push_back(corners[static_cast<std::size_t>(c)].at);
  return verdict;
}

Verdict MeshModel::cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                            double bound) {
  if (!links_.empty()) return {false, kNoWay, {}};
  const int start = cell_under(from);
  const int end = cell_under(to);
  if (start < 0 || end < 0 || is_covered(view, revision, from, start) ||
      is_covered(view, revision, to, end))
    return {};
  std::vector<Corner> corners;
  std::vector<Spot> tight;
  gather_corners(view, revision, &corners, &tight);
  Frontier there(from, start, to, end, corners.size(), tight);
  Frontier back(to, end, from, start, corners.size(), tight);
  int casts = 0;
  // If one end is walled in, the search from that side ends soon.
  for (;;) {
    const bool goes_on = expand(view, revision, corners, bound, &there, &casts);
    if (!goes_on) return verdict_of(there, corners, bound);
    if (!expand(view, revision, corners, bound, &back, &casts))
      return verdict_of(back, corners, bound);
    if (casts > kCastsMax) return {false, kNoWay, {}};
  }
}

}  // namespace repath::verify

#include "verify/mesh_walls.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "verify/protocol.h"

namespace repath::verify {
namespace {

constexpr int kSidesOfDisc = 16;
// Greatest distance from a corner of a ring to the exact sum, and a little for doubles.
constexpr double kRoundedOut = 0.002 + 1e-6;

double reach_along(const Spot& normal, const Spot& at) { return normal.x * at.x + normal.z * at.z; }

// Returns the corners of the regular 16-gon around a disc, one of them at +x.
std::vector<Spot> corners_around(const Spot& center, double radius) {
  std::vector<Spot> corners;
  const double reach = radius / std::cos(M_PI / kSidesOfDisc);
  for (int i = 0; i < kSidesOfDisc; ++i) {
    const double angle = 2 * M_PI * i / kSidesOfDisc;
    corners.push_back({center.x + reach * std::cos(angle), 0, center.z + reach * std::sin(angle)});
  }
  return corners;
}

// Returns whether the ring is the hull of the 16-gons around both ends, rounded outward.
bool is_grown_wall(const Ring& ring, const Spot& a, const Spot& b, double by) {
  std::vector<Spot> all = corners_around(a, by);
  const std::vector<Spot> other = corners_around(b, by);
  all.insert(all.end(), other.begin(), other.end());
  if (!std::ranges::all_of(all, [&](const Spot& p) { return holds(ring.corners, p, -kSlack); }))
    return false;
  std::vector<Spot> normals;
  for (int i = 0; i < kSidesOfDisc; ++i) {
    const double angle = M_PI * (2 * i + 1) / kSidesOfDisc;
    normals.push_back({std::cos(angle), 0, std::sin(angle)});
  }
  const double length = plane_distance(a, b);
  normals.push_back({(b.z - a.z) / length, 0, (a.x - b.x) / length});
  normals.push_back({(a.z - b.z) / length, 0, (b.x - a.x) / length});
  return std::ranges::all_of(ring.corners, [&](const Spot& corner) {
    return std::ranges::all_of(normals, [&](const Spot& normal) {
      double most = -std::numeric_limits<double>::infinity();
      for (const Spot& p : all) most = std::max(most, reach_along(normal, p));
      return reach_along(normal, corner) <= most + kRoundedOut;
    });
  });
}

}  // namespace

bool MeshWalls::find(const std::vector<MeshCell>& cells, double by, double tight, const Grow& grow,
                     std::string* failure) {
  of_cell_.resize(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const MeshCell& cell = cells[c];
    for (std::size_t i = 0; i < cell.corners.size(); ++i) {
      if (cell.neighbours[i] >= 0) continue;
      const Spot& a = cell.corners[i];
      const Spot& b = cell.corners[(i + 1) % cell.corners.size()];
      std::vector<Ring> grown;
      if (!grow(thick_line({a.x, a.z}, {b.x, b.z}, by), 0, &grown, failure)) return false;
      if (grown.size() != 1 || !is_grown_wall(grown.front(), a, b, by)) {
        *failure = "a wall is grown to another size";
        return false;
      }
      rings_.push_back(std::move(grown.front()));
      spread(cells, static_cast<int>(c), static_cast<int>(rings_.size()) - 1);
    }
  }
  find_turns(cells, tight);
  return true;
}

void MeshWalls::spread(const std::vector<MeshCell>& cells, int first, int ring) {
  const std::vector<Spot>& corners = rings_[static_cast<std::size_t>(ring)].corners;
  std::vector<int> met{first};
  for (std::size_t k = 0; k < met.size(); ++k) {
    const MeshCell& cell = cells[static_cast<std::size_t>(met[k])];
    of_cell_[static_cast<std::size_t>(met[k])].push_back(ring);
    for (std::size_t i = 0; i < cell.corners.size(); ++i) {
      const int next = cell.neighbours[i];
      if (next < 0 || std::ranges::find(met, next) != met.end()) continue;
      const auto [from, to] =
          clip(corners, cell.corners[i], cell.corners[(i + 1) % cell.corners.size()], 0);
      if (from <= to) met.push_back(next);
    }
  }
}

bool MeshWalls::covers(int cell, const Spot& at, double depth) const {
  return std::ranges::any_of(of_cell_[static_cast<std::size_t>(cell)], [&](int ring) {
    return holds(rings_[static_cast<std::size_t>(ring)].corners, at, depth);
  });
}

// Returns whether the place, near a corner of a ring that counts in `from`, is ground that only
// walls which meet the corner too may take.
bool MeshWalls::is_free(const std::vector<MeshCell>& cells, int from, const Spot& corner,
                        const Spot& at) const {
  const auto is_barred = [&](int cell) {
    return std::ranges::any_of(of_cell_[static_cast<std::size_t>(cell)], [&](int ring) {
      const std::vector<Spot>& corners = rings_[static_cast<std::size_t>(ring)].corners;
      return holds(corners, at, 0) && !holds(corners, corner, -kSlack);
    });
  };
  std::vector<int> near{from};
  for (std::size_t k = 0; k < near.size(); ++k) {
    const MeshCell& cell = cells[static_cast<std::size_t>(near[k])];
    if (holds(cell.corners, at, -kSlack)) return !is_barred(near[k]);
    if (k > 0) continue;
    for (const int next : cell.neighbours)
      if (next >= 0) near.push_back(next);
  }
  return false;
}

void MeshWalls::find_turns(const std::vector<MeshCell>& cells, double tight) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const int ring : of_cell_[c]) {
      const std::vector<Spot>& corners = rings_[static_cast<std::size_t>(ring)].corners;
      const std::size_t n = corners.size();
      for (std::size_t i = 0; i < n; ++i) {
        Spot at = corners[i];
        if (!holds(cells[c].corners, at, -kSlack) || covers(static_cast<int>(c), at, kSlack))
          continue;
        at.y = height_at(cells[c], at);
        Turn turn{at, static_cast<int>(c), corners[(i + n - 1) % n], corners[(i + 1) % n]};
        const double before = plane_distance(at, turn.before);
        const double after = plane_distance(at, turn.after);
        const double x = (at.x - turn.before.x) / before + (at.x - turn.after.x) / after;
        const double z = (at.z - turn.before.z) / before + (at.z - turn.after.z) / after;
        const double length = std::hypot(x, z);
        turn.is_tight = length < kSlack ||
                        !is_free(cells, turn.cell, at,
                                 {at.x + tight * x / length, at.y, at.z + tight * z / length});
        turns_.push_back(turn);
      }
    }
  }
}

}  // namespace repath::verify

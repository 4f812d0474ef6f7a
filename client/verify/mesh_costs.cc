// The part of mesh_model.h for costs of paths over ground that obstacles make dearer.
#include <algorithm>
#include <cmath>

#include "verify/mesh_geometry.h"
#include "verify/mesh_model.h"

namespace repath::verify {
namespace {

// Greatest distance by which carving moves a border (half a millimetre beside a corner of the
// ground), and the server's tolerance beside it. World units.
constexpr double kBorder = 6e-4;
constexpr double kFactorMost = 1000;

// A part of a line that lies in a ring of dearer ground.
struct Dearer {
  std::uint64_t id;
  double factor;
  double first;
  double last;
  int side;  // 0: certainly in the ring, 1: perhaps
};

// Returns the product of the factors in the order of ids, each once, rounded up to thousandths.
double factor_at(const std::vector<Dearer>& dearer, int side, double t) {
  double factor = 1;
  std::uint64_t last = 0;
  for (const Dearer& part : dearer) {
    if (part.side != side || t < part.first || t > part.last || part.id == last) continue;
    last = part.id;
    factor = std::min(kFactorMost, std::ceil(factor * part.factor * 1000 - 1e-6) / 1000);
  }
  return factor;
}

}  // namespace

std::pair<double, double> MeshModel::cost_of_line(std::uint64_t revision, const Spot& from,
                                                  const Spot& to, const Stretches& ground) const {
  const double length = plane_distance(from, to);
  if (!has_soft_ || length == 0) return {length, length};
  std::vector<Dearer> dearer;
  std::vector<double> cuts{0, 1};
  const Spot low{std::min(from.x, to.x) - kBorder, 0, std::min(from.z, to.z) - kBorder};
  const Spot high{std::max(from.x, to.x) + kBorder, 0, std::max(from.z, to.z) + kBorder};
  for (const Solid& solid : solids_) {
    if (solid.blocks() || !solid.holds(revision) || solid.low.x > high.x || solid.high.x < low.x ||
        solid.low.z > high.z || solid.high.z < low.z)
      continue;
    for (const int side : {0, 1}) {
      for (const Ring& ring : solid.rings[0]) {
        const auto [first, last] = clip(ring.corners, from, to, side == 0 ? kBorder : -kBorder);
        for (const auto& s : ground) {
          const MeshCell& cell = cells_[static_cast<std::size_t>(s[2])];
          const double begin = std::max(first, s[0]);
          const double end = std::min(last, s[1]);
          if (begin >= end || solid.bottom > cell.high || solid.top < cell.low) continue;
          dearer.push_back({solid.id, solid.factor, begin, end, side});
          cuts.insert(cuts.end(), {begin, end});
        }
      }
    }
  }
  std::ranges::stable_sort(dearer, {}, &Dearer::id);
  std::ranges::sort(cuts);
  std::pair<double, double> cost{0, 0};
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const double t = (cuts[i - 1] + cuts[i]) / 2;
    cost.first += (cuts[i] - cuts[i - 1]) * length * factor_at(dearer, 0, t);
    cost.second += (cuts[i] - cuts[i - 1]) * length * factor_at(dearer, 1, t);
  }
  return cost;
}

}  // namespace repath::verify

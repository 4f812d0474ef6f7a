#include "navmesh/search/funnel.h"

#include "navmesh/mesh/exact_side.h"

namespace repath {
namespace {

struct FunnelSide {
  double x, z;
  std::uint32_t vertex;
  std::uint32_t portal;  // where it was taken from
};

double funnel_side(const FunnelPoint& apex, const FunnelSide& ray, const FunnelSide& p) {
  return side_of(ray.x - apex.x, ray.z - apex.z, p.x - apex.x, p.z - apex.z);
}

bool is_at(const FunnelPoint& apex, const FunnelSide& p) { return apex.x == p.x && apex.z == p.z; }

}  // namespace

void pull_string(double start_x, double start_z, double end_x, double end_z,
                 const std::vector<Portal>& portals, std::vector<FunnelPoint>* out) {
  const auto n = static_cast<std::uint32_t>(portals.size());
  FunnelPoint apex{start_x, start_z};
  // The end is a last portal of no width.
  const auto side_at = [&](std::uint32_t i, bool is_left) -> FunnelSide {
    if (i == n) return {end_x, end_z, ~std::uint32_t{0}, n};
    const Portal& p = portals[i];
    return is_left ? FunnelSide{p.left_x, p.left_z, p.left, i}
                   : FunnelSide{p.right_x, p.right_z, p.right, i};
  };
  std::uint32_t i = 0;
  while (i <= n) {
    FunnelSide left = side_at(i, true);
    FunnelSide right = side_at(i, false);
    bool bends = false;
    for (std::uint32_t k = i + 1; k <= n && !bends; ++k) {
      const FunnelSide to_left = side_at(k, true);
      const FunnelSide to_right = side_at(k, false);
      if (is_at(apex, right) || funnel_side(apex, right, to_right) >= 0) {
        if (!is_at(apex, left) && !is_at(apex, to_right) && funnel_side(apex, left, to_right) > 0) {
          apex = {left.x, left.z, left.vertex, left.portal + 1};
          bends = true;
          break;
        }
        right = to_right;
      }
      if (is_at(apex, left) || funnel_side(apex, left, to_left) <= 0) {
        if (!is_at(apex, right) && !is_at(apex, to_left) && funnel_side(apex, right, to_left) < 0) {
          apex = {right.x, right.z, right.vertex, right.portal + 1};
          bends = true;
          break;
        }
        left = to_left;
      }
    }
    if (!bends) break;
    out->push_back(apex);
    i = apex.passed;
  }
  out->push_back({end_x, end_z, ~std::uint32_t{0}, n});
}

}  // namespace repath

#include "navmesh/import/recast_facets.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace repath {
namespace {

using SpanIndex = std::uint32_t;

constexpr SpanIndex kNoSpan = ~SpanIndex{0};
constexpr std::uint32_t kNoFacet = ~std::uint32_t{0};
constexpr int kStepsAround = 3;      // from a span, between which its slope is measured
constexpr int kFits = 4;             // of a plane to the ground of its facet
constexpr double kShareReaches = 2;  // from its plane, at which ground may join a facet
constexpr int kPasses = 8;           // of smoothing
constexpr std::uint64_t kUnitsPerSpanOfTile = 100;
constexpr std::uint64_t kUnitsPerFound = 16;
constexpr std::uint64_t kUnitsPerOffer = 30;

// Voxels.
struct FacetPlane {
  double at(double px, double pz) const { return y + slope_x * (px - x) + slope_z * (pz - z); }

  double x = 0, y = 0, z = 0;  // a point of the plane
  double slope_x = 0;
  double slope_z = 0;
};

class FacetMarker {
 public:
  FacetMarker(double reach, std::size_t crumb_spans, rcCompactHeightfield* ground, WorkMeter* work)
      : reach_(reach), crumb_spans_(crumb_spans), ground_(*ground), work_(*work) {}

  bool run(const std::vector<bool>& is_marked, int border) {
    const auto spans = static_cast<std::uint64_t>(ground_.spanCount);
    if (!work_.spend(spans * kUnitsPerSpanOfTile)) return false;
    lay_out(is_marked, border);
    smooth();
    for (const auto& [roughness, seed] : seeds_in_order())
      if (facet_of_[seed] == kNoFacet && !grow(seed)) return false;
    if (!share_out()) return false;
    paint();
    return true;
  }

 private:
  // Returns the smoothed height.
  double y(SpanIndex span) const { return y_[span]; }

  // Returns how far a span lies above or below a plane.
  double off(SpanIndex span, const FacetPlane& plane) const {
    return std::abs(y(span) - plane.at(x_[span], z_[span]));
  }

  SpanIndex neighbour(SpanIndex span, int side) const {
    const int layer = rcGetCon(ground_.spans[span], side);
    if (layer == RC_NOT_CONNECTED) return kNoSpan;
    const int x = x_[span] + rcGetDirOffsetX(side);
    const int z = z_[span] + rcGetDirOffsetY(side);
    const auto next = static_cast<SpanIndex>(ground_.cells[x + z * ground_.width].index + layer);
    return ground_.areas[next] == RC_NULL_AREA ? kNoSpan : next;
  }

  // Calls visit(span) for the neighbours that may belong to facets.
  template <class Visit>
  void visit_neighbours(SpanIndex span, Visit visit) const {
    for (int side = 0; side < 4; ++side)
      if (const SpanIndex next = neighbour(span, side); next != kNoSpan && is_ours_[next])
        visit(next);
  }

  void lay_out(const std::vector<bool>& is_marked, int border) {
    const auto spans = static_cast<std::size_t>(ground_.spanCount);
    x_.resize(spans);
    z_.resize(spans);
    is_ours_.resize(spans);
    facet_of_.assign(spans, kNoFacet);
    round_of_.assign(spans, 0);
    for (int z = 0; z < ground_.height; ++z) {
      for (int x = 0; x < ground_.width; ++x) {
        const rcCompactCell& column = ground_.cells[x + z * ground_.width];
        const bool is_inside =
            x >= border && x < ground_.width - border && z >= border && z < ground_.height - border;
        const auto end = static_cast<SpanIndex>(column.index) + column.count;
        for (SpanIndex i = column.index; i < end; ++i) {
          x_[i] = static_cast<std::uint16_t>(x);
          z_[i] = static_cast<std::uint16_t>(z);
          if (ground_.areas[i] != RC_NULL_AREA) ground_.areas[i] = RC_WALKABLE_AREA;
          is_ours_[i] = is_inside && ground_.areas[i] != RC_NULL_AREA && is_marked[i];
        }
      }
    }
  }

  // Takes the mean of each height and those beside it, again and again. Otherwise the steps of
  // voxels would make borders ragged.
  void smooth() {
    y_.resize(x_.size());
    for (SpanIndex i = 0; i < y_.size(); ++i) y_[i] = ground_.spans[i].y;
    std::vector<float> before;
    for (int pass = 0; pass < kPasses; ++pass) {
      before = y_;
      for (SpanIndex i = 0; i < y_.size(); ++i) {
        if (ground_.areas[i] == RC_NULL_AREA) continue;
        float sum = 2 * before[i];
        float n = 2;
        for (int side = 0; side < 4; ++side) {
          const SpanIndex next = neighbour(i, side);
          if (next == kNoSpan) continue;
          sum += before[next];
          n += 1;
        }
        y_[i] = sum / n;
      }
    }
  }

  // Returns the plane through a span with the slopes around it. Sets *roughness to how far the
  // ground around it is off the plane; ground beside a wall is rough.
  FacetPlane plane_at(SpanIndex span, double* roughness) const {
    SpanIndex ends[4];
    for (int side = 0; side < 4; ++side) {
      ends[side] = span;
      for (int k = 0; k < kStepsAround; ++k)
        if (const SpanIndex next = neighbour(ends[side], side); next != kNoSpan) ends[side] = next;
    }
    const auto& [left, below, right, above] = ends;
    FacetPlane plane{double(x_[span]), y(span), double(z_[span])};
    if (x_[right] > x_[left]) plane.slope_x = (y(right) - y(left)) / (x_[right] - x_[left]);
    if (z_[below] > z_[above]) plane.slope_z = (y(below) - y(above)) / (z_[below] - z_[above]);
    *roughness = 0;
    for (const SpanIndex end : ends)
      *roughness = std::max(*roughness, off(end, plane)) + (end == span ? 1 : 0);
    return plane;
  }

  // Returns the spans that may belong to facets after their roughness, the plainest first.
  std::vector<std::pair<float, SpanIndex>> seeds_in_order() const {
    std::vector<std::pair<float, SpanIndex>> seeds;
    for (SpanIndex i = 0; i < is_ours_.size(); ++i) {
      if (!is_ours_[i]) continue;
      double roughness = 0;
      plane_at(i, &roughness);
      seeds.emplace_back(static_cast<float>(roughness), i);
    }
    std::ranges::sort(seeds);
    return seeds;
  }

  // Returns the ground without a facet that is connected with the seed along the plane.
  std::vector<SpanIndex> flood(SpanIndex seed, const FacetPlane& plane) {
    std::vector<SpanIndex> found = {seed};
    round_of_[seed] = ++round_;
    for (std::size_t k = 0; k < found.size(); ++k) {
      visit_neighbours(found[k], [&](SpanIndex next) {
        if (round_of_[next] == round_ || facet_of_[next] != kNoFacet || off(next, plane) > reach_)
          return;
        round_of_[next] = round_;
        found.push_back(next);
      });
    }
    return found;
  }

  // Returns the plane with the least squares of distances in height, or `old` if the spans lie
  // nearly in a line.
  FacetPlane fit(const std::vector<SpanIndex>& spans, const FacetPlane& old) const {
    FacetPlane plane;
    const auto n = static_cast<double>(spans.size());
    for (const SpanIndex i : spans) {
      plane.x += x_[i] / n;
      plane.y += y(i) / n;
      plane.z += z_[i] / n;
    }
    double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0;
    for (const SpanIndex i : spans) {
      const double dx = x_[i] - plane.x;
      const double dy = y(i) - plane.y;
      const double dz = z_[i] - plane.z;
      xx += dx * dx;
      xz += dx * dz;
      zz += dz * dz;
      xy += dx * dy;
      zy += dz * dy;
    }
    const double whole = xx * zz - xz * xz;
    if (whole < n) return old;
    plane.slope_x = (xy * zz - zy * xz) / whole;
    plane.slope_z = (zy * xx - xy * xz) / whole;
    return plane;
  }

  // Makes the facet of a seed. Fits its plane as long as the facet becomes larger.
  bool grow(SpanIndex seed) {
    double roughness = 0;
    FacetPlane plane = plane_at(seed, &roughness);
    std::vector<SpanIndex> facet = flood(seed, plane);
    std::uint64_t visits = facet.size();
    for (int k = 0; k < kFits; ++k) {
      const FacetPlane fitted = fit(facet, plane);
      if (off(seed, fitted) > reach_) break;
      std::vector<SpanIndex> found = flood(seed, fitted);
      visits += found.size();
      if (found.size() <= facet.size()) break;
      facet = std::move(found);
      plane = fitted;
    }
    const auto number = static_cast<std::uint32_t>(planes_.size());
    for (const SpanIndex i : facet) facet_of_[i] = number;
    planes_.push_back(plane);
    seeds_.push_back(seed);
    sizes_.push_back(facet.size());
    return work_.spend(visits * kUnitsPerFound);
  }

  // Lets the facets that are no crumbs grow once more, all together: the nearest ground joins its
  // plane first. Then borders lie where planes meet.
  bool share_out() {
    struct Offer {
      float off;
      SpanIndex span;
      std::uint32_t facet;
      bool operator>(const Offer& o) const {
        return std::tie(off, span, facet) > std::tie(o.off, o.span, o.facet);
      }
    };
    std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers;
    for (std::uint32_t f = 0; f < planes_.size(); ++f)
      if (sizes_[f] >= crumb_spans_) offers.push({0, seeds_[f], f});
    ++round_;
    while (!offers.empty()) {
      const Offer offer = offers.top();
      offers.pop();
      if (round_of_[offer.span] == round_) continue;
      if (!work_.spend(kUnitsPerOffer)) return false;
      round_of_[offer.span] = round_;
      facet_of_[offer.span] = offer.facet;
      visit_neighbours(offer.span, [&](SpanIndex next) {
        const double away = off(next, planes_[offer.facet]);
        if (round_of_[next] != round_ && away <= kShareReaches * reach_)
          offers.push({static_cast<float>(away), next, offer.facet});
      });
    }
    return true;
  }

  // Gives each facet the first area that no neighbour has.
  void paint() {
    std::vector<std::set<std::uint32_t>> beside(planes_.size());
    for (SpanIndex i = 0; i < facet_of_.size(); ++i) {
      if (facet_of_[i] == kNoFacet) continue;
      visit_neighbours(i, [&](SpanIndex next) { beside[facet_of_[i]].insert(facet_of_[next]); });
    }
    std::vector<unsigned char> area_of(planes_.size(), RC_NULL_AREA);
    for (std::uint32_t f = 0; f < planes_.size(); ++f) {
      std::set<unsigned char> taken;
      for (const std::uint32_t other : beside[f]) taken.insert(area_of[other]);
      unsigned char area = 1;
      while (taken.contains(area) && area < RC_WALKABLE_AREA - 1) ++area;
      area_of[f] = area;
    }
    for (SpanIndex i = 0; i < facet_of_.size(); ++i)
      if (facet_of_[i] != kNoFacet) ground_.areas[i] = area_of[facet_of_[i]];
  }

  const double reach_;
  const std::size_t crumb_spans_;
  rcCompactHeightfield& ground_;
  WorkMeter& work_;
  std::vector<float> y_;
  std::vector<std::uint16_t> x_, z_;  // the column of each span
  std::vector<bool> is_ours_;
  std::vector<std::uint32_t> facet_of_;
  std::vector<std::uint32_t> round_of_;  // of each span, the last flood that found it
  std::uint32_t round_ = 0;
  std::vector<FacetPlane> planes_;  // by facet
  std::vector<SpanIndex> seeds_;
  std::vector<std::size_t> sizes_;
};

}  // namespace

bool mark_facets(double reach, std::size_t crumb_spans, const std::vector<bool>& is_marked,
                 int border, rcCompactHeightfield* ground, WorkMeter* work) {
  return FacetMarker(reach, crumb_spans, ground, work).run(is_marked, border);
}

}  // namespace repath

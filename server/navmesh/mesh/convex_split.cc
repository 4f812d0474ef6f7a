#include "navmesh/mesh/convex_split.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "geometry/ring.h"

namespace repath {
namespace {

using Corners = std::vector<std::uint32_t>;

class Splitter {
 public:
  // `left` is the greatest number of work units that it may use.
  Splitter(const std::vector<MeshSource::Vertex>& vertices, std::vector<Corners>* pieces,
           std::uint64_t left, WorkMeter* work)
      : vertices_(vertices), pieces_(pieces), left_(left), work_(work) {}

  bool split(const Corners& polygon) {
    if (!spend(polygon.size())) return false;
    const LatticeRing ring = ring_of(polygon);
    if (polygon.size() <= kCellEdgesMax && is_convex_ring(ring)) {
      pieces_->push_back(polygon);
      return true;
    }
    if (polygon.size() < 4 || twice_area(ring) <= 0) return false;
    const std::size_t n = polygon.size();
    for (std::size_t r = 0; r < n; ++r) {
      const bool is_dent = turn(at(polygon, r + n - 1), at(polygon, r), at(polygon, r + 1)) < 0;
      if (is_dent && cut_at(polygon, r)) return true;
    }
    return polygon.size() > kCellEdgesMax && cut_at(polygon, 0);
  }

 private:
  LatticePoint at(const Corners& polygon, std::size_t k) const {
    return vertices_[polygon[k % polygon.size()]].at;
  }

  LatticeRing ring_of(const Corners& polygon) const {
    LatticeRing ring;
    for (const std::uint32_t v : polygon) ring.push_back(vertices_[v].at);
    return ring;
  }

  // Cuts at corner r by the diagonal whose smaller side has the largest area, so that a dent of
  // half a lattice step leaves no slivers. Carving could remove a sliver completely, and it may be
  // the only way across. If several are equal, takes the diagonal to the farther side, counted in
  // corners.
  bool cut_at(const Corners& polygon, std::size_t r) {
    const std::size_t n = polygon.size();
    struct Cut {
      std::size_t gap;
      std::int64_t smaller;
    };
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t gap = (n / 2 + (i % 2 == 0 ? i / 2 : n - (i + 1) / 2)) % n;
      if (gap < 2 || gap > n - 2) continue;
      if (!spend(n)) return false;
      if (!is_inside(polygon, r, (r + gap) % n)) continue;
      const auto [one, other] = halves(polygon, r, gap);
      cuts.push_back({gap, std::min(twice_area(ring_of(one)), twice_area(ring_of(other)))});
    }
    std::ranges::stable_sort(cuts, std::ranges::greater{}, &Cut::smaller);
    for (const Cut& cut : cuts) {
      const auto [one, other] = halves(polygon, r, cut.gap);
      const std::size_t before = pieces_->size();
      if (split(one) && split(other)) return true;
      pieces_->resize(before);
      if (is_over_) return false;
    }
    return false;
  }

  // Returns false once its work units are spent. A polygon that crosses itself has exponentially
  // many cuts that lead nowhere.
  bool spend(std::uint64_t units) {
    is_over_ = is_over_ || units > left_ || (work_ != nullptr && !work_->spend(units));
    if (!is_over_) left_ -= units;
    return !is_over_;
  }

  // Returns the two sides of the diagonal from corner r to the corner `gap` further on.
  static std::pair<Corners, Corners> halves(const Corners& polygon, std::size_t r,
                                            std::size_t gap) {
    const std::size_t n = polygon.size();
    std::pair<Corners, Corners> both;
    for (std::size_t j = 0; j <= gap; ++j) both.first.push_back(polygon[(r + j) % n]);
    for (std::size_t j = gap; j <= n; ++j) both.second.push_back(polygon[(r + j) % n]);
    return both;
  }

  // Returns whether the diagonal leaves both ends into the polygon and meets no edge between them.
  bool is_inside(const Corners& polygon, std::size_t r, std::size_t k) const {
    const std::size_t n = polygon.size();
    const LatticePoint a = at(polygon, r);
    const LatticePoint b = at(polygon, k);
    if (a == b || !is_in_wedge(polygon, r, b) || !is_in_wedge(polygon, k, a)) return false;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t m = (j + 1) % n;
      if (j == r || j == k || m == r || m == k) continue;
      const LatticePoint c = at(polygon, j);
      const LatticePoint d = at(polygon, m);
      if (sign(turn(a, b, c)) * sign(turn(a, b, d)) <= 0 &&
          sign(turn(c, d, a)) * sign(turn(c, d, b)) <= 0)
        return false;
    }
    return true;
  }
  bool is_in_wedge(const Corners& polygon, std::size_t k, LatticePoint p) const {
    const LatticePoint before = at(polygon, k + polygon.size() - 1);
    const LatticePoint here = at(polygon, k);
    const LatticePoint after = at(polygon, k + 1);
    const bool of_after = turn(here, after, p) > 0;
    const bool of_before = turn(before, here, p) > 0;
    return turn(before, here, after) > 0 ? of_after && of_before : of_after || of_before;
  }

  const std::vector<MeshSource::Vertex>& vertices_;
  std::vector<Corners>* pieces_;
  std::uint64_t left_;
  WorkMeter* work_;
  bool is_over_ = false;
};

}  // namespace

bool append_convex(const std::vector<MeshSource::Vertex>& vertices, const Corners& polygon,
                   std::vector<Corners>* pieces, WorkMeter* work) {
  const std::size_t before = pieces->size();
  const std::uint64_t n = polygon.size();
  if (Splitter(vertices, pieces, kSplitUnits * n * n, work).split(polygon)) return true;
  pieces->resize(before);
  return false;
}

std::optional<std::pair<std::size_t, std::size_t>> find_crossing(
    const std::vector<MeshSource::Vertex>& vertices, const Corners& polygon, WorkMeter* work) {
  const std::size_t n = polygon.size();
  const auto at = [&](std::size_t k) { return vertices[polygon[k % n]].at; };
  for (std::size_t i = 0; i + 2 < n; ++i) {
    if (!work->spend(n - i)) return std::nullopt;
    const std::size_t end = i == 0 ? n - 1 : n;
    for (std::size_t k = i + 2; k < end; ++k)
      if (segments_meet(at(i), at(i + 1), at(k), at(k + 1))) return std::pair(i, k);
  }
  return std::nullopt;
}

}  // namespace repath

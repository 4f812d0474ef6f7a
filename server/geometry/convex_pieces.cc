#include <algorithm>
#include <cstddef>
#include <utility>

#include "geometry/grow.h"
#include "geometry/predicates.h"

namespace repath {
namespace {

using Corners = std::vector<Point>;

// Returns whether the area is negative. The turn at the lowest corner has the same sign and is
// exact.
bool runs_clockwise(const Corners& p) {
  const std::size_t n = p.size();
  std::size_t low = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (p[i].z < p[low].z || (p[i].z == p[low].z && p[i].x < p[low].x)) low = i;
  return orientation(p[(low + n - 1) % n], p[low], p[(low + 1) % n]) < 0;
}

bool in_triangle(Point a, Point b, Point c, Point p) {
  return orientation(a, b, p) >= 0 && orientation(b, c, p) >= 0 && orientation(c, a, p) >= 0;
}

// Returns whether the polygon stays simple when corner i is cut off.
bool is_ear(const Corners& p, std::size_t i) {
  const std::size_t n = p.size();
  const Point a = p[(i + n - 1) % n];
  const Point b = p[i];
  const Point c = p[(i + 1) % n];
  if (orientation(a, b, c) <= 0) return false;
  for (const Point q : p)
    if (q != a && q != b && q != c && in_triangle(a, b, c, q)) return false;
  return true;
}

// Cuts the polygon into counterclockwise triangles; straight corners become corners of some
// triangle.
std::vector<Corners> cut_ears(Corners p) {
  std::vector<Corners> triangles;
  while (p.size() > 3) {
    std::size_t ear = p.size();
    for (std::size_t i = 0; i < p.size() && ear == p.size(); ++i)
      if (is_ear(p, i)) ear = i;
    if (ear == p.size()) break;  // only a line is left
    const std::size_t n = p.size();
    triangles.push_back({p[(ear + n - 1) % n], p[ear], p[(ear + 1) % n]});
    p.erase(p.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (p.size() == 3 && orientation(p[0], p[1], p[2]) > 0) triangles.push_back(std::move(p));
  return triangles;
}

bool is_convex(const Corners& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    if (orientation(p[i], p[(i + 1) % n], p[(i + 2) % n]) < 0) return false;
  return true;
}

// Joins both along the edge a[i] -> a[i + 1] if they share it and their union is convex.
bool join_along(const Corners& a, std::size_t i, const Corners& b, Corners* joined) {
  const std::size_t n = a.size();
  const std::size_t m = b.size();
  for (std::size_t j = 0; j < m; ++j) {
    if (b[j] != a[(i + 1) % n] || b[(j + 1) % m] != a[i]) continue;
    joined->clear();
    for (std::size_t k = 1; k <= n; ++k) joined->push_back(a[(i + k) % n]);
    for (std::size_t k = 2; k < m; ++k) joined->push_back(b[(j + k) % m]);
    return is_convex(*joined);
  }
  return false;
}

bool join(const Corners& a, const Corners& b, Corners* joined) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (join_along(a, i, b, joined)) return true;
  return false;
}

// Joins pieces until no two can be joined. Pieces that cannot be joined now never can, because
// angles only grow.
void join_all(std::vector<Corners>* pieces) {
  Corners joined;
  for (std::size_t a = 0; a < pieces->size(); ++a)
    for (std::size_t b = a + 1; b < pieces->size();) {
      if (!join((*pieces)[a], (*pieces)[b], &joined)) {
        ++b;
        continue;
      }
      (*pieces)[a].swap(joined);
      pieces->erase(pieces->begin() + static_cast<std::ptrdiff_t>(b));
      b = a + 1;
    }
}

}  // namespace

std::vector<std::vector<Point>> convex_pieces(const Polygon& polygon) {
  Corners corners = polygon.points;
  if (runs_clockwise(corners)) std::ranges::reverse(corners);
  if (is_convex(corners)) return {std::move(corners)};
  std::vector<Corners> pieces = cut_ears(std::move(corners));
  join_all(&pieces);
  return pieces;
}

}  // namespace repath

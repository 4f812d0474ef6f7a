#include "navmesh/search/far_places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

// A point computed to lie on a line or a circle may miss it by so much.
constexpr double kMiss = 0x1p-10;

double apart(Point a, Point b) {
  return std::sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
}

// Thinner than what is computed may miss it by: no ground.
bool is_sliver(std::span<const Point> polygon) {
  double area = 0;
  double border = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point a = polygon[k];
    const Point b = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    area +=
        (a.x - polygon[0].x) * (b.z - polygon[0].z) - (a.z - polygon[0].z) * (b.x - polygon[0].x);
    border += apart(a, b);
  }
  return area <= 2 * kMiss * border;
}

// REQUIRES: no sliver.
bool holds(std::span<const Point> polygon, Point at) {
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point a = polygon[k];
    const Point b = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    const double across = (b.x - a.x) * (at.z - a.z) - (b.z - a.z) * (at.x - a.x);
    if (across < -kMiss * apart(a, b)) return false;
  }
  return true;
}

Point nearest_on(Point a, Point b, Point from) {
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double length2 = ex * ex + ez * ez;
  if (length2 == 0) return a;
  const double share = std::clamp(((from.x - a.x) * ex + (from.z - a.z) * ez) / length2, 0.0, 1.0);
  return {a.x + share * ex, a.z + share * ez};
}

Point nearest_in(std::span<const Point> polygon, Point from) {
  if (holds(polygon, from)) return from;
  Point best{};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point b = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    const Point at = nearest_on(polygon[k], b, from);
    if (apart(at, from) >= least) continue;
    least = apart(at, from);
    best = at;
  }
  return best;
}

}  // namespace

std::vector<Point> left_part(std::span<const Point> polygon, Point a, double dx, double dz) {
  std::vector<Point> part;
  const auto side = [&](Point p) { return dx * (p.z - a.z) - dz * (p.x - a.x); };
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point p = polygon[k];
    const Point q = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    const double at_p = side(p);
    const double at_q = side(q);
    if (at_p >= 0) part.push_back(p);
    if ((at_p < 0) == (at_q < 0)) continue;
    const double share = at_p / (at_p - at_q);
    part.push_back({p.x + share * (q.x - p.x), p.z + share * (q.z - p.z)});
  }
  return part;
}

FarPlaces::FarPlaces(std::vector<Point> threats, double distance)
    : threats_(std::move(threats)), distance_(distance) {
  REPATH_CHECK(!threats_.empty() && distance >= 0);
  find_crossings();
}

void FarPlaces::find_crossings() {
  for (std::size_t i = 0; i < threats_.size(); ++i)
    for (std::size_t j = i + 1; j < threats_.size(); ++j) {
      const double between = apart(threats_[i], threats_[j]);
      if (between == 0 || between > 2 * distance_) continue;
      const double up = std::sqrt(distance_ * distance_ - between * between / 4);
      const double ux = (threats_[j].x - threats_[i].x) / between;
      const double uz = (threats_[j].z - threats_[i].z) / between;
      const Point middle{(threats_[i].x + threats_[j].x) / 2, (threats_[i].z + threats_[j].z) / 2};
      for (const double turn : {up, -up}) {
        const Point at{middle.x - turn * uz, middle.z + turn * ux};
        if (is_clear(at, i, j)) crossings_.push_back({at, i, j});
      }
    }
}

double FarPlaces::distance_at(Point at) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Point threat : threats_) least = std::min(least, apart(threat, at));
  return least;
}

double FarPlaces::least_way(Point from) const {
  return std::max(0.0, distance_ - distance_at(from));
}

// Returns whether the point lies in none of the discs, ignoring two of them.
bool FarPlaces::is_clear(Point at, std::size_t but, std::size_t or_but) const {
  for (std::size_t i = 0; i < threats_.size(); ++i)
    if (i != but && i != or_but && apart(threats_[i], at) < distance_ - kMiss) return false;
  return true;
}

// Offers the points of the circle that may be the ground's nearest one. It ignores other discs.
template <class Offer>
void FarPlaces::offer_circle(std::span<const Point> ground, Point from, std::size_t threat,
                             Offer offer) const {
  const Point center = threats_[threat];
  const double off = apart(center, from);
  const Point out = off == 0 ? Point{center.x + distance_, center.z}
                             : Point{center.x + distance_ * ((from.x - center.x) / off),
                                     center.z + distance_ * ((from.z - center.z) / off)};
  if (holds(ground, out)) offer(out);
  for (std::size_t k = 0; k < ground.size(); ++k) {
    const Point a = ground[k];
    const Point b = ground[k + 1 == ground.size() ? 0 : k + 1];
    const double length = apart(a, b);
    if (length == 0) continue;
    const double ux = (b.x - a.x) / length;
    const double uz = (b.z - a.z) / length;
    const double foot = (center.x - a.x) * ux + (center.z - a.z) * uz;
    const double aside = (center.x - a.x) * uz - (center.z - a.z) * ux;
    const double half2 = distance_ * distance_ - aside * aside;
    if (half2 < 0) continue;
    for (const double along : {foot - std::sqrt(half2), foot + std::sqrt(half2)})
      if (along >= 0 && along <= length) offer({a.x + along * ux, a.z + along * uz});
  }
}

std::optional<Point> FarPlaces::nearest(std::span<const Point> ground, Point from) const {
  if (is_sliver(ground)) return std::nullopt;
  const Point entry = nearest_in(ground, from);
  if (is_far(entry)) return entry;
  std::optional<Point> best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](Point at, std::size_t but, std::size_t or_but) {
    const double way = apart(from, at);
    if (way >= least || !is_clear(at, but, or_but)) return;
    least = way;
    best = at;
  };
  for (std::size_t i = 0; i < threats_.size(); ++i)
    offer_circle(ground, from, i, [&](Point at) { offer(at, i, kNone); });
  for (const Crossing& crossing : crossings_)
    if (apart(from, crossing.at) < least && holds(ground, crossing.at))
      offer(crossing.at, crossing.first, crossing.second);
  return best;
}

Point FarPlaces::farthest(std::span<const Point> ground) const {
  Point best = ground.front();
  double most = -1;
  for (const Point threat : threats_) {
    std::vector<Point> part(ground.begin(), ground.end());
    for (const Point other : threats_) {  // the part that is no nearer to the other one
      if (other.x == threat.x && other.z == threat.z) continue;
      const Point middle{(threat.x + other.x) / 2, (threat.z + other.z) / 2};
      part = left_part(part, middle, threat.z - other.z, other.x - threat.x);
      if (part.empty()) break;
    }
    for (const Point corner : part) {
      const double distance = distance_at(corner);
      if (distance <= most) continue;
      most = distance;
      best = corner;
    }
  }
  return best;
}

}  // namespace repath

#include "geometry/anavmg.h"

#include <cmath>
#include <initializer_list>

#include "geometry/trig.h"

namespace repath {
namespace {

Point between(LatticePoint a, LatticePoint b) {
  return {static_cast<double>(b.x) - a.x, static_cast<double>(b.z) - a.z};
}
double dot(Point a, Point b) { return a.x * b.x + a.z * b.z; }

}  // namespace

// Returns whether the inner angle at v, from a to c, exceeds pi + tau. Exact for tau = 0.
bool PortalMaker::exceeds(LatticePoint a, LatticePoint v, LatticePoint c) const {
  if (is_convex_corner(a, v, c)) return false;
  const auto sine = -static_cast<double>(turn(a, v, c));
  const auto cosine = static_cast<double>(onward(a, v, c));
  return sine == 0 || sine * cos_tau_ - cosine * sin_tau_ > 0;
}

bool PortalMaker::is_of_interest(std::uint32_t h, LatticePoint w) const {
  const LatticePoint v = net_->at(h);
  return w != v && net_->in_cone(h, w) && !exceeds(net_->before(h), v, w) &&
         !exceeds(w, v, net_->after(h));
}

// Offers the point at share `part` of half `line` if it is nearer than the best element so far.
void PortalMaker::offer_point(std::uint32_t h, std::uint32_t line, double part,
                              Element* best) const {
  if (!(part > 0) || !(part < 1)) return;
  const LatticePoint a = net_->at(line);
  const Point along = between(a, net_->after(line));
  const Point off = between(net_->at(h), a);
  const Point to{off.x + part * along.x, off.z + part * along.z};
  const double distance = dot(to, to);
  if (best->kind != Kind::kNone && distance >= best->distance) return;
  *best = {net_->is_diagonal(line) ? Kind::kPortal : Kind::kEdge, distance, line,
           static_cast<double>(a.x) + part * along.x, static_cast<double>(a.z) + part * along.z};
}

// Offers the nearest points of an edge or portal inside the area of interest: the projection of the
// notch or, if that is outside, the cuts with the prolongations of the notch's edges. The ends of
// the line are corners and are offered as such.
void PortalMaker::offer_line(std::uint32_t h, std::uint32_t line, Element* best) const {
  const LatticePoint v = net_->at(h);
  const LatticePoint a = net_->at(line);
  const LatticePoint b = net_->after(line);
  if (a == v || b == v || turn(a, b, v) <= 0) return;
  const Point along = between(a, b);
  const double foot = dot(between(a, v), along) / dot(along, along);
  const LatticePoint rounded{static_cast<std::int32_t>(std::floor(a.x + foot * along.x + 0.5)),
                             static_cast<std::int32_t>(std::floor(a.z + foot * along.z + 0.5))};
  if (foot > 0 && foot < 1 && is_of_interest(h, rounded)) {
    offer_point(h, line, foot, best);
    return;
  }
  for (const LatticePoint back : {net_->before(h), net_->after(h)}) {
    const Point ray = between(back, v);
    const double facing = cross(ray, along);
    if (facing > 0) offer_point(h, line, -cross(between(v, a), ray) / -facing, best);
  }
}

PortalMaker::Element PortalMaker::nearest(std::uint32_t h) const {
  const LatticePoint v = net_->at(h);
  Element best;
  for (std::uint32_t g = 0; g < net_->size(); ++g) {
    if (!net_->is_live(g) || g == h) continue;
    const LatticePoint w = net_->at(g);
    const auto distance = static_cast<double>(distance_squared(v, w));
    if ((best.kind == Kind::kNone || distance < best.distance) && is_of_interest(h, w) &&
        net_->in_cone(g, v)) {
      best = {Kind::kVertex, distance, g, 0, 0};
    }
  }
  for (std::uint32_t g = 0; g < net_->size(); ++g)
    if (net_->is_live(g)) offer_line(h, g, &best);
  return best;
}

void PortalMaker::cut(std::uint32_t h, std::uint32_t g) {
  const std::uint32_t there = net_->cut(h, g);
  for (const std::uint32_t corner : {there, h, there + 1, g})
    if (is_notch(corner)) work_.push_back(corner);
}

// Returns whether moving the edge's other end to p turns one of its ends into a notch. Where other
// diagonals follow, also whether it makes a convex end reflex: a dent of a step would be cut off as
// a sliver.
bool PortalMaker::bends_end(std::uint32_t edge, LatticePoint p) const {
  const std::uint32_t next = net_->half(edge).next;
  if (goes_on_ &&
      ((net_->is_convex(edge) && !is_convex_corner(net_->before(edge), net_->at(edge), p)) ||
       (net_->is_convex(next) && !is_convex_corner(p, net_->at(next), net_->after(next)))))
    return true;
  return (!is_notch(edge) && exceeds(net_->before(edge), net_->at(edge), p)) ||
         (!is_notch(next) && exceeds(p, net_->at(next), net_->after(next)));
}

// Searches the lattice points around the nearest point for the nearest one that the notch sees and
// that is not inside the region. (There no angle exceeds pi.)
bool PortalMaker::find_edge_point(std::uint32_t h, const Element& element,
                                  LatticePoint* found) const {
  const LatticePoint v = net_->at(h);
  const LatticePoint a = net_->at(element.half);
  const LatticePoint b = net_->after(element.half);
  double least = 0;
  bool any = false;
  for (int i = 0; i < 9; ++i) {
    const LatticePoint p{static_cast<std::int32_t>(std::floor(element.x + 0.5)) + i % 3 - 1,
                         static_cast<std::int32_t>(std::floor(element.z + 0.5)) + i / 3 - 1};
    const double off = std::abs(p.x - element.x) + std::abs(p.z - element.z);
    if (any && off >= least) continue;
    if (turn(a, b, p) > 0 || onward(a, p, b) <= 0 || p == a || p == b) continue;
    if (bends_end(element.half, p)) continue;
    if (!finder_->spend(3 * net_->segments().size())) return false;
    if (!is_of_interest(h, p) || !net_->is_clear(a, p) || !net_->is_clear(p, b)) continue;
    if (!net_->is_clear_but(v, p, element.half)) continue;
    *found = p;
    least = off;
    any = true;
  }
  return any;
}

bool PortalMaker::join_edge(std::uint32_t h, const Element& element) {
  LatticePoint p;
  if (!find_edge_point(h, element, &p)) return false;
  cut(h, net_->split(element.half, p));
  return true;
}

// Drops the portal if both its ends stay convex enough without it. Returns whether it did.
bool PortalMaker::drop_if_needless(std::uint32_t portal, bool forget) {
  const std::uint32_t twin = net_->half(portal).twin;
  const auto stays_convex = [this](std::uint32_t d, std::uint32_t t) {
    const std::uint32_t after = net_->half(t).next;
    return !exceeds(net_->before(d), net_->at(d), net_->after(after));
  };
  if (!stays_convex(portal, twin) || !stays_convex(twin, portal)) return false;
  net_->drop(portal, forget);
  return true;
}

bool PortalMaker::join_portal(std::uint32_t h, std::uint32_t portal) {
  const std::uint32_t ends[2] = {portal, net_->half(portal).next};
  const LatticePoint v = net_->at(h);
  const bool fits[2] = {is_of_interest(h, net_->at(ends[0])), is_of_interest(h, net_->at(ends[1]))};
  if (fits[0] || fits[1]) {
    const bool second = !fits[0] || (fits[1] && distance_squared(v, net_->at(ends[1])) <
                                                    distance_squared(v, net_->at(ends[0])));
    const std::uint32_t end = ends[second ? 1 : 0];
    if (!net_->is_visible(h, end)) return false;
    cut(h, end);
  } else {
    if (!net_->is_visible(h, ends[0]) || !net_->is_visible(h, ends[1])) return false;
    cut(h, ends[0]);
    // Only after the first portal is it known which part of the notch's angle sees the other end.
    for (const std::uint32_t corner : {h, net_->size() - 2})
      if (net_->is_visible(corner, net_->half(portal).next)) {
        cut(corner, net_->half(portal).next);
        break;
      }
  }
  drop_if_needless(portal, true);
  return true;
}

bool PortalMaker::join(std::uint32_t h, const Element& element) {
  switch (element.kind) {
    case Kind::kVertex:
      if (!net_->is_visible(h, element.half)) return false;
      cut(h, element.half);
      return true;
    case Kind::kEdge:
      return join_edge(h, element);
    case Kind::kPortal:
      return join_portal(h, element.half);
    default:
      return false;
  }
}

bool PortalMaker::run(double tau, bool goes_on) {
  goes_on_ = goes_on;
  const SinCos turned = sin_cos(tau);
  sin_tau_ = tau == 0 ? 0 : turned.sin;
  cos_tau_ = tau == 0 ? 1 : turned.cos;
  work_.clear();
  for (std::uint32_t h = net_->size(); h-- > 0;)
    if (is_notch(h)) work_.push_back(h);
  while (!work_.empty()) {
    const std::uint32_t h = work_.back();
    work_.pop_back();
    if (!net_->is_live(h) || !is_notch(h)) continue;
    // The nearest element, and the attempts to join it: at most 9 points of an edge, seen from 3
    // points.
    if (!finder_->spend(4 * net_->size() + 4 * net_->segments().size())) return false;
    if (join(h, nearest(h))) continue;
    const std::uint32_t g = finder_->shortest(h);
    if (g == kNoHalf) return false;
    cut(h, g);
  }
  for (std::uint32_t h = 0; h < net_->size(); ++h)
    if (net_->is_live(h) && net_->is_diagonal(h) && h < net_->half(h).twin)
      drop_if_needless(h, goes_on);
  return finder_->spend(net_->size());
}

}  // namespace repath

#include "geometry/subdivision.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/check.h"

namespace repath {
namespace {

// For p on the line through v and w: whether it lies between them and is neither.
bool lies_between(LatticePoint v, LatticePoint w, LatticePoint p) {
  return v.x != w.x ? (v.x < p.x) != (w.x < p.x) && p.x != v.x && p.x != w.x
                    : (v.z < p.z) != (w.z < p.z) && p.z != v.z && p.z != w.z;
}

}  // namespace

bool Segment::blocks(LatticePoint v, LatticePoint w) const {
  const std::int64_t at_a = turn(v, w, a);
  const std::int64_t at_b = turn(v, w, b);
  if ((at_a > 0 && at_b > 0) || (at_a < 0 && at_b < 0)) return false;
  if (at_a == 0 && lies_between(v, w, a)) return true;
  if (at_b == 0 && lies_between(v, w, b)) return true;
  if (at_a == 0 || at_b == 0) return false;
  const std::int64_t at_v = turn(a, b, v);
  const std::int64_t at_w = turn(a, b, w);
  return (at_v > 0 && at_w < 0) || (at_v < 0 && at_w > 0);
}

void Subdivision::reset(std::span<const LatticePoint> points,
                        std::span<const std::uint32_t> loop_ends) {
  points_.assign(points.begin(), points.end());
  halves_.clear();
  segments_.clear();
  std::uint32_t begin = 0;
  for (const std::uint32_t end : loop_ends) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t next = i + 1 == end ? begin : i + 1;
      const std::uint32_t prev = i == begin ? end - 1 : i - 1;
      halves_.push_back({i, next, prev, kNoHalf, i});
      segments_.push_back({points_[i], points_[next]});
    }
    begin = end;
  }
}

const Segment* Subdivision::blocker(LatticePoint v, LatticePoint w) const {
  const auto [x0, x1] = std::minmax(v.x, w.x);
  const auto [z0, z1] = std::minmax(v.z, w.z);
  for (const Segment& s : segments_) {
    if (std::max(s.a.x, s.b.x) < x0 || std::min(s.a.x, s.b.x) > x1) continue;
    if (std::max(s.a.z, s.b.z) < z0 || std::min(s.a.z, s.b.z) > z1) continue;
    if (s.blocks(v, w)) return &s;
  }
  return nullptr;
}

bool Subdivision::is_clear_but(LatticePoint v, LatticePoint w, std::uint32_t h) const {
  const LatticePoint a = at(h);
  const LatticePoint b = after(h);
  return std::ranges::none_of(
      segments_, [&](const Segment& s) { return !(s.a == a && s.b == b) && s.blocks(v, w); });
}

std::uint32_t Subdivision::cut(std::uint32_t h, std::uint32_t g) {
  const auto there = static_cast<std::uint32_t>(halves_.size());
  const std::uint32_t back = there + 1;
  const std::uint32_t before_h = halves_[h].prev;
  const std::uint32_t before_g = halves_[g].prev;
  halves_.push_back({halves_[h].point, g, before_h, back, 0});
  halves_.push_back({halves_[g].point, h, before_g, there, 0});
  link(before_h, there);
  link(there, g);
  link(before_g, back);
  link(back, h);
  segments_.push_back({at(there), at(back)});
  return there;
}

std::uint32_t Subdivision::split(std::uint32_t h, LatticePoint p) {
  const auto rest = static_cast<std::uint32_t>(halves_.size());
  const LatticePoint a = at(h);
  const LatticePoint b = after(h);
  const auto old =
      std::ranges::find_if(segments_, [a, b](const Segment& s) { return s.a == a && s.b == b; });
  REPATH_CHECK(old != segments_.end() && !is_diagonal(h));
  *old = {a, p};
  segments_.push_back({p, b});
  points_.push_back(p);
  const std::uint32_t next = halves_[h].next;
  halves_.push_back(
      {static_cast<std::uint32_t>(points_.size() - 1), next, h, kNoHalf, halves_[h].source});
  link(h, rest);
  link(rest, next);
  return rest;
}

bool Subdivision::is_needless(std::uint32_t h) const {
  const std::uint32_t t = halves_[h].twin;
  return is_convex_corner(before(h), at(h), at(halves_[halves_[t].next].next)) &&
         is_convex_corner(before(t), at(t), at(halves_[halves_[h].next].next));
}

void Subdivision::drop(std::uint32_t h, bool forget) {
  const std::uint32_t t = halves_[h].twin;
  if (forget) {
    const LatticePoint a = at(h);
    const LatticePoint b = at(t);
    std::erase_if(segments_, [a, b](const Segment& s) {
      return (s.a == a && s.b == b) || (s.a == b && s.b == a);
    });
  }
  link(halves_[h].prev, halves_[t].next);
  link(halves_[t].prev, halves_[h].next);
  halves_[h].next = kNoHalf;
  halves_[t].next = kNoHalf;
}

void Subdivision::flip(std::uint32_t h) {
  const std::uint32_t t = halves_[h].twin;
  const std::uint32_t n = halves_[h].next;
  const std::uint32_t p = halves_[h].prev;
  const std::uint32_t tn = halves_[t].next;
  const std::uint32_t tp = halves_[t].prev;
  const std::uint32_t apex = halves_[p].point;
  halves_[h].point = halves_[tp].point;
  halves_[t].point = apex;
  link(h, p);
  link(p, tn);
  link(tn, h);
  link(t, tp);
  link(tp, n);
  link(n, t);
}

std::uint32_t DiagonalFinder::first_visible(std::uint32_t h) {
  const LatticePoint v = net_->at(h);
  blockers_.clear();
  std::ranges::make_heap(candidates_, std::greater{});  // the nearest first
  while (!candidates_.empty()) {
    std::ranges::pop_heap(candidates_, std::greater{});
    const Candidate nearest = candidates_.back();
    candidates_.pop_back();
    const auto blocks = [&](const Segment& s) { return s.blocks(v, nearest.end); };
    if (std::ranges::any_of(blockers_, blocks)) continue;
    const Segment* blocker = net_->blocker(v, nearest.end);
    if (blocker == nullptr) return nearest.half;
    blockers_.push_back(*blocker);
  }
  return kNoHalf;
}

std::uint32_t DiagonalFinder::shortest(std::uint32_t h) {
  const LatticePoint a = net_->before(h);
  const LatticePoint v = net_->at(h);
  const LatticePoint c = net_->after(h);
  for (const bool whole : {true, false}) {
    candidates_.clear();
    for (std::uint32_t g = 0; g < net_->size(); ++g) {
      if (!net_->is_live(g)) continue;
      const LatticePoint w = net_->at(g);
      if (w == v) continue;
      const bool fits =
          whole ? is_convex_corner(a, v, w) && is_convex_corner(w, v, c) : net_->in_cone(h, w);
      if (fits && net_->in_cone(g, v)) candidates_.push_back({distance_squared(v, w), w, g});
    }
    if (const std::uint32_t found = first_visible(h); found != kNoHalf) return found;
  }
  return kNoHalf;
}

}  // namespace repath

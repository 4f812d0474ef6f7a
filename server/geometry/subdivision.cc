#include "geometry/subdivision.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/check.h"

namespace repath {
namespace {

// Returns whether p, which is on the line through v and w, lies strictly between them.
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
  halves_.resize(points.size());
  segments_.clear();
  holes_ = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : loop_ends) {
    const bool is_hole = loop_ends.size() > 1 && twice_area(points.subspan(begin, end - begin)) < 0;
    holes_ += is_hole ? 1 : 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t next = i + 1 == end ? begin : i + 1;
      const std::uint32_t prev = i == begin ? end - 1 : i - 1;
      halves_[i] = {points_[i], i, next, prev, kNoHalf, i};
      segments_.emplace_back(points_[i], points_[next]);
    }
    begin = end;
  }
}

std::optional<Segment> Subdivision::blocker(LatticePoint v, LatticePoint w) const {
  const auto [x0, x1] = std::minmax(v.x, w.x);
  const auto [z0, z1] = std::minmax(v.z, w.z);
  for (const Segment& s : segments_) {
    const bool is_off = (s.high.x < x0) | (s.low.x > x1) | (s.high.z < z0) | (s.low.z > z1);
    if (!is_off && s.blocks(v, w)) return s;
  }
  return std::nullopt;
}

std::optional<Segment> Subdivision::blocker_in_cell(std::uint32_t h, LatticePoint w) const {
  const LatticePoint v = at(h);
  LatticePoint a = v;
  std::int64_t at_a = 0;
  std::uint32_t g = h;
  do {
    g = halves_[g].next;
    const LatticePoint b = at(g);
    const std::int64_t at_b = turn(v, w, b);
    const bool is_off = (at_a > 0 && at_b > 0) || (at_a < 0 && at_b < 0);
    if (!is_off)
      if (const Segment s(a, b); s.blocks(v, w)) return s;
    a = b;
    at_a = at_b;
  } while (g != h);
  return std::nullopt;
}

bool Subdivision::is_clear_but(LatticePoint v, LatticePoint w, std::uint32_t h) const {
  const LatticePoint a = at(h);
  const LatticePoint b = after(h);
  return std::ranges::none_of(
      segments_, [&](const Segment& s) { return !(s.a == a && s.b == b) && s.blocks(v, w); });
}

bool Subdivision::is_in_loop(std::uint32_t g, std::uint32_t h) const {
  std::uint32_t along = h;
  do {
    if (along == g) return true;
    along = halves_[along].next;
  } while (along != h);
  return false;
}

std::uint32_t Subdivision::cut(std::uint32_t h, std::uint32_t g) {
  const auto there = static_cast<std::uint32_t>(halves_.size());
  const std::uint32_t back = there + 1;
  const std::uint32_t before_h = halves_[h].prev;
  const std::uint32_t before_g = halves_[g].prev;
  if (holes_ > 0 && !is_in_loop(g, h)) --holes_;
  halves_.push_back({at(h), halves_[h].point, g, before_h, back, 0});
  halves_.push_back({at(g), halves_[g].point, h, before_g, there, 0});
  link(before_h, there);
  link(there, g);
  link(before_g, back);
  link(back, h);
  segments_.emplace_back(at(there), at(back));
  return there;
}

std::uint32_t Subdivision::split(std::uint32_t h, LatticePoint p) {
  const auto rest = static_cast<std::uint32_t>(halves_.size());
  const LatticePoint a = at(h);
  const LatticePoint b = after(h);
  const auto old =
      std::ranges::find_if(segments_, [a, b](const Segment& s) { return s.a == a && s.b == b; });
  REPATH_CHECK(old != segments_.end() && !is_diagonal(h));
  *old = Segment(a, p);
  segments_.emplace_back(p, b);
  points_.push_back(p);
  const std::uint32_t next = halves_[h].next;
  halves_.push_back(
      {p, static_cast<std::uint32_t>(points_.size() - 1), next, h, kNoHalf, halves_[h].source});
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
    holes_ = kUnknownHoles;  // the diagonal may have joined one
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
  const LatticePoint apex_at = halves_[p].at;
  halves_[h].point = halves_[tp].point;
  halves_[h].at = halves_[tp].at;
  halves_[t].point = apex;
  halves_[t].at = apex_at;
  link(h, p);
  link(p, tn);
  link(tn, h);
  link(t, tp);
  link(tp, n);
  link(n, t);
}

template <bool Whole, class Offer>
void DiagonalFinder::for_each_end(std::uint32_t h, Offer&& offer) const {
  const LatticePoint a = net_->before(h);
  const LatticePoint v = net_->at(h);
  const LatticePoint c = net_->after(h);
  const auto look_at = [&](std::uint32_t g) {
    const LatticePoint w = net_->at(g);
    // These two signs decide most corners. They are tested together, because each alone is hard for
    // the processor to predict.
    const std::int64_t in = turn(a, v, w);
    const std::int64_t out = turn(v, c, w);
    if (Whole ? static_cast<int>(in < 0) | static_cast<int>(out < 0)
              : static_cast<int>(in <= 0) & static_cast<int>(out <= 0))
      return;
    if (Whole && in == 0 && onward(a, v, w) <= 0) return;
    if (Whole && out == 0 && onward(w, v, c) <= 0) return;
    if (w != v) offer(Candidate{distance_squared(v, w), w, g});
  };
  if (!net_->has_single_loops()) {
    for (std::uint32_t g = 0; g < net_->size(); ++g) look_at(g);
    return;
  }
  // A diagonal never leaves its cell, so corners of other cells need not be looked at.
  for (std::uint32_t g = net_->half(h).next; g != h; g = net_->half(g).next) look_at(g);
}

template <bool Whole>
std::uint32_t DiagonalFinder::first_visible(std::uint32_t h) {
  if (!spend(2 * net_->size())) return kNoHalf;
  Candidate nearest{~std::uint64_t{0}, {}, kNoHalf};
  for_each_end<Whole>(h, [&](const Candidate& end) {
    if (end < nearest && is_end(h, end.half)) nearest = end;
  });
  if (nearest.half == kNoHalf || !is_hidden(h, nearest.end)) return nearest.half;
  if (!spend(2 * net_->size())) return kNoHalf;
  candidates_.clear();  // seldom are the other candidates needed
  for_each_end<Whole>(h, [&](const Candidate& end) {
    if (nearest < end && is_end(h, end.half)) candidates_.push_back(end);
  });
  std::ranges::make_heap(candidates_, std::greater{});  // nearest first
  while (!candidates_.empty()) {
    std::ranges::pop_heap(candidates_, std::greater{});
    if (!spend(blockers_.size() + net_->segments().size())) return kNoHalf;
    if (!is_hidden(h, candidates_.back().end)) return candidates_.back().half;
    candidates_.pop_back();
  }
  return kNoHalf;
}

bool DiagonalFinder::is_hidden(std::uint32_t h, LatticePoint to) {
  const LatticePoint from = net_->at(h);
  if (std::ranges::any_of(blockers_, [&](const Segment& s) { return s.blocks(from, to); }))
    return true;
  const std::optional<Segment> blocker =
      net_->has_single_loops() ? net_->blocker_in_cell(h, to) : net_->blocker(from, to);
  if (blocker) blockers_.push_back(*blocker);
  return blocker.has_value();
}

std::uint32_t DiagonalFinder::shortest(std::uint32_t h) {
  blockers_.clear();
  const std::uint32_t found = first_visible<true>(h);
  return found != kNoHalf ? found : first_visible<false>(h);
}

}  // namespace repath

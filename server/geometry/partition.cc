#include "geometry/partition.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace repath {
namespace {

// Returns a value above 0 if p lies inside the circle through the counterclockwise a, b, c. A
// product of four factors of 31 bits.
Wide in_circle(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint p) {
  const auto row = [p](LatticePoint q, std::int64_t* dx, std::int64_t* dz) {
    *dx = std::int64_t{q.x} - p.x;
    *dz = std::int64_t{q.z} - p.z;
    return Wide{*dx} * *dx + Wide{*dz} * *dz;
  };
  std::int64_t ax, az, bx, bz, cx, cz;
  const Wide a2 = row(a, &ax, &az);
  const Wide b2 = row(b, &bx, &bz);
  const Wide c2 = row(c, &cx, &cz);
  return a2 * (bx * cz - bz * cx) - b2 * (ax * cz - az * cx) + c2 * (ax * bz - az * bx);
}

}  // namespace

bool Partitioner::resolve_shortest() {
  work_.clear();
  for (std::uint32_t h = net_.size(); h-- > 0;)
    if (net_.is_live(h) && !net_.is_convex(h)) work_.push_back(h);
  while (!work_.empty()) {
    const std::uint32_t h = work_.back();
    work_.pop_back();
    if (net_.is_convex(h)) continue;  // was resolved from the other end of a diagonal
    const std::uint32_t g = finder_.shortest(h);
    if (g == kNoHalf) return false;
    const std::uint32_t there = net_.cut(h, g);
    for (const std::uint32_t corner : {there, h, there + 1, g})
      if (!net_.is_convex(corner)) work_.push_back(corner);
  }
  return true;
}

// Cuts convex cells into triangles; straight corners become corners of triangles.
bool Partitioner::triangulate() {
  for (std::uint32_t h = 0; h < net_.size(); ++h) {
    // `h` goes round its cell until three corners are left. A corner is cut off if its triangle has
    // an area and leaves a cell with an area.
    std::uint32_t corner = h;
    for (;;) {
      const std::uint32_t next = net_.half(corner).next;
      const std::uint32_t prev = net_.half(corner).prev;
      if (net_.half(next).next == prev) break;
      const LatticePoint a = net_.at(prev);
      const LatticePoint c = net_.at(next);
      bool leaves_area = false;
      std::uint64_t looked_at = 1;
      for (std::uint32_t r = net_.half(next).next; r != prev && !leaves_area;
           r = net_.half(r).next, ++looked_at)
        leaves_area = turn(a, c, net_.at(r)) != 0;
      if (!finder_.spend(looked_at)) return false;
      if (turn(a, net_.at(corner), c) > 0 && leaves_area) {
        net_.cut(prev, next);
        corner = prev;
      } else {
        corner = next;
      }
    }
  }
  return true;
}

bool Partitioner::make_delaunay() {
  work_.clear();
  for (std::uint32_t h = 0; h < net_.size(); ++h)
    if (net_.is_diagonal(h)) work_.push_back(h);
  while (!work_.empty()) {
    const std::uint32_t h = work_.back();
    work_.pop_back();
    if (!finder_.spend(4)) return false;
    const std::uint32_t t = net_.half(h).twin;
    if (t == kNoHalf) continue;
    const LatticePoint u = net_.at(h);
    const LatticePoint v = net_.at(t);
    const LatticePoint apex = net_.before(h);
    const LatticePoint other = net_.before(t);
    if (in_circle(u, v, apex, other) <= 0) continue;
    if (turn(apex, u, other) <= 0 || turn(other, v, apex) <= 0) continue;
    for (const std::uint32_t side :
         {net_.half(h).next, net_.half(h).prev, net_.half(t).next, net_.half(t).prev})
      work_.push_back(side);
    net_.flip(h);
  }
  return true;
}

void Partitioner::drop_needless() {
  work_.clear();
  for (std::uint32_t h = 0; h < net_.size(); ++h)
    if (net_.is_live(h) && net_.is_diagonal(h) && h < net_.half(h).twin) work_.push_back(h);
  const auto length = [this](std::uint32_t h) {
    return distance_squared(net_.at(h), net_.after(h));
  };
  std::ranges::sort(work_, [&length](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t la = length(a);
    const std::uint64_t lb = length(b);
    return la != lb ? la > lb : a < b;
  });
  for (const std::uint32_t h : work_)
    if (net_.is_needless(h)) net_.drop(h, false);
}

void Partitioner::read_out(Partition* out) {
  out->points = net_.points();
  out->edges.clear();
  out->cell_ends.clear();
  out->diagonals = 0;
  number_.assign(net_.size(), kNoHalf);  // source of each half that has been read out
  for (std::uint32_t h = 0; h < net_.size(); ++h) {
    if (!net_.is_live(h) || number_[h] != kNoHalf) continue;
    std::uint32_t e = h;
    do {
      const Subdivision::Half& half = net_.half(e);
      if (half.twin == kNoHalf) {
        number_[e] = half.source;
      } else {
        const std::uint32_t known = number_[half.twin];
        number_[e] = known != kNoHalf ? known : kDiagonalBit | out->diagonals++;
      }
      out->edges.push_back({half.point, number_[e]});
      e = half.next;
    } while (e != h);
    out->cell_ends.push_back(static_cast<std::uint32_t>(out->edges.size()));
  }
}

bool Partitioner::run(std::span<const LatticePoint> points,
                      std::span<const std::uint32_t> loop_ends, PartitionMethod method,
                      Partition* out, WorkMeter* work, double tau, Dents dents) {
  REPATH_CHECK(tau >= 0 && tau <= kTauMax);
  finder_.set_meter(work);
  net_.reset(points, loop_ends);
  if (method == PartitionMethod::kAnavmg) {
    const bool cuts_dents = tau > 0 && dents == Dents::kCut;
    if (!portals_.run(tau, cuts_dents)) return false;
    if (cuts_dents) {
      if (!resolve_shortest()) return false;
      drop_needless();
    }
  } else {
    if (!resolve_shortest()) return false;
    if (method == PartitionMethod::kDelaunay && (!triangulate() || !make_delaunay())) return false;
    drop_needless();
  }
  read_out(out);
  return true;
}

}  // namespace repath

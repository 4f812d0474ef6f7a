#include "navmesh/carve/carve_nodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

namespace repath {
namespace {

bool is_near(LatticePoint a, LatticePoint b, std::int32_t reach) {
  return std::abs(a.x - b.x) <= reach && std::abs(a.z - b.z) <= reach;
}

}  // namespace

void CarveNodes::add_ring(std::span<const LatticePoint> ring, std::uint32_t number) {
  const auto first = static_cast<std::uint32_t>(lines_.size());
  for (std::uint32_t i = 0; i < ring.size(); ++i)
    lines_.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], number, i});
  rings_.push_back({first, static_cast<std::uint32_t>(lines_.size()), bounds_of(ring)});
}

// Makes a node where both lines cross at an inner point of both. If they meet elsewhere, an end of
// one is a node already.
void CarveNodes::cross_lines(std::uint32_t one, std::uint32_t other) {
  const Line& s = lines_[one];
  const Line& t = lines_[other];
  LatticePoint at;
  if (!cross(s.a, s.b, t.a, t.b, &at)) return;
  const bool on_base = s.ring == kBaseRing;
  if (on_base)
    for (const Forced& f : forced_)
      if (f.line == other && (f.at == s.a || f.at == s.b) && is_near(f.at, at, kCarveAttraction)) {
        doubtful_ = doubtful_ || f.at != at;
        return;
      }
  hot_.push_back({at, on_base ? s.edge : kAll});
}

void CarveNodes::cross_rings(const Ring& one, const Ring& other) {
  if (!one.bounds.meets(other.bounds)) return;
  for (std::uint32_t i = one.first; i < one.end; ++i) {
    const LatticeBox bounds = bounds_of(lines_[i].a, lines_[i].b);
    if (!bounds.meets(other.bounds)) continue;
    for (std::uint32_t k = other.first; k < other.end; ++k)
      if (bounds.meets(bounds_of(lines_[k].a, lines_[k].b))) cross_lines(i, k);
  }
}

// Leads lines that pass near a corner of the cell through it.
void CarveNodes::attract_lines() {
  for (std::uint32_t corner = 0; corner < rings_[0].end; ++corner) {
    const LatticePoint at = lines_[corner].a;
    for (std::uint32_t i = rings_[0].end; i < lines_.size(); ++i) {
      if (!meets_square(lines_[i].a, lines_[i].b, at, kCarveAttraction)) continue;
      forced_.push_back({i, at});
      doubtful_ = doubtful_ || !PixelTest(lines_[i].a, lines_[i].b).meets(at);
    }
  }
}

// Collects in on_line_ the nodes of a line, unordered, without its ends.
void CarveNodes::collect_nodes(std::uint32_t line, bool all_nodes) {
  const Line& l = lines_[line];
  on_line_.clear();
  const auto add = [this, &l](LatticePoint p) {
    if (p != l.a && p != l.b && std::ranges::find(on_line_, p) == on_line_.end())
      on_line_.push_back(p);
  };
  const PixelTest pixel(l.a, l.b);
  const LatticePoint least{std::min(l.a.x, l.b.x), std::numeric_limits<std::int32_t>::min()};
  const std::int32_t x1 = std::max(l.a.x, l.b.x);
  if (all_nodes || l.ring != kBaseRing) {
    for (auto p = std::ranges::lower_bound(points_, least); p != points_.end() && p->x <= x1; ++p)
      if (pixel.meets(*p)) add(*p);
  } else {
    for (auto h = std::ranges::lower_bound(hot_, least, {}, &Hot::at);
         h != hot_.end() && h->at.x <= x1; ++h) {
      if (!pixel.meets(h->at)) continue;
      if (h->edge == kAll || h->edge == l.edge) {
        add(h->at);
      } else if (h->at != l.a && h->at != l.b) {
        doubtful_ = true;
      }
    }
  }
  for (const Forced& f : forced_)
    if (f.line == line) add(f.at);
}

// Cuts the line into pieces at its nodes. `end`: the node at which it ends.
void CarveNodes::cut(std::uint32_t line, std::uint32_t end, bool all_nodes) {
  collect_nodes(line, all_nodes);
  const Line& l = lines_[line];
  std::ranges::sort(on_line_, [&l](LatticePoint p, LatticePoint q) {
    return std::pair(along_line(l.a, l.b, p), p) < std::pair(along_line(l.a, l.b, q), q);
  });
  std::uint32_t from = starts_[line];
  for (const LatticePoint p : on_line_) {
    const std::uint32_t to = node_at(p);
    pieces_.push_back({from, to, l.ring, l.edge});
    from = to;
  }
  pieces_.push_back({from, end, l.ring, l.edge});
}

std::uint32_t CarveNodes::node_at(LatticePoint p) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(points_, p) - points_.begin());
}

void CarveNodes::make(bool attract) {
  hot_.clear();
  forced_.clear();
  points_.clear();
  pieces_.clear();
  doubtful_ = false;
  const std::uint32_t corners = rings_[0].end;
  for (std::uint32_t i = 0; i < corners; ++i) {
    hot_.push_back({lines_[i].a, i});
    hot_.push_back({lines_[i].b, i});
  }
  for (std::uint32_t i = corners; i < lines_.size(); ++i) hot_.push_back({lines_[i].a, kAll});
  if (attract) attract_lines();
  for (std::size_t one = 0; one < rings_.size(); ++one)
    for (std::size_t other = one + 1; other < rings_.size(); ++other)
      cross_rings(rings_[one], rings_[other]);
  std::ranges::sort(hot_);
  for (const Hot& h : hot_)
    if (points_.empty() || points_.back() != h.at) points_.push_back(h.at);
  starts_.clear();
  for (const Line& l : lines_) starts_.push_back(node_at(l.a));
  for (const Ring& ring : rings_)
    for (std::uint32_t line = ring.first; line < ring.end; ++line)
      cut(line, starts_[line + 1 == ring.end ? ring.first : line + 1], !attract);
}

void CarveNodes::find(std::span<const LatticePoint> cell,
                      std::span<const std::span<const LatticePoint>> rings) {
  lines_.clear();
  rings_.clear();
  add_ring(cell, kBaseRing);
  for (std::size_t i = 0; i < rings.size(); ++i) add_ring(rings[i], static_cast<std::uint32_t>(i));
  make(true);
}

void CarveNodes::plain() { make(false); }

// Leads the piece through the node. Returns false if the piece begins or ends there already.
bool CarveNodes::lead_through(std::size_t piece, std::uint32_t node) {
  const EdgePiece whole = pieces_[piece];
  if (whole.from == node || whole.to == node) return false;
  pieces_[piece].to = node;
  pieces_.push_back({node, whole.to, whole.ring, whole.edge});
  return true;
}

// Leads one of two pieces that cross through the nearest end of the other. Returns false if both
// stay crossed.
bool CarveNodes::mend_pair(std::size_t one, std::size_t other) {
  const EdgePiece s = pieces_[one];
  const EdgePiece t = pieces_[other];
  LatticePoint at;
  if (!cross(points_[s.from], points_[s.to], points_[t.from], points_[t.to], &at)) return true;
  // The nearest end whose own piece may stay as it is.
  std::uint32_t nearest = s.from;
  std::size_t led = other;
  std::uint64_t least = ~std::uint64_t{0};
  const auto offer = [&](std::uint32_t node, std::size_t through) {
    const std::uint64_t distance = distance_squared(points_[node], at);
    if (pieces_[through].ring == kBaseRing || distance >= least) return;
    nearest = node;
    led = through;
    least = distance;
  };
  offer(s.from, other);
  offer(s.to, other);
  offer(t.from, one);
  offer(t.to, one);
  if (least == ~std::uint64_t{0} || !is_near(points_[nearest], at, kMendReach)) return false;
  return lead_through(led, nearest);
}

bool CarveNodes::mend_once(bool* crossed) {
  *crossed = false;
  const std::size_t size = pieces_.size();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (!mend_pair(i, k)) return false;
      *crossed = *crossed || pieces_.size() != size;
    }
  return true;
}

bool CarveNodes::mend() {
  constexpr int kRounds = 8;
  bool crossed = true;
  for (int round = 0; round < kRounds && crossed; ++round)
    if (!mend_once(&crossed)) return false;
  // Nodes on obstacles' pieces cut them, with nothing moved.
  for (std::size_t i = 0; i < pieces_.size() && !crossed; ++i)
    for (std::uint32_t n = std::min(pieces_[i].from, pieces_[i].to) + 1;
         n < std::max(pieces_[i].from, pieces_[i].to); ++n)
      if (pieces_[i].ring != kBaseRing &&
          turn(points_[pieces_[i].from], points_[pieces_[i].to], points_[n]) == 0)
        lead_through(i, n);
  return !crossed;
}

}  // namespace repath

#include "navmesh/carve/carve_nodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

namespace repath {
namespace {

// A node, all pieces and links that meet in it, and their memory.
constexpr std::uint64_t kUnitsPerCrossing = 512;
constexpr std::uint64_t kUnitsPerMending = 64;  // of pieces that may have to be mended

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
// one is a node already. Returns false if `work` is over, as the functions below do.
bool CarveNodes::cross_lines(std::uint32_t one, std::uint32_t other, WorkMeter* work) {
  const Line& s = lines_[one];
  const Line& t = lines_[other];
  LatticePoint at;
  if (!cross(s.a, s.b, t.a, t.b, &at)) return true;
  const bool on_base = s.ring == kBaseRing;
  if (!work->spend(kUnitsPerCrossing + (on_base ? forced_.size() : 0))) return false;
  if (on_base)
    for (const Forced& f : forced_)
      if (f.line == other && (f.at == s.a || f.at == s.b) && is_near(f.at, at, kCarveAttraction)) {
        doubtful_ = doubtful_ || f.at != at;
        return true;
      }
  hot_.push_back({at, on_base ? s.edge : kAll});
  return true;
}

bool CarveNodes::cross_rings(const Ring& one, const Ring& other, WorkMeter* work) {
  if (!one.bounds.meets(other.bounds)) return true;
  if (!work->spend(one.end - one.first)) return false;
  for (std::uint32_t i = one.first; i < one.end; ++i) {
    const LatticeBox bounds = bounds_of(lines_[i].a, lines_[i].b);
    if (!bounds.meets(other.bounds)) continue;
    if (!work->spend(other.end - other.first)) return false;
    for (std::uint32_t k = other.first; k < other.end; ++k)
      if (bounds.meets(bounds_of(lines_[k].a, lines_[k].b)) && !cross_lines(i, k, work))
        return false;
  }
  return true;
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

// Collects in on_line_ the nodes of a line, unordered and some twice, without its ends. Returns the
// work.
std::uint64_t CarveNodes::collect_nodes(std::uint32_t line, bool all_nodes) {
  const Line& l = lines_[line];
  std::uint64_t units = forced_.size();
  on_line_.clear();
  const auto add = [this, &l](LatticePoint p) {
    if (p != l.a && p != l.b) on_line_.push_back(p);
  };
  const PixelTest pixel(l.a, l.b);
  const LatticePoint least{std::min(l.a.x, l.b.x), std::numeric_limits<std::int32_t>::min()};
  const std::int32_t x1 = std::max(l.a.x, l.b.x);
  if (all_nodes || l.ring != kBaseRing) {
    for (auto p = std::ranges::lower_bound(points_, least); p != points_.end() && p->x <= x1;
         ++p, ++units)
      if (pixel.meets(*p)) add(*p);
  } else {
    for (auto h = std::ranges::lower_bound(hot_, least, {}, &Hot::at);
         h != hot_.end() && h->at.x <= x1; ++h, ++units) {
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
  return units;
}

// Cuts the line into pieces at its nodes. `end`: the node at which it ends.
bool CarveNodes::cut(std::uint32_t line, std::uint32_t end, bool all_nodes, WorkMeter* work) {
  if (!work->spend(collect_nodes(line, all_nodes))) return false;
  const Line& l = lines_[line];
  std::ranges::sort(on_line_, [&l](LatticePoint p, LatticePoint q) {
    return std::pair(along_line(l.a, l.b, p), p) < std::pair(along_line(l.a, l.b, q), q);
  });
  on_line_.erase(std::unique(on_line_.begin(), on_line_.end()), on_line_.end());
  std::uint32_t from = starts_[line];
  for (const LatticePoint p : on_line_) {
    const std::uint32_t to = node_at(p);
    pieces_.push_back({from, to, l.ring, l.edge});
    from = to;
  }
  pieces_.push_back({from, end, l.ring, l.edge});
  return true;
}

std::uint32_t CarveNodes::node_at(LatticePoint p) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(points_, p) - points_.begin());
}

bool CarveNodes::make(bool attract, WorkMeter* work) {
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
  if (!work->spend(lines_.size() * corners)) return false;
  if (attract) attract_lines();
  for (std::size_t one = 0; one < rings_.size(); ++one) {
    if (!work->spend(rings_.size() - one)) return false;
    for (std::size_t other = one + 1; other < rings_.size(); ++other)
      if (!cross_rings(rings_[one], rings_[other], work)) return false;
  }
  std::ranges::sort(hot_);
  for (const Hot& h : hot_)
    if (points_.empty() || points_.back() != h.at) points_.push_back(h.at);
  starts_.clear();
  for (const Line& l : lines_) starts_.push_back(node_at(l.a));
  for (const Ring& ring : rings_)
    for (std::uint32_t line = ring.first; line < ring.end; ++line)
      if (!cut(line, starts_[line + 1 == ring.end ? ring.first : line + 1], !attract, work))
        return false;
  return true;
}

bool CarveNodes::find(std::span<const LatticePoint> cell,
                      std::span<const std::span<const LatticePoint>> rings, WorkMeter* work) {
  lines_.clear();
  rings_.clear();
  add_ring(cell, kBaseRing);
  for (std::size_t i = 0; i < rings.size(); ++i) add_ring(rings[i], static_cast<std::uint32_t>(i));
  return make(true, work);
}

bool CarveNodes::plain(WorkMeter* work) { return make(false, work); }

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

// Notes the pairs of a piece that was led elsewhere, of those that the round comes to after
// `after`.
void CarveNodes::find_again(std::uint32_t piece, Pair after) {
  boxes_[piece] = bounds_of_piece(piece);
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    const Pair pair = std::minmax(i, piece, std::greater<>());
    if (i != piece && pair > after && boxes_[i].meets(boxes_[piece])) pairs_.insert(pair);
  }
}

// Mends the pairs in order, first by the greater place. Pieces that are made on the way wait for
// the next round.
bool CarveNodes::mend_once(bool* crossed, WorkMeter* work) {
  *crossed = false;
  const std::size_t size = pieces_.size();
  boxes_.clear();
  pairs_.clear();
  for (std::size_t i = 0; i < size; ++i) boxes_.push_back(bounds_of_piece(i));
  const auto note = [&](std::uint32_t i, std::uint32_t k) {
    if (!work->spend(kUnitsPerMending)) return false;
    pairs_.insert(std::minmax(i, k, std::greater<>()));
    return true;
  };
  if (!sweep_.run(boxes_, work, note)) return false;
  while (!pairs_.empty()) {
    const Pair pair = *pairs_.begin();
    pairs_.erase(pairs_.begin());
    const std::size_t before = pieces_.size();
    if (!mend_pair(pair.first, pair.second)) return false;
    if (pieces_.size() == before) continue;
    *crossed = true;
    if (!work->spend(2 * size)) return false;
    find_again(pair.first, pair);
    find_again(pair.second, pair);
  }
  return true;
}

bool CarveNodes::mend(WorkMeter* work) {
  constexpr int kRounds = 8;
  bool crossed = true;
  for (int round = 0; round < kRounds && crossed; ++round)
    if (!mend_once(&crossed, work)) return false;
  // Nodes on obstacles' pieces cut them, with nothing moved.
  for (std::size_t i = 0; i < pieces_.size() && !crossed; ++i) {
    const auto low = [&] { return std::min(pieces_[i].from, pieces_[i].to); };
    const auto high = [&] { return std::max(pieces_[i].from, pieces_[i].to); };
    if (!work->spend(high() - low())) return false;
    for (std::uint32_t n = low() + 1; n < high(); ++n)
      if (pieces_[i].ring != kBaseRing &&
          turn(points_[pieces_[i].from], points_[pieces_[i].to], points_[n]) == 0)
        lead_through(i, n);
  }
  return !crossed;
}

}  // namespace repath

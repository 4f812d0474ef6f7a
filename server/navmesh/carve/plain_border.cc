#include "navmesh/carve/plain_border.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace repath {
namespace {

constexpr std::uint32_t kNoPiece = ~std::uint32_t{0};

// Lattice steps: cuts of a line that are nearer might be in another order before they were rounded.
constexpr std::int32_t kCutsApart = 4;

// |turn(a, b, p)| is this times how far p is off the line in x and z together.
std::int64_t reach_of(LatticePoint a, LatticePoint b) {
  return std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.z} - a.z);
}

bool are_apart(LatticePoint a, LatticePoint b) {
  return std::abs(a.x - b.x) >= kCutsApart || std::abs(a.z - b.z) >= kCutsApart;
}

}  // namespace

void PlainBorder::add_ring(std::span<const LatticePoint> ring, std::uint32_t number) {
  const auto first = static_cast<std::uint32_t>(lines_.size());
  const auto count = static_cast<std::uint32_t>(ring.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_last = i + 1 == count;
    const LatticePoint a = ring[i];
    const LatticePoint b = ring[is_last ? 0 : i + 1];
    lines_.push_back({a, b, bounds_of(a, b), {number, i}, is_last ? first : first + i + 1});
    nodes_.push_back({a, first + i, i == 0 ? first + count - 1 : first + i - 1});
  }
  rings_.push_back({first, first + count, bounds_of(ring), number == kBaseRing, 0});
}

// Notes where the line crosses the ring. Returns false if they touch, or nearly: a corner of the
// ring is within a step of the line.
bool PlainBorder::cross_line(std::uint32_t line, const Ring& other, bool is_of_cell,
                             bool is_other_cell) {
  const Line& s = lines_[line];
  const std::int64_t reach = reach_of(s.a, s.b);
  std::int64_t before = turn(s.a, s.b, lines_[other.end - 1].a);
  for (std::uint32_t i = other.first, last = other.end - 1; i < other.end; last = i++) {
    const Line& t = lines_[last];
    const std::int64_t begins = before;
    const std::int64_t ends = before = turn(s.a, s.b, lines_[i].a);
    if (std::abs(ends) <= reach && s.bounds.holds(t.b)) return false;
    if (ends == 0 && begins == 0) return false;
    if (!are_opposite(begins, ends)) continue;
    const std::int64_t from_a = turn(t.a, t.b, s.a);
    const std::int64_t from_b = turn(t.a, t.b, s.b);
    if ((from_a == 0 && t.bounds.holds(s.a)) || (from_b == 0 && t.bounds.holds(s.b))) return false;
    if (!are_opposite(from_a, from_b)) continue;
    const LatticePoint at = rounded_crossing(s.a, s.b, from_a, from_b);
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({at, line, last});
    cuts_.push_back({line, node, along_line(s.a, s.b, at), is_other_cell, from_b > 0});
    cuts_.push_back({last, node, along_line(t.a, t.b, at), is_of_cell, ends > 0});
  }
  return true;
}

// Notes whether the first corner of the ring lies in the other one.
void PlainBorder::place_in(Ring* ring, const Ring& other) const {
  const LatticePoint p = lines_[ring->first].a;
  if (!other.bounds.holds(p)) return;
  for (std::uint32_t i = other.first; i < other.end; ++i)
    if (turn(lines_[i].a, lines_[i].b, p) < 0) return;
  if (other.first == 0) {
    ring->is_in_cell = true;
  } else {
    ++ring->covers;
  }
}

// Returns whether the ring is so thin that a corner is within two steps of a line that is not its
// own. Only the next corners along the ring are tested, because they are the nearest ones to a
// line.
bool PlainBorder::touches_itself(const Ring& ring) const {
  for (std::uint32_t i = ring.first; i < ring.end; ++i) {
    const Line& line = lines_[i];
    const std::int64_t reach = 2 * reach_of(line.a, line.b);
    const LatticePoint before = lines_[i == ring.first ? ring.end - 1 : i - 1].a;
    for (const LatticePoint p : {before, lines_[line.end].b})
      if (line.bounds.holds(p) && std::abs(turn(line.a, line.b, p)) <= reach) return true;
  }
  return false;
}

// Returns whether lines of one ring come within a step of corners of the other; within
// kCarveAttraction if that is the cell. Returns true if `work` is over.
bool PlainBorder::comes_near(const Ring& corners, const Ring& lines, WorkMeter* work) const {
  const std::int32_t far = corners.first == 0 ? kCarveAttraction : 1;
  const LatticeBox around = lines.bounds.grown(far);
  for (std::uint32_t corner = corners.first; corner < corners.end; ++corner) {
    const LatticePoint at = lines_[corner].a;
    if (!around.holds(at)) continue;
    if (!work->spend(lines.end - lines.first)) return true;
    for (std::uint32_t i = lines.first; i < lines.end; ++i)
      if (meets_square(lines_[i].a, lines_[i].b, at, far)) return true;
  }
  return false;
}

// Returns whether a line meets the pixel of a crossing that it has no part in, or `work` is over.
bool PlainBorder::passes_crossing(WorkMeter* work) const {
  for (std::size_t n = lines_.size(); n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (!work->spend(rings_.size())) return true;
    for (const Ring& ring : rings_) {
      if (!ring.bounds.holds(node.at)) continue;
      if (!work->spend(ring.end - ring.first)) return true;
      for (std::uint32_t l = ring.first; l < ring.end; ++l)
        if (lines_[l].bounds.holds(node.at) && node.one != l && node.other != l &&
            PixelTest(lines_[l].a, lines_[l].b).meets(node.at))
          return true;
    }
  }
  return false;
}

// Notes where two rings cross, and whether one lies in the other. Returns false if they touch, or
// nearly, or if `work` is over.
bool PlainBorder::meet(Ring* one, Ring* other, WorkMeter* work) {
  if (!work->spend(1 + one->end - one->first) || comes_near(*one, *other, work)) return false;
  if (!one->bounds.meets(other->bounds)) return true;
  for (std::uint32_t line = one->first; line < one->end; ++line)
    if (lines_[line].bounds.meets(other->bounds) &&
        (!work->spend(other->end - other->first) ||
         !cross_line(line, *other, one->first == 0, other->first == 0)))
      return false;
  place_in(one, *other);
  place_in(other, *one);
  return true;
}

bool PlainBorder::meet_all(WorkMeter* work) {
  for (std::size_t one = 0; one < rings_.size(); ++one)
    for (std::size_t other = one + 1; other < rings_.size(); ++other)
      if (!meet(&rings_[one], &rings_[other], work)) return false;
  return true;
}

// Adds a piece of the border: the cell's own pieces lead along its edges, those of obstacles back.
// Returns false if two pieces begin at one node.
bool PlainBorder::add_piece(std::uint32_t from, std::uint32_t to, std::uint32_t line) {
  if (line >= rings_[0].end) std::swap(from, to);
  if (out_[from] != kNoPiece) return false;
  out_[from] = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back({from, to, lines_[line].source});
  return true;
}

// Finds the pieces of a ring that belong to the border. `*cut`: at first the first cut of the
// ring's first line; afterwards one past the last cut of its last line. Returns false if the border
// is not plain.
bool PlainBorder::follow(const Ring& ring, std::size_t* cut) {
  bool is_in_cell = ring.is_in_cell;
  std::int32_t covers = ring.covers;
  for (std::uint32_t line = ring.first; line < ring.end; ++line) {
    std::uint32_t from = line;
    for (; *cut < cuts_.size() && cuts_[*cut].line == line; ++*cut) {
      const Cut& at = cuts_[*cut];
      if (!are_apart(nodes_[from].at, nodes_[at.node].at)) return false;
      if (is_in_cell && covers == 0 && !add_piece(from, at.node, line)) return false;
      if (at.is_of_cell) {
        is_in_cell = at.enters;
      } else {
        covers += at.enters ? 1 : -1;
      }
      from = at.node;
    }
    const std::uint32_t end = lines_[line].end;
    if (from != line && !are_apart(nodes_[from].at, nodes_[end].at)) return false;
    if (is_in_cell && covers == 0 && !add_piece(from, end, line)) return false;
  }
  return is_in_cell == ring.is_in_cell && covers == ring.covers;
}

// Follows the border from a piece until it closes. Returns false if it does not.
bool PlainBorder::trace(std::uint32_t first) {
  std::uint32_t at = first;
  do {
    Piece& piece = pieces_[at];
    if (piece.is_traced) return false;
    piece.is_traced = true;
    points_.push_back(nodes_[piece.from].at);
    sources_.push_back(piece.source);
    at = out_[piece.to];
    if (at == kNoPiece) return false;
  } while (at != first);
  loop_ends_.push_back(static_cast<std::uint32_t>(points_.size()));
  return true;
}

// Loops begin with their least piece, by its lesser end, then by its greater; the least first.
bool PlainBorder::trace_all(WorkMeter* work) {
  points_.clear();
  loop_ends_.clear();
  sources_.clear();
  const auto key = [this](const Piece& piece) {
    return std::minmax(nodes_[piece.from].at, nodes_[piece.to].at);
  };
  while (points_.size() < pieces_.size()) {
    if (!work->spend(pieces_.size())) return false;
    std::uint32_t least = kNoPiece;
    for (std::uint32_t i = 0; i < pieces_.size(); ++i)
      if (!pieces_[i].is_traced && (least == kNoPiece || key(pieces_[i]) < key(pieces_[least])))
        least = i;
    if (least == kNoPiece || !trace(least)) return false;
  }
  return true;
}

bool PlainBorder::find(std::span<const LatticePoint> cell,
                       std::span<const std::span<const LatticePoint>> rings,
                       std::span<const std::uint32_t> near, WorkMeter* work) {
  lines_.clear();
  rings_.clear();
  nodes_.clear();
  cuts_.clear();
  pieces_.clear();
  add_ring(cell, kBaseRing);
  for (const std::uint32_t i : near) add_ring(rings[i], i);
  for (const Ring& ring : rings_)
    if (touches_itself(ring)) return false;
  if (!meet_all(work) || passes_crossing(work)) return false;
  std::ranges::sort(cuts_, [](const Cut& p, const Cut& q) {
    return p.line != q.line ? p.line < q.line : p.along < q.along;
  });
  out_.assign(nodes_.size(), kNoPiece);
  std::size_t cut = 0;
  for (const Ring& ring : rings_)
    if (!follow(ring, &cut)) return false;
  return trace_all(work);
}

}  // namespace repath

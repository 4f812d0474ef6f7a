#include "navmesh/carve/carve_border.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace repath {
namespace {

// Order of directions counterclockwise, from just after straight down.
bool turns_before(LatticePoint at, LatticePoint p, LatticePoint q) {
  const auto is_right = [at](LatticePoint to) { return to > at; };
  if (is_right(p) != is_right(q)) return is_right(p);
  return turn(at, p, q) > 0;
}

bool is_before(BorderSource a, BorderSource b) {
  return a.ring != b.ring ? a.ring < b.ring : a.edge < b.edge;
}

}  // namespace

void CarveBorder::merge_pieces() {
  const std::vector<EdgePiece>& pieces = nodes_.pieces();
  order_.clear();
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    const auto [low, high] = std::minmax(pieces[i].from, pieces[i].to);
    order_.push_back({std::uint64_t{low} << 32 | high, i});
  }
  std::ranges::sort(order_);
  links_.clear();
  steps_.clear();
  for (const auto& [nodes, i] : order_) {
    const EdgePiece& piece = pieces[i];
    const auto [low, high] = std::minmax(piece.from, piece.to);
    if (links_.empty() || links_.back().low != low || links_.back().high != high) {
      links_.push_back({low, high, {}, {kNoRing, 0}, {kNoRing, 0}});
      steps_.resize(links_.size() * words_, 0);
    }
    Link& link = links_.back();
    const std::int32_t step = piece.from == low ? 1 : -1;
    const BorderSource source{piece.ring, piece.edge};
    if (piece.ring == kBaseRing) {
      link.step.base += step;
      if (link.base.ring == kNoRing) link.base = source;
    } else if (words_ > 0 && soft_of_[piece.ring] != kNoRing) {
      const std::uint32_t soft = soft_of_[piece.ring];
      steps_[(links_.size() - 1) * words_ + soft / 64] ^= std::uint64_t{1} << soft % 64;
    } else {
      link.step.obstacles += step;
      if (link.obstacle.ring == kNoRing || is_before(source, link.obstacle)) link.obstacle = source;
    }
  }
}

bool CarveBorder::is_planar(WorkMeter* work) {
  return planarity_.test<Link>(nodes_.points(), links_, work);
}

void CarveBorder::sort_around_nodes() {
  around_end_.assign(nodes_.points().size() + 1, 0);
  for (std::uint32_t half = 0; half < 2 * links_.size(); ++half) ++around_end_[origin(half) + 1];
  for (std::size_t n = 1; n < around_end_.size(); ++n) around_end_[n] += around_end_[n - 1];
  around_.resize(2 * links_.size());
  place_.resize(2 * links_.size());
  // Fills each node's range from its begin; around_end_[n] ends as where node n's range ends.
  for (std::uint32_t half = 0; half < 2 * links_.size(); ++half)
    around_[around_end_[origin(half)]++] = half;
  std::uint32_t begin = 0;
  for (std::uint32_t n = 0; n < nodes_.points().size(); ++n) {
    const std::uint32_t end = around_end_[n];
    std::sort(around_.begin() + begin, around_.begin() + end,
              [this, n](std::uint32_t g, std::uint32_t h) {
                return turns_before(at(n), at(origin(g ^ 1u)), at(origin(h ^ 1u)));
              });
    for (std::uint32_t i = begin; i < end; ++i) place_[around_[i]] = i;
    begin = end;
  }
}

// Counts the depth just left of a node without links to its left. That is the depth of the left
// side of `half`. It is counted along a ray from there to the left, a little up.
void CarveBorder::count_left_of(std::uint32_t node, std::uint32_t half) {
  const LatticePoint p = at(node);
  Depth depth;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const LatticePoint a = at(link.low);
    const LatticePoint b = at(link.high);
    if (a.x >= p.x) break;  // links are by their lesser node
    if ((a.z <= p.z) == (b.z <= p.z)) continue;
    const bool rises = a.z < b.z;
    const std::int64_t side = rises ? turn(a, b, p) : turn(b, a, p);
    if (side >= 0) continue;  // not to the left of p
    depth.base -= rises ? link.step.base : -link.step.base;
    depth.obstacles -= rises ? link.step.obstacles : -link.step.obstacles;
    cross_cover(half, half, i);
  }
  left_[half] = depth;
}

void CarveBorder::set_soft(std::size_t rings, std::span<const SoftRing> soft) {
  words_ = (soft.size() + 63) / 64;
  if (words_ == 0) return;
  soft_of_.assign(rings, kNoRing);
  for (std::uint32_t i = 0; i < soft.size(); ++i) soft_of_[soft[i].ring] = i;
}

void CarveBorder::cross_cover(std::uint32_t to, std::uint32_t from, std::size_t link) {
  for (std::size_t w = 0; w < words_; ++w)
    cover_[to * words_ + w] = cover_[from * words_ + w] ^ steps_[link * words_ + w];
}

void CarveBorder::copy_cover(std::uint32_t to, std::uint32_t from) {
  for (std::size_t w = 0; w < words_; ++w) cover_[to * words_ + w] = cover_[from * words_ + w];
}

// Spreads the depth from a half whose left side is known to all halves that hang together with it.
void CarveBorder::spread_depth(std::uint32_t first) {
  stack_.push_back(first);
  while (!stack_.empty()) {
    const std::uint32_t half = stack_.back();
    stack_.pop_back();
    const std::uint32_t twin = half ^ 1u;
    if (!known_[twin]) {
      const Depth step = links_[half >> 1].step;
      const std::int32_t sign = (half & 1u) != 0 ? -1 : 1;
      left_[twin] = {left_[half].base - sign * step.base,
                     left_[half].obstacles - sign * step.obstacles};
      cross_cover(twin, half, half >> 1);
      known_[twin] = true;
      stack_.push_back(twin);
    }
    // The next half counterclockwise has this one's left side to its right.
    const std::uint32_t n = origin(half);
    const std::uint32_t begin = n == 0 ? 0 : around_end_[n - 1];
    const std::uint32_t next = place_[half] + 1 == around_end_[n] ? begin : place_[half] + 1;
    const std::uint32_t other = around_[next] ^ 1u;
    if (!known_[other]) {
      left_[other] = left_[half];
      copy_cover(other, half);
      known_[other] = true;
      stack_.push_back(other);
    }
  }
}

bool CarveBorder::find_depths(WorkMeter* work) {
  if (!work->spend(links_.size() * (1 + 2 * words_))) return false;
  left_.assign(2 * links_.size(), {});
  known_.assign(2 * links_.size(), false);
  cover_.assign(2 * links_.size() * words_, 0);
  std::uint32_t begin = 0;
  for (std::uint32_t n = 0; n < nodes_.points().size(); ++n) {
    const std::uint32_t end = around_end_[n];
    if (begin != end && !known_[around_[begin]]) {
      // The first node of a part that hangs together: all its halves lead right or up.
      if (!work->spend(links_.size())) return false;
      count_left_of(n, around_[end - 1]);
      known_[around_[end - 1]] = true;
      spread_depth(around_[end - 1]);
    }
    begin = end;
  }
  return true;
}

// Only free sides have a kind of ground.
bool CarveBorder::find_grounds(std::span<const SoftRing> soft, WorkMeter* work) {
  grounds_.assign(1, {});
  if (words_ == 0) return true;
  ground_.assign(2 * links_.size(), 0);
  for (std::uint32_t half = 0; half < ground_.size(); ++half) {
    if (!left_[half].is_free()) continue;
    if (!work->spend(soft.size() + grounds_.size())) return false;
    ground_[half] = ground_under(half, soft);
  }
  return work->spend(grounds_.size() * ground_.size());  // to trace each
}

std::uint32_t CarveBorder::ground_under(std::uint32_t half, std::span<const SoftRing> soft) {
  FragmentGround ground;
  const SoftRing* last = nullptr;
  for (std::uint32_t i = 0; i < soft.size(); ++i) {
    if ((cover_[half * words_ + i / 64] >> i % 64 & 1) == 0) continue;
    if (last == nullptr || last->obstacle != soft[i].obstacle) ground.put(soft[i].effect);
    last = &soft[i];
  }
  const auto known = std::ranges::find(grounds_, ground);
  const auto place = static_cast<std::uint32_t>(known - grounds_.begin());
  if (known == grounds_.end()) grounds_.push_back(ground);
  return place;
}

BorderSource CarveBorder::source_of(std::uint32_t half) const {
  if (left_[half ^ 1u].is_free()) return {kSeamRing, 0};
  const Link& link = links_[half >> 1];
  const bool is_open = link.base.ring == kBaseRing && left_[half ^ 1u].obstacles == 0;
  return is_open ? link.base : link.obstacle;
}

void CarveBorder::trace(std::uint32_t ground) {
  points_.clear();
  loop_ends_.clear();
  sources_.clear();
  known_.assign(2 * links_.size(), false);  // traced
  for (std::uint32_t first = 0; first < 2 * links_.size(); ++first) {
    if (known_[first] || !is_border(first)) continue;
    if (words_ > 0 && ground_[first] != ground) continue;
    std::uint32_t half = first;
    do {
      REPATH_CHECK(!known_[half]);
      known_[half] = true;
      points_.push_back(at(origin(half)));
      sources_.push_back(source_of(half));
      // Clockwise from where it came: the first border edge, so that it goes round the same ground.
      const std::uint32_t twin = half ^ 1u;
      const std::uint32_t n = origin(twin);
      const std::uint32_t begin = n == 0 ? 0 : around_end_[n - 1];
      std::uint32_t place = place_[twin];
      do {
        place = place == begin ? around_end_[n] - 1 : place - 1;
        REPATH_CHECK(place != place_[twin]);  // its own far side is free, so some edge ends that
      } while (!is_border(around_[place]));
      half = around_[place];
    } while (half != first);
    loop_ends_.push_back(static_cast<std::uint32_t>(points_.size()));
  }
}

// Finds links that meet at nodes only.
bool CarveBorder::arrange(WorkMeter* work) {
  merge_pieces();
  if (!nodes_.is_doubtful() || is_planar(work)) return true;
  const bool mended = nodes_.mend(work);
  merge_pieces();
  if (mended && is_planar(work)) return true;
  if (work->is_over() || !nodes_.plain(work)) return false;
  merge_pieces();
  return true;
}

bool CarveBorder::find(std::span<const LatticePoint> cell,
                       std::span<const std::span<const LatticePoint>> rings,
                       std::span<const SoftRing> soft, WorkMeter* work) {
  set_soft(rings.size(), soft);
  if (!nodes_.find(cell, rings, work)) return false;
  if (!work->spend(nodes_.pieces().size() * words_)) return false;  // for steps_
  if (!arrange(work)) return false;
  sort_around_nodes();
  return find_depths(work) && find_grounds(soft, work);
}

}  // namespace repath

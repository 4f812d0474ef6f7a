#include "search/classic/pair_table.h"

#include <algorithm>

#include "base/check.h"

// Stands before a loop over rows that are the same or do not overlap.
#ifdef __clang__
#define REPATH_ROWS_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define REPATH_ROWS_APART _Pragma("GCC ivdep")
#endif

namespace repath {
namespace {

constexpr std::uint32_t kSide = PairTable::kSide;

// Twice this value still fits, so that sums need no check. Sums with negative costs take it down to
// no less than half of it, and costs stay below a quarter of it.
template <class Value>
constexpr Value kFar = std::numeric_limits<Value>::max() / 2;
template <class Value>
constexpr Value kFarLeast = kFar<Value> / 2;

// Lowers c[i][j] to the least a[i][k] + b[k][j]. Two of the tiles may be one, if the third is the
// closed tile of the diagonal: then it does not matter whether a value is read before it is lowered
// or after.
template <class Value>
[[gnu::always_inline]] inline void relax_tile(Value* c, const Value* a, const Value* b) {
  for (std::uint32_t i = 0; i < kSide; ++i, c += kSide, a += kSide) {
    const Value* row = b;
    for (std::uint32_t k = 0; k < kSide; k += 4, row += std::size_t{4} * kSide) {
      const Value to0 = a[k];
      const Value to1 = a[k + 1];
      const Value to2 = a[k + 2];
      const Value to3 = a[k + 3];
      REPATH_ROWS_APART
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const Value by0 = to0 + row[j];
        const Value by1 = to1 + row[kSide + j];
        const Value by2 = to2 + row[2 * kSide + j];
        const Value by3 = to3 + row[3 * kSide + j];
        const Value by01 = by0 < by1 ? by0 : by1;
        const Value by23 = by2 < by3 ? by2 : by3;
        const Value least = by01 < by23 ? by01 : by23;
        c[j] = least < c[j] ? least : c[j];
      }
    }
  }
}

// Lowers all pairs of a tile of the diagonal by paths within it.
template <class Value>
[[gnu::always_inline]] inline void close_tile(Value* tile) {
  for (std::uint32_t k = 0; k < kSide; ++k) {
    const Value* const row = tile + std::size_t{k} * kSide;
    for (std::uint32_t i = 0; i < kSide; ++i) {
      Value* const c = tile + std::size_t{i} * kSide;
      const Value to_k = c[k];
      REPATH_ROWS_APART
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const Value by = to_k + row[j];
        c[j] = by < c[j] ? by : c[j];
      }
    }
  }
}

// Relaxes one strip. `own` is the strip of the round, of as many tiles as a round has strips. The
// tile on the diagonal, or the one in its column, has to be done before the others.
template <class Value>
[[gnu::always_inline]] inline void relax_tiles(Value* strip, const Value* own, std::uint32_t round,
                                               std::uint32_t tiles) {
  constexpr std::size_t kTile = std::size_t{kSide} * kSide;
  Value* const first = strip + round * kTile;
  const Value* const diagonal = own + round * kTile;
  if (strip == own) {
    close_tile(first);
  } else {
    relax_tile(first, first, diagonal);
  }
  for (std::uint32_t t = 0; t < tiles; ++t)
    if (t != round) relax_tile(strip + t * kTile, first, own + t * kTile);
}

template <class Value>
void relax_anywhere(Value* strip, const Value* own, std::uint32_t round, std::uint32_t tiles) {
  relax_tiles(strip, own, round, tiles);
}

#if defined(__x86_64__)
// The same for processors with AVX2, where the compiler makes 8 or 4 sums at once of the loops.
template <class Value>
[[gnu::target("avx2")]] void relax_by_avx2(Value* strip, const Value* own, std::uint32_t round,
                                           std::uint32_t tiles) {
  relax_tiles(strip, own, round, tiles);
}
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
template <class Value>
void relax_by_avx2(Value* strip, const Value* own, std::uint32_t round, std::uint32_t tiles) {
  relax_tiles(strip, own, round, tiles);
}
constexpr bool has_avx2() { return false; }
#endif

template <class Value>
void relax(Value* strip, const Value* own, std::uint32_t round, std::uint32_t tiles) {
  return has_avx2() ? relax_by_avx2(strip, own, round, tiles)
                    : relax_anywhere(strip, own, round, tiles);
}

std::uint64_t strips_for(std::uint64_t nodes) { return (nodes + kSide - 1) / kSide; }

}  // namespace

std::int64_t PairTable::cost_max(Width width) {
  return width == Width::k32 ? kFarLeast<std::int32_t> / 2 : kFarLeast<std::int64_t> / 2;
}

std::uint64_t PairTable::bytes_for(std::uint64_t nodes, Width width) {
  const std::uint64_t strips = strips_for(nodes);
  return strips * strips * kTile *
         (width == Width::k32 ? sizeof(std::int32_t) : sizeof(std::int64_t));
}

PairTable::PairTable(std::uint32_t nodes, Width width)
    : nodes_(nodes), strips_(static_cast<std::uint32_t>(strips_for(nodes))) {
  const std::size_t pairs = std::size_t{strips_} * strips_ * kTile;
  if (width == Width::k32) {
    narrow_.assign(pairs, kFar<std::int32_t>);
  } else {
    wide_.assign(pairs, kFar<std::int64_t>);
  }
  // The nodes that fill up the last tile reach themselves too, but no other
  // node.
  for (std::uint32_t n = 0; n < strips_ * kSide; ++n) lower(n, n, 0);
}

void PairTable::lower(std::uint32_t from, std::uint32_t to, std::int64_t cost) {
  const std::size_t place = at(from, to);
  if (wide_.empty()) {
    narrow_[place] = std::min(narrow_[place], static_cast<std::int32_t>(cost));
  } else {
    wide_[place] = std::min(wide_[place], cost);
  }
}

std::int64_t PairTable::cost(std::uint32_t from, std::uint32_t to) const {
  const std::size_t place = at(from, to);
  if (wide_.empty()) return narrow_[place] < kFarLeast<std::int32_t> ? narrow_[place] : kNoCost;
  return wide_[place] < kFarLeast<std::int64_t> ? wide_[place] : kNoCost;
}

void PairTable::relax_strip(std::uint32_t round, std::uint32_t strip) {
  REPATH_CHECK(round < strips_ && strip < strips_);
  if (wide_.empty()) {
    relax(&narrow_[tile(strip, 0)], &narrow_[tile(round, 0)], round, strips_);
  } else {
    relax(&wide_[tile(strip, 0)], &wide_[tile(round, 0)], round, strips_);
  }
}

}  // namespace repath

// Finds which of 64 cells have a set bit within a run of columns around them, in a row of 192
// cells.
//
// Source: a run of n shifts is OR-ed together by doubling, as in L. Vincent, "Morphological
// transformations of binary images with arbitrary structuring elements", 1991: log2(n) steps
// instead of n. Pure functions, safe on any thread.
// 1. Bit x of the result is set iff one of the row's bits 64 + x + lo to 64 + x + hi is set.
#pragma once

#include <array>
#include <cstdint>

namespace repath::bits {

// The bits of a row to the left of a word, in it, and to the right of it.
using Row192 = std::array<std::uint64_t, 3>;

// REQUIRES: -64 <= lo <= hi <= 64 and hi - lo <= 64. 2 + log2(hi - lo + 1) shifts of two words.
constexpr std::uint64_t spread(const Row192& row, int lo, int hi) {
  // The result depends only on the 128 bits from bit 64 + lo on.
  const int first = 64 + lo;
  const auto word = static_cast<std::size_t>(first >> 6);
  const int shift = first & 63;
  const auto at = [&row](std::size_t i) { return i < row.size() ? row[i] : 0; };
  std::uint64_t low = at(word) >> shift;
  std::uint64_t high = at(word + 1) >> shift;
  if (shift != 0) {
    low |= at(word + 1) << (64 - shift);
    high |= at(word + 2) << (64 - shift);
  }
  const int count = hi - lo + 1;
  if (count == 65) return spread(row, lo, hi - 1) | spread(row, hi, hi);
  for (int have = 1; have < count;) {
    const int by = have <= count - have ? have : count - have;
    low |= low >> by | high << (64 - by);
    high |= high >> by;
    have += by;
  }
  return low;
}

namespace plain {

// The same function, bit by bit.
constexpr std::uint64_t spread(const Row192& row, int lo, int hi) {
  std::uint64_t out = 0;
  for (int x = 0; x < 64; ++x)
    for (int bit = 64 + x + lo; bit <= 64 + x + hi; ++bit)
      if (bit < 192 && (row[static_cast<std::size_t>(bit / 64)] >> (bit % 64) & 1) != 0)
        out |= std::uint64_t{1} << x;
  return out;
}

}  // namespace plain
}  // namespace repath::bits

// Finds the runs of set bits of a word that hold a seed.
//
// Source: P. M. Kogge, H. S. Stone, "A parallel algorithm for the efficient solution of a general
// class of recurrence equations", 1973: a prefix in log2(64) steps each way. Pure functions, safe
// on any thread.
// 1. Bit x of the result is set iff all bits of `free` from x to some seed, both included, are set.
#pragma once

#include <cstdint>

namespace repath::bits {

// Takes about 40 operations.
constexpr std::uint64_t fill_runs(std::uint64_t seeds, std::uint64_t free) {
  std::uint64_t up = seeds & free;
  std::uint64_t down = up;
  std::uint64_t open_up = free;
  std::uint64_t open_down = free;
  for (int by = 1; by < 64; by *= 2) {
    up |= open_up & (up << by);
    down |= open_down & (down >> by);
    open_up &= open_up << by;
    open_down &= open_down >> by;
  }
  return up | down;
}

namespace plain {

// The same function, bit by bit.
constexpr std::uint64_t fill_runs(std::uint64_t seeds, std::uint64_t free) {
  std::uint64_t out = seeds & free;
  for (int round = 0; round < 64; ++round) out |= (out << 1 | out >> 1) & free;
  return out;
}

}  // namespace plain
}  // namespace repath::bits

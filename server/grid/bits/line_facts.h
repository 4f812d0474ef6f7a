// Facts for an agent that goes straight along a line of cells, for 64 cells at once.
//
// Source: D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014 (block-based
// scanning). Two things are new here: stops are kept as words beside the free cells, and each word
// also records where its scans end. A line is a row or a column; `up` is the direction of rising
// bits. Pure functions, safe on any thread.
//
// A cell is a stop of a direction if a scan ends there: it is blocked, or it is a corner. An agent
// that arrives straight at a corner may have to turn, because the best path to cells beside the
// line leads through it.
// 1. kNone: a corner upwards is a free cell with a free cell beside it, where the cell beside the
//    previous cell is blocked.
// 2. kOne: a corner upwards is a free cell with a blocked cell beside it, where the next cell and
//    the cell beside that are free.
// 3. Downwards the rules are mirrored.
#pragma once

#include <bit>
#include <cstdint>

#include "grid/cells/topology.h"

namespace repath::bits {

// 64 cells of a line and the cells that follow at its two ends.
struct Strip {
  std::uint64_t word = 0;
  std::uint64_t before = 0;  // 0 or 1: the cell before bit 0
  std::uint64_t after = 0;   // 0 or 1: the cell after bit 63

  // Return words whose bit i is the cell one lower than i, and one higher.
  std::uint64_t lower() const { return word << 1 | before; }
  std::uint64_t higher() const { return word >> 1 | after << 63; }
  bool operator==(const Strip&) const = default;
};

// Returns the stops of a scan upwards or downwards, from the free cells of a line and of the lines
// on both sides.
template <bool kUp>
std::uint64_t stops(const Strip& line, const Strip& left, const Strip& right, CornerRule rule) {
  const auto ahead = [](const Strip& s) { return kUp ? s.higher() : s.lower(); };
  const auto behind = [](const Strip& s) { return kUp ? s.lower() : s.higher(); };
  const auto corners = [&](const Strip& side) {
    return rule == CornerRule::kNone ? side.word & ~behind(side)
                                     : ~side.word & ahead(side) & ahead(line);
  };
  return ~line.word | corners(left) | corners(right);
}

// Where the scans from the cells of one word end: at the first stop after the cell, if that is in
// the word. If a cell is in neither set, its scan leaves the word.
struct ScanEnds {
  std::uint64_t corner = 0;  // the scan ends at a corner
  std::uint64_t wall = 0;    // the scan ends at a blocked cell
  bool operator==(const ScanEnds&) const = default;
};

// A parallel prefix: corners spread to the cells before them, up to the previous stop.
template <bool kUp>
ScanEnds scan_ends(std::uint64_t stops, std::uint64_t free) {
  const auto back = [](std::uint64_t word, int by) { return kUp ? word >> by : word << by; };
  std::uint64_t reached = stops & free;
  std::uint64_t passes = ~stops;
  for (int step = 1; step < 64; step *= 2) {
    reached |= passes & back(reached, step);
    passes &= back(passes, step);
  }
  const std::uint64_t corner = back(reached, 1);
  const std::uint64_t leave =  // from the last stop on
      kUp ? ~std::uint64_t{0} << (63 - std::countl_zero(stops | 1))
          : ~std::uint64_t{0} >> (63 - std::countr_zero(stops | std::uint64_t{1} << 63));
  return {corner, ~(corner | leave)};
}

namespace plain {

inline bool bit(std::uint64_t word, int i) { return (word >> i & 1) != 0; }
inline bool is_free(const Strip& s, int i) {
  return i < 0 ? s.before != 0 : i > 63 ? s.after != 0 : bit(s.word, i);
}

// The same functions, cell by cell; `up` is +1 or -1.
inline std::uint64_t stops(const Strip& line, const Strip& left, const Strip& right,
                           CornerRule rule, int up) {
  std::uint64_t out = 0;
  for (int i = 0; i < 64; ++i) {
    bool stop = !is_free(line, i);
    for (const Strip* side : {&left, &right}) {
      if (rule == CornerRule::kNone)
        stop |= is_free(*side, i) && !is_free(*side, i - up);
      else
        stop |= !is_free(*side, i) && is_free(*side, i + up) && is_free(line, i + up);
    }
    out |= std::uint64_t{stop} << i;
  }
  return out;
}

inline ScanEnds scan_ends(std::uint64_t stops, std::uint64_t free, int up) {
  ScanEnds out;
  for (int i = 0; i < 64; ++i) {
    int at = i + up;
    while (at >= 0 && at < 64 && !bit(stops, at)) at += up;
    if (at < 0 || at > 63) continue;
    (bit(free, at) ? out.corner : out.wall) |= std::uint64_t{1} << i;
  }
  return out;
}

}  // namespace plain
}  // namespace repath::bits

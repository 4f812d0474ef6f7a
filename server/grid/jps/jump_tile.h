// Jump facts of one tile of 64 x 64 cells: where straight scans stop, and where diagonal runs end
// and must look aside.
//
// Source: D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014. New here are the
// facts of diagonal runs as words, which include the results of scans that start on a run. So a run
// reads three words for all its cells instead of scanning from each. Plain data; safe to read on
// any thread.
// 1. The facts depend only on the free cells of the tile and of the ring of cells around it; equal
//    cells make equal tiles. JumpMap::Beyond covers cells further away.
// 2. Bits of blocked cells are as the rules of grid/bits make them; they are never read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "grid/bits/diagonal.h"
#include "grid/bits/line_facts.h"
#include "grid/cells/cow.h"
#include "grid/cells/topology.h"

namespace repath {

// The direction of a straight scan. The first two run along rows, the last two along columns; even
// ones go upwards.
enum class Heading : std::uint8_t { kEast, kWest, kSouth, kNorth };
inline constexpr std::array<Heading, 4> kHeadings{Heading::kEast, Heading::kWest, Heading::kSouth,
                                                  Heading::kNorth};
constexpr std::size_t index(Heading h) { return static_cast<std::size_t>(h); }
constexpr bool is_up(Heading h) { return index(h) % 2 == 0; }
constexpr bool is_along_rows(Heading h) { return index(h) < 2; }

// A line with the lines on both sides. Its facts depend on these cells only.
struct StripTriple {
  bits::Strip left;  // row above, or column to the left
  bits::Strip own;
  bits::Strip right;
};
// The lines -1..64 of a tile.
using Strips = std::array<bits::Strip, 66>;

// Facts of one row or column: [0] upwards, [1] downwards.
struct LineFacts {
  std::array<std::uint64_t, 2> stops{};
  std::array<bits::ScanEnds, 2> ends{};
  bool operator==(const LineFacts&) const = default;
};
LineFacts line_facts(const StripTriple& lines, CornerRule rule);

// Facts of one row, by family; `forced` also by direction, [0] forward, [1] back.
struct StepFacts {
  std::array<std::uint64_t, 2> steps{};
  std::array<std::array<std::uint64_t, 2>, 2> forced{};
  bool operator==(const StepFacts&) const = default;
};
StepFacts step_facts(const StripTriple& rows, CornerRule rule);

struct JumpTile : CowCounted {
  // A row (bit x) or a column (bit y).
  struct Line {
    std::uint64_t free = 0;
    std::array<std::uint64_t, 2> stops{};  // [0] upwards, [1] downwards
    bool operator==(const Line&) const = default;
  };
  // The facts that a run along a diagonal reads, by row.
  struct Turn {
    // Ends of the scans from a cell: [0] along the row, [1] along the column, in the headings that
    // the run is made of.
    std::array<bits::ScanEnds, 2> ends{};
    std::uint64_t forced = 0;  // kOne only: a path that arrives by the diagonal must turn here
    bool operator==(const Turn&) const = default;
  };
  struct Diagonal {
    std::uint64_t steps = 0;
    std::array<Turn, 2> turns{};  // [0] forward, [1] back
    bool operator==(const Diagonal&) const = default;
  };
  // Results of scans that enter the tile, by line.
  struct Entry {
    std::uint64_t corner = 0;  // the scan ends at a corner in the tile
    std::uint64_t beyond = 0;  // the scan leaves the tile on the other side
    bool operator==(const Entry&) const = default;
  };

  bool operator==(const JumpTile&) const = default;

  const Line& line(Heading h, std::int32_t i) const {
    return (is_along_rows(h) ? rows : columns)[static_cast<std::size_t>(i)];
  }

  // Sets the free cells, by rows and by columns, without changing the facts.
  void set_free(const bits::Matrix& free);
  // Makes all facts. REQUIRES: the strips' words are the free cells of this tile. O(1), about 12
  // us.
  void make_facts(const Strips& strips_of_rows, const Strips& strips_of_columns, CornerRule rule);

  // Changes the facts of one line from `before` to `after`; each changed bit costs a little.
  // REQUIRES: `before` are the facts that the tile has.
  void change_line(bool is_row, std::int32_t i, const LineFacts& before, const LineFacts& after);
  void change_steps(std::int32_t y, const StepFacts& before, const StepFacts& after);

  std::array<Line, 64> rows{};
  std::array<Line, 64> columns{};
  std::array<std::array<Diagonal, 64>, 2> diagonals{};  // by family, by diagonal_of
  std::array<Entry, 4> entries{};                       // by heading

 private:
  template <Heading h>
  void change_ends(std::int32_t line, const bits::ScanEnds& before, const bits::ScanEnds& after);
  void enter(Heading h, std::int32_t line);
};

// Returns whether a run of this family and direction looks to `h`. It looks to two headings, one
// along rows and one along columns.
constexpr bool looks_to(bits::Family family, bool forward, Heading h) {
  if (!is_along_rows(h)) return is_up(h) == forward;
  return is_up(h) == ((family == bits::Family::kFalling) == forward);
}

}  // namespace repath

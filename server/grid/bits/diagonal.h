// Diagonals of a 64 x 64 tile as words, and runs along them.
//
// Both families wrap round. Word d of kFalling holds the cells with (x - y) mod 64 = d, word d of
// kRising those with (x + y) mod 64 = d; bit y stands for the cell in row y. So a diagonal that
// leaves the tile continues in the same word of the next tile, at the next bit. Pure functions,
// safe on any thread.
// 1. `forward` is the direction of rising y: to (x + 1, y + 1) in kFalling, to (x - 1, y + 1) in
//    kRising.
// 2. Bit y of a word of steps: the step forward from the cell in row y is open. So the step back
//    from that cell is bit y - 1.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "grid/bits/transpose.h"

namespace repath::bits {

enum class Family : std::uint8_t { kFalling, kRising };

constexpr std::size_t diagonal_of(Family family, int x, int y) {
  return static_cast<std::size_t>(family == Family::kFalling ? x - y : x + y) & 63u;
}

// Returns how many cells follow (x, y) on its diagonal before the tile ends.
constexpr int cells_ahead(Family family, bool forward, int x, int y) {
  const int across = (family == Family::kFalling) == forward ? 63 - x : x;
  return std::min(across, forward ? 63 - y : y);
}

// Return the number of open steps from bit y on, forward or back, within the word.
constexpr int steps_forward(std::uint64_t steps, int y) { return std::countr_one(steps >> y); }
constexpr int steps_back(std::uint64_t steps, int y) {
  return std::countl_one(steps << 1 << (63 - y));
}

// Turns a word by columns (bit x) into the word by rows of the diagonal d. `mirrored` is the word
// by columns in reverse: bit 63 - x.
constexpr std::uint64_t by_rows(Family family, std::uint64_t columns, std::uint64_t mirrored,
                                std::size_t d) {
  const int shift = static_cast<int>(d);
  return family == Family::kFalling ? std::rotr(columns, shift) : std::rotl(mirrored, shift + 1);
}

constexpr std::uint64_t mirror(std::uint64_t word) {
  std::uint64_t mask = ~std::uint64_t{0};
  for (int side = 32; side != 0; side /= 2) {
    mask ^= mask << side;
    word = (word >> side & mask) | (word & mask) << side;
  }
  return word;
}

// Turns the rows of a tile into its diagonals: rotates each row so that a diagonal becomes a
// column.
constexpr Matrix diagonals(Family family, Matrix rows) {
  for (int y = 0; y < 64; ++y) {
    std::uint64_t& row = rows[static_cast<std::size_t>(y)];
    row = family == Family::kFalling ? std::rotr(row, y) : std::rotl(row, y);
  }
  transpose(&rows);
  return rows;
}

namespace plain {

// The same functions, cell by cell.
constexpr Matrix diagonals(Family family, const Matrix& rows) {
  Matrix out{};
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      out[diagonal_of(family, x, y)] |= (rows[static_cast<std::size_t>(y)] >> x & 1) << y;
  return out;
}

constexpr std::uint64_t by_rows(Family family, std::uint64_t columns, std::size_t d) {
  std::uint64_t out = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      if (diagonal_of(family, x, y) == d) out |= (columns >> x & 1) << y;
  return out;
}

constexpr int steps(std::uint64_t steps, int y, bool forward) {
  int n = 0;
  for (int bit = forward ? y : y - 1; bit >= 0 && bit < 64; bit += forward ? 1 : -1, ++n)
    if ((steps >> bit & 1) == 0) break;
  return n;
}

}  // namespace plain
}  // namespace repath::bits

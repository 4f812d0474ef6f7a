// Transposes a 64 x 64 bit matrix in place.
//
// Source: H. S. Warren, "Hacker's Delight", section 7-3: exchanges the two blocks off the diagonal,
// for blocks of 32, 16, ... 1 bits a side. Pure functions, safe on any thread.
// 1. Bit x of word y becomes bit y of word x. Transposing twice restores the matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace repath::bits {

// Word y is row y; bit x of it is column x.
using Matrix = std::array<std::uint64_t, 64>;

// Takes 192 exchanges of words.
constexpr void transpose(Matrix* m) {
  std::uint64_t low = 0x0000'0000'FFFF'FFFFu;  // lower half of each pair of blocks
  for (std::size_t side = 32; side != 0; side >>= 1, low ^= low << side) {
    for (std::size_t first = 0; first < 64; first += 2 * side)
      for (std::size_t y = first; y < first + side; ++y) {
        const std::uint64_t changed = ((*m)[y] >> side ^ (*m)[y + side]) & low;
        (*m)[y] ^= changed << side;
        (*m)[y + side] ^= changed;
      }
  }
}

namespace plain {

// The same function, bit by bit.
constexpr void transpose(Matrix* m) {
  Matrix out{};
  for (std::size_t y = 0; y < 64; ++y)
    for (std::size_t x = 0; x < 64; ++x) out[x] |= ((*m)[y] >> x & 1) << y;
  *m = out;
}

}  // namespace plain
}  // namespace repath::bits

// The connected parts of the free cells of a stack of rows of 64 cells: the runs of each row, and a
// label for each run. Also where the labels of two neighbouring stacks meet. A band is a stack of
// 16 rows, a tile one of 64.
//
// Source: L. He, Y. Chao, K. Suzuki, "A run-based two-scan labeling algorithm", IEEE Transactions
// on Image Processing 2008. A cell finds its run by counting the starts of runs before it. Pure;
// borrows nothing. On hexagons (grid/cells/topology.h) a run also meets cells half a column off;
// stacks begin with an even row and end with an odd one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace repath {

// The rows of a stack, a word of 64 cells each; bit x is set if the cell is free.
template <std::size_t kRows>
using RunRows = std::span<const std::uint64_t, kRows>;

// A label of a stack and one of its neighbour that meet at their border.
struct Joint {
  std::uint16_t own = 0;
  std::uint16_t other = 0;
  bool operator==(const Joint&) const = default;
};

// The position of a neighbour. kCorner is below to the right; it touches the stack on hexagons
// only.
enum class StackSide : std::uint8_t { kRight, kBelow, kCorner };

// kRows: 16 or 64.
template <std::size_t kRows>
class RunLabels {
 public:
  using Rows = RunRows<kRows>;

  // Labels the runs of `rows` from 0 to count() - 1, in the order of the first run of each label.
  // `hex`: the cells are hexagons. O(runs).
  void label(Rows rows, bool hex = false);

  std::uint16_t count() const { return count_; }
  // Returns the label of a cell. REQUIRES: label() was called with these rows, and the cell is
  // free. O(1).
  std::uint16_t at(Rows rows, std::int32_t x, std::int32_t y) const {
    const std::uint64_t row = rows[static_cast<std::size_t>(y)];
    const std::uint64_t starts = row & ~(row << 1) & ~std::uint64_t{0} >> (63 - x);
    return labels_[static_cast<std::size_t>(first_[static_cast<std::size_t>(y)] - 1 +
                                            std::popcount(starts))];
  }

  // Finds where a stack meets its neighbour on that side: one joint for each stretch of the border
  // that is free on both sides; at corners of squares none. Fills `out`; its earlier contents are
  // lost.
  static void find_joints(StackSide side, bool hex, const RunLabels& own, Rows rows,
                          const RunLabels& other, Rows other_rows, std::vector<Joint>* out);

  // Returns the memory without the object itself.
  std::size_t bytes() const { return labels_.capacity() * sizeof(std::uint16_t); }

 private:
  // A stack, and its neighbour on some side.
  struct Pair {
    const RunLabels& own;
    Rows rows;
    const RunLabels& other;
    Rows other_rows;

    Joint joint(std::int32_t x, std::int32_t y, std::int32_t other_x, std::int32_t other_y) const {
      return {own.at(rows, x, y), other.at(other_rows, other_x, other_y)};
    }
  };
  static void join_right(const Pair& pair, std::vector<Joint>* out);
  static void join_right_hex(const Pair& pair, std::vector<Joint>* out);
  static void join_below(const Pair& pair, int shift, std::vector<Joint>* out);

  std::array<std::uint16_t, kRows> first_{};  // number of each row's first run
  std::vector<std::uint16_t> labels_;         // by run
  std::uint16_t count_ = 0;
};

}  // namespace repath

#include "grid/components/run_labels.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::size_t kRunsInRow = 32;  // at most

template <std::size_t kRows>
constexpr std::int32_t kLastRow = static_cast<std::int32_t>(kRows) - 1;

// Runs that belong together, by union-find with path halving. One class serves blocks of any
// height: g++ 12 merges two classes that differ only in the size of an array, and then warns about
// the bounds.
class RunSets {
 public:
  std::size_t size() const { return size_; }
  std::uint16_t add() {
    parents_[size_] = static_cast<std::uint16_t>(size_);
    return static_cast<std::uint16_t>(size_++);
  }
  std::uint16_t find(std::uint16_t run) {
    while (parents_[run] != run) run = parents_[run] = parents_[parents_[run]];
    return run;
  }
  // Unites two sets; the earlier run stands for both.
  void unite(std::uint16_t a, std::uint16_t b) {
    a = find(a);
    b = find(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  static constexpr std::size_t kRowsMax = 64;
  std::array<std::uint16_t, kRowsMax * kRunsInRow> parents_;
  std::size_t size_ = 0;
};

// Returns the bits of the run that begins at the lowest set bit of `row`.
std::uint64_t lowest_run(std::uint64_t row) {
  const std::uint64_t first = row & -row;
  return row & ~(row + first);
}

// Returns the cells of the row above that a run of row `y` touches. They are different for two runs
// of a row.
std::uint64_t touched_above(std::uint64_t run, std::size_t y, bool hex) {
  if (!hex) return run;
  return y % 2 == 0 ? run | run >> 1 : run | run << 1;
}

}  // namespace

template <std::size_t kRows>
void RunLabels<kRows>::label(Rows rows, bool hex) {
  RunSets sets;
  std::uint64_t above = 0;
  std::size_t first_above = 0;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    const std::size_t first = sets.size();
    first_[y] = static_cast<std::uint16_t>(first);
    std::uint64_t others = above;  // runs of the row above that have not been passed yet
    std::size_t other = first_above;
    for (std::uint64_t left = rows[y]; left != 0;) {
      const std::uint64_t run = lowest_run(left);
      left ^= run;
      const std::uint64_t near = touched_above(run, y, hex);
      const std::uint16_t own = sets.add();
      // Runs that end before this one begins are passed. The last run that meets it may also meet
      // the next.
      while (others != 0) {
        const std::uint64_t candidate = lowest_run(others);
        if ((candidate & near) != 0) sets.unite(own, static_cast<std::uint16_t>(other));
        if (candidate > near && std::bit_width(candidate) > std::bit_width(near)) break;
        others ^= candidate;
        ++other;
      }
    }
    above = rows[y];
    first_above = first;
  }
  count_ = 0;
  labels_.resize(sets.size());
  for (std::uint16_t run = 0; run < sets.size(); ++run) {
    const std::uint16_t root = sets.find(run);
    labels_[run] = root == run ? count_++ : labels_[root];
  }
}

template <std::size_t kRows>
void RunLabels<kRows>::find_joints(StackSide side, bool hex, const RunLabels& own, Rows rows,
                                   const RunLabels& other, Rows other_rows,
                                   std::vector<Joint>* out) {
  out->clear();
  const Pair pair{own, rows, other, other_rows};
  switch (side) {
    case StackSide::kRight:
      return hex ? join_right_hex(pair, out) : join_right(pair, out);
    case StackSide::kBelow:
      join_below(pair, 0, out);
      // The last row is odd, so its hexagons also touch those below to their right.
      if (hex) join_below(pair, 1, out);
      return;
    case StackSide::kCorner:
      if (hex && rows[kRows - 1] >> 63 != 0 && (other_rows[0] & 1) != 0)
        out->push_back(pair.joint(63, kLastRow<kRows>, 0, 0));
  }
}

template <std::size_t kRows>
void RunLabels<kRows>::join_right(const Pair& pair, std::vector<Joint>* out) {
  bool was_open = false;
  for (std::int32_t y = 0; y <= kLastRow<kRows>; ++y) {
    const auto i = static_cast<std::size_t>(y);
    const bool is_open = (pair.rows[i] >> 63 & pair.other_rows[i] & 1) != 0;
    if (is_open && !was_open) out->push_back(pair.joint(63, y, 0, y));
    was_open = is_open;
  }
}

template <std::size_t kRows>
void RunLabels<kRows>::join_right_hex(const Pair& pair, std::vector<Joint>* out) {
  for (std::int32_t y = 0; y <= kLastRow<kRows>; ++y) {
    if (pair.rows[static_cast<std::size_t>(y)] >> 63 == 0) continue;
    const std::int32_t beside = y & 1;  // an odd row also touches the rows beside it to its right
    for (std::int32_t v = y - beside; v <= std::min(y + beside, kLastRow<kRows>); ++v) {
      if ((pair.other_rows[static_cast<std::size_t>(v)] & 1) == 0) continue;
      const Joint joint = pair.joint(63, y, 0, v);
      if (out->empty() || out->back() != joint) out->push_back(joint);
    }
  }
}

// Joins the cells of the last row with those that lie `shift` to the right in the first row below.
template <std::size_t kRows>
void RunLabels<kRows>::join_below(const Pair& pair, int shift, std::vector<Joint>* out) {
  for (std::uint64_t open = pair.rows[kRows - 1] << shift & pair.other_rows[0]; open != 0;) {
    const std::uint64_t run = lowest_run(open);
    open ^= run;
    const int x = std::countr_zero(run);
    out->push_back(pair.joint(x - shift, kLastRow<kRows>, x, 0));
  }
}

template class RunLabels<16>;
template class RunLabels<64>;

}  // namespace repath

// The labels of a goal field, and a dense array of one for each NodeId.
//
// The array is like NodePages, but a read is two dependent loads without a branch, because all
// unwritten pages are one shared page. `fill()` returns all pages to a pool instead of writing
// them, so starting from scratch costs one pointer for each page; a page is filled when it is next
// written. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "search/graph.h"

namespace repath {

// A label in one word. It holds the cost and whether the label's support is in doubt. An open label
// also holds the arrival from which to hand it on (search/incremental/arrival_graph.h).
using FieldLabel = std::uint64_t;
inline constexpr int kFieldCostBits = 59;
inline constexpr FieldLabel kFieldNever =
    (FieldLabel{1} << kFieldCostBits) - 1;  // Cost of a node without a label.
inline constexpr FieldLabel kFieldSuspect = FieldLabel{1} << 63;
static_assert(kUnreachable > kFieldNever);

constexpr Cost cost_of(FieldLabel label) { return label & kFieldNever; }
constexpr bool is_open(FieldLabel label) { return (label >> kFieldCostBits & 15) != 0; }
// Returns the arrival bits of an open label. `arrival` is in [0, kFieldArrivals].
constexpr FieldLabel open_from(std::uint32_t arrival) {
  return static_cast<FieldLabel>(arrival + 1) << kFieldCostBits;
}
constexpr std::uint32_t arrival_of(FieldLabel label) {
  return static_cast<std::uint32_t>(label >> kFieldCostBits & 15) - 1;
}

class FieldPages {
 public:
  static constexpr std::uint32_t kPageNodes = 256;

  // Gives every node of [0, node_count) the value `word`. Takes 8 bytes for each 256 nodes, and one
  // page. REQUIRES: node_count <= kNodesMax.
  FieldPages(std::uint32_t node_count, std::uint64_t word)
      : blank_(std::make_unique<Page>()),
        root_((node_count + kPageNodes - 1) / kPageNodes, blank_.get()) {
    REPATH_CHECK(node_count <= kNodesMax);
    blank_->fill(word);
  }

  // REQUIRES: a valid id. The same holds for touch().
  std::uint64_t read(NodeId n) const {
    return (*root_[index(n) / kPageNodes])[index(n) % kPageNodes];
  }

  // Returns the word to write to, and takes a page for it if needed. Valid until fill().
  std::uint64_t& touch(NodeId n) {
    Page*& page = root_[index(n) / kPageNodes];
    if (page == blank_.get()) [[unlikely]]
      take(&page);
    return (*page)[index(n) % kPageNodes];
  }

  // Gives every node its first value again and keeps the memory of the pages. O(node_count / 256).
  void fill() {
    std::ranges::fill(root_, blank_.get());
    used_ = 0;
  }
  // Gives every node its first value again and frees the memory.
  void clear() {
    fill();
    pages_.clear();
    pages_.shrink_to_fit();
  }

  // Returns the memory held, in bytes.
  std::size_t bytes() const {
    return root_.capacity() * sizeof(root_[0]) + (pages_.size() + 1) * sizeof(Page) +
           pages_.capacity() * sizeof(pages_[0]);
  }

 private:
  using Page = std::array<std::uint64_t, kPageNodes>;

  void take(Page** page) {
    if (used_ == pages_.size()) pages_.push_back(std::make_unique<Page>());
    *page = pages_[used_++].get();
    **page = *blank_;
  }

  std::unique_ptr<Page> blank_;
  std::vector<Page*> root_;
  std::vector<std::unique_ptr<Page>> pages_;  // the first used_ pages are in root_
  std::size_t used_ = 0;
};

}  // namespace repath

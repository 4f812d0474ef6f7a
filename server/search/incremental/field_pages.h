// Dense array of 64-bit words over NodeId that reads the same word everywhere until it is written:
// the labels of a goal field.
//
// Like NodePages, but a read is two dependent loads and no branch (a page that was never written is
// a shared one), and fill() gives all pages back to a pool instead of writing them, so that
// starting anew costs a pointer for each page; a page is filled when it is next written. Not
// thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "search/graph.h"

namespace repath {

class FieldPages {
 public:
  static constexpr std::uint32_t kPageNodes = 256;

  // Every node of [0, node_count) reads as `word`. 8 bytes for each 256 of them, and one page.
  // REQUIRES: node_count <= kNodesMax.
  FieldPages(std::uint32_t node_count, std::uint64_t word)
      : blank_(std::make_unique<Page>()),
        root_((node_count + kPageNodes - 1) / kPageNodes, blank_.get()) {
    REPATH_CHECK(node_count <= kNodesMax);
    blank_->fill(word);
  }

  // REQUIRES: a valid id, as for touch().
  std::uint64_t read(NodeId n) const {
    return (*root_[index(n) / kPageNodes])[index(n) % kPageNodes];
  }

  // The word, to be written; takes its page if need be. Valid until fill().
  std::uint64_t& touch(NodeId n) {
    Page*& page = root_[index(n) / kPageNodes];
    if (page == blank_.get()) [[unlikely]]
      take(&page);
    return (*page)[index(n) % kPageNodes];
  }

  // Every node reads as at first again. Keeps the memory of pages. O(node_count / 256).
  void fill() {
    std::ranges::fill(root_, blank_.get());
    used_ = 0;
  }
  // The same, and gives the memory back.
  void clear() {
    fill();
    pages_.clear();
    pages_.shrink_to_fit();
  }

  // Memory held, in bytes.
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
  std::vector<std::unique_ptr<Page>> pages_;  // the first used_ are in root_
  std::size_t used_ = 0;
};

}  // namespace repath

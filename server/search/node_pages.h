// Sparse array over NodeId that takes memory in proportion to the area touched, not to the world.
//
// A node's record lies in a page of kPageNodes records with neighbouring ids. Pages are found
// through a root of chunks of page pointers; pages and chunks are allocated when first touched. In
// a row-major grid a page is a piece of one row. Short pages waste less at the rim of the touched
// area, long pages need fewer pointers; 64 was measured (docs/measurements.md). Not thread-safe.
// Invariants:
// 1. A record's address stays the same until destruction, whatever else is touched, and
//    when the array is moved.
// 2. A node that was never touched reads as T{}.
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

template <class T>
class NodePages {
 public:
  static constexpr std::uint32_t kPageNodes = 64;
  static constexpr std::uint32_t kChunkPages = 512;
  static constexpr std::uint32_t kChunkNodes = kPageNodes * kChunkPages;

  // For ids in [0, node_count). Takes 8 bytes for each 32768 ids. REQUIRES: node_count <=
  // kNodesMax.
  explicit NodePages(std::uint32_t node_count)
      : node_count_(node_count), root_((node_count + kChunkNodes - 1) / kChunkNodes) {
    REPATH_CHECK(node_count <= kNodesMax);
  }

  std::uint32_t node_count() const { return node_count_; }

  // Returns the record; a shared T{} if the node was never touched. Three dependent loads.
  // REQUIRES: a valid id.
  const T& read(NodeId n) const {
    const Chunk* chunk = root_[index(n) / kChunkNodes].get();
    if (chunk == nullptr) return kUntouched;
    const Page* page = (*chunk)[index(n) / kPageNodes % kChunkPages].get();
    if (page == nullptr) return kUntouched;
    return (*page)[index(n) % kPageNodes];
  }

  // Returns the record to write to, and allocates its page if needed. REQUIRES: a valid id.
  T& touch(NodeId n) {
    std::unique_ptr<Chunk>& chunk = root_[index(n) / kChunkNodes];
    if (chunk == nullptr) [[unlikely]]
      take_chunk(index(n) / kChunkNodes);
    std::unique_ptr<Page>& page = (*chunk)[index(n) / kPageNodes % kChunkPages];
    if (page == nullptr) [[unlikely]]
      take_page(page);
    return (*page)[index(n) % kPageNodes];
  }

  // Calls visit(NodeId, const T&) for every record of every allocated page, in ascending order of
  // ids. These include neighbours that were never touched and read as T{}.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::vector<std::uint32_t> chunks = chunks_taken_;
    std::ranges::sort(chunks);
    for (const std::uint32_t c : chunks)
      for (std::uint32_t p = 0; p < kChunkPages; ++p)
        if (const Page* page = (*root_[c])[p].get())
          for (std::uint32_t i = 0; i < kPageNodes; ++i)
            visit(NodeId{c * kChunkNodes + p * kPageNodes + i}, (*page)[i]);
  }

  // Returns the memory held, in bytes.
  std::size_t bytes() const {
    return root_.capacity() * sizeof(root_[0]) + chunks_taken_.size() * sizeof(Chunk) +
           pages_taken_ * sizeof(Page);
  }

 private:
  using Page = std::array<T, kPageNodes>;
  using Chunk = std::array<std::unique_ptr<Page>, kChunkPages>;
  static constexpr T kUntouched{};

  void take_chunk(std::uint32_t at) {
    root_[at] = std::make_unique<Chunk>();
    chunks_taken_.push_back(at);
  }
  void take_page(std::unique_ptr<Page>& page) {
    page = std::make_unique<Page>();
    ++pages_taken_;
  }

  std::uint32_t node_count_;
  std::vector<std::unique_ptr<Chunk>> root_;
  std::vector<std::uint32_t> chunks_taken_;  // in the order in which they were first touched
  std::size_t pages_taken_ = 0;
};

}  // namespace repath

// A stack for kernels with a memory limit. It grows chunk by chunk, so that elements are neither
// moved nor held twice while it grows, and the memory for the next push is known in advance.
//
// Not thread-safe. Invariant: an element stays where it is until it is popped.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace repath {

// `T` is a plain value. Popped elements are not destroyed, and chunks are kept for later.
template <class T>
class ChunkedStack {
 public:
  static constexpr std::size_t kChunk = 64;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // REQUIRES: i < size().
  T& operator[](std::size_t i) { return (*chunks_[i / kChunk])[i % kChunk]; }
  const T& operator[](std::size_t i) const { return (*chunks_[i / kChunk])[i % kChunk]; }
  // REQUIRES: !empty().
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  // O(1), except when the table of chunks doubles.
  void push_back(const T& value) {
    if (size_ == chunks_.size() * kChunk) {
      if (chunks_.size() == chunks_.capacity()) chunks_.reserve(next_capacity());
      chunks_.push_back(std::make_unique<Chunk>());
    }
    (*this)[size_++] = value;
  }
  void pop_back() { --size_; }

  // Returns the memory held, in bytes.
  std::size_t bytes() const {
    return chunks_.capacity() * sizeof(chunks_[0]) + chunks_.size() * sizeof(Chunk);
  }
  // Returns the peak memory that the next push_back() allocates, in bytes; 0 if there is room.
  std::size_t bytes_to_push() const {
    if (size_ < chunks_.size() * kChunk) return 0;
    const bool is_full = chunks_.size() == chunks_.capacity();
    return sizeof(Chunk) + (is_full ? next_capacity() * sizeof(chunks_[0]) : 0);
  }

 private:
  using Chunk = std::array<T, kChunk>;

  std::size_t next_capacity() const { return std::max<std::size_t>(8, 2 * chunks_.capacity()); }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace repath

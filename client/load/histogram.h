// A histogram in fixed memory: log-linear buckets, 64 for each power of two (as in HdrHistogram,
// Tene 2012), so that a value read back is off by less than 1/128 of itself. Values are whole
// numbers in [0, 2^36), mostly microseconds. Larger ones count as the largest, and values below 64
// are exact. 8 KiB. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repath::load {

class Histogram {
 public:
  Histogram();

  // O(1).
  void add(std::uint64_t value);
  void add_all(const Histogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }  // exact; 0 without any
  double mean() const;
  // Returns the value that a `share` of all values, in [0, 1], does not exceed; 0 if there are
  // none. O(buckets).
  double percentile(double share) const;

  // A bucket that is not empty: values in [from, to).
  struct Bucket {
    double from = 0;
    double to = 0;
    std::uint64_t count = 0;
  };
  // Ascending.
  std::vector<Bucket> buckets() const;

 private:
  static std::size_t index_of(std::uint64_t value);
  static Bucket bounds_of(std::size_t index);

  std::vector<std::uint32_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace repath::load

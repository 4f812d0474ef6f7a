#include "load/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace repath::load {
namespace {

constexpr int kBits = 6;  // 2^6 buckets for each power of two
constexpr std::uint64_t kPerOctave = std::uint64_t{1} << kBits;
constexpr int kLargestBits = 36;
constexpr std::uint64_t kLargest = (std::uint64_t{1} << kLargestBits) - 1;
constexpr std::size_t kBuckets = (kLargestBits - kBits + 1) * kPerOctave;

}  // namespace

Histogram::Histogram() : counts_(kBuckets) {}

// Returns the value itself below 64; above, its highest seven bits and how far they were shifted.
std::size_t Histogram::index_of(std::uint64_t value) {
  if (value < kPerOctave) return value;
  const int shift = static_cast<int>(std::bit_width(value)) - kBits - 1;
  return static_cast<std::size_t>(shift) * kPerOctave + (value >> shift);
}

Histogram::Bucket Histogram::bounds_of(std::size_t index) {
  if (index < kPerOctave) return {static_cast<double>(index), static_cast<double>(index + 1), 0};
  const std::size_t shift = index / kPerOctave - 1;
  const double width = std::ldexp(1, static_cast<int>(shift));
  const double from = static_cast<double>(index - shift * kPerOctave) * width;
  return {from, from + width, 0};
}

void Histogram::add(std::uint64_t value) {
  value = std::min(value, kLargest);
  ++counts_[index_of(value)];
  ++count_;
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value);
}

void Histogram::add_all(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

void Histogram::clear() {
  if (count_ == 0) return;
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  max_ = 0;
  sum_ = 0;
}

double Histogram::mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

double Histogram::percentile(double share) const {
  if (count_ == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  const std::uint64_t wanted = std::clamp<std::uint64_t>(rank, 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    if (seen < wanted) continue;
    const Bucket bucket = bounds_of(i);
    const double middle = i < kPerOctave ? bucket.from : (bucket.from + bucket.to) / 2;
    return std::min(middle, static_cast<double>(max_));
  }
  return static_cast<double>(max_);
}

std::vector<Histogram::Bucket> Histogram::buckets() const {
  std::vector<Bucket> filled;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    if (counts_[i] == 0) continue;
    filled.push_back(bounds_of(i));
    filled.back().count = counts_[i];
  }
  return filled;
}

}  // namespace repath::load

// Pseudo-random numbers that are the same sequence on every machine and with every standard
// library. Source: S. Vigna, splitmix64 (2015), public domain. Not for secrets.
#pragma once

#include <cstdint>

namespace repath {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Returns a uniform number in [0, n): the high half of a product, with a bias below n / 2^32.
  // REQUIRES: 0 < n < 2^32.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
  }

  // Returns a uniform number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace repath

// The checker's random numbers. The same seed gives the same run on every machine.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace repath::verify {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  // In [0, n). REQUIRES: n > 0; else the process ends with a message.
  int below(int n) {
    if (n <= 0) {
      std::fprintf(stderr, "repath: Dice::below(%d): there is nothing to choose from\n", n);
      std::abort();
    }
    return static_cast<int>(engine_() % static_cast<std::uint64_t>(n));
  }
  // In [low, high].
  int between(int low, int high) { return low + below(high - low + 1); }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return unit() < probability; }

  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace repath::verify

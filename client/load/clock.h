// The generator's clock: nanoseconds of the steady clock, the unit of all its times.
#pragma once

#include <chrono>
#include <cstdint>

namespace repath::load {

using Nanos = std::int64_t;

inline constexpr Nanos kSecond = 1'000'000'000;

inline Nanos now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline Nanos nanos(double seconds) {
  return static_cast<Nanos>(seconds * static_cast<double>(kSecond));
}
inline double in_seconds(Nanos nanos) { return static_cast<double>(nanos) / 1e9; }

}  // namespace repath::load

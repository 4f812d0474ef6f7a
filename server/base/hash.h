// 64-bit hashing that gives the same values on every machine. It serves state hashes and digests
// and does not resist an adversary. mix() is the splitmix64 finaliser (S. Vigna, 2015).
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace repath {

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Folds values in order: Hasher().add(a).add(b) and Hasher().add(b).add(a) have different values.
class Hasher {
 public:
  constexpr Hasher& add(std::uint64_t v) {
    state_ = mix(state_ + 0x9e3779b97f4a7c15u + mix(v));
    return *this;
  }
  // Hashes the bits, so -0.0 and 0.0 differ.
  constexpr Hasher& add(double v) { return add(std::bit_cast<std::uint64_t>(v)); }
  constexpr Hasher& add(std::string_view s) {
    add(s.size());
    for (const char c : s) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return *this;
  }
  constexpr std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace repath

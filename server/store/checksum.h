// A 64-bit checksum that finds damage on disk; the same on every machine. Eight bytes a step, with
// the finaliser of splitmix64 (S. Vigna, 2015) between. It does not resist an adversary.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hash.h"

namespace repath {

class Checksum {
 public:
  Checksum& add(std::uint64_t v) {
    state_ = mix((state_ ^ v) + 0x9e3779b97f4a7c15u);
    return *this;
  }
  // Adds the size, too, so that neighbouring fields cannot be taken for one another.
  Checksum& add(std::string_view bytes) {
    add(bytes.size());
    return add_part(bytes);
  }
  // Adds bytes of a whole that comes in parts. REQUIRES: every part but the last has a multiple of
  // eight bytes.
  Checksum& add_part(std::string_view bytes) {
    while (bytes.size() >= 8) {
      add(word(bytes.data(), 8));
      bytes.remove_prefix(8);
    }
    if (!bytes.empty()) add(word(bytes.data(), bytes.size()));
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  static std::uint64_t word(const char* bytes, std::size_t n) {
    std::uint64_t v = 0;
    std::memcpy(&v, bytes, n);
    return v;
  }
  static_assert(std::endian::native == std::endian::little, "word() reads little-endian words");

  std::uint64_t state_ = 0x5265706174682031u;
};

}  // namespace repath

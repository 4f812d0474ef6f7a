// SHA-256 (FIPS 180-4): a digest that nobody can find two inputs for. Where no adversary chooses
// the input, hash.h is faster.
//
// Not thread-safe: one object belongs to one input.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace repath {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  // Takes the next bytes of the input. About 5 ns a byte.
  Sha256& add(std::string_view bytes);
  // Returns the digest of all bytes so far. Call once, last of all.
  Digest finish();

 private:
  static constexpr std::size_t kBlock = 64;
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  std::array<unsigned char, kBlock> rest_{};  // of the input, its first `rest_size_` bytes
  std::size_t rest_size_ = 0;
  std::uint64_t bytes_ = 0;
};

inline Sha256::Digest sha256(std::string_view bytes) { return Sha256().add(bytes).finish(); }

}  // namespace repath

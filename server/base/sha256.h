// SHA-256: a digest that nobody can find two inputs for, as OpenSSL computes it. Where no adversary
// chooses the input, hash.h is faster.
//
// Not thread-safe: one object belongs to one input.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

struct evp_md_ctx_st;

namespace repath {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  Sha256();
  // Takes the next bytes of the input.
  Sha256& add(std::string_view bytes);
  // Returns the digest of all bytes so far. Call once, last of all.
  Digest finish();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> state_;
};

inline Sha256::Digest sha256(std::string_view bytes) { return Sha256().add(bytes).finish(); }

}  // namespace repath

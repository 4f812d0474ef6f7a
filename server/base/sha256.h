// SHA-256, computed by OpenSSL, for digests that must resist an adversary who chooses the input.
// Where there is no adversary, hash.h is faster.
//
// Not thread-safe: use one object for each input.
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
  // Adds the next bytes of the input.
  Sha256& add(std::string_view bytes);
  // Returns the digest of all bytes added so far. It must be the last call.
  Digest finish();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> state_;
};

inline Sha256::Digest sha256(std::string_view bytes) { return Sha256().add(bytes).finish(); }

}  // namespace repath

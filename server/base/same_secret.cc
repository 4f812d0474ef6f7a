#include "base/same_secret.h"

#include <openssl/crypto.h>

namespace repath {

bool is_same_secret(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace repath

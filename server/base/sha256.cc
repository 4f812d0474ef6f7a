#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace repath {
namespace {

// Returns the method, looked up once: the library's search for it takes twice as long as the digest
// of a short text.
const EVP_MD* sha256_method() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

}  // namespace

Sha256::Sha256() : state_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  REPATH_CHECK(state_ != nullptr && sha256_method() != nullptr &&
               EVP_DigestInit_ex(state_.get(), sha256_method(), nullptr) == 1);
}

Sha256& Sha256::add(std::string_view bytes) {
  REPATH_CHECK(EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()) == 1);
  return *this;
}

Sha256::Digest Sha256::finish() {
  Digest digest{};
  unsigned size = 0;
  REPATH_CHECK(EVP_DigestFinal_ex(state_.get(), digest.data(), &size) == 1);
  REPATH_CHECK(size == digest.size());
  return digest;
}

}  // namespace repath

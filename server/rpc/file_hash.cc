#include "rpc/file_hash.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace repath {

std::string sha256_of(std::string_view file) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  REPATH_CHECK(EVP_Digest(file.data(), file.size(), hash, &size, EVP_sha256(), nullptr) == 1);
  return {hash, hash + size};
}

}  // namespace repath

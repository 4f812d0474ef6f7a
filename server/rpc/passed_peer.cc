#include "rpc/passed_peer.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/check.h"
#include "base/same_secret.h"

namespace repath {
namespace {

constexpr std::size_t kSecretBytes = 16;

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

PassedPeer::PassedPeer() {
  std::array<std::uint8_t, kSecretBytes> random{};
  REPATH_CHECK(getrandom(random.data(), random.size(), 0) == std::ssize(random));
  for (const std::uint8_t byte : random) {
    secret_ += "0123456789abcdef"[byte >> 4];
    secret_ += "0123456789abcdef"[byte & 15];
  }
}

std::string PassedPeer::value_for(std::string_view peer) const {
  return secret_ + " " + std::string(peer);
}

std::string PassedPeer::of(const grpc::ServerContextBase& context) const {
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range(kHeader);
  if (first == last || std::next(first) != last) return "";
  const std::string_view value(first->second.data(), first->second.size());
  if (value.size() <= secret_.size() ||
      !is_same_secret(bytes_of(value.substr(0, secret_.size())), bytes_of(secret_)))
    return "";
  return std::string(value.substr(secret_.size() + 1));
}

}  // namespace repath

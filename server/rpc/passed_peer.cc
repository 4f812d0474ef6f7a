#include "rpc/passed_peer.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <iterator>

#include "absl/strings/str_split.h"
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

std::string PassedPeer::value_for(std::string_view address,
                                  const std::vector<std::string>& names) const {
  std::string value = secret_ + " " + std::string(address);
  std::size_t bytes = 0;
  for (const std::string& name : names) {
    bytes += name.size() + 1;
    if (bytes <= kNameBytesMax) value += " " + name;
  }
  return value;
}

std::optional<PassedPeer::Peer> PassedPeer::of(const grpc::ServerContextBase& context) const {
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range(kHeader);
  if (first == last || std::next(first) != last) return std::nullopt;
  const std::string_view value(first->second.data(), first->second.size());
  const std::vector<std::string> words = absl::StrSplit(std::string(value), ' ');
  if (words.size() < 2 || !is_same_secret(bytes_of(words[0]), bytes_of(secret_)))
    return std::nullopt;
  return Peer{words[1], {words.begin() + 2, words.end()}};
}

}  // namespace repath

#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace repath {
namespace {

std::string hex(const Sha256::Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

// The examples of FIPS 180-4.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheInputIsCut) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string input;
    for (std::size_t i = 0; i < length; ++i) input += static_cast<char>(i * 37);
    for (const std::size_t piece : {1u, 3u, 63u, 64u, 65u}) {
      Sha256 hash;
      for (std::size_t at = 0; at < length; at += piece) hash.add(input.substr(at, piece));
      ASSERT_EQ(hash.finish(), sha256(input)) << length << " by " << piece;
    }
  }
}

}  // namespace
}  // namespace repath

#include "access/token_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

// The SHA-256 of "secret".
const std::string kDigest = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

TokenFile parsed(const std::string& text) {
  auto file = TokenFile::parse(text, "tokens");
  EXPECT_TRUE(file.ok()) << file.status();
  return *std::move(file);
}

void expect_bad(const std::string& text, const std::string& line, const std::string& why) {
  const auto file = TokenFile::parse(text, "tokens");
  ASSERT_FALSE(file.ok()) << text;
  EXPECT_EQ(error_reason(file.status()), "TOKEN_FILE");
  const std::string message(file.status().message());
  EXPECT_EQ(message.rfind("tokens:" + line, 0), 0u) << message;
  EXPECT_NE(message.find(why), std::string::npos) << message;
  EXPECT_EQ(message.find("hush"), std::string::npos) << "a secret in " << message;
}

TEST(TokenFile, FindsATokenByIdAndSecret) {
  const TokenFile file =
      parsed("# games\n\ntoken game-1 read,agents arena-*,lobby " + kDigest + "\n");
  const auto caller = file.find_token("game-1.secret");
  ASSERT_NE(caller, nullptr);
  EXPECT_EQ(caller->name, "token game-1");
  EXPECT_EQ(to_text(caller->scopes), "read,agents");
  EXPECT_TRUE(caller->worlds.match("arena-7"));
  EXPECT_FALSE(caller->worlds.match("hall"));
  for (const char* wrong : {"game-1.secre", "game-1.secrets", "game-1.", "game-1", "game-2.secret",
                            ".secret", "", ".", "game-1.secret.", "game-1..secret"})
    EXPECT_EQ(file.find_token(wrong), nullptr) << wrong;
}

TEST(TokenFile, FindsACertificateByTheFirstNameWithALine) {
  const TokenFile file = parsed(
      "certificate uri:spiffe://example.org/match read *\r\n"
      "certificate dns:match.example.org write lobby\n");
  EXPECT_EQ(to_text(file.find_certificate({"dns:x", "dns:match.example.org"})->scopes), "write");
  EXPECT_EQ(to_text(file.find_certificate({"uri:spiffe://example.org/match"})->scopes), "read");
  EXPECT_EQ(file.find_certificate({"uri:match.example.org"}), nullptr);
  EXPECT_EQ(file.find_certificate({}), nullptr);
  // A certificate's line is no token.
  EXPECT_EQ(file.find_token("dns:match.example.org."), nullptr);
}

TEST(TokenFile, FindsAPrincipalAgainUnlessItsSecretChanged) {
  const TokenFile before = parsed("token a read * " + kDigest + "\n");
  const auto caller = before.find_token("a.secret");
  ASSERT_NE(caller, nullptr);
  EXPECT_EQ(to_text(parsed("token a write * " + kDigest + "\n").find_again(*caller)->scopes),
            "write");
  EXPECT_EQ(parsed("token b read * " + kDigest + "\n").find_again(*caller), nullptr);
  EXPECT_EQ(parsed("token a read * " + std::string(64, '0') + "\n").find_again(*caller), nullptr);
}

TEST(TokenFile, AWrongLineIsNamedButNotQuoted) {
  const std::string good = "token a read * " + kDigest + "\n";
  expect_bad(good + "hush.hush read *\n", "2: ", "begins with");
  expect_bad(good + "token hush read *\n", "2: ", "expected `token ID SCOPES WORLDS SHA256`");
  expect_bad(good + "token b reed * " + kDigest + "\n", "2: ", "scopes are");
  expect_bad(good + "token b read,read * " + kDigest + "\n", "2: ", "each once");
  expect_bad(good + "token b read, * " + kDigest + "\n", "2: ", "scopes are");
  expect_bad(good + "token b read a/b " + kDigest + "\n", "2: ", "patterns");
  expect_bad(good + "token b read * hush\n", "2: ", "64 digits");
  expect_bad(good + "token b.hush read * " + kDigest + "\n", "2: ", "id has 1 to 64");
  expect_bad(good + good, "2: ", "earlier line");
  expect_bad(good + "certificate hush read *\n", "2: ", "dns:NAME or uri:URI");
  expect_bad(good + "certificate dns: read *\n", "2: ", "dns:NAME or uri:URI");
}

TEST(TokenFile, AFileThatIsStillBeingWrittenIsRefused) {
  expect_bad("token a read * " + kDigest, "", "still being written");
  expect_bad("token a read * " + kDigest + "\ntoken b re", "", "still being written");
}

TEST(TokenFile, AFileBeyondItsLimitsIsRefused) {
  expect_bad(std::string(TokenFile::kBytesMax + 1, '\n'), "", "bytes");
  expect_bad(std::string(TokenFile::kLinesMax + 1, '\n'),
             std::to_string(TokenFile::kLinesMax + 1) + ": ", "lines");
  EXPECT_EQ(parsed(std::string(TokenFile::kLinesMax, '\n')).size(), 0u);
}

TEST(TokenFile, AFileThatCannotBeReadIsNamed) {
  for (const char* path : {"/nowhere/tokens", "/"}) {
    const auto file = TokenFile::read(path);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(std::string(file.status().message()).rfind(std::string(path) + ": cannot be read", 0),
              0u);
  }
}

}  // namespace
}  // namespace repath

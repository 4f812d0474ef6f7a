// The readers of the token file and of certificates, which an operator or a tool may leave
// half-written.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "access/certificate.h"
#include "access/token_file.h"
#include "support/certificates.h"
#include "support/fuzz.h"
#include "support/temp_path.h"

namespace repath {
namespace {

// The SHA-256 of "secret".
const std::string kHash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
// Stands where an operator may put a secret by mistake.
constexpr std::string_view kHush = "HUSH";

absl::Status read_tokens(const std::string& text) {
  const auto file = TokenFile::parse(text, "tokens");
  if (!file.ok()) {
    EXPECT_EQ(std::string(file.status().message()).find(kHush), std::string::npos) << file.status();
    return file.status();
  }
  EXPECT_LE(file->size(), text.size());
  // Only a whole token opens a line.
  EXPECT_EQ(file->find_token("a.secre"), nullptr);
  EXPECT_EQ(file->find_token("a."), nullptr);
  EXPECT_EQ(file->find_token(text), nullptr);
  if (const auto caller = file->find_token("a.secret")) {
    EXPECT_EQ(caller->name, "token a");
    EXPECT_FALSE(caller->scopes.is_empty());
    EXPECT_FALSE(caller->worlds.patterns().empty());
    EXPECT_EQ(file->find_again(*caller), caller);
    // A star's choices are final, so no pattern takes long.
    (void)caller->worlds.match(std::string(4096, 'a'));
  }
  return absl::OkStatus();
}

TEST(Fuzz, TokenFile) {
  const std::string line = "token a read,write,agents,admin arena-*,lobby " + kHash + "\n";
  test::feed(
      {line, "# " + std::string(kHush) + "\n\n" + line,
       line + "token " + std::string(kHush) + " read *a*b*\t" + kHash + "\r\n",
       line + "certificate uri:spiffe://example.org/match read *\n",
       line + "certificate dns:match.example.org write lobby\ntoken b read *-*-* " + kHash + "\n"},
      read_tokens);
}

TEST(Fuzz, Certificates) {
  const test::TestCertificate first;
  const test::TestCertificate second;
  const CertificatePaths paths{test::temp_path("cert.pem"), test::temp_path("key.pem"), ""};
  std::ofstream(paths.key) << first.key_pem();
  test::feed({first.pem(), first.pem() + second.pem(), "words before\n" + first.pem()},
             [&](const std::string& text) {
               std::ofstream(paths.certificate, std::ios::binary) << text;
               return read_certificate(paths).status();
             });
  std::ofstream(paths.certificate) << first.pem();
  test::feed({first.key_pem(), "words before\n" + first.key_pem()}, [&](const std::string& text) {
    std::ofstream(paths.key, std::ios::binary) << text;
    return read_certificate(paths).status();
  });
  for (const std::string& path : {paths.certificate, paths.key}) std::remove(path.c_str());
}

}  // namespace
}  // namespace repath

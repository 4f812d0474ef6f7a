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

// Files of a certificate and its key, one of which is fed.
class CertificateFuzz : public testing::Test {
 protected:
  CertificateFuzz() {
    std::ofstream(paths_.certificate) << first_.pem();
    std::ofstream(paths_.key) << first_.key_pem();
  }
  ~CertificateFuzz() override {
    for (const std::string& path : {paths_.certificate, paths_.key}) std::remove(path.c_str());
  }
  absl::Status read(const std::string& fed, const std::string& text) const {
    std::ofstream(fed, std::ios::binary) << text;
    return read_certificate(paths_).status();
  }

  const test::TestCertificate first_;
  const test::TestCertificate second_;
  const CertificatePaths paths_{test::temp_path("cert.pem"), test::temp_path("key.pem"), ""};
};

TEST_F(CertificateFuzz, Certificates) {
  test::feed({first_.pem(), first_.pem() + second_.pem(), "words before\n" + first_.pem()},
             [&](const std::string& text) { return read(paths_.certificate, text); });
}

TEST_F(CertificateFuzz, Keys) {
  test::feed({first_.key_pem(), "words before\n" + first_.key_pem()},
             [&](const std::string& text) { return read(paths_.key, text); });
}

}  // namespace
}  // namespace repath

#include "access/certificate_names.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>

#include "access/token_file.h"
#include "support/certificates.h"

namespace repath {
namespace {

std::vector<std::string> names_in(const std::string& wanted) {
  const std::string pem = test::TestCertificate({.names = wanted}).pem();
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  std::vector<std::string> names = names_of_certificate(certificate);
  X509_free(certificate);
  BIO_free(bio);
  return names;
}

using Names = std::vector<std::string>;

TEST(CertificateNames, UrisComeBeforeDnsNames) {
  EXPECT_EQ(names_in("DNS:b.example,URI:spiffe://x/2,IP:127.0.0.1,DNS:a.example,URI:spiffe://x/1"),
            (Names{"uri:spiffe://x/2", "uri:spiffe://x/1", "dns:b.example", "dns:a.example"}));
  EXPECT_EQ(names_in("IP:127.0.0.1"), Names());
  EXPECT_EQ(names_in(""), Names());
}

// A certificate with names on two lines is judged as server/docs/security.md says.
TEST(CertificateNames, TheLineOfAUriCounts) {
  const auto file = TokenFile::parse(
      "certificate dns:match.example.org write *\n"
      "certificate uri:spiffe://example.org/match read *\n",
      "tokens");
  ASSERT_TRUE(file.ok());
  for (const char* names : {"DNS:match.example.org,URI:spiffe://example.org/match",
                            "URI:spiffe://example.org/match,DNS:match.example.org"})
    EXPECT_EQ(to_text(file->find_certificate(names_in(names))->scopes), "read") << names;
  EXPECT_EQ(to_text(file->find_certificate(names_in("DNS:match.example.org,URI:x:y"))->scopes),
            "write");
}

}  // namespace
}  // namespace repath

#include "access/certificate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include "base/error.h"
#include "support/certificates.h"
#include "support/temp_path.h"

namespace repath {
namespace {

using test::CertificateWish;
using test::TestCertificate;

class Certificates : public testing::Test {
 protected:
  Certificates() { put(first_); }
  ~Certificates() override {
    for (const std::string& path : {paths_.certificate, paths_.key, ca_}) std::remove(path.c_str());
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  void put(const TestCertificate& pair) {
    write(paths_.certificate, pair.pem());
    write(paths_.key, pair.key_pem());
  }
  void expect_refused(const std::string& file, const std::string& why) {
    const auto read = read_certificate(paths_);
    ASSERT_FALSE(read.ok()) << why;
    EXPECT_EQ(error_reason(read.status()), "TLS_FILE");
    const std::string message(read.status().message());
    EXPECT_EQ(message.rfind(file + ": ", 0), 0u) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  }

  const TestCertificate first_;
  const std::string ca_ = test::temp_path("ca.pem");
  CertificatePaths paths_{test::temp_path("cert.pem"), test::temp_path("key.pem"), ""};
};

TEST_F(Certificates, AValidPairIsRead) {
  const auto read = read_certificate(paths_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->chain, first_.pem());
  EXPECT_EQ(read->key, first_.key_pem());
  EXPECT_EQ(read->subject, "CN=localhost");
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  EXPECT_NEAR(static_cast<double>(read->expires_s - now.count()), 3600, 60);
}

TEST_F(Certificates, AFileThatIsCutAnywhereIsRefused) {
  const std::string pem = first_.pem();
  for (std::size_t size = 0; size + 30 < pem.size(); size += 7) {
    write(paths_.certificate, pem.substr(0, size));
    EXPECT_FALSE(read_certificate(paths_).ok()) << size;
  }
  write(paths_.certificate, pem);
  const std::string key = first_.key_pem();
  for (std::size_t size = 0; size + 30 < key.size(); size += 7) {
    write(paths_.key, key.substr(0, size));
    EXPECT_FALSE(read_certificate(paths_).ok()) << size;
  }
}

TEST_F(Certificates, AChainThatIsCutIsRefused) {
  const TestCertificate second;
  write(paths_.certificate, first_.pem() + second.pem());
  EXPECT_TRUE(read_certificate(paths_).ok());
  write(paths_.certificate, first_.pem() + second.pem().substr(0, 200));
  expect_refused(paths_.certificate, "certificate 2 of the file is not whole");
}

TEST_F(Certificates, FilesThatDoNotBelongTogetherAreRefused) {
  write(paths_.key, TestCertificate().key_pem());
  expect_refused(paths_.key, "is not the key of the certificate");
}

TEST_F(Certificates, ACertificateOutsideOfItsTimeIsRefused) {
  put(TestCertificate({.begins_s = -7200, .ends_s = -10}));
  expect_refused(paths_.certificate, "has expired");
  put(TestCertificate({.begins_s = 600, .ends_s = 7200}));
  expect_refused(paths_.certificate, "is not valid yet");
}

TEST_F(Certificates, AuthoritiesAreCheckedToo) {
  paths_.client_ca = ca_;
  expect_refused(ca_, "cannot be read");
  write(ca_, "nonsense");
  expect_refused(ca_, "no certificate in PEM");
  const std::string expired =
      TestCertificate({.begins_s = -7200, .ends_s = -10, .is_authority = true}).pem();
  write(ca_, expired);
  expect_refused(ca_, "no authority that is valid now");
  const std::string good = TestCertificate({.is_authority = true}).pem();
  write(ca_, good + good.substr(0, 200));
  expect_refused(ca_, "certificate 2 of the file is not whole");
  // One that has expired keeps nothing out.
  write(ca_, expired + TestCertificate({.is_authority = true}).pem());
  EXPECT_TRUE(read_certificate(paths_).ok());
}

TEST_F(Certificates, HugeAndMissingFilesAreRefused) {
  write(paths_.key, std::string((1u << 20) + 1, 'x'));
  expect_refused(paths_.key, "larger than 1 MiB");
  std::remove(paths_.certificate.c_str());
  expect_refused(paths_.certificate, "cannot be read");
}

TEST_F(Certificates, BadFilesKeepTheLastGoodPair) {
  auto keeper = CertificateKeeper::start(paths_, 3'600'000);
  ASSERT_TRUE(keeper.ok());
  const TestCertificate next;
  write(paths_.certificate, next.pem());  // the new certificate with the old key
  EXPECT_FALSE((*keeper)->reload().ok());
  EXPECT_EQ((*keeper)->current()->chain, first_.pem());
  EXPECT_NE((*keeper)->metrics_text().find("repath_tls_files_refused 1\n"), std::string::npos);
  write(paths_.key, next.key_pem().substr(0, 60));
  EXPECT_FALSE((*keeper)->reload().ok());
  EXPECT_EQ((*keeper)->current()->chain, first_.pem());
  write(paths_.key, next.key_pem());
  EXPECT_TRUE((*keeper)->reload().ok());
  EXPECT_EQ((*keeper)->current()->chain, next.pem());
  EXPECT_NE((*keeper)->metrics_text().find("repath_tls_files_refused 0\n"), std::string::npos);
}

TEST_F(Certificates, NewFilesAreInUseWithinFiveSeconds) {
  auto keeper = CertificateKeeper::start(paths_);
  ASSERT_TRUE(keeper.ok());
  const TestCertificate next;
  const auto begun = std::chrono::steady_clock::now();
  put(next);
  while ((*keeper)->current()->chain != next.pem()) {
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST_F(Certificates, TheTimeToExpiryIsAMetric) {
  put(TestCertificate({.ends_s = 1000}));
  const auto keeper = CertificateKeeper::start(paths_, 3'600'000);
  ASSERT_TRUE(keeper.ok());
  const std::string text = (*keeper)->metrics_text();
  const std::string name = "\nrepath_tls_certificate_expiry_seconds ";
  const std::size_t at = text.find(name);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(at + name.size())), 1000, 30);
}

}  // namespace
}  // namespace repath

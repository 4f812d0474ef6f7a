// A guarded server with TLS on its address, whose certificate a test replaces.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "rpc/access_fixture.h"
#include "support/certificates.h"

namespace repath::test {

class GuardedByTls : public Guarded {
 protected:
  void SetUp() override {
    put(first_);
    std::ofstream(ca_) << authority_.pem();
  }
  void TearDown() override {
    Guarded::TearDown();
    for (const std::string& path : {certificate_, key_, ca_}) std::remove(path.c_str());
  }
  void put(const TestCertificate& pair) {
    std::ofstream(certificate_) << pair.pem();
    std::ofstream(key_) << pair.key_pem();
  }
  void start(bool asks_for_certificates = false, const std::string& lines = all_) {
    auto keeper = CertificateKeeper::start({certificate_, key_, asks_for_certificates ? ca_ : ""});
    ASSERT_TRUE(keeper.ok()) << keeper.status();
    keeper_ = *std::move(keeper);
    serve(lines, keeper_.get());
  }

  static inline const std::string all_ = token_line("all", "read,write,agents,admin", "*");
  const TestCertificate first_;
  const TestCertificate authority_{{.name = "authority", .names = "", .is_authority = true}};
  const std::string certificate_ = temp_path("tls-cert.pem");
  const std::string key_ = temp_path("tls-key.pem");
  const std::string ca_ = temp_path("tls-ca.pem");
  std::unique_ptr<CertificateKeeper> keeper_;
};

}  // namespace repath::test

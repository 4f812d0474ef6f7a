// Certificates made for a test: self-signed ones and ones of a test's own authority.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace repath::test {

struct CertificateWish {
  std::string name = "localhost";  // common name
  std::string names =
      "DNS:localhost,IP:127.0.0.1";  // subject alternative names, as OpenSSL reads them
  long begins_s = -3600;             // relative to now, as the end
  long ends_s = 3600;
  bool is_authority = false;
};

class TestCertificate {
 public:
  // Makes a certificate, signed by `issuer` or by itself.
  explicit TestCertificate(const CertificateWish& wish = {},
                           const TestCertificate* issuer = nullptr)
      : key_(EVP_EC_gen("P-256"), &EVP_PKEY_free), x509_(X509_new(), &X509_free) {
    static long serial = 1;
    const TestCertificate& by = issuer != nullptr ? *issuer : *this;
    X509_set_version(x509_.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509_.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(x509_.get()), wish.begins_s);
    X509_gmtime_adj(X509_getm_notAfter(x509_.get()), wish.ends_s);
    X509_set_pubkey(x509_.get(), key_.get());
    X509_NAME* subject = X509_get_subject_name(x509_.get());
    // The library takes unsigned characters.
    const auto* text = reinterpret_cast<const unsigned char*>(wish.name.c_str());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0);
    X509_set_issuer_name(x509_.get(), X509_get_subject_name(by.x509_.get()));
    if (wish.is_authority) extend(NID_basic_constraints, "critical,CA:TRUE");
    if (!wish.names.empty()) extend(NID_subject_alt_name, wish.names);
    EXPECT_GT(X509_sign(x509_.get(), by.key_.get(), EVP_sha256()), 0);
  }

  std::string pem() const {
    return written([&](BIO* bio) { PEM_write_bio_X509(bio, x509_.get()); });
  }
  std::string key_pem() const {
    return written([&](BIO* bio) {
      PEM_write_bio_PrivateKey(bio, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

 private:
  void extend(int kind, const std::string& value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    EXPECT_NE(extension, nullptr) << value;
    X509_add_ext(x509_.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
  template <class Write>
  static std::string written(Write write) {
    BIO* bio = BIO_new(BIO_s_mem());
    write(bio);
    char* text = nullptr;
    const long bytes = BIO_get_mem_data(bio, &text);
    std::string pem(text, static_cast<std::size_t>(bytes));
    BIO_free(bio);
    return pem;
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  std::unique_ptr<X509, decltype(&X509_free)> x509_;
};

}  // namespace repath::test

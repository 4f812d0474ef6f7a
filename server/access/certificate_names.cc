#include "access/certificate_names.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace repath {
namespace {

// Adds the names of one type.
void add_names(const GENERAL_NAMES* all, int type, std::string_view prefix,
               std::vector<std::string>& names) {
  for (int i = 0; i < sk_GENERAL_NAME_num(all); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all, i);
    if (name->type != type) continue;
    // Both types are strings of the same kind.
    const ASN1_IA5STRING* text = name->d.ia5;
    const unsigned char* first = ASN1_STRING_get0_data(text);
    const std::string value(first, first + ASN1_STRING_length(text));
    const auto is_visible = [](char c) { return c > 0x20 && c < 0x7F; };
    if (std::ranges::all_of(value, is_visible)) names.push_back(std::string(prefix) + value);
  }
}

}  // namespace

std::vector<std::string> names_of_certificate(const X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> all(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  if (all == nullptr) return names;
  add_names(all.get(), GEN_URI, "uri:", names);
  add_names(all.get(), GEN_DNS, "dns:", names);
  return names;
}

std::vector<std::string> names_of_peer(const SSL* connection) {
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      SSL_get1_peer_certificate(connection), &X509_free);
  if (certificate == nullptr) return {};
  return names_of_certificate(certificate.get());
}

}  // namespace repath

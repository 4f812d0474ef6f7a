#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/read_file.h"

namespace repath::cli {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;
using TlsContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

struct TlsOptions {
  std::string certificate;
  std::string key;
  std::string authority;
  std::uint32_t days = 0;
};

struct TlsPair {
  std::string wrong;  // empty: nothing
  std::string subject;
  std::int64_t expires_in_s = 0;  // until the first of the chain expires
};

std::int64_t seconds_until(const ASN1_TIME* time) {
  int days = 0;
  int seconds = 0;
  ASN1_TIME_diff(&days, &seconds, nullptr, time);
  return std::int64_t{days} * 86'400 + seconds;
}

// Refuses an encrypted key: the server could not read it either.
int no_passphrase(char*, int, int, void*) { return 0; }

struct Chain {
  std::vector<X509Ptr> certificates;
  std::string wrong;  // empty: nothing
};

// Reads every certificate of a PEM file. Names the first one that is not whole.
Chain read_chain(const std::string& path) {
  const BioPtr file(BIO_new_file(path.c_str(), "r"), &BIO_free);
  Chain chain;
  if (file == nullptr) {
    chain.wrong = path + ": cannot be read";
    return chain;
  }
  ERR_clear_error();
  while (X509* one = PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr))
    chain.certificates.emplace_back(one, &X509_free);
  const unsigned long error = ERR_peek_last_error();
  const bool is_end =
      ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  if (!is_end) {
    chain.wrong = path + ": certificate " + std::to_string(chain.certificates.size() + 1) +
                  " of the file is not whole";
  } else if (chain.certificates.empty()) {
    chain.wrong = path + ": has no certificate in PEM";
  }
  return chain;
}

bool is_valid_now(const X509Ptr& certificate) {
  return seconds_until(X509_get0_notBefore(certificate.get())) <= 0 &&
         seconds_until(X509_get0_notAfter(certificate.get())) > 0;
}

// Returns what is wrong with the pair as TLS would use it; empty if nothing is.
std::string wrong_pair(const TlsOptions& options, X509* certificate) {
  const TlsContext context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  SSL_CTX_set_default_passwd_cb(context.get(), &no_passphrase);
  if (SSL_CTX_use_certificate(context.get(), certificate) != 1)
    return options.certificate + ": has no certificate that TLS can use; is its key too short?";
  if (SSL_CTX_use_PrivateKey_file(context.get(), options.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1)
    return options.key + ": is not the key of the certificate, or needs a passphrase";
  return "";
}

// Returns what is wrong with the authorities of a PEM file; empty if nothing is.
std::string wrong_authorities(const std::string& path) {
  const auto [authorities, wrong] = read_chain(path);
  if (!wrong.empty()) return wrong;
  const bool has_valid = std::any_of(authorities.begin(), authorities.end(), is_valid_now);
  return has_valid ? "" : path + ": has no authority that is valid now";
}

TlsPair look_at(const TlsOptions& options) {
  TlsPair pair;
  const auto [chain, wrong] = read_chain(options.certificate);
  if (!wrong.empty()) {
    pair.wrong = wrong;
    return pair;
  }
  char* subject = X509_NAME_oneline(X509_get_subject_name(chain.front().get()), nullptr, 0);
  pair.subject = subject;
  OPENSSL_free(subject);
  pair.expires_in_s = seconds_until(X509_get0_notAfter(chain.front().get()));
  for (const X509Ptr& one : chain)
    pair.expires_in_s = std::min(pair.expires_in_s, seconds_until(X509_get0_notAfter(one.get())));
  pair.wrong = wrong_pair(options, chain.front().get());
  if (!pair.wrong.empty()) return pair;
  if (pair.expires_in_s <= 0) {
    pair.wrong = options.certificate + ": a certificate of the file has expired";
  } else if (!std::all_of(chain.begin(), chain.end(), is_valid_now)) {
    pair.wrong = options.certificate + ": a certificate of the file is not valid yet";
  } else if (pair.expires_in_s < std::int64_t{options.days} * 86'400) {
    pair.wrong = options.certificate + ": expires within " + std::to_string(options.days) + " days";
  } else if (!options.authority.empty()) {
    pair.wrong = wrong_authorities(options.authority);
  }
  ERR_clear_error();
  return pair;
}

void check(CommandContext& context, const TlsOptions& options) {
  for (const std::string& path : {options.certificate, options.key, options.authority}) {
    std::error_code error;
    if (!path.empty() && !read_file(path, error))
      return context.usage_error(unreadable(path, error));
  }
  const TlsPair pair = look_at(options);
  if (context.json) {
    context.print_json({{"valid", pair.wrong.empty()},
                        {"subject", pair.subject},
                        {"expires_in_s", pair.expires_in_s},
                        {"reason", pair.wrong}});
  } else if (pair.wrong.empty()) {
    std::cout << "valid: " << pair.subject << ", expires in " << pair.expires_in_s / 86'400
              << " days" << std::endl;
  }
  if (!pair.wrong.empty()) context.check_failed(pair.wrong);
}

}  // namespace

void add_tls_commands(CLI::App& tls, CommandContext& context) {
  auto options = std::make_shared<TlsOptions>();
  CLI::App* command = add_command(
      tls, context, "check",
      "Check a certificate and its key as repathd does before it uses them; exit status 1 if they "
      "are wrong",
      "repath tls check server.pem server.key --days 14");
  command->add_option("CERT", options->certificate, "Certificate and its chain in PEM")->required();
  command->add_option("KEY", options->key, "Key in PEM")->required();
  command->add_option("--client-ca", options->authority,
                      "Authorities of client certificates in PEM");
  command->add_option("--days", options->days,
                      "Days for which the certificate must still be valid (default 0)");
  command->callback([&context, options] { check(context, *options); });
}

}  // namespace repath::cli

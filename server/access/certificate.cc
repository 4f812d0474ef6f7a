#include "access/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"

namespace repath {
namespace {

constexpr std::size_t kFileBytesMax = 1u << 20;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using TlsContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

absl::Status bad_file(const std::string& path, const std::string& why) {
  ERR_clear_error();
  return make_error(absl::StatusCode::kInvalidArgument, "TLS_FILE", "", path + ": " + why);
}

absl::StatusOr<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kFileBytesMax + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.eof() && (!file || file.gcount() == 0))
    return bad_file(path, "cannot be read: " + std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kFileBytesMax) return bad_file(path, "is larger than 1 MiB");
  return text;
}

Bio reader_of(const std::string& pem) {
  return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
}

// Reads every certificate of a file; the last one must be whole too.
absl::StatusOr<std::vector<X509Ptr>> parse_chain(const std::string& pem, const std::string& path) {
  ERR_clear_error();
  const Bio bio = reader_of(pem);
  std::vector<X509Ptr> chain;
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr))
    chain.emplace_back(one, &X509_free);
  const unsigned long error = ERR_peek_last_error();
  const bool is_end =
      ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!is_end)
    return bad_file(
        path, "certificate " + std::to_string(chain.size() + 1) + " of the file is not whole");
  if (chain.empty()) return bad_file(path, "has no certificate in PEM");
  return chain;
}

// Refuses an encrypted key: a server that starts by itself has no one to ask.
int no_passphrase(char*, int, int, void*) { return 0; }

absl::StatusOr<KeyPtr> parse_key(const std::string& pem, const std::string& path) {
  const Bio bio = reader_of(pem);
  KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_passphrase, nullptr), &EVP_PKEY_free);
  ERR_clear_error();
  if (key == nullptr)
    return bad_file(path,
                    "has no private key in PEM, or one that is not whole or has a passphrase");
  return key;
}

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return 0;
  return timegm(&parts);
}

// Returns what is wrong with the time of a certificate; empty if it is valid now.
std::string wrong_time(const X509Ptr& certificate) {
  if (X509_cmp_current_time(X509_get0_notBefore(certificate.get())) >= 0) return "is not valid yet";
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) <= 0) return "has expired";
  return "";
}

// Checks that all of a chain are valid now. Returns when the first of them expires.
absl::StatusOr<std::int64_t> check_times(const std::vector<X509Ptr>& chain,
                                         const std::string& path) {
  std::int64_t expires_s = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (const std::string wrong = wrong_time(chain[i]); !wrong.empty())
      return bad_file(path, "certificate " + std::to_string(i + 1) + " of the file " + wrong);
    expires_s = std::min(expires_s, seconds_of(X509_get0_notAfter(chain[i].get())));
  }
  return expires_s;
}

// Tries the pair as TLS would use it, which also refuses keys that are too weak.
absl::Status check_pair(X509* certificate, EVP_PKEY* key, const CertificatePaths& paths) {
  const TlsContext context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  const bool fits = X509_check_private_key(certificate, key) == 1;
  if (!fits)
    return bad_file(paths.key, "is not the key of the certificate in " + paths.certificate);
  if (context == nullptr || SSL_CTX_use_certificate(context.get(), certificate) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key) != 1)
    return bad_file(paths.certificate, "cannot be used for TLS; is its key too short?");
  return absl::OkStatus();
}

std::string subject_of(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  X509_NAME_print_ex(bio.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* text = nullptr;
  const long bytes = BIO_get_mem_data(bio.get(), &text);
  return bytes > 0 ? std::string(text, static_cast<std::size_t>(bytes)) : std::string();
}

std::int64_t now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

absl::StatusOr<Certificate> read_certificate(const CertificatePaths& paths) {
  Certificate read;
  REPATH_ASSIGN_OR_RETURN(read.chain, read_file(paths.certificate));
  REPATH_ASSIGN_OR_RETURN(read.key, read_file(paths.key));
  REPATH_ASSIGN_OR_RETURN(const auto chain, parse_chain(read.chain, paths.certificate));
  REPATH_ASSIGN_OR_RETURN(const KeyPtr key, parse_key(read.key, paths.key));
  REPATH_RETURN_IF_ERROR(check_pair(chain.front().get(), key.get(), paths));
  REPATH_ASSIGN_OR_RETURN(read.expires_s, check_times(chain, paths.certificate));
  read.subject = subject_of(chain.front().get());
  if (paths.client_ca.empty()) return read;
  REPATH_ASSIGN_OR_RETURN(read.client_ca, read_file(paths.client_ca));
  REPATH_ASSIGN_OR_RETURN(const auto authorities, parse_chain(read.client_ca, paths.client_ca));
  const bool has_valid =
      std::ranges::any_of(authorities, [](const X509Ptr& one) { return wrong_time(one).empty(); });
  if (!has_valid) return bad_file(paths.client_ca, "has no authority that is valid now");
  return read;
}

absl::StatusOr<std::unique_ptr<CertificateKeeper>> CertificateKeeper::start(CertificatePaths paths,
                                                                            std::uint64_t poll_ms) {
  REPATH_ASSIGN_OR_RETURN(Certificate first, read_certificate(paths));
  return std::unique_ptr<CertificateKeeper>(
      new CertificateKeeper(std::move(paths), std::move(first), poll_ms));
}

CertificateKeeper::CertificateKeeper(CertificatePaths paths, Certificate first,
                                     std::uint64_t poll_ms)
    : paths_(std::move(paths)),
      poll_ms_(poll_ms),
      current_(std::make_shared<const Certificate>(std::move(first))),
      thread_([this] { watch(); }) {}

CertificateKeeper::~CertificateKeeper() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CertificateKeeper::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(poll_ms_),
                            [this] { return is_ending_; })) {
    lock.unlock();
    // reload() logs what it finds.
    static_cast<void>(reload());
    lock.lock();
  }
}

std::shared_ptr<const Certificate> CertificateKeeper::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

absl::Status CertificateKeeper::reload() {
  const std::lock_guard in_order(reloading_);
  absl::StatusOr<Certificate> read = read_certificate(paths_);
  const std::lock_guard lock(mutex_);
  if (!read.ok()) {
    const std::string why(read.status().message());
    if (why != refused_) spdlog::error("tls reload=refused reason=\"{}\"", why);
    refused_ = why;
    return read.status();
  }
  const bool was_refused = !refused_.empty();
  refused_.clear();
  if (read->chain == current_->chain && read->key == current_->key &&
      read->client_ca == current_->client_ca) {
    if (was_refused) spdlog::info("tls reload=taken reason=\"the files are those in use again\"");
    return absl::OkStatus();
  }
  current_ = std::make_shared<const Certificate>(*std::move(read));
  spdlog::info("tls reload=taken subject=\"{}\" expires_in_s={}", current_->subject,
               current_->expires_s - now_s());
  return absl::OkStatus();
}

std::string CertificateKeeper::metrics_text() const {
  const std::lock_guard lock(mutex_);
  return "# HELP repath_tls_certificate_expiry_seconds Time until the certificate in use expires; "
         "negative once it has.\n"
         "# TYPE repath_tls_certificate_expiry_seconds gauge\n"
         "repath_tls_certificate_expiry_seconds " +
         std::to_string(current_->expires_s - now_s()) +
         "\n# HELP repath_tls_files_refused Whether the TLS files differ from those in use because "
         "they cannot be used.\n"
         "# TYPE repath_tls_files_refused gauge\n"
         "repath_tls_files_refused " +
         std::to_string(refused_.empty() ? 0 : 1) + "\n";
}

}  // namespace repath

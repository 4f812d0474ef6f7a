// The server's certificate, its key and the authorities of client certificates: read, validated
// and kept up to date.
//
// Files are watched, because certificates are renewed by tools that replace files one after the
// other. New files are taken only if they belong together and are valid now; until then, and if
// they are wrong, the last good ones stay in use.
//
// Thread rule: a CertificateKeeper has one thread of its own; its functions from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace repath {

struct CertificatePaths {
  std::string certificate;  // PEM: the server's certificate, then intermediate ones
  std::string key;          // PEM, without a passphrase
  std::string client_ca;    // PEM: authorities of client certificates; empty: none is asked for

  bool is_set() const { return !certificate.empty(); }
};

// Files that belong together and were valid when they were read. Immutable.
struct Certificate {
  std::string chain;  // PEM, as `key` and `client_ca`
  std::string key;
  std::string client_ca;
  std::string subject;         // "CN=server.example.org"
  std::int64_t expires_s = 0;  // seconds since 1970 at which the first of the chain expires
};

// Reads and validates the files. Errors are INVALID_ARGUMENT, reason TLS_FILE; they name the file
// and the reason, never its content. A file is refused if it cannot be read, is not whole PEM, or
// is larger than 1 MiB. The key must be the certificate's, and every certificate of its chain must
// be valid now. At least one of the authorities must be valid: an expired one verifies no client,
// and should not keep a new certificate out.
absl::StatusOr<Certificate> read_certificate(const CertificatePaths& paths);

class CertificateKeeper {
 public:
  static constexpr std::uint64_t kPollMs = 1000;

  // Reads the files and begins to watch them. Errors as read_certificate().
  static absl::StatusOr<std::unique_ptr<CertificateKeeper>> start(CertificatePaths paths,
                                                                  std::uint64_t poll_ms = kPollMs);
  ~CertificateKeeper();

  // Returns the certificate in use.
  std::shared_ptr<const Certificate> current() const;
  // Looks at the files now. Returns the error of files that were not taken.
  absl::Status reload();
  bool asks_for_client_certificate() const { return !paths_.client_ca.empty(); }

  // Returns the gauges of the certificate in the text format of Prometheus: seconds until it
  // expires, and whether newer files were refused.
  std::string metrics_text() const;

 private:
  CertificateKeeper(CertificatePaths paths, Certificate first, std::uint64_t poll_ms);
  void watch();

  const CertificatePaths paths_;
  const std::uint64_t poll_ms_;
  std::mutex reloading_;      // held over a reload, so that no older files replace newer ones
  mutable std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::shared_ptr<const Certificate> current_;
  std::string refused_;  // why the newest files were not taken; empty: they were
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace repath

// The protection of the server, made of its settings: tokens, TLS, and the rule about open
// addresses.
//
// Thread rule: start() and reload() from main's thread; the parts from any.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/access.h"
#include "access/certificate.h"
#include "runtime/config.h"

namespace repath {

// Returns whether an HTTP address has TLS, with the files of --tls-cert: if other machines reach
// it, and without --insecure. So a proxy on this machine needs no TLS, nor do health checks of a
// server with --insecure.
bool has_http_tls(const Config& config, const std::string& address);

// How a server is protected. All is borrowed and must outlive the server.
struct Protection {
  Access* access = nullptr;                // null: everyone may call everything
  const CertificateKeeper* tls = nullptr;  // null: no TLS; unix sockets never have it
  bool has_reflection = true;
};

// Returns INVALID_ARGUMENT, reason CONFIG_VALUE, if an address is in reach of other machines
// without TLS or --insecure, or if settings of TLS are missing.
absl::Status check_protection(const Config& config);
// Returns what an operator should know about addresses in reach of other machines: who may do
// everything there, and what can be read on the way. One sentence each; empty for a server that is
// protected.
std::vector<std::string> exposures(const Config& config);

class ProtectionKeeper {
 public:
  // Reads the files of the settings, and logs the exposures. Errors as check_protection(),
  // Access::with_tokens() and read_certificate().
  static absl::StatusOr<ProtectionKeeper> start(const Config& config);

  Protection protection() const { return {access_.get(), tls_.get(), has_reflection_}; }
  // Returns the gauges of TLS for /metrics; empty without TLS.
  std::string metrics_text() const { return tls_ ? tls_->metrics_text() : std::string(); }

  // Reads the files again, and logs what was taken, what was not, and what needs a restart.
  void reload() const;

 private:
  ProtectionKeeper() = default;
  std::unique_ptr<Access> access_;
  std::unique_ptr<CertificateKeeper> tls_;
  bool has_reflection_ = true;
};

}  // namespace repath

#include "rpc/protection.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "access/address_rule.h"
#include "base/error.h"

namespace repath {
namespace {

absl::Status wrong_settings(const std::string& why) {
  return make_error(absl::StatusCode::kInvalidArgument, "CONFIG_VALUE", "", why);
}

// Returns what became of a file, for the log.
std::string outcome(bool is_set, const absl::Status& status) {
  if (!is_set) return "none";
  return status.ok() ? "taken" : "kept";
}

// Returns the flags and addresses of HTTP.
std::vector<std::pair<std::string, std::string>> http_addresses(const Config& config) {
  std::vector<std::pair<std::string, std::string>> addresses{{"--admin", config.admin}};
  if (config.http != "none") addresses.emplace_back("--http", config.http);
  return addresses;
}

}  // namespace

bool has_http_tls(const Config& config, const std::string& address) {
  return !config.tls_cert.empty() && !config.is_insecure && !is_local_address(address);
}

absl::Status check_protection(const Config& config) {
  if (config.tls_cert.empty() != config.tls_key.empty())
    return wrong_settings("--tls-cert and --tls-key need each other");
  if (!config.tls_client_ca.empty() && config.tls_cert.empty())
    return wrong_settings("--tls-client-ca needs --tls-cert and --tls-key");
  if (config.is_insecure) return absl::OkStatus();
  for (const std::string& address : config.listen) {
    if (is_local_address(address) || !config.tls_cert.empty()) continue;
    return wrong_settings("--listen " + address +
                          ": other machines reach this address without TLS; give --tls-cert and "
                          "--tls-key, or --insecure if the network is trusted");
  }
  for (const auto& [flag, address] : http_addresses(config)) {
    if (is_local_address(address) || !config.tls_cert.empty()) continue;
    return wrong_settings(flag + " " + address +
                          ": other machines reach this address without TLS; give --tls-cert and "
                          "--tls-key, or --insecure if the network is trusted");
  }
  return absl::OkStatus();
}

std::vector<std::string> exposures(const Config& config) {
  std::vector<std::string> found;
  const bool has_callers = !config.tokens.empty() || !config.tls_client_ca.empty();
  for (const std::string& address : config.listen) {
    if (is_local_address(address)) continue;
    if (!has_callers)
      found.push_back("everyone who reaches --listen " + address +
                      " may do everything; --tokens and --tls-client-ca limit that");
    if (config.tls_cert.empty())
      found.push_back("--listen " + address +
                      " has no TLS: calls and tokens can be read and changed on the way");
  }
  for (const auto& [flag, address] : http_addresses(config)) {
    if (is_local_address(address)) continue;
    const bool has_tls = has_http_tls(config, address);
    if (!has_tls)
      found.push_back(flag + " " + address +
                      " has no TLS: metrics, calls and tokens can be read on the way");
    if (config.tokens.empty() && (config.tls_client_ca.empty() || !has_tls))
      found.push_back("everyone who reaches " + flag + " " + address +
                      " may do everything; --tokens limits that");
  }
  return found;
}

absl::StatusOr<ProtectionKeeper> ProtectionKeeper::start(const Config& config) {
  REPATH_RETURN_IF_ERROR(check_protection(config));
  ProtectionKeeper keeper;
  keeper.has_reflection_ = config.has_reflection;
  keeper.access_ = std::make_unique<Access>();
  if (!config.tokens.empty()) {
    REPATH_ASSIGN_OR_RETURN(keeper.access_, Access::with_tokens(config.tokens));
  }
  if (!config.tls_cert.empty()) {
    const CertificatePaths paths{config.tls_cert, config.tls_key, config.tls_client_ca};
    REPATH_ASSIGN_OR_RETURN(keeper.tls_, CertificateKeeper::start(paths));
  }
  for (const std::string& exposure : exposures(config))
    spdlog::warn("exposed reason=\"{}\"", exposure);
  return keeper;
}

void ProtectionKeeper::reload() const {
  const absl::Status tokens = access_->reload();
  const absl::Status tls = tls_ ? tls_->reload() : absl::OkStatus();
  for (const absl::Status& status : {tokens, tls})
    if (!status.ok()) spdlog::error("reload reason=\"{}\"", std::string(status.message()));
  spdlog::info(
      "signal=SIGHUP tokens={} tls={} reason=\"only the files of --tokens and --tls-* are read "
      "again; other settings need a restart\"",
      outcome(!access_->is_open(), tokens), outcome(tls_ != nullptr, tls));
}

}  // namespace repath

#include "admin/tls_contexts.h"

#include <spdlog/spdlog.h>

#include <boost/asio/buffer.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repath {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// The name under which OpenSSL keeps sessions. It refuses to resume a session of a client that
// has shown a certificate if there is none.
constexpr std::string_view kSessions = "repath-http";

std::unique_ptr<ssl::context> make_context(const Certificate& certificate, error_code& error) {
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // The library takes unsigned characters.
  const std::vector<unsigned char> sessions(kSessions.begin(), kSessions.end());
  SSL_CTX_set_session_id_context(native, sessions.data(), static_cast<unsigned>(sessions.size()));
  context->use_certificate_chain(asio::buffer(certificate.chain), error);
  if (!error) context->use_private_key(asio::buffer(certificate.key), ssl::context::pem, error);
  if (error || certificate.client_ca.empty()) return context;
  context->add_certificate_authority(asio::buffer(certificate.client_ca), error);
  if (!error) context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  return context;
}

}  // namespace

ssl::context* TlsContexts::current() {
  std::shared_ptr<const Certificate> newest = keeper_->current();
  if (newest == certificate_) return context_.get();
  error_code error;
  auto context = make_context(*newest, error);
  certificate_ = std::move(newest);
  if (error) {
    // The keeper has tried the pair, so this is a fault of the server or of its memory.
    spdlog::error("tls http=kept reason=\"{}\"", error.message());
  } else {
    context_ = std::move(context);
  }
  return context_.get();
}

}  // namespace repath

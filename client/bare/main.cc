// `repath-bare`: a gRPC server that does nothing, on the callback API as repathd, for `repath load
// ceiling`. Echo answers at once on gRPC's thread; Push writes one message over and over.
//
// Prints "serving ADDRESS" and serves until SIGTERM or SIGINT: exit status 0; 2 wrong usage, 1 if
// the address cannot be listened on.
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <pthread.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "absl/synchronization/mutex.h"
#include "bare.grpc.pb.h"

namespace repath::bare {
namespace {

constexpr std::uint32_t kAnswerBytesMax = 1 << 20;
constexpr std::uint64_t kItemsMax = 1'000'000'000;
constexpr std::uint32_t kItemsPerMessageMax = 65'536;
constexpr std::uint64_t kMessageBytesMax = 4'000'000;

grpc::Status refused(const std::string& what) { return {grpc::StatusCode::INVALID_ARGUMENT, what}; }

grpc::Status check(const PushRequest& request) {
  if (request.items() > kItemsMax) return refused("items: at most 1e9");
  if (request.item_bytes() == 0 || request.item_bytes() > kAnswerBytesMax)
    return refused("item_bytes: in [1, 1048576]");
  if (request.items_per_message() == 0 || request.items_per_message() > kItemsPerMessageMax)
    return refused("items_per_message: in [1, 65536]");
  if (std::uint64_t{request.items_per_message()} * request.item_bytes() > kMessageBytesMax)
    return refused("items_per_message: a message has at most 4000000 bytes");
  return grpc::Status::OK;
}

// One Push: it sends the same message until fewer items are left. Owns itself.
class PushStream final : public grpc::ServerWriteReactor<Items> {
 public:
  explicit PushStream(const PushRequest& request)
      : left_(request.items()), item_(request.item_bytes(), 'x') {
    fill(std::min<std::uint64_t>(left_, request.items_per_message()));
    next();
  }

  void OnWriteDone(bool ok) override { ok ? next() : Finish(grpc::Status::CANCELLED); }
  void OnDone() override { delete this; }

 private:
  void fill(std::uint64_t items) {
    message_.clear_items();
    for (std::uint64_t i = 0; i < items; ++i) message_.add_items(item_);
  }

  void next() {
    if (left_ == 0) return Finish(grpc::Status::OK);
    const auto whole = static_cast<std::uint64_t>(message_.items_size());
    if (left_ < whole) fill(left_);
    left_ -= static_cast<std::uint64_t>(message_.items_size());
    StartWrite(&message_);
  }

  std::uint64_t left_;
  const std::string item_;
  Items message_;
};

class BareService final : public Bare::CallbackService {
 public:
  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context, const EchoRequest* request,
                                 Payload* response) override {
    auto* call = context->DefaultReactor();
    if (request->answer_bytes() > kAnswerBytesMax) {
      call->Finish(refused("answer_bytes: at most 1048576"));
      return call;
    }
    response->mutable_payload()->assign(request->answer_bytes(), 'x');
    call->Finish(grpc::Status::OK);
    return call;
  }

  grpc::ServerWriteReactor<Items>* Push(grpc::CallbackServerContext* /*context*/,
                                        const PushRequest* request) override {
    if (const grpc::Status status = check(*request); !status.ok()) return new Refusal(status);
    return new PushStream(*request);
  }

 private:
  struct Refusal final : grpc::ServerWriteReactor<Items> {
    explicit Refusal(const grpc::Status& status) { Finish(status); }
    void OnDone() override { delete this; }
  };
};

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::shared_ptr<grpc::ServerCredentials> credentials(const std::string& certificate,
                                                     const std::string& key) {
  if (certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({content_of(key), content_of(certificate)});
  return grpc::SslServerCredentials(options);
}

int serve(const std::string& address, const std::shared_ptr<grpc::ServerCredentials>& tls) {
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  BareService service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddListeningPort(address, tls, &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (server == nullptr || port <= 0) {
    std::cerr << "cannot listen on " << address << '\n';
    return 1;
  }
  std::cout << "serving " << address.substr(0, address.rfind(':') + 1) << port << std::endl;
  int signal = 0;
  sigwait(&signals, &signal);
  server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  return 0;
}

}  // namespace
}  // namespace repath::bare

int main(int argc, char** argv) {
  // As repathd does: the two differ in what they do, not in how gRPC is set up.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  CLI::App app("repath-bare: a gRPC server that does nothing, for `repath load ceiling`",
               "repath-bare");
  std::string address = "127.0.0.1:7790";
  app.add_option("--listen", address, "HOST:PORT; port 0: any")->capture_default_str();
  std::string certificate;
  std::string key;
  app.add_option("--tls-cert", certificate, "Certificate in PEM (default: no TLS)");
  app.add_option("--tls-key", key, "Its key in PEM");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return repath::bare::serve(address, repath::bare::credentials(certificate, key));
}

#include "rpc/server.h"

#include <google/protobuf/stubs/logging.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/server_builder.h>

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "rpc/admin_service.h"
#include "rpc/call_meter.h"
#include "rpc/credentials.h"
#include "rpc/guard.h"
#include "rpc/services.h"

namespace repath {
namespace {

// A peer that disappears silently is detected within half a minute, so that its streams end.
constexpr int kKeepaliveMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;

constexpr std::array kServiceNames{"repath.v1.WorldService", "repath.v1.PathService",
                                   "repath.v1.AgentService", "repath.v1.DebugService",
                                   "repath.v1.AdminService"};

constexpr std::string_view kUnix = "unix:";

bool is_unix(const std::string& address) { return address.rfind(kUnix, 0) == 0; }

// Takes the reflection service away, which otherwise belongs to every server of the process.
class NoReflection final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments*) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    std::erase_if(*plugins, [](const auto& plugin) {
      return dynamic_cast<grpc::reflection::ProtoServerReflectionPlugin*>(plugin.get()) != nullptr;
    });
  }
};

}  // namespace

struct RpcServer::Services {
  Services(Registry& registry, Access* given)
      : access(given != nullptr ? *given : open),
        world(registry),
        path(registry),
        agent(registry),
        debug(registry),
        admin(registry) {
    guard("WorldService", world, registry);
    guard("PathService", path, registry);
    guard("AgentService", agent, registry);
    guard("DebugService", debug, registry);
    guard("AdminService", admin, registry);
  }
  void guard(const std::string& name, grpc::Service& service, Registry& registry) {
    const auto* descriptor =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName("repath.v1." + name);
    REPATH_CHECK(descriptor != nullptr);
    guarded.push_back(
        std::make_unique<GuardedService>(*descriptor, service, access, registry.metrics()));
  }

  Access open;
  Access& access;
  WorldService world;
  PathService path;
  AgentService agent;
  DebugService debug;
  AdminService admin;
  // Credentials of the addresses with TLS. gRPC asks them for certificates for as long as it
  // listens.
  std::vector<std::shared_ptr<grpc::ServerCredentials>> tls;
  std::vector<std::unique_ptr<GuardedService>> guarded;  // registered in place of the services
};

RpcServer::RpcServer(std::unique_ptr<Services> services, std::vector<UnixSocket> sockets,
                     std::unique_ptr<grpc::Server> server, std::vector<std::string> addresses)
    : services_(std::move(services)),
      sockets_(std::move(sockets)),
      server_(std::move(server)),
      addresses_(std::move(addresses)) {}

RpcServer::~RpcServer() { shut_down(0); }

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::start(const std::vector<std::string>& listen,
                                                            Registry& registry,
                                                            const Protection& protection) {
  // Protobuf would log a line for every string of a request that is not UTF-8; the client gets an
  // error instead.
  google::protobuf::SetLogHandler(nullptr);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto services = std::make_unique<Services>(registry, protection.access);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kMessageBytesMax);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kKeepaliveTimeoutMs);
  builder.experimental().SetInterceptorCreators(call_meters(registry.metrics()));
  if (!protection.has_reflection) builder.SetOption(std::make_unique<NoReflection>());
  const auto credentials = [&](const std::string& address) {
    if (protection.tls == nullptr || is_unix(address)) return grpc::InsecureServerCredentials();
    services->tls.push_back(tls_credentials(*protection.tls));
    return services->tls.back();
  };
  std::vector<int> ports(listen.size(), -1);
  std::vector<UnixSocket> sockets;
  for (std::size_t i = 0; i < listen.size(); ++i) {
    std::string address = listen[i];
    if (is_unix(address)) {
      REPATH_ASSIGN_OR_RETURN(UnixSocket socket, UnixSocket::prepare(address.substr(kUnix.size())));
      address = std::string(kUnix) + socket.bind_path();
      sockets.push_back(std::move(socket));
    }
    builder.AddListeningPort(address, credentials(address), &ports[i]);
  }
  for (const auto& service : services->guarded) builder.RegisterService(service.get());
  auto server = builder.BuildAndStart();
  std::vector<std::string> addresses = listen;
  for (std::size_t i = 0; i < listen.size(); ++i) {
    if (ports[i] <= 0 || server == nullptr) {
      if (server != nullptr) server->Shutdown();
      return cannot_listen(listen[i], "in use or not allowed");
    }
    if (!is_unix(listen[i]))
      addresses[i] = listen[i].substr(0, listen[i].rfind(':') + 1) + std::to_string(ports[i]);
  }
  for (UnixSocket& socket : sockets) {
    absl::Status status = socket.publish();
    if (status.ok()) continue;
    server->Shutdown();
    return status;
  }
  for (const char* name : kServiceNames)
    server->GetHealthCheckService()->SetServingStatus(name, true);
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(services), std::move(sockets),
                                                  std::move(server), std::move(addresses)));
}

void RpcServer::set_not_serving() {
  auto* health = server_->GetHealthCheckService();
  for (const char* name : kServiceNames) health->SetServingStatus(name, false);
  health->SetServingStatus(false);
}

void RpcServer::shut_down(std::uint64_t timeout_ms) {
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(timeout_ms));
  server_->Wait();
}

}  // namespace repath

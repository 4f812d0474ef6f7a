#include "rpc/server.h"

#include <google/protobuf/stubs/logging.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "limits/descriptors.h"
#include "rpc/acceptor.h"
#include "rpc/admin_service.h"
#include "rpc/call_ledger.h"
#include "rpc/call_meter.h"
#include "rpc/credentials.h"
#include "rpc/guard.h"
#include "rpc/services.h"

namespace repath {
namespace {

// A peer that disappears silently is detected within half a minute, so that its streams end.
constexpr int kKeepaliveMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// A client may ping once a second. This is half of that, because pings do not come on time to the
// millisecond. gRPC ends a connection when three pings in a row come too early and nothing was sent
// to the client between them.
constexpr int kPingIntervalMs = 500;
constexpr int kHandshakeMs = 15'000;
constexpr int kReflectionThreadsMax = 16;
// Messages that are not whole yet may hold one part in so many of --memory-total-mb.
constexpr std::uint64_t kUnfinishedShare = 8;

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

// Hands the sockets of one address to gRPC.
class ToGrpc final : public Acceptor::Receiver {
 public:
  using External = grpc::experimental::ExternalConnectionAcceptor;
  explicit ToGrpc(std::unique_ptr<External> external) : external_(std::move(external)) {}
  void take(int socket) override {
    External::NewConnectionParameters connection;
    connection.fd = socket;
    external_->HandleNewConnection(&connection);
  }

 private:
  const std::unique_ptr<External> external_;
};

ConnectionTable::Bounds connection_bounds(const Limits& limits) {
  const std::uint64_t most = connections_within(raise_descriptor_limit(), limits.connections_max);
  const std::uint64_t of_address = limits.connections_per_address_max != 0
                                       ? limits.connections_per_address_max
                                       : std::max<std::uint64_t>(most / 2, 1);
  const std::uint64_t unfinished = std::max<std::uint64_t>(
      ConnectionTable::kUnfinishedBytesMax, (limits.memory_total_mb << 20) / kUnfinishedShare);
  return {most, std::min(most, of_address), limits.resets_per_connection_max, unfinished};
}

CallLedger::Bounds call_bounds(const Limits& limits) {
  return {limits.calls_max,
          limits.calls_per_client_max,
          limits.held_mb_max << 20,
          limits.held_mb_per_client_max << 20,
          Micros{limits.send_timeout_s} * 1'000'000,
          limits.calls_per_second_max,
          limits.expansions_per_second_max};
}

// Requests are taken as they come: a compressed one may be a thousand times its size, and gRPC 1.51
// checks the size only before it is made larger. So compressed requests are UNIMPLEMENTED.
void refuse_compression(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
}

void set_arguments(grpc::ServerBuilder& builder, const Limits& limits) {
  builder.SetMaxReceiveMessageSize(kMessageBytesMax);
  // Each stream of reflection holds a thread; more of them are refused.
  grpc::ResourceQuota quota("repathd");
  quota.SetMaxThreads(kReflectionThreadsMax);
  builder.SetResourceQuota(quota);
  refuse_compression(builder);
  const std::pair<const char*, std::uint64_t> arguments[] = {
      {GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs},
      {GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs},
      {GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1},
      {GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0},
      {GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kPingIntervalMs},
      {GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMs},
      {GRPC_ARG_MAX_CONCURRENT_STREAMS, limits.streams_per_connection_max},
  };
  for (const auto& [name, value] : arguments)
    builder.AddChannelArgument(name, static_cast<int>(value));
}

}  // namespace

struct RpcServer::Services {
  Services(Registry& registry, Access* given, const ConnectionTable& connections)
      : limits(registry.limits()),
        access(given != nullptr ? *given : open),
        calls(call_bounds(registry.limits()), connections, http_peer),
        judges{access, calls, http_peer, registry.threads().pressure(), registry.metrics()},
        world(registry),
        path(registry),
        agent(registry),
        debug(registry),
        admin(registry) {
    guard("WorldService", world);
    guard("PathService", path);
    guard("AgentService", agent);
    guard("DebugService", debug);
    guard("AdminService", admin);
  }
  void guard(const std::string& name, grpc::Service& service) {
    const auto* descriptor =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName("repath.v1." + name);
    REPATH_CHECK(descriptor != nullptr);
    for (auto* const of_server : {&guarded, &guarded_within})
      of_server->push_back(std::make_unique<GuardedService>(*descriptor, service, judges));
  }

  // Sets what all servers of the process have alike.
  void add_to(grpc::ServerBuilder& builder,
              const std::vector<std::unique_ptr<GuardedService>>& of_server) {
    set_arguments(builder, limits);
    builder.SetContextAllocator(calls.contexts());
    builder.experimental().SetInterceptorCreators(call_meters(judges.metrics, calls));
    for (const auto& service : of_server) builder.RegisterService(service.get());
  }
  // Starts a server that listens nowhere. Returns null if gRPC does not start it.
  std::unique_ptr<grpc::Server> start_within() {
    grpc::ServerBuilder builder;
    add_to(builder, guarded_within);
    builder.SetOption(std::make_unique<NoReflection>());
    return builder.BuildAndStart();
  }

  const Limits& limits;
  Access open;
  Access& access;
  const PassedPeer http_peer;
  CallLedger calls;
  const Judges judges;
  WorldService world;
  PathService path;
  AgentService agent;
  DebugService debug;
  AdminService admin;
  // Credentials of the addresses with TLS. gRPC asks them for certificates for as long as it
  // listens.
  std::vector<std::shared_ptr<grpc::ServerCredentials>> tls;
  // Registered in place of the services, at the server and at the one within the process.
  std::vector<std::unique_ptr<GuardedService>> guarded;
  std::vector<std::unique_ptr<GuardedService>> guarded_within;
};

// The addresses, and what goes on there beside gRPC.
struct RpcServer::Listening {
  Listening(const Limits& limits, const Pressure& pressure)
      : acceptor(connection_bounds(limits), pressure, [this] {
          if (calls != nullptr) calls->sweep(now_us());
        }) {}

  // Listens on one address; returns it with its port.
  absl::StatusOr<std::string> open(const std::string& address, bool has_tls,
                                   std::unique_ptr<Acceptor::Receiver> to) {
    if (!is_unix(address)) return acceptor.listen_tcp(address, !has_tls, std::move(to));
    REPATH_ASSIGN_OR_RETURN(UnixSocket socket, UnixSocket::prepare(address.substr(kUnix.size())));
    REPATH_RETURN_IF_ERROR(acceptor.listen_unix(socket.bind_path(), std::move(to)));
    sockets.push_back(std::move(socket));
    return address;
  }

  CallLedger* calls = nullptr;  // set before the acceptor starts
  std::vector<UnixSocket> sockets;
  Acceptor acceptor;
};

RpcServer::RpcServer(std::unique_ptr<Services> services, std::unique_ptr<Listening> listening,
                     std::unique_ptr<grpc::Server> server, std::unique_ptr<grpc::Server> within,
                     std::vector<std::string> addresses)
    : services_(std::move(services)),
      listening_(std::move(listening)),
      server_(std::move(server)),
      within_(std::move(within)),
      addresses_(std::move(addresses)) {}

RpcServer::~RpcServer() {
  shut_down(0);
  close_channel();
}

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::start(const std::vector<std::string>& listen,
                                                            Registry& registry,
                                                            const Protection& protection) {
  // Protobuf would log a line for every string of a request that is not UTF-8; the client gets an
  // error instead.
  google::protobuf::SetLogHandler(nullptr);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto listening = std::make_unique<Listening>(registry.limits(), registry.threads().pressure());
  auto services =
      std::make_unique<Services>(registry, protection.access, listening->acceptor.table());
  listening->calls = &services->calls;
  grpc::ServerBuilder builder;
  services->add_to(builder, services->guarded);
  if (!protection.has_reflection) builder.SetOption(std::make_unique<NoReflection>());
  using From = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  std::vector<std::string> addresses;
  for (const std::string& address : listen) {
    const bool has_tls = protection.tls != nullptr && !is_unix(address);
    if (has_tls) services->tls.push_back(tls_credentials(*protection.tls));
    const auto credentials = has_tls ? services->tls.back() : grpc::InsecureServerCredentials();
    auto external =
        builder.experimental().AddExternalConnectionAcceptor(From::FROM_FD, credentials);
    REPATH_ASSIGN_OR_RETURN(
        std::string opened,
        listening->open(address, has_tls, std::make_unique<ToGrpc>(std::move(external))));
    addresses.push_back(std::move(opened));
  }
  auto within = services->start_within();
  auto server = builder.BuildAndStart();
  if (server == nullptr || within == nullptr)
    return cannot_listen(listen.front(), "gRPC does not start");
  for (UnixSocket& socket : listening->sockets) {
    absl::Status status = socket.publish();
    if (status.ok()) continue;
    server->Shutdown();
    return status;
  }
  for (const char* name : kServiceNames)
    server->GetHealthCheckService()->SetServingStatus(name, true);
  listening->acceptor.start();
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(services), std::move(listening),
                                                  std::move(server), std::move(within),
                                                  std::move(addresses)));
}

std::shared_ptr<grpc::Channel> RpcServer::channel() const {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // answers are bounded where they are made
  return within_->InProcessChannel(arguments);
}

const PassedPeer& RpcServer::http_peer() const { return services_->http_peer; }

absl::StatusOr<std::string> RpcServer::admit(const google::protobuf::MethodDescriptor& method,
                                             const Credentials& caller,
                                             const std::string& peer) const {
  const auto allowed = CallAccess::decide(services_->access, rule_of(method.full_name()), caller);
  std::string client;
  absl::Status status = allowed.status();
  if (status.ok()) {
    client = allowed->caller_name();
    if (client.empty()) client = address_of_peer(peer);
    status = services_->calls.count_ahead(client);
  }
  if (status.ok()) return client;
  services_->judges.metrics.count_call("/" + method.service()->full_name() + "/" + method.name(),
                                       absl::StatusCodeToString(status.code()), 0);
  return status;
}

bool RpcServer::answers() const { return listening_->acceptor.answers(); }

std::string RpcServer::metrics_text() const {
  return listening_->acceptor.metrics_text() + services_->calls.metrics_text();
}

void RpcServer::set_not_serving() {
  auto* health = server_->GetHealthCheckService();
  for (const char* name : kServiceNames) health->SetServingStatus(name, false);
  health->SetServingStatus(false);
}

void RpcServer::shut_down(std::uint64_t timeout_ms) {
  listening_->acceptor.stop_listening();
  services_->calls.hurry();
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(timeout_ms));
  server_->Wait();
}

void RpcServer::close_channel() {
  within_->Shutdown(std::chrono::system_clock::now());
  within_->Wait();
  listening_->acceptor.stop();
}

}  // namespace repath

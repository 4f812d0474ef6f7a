#include "rpc/call_meter.h"

#include <google/protobuf/descriptor.h>
#include <grpc/grpc.h>

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/check.h"
#include "rpc/server.h"

namespace repath {
namespace {

constexpr std::string_view kApi = "/repath.v1.";

// Counts every call of a method that the server does not have: clients may ask for any name.
constexpr std::string_view kUnknownMethod = "unknown";

using Methods = std::set<std::string, std::less<>>;

// Returns the methods of the API and those that gRPC serves itself, each as a call names it.
Methods served_methods() {
  Methods served{"/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch",
                 "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"};
  for (const char* name : kServiceNames) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    REPATH_CHECK(service != nullptr);
    for (int i = 0; i < service->method_count(); ++i)
      served.insert("/" + service->full_name() + "/" + service->method(i)->name());
  }
  return served;
}

// Counts one call.
class CallMeter final : public grpc::experimental::Interceptor {
 public:
  // `name` is the method in the metrics.
  CallMeter(Metrics& metrics, CallLedger& calls, grpc::experimental::ServerRpcInfo& call,
            std::string_view name)
      : metrics_(metrics),
        calls_(calls),
        context_(dynamic_cast<CallLedger::Context*>(call.server_context())),
        name_(name) {
    // The guard counts the calls of the API.
    const std::string_view method = call.method();
    is_of_api_ = method.substr(0, kApi.size()) == kApi;
    if (context_ == nullptr || is_of_api_) return;
    if (!calls_.begin(*context_, "", {.is_of_grpc = true}).ok())
      grpc_call_cancel(context_->c_call(), nullptr);
  }
  // A call that ended without a status from this server was given up by its client.
  ~CallMeter() override {
    if (!is_counted_.load(std::memory_order_relaxed)) count(grpc::StatusCode::CANCELLED);
  }

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    if (context_ != nullptr) note(*batch);
    if (batch->QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS))
      count(batch->GetSendStatus().error_code());
    batch->Proceed();
  }

 private:
  using Hook = grpc::experimental::InterceptionHookPoints;

  void count(grpc::StatusCode code) {
    is_counted_.store(true, std::memory_order_relaxed);
    metrics_.count_call(name_, name_of(code), now_us() - begun_);
  }

  // Tells the ledger which answers go out. An answer comes with its status, a message of a stream
  // without.
  void note(grpc::experimental::InterceptorBatchMethods& batch) {
    const bool has_message = batch.QueryInterceptionHookPoint(Hook::PRE_SEND_MESSAGE);
    if (batch.QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS)) {
      grpc::ByteBuffer* const bytes = has_message ? batch.GetSerializedSendMessage() : nullptr;
      const absl::Status full = CallLedger::answering(*context_, bytes ? bytes->Length() : 0);
      if (full.ok()) return;
      bytes->Clear();
      batch.ModifySendStatus(to_grpc(full));
    } else if (is_of_api_) {
      return;  // its stream's writer tells
    } else if (has_message) {
      (void)CallLedger::sending(*context_, 0);  // of health: a few bytes
    } else if (batch.QueryInterceptionHookPoint(Hook::POST_SEND_MESSAGE)) {
      CallLedger::sent(*context_);
    }
  }

  Metrics& metrics_;
  CallLedger& calls_;
  CallLedger::Context* const context_;  // null: of reflection, which has threads instead
  bool is_of_api_ = false;
  const std::string_view name_;  // in the table of the methods, or a literal
  const Micros begun_ = now_us();
  std::atomic<bool> is_counted_{false};  // a stream's reads and its end may come at the same time
};

class CallMeters final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  CallMeters(Metrics& metrics, CallLedger& calls) : metrics_(metrics), calls_(calls) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    if (info->method() == kFindPathMethod) return nullptr;
    const auto served = served_.find(std::string_view(info->method()));
    return new CallMeter(metrics_, calls_, *info,
                         served == served_.end() ? kUnknownMethod : std::string_view(*served));
  }

 private:
  Metrics& metrics_;
  CallLedger& calls_;
  const Methods served_ = served_methods();
};

}  // namespace

std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> call_meters(
    Metrics& metrics, CallLedger& calls) {
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> meters;
  meters.push_back(std::make_unique<CallMeters>(metrics, calls));
  return meters;
}

}  // namespace repath

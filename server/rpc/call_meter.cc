#include "rpc/call_meter.h"

#include <atomic>

namespace repath {
namespace {

// Counts one call.
class CallMeter final : public grpc::experimental::Interceptor {
 public:
  CallMeter(Metrics& metrics, const char* method) : metrics_(metrics), method_(method) {}
  // A call that ended without a status from this server was given up by its client.
  ~CallMeter() override {
    if (!is_counted_.load(std::memory_order_relaxed)) count(grpc::StatusCode::CANCELLED);
  }

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    using Hook = grpc::experimental::InterceptionHookPoints;
    if (batch->QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS))
      count(batch->GetSendStatus().error_code());
    batch->Proceed();
  }

 private:
  void count(grpc::StatusCode code) {
    is_counted_.store(true, std::memory_order_relaxed);
    metrics_.count_call(method_, name_of(code), now_us() - begun_);
  }

  Metrics& metrics_;
  const std::string_view method_;  // owned by gRPC for the duration of the call
  const Micros begun_ = now_us();
  std::atomic<bool> is_counted_{false};  // a stream's reads and its end may come at the same time
};

class CallMeters final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit CallMeters(Metrics& metrics) : metrics_(metrics) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    if (info->method() == kFindPathMethod) return nullptr;
    return new CallMeter(metrics_, info->method());
  }

 private:
  Metrics& metrics_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> call_meters(
    Metrics& metrics) {
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> meters;
  meters.push_back(std::make_unique<CallMeters>(metrics));
  return meters;
}

}  // namespace repath

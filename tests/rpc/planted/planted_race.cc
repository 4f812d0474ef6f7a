// Calls a handler with a planted race from several clients at once. It passes in a normal build;
// under ThreadSanitizer it must end with a report (tests/run.sh, tsan-rpc).
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "rpc/fixture.h"

namespace repath {
namespace {

constexpr int kClients = 4;
constexpr int kCalls = 500;

class Planted : public test::Server {
 protected:
  // A client with a separate connection, so that no lock of another connection orders its calls.
  void ask_often() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto channel = grpc::CreateCustomChannel(server_->addresses().front(),
                                                   grpc::InsecureChannelCredentials(), arguments);
    const auto stub = v1::DebugService::NewStub(channel);
    v1::GetStatsRequest request;
    request.set_world("square");
    for (int i = 0; i < kCalls; ++i) {
      test::Context context;
      v1::GetStatsResponse response;
      EXPECT_TRUE(stub->GetStats(&context, request, &response).ok());
    }
  }
};

TEST_F(Planted, ManyClientsAtOneHandler) {
  import_square("square", false);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) clients.emplace_back([this] { ask_often(); });
  for (std::thread& client : clients) client.join();
}

}  // namespace
}  // namespace repath

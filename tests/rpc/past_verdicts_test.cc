// AgentService.ListVerdicts over a socket.
#include <thread>

#include "rpc/fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

class PastVerdictsTest : public Server {
 protected:
  grpc::Status list(std::uint64_t agent, std::uint32_t limit, v1::ListVerdictsResponse* response) {
    v1::ListVerdictsRequest request;
    request.set_world("hall");
    request.set_agent_id(agent);
    request.set_limit(limit);
    Context context;
    return agents_->ListVerdicts(&context, request, response);
  }
  // Lists them once there are `count`.
  v1::ListVerdictsResponse wait_for(std::uint64_t agent, int count) {
    v1::ListVerdictsResponse response;
    for (int i = 0; i < 500 && response.verdicts_size() < count; ++i) {
      response.Clear();
      EXPECT_TRUE(list(agent, 0, &response).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(response.verdicts_size(), count);
    return response;
  }
};

TEST_F(PastVerdictsTest, SayWhyAnAgentTurnedThoughNobodyWatched) {
  import_square("hall", /*lockstep=*/false);
  v1::UpsertAgentsRequest request;
  request.set_world("hall");
  auto* agent = request.add_agents();
  agent->set_id(7);
  set_cell(4, 0, agent->mutable_position());
  set_cell(4, 4, agent->add_goals());
  Context context;
  v1::UpsertAgentsResponse upserted;
  ASSERT_TRUE(agents_->UpsertAgents(&context, request, &upserted).ok());
  wait_for(7, 1);
  const auto shut = apply(shut_door("hall"));
  v1::ListVerdictsResponse past = wait_for(7, 3);
  EXPECT_EQ(past.verdicts(0).type(), v1::EVENT_TYPE_NEW_PATH);
  EXPECT_GT(past.verdicts(0).cost(), 0);
  EXPECT_EQ(past.verdicts(1).type(), v1::EVENT_TYPE_INVALIDATED);
  EXPECT_EQ(past.verdicts(1).cause_revisions(0), shut.revision());
  EXPECT_EQ(past.verdicts(1).cause_obstacles(0), 1u);
  EXPECT_EQ(past.verdicts(2).type(), v1::EVENT_TYPE_UNREACHABLE);
  ASSERT_EQ(past.ages_ms_size(), 3);
  EXPECT_GE(past.ages_ms(0), past.ages_ms(2));

  v1::ListVerdictsResponse newest;
  ASSERT_TRUE(list(7, 1, &newest).ok());
  ASSERT_EQ(newest.verdicts_size(), 1);
  EXPECT_EQ(newest.verdicts(0).type(), v1::EVENT_TYPE_UNREACHABLE);

  expect_fault(list(8, 0, &newest), grpc::StatusCode::NOT_FOUND, "AGENT_UNKNOWN", "agent_id");
  expect_fault(list(7, 65, &newest), grpc::StatusCode::INVALID_ARGUMENT, "OUT_OF_RANGE", "limit");
}

}  // namespace
}  // namespace repath

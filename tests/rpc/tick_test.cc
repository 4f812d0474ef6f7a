// Tick over the wire: its barrier and its deadline.
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "rpc/fixture.h"
#include "unit/runtime/planted_world.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class TickCalls : public test::Server {
 protected:
  TickCalls() {
    registry_.wrap_worlds_for_test([this](std::unique_ptr<EngineWorld> real) {
      auto planted = std::make_unique<test::PlantedWorld>(std::move(real), threads_.planners());
      planted_ = planted.get();
      return planted;
    });
  }
  grpc::Status tick(const std::string& session, std::uint64_t after_sequence,
                    v1::TickResponse* response, std::chrono::milliseconds most) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + most);
    v1::TickRequest request;
    request.set_world("w");
    request.set_session_id(session);
    request.set_after_sequence(after_sequence);
    request.set_budget_work_units(1'000'000'000'000);
    return agents_->Tick(&context, request, response);
  }
  static v1::SessionRequest upsert(std::uint64_t sequence) {
    v1::SessionRequest request;
    request.set_sequence(sequence);
    auto* agent = request.mutable_upsert()->add_agents();
    agent->set_id(sequence);
    set_cell(0, 0, agent->mutable_position());
    set_cell(9, 4, agent->add_goals());
    return request;
  }

  test::PlantedWorld* planted_ = nullptr;  // owned by the world
};

TEST_F(TickCalls, WaitsForTheSessionsMessagesAndPlansForThem) {
  import_square("w", /*lockstep=*/true);
  Context context;
  auto session = agents_->Session(&context);
  v1::SessionRequest open;
  open.set_sequence(1);
  open.mutable_open()->set_world("w");
  open.mutable_open()->set_session_id("s");
  session->Write(open);
  v1::SessionResponse opened;
  ASSERT_TRUE(session->Read(&opened));
  v1::TickResponse ticked;
  auto status = std::async(std::launch::async,
                           [&] { return tick("s", 3, &ticked, std::chrono::seconds(20)); });
  session->Write(upsert(2));
  EXPECT_EQ(status.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  session->Write(upsert(3));
  ASSERT_TRUE(status.get().ok());
  EXPECT_EQ(ticked.applied_sequence(), 3u);
  EXPECT_EQ(ticked.backlog(), 0u);
  EXPECT_GE(ticked.last_batch_number(), 1u);
}

TEST_F(TickCalls, AWaitWithoutASessionIsRefusedAndOneWithoutMessagesEndsWithTheDeadline) {
  import_square("w", /*lockstep=*/true);
  v1::TickResponse ticked;
  expect_fault(tick("", 3, &ticked, std::chrono::seconds(20)), grpc::INVALID_ARGUMENT,
               "SESSION_MISSING", "after_sequence");
  expect_fault(tick("t", 3, &ticked, std::chrono::seconds(20)), grpc::NOT_FOUND, "SESSION_UNKNOWN",
               "session_id");
  Context context;
  auto session = agents_->Session(&context);
  v1::SessionRequest open;
  open.set_sequence(1);
  open.mutable_open()->set_world("w");
  open.mutable_open()->set_session_id("s");
  session->Write(open);
  v1::SessionResponse opened;
  ASSERT_TRUE(session->Read(&opened));
  EXPECT_EQ(tick("s", 3, &ticked, std::chrono::milliseconds(100)).error_code(),
            grpc::DEADLINE_EXCEEDED);
}

TEST_F(TickCalls, ADeadlineEndsALongOneAndTheWorldGoesOn) {
  import_square("w", /*lockstep=*/true);
  planted_->plant(test::Plant::kEndlessPlan);
  v1::TickResponse ticked;
  EXPECT_EQ(tick("", 0, &ticked, std::chrono::milliseconds(200)).error_code(),
            grpc::DEADLINE_EXCEEDED);
  planted_->plant(test::Plant::kNone);
  EXPECT_TRUE(tick("", 0, &ticked, std::chrono::seconds(20)).ok());
  EXPECT_EQ(ticked.frame(), 2u);
}

// Else the world would keep agents although their caller has got an error.
TEST_F(TickCalls, AnUpsertWhoseDeadlinePassedBehindOneHasNoEffect) {
  import_square("w", /*lockstep=*/true);
  planted_->plant(test::Plant::kEndlessPlan);
  v1::TickResponse ticked;
  auto tick_status = std::async(std::launch::async, [&] {
    return tick("", 0, &ticked, std::chrono::milliseconds(1200)).error_code();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  grpc::ClientContext late;
  late.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  v1::UpsertAgentsRequest request;
  request.set_world("w");
  *request.add_agents() = upsert(1).upsert().agents(0);
  v1::UpsertAgentsResponse upserted;
  EXPECT_EQ(agents_->UpsertAgents(&late, request, &upserted).error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_EQ(tick_status.get(), grpc::DEADLINE_EXCEEDED);
  planted_->plant(test::Plant::kNone);
  v1::ListAgentsRequest list;
  list.set_world("w");
  v1::ListAgentsResponse listed;
  Context context;
  ASSERT_TRUE(agents_->ListAgents(&context, list, &listed).ok());
  EXPECT_EQ(listed.agents_size(), 0);
}

}  // namespace
}  // namespace repath

// The status of every call and stream of a world in which a check failed, as clients see it.
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rpc/fixture.h"
#include "unit/runtime/planted_world.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;
using test::Plant;

class QuarantineCalls : public test::Server {
 protected:
  QuarantineCalls() {
    registry_.wrap_worlds_for_test([this](std::unique_ptr<EngineWorld> real) {
      auto planted = std::make_unique<test::PlantedWorld>(std::move(real), threads_.planners());
      planted_.push_back(planted.get());
      return planted;
    });
  }

  static void expect_quarantined(const grpc::Status& status) {
    expect_fault(status, grpc::FAILED_PRECONDITION, "QUARANTINED", "world");
    const auto metadata = test::fault_of(status).metadata;
    ASSERT_EQ(metadata.count("check"), 1u);
    EXPECT_NE(metadata.at("check").find("planted"), std::string::npos);
  }
  static v1::UpsertAgentsRequest walker(const std::string& world) {
    v1::UpsertAgentsRequest request;
    request.set_world(world);
    auto* agent = request.add_agents();
    agent->set_id(1);
    set_cell(0, 0, agent->mutable_position());
    set_cell(9, 4, agent->add_goals());
    return request;
  }
  static v1::FindPathRequest across(const std::string& world) {
    v1::FindPathRequest request;
    request.set_world(world);
    set_cell(0, 0, request.mutable_from());
    set_cell(9, 4, request.add_goals());
    return request;
  }
  template <class Stub, class Method, class Request, class Response>
  static grpc::Status call(Stub& stub, Method method, const Request& request, Response* response) {
    Context context;
    return (stub.*method)(&context, request, response);
  }

  // Returns the result of each call once, in any order.
  std::vector<grpc::Status> every_call() {
    using Worlds = v1::WorldService::Stub;
    using Agents = v1::AgentService::Stub;
    std::vector<grpc::Status> ended;
    v1::ApplyChangesResponse applied;
    ended.push_back(call(*worlds_, &Worlds::ApplyChanges, shut_door("bad"), &applied));
    v1::TestChangesRequest test;
    test.set_world("bad");
    *test.mutable_batch() = shut_door("bad").batch();
    v1::TestChangesResponse tested;
    ended.push_back(call(*worlds_, &Worlds::TestChanges, test, &tested));
    v1::ReadChangesRequest read;
    read.set_world("bad");
    v1::ReadChangesResponse changes;
    ended.push_back(call(*worlds_, &Worlds::ReadChanges, read, &changes));
    v1::UpsertAgentsResponse upserted;
    ended.push_back(call(*agents_, &Agents::UpsertAgents, walker("bad"), &upserted));
    v1::RemoveAgentsRequest remove;
    remove.set_world("bad");
    remove.add_agent_ids(1);
    v1::RemoveAgentsResponse removed;
    ended.push_back(call(*agents_, &Agents::RemoveAgents, remove, &removed));
    v1::ListAgentsRequest list;
    list.set_world("bad");
    v1::ListAgentsResponse listed;
    ended.push_back(call(*agents_, &Agents::ListAgents, list, &listed));
    v1::TickRequest tick;
    tick.set_world("bad");
    v1::TickResponse ticked;
    ended.push_back(call(*agents_, &Agents::Tick, tick, &ticked));
    v1::FindPathResponse path;
    ended.push_back(call(*paths_, &v1::PathService::Stub::FindPath, across("bad"), &path));
    v1::FindPlacementsRequest towers;
    towers.set_world("bad");
    towers.set_width(1);
    towers.set_height(1);
    v1::FindPlacementsResponse placed;
    ended.push_back(call(*paths_, &v1::PathService::Stub::FindPlacements, towers, &placed));
    v1::GetStatsRequest stats;
    stats.set_world("bad");
    v1::GetStatsResponse counted;
    ended.push_back(call(*debug_, &v1::DebugService::Stub::GetStats, stats, &counted));
    return ended;
  }
  v1::World get(const std::string& name) {
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World world;
    const grpc::Status status = call(*worlds_, &v1::WorldService::Stub::GetWorld, request, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }

  std::vector<test::PlantedWorld*> planted_;  // by world, in order; owned by the worlds
};

TEST_F(QuarantineCalls, EveryStreamAndCallSaysSoAndTheWorldCanBeDeletedAndMadeAgain) {
  import_square("bad", /*lockstep=*/true);
  import_square("good", /*lockstep=*/true);
  Context session_context, paths_context, world_context;
  auto session = agents_->Session(&session_context);
  v1::SessionRequest open;
  open.set_sequence(1);
  open.mutable_open()->set_world("bad");
  session->Write(open);
  v1::SessionResponse opened;
  ASSERT_TRUE(session->Read(&opened));
  v1::WatchPathsRequest watch_paths;
  watch_paths.set_world("bad");
  auto paths = agents_->WatchPaths(&paths_context, watch_paths);
  v1::WatchWorldRequest watch_world;
  watch_world.set_world("bad");
  auto changes = worlds_->WatchWorld(&world_context, watch_world);
  v1::WatchWorldResponse change;
  ASSERT_TRUE(changes->Read(&change));

  planted_[0]->plant(Plant::kPlan);
  v1::TickRequest tick;
  tick.set_world("bad");
  v1::TickResponse ticked;
  expect_quarantined(call(*agents_, &v1::AgentService::Stub::Tick, tick, &ticked));

  while (session->Read(&opened)) continue;
  expect_quarantined(session->Finish());
  v1::EventBatch batch;
  while (paths->Read(&batch)) continue;
  expect_quarantined(paths->Finish());
  while (changes->Read(&change)) continue;
  expect_quarantined(changes->Finish());
  for (const grpc::Status& status : every_call()) expect_quarantined(status);
  Context late_context;
  auto late = agents_->WatchPaths(&late_context, watch_paths);
  EXPECT_FALSE(late->Read(&batch));
  expect_quarantined(late->Finish());

  const v1::World world = get("bad");
  EXPECT_EQ(world.state(), v1::WORLD_STATE_QUARANTINED);
  EXPECT_NE(world.quarantine_reason().find("planted in plan"), std::string::npos);
  EXPECT_EQ(get("good").state(), v1::WORLD_STATE_SERVING);
  EXPECT_EQ(get("good").quarantine_reason(), "");
  v1::ListWorldsResponse listed;
  ASSERT_TRUE(
      call(*worlds_, &v1::WorldService::Stub::ListWorlds, v1::ListWorldsRequest(), &listed).ok());
  ASSERT_EQ(listed.worlds_size(), 2);
  EXPECT_EQ(listed.worlds(0).state(), v1::WORLD_STATE_QUARANTINED);

  tick.set_world("good");
  EXPECT_TRUE(call(*agents_, &v1::AgentService::Stub::Tick, tick, &ticked).ok());
  v1::DeleteWorldRequest remove;
  remove.set_world("bad");
  v1::DeleteWorldResponse removed;
  EXPECT_TRUE(call(*worlds_, &v1::WorldService::Stub::DeleteWorld, remove, &removed).ok());
  EXPECT_EQ(import_square("bad", false).state(), v1::WORLD_STATE_SERVING);
  EXPECT_EQ(apply(shut_door("bad")).revision(), 2u);
}

TEST_F(QuarantineCalls, CallsThatWaitedBehindTheFailureEndWithIt) {
  import_square("bad", /*lockstep=*/true);
  std::promise<void> go;
  (*registry_.find("bad"))->run_for_test([wait = go.get_future().share()](Engine&) {
    wait.wait();
    REPATH_CHECK(false && "planted while calls wait");
  });
  std::vector<grpc::Status> ended;
  std::thread caller([&] { ended = every_call(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  go.set_value();
  caller.join();
  ASSERT_EQ(ended.size(), 10u);
  for (const grpc::Status& status : ended) expect_quarantined(status);
}

TEST_F(QuarantineCalls, ACheckThatFailsForAQueryIsItsStatus) {
  import_square("bad", false);
  import_square("good", false);
  planted_[0]->plant(Plant::kCapture);
  v1::FindPathResponse path;
  expect_quarantined(call(*paths_, &v1::PathService::Stub::FindPath, across("bad"), &path));
  EXPECT_TRUE(call(*paths_, &v1::PathService::Stub::FindPath, across("good"), &path).ok());
  EXPECT_EQ(get("bad").state(), v1::WORLD_STATE_QUARANTINED);
}

// A query reads a snapshot alone, so its failure damages nothing.
TEST_F(QuarantineCalls, ACheckThatFailsInTheSearchOfAQueryEndsThatCallAlone) {
  import_square("bad", false);
  planted_[0]->plant(Plant::kQuery);
  const auto expect_failed = [](const grpc::Status& status) {
    expect_fault(status, grpc::INTERNAL, "CHECK_FAILED", "");
    EXPECT_NE(test::fault_of(status).metadata.at("check").find("REPATH_CHECK"), std::string::npos);
  };
  v1::FindPathResponse path;
  for (int i = 0; i < 3; ++i)  // on a query thread, then on the thread that brings the call
    expect_failed(call(*paths_, &v1::PathService::Stub::FindPath, across("bad"), &path));
  v1::FindPathsRequest several;
  several.set_world("bad");
  *several.add_requests() = across("bad");
  v1::FindPathsResponse found;
  expect_failed(call(*paths_, &v1::PathService::Stub::FindPaths, several, &found));
  EXPECT_EQ(get("bad").state(), v1::WORLD_STATE_SERVING);
  EXPECT_NE(registry_.metrics_text().find("\nrepath_quarantines_total 0\n"), std::string::npos);
  planted_[0]->plant(Plant::kNone);
  EXPECT_EQ(apply(shut_door("bad")).revision(), 2u);
  EXPECT_TRUE(call(*paths_, &v1::PathService::Stub::FindPath, across("bad"), &path).ok());
}

}  // namespace
}  // namespace repath

// Worlds made of other worlds, in memory and on the disk.
#include <map>
#include <string>
#include <vector>

#include "rpc/access_fixture.h"
#include "rpc/data_fixture.h"
#include "rpc/map_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;
using test::fault_of;
using test::import_changed;
using test::kMaps;

class MemoryForks : public test::Server {
 protected:
  grpc::Status fork(const std::string& source, const std::string& name, std::uint64_t revision = 0,
                    v1::World* world = nullptr, const std::string& request_id = "") {
    Context context;
    v1::ForkWorldRequest request;
    request.set_source(source);
    request.set_name(name);
    request.set_revision(revision);
    request.set_request_id(request_id);
    v1::World made;
    return worlds_->ForkWorld(&context, request, world == nullptr ? &made : world);
  }
  v1::World get(const std::string& name) {
    Context context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World world;
    EXPECT_TRUE(worlds_->GetWorld(&context, request, &world).ok());
    return world;
  }
  v1::World made(const std::string& source, const std::string& name, std::uint64_t revision = 0) {
    v1::World world;
    const grpc::Status status = fork(source, name, revision, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }
  // Makes another revision of a world of any kind.
  void add_profile(const std::string& world) {
    v1::ApplyChangesRequest request;
    request.set_world(world);
    request.mutable_batch()->add_add_profiles()->set_name("wide");
    EXPECT_EQ(apply(request).revision(), 3u);
  }
  // Blocks one more cell of the square; returns the answers for revisions 2, 3, ...
  std::vector<v1::ApplyChangesResponse> block_cells(const std::string& world, int count) {
    std::vector<v1::ApplyChangesResponse> answers;
    for (int i = 0; i < count; ++i) {
      v1::ApplyChangesRequest request = shut_door(world);
      v1::Obstacle* obstacle = request.mutable_batch()->mutable_upsert_obstacles(0);
      obstacle->set_id(10 + static_cast<std::uint64_t>(i));
      obstacle->mutable_cells()->set_x0(i);
      obstacle->mutable_cells()->set_x1(i + 1);
      answers.push_back(apply(request));
    }
    return answers;
  }
};

TEST_F(MemoryForks, AForkEqualsItsSourceAtAnyRevisionThatIsKept) {
  const v1::World source = import_square("source", false);
  const auto answers = block_cells("source", 6);
  EXPECT_EQ(made("source", "first", 1).state_hash(), source.state_hash());
  for (const auto& answer : answers) {
    const v1::World world =
        made("source", "r" + std::to_string(answer.revision()), answer.revision());
    EXPECT_EQ(world.revision(), answer.revision());
    EXPECT_EQ(world.state_hash(), answer.state_hash());
    EXPECT_NE(world.epoch(), source.epoch());
    EXPECT_EQ(world.oldest_revision(), answer.revision() + 1);
  }
  EXPECT_EQ(made("source", "now").state_hash(), answers.back().state_hash());
  // Both go on without each other.
  EXPECT_EQ(block_cells("r3", 1).front().revision(), 4u);
  EXPECT_EQ(get("source").state_hash(), answers.back().state_hash());
  // A fork in memory can be copied as it is now.
  EXPECT_EQ(made("r3", "again").state_hash(), get("r3").state_hash());
  const grpc::Status gone = fork("r3", "earlier", 3);
  expect_fault(gone, grpc::OUT_OF_RANGE, "HISTORY_GONE", "revision");
  EXPECT_EQ(fault_of(gone).metadata.at("oldest_revision"), "4");
}

TEST_F(MemoryForks, WorldsOfAllKindsAreForked) {
  for (const std::string& map : kMaps) {
    const auto changed = import_changed(*worlds_, map, map);
    EXPECT_EQ(made(map, map + ".now").state_hash(), changed.state_hash()) << map;
    EXPECT_EQ(made(map, map + ".1", 1).revision(), 1u) << map;
    // The records that are applied again must give the hashes that they had.
    import_changed(*worlds_, map + ".more", map);
    add_profile(map + ".more");
    EXPECT_EQ(made(map + ".more", map + ".2", 2).state_hash(), changed.state_hash()) << map;
  }
}

TEST_F(MemoryForks, BatchesThatAreDroppedEndTheWayBack) {
  Context context;
  v1::CreateWorldRequest request;
  request.set_name("short");
  request.set_width(10);
  request.set_height(10);
  request.mutable_options()->set_history_revisions(3);
  v1::World world;
  ASSERT_TRUE(worlds_->CreateWorld(&context, request, &world).ok());
  block_cells("short", 3);
  EXPECT_EQ(made("short", "a", 2).revision(), 2u);
  block_cells("short", 1);
  const grpc::Status gone = fork("short", "b", 2);
  expect_fault(gone, grpc::OUT_OF_RANGE, "HISTORY_GONE", "revision");
  EXPECT_EQ(fault_of(gone).metadata.at("oldest_revision"), "5");
  EXPECT_EQ(made("short", "b", 5).revision(), 5u);
}

TEST_F(MemoryForks, ErrorsNameTheirFieldAndLeaveNothing) {
  import_square("source", false);
  import_square("taken", false);
  expect_fault(fork("nobody", "new"), grpc::NOT_FOUND, "WORLD_UNKNOWN", "source");
  expect_fault(fork("source", "new", 9), grpc::OUT_OF_RANGE, "REVISION_NOT_YET", "revision");
  expect_fault(fork("source", "taken"), grpc::ALREADY_EXISTS, "WORLD_EXISTS", "name");
  expect_fault(fork("source", "source"), grpc::ALREADY_EXISTS, "WORLD_EXISTS", "name");
  expect_fault(fork("source", "no name"), grpc::INVALID_ARGUMENT, "NAME_INVALID", "name");
  expect_fault(fork("", "new"), grpc::INVALID_ARGUMENT, "NAME_INVALID", "source");
  expect_fault(fork("source", "new", 0, nullptr, std::string(129, 'x')), grpc::INVALID_ARGUMENT,
               "TOO_LONG", "request_id");
  Context context;
  v1::ListWorldsResponse listed;
  ASSERT_TRUE(worlds_->ListWorlds(&context, {}, &listed).ok());
  EXPECT_EQ(listed.worlds_size(), 2);
}

TEST_F(MemoryForks, ARepeatedRequestGetsItsFirstAnswer) {
  import_square("source", false);
  v1::World first;
  ASSERT_TRUE(fork("source", "new", 0, &first, "once").ok());
  block_cells("source", 2);
  v1::World again;
  ASSERT_TRUE(fork("source", "new", 0, &again, "once").ok());
  EXPECT_EQ(again.epoch(), first.epoch());
  EXPECT_EQ(again.revision(), 1u);
  expect_fault(fork("source", "other", 0, nullptr, "once"), grpc::INVALID_ARGUMENT,
               "REQUEST_ID_REUSED", "request_id");
}

TEST_F(MemoryForks, AgentsStayBehindAndStandingBodiesComeAlong) {
  import_square("source", false);
  v1::UpsertAgentsRequest upsert;
  upsert.set_world("source");
  v1::Agent* agent = upsert.add_agents();
  agent->set_id(5);
  set_cell(0, 0, agent->mutable_position());
  set_cell(8, 4, agent->add_goals());
  Context context;
  v1::UpsertAgentsResponse upserted;
  const grpc::Status status = agents_->UpsertAgents(&context, upsert, &upserted);
  ASSERT_TRUE(status.ok()) << status.error_message();
  v1::ApplyChangesRequest stand;
  stand.set_world("source");
  v1::Body* body = stand.mutable_batch()->add_stand();
  body->set_agent_id(7);
  body->mutable_cells()->set_x0(1);
  body->mutable_cells()->set_x1(2);
  body->mutable_cells()->set_y0(1);
  body->mutable_cells()->set_y1(2);
  apply(stand);
  made("source", "new");
  EXPECT_EQ(get("source").agents(), 1u);
  EXPECT_EQ(get("new").agents(), 0u);
  Context reading;
  v1::ListObstaclesRequest read;
  read.set_world("new");
  v1::ListObstaclesResponse listed;
  ASSERT_TRUE(worlds_->ListObstacles(&reading, read, &listed).ok());
  EXPECT_EQ(listed.bodies_size(), 1);
}

// ---- on the disk ----

class DurableForks : public test::Data {
 protected:
  v1::World made(const std::string& source, const std::string& name, std::uint64_t revision = 0) {
    v1::World world;
    const grpc::Status status = fork(source, name, revision, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }
};

TEST_F(DurableForks, AForkIsDurableAndEqualsItsSourceAtTheRevision) {
  ASSERT_TRUE(create("w").ok());
  const v1::World base = get("w");
  std::vector<v1::ApplyChangesResponse> answers;
  for (int x = 0; x < 6; ++x) answers.push_back(block(x));
  EXPECT_EQ(made("w", "base", 1).state_hash(), base.state_hash());
  EXPECT_EQ(made("w", "mid", 4).state_hash(), answers[2].state_hash());
  const v1::World now = made("w", "now");
  EXPECT_EQ(now.state_hash(), answers.back().state_hash());
  EXPECT_EQ(now.durable_revision(), 7u);
  EXPECT_EQ(now.incarnation(), 1u);
  EXPECT_EQ(block(8, "", v1::DURABILITY_UNSPECIFIED, "mid").revision(), 5u);
  const v1::World mid = get("mid");
  kill_and_start();
  EXPECT_EQ(get("base").state_hash(), base.state_hash());
  EXPECT_EQ(get("mid").state_hash(), mid.state_hash());
  EXPECT_EQ(get("now").state_hash(), now.state_hash());
  // A world that is not in memory can be forked, and the fork of a fork too.
  kill_and_start();
  EXPECT_EQ(made("w", "late", 3).state_hash(), answers[1].state_hash());
  EXPECT_EQ(made("mid", "of-mid", 4).state_hash(), answers[2].state_hash());
  expect_fault(fork("mid", "before", 3), grpc::OUT_OF_RANGE, "HISTORY_GONE", "revision");
  expect_fault(fork("w", "future", 99), grpc::OUT_OF_RANGE, "REVISION_NOT_YET", "revision");
}

TEST_F(DurableForks, WorldsOfAllKindsAreForked) {
  std::map<std::string, std::uint64_t> hashes;
  for (const std::string& map : kMaps) {
    hashes[map] = import_changed(*worlds_, map, map).state_hash();
    EXPECT_EQ(made(map, map + ".now").state_hash(), hashes[map]) << map;
    EXPECT_EQ(made(map, map + ".1", 1).revision(), 1u) << map;
  }
  kill_and_start();
  for (const std::string& map : kMaps) {
    EXPECT_EQ(get(map + ".now").state_hash(), hashes[map]) << map;
    EXPECT_EQ(get(map + ".now").kind(), get(map).kind());
    EXPECT_EQ(made(map + ".now", map + ".later").state_hash(), hashes[map]) << map;
  }
}

TEST_F(DurableForks, ARequestIdIsKnownOverARestart) {
  ASSERT_TRUE(create("w").ok());
  block(1);
  v1::World first;
  ASSERT_TRUE(fork("w", "new", 2, &first, "once").ok());
  kill_and_start();
  v1::World again;
  ASSERT_TRUE(fork("w", "new", 2, &again, "once").ok());
  EXPECT_EQ(again.epoch(), first.epoch());
  expect_fault(fork("w", "other", 2, nullptr, "once"), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
               "request_id");
}

TEST_F(DurableForks, HistorySaysWhenAndByWhichRequestOverARestart) {
  ASSERT_TRUE(create("w").ok());
  block(1, "by-hand");
  block(2);
  kill_and_start();
  Context context;
  v1::ReadChangesRequest read;
  read.set_world("w");
  read.set_start_revision(2);
  v1::ReadChangesResponse changes;
  ASSERT_TRUE(worlds_->ReadChanges(&context, read, &changes).ok());
  ASSERT_EQ(changes.changes_size(), 2);
  EXPECT_EQ(changes.changes(0).request_id(), "by-hand");
  EXPECT_EQ(changes.changes(1).request_id(), "");
  constexpr std::uint64_t kLongAgo = 1'780'000'000'000'000;
  EXPECT_GT(changes.changes(0).applied_at_us(), kLongAgo);
  EXPECT_GE(changes.changes(1).applied_at_us(), changes.changes(0).applied_at_us());
}

// ---- permissions ----

using ForkRights = test::Guarded;

TEST_F(ForkRights, BothWorldsAndBothScopesAreNeeded) {
  serve(test::token_line("all", "read,write,agents,admin", "*") +
        test::token_line("mine", "read,admin", "mine-*") + test::token_line("blind", "admin", "*"));
  const auto ask = [&](const std::string& token, const std::string& source,
                       const std::string& name) {
    Context context;
    context.AddMetadata("authorization", test::bearer(token));
    v1::ForkWorldRequest request;
    request.set_source(source);
    request.set_name(name);
    v1::World world;
    return worlds_->ForkWorld(&context, request, &world);
  };
  for (const char* name : {"mine-1", "theirs"}) {
    Context context;
    context.AddMetadata("authorization", test::bearer("all"));
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(4);
    request.set_height(4);
    v1::World world;
    ASSERT_TRUE(worlds_->CreateWorld(&context, request, &world).ok());
  }
  expect_fault(ask("mine", "theirs", "mine-2"), grpc::PERMISSION_DENIED, "WORLD_DENIED", "source");
  // The answer does not tell whether the world exists.
  expect_fault(ask("mine", "unmade", "mine-2"), grpc::PERMISSION_DENIED, "WORLD_DENIED", "source");
  expect_fault(ask("mine", "mine-1", "theirs-2"), grpc::PERMISSION_DENIED, "WORLD_DENIED", "name");
  expect_fault(ask("blind", "mine-1", "mine-2"), grpc::PERMISSION_DENIED, "SCOPE_MISSING", "");
  EXPECT_TRUE(ask("mine", "mine-1", "mine-2").ok());
}

}  // namespace
}  // namespace repath

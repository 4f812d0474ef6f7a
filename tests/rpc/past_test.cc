// Questions about worlds as they were. The peer is a fork at that revision.
#include <google/protobuf/util/message_differencer.h>

#include <string>
#include <thread>
#include <vector>

#include "rpc/data_fixture.h"
#include "rpc/map_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

// Leaves of an answer what does not depend on the searches before it. Of two cheapest paths either
// may be found.
void trim(v1::Path* path) {
  v1::Path kept;
  kept.set_status(path->status());
  kept.set_cost(path->cost());
  kept.set_revision(path->revision());
  *path = kept;
}
template <class Response>
void trim(Response* response) {
  if constexpr (requires { response->clear_epoch(); }) response->clear_epoch();
  if constexpr (requires { response->clear_expanded(); }) response->clear_expanded();
  if constexpr (requires { response->clear_generated(); }) response->clear_generated();
  if constexpr (requires { response->clear_peak_bytes(); }) response->clear_peak_bytes();
  if constexpr (requires { response->mutable_path(); }) trim(response->mutable_path());
  if constexpr (requires { response->mutable_responses(); })
    for (auto& one : *response->mutable_responses()) trim(&one);
}

// Asks the services what a world is and was.
template <class Base>
class Past : public Base {
 protected:
  template <class Stub, class Service, class Request, class Response>
  Response ask(Stub& stub,
               grpc::Status (Service::*method)(grpc::ClientContext*, const Request&, Response*),
               const Request& request) {
    Context context;
    Response response;
    const grpc::Status status = (stub.*method)(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message() << " " << request.ShortDebugString();
    trim(&response);
    return response;
  }
  // Asks `world` at `revision`, and `fork` as it is.
  template <class Stub, class Service, class Request, class Response>
  void expect_same(Stub& stub,
                   grpc::Status (Service::*method)(grpc::ClientContext*, const Request&, Response*),
                   Request request, const std::string& world, std::uint64_t revision,
                   const std::string& fork) {
    request.set_world(fork);
    const Response wanted = ask(stub, method, request);
    request.set_world(world);
    if constexpr (requires { request.set_at_revision(revision); }) {
      request.set_at_revision(revision);
    } else {
      request.mutable_options()->set_at_revision(revision);
    }
    const Response got = ask(stub, method, request);
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(got, wanted))
        << request.ShortDebugString() << "\n"
        << got.ShortDebugString() << "\nwanted\n"
        << wanted.ShortDebugString();
  }
  grpc::Status fork_at(const std::string& source, std::uint64_t revision, const std::string& name) {
    Context context;
    v1::ForkWorldRequest request;
    request.set_source(source);
    request.set_revision(revision);
    request.set_name(name);
    v1::World world;
    return this->worlds_->ForkWorld(&context, request, &world);
  }
  v1::Location random_place(const std::string& world, std::uint64_t seed) {
    v1::FindRandomPointRequest request;
    request.set_world(world);
    request.set_seed(seed);
    const auto found = ask(*this->paths_, &v1::PathService::Stub::FindRandomPoint, request);
    v1::Location place;
    *place.mutable_position() = found.position();
    return place;
  }

  void compare_queries(const std::string& world, std::uint64_t revision, const std::string& fork) {
    using Paths = v1::PathService::Stub;
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const v1::Location from = random_place(fork, seed);
      const v1::Location to = random_place(fork, seed + 100);
      v1::FindPathRequest path;
      *path.mutable_from() = from;
      *path.add_goals() = to;
      expect_same(*this->paths_, &Paths::FindPath, path, world, revision, fork);
      v1::FindPathsRequest paths;
      *paths.add_requests() = path;
      paths.add_requests()->CopyFrom(path);
      paths.mutable_requests(1)->mutable_walker()->set_team(3);
      expect_same(*this->paths_, &Paths::FindPaths, paths, world, revision, fork);
      v1::FindReachableRequest reachable;
      *reachable.mutable_from() = from;
      reachable.set_max_cost(20);
      expect_same(*this->paths_, &Paths::FindReachable, reachable, world, revision, fork);
      v1::GetFlowFieldRequest flow;
      *flow.add_goals() = to;
      expect_same(*this->paths_, &Paths::GetFlowField, flow, world, revision, fork);
      v1::FindNearestRequest nearest;
      *nearest.mutable_from() = from;
      *nearest.add_goals() = to;
      expect_same(*this->paths_, &Paths::FindNearest, nearest, world, revision, fork);
      v1::FindAwayRequest away;
      *away.mutable_from() = from;
      *away.add_threats() = to;
      away.set_distance(5);
      expect_same(*this->paths_, &Paths::FindAway, away, world, revision, fork);
      v1::FindRandomPointRequest random;
      random.set_seed(seed);
      expect_same(*this->paths_, &Paths::FindRandomPoint, random, world, revision, fork);
    }
  }
  void compare_pages(const std::string& world, std::uint64_t revision, const std::string& fork,
                     const std::string& kind) {
    using Worlds = v1::WorldService::Stub;
    expect_same(*this->worlds_, &Worlds::ListObstacles, v1::ListObstaclesRequest(), world, revision,
                fork);
    if (kind == "grid") {
      expect_same(*this->worlds_, &Worlds::GetTerrain, v1::GetTerrainRequest(), world, revision,
                  fork);
    } else if (kind == "graph") {
      expect_same(*this->worlds_, &Worlds::GetGraph, v1::GetGraphRequest(), world, revision, fork);
    } else {
      expect_same(*this->debug_, &v1::DebugService::Stub::GetGround, v1::GetGroundRequest(), world,
                  revision, fork);
    }
  }
  // Makes a world of each map, and compares its past with forks.
  void compare_all() {
    for (const std::string& map : test::kMaps) {
      test::import_changed(*this->worlds_, map, map);
      v1::GetWorldRequest get;
      get.set_world(map);
      const auto kind = ask(*this->worlds_, &v1::WorldService::Stub::GetWorld, get).kind();
      for (const std::uint64_t revision : {1u, 2u}) {
        const std::string fork = map + "." + std::to_string(revision);
        const grpc::Status status = fork_at(map, revision, fork);
        ASSERT_TRUE(status.ok()) << status.error_message();
        compare_queries(map, revision, fork);
        compare_pages(map, revision, fork, kind);
      }
    }
  }
};

using MemoryPast = Past<test::Server>;
using DurablePast = Past<test::Data>;

TEST_F(MemoryPast, EqualsAForkAtThatRevision) { compare_all(); }

TEST_F(DurablePast, EqualsAForkAtThatRevision) { compare_all(); }

TEST_F(DurablePast, IsThereAfterACrash) {
  test::import_changed(*worlds_, "w", "streets.json");
  ASSERT_TRUE(fork_at("w", 1, "first").ok());
  kill_and_start();
  compare_queries("w", 1, "first");
}

// What leads to a revision may be gone from the disk, too. The error names the request's own field.
class GonePast : public DurablePast {
 protected:
  template <class Stub, class Service, class Request, class Response>
  void expect_gone(Stub& stub,
                   grpc::Status (Service::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, const std::string& field) {
    SCOPED_TRACE(Request::descriptor()->name());
    Context context;
    Response response;
    expect_fault((stub.*method)(&context, request, &response), grpc::OUT_OF_RANGE, "HISTORY_GONE",
                 field);
  }
  // Makes a world of the map, and the world "fork" of it, which begins at revision 2.
  void make(const std::string& map) {
    test::import_changed(*worlds_, map, map);
    ASSERT_TRUE(fork_at(map, 2, "fork").ok());
    place_ = random_place("fork", 1);
  }
  // Returns a request about the fork at revision 1.
  template <class Request>
  static Request about_one() {
    Request request;
    request.set_world("fork");
    if constexpr (requires { request.set_at_revision(1); }) {
      request.set_at_revision(1);
    } else {
      request.mutable_options()->set_at_revision(1);
    }
    return request;
  }
  v1::FindPathRequest path() const {
    auto request = about_one<v1::FindPathRequest>();
    *request.mutable_from() = place_;
    *request.add_goals() = place_;
    return request;
  }

  v1::Location place_;
};

TEST_F(GonePast, QueriesNameTheirField) {
  using Paths = v1::PathService::Stub;
  make("harbour.map");
  expect_gone(*paths_, &Paths::FindPath, path(), "options.at_revision");
  auto paths = about_one<v1::FindPathsRequest>();
  *paths.add_requests() = path();
  paths.mutable_requests(0)->clear_options();
  expect_gone(*paths_, &Paths::FindPaths, paths, "at_revision");
  auto nearest = about_one<v1::FindNearestRequest>();
  *nearest.mutable_from() = place_;
  *nearest.add_goals() = place_;
  expect_gone(*paths_, &Paths::FindNearest, nearest, "options.at_revision");
  auto away = about_one<v1::FindAwayRequest>();
  *away.mutable_from() = place_;
  *away.add_threats() = place_;
  away.set_distance(5);
  expect_gone(*paths_, &Paths::FindAway, away, "options.at_revision");
  auto check = about_one<v1::CheckPathRequest>();
  check.add_cells(0);
  check.add_cells(0);
  expect_gone(*paths_, &Paths::CheckPath, check, "options.at_revision");
  auto reachable = about_one<v1::FindReachableRequest>();
  *reachable.mutable_from() = place_;
  reachable.set_max_cost(5);
  expect_gone(*paths_, &Paths::FindReachable, reachable, "at_revision");
  auto flow = about_one<v1::GetFlowFieldRequest>();
  *flow.add_goals() = place_;
  expect_gone(*paths_, &Paths::GetFlowField, flow, "at_revision");
  auto ray = about_one<v1::RaycastRequest>();
  *ray.mutable_from() = place_;
  *ray.mutable_to() = place_;
  expect_gone(*paths_, &Paths::Raycast, ray, "at_revision");
  expect_gone(*paths_, &Paths::FindRandomPoint, about_one<v1::FindRandomPointRequest>(),
              "at_revision");
  v1::ExplainPathRequest explain;
  *explain.mutable_request() = path();
  expect_gone(*debug_, &v1::DebugService::Stub::ExplainPath, explain,
              "request.options.at_revision");
}

TEST_F(GonePast, PagesNameTheirField) {
  using Worlds = v1::WorldService::Stub;
  make("harbour.map");
  expect_gone(*worlds_, &Worlds::ListObstacles, about_one<v1::ListObstaclesRequest>(),
              "at_revision");
  expect_gone(*worlds_, &Worlds::GetTerrain, about_one<v1::GetTerrainRequest>(), "at_revision");
}

TEST_F(GonePast, PagesOfOtherKindsNameTheirField) {
  make("streets.json");
  expect_gone(*worlds_, &v1::WorldService::Stub::GetGraph, about_one<v1::GetGraphRequest>(),
              "at_revision");
}

TEST_F(GonePast, GroundNamesItsField) {
  make("house.json");
  expect_gone(*debug_, &v1::DebugService::Stub::GetGround, about_one<v1::GetGroundRequest>(),
              "at_revision");
}

class PastErrors : public MemoryPast {
 protected:
  grpc::Status find(const std::string& world, std::uint64_t at, std::uint64_t min = 0,
                    v1::FindPathResponse* response = nullptr) {
    Context context;
    v1::FindPathRequest request;
    request.set_world(world);
    set_cell(4, 0, request.mutable_from());
    set_cell(4, 4, request.add_goals());
    request.mutable_options()->set_at_revision(at);
    request.mutable_options()->set_min_revision(min);
    v1::FindPathResponse answer;
    return paths_->FindPath(&context, request, response == nullptr ? &answer : response);
  }
};

TEST_F(PastErrors, NameTheirFields) {
  import_square("square", false);
  expect_fault(find("square", 2), grpc::OUT_OF_RANGE, "REVISION_NOT_YET", "options.at_revision");
  expect_fault(find("square", 1, 1), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.min_revision");
  expect_fault(find("nobody", 1), grpc::NOT_FOUND, "WORLD_UNKNOWN", "world");
  ASSERT_TRUE(fork_at("square", 1, "fork").ok());
  apply(shut_door("fork"));
  expect_fault(find("fork", 1), grpc::OUT_OF_RANGE, "HISTORY_GONE", "options.at_revision");

  Context context;
  v1::FindPathsRequest several;
  several.set_world("square");
  several.set_at_revision(1);
  set_cell(4, 0, several.add_requests()->mutable_from());
  set_cell(4, 4, several.mutable_requests(0)->add_goals());
  several.mutable_requests(0)->mutable_options()->set_at_revision(1);
  v1::FindPathsResponse response;
  expect_fault(paths_->FindPaths(&context, several, &response), grpc::INVALID_ARGUMENT,
               "OUT_OF_RANGE", "requests[0].options.at_revision");
  Context again;
  several.mutable_requests(0)->mutable_options()->clear_at_revision();
  several.set_min_revision(1);
  expect_fault(paths_->FindPaths(&again, several, &response), grpc::INVALID_ARGUMENT,
               "OPTIONS_CONFLICT", "min_revision");
  Context reading;
  v1::ListObstaclesRequest list;
  list.set_world("square");
  list.set_at_revision(7);
  v1::ListObstaclesResponse listed;
  expect_fault(worlds_->ListObstacles(&reading, list, &listed), grpc::OUT_OF_RANGE,
               "REVISION_NOT_YET", "at_revision");
}

TEST_F(PastErrors, ManyClientsAskManyRevisionsWhileTheWorldChanges) {
  import_square("square", false);
  constexpr std::uint64_t kRevisions = 12;
  for (std::uint64_t revision = 2; revision <= kRevisions; ++revision) {
    v1::ApplyChangesRequest request = shut_door("square");
    request.mutable_batch()->mutable_upsert_obstacles(0)->set_disabled(revision % 2 == 1);
    apply(request);
  }
  std::vector<std::thread> clients;
  for (std::uint64_t client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      for (std::uint64_t i = 0; i < 60; ++i) {
        const std::uint64_t at = 1 + (i * 5 + client) % kRevisions;
        v1::FindPathResponse found;
        const grpc::Status status = find("square", at, 0, &found);
        ASSERT_TRUE(status.ok()) << status.error_message();
        EXPECT_EQ(found.path().revision(), at);
        // The door is shut at even revisions.
        EXPECT_EQ(found.path().status(),
                  at % 2 == 1 ? v1::PATH_STATUS_COMPLETE : v1::PATH_STATUS_UNREACHABLE);
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

}  // namespace
}  // namespace repath

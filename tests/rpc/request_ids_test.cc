// A request_id belongs to one request with all its fields.
#include <functional>
#include <string>

#include "rpc/fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class RequestIdCalls : public test::Server {
 protected:
  grpc::Status try_apply(const v1::ApplyChangesRequest& request) {
    Context context;
    v1::ApplyChangesResponse response;
    return worlds_->ApplyChanges(&context, request, &response);
  }
  grpc::Status create(const v1::CreateWorldRequest& request, v1::World* world) {
    Context context;
    return worlds_->CreateWorld(&context, request, world);
  }
  grpc::Status remove(const std::string& name) {
    Context context;
    v1::DeleteWorldRequest request;
    request.set_world(name);
    v1::DeleteWorldResponse response;
    return worlds_->DeleteWorld(&context, request, &response);
  }
  grpc::Status import(const std::string& name, const std::string& request_id,
                      const std::string& file, v1::World* world) {
    Context context;
    auto writer = worlds_->ImportWorld(&context, world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->mutable_world()->set_request_id(request_id);
    writer->Write(part);
    part.set_chunk(file);
    writer->Write(part);
    writer->WritesDone();
    return writer->Finish();
  }
  static v1::CreateWorldRequest eight(const std::string& name) {
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(8);
    request.set_height(8);
    request.set_request_id("once");
    return request;
  }
};

TEST_F(RequestIdCalls, AnotherChangeWithTheIdIsRefusedWhateverDiffers) {
  import_square("square", false);
  v1::ApplyChangesRequest first = shut_door("square");
  first.set_request_id("once");
  first.set_game_tick(7);
  EXPECT_FALSE(apply(first).repeated_request());
  EXPECT_TRUE(apply(first).repeated_request());
  v1::ApplyChangesRequest later = first;
  later.set_game_tick(8);
  later.set_expected_revision(2);
  EXPECT_TRUE(apply(later).repeated_request());
  const std::vector<std::function<void(v1::ApplyChangesRequest&)>> differences{
      [](auto& r) { r.mutable_batch()->mutable_upsert_obstacles(0)->set_id(2); },
      [](auto& r) {
        r.mutable_batch()->clear_upsert_obstacles(), r.mutable_batch()->add_remove_obstacles(1);
      },
      [](auto& r) { r.set_durability(v1::DURABILITY_APPLIED); },
      [](auto& r) { r.set_durability(v1::DURABILITY_LOCAL_DISK); },
  };
  for (std::size_t i = 0; i < differences.size(); ++i) {
    v1::ApplyChangesRequest other = first;
    differences[i](other);
    SCOPED_TRACE(i);
    expect_fault(try_apply(other), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED", "request_id");
  }
  first.set_request_id("twice");
  EXPECT_EQ(apply(first).revision(), 3u);  // so the rejected requests had no effect
}

TEST_F(RequestIdCalls, WorldsOfRoutesRefuseItToo) {
  v1::World world;
  const std::string graph =
      R"({"nodes": [{"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [5, 0, 0]}], "edges": []})";
  const grpc::Status made = import("graph", "", graph, &world);
  ASSERT_TRUE(made.ok()) << made.error_message();
  v1::ApplyChangesRequest request;
  request.set_world("graph");
  request.set_request_id("once");
  request.mutable_batch()->add_add_profiles()->set_name("p");
  EXPECT_FALSE(apply(request).repeated_request());
  EXPECT_TRUE(apply(request).repeated_request());
  request.mutable_batch()->mutable_add_profiles(0)->set_name("q");
  expect_fault(try_apply(request), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED", "request_id");
}

TEST_F(RequestIdCalls, AnotherWorldWithTheIdIsRefused) {
  v1::World world;
  ASSERT_TRUE(create(eight("a"), &world).ok());
  EXPECT_TRUE(create(eight("a"), &world).ok());
  v1::CreateWorldRequest other = eight("a");
  other.set_width(9);
  expect_fault(create(other, &world), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED", "request_id");
  expect_fault(create(eight("b"), &world), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
               "request_id");
  expect_fault(import("c", "once", "....\n", &world), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
               "header.world.request_id");
}

TEST_F(RequestIdCalls, AnImportOfAnotherFileWithTheIdIsRefused) {
  v1::World world;
  ASSERT_TRUE(import("a", "once", "....\n", &world).ok());
  EXPECT_TRUE(import("a", "once", "....\n", &world).ok());
  expect_fault(import("a", "once", "...#\n", &world), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
               "header.world.request_id");
}

TEST_F(RequestIdCalls, AfterADeletionTheSameRequestMakesTheWorldAgain) {
  v1::World first, again;
  ASSERT_TRUE(create(eight("a"), &first).ok());
  ASSERT_TRUE(remove("a").ok());
  ASSERT_TRUE(create(eight("a"), &again).ok());
  EXPECT_NE(again.epoch(), first.epoch());
  EXPECT_TRUE(remove("a").ok());
}

}  // namespace
}  // namespace repath

// Request ids of worlds belong to the token that used them.
#include "rpc/access_fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

class TokenRequestIds : public Guarded {
 protected:
  void SetUp() override {
    serve(token_line("red", "read,admin", "red-*") + token_line("blue", "read,admin", "blue-*"));
  }
  grpc::Status create(const std::string& token, const std::string& name, v1::World* world) {
    Context context;
    context.AddMetadata("authorization", bearer(token));
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(8);
    request.set_height(8);
    request.set_request_id("make-the-arena");
    return worlds_->CreateWorld(&context, request, world);
  }
};

TEST_F(TokenRequestIds, AreNotThoseOfAnotherToken) {
  v1::World red;
  v1::World blue;
  ASSERT_TRUE(create("red", "red-arena", &red).ok());
  const grpc::Status status = create("blue", "blue-arena", &blue);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(blue.name(), "blue-arena");
  v1::World again;
  ASSERT_TRUE(create("red", "red-arena", &again).ok());
  EXPECT_EQ(again.epoch(), red.epoch());
  expect_fault(create("red", "red-other", &again), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
               "request_id");
}

}  // namespace
}  // namespace repath

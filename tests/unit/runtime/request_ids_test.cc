// A request_id belongs to one request: repetitions get its answer, other requests are rejected.
#include <gtest/gtest.h>

#include <future>
#include <string>

#include "unit/runtime/hosts.h"

namespace repath {
namespace {

using test::wait_for;

class RequestIds : public test::Hosts {
 protected:
  // Begins a world that is being made until go() is called.
  void begin_slow(const std::string& request_id) {
    NewWorld world;
    world.name = "slow";
    world.settings = registry_.default_settings();
    world.definition = sha256("1");
    world.request_id = request_id;
    world.make_spec = [this, wait = go_.get_future().share()](WorkMeter*) {
      begun_.set_value();
      wait.wait();
      return absl::StatusOr<WorldSpec>(test::square_spec("slow"));
    };
    registry_.create(world, [this](absl::StatusOr<WorldInfo> info) { made_.set_value(info); });
    begun_.get_future().wait();
  }

  std::promise<void> go_;
  std::promise<void> begun_;
  std::promise<absl::StatusOr<WorldInfo>> made_;
};

TEST_F(RequestIds, ARepeatedCreationGetsTheFirstAnswer) {
  const auto first = create("a", false, "1", "r");
  const auto world = *registry_.find("a");
  ASSERT_TRUE(apply(*world, test::shut_door()).ok());
  const auto again = create("a", false, "1", "r");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->facts->epoch, first->facts->epoch);
  EXPECT_EQ(again->revision, Revision{1});
}

TEST_F(RequestIds, AnotherCreationWithTheSameIdIsRefused) {
  ASSERT_TRUE(create("a", false, "1", "r").ok());
  for (const char* name : {"a", "b"}) {
    const auto other = create(name, false, "2", "r");
    EXPECT_EQ(other.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(error_reason(other.status()), "REQUEST_ID_REUSED");
    EXPECT_EQ(error_field(other.status()), "request_id");
  }
  EXPECT_FALSE(registry_.find("b").ok());
}

TEST_F(RequestIds, AnotherCreationIsRefusedWhileTheFirstIsUnderWay) {
  begin_slow("r");
  EXPECT_EQ(error_reason(create("b", false, "2", "r").status()), "REQUEST_ID_REUSED");
  EXPECT_EQ(error_reason(create("slow", false, "2", "r").status()), "REQUEST_ID_REUSED");
  go_.set_value();
  EXPECT_TRUE(made_.get_future().get().ok());
}

TEST_F(RequestIds, ACreationThatWasRefusedLeavesItsIdFree) {
  ASSERT_TRUE(create("a", false, "1").ok());
  EXPECT_EQ(error_reason(create("a", false, "2", "r").status()), "WORLD_EXISTS");
  EXPECT_TRUE(create("b", false, "3", "r").ok());
}

TEST_F(RequestIds, ARepeatAfterTheWorldWasDeletedMakesItAgain) {
  const auto first = create("a", false, "1", "r");
  ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  const auto again = create("a", false, "1", "r");
  ASSERT_TRUE(again.ok());
  EXPECT_NE(again->facts->epoch, first->facts->epoch);
  EXPECT_TRUE(registry_.find("a").ok());
  // The id now belongs to the second request, for as long as that is kept.
  EXPECT_EQ(create("a", false, "1", "r")->facts->epoch, again->facts->epoch);
  EXPECT_EQ(error_reason(create("b", false, "2", "r").status()), "REQUEST_ID_REUSED");
}

TEST_F(RequestIds, AWorldThatIsDeletedWhileItIsMadeIsNotThereAndItsIdIsFree) {
  begin_slow("r");
  ASSERT_TRUE(test::remove_world(registry_, "slow").ok());
  EXPECT_FALSE(test::remove_world(registry_, "slow").ok());
  const auto again = create("slow", false, "1", "r");
  ASSERT_TRUE(again.ok()) << again.status();
  go_.set_value();
  const auto first = made_.get_future().get();
  EXPECT_EQ(first.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(error_reason(first.status()), "WORLD_UNKNOWN");
  EXPECT_EQ((*registry_.find("slow"))->facts().epoch, again->facts->epoch);
  EXPECT_EQ(create("slow", false, "1", "r")->facts->epoch, again->facts->epoch);
}

// Deletes the world after it exists and before its maker is answered.
TEST_F(RequestIds, AnAnswerThatComesAfterTheDeletionIsNotKept) {
  for (int i = 0; i < 50; ++i) {
    std::promise<absl::StatusOr<WorldInfo>> made;
    NewWorld world;
    world.name = "a";
    world.settings = registry_.default_settings();
    world.request_id = "r";
    world.make_spec = [](WorkMeter*) {
      return absl::StatusOr<AnyWorldSpec>(test::square_spec("a"));
    };
    registry_.create(world, [&made](absl::StatusOr<WorldInfo> info) { made.set_value(info); });
    while (!test::remove_world(registry_, "a").ok()) std::this_thread::yield();
    (void)made.get_future().get();
    EXPECT_TRUE(wait_for<WorldInfo>([&](auto give) { registry_.create(world, give); }).ok());
    ASSERT_TRUE(registry_.find("a").ok());
    ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  }
}

TEST_F(RequestIds, ARepeatedIdCountsBeforeADurabilityThatIsNotThere) {
  const auto world = host("a");
  const auto apply_as = [&](const std::string& content, Durability durability) {
    return wait_for<ChangeAnswer>([&](auto give) {
      world->apply({{test::shut_door(), "r", std::nullopt, sha256(content)}, durability, 1}, give);
    });
  };
  ASSERT_TRUE(apply_as("1", Durability::kApplied).ok());
  EXPECT_TRUE(apply_as("1", Durability::kApplied)->repeated_request);
  EXPECT_EQ(error_reason(apply_as("2", Durability::kLocalDisk).status()), "REQUEST_ID_REUSED");
}

}  // namespace
}  // namespace repath

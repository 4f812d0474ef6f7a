// Worlds of a data folder that are deleted while they are made: once the deletion is answered, no
// crash brings them back.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>

#include "unit/runtime/durable_fixture.h"

namespace repath {
namespace {

using test::Durable;

class DeletedInMaking : public Durable {
 protected:
  using Made = std::future<absl::StatusOr<WorldInfo>>;
  using Deleted = std::future<absl::StatusOr<Revision>>;

  // Makes the world "a" until the store has it; its maker hears of that with go_on().
  Made make_until_stored() {
    store_.on_created([this] {
      stored_.set_value();
      may_go_on_.get_future().wait();
    });
    Made made = begin_create();
    stored_.get_future().wait();
    return made;
  }
  void go_on() {
    store_.on_created(nullptr);
    may_go_on_.set_value();
  }
  Made begin_create() {
    return std::async(std::launch::async, [this] { return create("a", "1", "r"); });
  }
  // At its answer, says whether the store has the world.
  Deleted begin_delete() {
    const auto deleted = std::make_shared<std::promise<absl::StatusOr<Revision>>>();
    registry_->remove("a", [this, deleted](absl::StatusOr<Revision> last) {
      EXPECT_TRUE(!last.ok() || store_.worlds()->empty()) << "a crash would bring it back";
      deleted->set_value(std::move(last));
    });
    return deleted->get_future();
  }
  template <class Future>
  static bool is_answered(const Future& future) {
    return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
  }

  std::promise<void> stored_;
  std::promise<void> may_go_on_;
};

TEST_F(DeletedInMaking, IsAnsweredOnceTheStoreDoesNotHaveItAnyMore) {
  Made made = make_until_stored();
  Deleted deleted = begin_delete();
  Deleted also = begin_delete();
  EXPECT_FALSE(is_answered(deleted));
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
  go_on();
  EXPECT_EQ(*deleted.get(), Revision{1});
  EXPECT_TRUE(also.get().ok());
  EXPECT_EQ(error_reason(made.get().status()), "WORLD_UNKNOWN");
  crash();
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
}

TEST_F(DeletedInMaking, ItsNameAndItsRequestAreFreeWithTheAnswer) {
  limits_.worlds_max = 1;
  stop();
  start();
  Made made = make_until_stored();
  Deleted deleted = begin_delete();
  go_on();
  ASSERT_TRUE(deleted.get().ok());
  const auto again = create("a", "2", "r");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(made.get().ok());
  crash();
  EXPECT_EQ(world()->facts().epoch, again->facts->epoch);
}

TEST_F(DeletedInMaking, StaysIfTheStoreRefusesAndItsMakerGetsIt) {
  Made made = make_until_stored();
  Deleted deleted = begin_delete();
  store_.refuse(true);
  go_on();
  EXPECT_EQ(error_reason(deleted.get().status()), "STORE_UNAVAILABLE");
  const auto answer = made.get();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(world()->facts().epoch, answer->facts->epoch);
  store_.refuse(false);
  ASSERT_TRUE(begin_delete().get().ok());
  crash();
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
}

TEST_F(DeletedInMaking, AStoreThatHasNotTakenItSaysSoToBoth) {
  Deleted deleted;
  // Deletes it between the moment at which the store is given it and the failure.
  store_.on_create([&] {
    deleted = begin_delete();
    store_.refuse(true);
  });
  EXPECT_EQ(error_reason(begin_create().get().status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(deleted.get().status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
}

TEST_F(DeletedInMaking, TheStoreIsNotGivenAWorldThatWasDeletedBefore) {
  std::promise<void> reads;
  std::promise<void> may_read;
  NewWorld world;
  world.name = "a";
  world.settings = registry_->default_settings();
  world.make_spec = [&](WorkMeter*) {
    reads.set_value();
    may_read.get_future().wait();
    return absl::StatusOr<AnyWorldSpec>(test::square_spec("a"));
  };
  store_.on_created([] { ADD_FAILURE() << "the store has it"; });
  std::promise<absl::StatusOr<WorldInfo>> made;
  registry_->create(world, [&](absl::StatusOr<WorldInfo> info) { made.set_value(info); });
  reads.get_future().wait();
  Deleted deleted = begin_delete();
  EXPECT_TRUE(is_answered(deleted));
  EXPECT_TRUE(deleted.get().ok());
  may_read.set_value();
  EXPECT_EQ(error_reason(made.get_future().get().status()), "WORLD_UNKNOWN");
}

}  // namespace
}  // namespace repath

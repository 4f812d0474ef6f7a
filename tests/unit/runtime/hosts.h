// The runtime as the server runs it, with strands, clock and thread pools, for tests that act as
// its transport.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/sha256.h"
#include "runtime/registry.h"
#include "unit/runtime/square.h"

namespace repath::test {

// Returns the answer of an asynchronous call.
template <class T, class Call>
absl::StatusOr<T> wait_for(Call call) {
  auto promise = std::make_shared<std::promise<absl::StatusOr<T>>>();
  auto future = promise->get_future();
  call([promise](absl::StatusOr<T> answer) { promise->set_value(std::move(answer)); });
  return future.get();
}

inline absl::StatusOr<Revision> remove_world(Registry& registry, const std::string& name) {
  return wait_for<Revision>([&](auto answer) { registry.remove(name, answer); });
}

class Hosts : public testing::Test {
 protected:
  Hosts() : Hosts(limits()) {}
  explicit Hosts(const Limits& limits) : threads_(limits), registry_(limits, threads_) {}

  static Limits limits() {
    Limits limits;
    limits.world_threads = 2;
    limits.query_threads = 2;
    limits.plan_workers = 1;
    limits.frame_rate_hz = 200;
    limits.worlds_max = 3;
    limits.query_queue_max = 4;
    return limits;
  }

  absl::StatusOr<WorldInfo> create(const std::string& name, bool lockstep = false,
                                   const std::string& definition = "1",
                                   const std::string& request_id = "") {
    NewWorld world;
    world.name = name;
    world.settings = registry_.default_settings();
    world.settings.lockstep = lockstep;
    world.definition = sha256(definition);
    world.request_id = request_id;
    world.make_spec = [name](WorkMeter*) { return absl::StatusOr<WorldSpec>(square_spec(name)); };
    return wait_for<WorldInfo>([&](auto answer) { registry_.create(world, answer); });
  }
  std::shared_ptr<WorldHost> host(const std::string& name, bool lockstep = false) {
    EXPECT_TRUE(create(name, lockstep).ok());
    return *registry_.find(name);
  }
  static absl::StatusOr<ChangeAnswer> apply(WorldHost& host, ChangeBatch batch,
                                            Durability durability = Durability::kApplied) {
    return wait_for<ChangeAnswer>([&](auto answer) {
      host.apply({{std::move(batch), "", std::nullopt}, durability, 42}, answer);
    });
  }
  static absl::StatusOr<TickAnswer> tick(WorldHost& host, const std::string& session = "") {
    return wait_for<TickAnswer>([&](auto answer) { host.tick({session, 100'000, 0}, answer); });
  }
  static absl::StatusOr<AnySnapshot> snapshot(WorldHost& host, QueryFor who) {
    return wait_for<AnySnapshot>([&](auto answer) { host.query(who, answer); });
  }
  static void send(WorldHost& host, StreamId stream, std::uint64_t sequence,
                   decltype(SessionMessage::action) action) {
    std::promise<void> taken;
    host.session_message(stream, {sequence, std::move(action)}, [&taken] { taken.set_value(); });
    taken.get_future().get();
  }

  Threads threads_;
  Registry registry_;
};

}  // namespace repath::test

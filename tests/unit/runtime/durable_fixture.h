// Worlds over a durable store that a test scripts.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/registry.h"
#include "support/ascii_grid.h"
#include "unit/runtime/hosts.h"
#include "unit/runtime/recording_sink.h"
#include "unit/runtime/scripted_store.h"
#include "unit/runtime/square.h"

namespace repath::test {

class Durable : public testing::Test {
 protected:
  Durable() { start(); }
  ~Durable() override { stop(); }

  static Limits limits() {
    Limits limits;
    limits.world_threads = 2;
    limits.query_threads = 2;
    limits.frame_rate_hz = 200;
    limits.idle_unload_s = 0;
    return limits;
  }
  void start() {
    threads_ = std::make_unique<Threads>(limits_);
    registry_ = std::make_unique<Registry>(limits_, *threads_, store_, codec_);
    ASSERT_TRUE(registry_->open().ok());
  }
  void stop() {
    registry_.reset();
    threads_.reset();
  }
  void crash() {
    stop();
    store_.crash();
    start();
  }
  // With a `side` it is free ground of so many cells squared.
  absl::StatusOr<WorldInfo> create(const std::string& name, const std::string& definition = "1",
                                   const std::string& request_id = "", int side = 0) {
    NewWorld world;
    world.name = name;
    world.settings = registry_->default_settings();
    world.definition = sha256(definition);
    world.request_id = request_id;
    world.make_spec = [name, side](WorkMeter*) {
      WorldSpec spec = test::square_spec(name);
      if (side > 0) spec.map = test::open_map(side, side);
      return absl::StatusOr<AnyWorldSpec>(std::move(spec));
    };
    return wait_for<WorldInfo>([&](auto answer) { registry_->create(world, answer); });
  }
  std::shared_ptr<WorldHost> world(const std::string& name = "a") {
    auto found = registry_->find(name);
    EXPECT_TRUE(found.ok()) << found.status();
    return *std::move(found);
  }
  ApplyCommand command(const ChangeBatch& batch, const std::string& request_id = "",
                       std::optional<Durability> durability = {}) {
    ApplyCommand command;
    command.changes.batch = batch;
    command.changes.request_id = request_id;
    command.durability = durability;
    command.batch_bytes = codec_.bytes_of(batch);
    return command;
  }
  absl::StatusOr<ChangeAnswer> apply(const ChangeBatch& batch, const std::string& request_id = "",
                                     std::optional<Durability> durability = {}) {
    return wait_for<ChangeAnswer>(
        [&](auto answer) { world()->apply(command(batch, request_id, durability), answer); });
  }
  std::future<absl::StatusOr<ChangeAnswer>> begin_apply(const ChangeBatch& batch,
                                                        Answer<ChangeAnswer>::Over over = nullptr,
                                                        Answer<ChangeAnswer>::Note note = nullptr) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<ChangeAnswer>>>();
    world()->apply(command(batch), {[promise](absl::StatusOr<ChangeAnswer> answer) {
                                      promise->set_value(std::move(answer));
                                    },
                                    std::move(over), std::move(note)});
    return promise->get_future();
  }
  SessionMessage::Upsert upsert(std::uint64_t id) {
    const AgentSpec agent = test::walker(id);
    return {{agent}, false, {codec_.bytes_of(agent)}};
  }
  WorldInfo info() {
    auto info = wait_for<WorldInfo>([&](auto answer) { world()->info(answer); });
    EXPECT_TRUE(info.ok()) << info.status();
    return info.ok() ? *info : WorldInfo{};
  }
  std::pair<std::shared_ptr<RecordingSink>, StreamId> open(const std::string& session,
                                                           std::uint64_t sequence = 1) {
    auto sink = std::make_shared<RecordingSink>();
    SessionOpen open{session};
    open.sequence = sequence;
    open.ack_window = 16;  // more than come; the sink does not acknowledge
    return {sink, world()->open_session(open, sink)};
  }
  static std::uint64_t applied(const RecordingSink::Seen& seen) {
    return seen.batches.empty() ? 0 : seen.batches.back().applied_sequence;
  }

  Limits limits_ = limits();
  ScriptedStore store_;
  RememberingCodec codec_;
  std::unique_ptr<Threads> threads_;
  std::unique_ptr<Registry> registry_;
};

}  // namespace repath::test

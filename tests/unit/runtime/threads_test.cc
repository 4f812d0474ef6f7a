// The end of the server's threads: waiting work of writers is done, and streams let go of worlds.
#include "runtime/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "unit/runtime/hosts.h"

namespace repath {
namespace {

TEST(EndOfThreads, DoesWhatWaitsForAWriter) {
  Limits limits;
  limits.writer_threads = 1;
  Threads threads(limits);
  std::atomic<int> done{0};
  constexpr int kJobs = 100;
  for (int i = 0; i < kJobs; ++i) {
    boost::asio::post(threads.writers(), [&done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    });
  }
  threads.stop_and_join();
  EXPECT_EQ(done, kJobs);
}

// As the streams of gRPC it keeps its world, which keeps it as a reader.
class KeepsItsWorld final : public ChangeSink {
 public:
  explicit KeepsItsWorld(std::shared_ptr<WorldHost> world) : world_(std::move(world)) {}
  void on_changes(std::vector<LogRecord>, Revision) override { is_open = true; }
  void on_end(absl::Status) override {}
  std::atomic<bool> is_open{false};

 private:
  const std::shared_ptr<WorldHost> world_;
};

TEST(EndOfThreads, AWorldGoesThoughAStreamKeepsIt) {
  Limits limits;
  limits.world_threads = 1;
  Threads threads(limits);
  std::optional<Registry> registry(std::in_place, limits, threads);
  NewWorld world;
  world.name = "a";
  world.settings = registry->default_settings();
  world.make_spec = [](WorkMeter*) { return absl::StatusOr<WorldSpec>(test::square_spec("a")); };
  ASSERT_TRUE(
      test::wait_for<WorldInfo>([&](auto answer) { registry->create(world, answer); }).ok());
  auto stream = std::make_shared<KeepsItsWorld>(*registry->find("a"));
  const std::weak_ptr<WorldHost> host = *registry->find("a");
  (*registry->find("a"))->open_changes(Revision{}, stream);
  for (int i = 0; i < 1000 && !stream->is_open; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(stream->is_open);
  stream.reset();
  registry.reset();
  EXPECT_TRUE(host.expired());
}

}  // namespace
}  // namespace repath

#include "ceiling/many_worlds.h"

#include <grpcpp/create_channel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ceiling/child_server.h"
#include "ceiling/elapsed.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::ceiling {
namespace {

constexpr int kUnchangedSide = 64;  // of the many worlds, cells
constexpr int kChangedSide = 512;   // of the changed worlds
constexpr int kMakers = 32;         // calls under way while worlds are made
constexpr int kCallSeconds = 60;
constexpr double kPercentile = 0.99;

class FullServer {
 public:
  explicit FullServer(const ManyWorldsOptions& options)
      : begun_(Clock::now()),
        child_(options.repathd,
               {"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", options.data,
                "--worlds-max", std::to_string(options.worlds)},
               usable_cores().front(), "serving listen="),
        ready_s_(seconds_since(begun_)) {
    if (child_.address().empty()) return;
    worlds_ = v1::WorldService::NewStub(
        grpc::CreateChannel(child_.address(), grpc::InsecureChannelCredentials()));
  }

  grpc::Status status() const {
    return worlds_ != nullptr ? grpc::Status::OK
                              : grpc::Status(grpc::StatusCode::UNAVAILABLE, child_.why());
  }
  double ready_s() const { return ready_s_; }
  double resident_bytes() const { return child_.resident_bytes(); }
  void kill() { child_.kill(); }

  grpc::Status make(const std::string& name, int side) {
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(side);
    request.set_height(side);
    v1::World answer;
    const auto context = in_time();
    return worlds_->CreateWorld(context.get(), request, &answer);
  }
  // The change that is number `number` of its world: a cell is blocked, or is free again.
  grpc::Status change(const std::string& name, int number) {
    v1::ApplyChangesRequest request;
    request.set_world(name);
    request.set_durability(v1::DURABILITY_APPLIED);
    auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(static_cast<std::uint64_t>(number % 1000) + 1);
    obstacle->set_blocked(true);
    const int x = number * 7 % kChangedSide;
    const int y = number * 13 % kChangedSide;
    obstacle->mutable_cells()->set_x0(x);
    obstacle->mutable_cells()->set_y0(y);
    obstacle->mutable_cells()->set_x1(x + 1);
    obstacle->mutable_cells()->set_y1(y + 1);
    v1::ApplyChangesResponse answer;
    const auto context = in_time();
    return worlds_->ApplyChanges(context.get(), request, &answer);
  }
  // Adds the milliseconds of the answer to `ms`.
  grpc::Status get(const std::string& name, std::vector<double>* ms) {
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World answer;
    const auto context = in_time();
    const Clock::time_point begin = Clock::now();
    grpc::Status status = worlds_->GetWorld(context.get(), request, &answer);
    ms->push_back(seconds_since(begin) * 1e3);
    return status;
  }

 private:
  static std::unique_ptr<grpc::ClientContext> in_time() {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(kCallSeconds));
    return context;
  }

  Clock::time_point begun_;
  ChildServer child_;
  double ready_s_;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
};

std::string name_of(int world) { return "w" + std::to_string(world); }
std::string changed_name(int world) { return "changed" + std::to_string(world); }

// Calls work(0) to work(count - 1) from several threads, until one fails.
grpc::Status for_each(int count, const std::function<grpc::Status(int)>& work) {
  std::atomic<int> next{0};
  std::mutex mutex;  // guards `first`
  grpc::Status first;
  std::vector<std::jthread> threads;
  threads.reserve(kMakers);
  for (int maker = 0; maker < kMakers; ++maker)
    threads.emplace_back([&] {
      for (int i = next++; i < count; i = next++) {
        const grpc::Status status = work(i);
        if (status.ok()) continue;
        next = count;
        const std::lock_guard lock(mutex);
        if (first.ok()) first = status;
      }
    });
  threads.clear();
  return first;
}

grpc::Status fill(const ManyWorldsOptions& options, FullServer& server,
                  ManyWorldsFigures* figures) {
  const Clock::time_point begin = Clock::now();
  const int unchanged = options.worlds - options.changed_worlds;
  if (auto status =
          for_each(unchanged, [&](int i) { return server.make(name_of(i), kUnchangedSide); });
      !status.ok())
    return status;
  figures->made_per_s = unchanged / seconds_since(begin);
  for (int world = 0; world < options.changed_worlds; ++world) {
    const std::string name = changed_name(world);
    if (auto status = server.make(name, kChangedSide); !status.ok()) return status;
    auto status = for_each(options.changes, [&](int i) { return server.change(name, i); });
    if (!status.ok()) return status;
  }
  return grpc::Status::OK;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(place + 0.5)];
}

// Every world of those in use is far from the next one in the order of their making.
grpc::Status use(const ManyWorldsOptions& options, FullServer& server, ManyWorldsFigures* figures) {
  std::vector<double> ms;
  const int unchanged = options.worlds - options.changed_worlds;
  const int step = std::max(1, unchanged / options.in_use);
  for (int i = 0; i < std::min(options.in_use, unchanged); ++i)
    if (auto status = server.get(name_of(i * step), &ms); !status.ok()) return status;
  figures->first_p50_ms = quantile(ms, 0.5);
  figures->first_p99_ms = quantile(ms, kPercentile);
  figures->in_use_bytes = server.resident_bytes();
  std::vector<double> replayed;
  for (int world = 0; world < options.changed_worlds; ++world)
    if (auto status = server.get(changed_name(world), &replayed); !status.ok()) return status;
  figures->replayed_p50_ms = quantile(replayed, 0.5);
  figures->replayed_longest_ms = quantile(replayed, 1);
  return grpc::Status::OK;
}

}  // namespace

grpc::Status measure_many_worlds(const ManyWorldsOptions& options, ManyWorldsFigures* figures) {
  {
    FullServer server(options);
    if (auto status = server.status(); !status.ok()) return status;
    if (auto status = fill(options, server, figures); !status.ok()) return status;
    server.kill();
  }
  FullServer server(options);
  if (auto status = server.status(); !status.ok()) return status;
  figures->ready_s = server.ready_s();
  figures->ready_bytes = server.resident_bytes();
  return use(options, server, figures);
}

}  // namespace repath::ceiling

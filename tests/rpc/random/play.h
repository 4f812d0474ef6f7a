// Random calls of every method on several worlds, which are made and deleted between calls.
//
// The calls of a seed are always the same; the order in which a server handles calls in flight is
// not. Not thread-safe.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repath/v1/admin.grpc.pb.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"
#include "rpc/random/calls.h"
#include "rpc/random/requests.h"
#include "rpc/random/session.h"
#include "rpc/random/watching.h"
#include "rpc/random/worlds.h"

namespace repath::test {

// State hashes by revision, as ApplyChanges answered. Guarded by Calls::mutex().
using AcceptedHashes = std::map<std::uint64_t, std::uint64_t>;

// A world that is played on. Its destructor waits for the end of its streams, so it belongs to the
// thread that plays. If a callback held the world, it could be the last owner.
struct PlayedWorld {
  WorldSource source;
  KnownWorld facts;
  std::shared_ptr<AcceptedHashes> accepted = std::make_shared<AcceptedHashes>();
  std::array<std::unique_ptr<SessionClient>, 2> sessions;
  std::vector<std::unique_ptr<Watching<v1::EventBatch>>> path_watches;
  std::vector<std::unique_ptr<Watching<v1::WatchWorldResponse>>> change_watches;
};

class Play {
 public:
  static constexpr std::size_t kWorlds = kWorldKinds;
  static constexpr std::size_t kDeletedKept = 4;  // deleted worlds whose streams are still open

  Play(std::uint64_t seed, const std::shared_ptr<grpc::Channel>& channel)
      : random_(seed),
        calls_(channel, 12),
        worlds_stub_(v1::WorldService::NewStub(channel)),
        agents_stub_(v1::AgentService::NewStub(channel)) {
    for (int kind = 0; kind < kWorldKinds; ++kind) worlds_.push_back(make(WorldKind{kind}));
  }

  // Makes one call, or sends one message of a session.
  void step();
  std::uint64_t steps() const { return steps_; }
  Calls& calls() { return calls_; }
  v1::AgentService::Stub* agents_stub() { return agents_stub_.get(); }
  const std::vector<std::shared_ptr<PlayedWorld>>& worlds() const { return worlds_; }
  // Imports a world from this source under this name. Empty if the server rejected it.
  std::optional<v1::World> import(WorldSource source, const std::string& name, bool cut_off);

 private:
  using World = std::shared_ptr<PlayedWorld>;

  World make(WorldKind kind);
  void replace_a_world();
  void change(const World& world);
  void try_change(const World& world);
  void session(const World& world);
  void agents_without_stream(const World& world);
  void tick(const World& world);
  void query(const World& world);
  void query_area(const World& world);
  void look(const World& world);
  void watch(const World& world);
  // Exports the world, imports the file under another name, and deletes the copy again.
  void export_and_import(const World& world);
  void fork(const World& world);

  Calls::Options cut_at_times();
  template <class Response, class Request>
  void start(const std::string& method, const Request& request) {
    calls_.start<Request, Response>(method, request, cut_at_times(),
                                    [](const grpc::Status&, const Response&) {});
  }
  std::string session_name(std::size_t which) const { return which == 0 ? "first" : "second"; }

  Random random_;
  Calls calls_;
  std::unique_ptr<v1::WorldService::Stub> worlds_stub_;
  std::unique_ptr<v1::AgentService::Stub> agents_stub_;
  std::vector<World> worlds_;
  std::deque<World> deleted_;  // the latest ones
  std::uint64_t steps_ = 0;
  std::uint64_t made_ = 0;
};

inline std::optional<v1::World> Play::import(WorldSource source, const std::string& name,
                                             bool cut_off) {
  source.header.mutable_world()->set_name(name);
  Context context;
  v1::World world;
  auto writer = worlds_stub_->ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  *part.mutable_header() = source.header;
  writer->Write(part);
  const std::size_t half = source.file.size() / 2;
  part.set_chunk(source.file.substr(0, half));
  writer->Write(part);
  if (cut_off) {
    context.TryCancel();
  } else {
    part.set_chunk(source.file.substr(half));
    writer->Write(part);
    writer->WritesDone();
  }
  const grpc::Status status = writer->Finish();
  EXPECT_TRUE(status.ok() || cut_off) << status.error_message();
  return status.ok() ? std::optional(world) : std::nullopt;
}

inline Play::World Play::make(WorldKind kind) {
  auto world = std::make_shared<PlayedWorld>();
  const std::string name = "w" + std::to_string(made_++);
  world->source = random_world(random_, kind, name);
  // Half a file must leave nothing that blocks the name.
  if (random_.below(2) == 0) {
    EXPECT_FALSE(import(world->source, name, /*cut_off=*/true));
  }
  if (const auto made = import(world->source, name, /*cut_off=*/false))
    world->facts = facts_of(world->source, *made);
  return world;
}

inline void Play::replace_a_world() {
  World& world = worlds_[random_.below(static_cast<std::uint32_t>(worlds_.size()))];
  v1::DeleteWorldRequest request;
  request.set_world(world->facts.name);
  calls_.start<v1::DeleteWorldRequest, v1::DeleteWorldResponse>(
      "WorldService.DeleteWorld", request, {},
      [](const grpc::Status&, const v1::DeleteWorldResponse&) {});
  const WorldKind kind = world->facts.kind;
  deleted_.push_back(std::move(world));
  if (deleted_.size() > kDeletedKept) deleted_.pop_front();
  world = make(kind);
}

inline Calls::Options Play::cut_at_times() {
  Calls::Options options;
  if (random_.below(30) == 0) options.deadline = std::chrono::microseconds(random_.below(8000));
  options.cancel = random_.below(40) == 0;
  return options;
}

inline void Play::step() {
  ++steps_;
  const World world = worlds_[random_.below(static_cast<std::uint32_t>(worlds_.size()))];
  const std::uint32_t dice = random_.below(1000);
  if (dice < 250) return change(world);
  if (dice < 280) return try_change(world);
  if (dice < 560) return session(world);
  if (dice < 640) return agents_without_stream(world);
  if (dice < 740) return tick(world);
  if (dice < 860) return query(world);
  if (dice < 920) return query_area(world);
  if (dice < 985) return look(world);
  if (dice < 995) return watch(world);
  if (dice < 996) return export_and_import(world);
  if (dice < 998) return fork(world);
  replace_a_world();
}

inline void Play::export_and_import(const World& world) {
  Context context;
  v1::ExportWorldRequest request;
  request.set_world(world->facts.name);
  auto reader = worlds_stub_->ExportWorld(&context, request);
  v1::ExportWorldResponse message;
  v1::ExportWorldResponse::Header header;
  WorldSource source;
  while (reader->Read(&message)) {
    if (message.has_header()) header = message.header();
    source.file += message.chunk();
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  const std::string name = "copy" + std::to_string(made_++);
  const std::optional<v1::World> made = import(source, name, /*cut_off=*/false);
  if (!made) return;
  EXPECT_EQ(made->revision(), header.revision());
  EXPECT_EQ(made->state_hash(), header.state_hash());
  v1::DeleteWorldRequest deleted;
  deleted.set_world(name);
  (void)calls_.ask<v1::DeleteWorldResponse>("WorldService.DeleteWorld", deleted);
}

inline void Play::fork(const World& world) {
  v1::ForkWorldRequest request;
  request.set_source(world->facts.name);
  request.set_name("fork" + std::to_string(made_++));
  if (random_.below(4) > 0) request.set_revision(1 + random_.below(40));
  const auto made = calls_.ask<v1::World>("WorldService.ForkWorld", request);
  if (!made) return;
  {
    const std::lock_guard lock(calls_.mutex());
    const auto known = world->accepted->find(made->revision());
    if (known != world->accepted->end()) {
      EXPECT_EQ(made->state_hash(), known->second);
    }
  }
  v1::DeleteWorldRequest deleted;
  deleted.set_world(made->name());
  (void)calls_.ask<v1::DeleteWorldResponse>("WorldService.DeleteWorld", deleted);
}

inline void Play::change(const World& world) {
  Requests requests(random_, world->facts);
  v1::ApplyChangesRequest request;
  request.set_world(world->facts.name);
  *request.mutable_batch() = requests.batch();
  if (requests.one_in(10)) request.set_request_id("r" + std::to_string(random_.below(50)));
  if (requests.one_in(20)) request.set_expected_revision(1 + random_.below(40));
  request.set_game_tick(steps_);
  calls_.start<v1::ApplyChangesRequest, v1::ApplyChangesResponse>(
      "WorldService.ApplyChanges", request, cut_at_times(),
      [accepted = world->accepted](const grpc::Status& status,
                                   const v1::ApplyChangesResponse& response) {
        if (!status.ok()) return;
        const auto [at, is_new] = accepted->emplace(response.revision(), response.state_hash());
        EXPECT_TRUE(is_new || response.repeated_request()) << response.revision();
        EXPECT_EQ(at->second, response.state_hash());
      });
}

inline void Play::try_change(const World& world) {
  Requests requests(random_, world->facts);
  v1::TestChangesRequest request;
  request.set_world(world->facts.name);
  *request.mutable_batch() = requests.batch();
  for (std::uint32_t i = 0, n = random_.below(4); i < n; ++i) {
    auto* pair = request.add_pairs();
    requests.place(pair->mutable_from());
    requests.place(pair->mutable_to());
    pair->set_team(random_.below(Requests::kTeams));
  }
  start<v1::TestChangesResponse>("WorldService.TestChanges", request);
}

inline void Play::session(const World& world) {
  Requests requests(random_, world->facts);
  const std::size_t which = random_.below(2);
  std::unique_ptr<SessionClient>& session = world->sessions[which];
  if (session == nullptr || session->is_over() || requests.one_in(120)) {
    session = std::make_unique<SessionClient>(*agents_stub_, world->facts.name, session_name(which),
                                              1 + random_.below(4));
    return;
  }
  const std::uint32_t dice = random_.below(100);
  if (dice < 35) return session->acknowledge();
  v1::SessionRequest request;
  if (dice < 65) {
    requests.agents(4, request.mutable_upsert()->mutable_agents());
    request.mutable_upsert()->set_take_over(requests.one_in(3));
  } else if (dice < 85) {
    requests.positions(6, request.mutable_report()->mutable_positions());
  } else {
    requests.ids(4, request.mutable_remove()->mutable_agent_ids());
  }
  session->send(std::move(request));
}

inline void Play::agents_without_stream(const World& world) {
  Requests requests(random_, world->facts);
  const std::string owner = requests.one_in(2) ? session_name(random_.below(2)) : "";
  const std::uint32_t dice = random_.below(3);
  if (dice == 0) {
    v1::UpsertAgentsRequest request;
    request.set_world(world->facts.name);
    request.set_session_id(owner);
    request.set_take_over(requests.one_in(3));
    requests.agents(5, request.mutable_agents());
    start<v1::UpsertAgentsResponse>("AgentService.UpsertAgents", request);
  } else if (dice == 1) {
    v1::ReportPositionsRequest request;
    request.set_world(world->facts.name);
    request.set_session_id(owner);
    requests.positions(8, request.mutable_positions());
    start<v1::ReportPositionsResponse>("AgentService.ReportPositions", request);
  } else {
    v1::RemoveAgentsRequest request;
    request.set_world(world->facts.name);
    request.set_session_id(owner);
    requests.ids(8, request.mutable_agent_ids());
    start<v1::RemoveAgentsResponse>("AgentService.RemoveAgents", request);
  }
}

inline void Play::tick(const World& world) {
  v1::TickRequest request;
  request.set_world(world->facts.name);
  if (random_.below(3) == 0) request.set_session_id(session_name(random_.below(2)));
  const std::uint32_t dice = random_.below(4);
  request.set_budget_work_units(dice == 0   ? 1 + random_.below(300)
                                : dice == 1 ? 1'000'000
                                            : random_.below(20'000));
  const std::size_t which = random_.below(2);
  if (world->sessions[which] != nullptr && random_.below(4) == 0) {
    // A barrier. If the session's stream has ended, only the deadline ends the wait.
    request.set_session_id(session_name(which));
    request.set_after_sequence(world->sessions[which]->sequence());
    return calls_.start<v1::TickRequest, v1::TickResponse>(
        "AgentService.Tick", request, {std::chrono::milliseconds(100), false},
        [](const grpc::Status&, const v1::TickResponse&) {});
  }
  start<v1::TickResponse>("AgentService.Tick", request);
}

inline void Play::watch(const World& world) {
  Requests requests(random_, world->facts);
  if (requests.one_in(3)) {
    world->path_watches.clear();
    world->change_watches.clear();
    world->sessions[random_.below(2)].reset();
    return;
  }
  if (requests.one_in(2)) {
    auto request = std::make_shared<v1::WatchPathsRequest>();
    request->set_world(world->facts.name);
    if (requests.one_in(2)) requests.ids(6, request->mutable_agent_ids());
    world->path_watches.push_back(std::make_unique<Watching<v1::EventBatch>>(
        [this, request](auto* context, auto* reactor) {
          agents_stub_->async()->WatchPaths(context, request.get(), reactor);
        },
        [request](const v1::EventBatch&) {}));
    return;
  }
  auto request = std::make_shared<v1::WatchWorldRequest>();
  request->set_world(world->facts.name);
  request->set_start_revision(random_.below(10));
  world->change_watches.push_back(std::make_unique<Watching<v1::WatchWorldResponse>>(
      [this, request](auto* context, auto* reactor) {
        worlds_stub_->async()->WatchWorld(context, request.get(), reactor);
      },
      [request](const v1::WatchWorldResponse&) {}));
}

}  // namespace repath::test

#include "rpc/random/play_queries.h"

#include "ceiling/footprint.h"

#include <grpcpp/create_channel.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "ceiling/child_server.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::ceiling {
namespace {

constexpr const char* kPlain = "plain";
constexpr int kPlainSide = 512;  // side of the world with agents, cells
constexpr int kSmallSide = 64;   // side of each counted world, cells
constexpr int kWorlds = 500;
constexpr int kAgents = 100'000;
constexpr int kGoals = 20'000;
constexpr int kFields = 64;
constexpr int kAgentsOfField = 4;  // four agents with one goal share its field
constexpr int kSessions = 500;
constexpr int kShortPath = 16;  // steps
constexpr int kLongPath = 400;
constexpr int kAddedPerCall = 4096;
constexpr int kSettleSteps = 600;  // of 100 ms

struct Cell {
  int x = 0;
  int y = 0;
};
struct Trip {
  Cell from;
  Cell to;
};

// A server with nothing in it but one plain, and the calls that fill it.
class Scale {
 public:
  explicit Scale(const std::string& repathd)
      : server_(repathd, {"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"},
                usable_cores().front(), "serving listen=") {
    if (server_.address().empty()) {
      status_ = {grpc::StatusCode::FAILED_PRECONDITION, server_.why()};
      return;
    }
    channel_ = connect();
    add_world(kPlain, kPlainSide);
  }

  const grpc::Status& status() const { return status_; }
  double resident_bytes() const { return server_.resident_bytes(); }

  std::shared_ptr<grpc::Channel> connect() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(server_.address(), grpc::InsecureChannelCredentials(),
                                     arguments);
  }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

  void add_world(const std::string& name, int side) {
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(side);
    request.set_height(side);
    v1::World answer;
    call([&](auto* context) {
      return v1::WorldService::NewStub(channel_)->CreateWorld(context, request, &answer);
    });
  }

  // Makes the cell cost `factor` times as much; without a factor it is blocked.
  void obstruct(Cell cell, std::optional<double> factor) {
    v1::ApplyChangesRequest request;
    request.set_world(kPlain);
    auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(1);
    if (factor)
      obstacle->set_cost_factor(*factor);
    else
      obstacle->set_blocked(true);
    obstacle->mutable_cells()->set_x0(cell.x);
    obstacle->mutable_cells()->set_y0(cell.y);
    obstacle->mutable_cells()->set_x1(cell.x + 1);
    obstacle->mutable_cells()->set_y1(cell.y + 1);
    v1::ApplyChangesResponse answer;
    call([&](auto* context) {
      return v1::WorldService::NewStub(channel_)->ApplyChanges(context, request, &answer);
    });
  }

  // Returns when each has its verdict.
  void add_agents(int count, const std::function<Trip(int)>& trip) {
    const auto agents = v1::AgentService::NewStub(channel_);
    for (int first = 0; first < count && status_.ok(); first += kAddedPerCall) {
      v1::UpsertAgentsRequest request;
      request.set_world(kPlain);
      for (int i = first; i < std::min(count, first + kAddedPerCall); ++i) {
        const Trip t = trip(i);
        auto* agent = request.add_agents();
        agent->set_id(static_cast<std::uint64_t>(i) + 1);
        put(t.from, agent->mutable_position());
        put(t.to, agent->add_goals());
      }
      v1::UpsertAgentsResponse answer;
      call([&](auto* context) { return agents->UpsertAgents(context, request, &answer); });
    }
    await_verdicts();
  }

  // Keeps the error of the first refused call.
  void note(const grpc::Status& status) {
    if (status_.ok()) status_ = status;
  }

 private:
  static void put(Cell cell, v1::Location* place) {
    place->mutable_cell()->set_x(cell.x);
    place->mutable_cell()->set_y(cell.y);
  }

  template <class Call>
  void call(Call&& make) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    note(make(&context));
  }

  void await_verdicts() {
    v1::GetStatsRequest request;
    request.set_world(kPlain);
    v1::GetStatsResponse stats;
    for (int i = 0; i < kSettleSteps && status_.ok(); ++i) {
      call([&](auto* context) {
        return v1::DebugService::NewStub(channel_)->GetStats(context, request, &stats);
      });
      if (stats.waiting() == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    note({grpc::StatusCode::DEADLINE_EXCEEDED, "the agents had no verdicts after a minute"});
  }

  ChildServer server_;
  std::shared_ptr<grpc::Channel> channel_;
  grpc::Status status_;
};

// Starts in a few cells only, so that fields weigh little beside the agents.
Trip along_a_row(int i, int steps) {
  const Cell from{8, 100 * (i % 4) + 50};
  return {from, {from.x + steps, from.y}};
}

// Sends each agent to another cell.
Trip of_its_own(int i) {
  const Cell from{i % (kPlainSide - kShortPath), i / (kPlainSide - kShortPath)};
  return {from, {from.x + kShortPath, from.y}};
}

// Leads across the whole plain, so that the field labels most of its cells.
Trip across(int i) {
  const Cell to{kPlainSide - 1, i / kAgentsOfField * (kPlainSide / kFields)};
  return {{0, kPlainSide - 1 - to.y}, to};
}

// Sessions that stay open as long as this lives.
class Sessions {
 public:
  Sessions(Scale& scale, int count, bool apart) {
    for (int i = 0; i < count && scale.status().ok(); ++i)
      open(scale, apart ? scale.connect() : scale.channel());
  }
  ~Sessions() {
    for (auto& session : sessions_) session->context.TryCancel();
  }
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

 private:
  struct Session {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream;
  };

  void open(Scale& scale, const std::shared_ptr<grpc::Channel>& channel) {
    auto session = std::make_unique<Session>();
    session->stream = v1::AgentService::NewStub(channel)->Session(&session->context);
    v1::SessionRequest request;
    request.mutable_open()->set_world(kPlain);
    v1::SessionResponse answer;
    if (!session->stream->Write(request) || !session->stream->Read(&answer))
      scale.note(session->stream->Finish());
    sessions_.push_back(std::move(session));
  }

  std::vector<std::unique_ptr<Session>> sessions_;
};

// Puts `things` into a server. The caller holds the result until the growth is measured.
using Fill = std::function<std::shared_ptr<void>(Scale&, int things)>;
grpc::Status weigh_one(const std::string& repathd, int things, const Fill& fill, double& bytes) {
  Scale scale(repathd);
  if (!scale.status().ok()) return scale.status();
  const double before = scale.resident_bytes();
  const std::shared_ptr<void> held = fill(scale, things);
  bytes = (scale.resident_bytes() - before) / static_cast<double>(things);
  return scale.status();
}

struct Row {
  const char* key;
  const char* what;
  int things;
  Fill fill;
};

// Adds an agent for each thing.
Fill add(std::function<Trip(int)> trip) {
  return [trip = std::move(trip)](Scale& scale, int things) {
    scale.add_agents(things, trip);
    return nullptr;
  };
}

Fill open_sessions(bool apart) {
  return [apart](Scale& scale, int things) {
    return std::make_shared<Sessions>(scale, things, apart);
  };
}

std::shared_ptr<void> add_worlds(Scale& scale, int things) {
  for (int i = 0; i < things; ++i) scale.add_world("w" + std::to_string(i), kSmallSide);
  return nullptr;
}

// Adds agents whose goal is unreachable, so that none has a path.
std::shared_ptr<void> add_idle_agents(Scale& scale, int things) {
  const Cell goal{kPlainSide / 2, kPlainSide / 2};
  scale.obstruct(goal, std::nullopt);
  scale.add_agents(things, [goal](int i) { return Trip{{i % kPlainSide, i / kPlainSide}, goal}; });
  return nullptr;
}

// On ground that costs the same everywhere, goals have fields only where these cost less than
// searches; elsewhere as soon as enough agents share one.
std::shared_ptr<void> add_fields(Scale& scale, int things) {
  scale.obstruct({kPlainSide / 2, kPlainSide / 2}, /*factor=*/2);
  scale.add_agents(things * kAgentsOfField, across);
  return nullptr;
}

std::vector<Row> rows() {
  const auto near = [](int i) { return along_a_row(i, kShortPath); };
  const auto far = [](int i) { return along_a_row(i, kLongPath); };
  return {
      {"world", "a world of 64 x 64 cells", kWorlds, add_worlds},
      {"idle_agent", "an agent without a path", kAgents, add_idle_agents},
      {"agent_16", "an agent with a path of 16 cells", kAgents, add(near)},
      {"agent_400", "an agent with a path of 400 cells", kAgents, add(far)},
      {"agent_and_goal", "an agent with a path of 16 cells and a goal of its own", kGoals,
       add(of_its_own)},
      {"field", "a goal across 512 x 512 cells of terrain, with four agents", kFields, add_fields},
      {"session", "a session, one connection for all", kSessions, open_sessions(/*apart=*/false)},
      {"connection", "a session with a connection of its own", kSessions,
       open_sessions(/*apart=*/true)},
  };
}

}  // namespace

grpc::Status weigh(const std::string& repathd, int percent, std::vector<Weight>& weights) {
  for (const Row& row : rows()) {
    const int things = std::max(1, row.things * percent / 100);
    double bytes = 0;
    if (auto status = weigh_one(repathd, things, row.fill, bytes); !status.ok()) return status;
    weights.push_back({row.key, row.what, things, bytes});
  }
  return grpc::Status::OK;
}

}  // namespace repath::ceiling

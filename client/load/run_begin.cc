// Run: everything before the clock starts.
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <thread>

#include "cli/read_file.h"
#include "load/run.h"
#include "repath/internal/channel.h"
#include "verify/file_kind.h"

namespace repath::load {
namespace {

constexpr Nanos kJoinWithin = 180 * kSecond;
constexpr int kUpsertMost = 4096;  // agents in a message, by the API
constexpr auto kJoinPoll = std::chrono::milliseconds(2);

// A connection of its own: channels with equal arguments would share one.
std::shared_ptr<grpc::Channel> own_channel(const cli::CommandContext& context) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return client::make_channel(context.server, context.security(), arguments);
}

Schedule queries_of(const LoadOptions& options) {
  return Schedule({{options.warm_up + options.duration, options.queries}});
}

}  // namespace

Run::Run(const LoadOptions& options, cli::CommandContext& context)
    : options_(options),
      context_(context),
      meter_(options.worlds),
      control_(own_channel(context)),
      worlds_(v1::WorldService::NewStub(control_)),
      paths_(v1::PathService::NewStub(control_)),
      debug_(v1::DebugService::NewStub(control_)),
      dice_(options.seed),
      events_(events_of(options)),
      slow_events_(events_of(options_of_world(options, 0))),
      queries_(queries_of(options)) {}

Run::~Run() {
  while (in_flight_ > 0) {
    std::this_thread::sleep_for(kJoinPoll);
    inbox_.work_off();
  }
  for (Session& session : sessions_) session.link.reset();
}

bool Run::begin() {
  if (!make_stages()) return false;
  server_pid_ = options_.server_pid > 0 ? std::optional<int>(options_.server_pid)
                                        : pid_listening_at(context_.server);
  if (!options_.walks) return true;
  open_sessions();
  return join();
}

bool Run::make_stages() {
  std::error_code error;
  if (options_.map.empty()) {
    map_ = make_map(options_.ground, options_.side, options_.seed);
  } else if (auto file = cli::read_file(options_.map, error)) {
    map_.file = std::move(*file);
    const std::string problem = verify::not_taken(options_.map, map_.file);
    if (!problem.empty()) {
      context_.usage_error("--map: " + problem);
      return false;
    }
  } else {
    context_.usage_error("--map: " + cli::unreadable(options_.map, error));
    return false;
  }
  for (int number = 0; number < options_.worlds; ++number)
    asked_.push_back(options_of_world(options_, number));
  for (int number = 0; number < options_.worlds; ++number) {
    progress_.show("making world " + std::to_string(number + 1) + " of " +
                   std::to_string(options_.worlds));
    grpc::Status status;
    auto stage =
        make_stage(asked_[static_cast<std::size_t>(number)], map_, number, control_, &status);
    if (!stage) {
      progress_.clear();
      context_.refused(status);
      return false;
    }
    meter_.set_base(number, stage->base_revision);
    stages_.push_back(std::move(*stage));
  }
  return true;
}

void Run::open_sessions() {
  for (int world = 0; world < options_.worlds; ++world) {
    Stage& stage = stages_[static_cast<std::size_t>(world)];
    for (int number = 0; number < stage.scene->squads(); ++number) {
      Session session;
      session.world = world;
      session.number = number;
      session.squad = &stage.scene->squad(number);
      session.settled = stage.base_revision;
      session.reads_slowly = options_.slow_sessions > 0 &&
                             number % options_.slow_sessions == options_.slow_sessions - 1;
      session.is_apart = session.reads_slowly || is_slow_world(world);
      const int index = static_cast<int>(sessions_.size());
      session.link = std::make_unique<Link>(own_channel(context_), stage.link->name(), index,
                                            session.reads_slowly, inbox_, *this);
      sessions_.push_back(std::move(session));
    }
  }
}

// Adds all agents and waits for their paths before the clock starts.
bool Run::join() {
  for (Session& session : sessions_) {
    for (;;) {
      auto message = std::make_unique<Outgoing>();
      if (!session.squad->fill_upserts(message->request->mutable_upsert(), kUpsertMost)) break;
      tally_.upserts += static_cast<std::uint64_t>(message->request->upsert().agents_size());
      session.joined_at = session.link->send(std::move(message));
    }
  }
  if (!wait_for_joining()) return false;
  tally_ = {};
  return true;
}

bool Run::wait_for_joining() {
  const Nanos until = now() + kJoinWithin;
  Nanos told = 0;
  for (;;) {
    inbox_.work_off();
    for (Session& session : sessions_) {
      if (session.reads_slowly) session.link->allow_read();
    }
    if (has_lost_server()) {
      progress_.clear();
      context_.refused(lost_);
      return false;
    }
    const auto joined = std::count_if(sessions_.begin(), sessions_.end(), [](const Session& s) {
      return s.has_joined && s.waiting == 0;
    });
    if (joined == static_cast<std::ptrdiff_t>(sessions_.size())) return true;
    if (now() > until) {
      progress_.clear();
      context_.refused(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED,
                                    "not everybody had a first verdict in three minutes"));
      return false;
    }
    if (now() - told > kSecond) {
      told = now();
      progress_.show(std::to_string(joined) + " of " + std::to_string(sessions_.size()) +
                     " sessions are ready");
    }
    std::this_thread::sleep_for(kJoinPoll);
  }
}

}  // namespace repath::load

#include "ceiling/ceiling.h"

#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "bare.pb.h"
#include "ceiling/child_server.h"
#include "ceiling/ground.h"
#include "ceiling/wire_load.h"
#include "repath/internal/channel.h"
#include "repath/v1/path.pb.h"

namespace repath::ceiling {
namespace {

constexpr int kEventsField = 5;  // EventBatch.events
constexpr int kItemsField = 1;   // Items.items

// A server under test and the way to it.
struct Side {
  const ChildServer& server;
  std::shared_ptr<grpc::Channel> channel;
};

// One connection, apart from every other channel of this process.
std::shared_ptr<grpc::Channel> connect(const ChildServer& server, const Plan& plan) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  return client::make_channel(server.address(), plan.security, arguments);
}

// Returns a server's arguments with the plan's certificate.
std::vector<std::string> with_tls(std::vector<std::string> arguments, const Plan& plan) {
  if (plan.tls_certificate.empty()) return arguments;
  for (const auto& word :
       {std::string("--tls-cert"), plan.tls_certificate, std::string("--tls-key"), plan.tls_key})
    arguments.push_back(word);
  return arguments;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

grpc::Status wrong(const std::string& what) { return {grpc::StatusCode::INTERNAL, what}; }

// Rates and costs of one side, pair by pair.
struct Series {
  std::vector<double> rate;     // things per second
  std::vector<double> cost_us;  // processor time of the server for each

  void add(double things, double seconds, double cpu_seconds) {
    rate.push_back(things / seconds);
    cost_us.push_back(cpu_seconds * 1e6 / things);
  }
};

double median_ratio(const std::vector<double>& of, const std::vector<double>& by) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < of.size(); ++i) ratios.push_back(of[i] / by[i]);
  return median(std::move(ratios));
}

// The answer to one FindPath, so that the echo can be as long.
grpc::Status try_query(const Side& repath, const WireCall& call, std::uint64_t& answer_bytes) {
  const UnaryTally once = call_over_and_over(repath.channel, call, 1, std::chrono::milliseconds(0));
  if (once.calls != 1) return wrong("FindPath was refused");
  answer_bytes = once.answer_bytes;
  return grpc::Status::OK;
}

// Returns an echo whose request and answer have these numbers of bytes on the wire.
WireCall echo_of(std::uint64_t request_bytes, std::uint64_t answer_bytes) {
  bare::EchoRequest request;
  const auto set = [&](std::uint64_t answer) {
    request.set_answer_bytes(static_cast<std::uint32_t>(answer));
    request.set_payload(std::string(request_bytes, 'x'));
    const std::uint64_t more = request.ByteSizeLong() - request_bytes;
    request.set_payload(std::string(request_bytes > more ? request_bytes - more : 0, 'x'));
  };
  bare::Payload answer;
  answer.set_payload(std::string(answer_bytes, 'x'));
  set(2 * answer_bytes - answer.ByteSizeLong());
  return {"/repath.bare.Bare/Echo", request.SerializeAsString()};
}

grpc::Status measure_call(const Side& side, const WireCall& call, const Plan& plan,
                          Series& series) {
  const double cpu = side.server.cpu_seconds();
  const UnaryTally tally =
      call_over_and_over(side.channel, call, plan.concurrency, milliseconds(plan.seconds));
  if (tally.failed > 0) return wrong(std::to_string(tally.failed) + " calls failed");
  series.add(static_cast<double>(tally.calls), tally.seconds, side.server.cpu_seconds() - cpu);
  return grpc::Status::OK;
}

// A stream to read, and an action before each reading.
struct Reading {
  WireCall call;
  int item_field;
  std::function<bool()> before;
};

grpc::Status measure_push(const Side& side, const Reading& reading, const Plan& plan,
                          Series& series) {
  const double cpu = side.server.cpu_seconds();
  const PushTally last = read_over_and_over(side.channel, reading.call, reading.item_field,
                                            static_cast<std::uint64_t>(plan.agents),
                                            milliseconds(plan.seconds), reading.before);
  if (!last.complete) return wrong("a stream ended before all its items had come");
  series.add(static_cast<double>(last.items), last.seconds, side.server.cpu_seconds() - cpu);
  return grpc::Status::OK;
}

// Measures both in turns. Which of them goes first changes from pair to pair.
grpc::Status in_turns(int pairs, const std::function<grpc::Status()>& one,
                      const std::function<grpc::Status()>& other) {
  for (int i = 0; i < pairs; ++i) {
    if (auto status = i % 2 == 0 ? one() : other(); !status.ok()) return status;
    if (auto status = i % 2 == 0 ? other() : one(); !status.ok()) return status;
  }
  return grpc::Status::OK;
}

grpc::Status compare_calls(const Plan& plan, const Side& repath, const Side& bare,
                           Figures& figures) {
  const WireCall query = short_path();
  if (auto status = try_query(repath, query, figures.answer_bytes); !status.ok()) return status;
  figures.request_bytes = query.request.size();
  const WireCall echo = echo_of(figures.request_bytes, figures.answer_bytes);
  Series of_query;
  Series of_echo;
  grpc::Status status = in_turns(
      plan.pairs, [&] { return measure_call(repath, query, plan, of_query); },
      [&] { return measure_call(bare, echo, plan, of_echo); });
  if (!status.ok()) return status;
  figures.query = {median(of_query.rate), median(of_query.cost_us)};
  figures.echo = {median(of_echo.rate), median(of_echo.cost_us)};
  figures.query_share = median_ratio(of_query.rate, of_echo.rate);
  figures.query_cpu_ratio = median_ratio(of_query.cost_us, of_echo.cost_us);
  return grpc::Status::OK;
}

// Returns a stream with the same number of items, in messages of the same number and size.
WireCall stream_like(const PushTally& push, Figures& figures) {
  figures.items_per_message = static_cast<double>(push.items) / static_cast<double>(push.messages);
  figures.item_bytes = static_cast<double>(push.bytes) / static_cast<double>(push.items);
  constexpr double kTagAndLength = 3;  // of an item of 128 bytes or more
  bare::PushRequest request;
  request.set_items(push.items);
  request.set_item_bytes(
      static_cast<std::uint32_t>(std::max(1.0, figures.item_bytes - kTagAndLength)));
  request.set_items_per_message(static_cast<std::uint32_t>(std::ceil(figures.items_per_message)));
  return {"/repath.bare.Bare/Push", request.SerializeAsString()};
}

// Measures the pushes and the bare stream in turns.
grpc::Status compare_readings(const Plan& plan, const Side& repath, const Reading& push,
                              const Side& bare, const Reading& stream, PushSide& of_push,
                              PushSide& of_stream, double& share) {
  Series pushed;
  Series streamed;
  grpc::Status status = in_turns(
      plan.pairs, [&] { return measure_push(repath, push, plan, pushed); },
      [&] { return measure_push(bare, stream, plan, streamed); });
  if (!status.ok()) return status;
  of_push = {median(pushed.rate), median(pushed.cost_us)};
  of_stream = {median(streamed.rate), median(streamed.cost_us)};
  share = median_ratio(pushed.rate, streamed.rate);
  return grpc::Status::OK;
}

grpc::Status compare_pushes(const Plan& plan, const Side& repath, const Side& bare,
                            Figures& figures) {
  const Reading push{all_verdicts(), kEventsField, nullptr};
  const Reading first{push.call, kEventsField,
                      [&repath] { return change_nothing(repath.channel).ok(); }};
  PushTally once;
  for (int i = 0; i < 2; ++i) {  // messages grow once their size is known, not estimated
    once = read_over_and_over(repath.channel, push.call, kEventsField,
                              static_cast<std::uint64_t>(plan.agents), std::chrono::milliseconds(0),
                              nullptr);
    if (!once.complete) return wrong("WatchPaths ended before all verdicts had come");
  }
  const Reading stream{stream_like(once, figures), kItemsField, nullptr};
  if (auto status = compare_readings(plan, repath, first, bare, stream, figures.first_push,
                                     figures.stream, figures.first_push_share);
      !status.ok()) {
    return status;
  }
  return compare_readings(plan, repath, push, bare, stream, figures.push, figures.stream,
                          figures.push_share);
}

}  // namespace

grpc::Status measure(const Plan& plan, Figures& figures) {
  const std::vector<int> cores = usable_cores();
  figures.cores = std::min<int>(2, static_cast<int>(cores.size()));
  keep_to_core(cores.back());
  std::vector<std::string> flags =
      with_tls({"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, plan);
  if (!plan.tokens.empty()) flags.insert(flags.end(), {"--tokens", plan.tokens});
  const ChildServer repathd(plan.repathd, flags, cores.front(), "serving listen=");
  const ChildServer bare(plan.bare, with_tls({"--listen", "127.0.0.1:0"}, plan), cores.front(),
                         "serving ");
  for (const ChildServer* server : {&repathd, &bare}) {
    if (server->address().empty()) return {grpc::StatusCode::FAILED_PRECONDITION, server->why()};
  }
  const Side repath_side{repathd, connect(repathd, plan)};
  const Side bare_side{bare, connect(bare, plan)};
  if (auto status = make_ground(repath_side.channel, plan.agents); !status.ok()) return status;
  if (auto status = compare_calls(plan, repath_side, bare_side, figures); !status.ok())
    return status;
  return compare_pushes(plan, repath_side, bare_side, figures);
}

}  // namespace repath::ceiling

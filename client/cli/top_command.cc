// `repath top`: how one world is doing, a line a second.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/follow.h"
#include "repath/v1/debug.grpc.pb.h"

namespace repath::cli {
namespace {

using Clock = std::chrono::steady_clock;
using View = v1::WatchViewResponse;

struct TopArguments {
  std::string world;
  Follow follow;
};

// The figures of a picture, and how often things happened since an earlier one.
struct Reading {
  const View& now;
  const View& before;
  double seconds;

  double rate(std::uint64_t (View::*count)() const) const {
    return seconds <= 0 ? 0 : static_cast<double>((now.*count)() - (before.*count)()) / seconds;
  }
};

Json json_of_reading(const Reading& reading) {
  const View& view = reading.now;
  return {{"revision", view.revision()},
          {"settled_revision", view.settled_revision()},
          {"agents", view.agent_count()},
          {"waiting", view.waiting()},
          {"late", view.late()},
          {"frame_us_p50", view.frame_us_p50()},
          {"frame_us_p99", view.frame_us_p99()},
          {"frames_over_budget", view.frames_over_budget()},
          {"frames_per_s", reading.rate(&View::frames)},
          {"verdicts_per_s", reading.rate(&View::verdicts)},
          {"searches_per_s", reading.rate(&View::searches)},
          {"repairs_per_s", reading.rate(&View::repairs)},
          {"proved_unchanged_per_s", reading.rate(&View::proved_unchanged)}};
}

constexpr const char* kHead =
    "revision   settled   agents  waiting  late   frames/s  p50 us  p99 us  verdicts/s  searches/s "
    " "
    "proved/s";

void print_line(const Reading& reading) {
  const View& view = reading.now;
  char line[160];
  std::snprintf(line, sizeof line,
                "%8llu  %8llu  %7llu  %7llu  %4llu  %9.1f  %6.0f  %6.0f  %10.1f  %10.1f  %8.1f",
                static_cast<unsigned long long>(view.revision()),
                static_cast<unsigned long long>(view.settled_revision()),
                static_cast<unsigned long long>(view.agent_count()),
                static_cast<unsigned long long>(view.waiting()),
                static_cast<unsigned long long>(view.late()), reading.rate(&View::frames),
                view.frame_us_p50(), view.frame_us_p99(), reading.rate(&View::verdicts),
                reading.rate(&View::searches), reading.rate(&View::proved_unchanged));
  std::cout << line << std::endl;
}

void top(CommandContext& context, const TopArguments& arguments) {
  constexpr std::chrono::seconds kPeriod(1);
  constexpr std::uint64_t kLinesForAHead = 20;
  grpc::ClientContext call;
  begin_follow(arguments.follow, call);
  v1::WatchViewRequest request;
  request.set_world(arguments.world);
  const auto stub = context.stub<v1::DebugService>();
  const auto reader = stub->WatchView(&call, request);
  std::uint64_t lines = 0;
  bool counted = false;
  View view;
  View before;
  Clock::time_point at{};
  while (!counted && reader->Read(&view)) {
    const Clock::time_point now = Clock::now();
    if (lines > 0 && now - at < kPeriod) continue;
    const double seconds = lines == 0 ? 0 : std::chrono::duration<double>(now - at).count();
    const Reading reading{view, before, seconds};
    if (context.json) {
      context.print_json_line(json_of_reading(reading));
    } else {
      if (lines % kLinesForAHead == 0) std::cout << kHead << '\n';
      print_line(reading);
    }
    at = now;
    before.Swap(&view);
    counted = is_enough(arguments.follow, ++lines);
  }
  if (counted) call.TryCancel();
  ended_well(context, arguments.follow, reader->Finish(), counted);
}

}  // namespace

void add_top_command(CLI::App& app, CommandContext& context) {
  auto arguments = std::make_shared<TopArguments>();
  CLI::App* command = add_command(
      app, context, "top",
      "Show how a world is doing, a line a second: agents that wait, frames, verdicts, searches",
      "repath top harbour --for 10");
  command->add_option("WORLD", arguments->world, "Name of the world")->required();
  add_follow_options(*command, arguments->follow, "lines");
  command->callback([&context, arguments] { top(context, *arguments); });
}

}  // namespace repath::cli

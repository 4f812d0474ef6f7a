#include "verify/verify.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "verify/map_file.h"
#include "verify/protocol.h"
#include "verify/run.h"

namespace repath::verify {
namespace {

void report(const VerifyOptions& options, const Tally& tally, double seconds,
            cli::CommandContext& context) {
  const std::string strategy = without(v1::Strategy_Name(options.strategy), "STRATEGY_");
  if (context.json) {
    context.print_json({{"agents", options.agents},
                        {"events", tally.events},
                        {"verdicts", tally.verdicts},
                        {"checked", tally.checked},
                        {"wrong", tally.wrong},
                        {"missed_improvements", tally.missed_improvements},
                        {"invalid_paths", tally.invalid_paths},
                        {"unsettled", tally.unsettled},
                        {"late", tally.late},
                        {"max_wait_frames", tally.max_wait_frames},
                        {"seed", options.seed},
                        {"strategy", strategy},
                        {"map", options.map},
                        {"seconds", seconds}});
  } else {
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::printf(
        "%s, strategy %s, seed %llu: %d agents, %llu changes, %llu verdicts, %llu checks in %.1f "
        "s\n",
        options.map.c_str(), strategy.c_str(), number(options.seed), options.agents,
        number(tally.events), number(tally.verdicts), number(tally.checked), seconds);
    std::printf(
        "wrong %llu, missed improvements %llu, invalid paths %llu, unsettled %llu; late %llu, "
        "longest wait %llu frames\n",
        number(tally.wrong), number(tally.missed_improvements), number(tally.invalid_paths),
        number(tally.unsettled), number(tally.late), number(tally.max_wait_frames));
  }
  if (!tally.clean())
    context.check_failed("the server did not keep its promise; run it again with --seed " +
                         std::to_string(options.seed));
}

}  // namespace

void verify(const VerifyOptions& options, cli::CommandContext& context) {
  std::string problem = "it cannot be read";
  const auto file = read_file(options.map);
  const auto map = file ? parse_map(*file, problem) : std::nullopt;
  if (!map) return context.usage_error(options.map + ": " + problem);
  const auto begin = std::chrono::steady_clock::now();
  Run run(options, context);
  if (!run.begin(*file, *map) || !run.drive()) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  report(options, run.tally(), took.count(), context);
}

}  // namespace repath::verify

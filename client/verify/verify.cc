#include "verify/verify.h"

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/read_file.h"
#include "verify/file_kind.h"
#include "verify/map_file.h"
#include "verify/protocol.h"
#include "verify/route_run.h"
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
                        {"repairs", tally.repairs},
                        {"restarts", tally.restarts},
                        {"reopened_seconds", tally.reopened_s},
                        {"resettled_seconds", tally.resettled_s},
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
        "longest wait %llu frames; %llu kept searches repaired\n",
        number(tally.wrong), number(tally.missed_improvements), number(tally.invalid_paths),
        number(tally.unsettled), number(tally.late), number(tally.max_wait_frames),
        number(tally.repairs));
    if (tally.restarts > 0) {
      std::printf(
          "%llu restarts of the server; session open again after at most %.2f s, all agents "
          "settled after %.2f s\n",
          number(tally.restarts), tally.reopened_s, tally.resettled_s);
    }
  }
  if (!tally.clean())
    context.check_failed("the server did not keep its promise; run it again with --seed " +
                         std::to_string(options.seed));
}

std::string named(const Kinds& kinds) {
  std::string names;
  const auto add = [&names](bool is_one, const char* name) {
    if (is_one) names += (names.empty() ? "" : " and ") + std::string(name);
  };
  add(kinds.grid, "grids");
  add(kinds.mesh, "meshes");
  add(kinds.graph, "graphs");
  return names;
}

// Returns the first option that does not apply to the map's kind of world; empty if there is none.
std::string unsuited(const VerifyOptions& options, FileKind file) {
  const bool is_graph = file == FileKind::kGraph;
  const bool is_mesh = file == FileKind::kMesh;
  const char* kind = is_graph ? "a graph" : is_mesh ? "a mesh" : "a grid";
  for (const GivenOption& option : options.given) {
    const Kinds& kinds = option.kinds;
    if (is_graph ? kinds.graph : is_mesh ? kinds.mesh : kinds.grid) continue;
    return option.text + ": is for " + named(kinds) + ", and " + options.map + " is " + kind;
  }
  return "";
}

}  // namespace

void verify(const VerifyOptions& options, cli::CommandContext& context) {
  std::error_code error;
  const auto file = cli::read_file(options.map, error);
  if (!file) return context.usage_error(cli::unreadable(options.map, error));
  std::string problem = not_taken(options.map, *file);
  if (!problem.empty()) return context.usage_error(problem);
  const FileKind kind = kind_of_file(*file);
  problem = unsuited(options, kind);
  if (!problem.empty()) return context.usage_error(problem);
  if (options.restart_s > 0 && options.realtime)
    return context.usage_error("--restart-s: frames must pass by Tick; leave --realtime out");
  const auto begin = std::chrono::steady_clock::now();
  const auto took = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  if (kind != FileKind::kGrid) {
    RouteRun run(options, context);
    if (run.begin(*file) && run.drive()) report(options, run.tally(), took(), context);
    return;
  }
  const auto map = parse_map(*file, problem);
  if (!map) return context.usage_error(options.map + ": " + problem);
  Run run(options, context);
  if (run.begin(*file, *map) && run.drive()) report(options, run.tally(), took(), context);
}

}  // namespace repath::verify

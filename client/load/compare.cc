#include "load/compare.h"

#include <cstdio>
#include <optional>
#include <system_error>
#include <vector>

#include "cli/read_file.h"
#include "load/objective.h"

namespace repath::load {
namespace {

using cli::Json;

const std::vector<std::string>& compared_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all;
    for (const char* spread : {"invalidated_ms", "replanned_ms", "staleness_ms",
                               "slow_staleness_ms", "query_ms", "short_query_ms", "long_query_ms"})
      for (const char* share : {"p50", "p99", "max"})
        all.push_back(std::string(spread) + "." + share);
    for (const char* key :
         {"waiting_frames.p99", "max_waiting", "unsettled", "calm_after_s", "frame_ms.p50",
          "frame_ms.p99", "frames", "frames_over_budget", "coalesced", "events", "verdicts",
          "positions_per_second", "errors", "wrong", "server_cpu_cores", "server_rss_mb",
          "generator_cpu_cores", "foreign_cpu_cores", "late_sends"})
      all.emplace_back(key);
    return all;
  }();
  return keys;
}

std::optional<Json> read_record(const std::string& path, cli::CommandContext& context) {
  std::error_code error;
  const auto text = cli::read_file(path, error);
  if (text) {
    Json record = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (record.is_object() && record.contains("scenario")) return record;
  }
  context.usage_error(text ? path + ": no output of `repath load SCENARIO --json`"
                           : cli::unreadable(path, error));
  return std::nullopt;
}

// Returns settings that differ between the runs, which may then not be comparable.
std::string differences(const Json& a, const Json& b) {
  std::string found;
  for (const char* key :
       {"scenario", "map", "width", "height", "worlds", "agents", "goals", "sessions", "obstacles",
        "events_per_second", "queries_per_second", "speed", "duration_s", "seed", "cores"}) {
    const Json left = a.value(key, Json());
    const Json right = b.value(key, Json());
    if (left == right) continue;
    found +=
        std::string(found.empty() ? "" : ", ") + key + " " + left.dump() + " and " + right.dump();
  }
  return found;
}

}  // namespace

cli::Json compare(const cli::Json& a, const cli::Json& b) {
  Json rows = Json::array();
  for (const std::string& key : compared_keys()) {
    const auto left = number_at(a, key);
    const auto right = number_at(b, key);
    if (!left && !right) continue;
    const auto json = [](const std::optional<double>& value) {
      return value ? Json(*value) : Json(nullptr);
    };
    const bool has_ratio = left && right && *left != 0;
    rows.push_back({{"key", key},
                    {"a", json(left)},
                    {"b", json(right)},
                    {"ratio", has_ratio ? Json(*right / *left) : Json(nullptr)}});
  }
  return rows;
}

void compare_files(const std::string& a, const std::string& b, cli::CommandContext& context) {
  const auto left = read_record(a, context);
  if (!left) return;
  const auto right = read_record(b, context);
  if (!right) return;
  const Json rows = compare(*left, *right);
  const std::string other = differences(*left, *right);
  if (context.json)
    return context.print_json({{"a", a}, {"b", b}, {"differ_in", other}, {"results", rows}});
  if (!other.empty()) std::printf("They differ in %s.\n", other.c_str());
  std::printf("%-24s %14s %14s %8s\n", "", "A", "B", "B / A");
  for (const Json& row : rows) {
    const auto text = [](const Json& value, const char* format) {
      char number[32];
      if (!value.is_number()) return std::string("-");
      std::snprintf(number, sizeof number, format, value.get<double>());
      return std::string(number);
    };
    std::printf("%-24s %14s %14s %8s\n", row["key"].get<std::string>().c_str(),
                text(row["a"], "%.3f").c_str(), text(row["b"], "%.3f").c_str(),
                text(row["ratio"], "%.2f").c_str());
  }
}

}  // namespace repath::load

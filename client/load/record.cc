#include "load/record.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/protocol.h"

namespace repath::load {
namespace {

using cli::Json;

constexpr double kMs = 1000;  // microseconds

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json number(const std::optional<double>& value) {
  return value ? Json(rounded(*value)) : Json(nullptr);
}

// Returns the seconds of the measured window.
std::vector<Second> measured(const Run& run) {
  std::vector<Second> seconds;
  for (const Second& second : run.seconds()) {
    if (second.at > 0.5 && second.at < run.measured_seconds() + 1) seconds.push_back(second);
  }
  return seconds;
}

using Column = std::function<std::optional<double>(const Second&)>;

std::optional<double> mean(const std::vector<Second>& seconds, const Column& column) {
  double sum = 0;
  int count = 0;
  for (const Second& second : seconds) {
    if (const auto value = column(second)) sum += *value, ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

std::optional<double> most(const std::vector<Second>& seconds, const Column& column) {
  std::optional<double> best;
  for (const Second& second : seconds) {
    if (const auto value = column(second)) best = std::max(best.value_or(*value), *value);
  }
  return best;
}

Json series(const Run& run) {
  static const std::vector<std::pair<const char*, Column>> columns = {
      {"at_s", [](const Second& s) { return s.at; }},
      {"events", [](const Second& s) { return s.events; }},
      {"verdicts", [](const Second& s) { return s.verdicts; }},
      {"positions", [](const Second& s) { return s.positions; }},
      {"errors", [](const Second& s) { return s.errors; }},
      {"waiting", [](const Second& s) { return s.waiting; }},
      {"invalidated_p50_ms", [](const Second& s) { return s.invalidated_p50; }},
      {"invalidated_p99_ms", [](const Second& s) { return s.invalidated_p99; }},
      {"replanned_p50_ms", [](const Second& s) { return s.replanned_p50; }},
      {"replanned_p99_ms", [](const Second& s) { return s.replanned_p99; }},
      {"staleness_p50_ms", [](const Second& s) { return s.staleness_p50; }},
      {"staleness_p99_ms", [](const Second& s) { return s.staleness_p99; }},
      {"oldest_unsettled_ms", [](const Second& s) { return s.oldest_unsettled; }},
      {"query_p50_ms", [](const Second& s) { return s.query_p50; }},
      {"query_p99_ms", [](const Second& s) { return s.query_p99; }},
      {"frame_p50_ms", [](const Second& s) { return s.frame_p50; }},
      {"frame_p99_ms", [](const Second& s) { return s.frame_p99; }},
      {"server_cpu_cores", [](const Second& s) { return s.server_cores; }},
      {"server_rss_mb", [](const Second& s) { return s.server_rss_mb; }},
      {"generator_cpu_cores", [](const Second& s) { return s.generator_cores; }},
      {"foreign_cpu_cores", [](const Second& s) { return s.foreign_cores; }},
  };
  Json table = Json::object();
  for (const auto& [name, column] : columns) {
    Json values = Json::array();
    for (const Second& second : run.seconds()) values.push_back(number(column(second)));
    table[name] = std::move(values);
  }
  return table;
}

Json bars(const Histogram& us) {
  Json rows = Json::array();
  for (const Histogram::Bucket& bucket : us.buckets())
    rows.push_back({rounded(bucket.from / kMs), rounded(bucket.to / kMs), bucket.count});
  return rows;
}

Json verdicts(const Tally& tally) {
  Json by_type = Json::object();
  for (std::size_t type = 1; type < kEventTypes; ++type) {
    const std::string name = v1::EventType_Name(static_cast<v1::EventType>(type));
    by_type[verify::without(name, "EVENT_TYPE_")] = tally.verdicts[type];
  }
  return by_type;
}

void add_what_was_run(const LoadOptions& o, const Run& run, Json& record) {
  record["scenario"] = o.scenario;
  record["what"] = o.what;
  record["seed"] = o.seed;
  record["map"] = o.map.empty() ? "made from the seed" : o.map;
  const v1::World& world = run.stages().front().made;
  record["kind"] = world.kind();
  record["width"] = world.width();
  record["height"] = world.height();
  record["worlds"] = o.worlds;
  record["agents"] = o.agents;
  record["goals"] = o.goals;
  record["sessions"] = o.sessions;
  record["slow_sessions"] = o.slow_sessions;
  record["slow_worlds"] = o.slow_worlds;
  record["obstacles"] = o.obstacles;
  record["events_per_second"] = o.events;
  record["storm_events_per_second"] = o.storm_events;
  record["storm_s"] = o.storm_seconds;
  record["queries_per_second"] = o.queries;
  record["frame_rate_hz"] = o.frame_rate;
  record["speed"] = o.speed;
  record["warm_up_s"] = o.warm_up;
  record["duration_s"] = rounded(run.measured_seconds());
}

void add_latencies(const LoadOptions& o, const Run& run, Json& record) {
  const Tally& tally = run.tally();
  const auto all = [&](Kind kind) -> const Histogram& { return run.meter().gauge(kind).all; };
  record["invalidated_ms"] = spread(all(Kind::kInvalidated), kMs);
  record["replanned_ms"] = spread(all(Kind::kReplanned), kMs);
  record["staleness_ms"] = spread(all(Kind::kSettled), kMs);
  if (o.slow_sessions + o.slow_worlds > 0)
    record["slow_staleness_ms"] = spread(all(Kind::kSettledSlowly), kMs);
  if (o.queries > 0) {
    record["queries"] = tally.queries;
    Histogram both = tally.short_queries.all;
    both.add_all(tally.long_queries.all);
    record["query_ms"] = spread(both, kMs);
    record["short_query_ms"] = spread(tally.short_queries.all, kMs);
    record["long_query_ms"] = spread(tally.long_queries.all, kMs);
  }
  record["waiting_frames"] = spread(tally.waited_frames, 1);
  record["unsettled"] = run.unsettled();
  if (o.storm_seconds > 0) record["calm_after_s"] = number(run.calm_after());
}

void add_frames(const Run& run, const std::vector<Second>& seconds, Json& record) {
  std::uint64_t frames = 0;
  std::uint64_t over = 0;
  for (const Stage& stage : run.stages()) {
    frames += stage.frames - stage.first_frames;
    over += stage.frames_over_budget - stage.first_over_budget;
  }
  record["frames"] = frames;
  record["frames_over_budget"] = over;
  const auto& options = run.stages().front().made.options();
  record["frame_budget_ms"] = rounded(static_cast<double>(options.frame_budget_us()) / kMs);
  record["frame_ms"] = {
      {"p50", number(mean(seconds, [](const Second& s) { return s.frame_p50; }))},
      {"p99", number(most(seconds, [](const Second& s) { return s.frame_p99; }))}};
}

void add_machine(const Run& run, const std::vector<Second>& seconds, Json& record) {
  const Tally& tally = run.tally();
  record["server_cpu_cores"] =
      number(mean(seconds, [](const Second& s) { return s.server_cores; }));
  record["server_rss_mb"] = number(most(seconds, [](const Second& s) { return s.server_rss_mb; }));
  record["generator_cpu_cores"] =
      number(mean(seconds, [](const Second& s) { return s.generator_cores; }));
  record["foreign_cpu_cores"] =
      number(mean(seconds, [](const Second& s) { return s.foreign_cores; }));
  record["cores"] = cores();
  const double positions = static_cast<double>(tally.positions);
  record["us_per_position"] = tally.positions == 0
                                  ? Json(nullptr)
                                  : Json(rounded(tally.frame_cpu_seconds * 1e6 / positions));
  record["late_sends"] = tally.late_sends;
  record["send_late_ms"] = spread(tally.late_sends_us, kMs);
  record["late_frames"] = tally.frames_late;
}

// Returns warnings about circumstances that spoil the figures.
Json warnings_of(const Run& run, const Json& record) {
  constexpr double kLateShare = 0.01;
  constexpr double kForeignCores = 0.25;
  const Tally& tally = run.tally();
  Json warnings = Json::array();
  const auto sends = static_cast<double>(tally.late_sends_us.count());
  const auto frames = static_cast<double>(tally.frames_sent);
  if (static_cast<double>(tally.late_sends) > kLateShare * sends)
    warnings.push_back("The generator sent " + std::to_string(tally.late_sends) + " of " +
                       std::to_string(tally.late_sends_us.count()) +
                       " changes and queries more than 1 ms late. The delay counts in the "
                       "latencies, but is not the server's.");
  if (static_cast<double>(tally.frames_late) > kLateShare * frames)
    warnings.push_back("The generator could not keep up: it left out or delayed " +
                       std::to_string(tally.frames_late) + " frames of " +
                       std::to_string(tally.frames_sent) + ".");
  const double foreign =
      record["foreign_cpu_cores"].is_number() ? record["foreign_cpu_cores"].get<double>() : 0;
  if (foreign > kForeignCores)
    warnings.push_back("Other programs used " + record["foreign_cpu_cores"].dump() + " of " +
                       std::to_string(cores()) + " cores meanwhile.");
  if (run.unsettled() > 0)
    warnings.push_back(std::to_string(run.unsettled()) +
                       " changes were not settled for a session when the run ended; they count "
                       "as if they were then.");
  return warnings;
}

}  // namespace

cli::Json spread(const Histogram& histogram, double unit) {
  const auto at = [&](double share) {
    return histogram.count() == 0 ? Json(nullptr)
                                  : Json(rounded(histogram.percentile(share) / unit));
  };
  return {
      {"p50", at(0.5)},
      {"p90", at(0.9)},
      {"p99", at(0.99)},
      {"p999", at(0.999)},
      {"max", histogram.count() == 0 ? Json(nullptr)
                                     : Json(rounded(static_cast<double>(histogram.max()) / unit))},
      {"count", histogram.count()}};
}

cli::Json record_of(const LoadOptions& options, const Run& run, const Checked& checked) {
  const Tally& tally = run.tally();
  const std::vector<Second> seconds = measured(run);
  Json record;
  add_what_was_run(options, run, record);
  record["events"] = tally.events;
  record["events_skipped"] = tally.skipped;
  add_latencies(options, run, record);
  record["max_waiting"] =
      number(most(seconds, [](const Second& s) { return static_cast<double>(s.waiting); }));
  add_frames(run, seconds, record);
  record["verified"] = checked.verified;
  record["wrong"] = checked.wrong;
  record["verify_left"] = checked.not_reached;
  record["errors"] = tally.all_errors();
  record["errors_by_code"] = Json::object();
  for (const auto& [code, count] : tally.errors) record["errors_by_code"][code] = count;
  add_machine(run, seconds, record);
  record["verdicts"] = tally.all_verdicts();
  record["verdicts_by_type"] = verdicts(tally);
  record["coalesced"] = run.coalesced();
  record["batches"] = tally.batches;
  record["reports"] = tally.reports;
  record["positions"] = tally.positions;
  record["positions_per_second"] =
      number(mean(seconds, [](const Second& s) { return static_cast<double>(s.positions); }));
  const SquadCounts counts = run.counts();
  record["arrivals"] = counts.arrivals;
  record["barred"] = counts.barred;
  record["strays"] = counts.strays;
  record["warnings"] = warnings_of(run, record);
  record["histograms"] = {{"invalidated_ms", bars(run.meter().gauge(Kind::kInvalidated).all)},
                          {"replanned_ms", bars(run.meter().gauge(Kind::kReplanned).all)},
                          {"staleness_ms", bars(run.meter().gauge(Kind::kSettled).all)}};
  Histogram queries = tally.short_queries.all;
  queries.add_all(tally.long_queries.all);
  record["histograms"]["query_ms"] = bars(queries);
  record["series"] = series(run);
  return record;
}

}  // namespace repath::load

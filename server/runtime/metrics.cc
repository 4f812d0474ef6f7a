#include "runtime/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace repath {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// From 50 us to 10 s: two to three in each decade, and one at a frame of 60 Hz.
const prometheus::Histogram::BucketBoundaries kSeconds{
    50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 16.7e-3,
    33e-3, 66e-3,  0.1,    0.25,   0.5,  1,      2.5,  10};

double seconds(Micros us) { return static_cast<double>(us) * 1e-6; }

// Families built from figures that other objects keep.
class Sheet {
 public:
  template <class Value>
  void counter(const char* name, const char* help, Value value) {
    add(MetricType::Counter, name, help).push_back(counted(value));
  }
  template <class Value>
  void gauge(const char* name, const char* help, Value value) {
    ClientMetric one;
    one.gauge.value = static_cast<double>(value);
    add(MetricType::Gauge, name, help).push_back(std::move(one));
  }
  // Adds one value for each label: values(i) with names[i].
  template <class Names, class Values>
  void counters(const char* name, const char* help, const char* label, const Names& names,
                Values values) {
    auto& metrics = add(MetricType::Counter, name, help);
    for (std::size_t i = 0; i < names.size(); ++i) {
      ClientMetric one = counted(values(i));
      one.label.push_back({label, std::string(names[i])});
      metrics.push_back(std::move(one));
    }
  }

  std::vector<MetricFamily> families;

 private:
  template <class Value>
  static ClientMetric counted(Value value) {
    ClientMetric one;
    one.counter.value = static_cast<double>(value);
    return one;
  }
  std::vector<ClientMetric>& add(MetricType type, const char* name, const char* help) {
    families.push_back({name, help, type, {}});
    return families.back().metric;
  }
};

void put_planning(const WorldFigures& sum, Sheet& sheet) {
  const Stats& engine = sum.engine;
  const auto by_strategy = [&](const char* name, const char* help, auto member) {
    sheet.counters(name, help, "strategy", Stats::kStrategyNames,
                   [&](std::size_t i) { return engine.strategies[i].*member; });
  };
  by_strategy("repath_searches_total", "Searches begun for agents, repairs included.",
              &StrategyStats::searches);
  by_strategy("repath_repairs_total",
              "Searches that repaired kept state instead of starting from scratch.",
              &StrategyStats::repairs);
  by_strategy("repath_capped_total", "Repairs given up at their limit for a search from scratch.",
              &StrategyStats::capped);
  by_strategy("repath_expansions_total", "Nodes expanded by searches for agents.",
              &StrategyStats::expansions);
  sheet.counters(
      "repath_work_units_total", "Work units used: by planning, and by the passes over commits.",
      "phase", std::array{"plan", "commit"},
      [&](std::size_t i) { return i == 0 ? engine.work_units : engine.commit_work_units; });
  sheet.counters("repath_filter_agents_total",
                 "Agents judged by the filters at commits, by result.", "result",
                 std::array{"settled", "path_hit", "fall_to_search"}, [&](std::size_t i) {
                   return std::array{engine.filter_settled, engine.filter_path_hits,
                                     engine.filter_fall_failures}[i];
                 });
  sheet.counter("repath_evictions_total", "Search states dropped for lack of memory.",
                engine.evictions);
  sheet.counter("repath_first_legs_total", "First legs sent to agents.", engine.first_legs);
}

void put_queue(const WorldFigures& sum, Sheet& sheet) {
  const Stats& engine = sum.engine;
  sheet.gauge("repath_agents", "Agents in all worlds.", engine.agents);
  sheet.gauge("repath_agents_waiting", "Agents that wait for a verdict.", engine.waiting);
  sheet.gauge("repath_agents_late", "Waiting agents whose wait exceeds their max_staleness.",
              engine.late);
  sheet.gauge("repath_oldest_wait_seconds", "Longest wait of an agent that waits now.",
              sum.oldest_wait_seconds);
  sheet.counter("repath_frames_total", "Frames planned.", engine.frame);
  sheet.counter("repath_frames_over_budget_total",
                "Frames that exceeded their budget by more than one slice.",
                sum.frames_over_budget);
  sheet.counter("repath_frames_late_total", "Frames begun more than half a period late.",
                sum.late_frames);
  sheet.counter("repath_updates_coalesced_total",
                "Verdicts replaced by newer ones before a stream took them.", sum.coalesced);
}

void put_pool(std::uint64_t long_pieces, Sheet& sheet) {
  sheet.counter("repath_long_pieces_total",
                "Pieces of a world's work that kept their thread for more than 10 ms; another "
                "thread served the other worlds meanwhile.",
                long_pieces);
}

void put_sizes(const WorldFigures& sum, std::uint64_t worlds, Sheet& sheet) {
  sheet.gauge("repath_worlds", "Worlds.", worlds);
  sheet.gauge("repath_worlds_loaded", "Worlds in memory; the others lie in the data folder.",
              sum.loaded);
  sheet.gauge("repath_worlds_quarantined",
              "Worlds put aside: a check failed, or their files are damaged.", sum.quarantined);
  sheet.gauge("repath_sessions", "Sessions, including those without a stream.", sum.sessions);
  sheet.gauge("repath_streams", "Streams of sessions and of watches.", sum.streams);
  sheet.gauge("repath_worlds_memory_bytes", "Memory of all worlds.", sum.memory_bytes);
  sheet.gauge("repath_history_bytes",
              "Memory of changes kept for readers; a part of repath_worlds_memory_bytes.",
              sum.history_bytes);
  sheet.gauge("repath_answers_bytes",
              "Memory of answers kept for repeated requests; a part of repath_worlds_memory_bytes.",
              sum.answers_bytes);
  sheet.gauge("repath_search_state_bytes",
              "Memory of kept search state; a part of repath_worlds_memory_bytes.",
              sum.engine.search_state_bytes);
  sheet.gauge("repath_fields", "Goal searches that agents share.", sum.engine.fields);
}

void put_store(const Metrics::StoreState& store, Sheet& sheet) {
  const StoreFigures& figures = store.figures;
  sheet.counter("repath_store_commits_total", "Transactions that are on the disk.",
                figures.commits);
  sheet.counter("repath_store_units_total",
                "Units on the disk: what one command of a world left behind.", figures.units);
  sheet.counter("repath_store_bytes_total", "Bytes of these units.", figures.bytes);
  sheet.counter("repath_store_commit_seconds_total",
                "Time spent in transactions, the disk's part included.", figures.commit_seconds);
  sheet.counter("repath_store_failed_commits_total",
                "Transactions that failed; each is tried again.", figures.failed_commits);
  sheet.counter("repath_store_snapshots_total", "Snapshots of worlds written.", figures.snapshots);
  sheet.counter("repath_store_loads_total", "Worlds read into memory.", figures.loads);
  sheet.gauge("repath_store_pending_units", "Units that wait for the disk.", figures.pending_units);
  sheet.gauge("repath_store_pending_bytes", "Bytes of the units that wait for the disk.",
              figures.pending_bytes);
  sheet.gauge("repath_store_up", "1 if changes can be made durable; 0: they are refused.",
              store.takes_changes ? 1 : 0);
}

}  // namespace

void WorldFigures::end() {
  Stats counted = engine;
  counted.agents = counted.waiting = counted.late = counted.oldest_wait_frames = 0;
  counted.search_state_bytes = counted.map_bytes = counted.fields = 0;
  WorldFigures kept;
  kept.engine = counted;
  kept.frames_over_budget = frames_over_budget;
  kept.late_frames = late_frames;
  kept.coalesced = coalesced;
  *this = kept;
}

WorldFigures& WorldFigures::operator+=(const WorldFigures& other) {
  const Stats& more = other.engine;
  for (std::size_t i = 0; i < Stats::kStrategies; ++i) {
    for (auto member : {&StrategyStats::searches, &StrategyStats::repairs, &StrategyStats::capped,
                        &StrategyStats::expansions})
      engine.strategies[i].*member += more.strategies[i].*member;
  }
  for (std::size_t i = 0; i < Stats::kEventTypes; ++i) engine.events[i] += more.events[i];
  for (auto member : {&Stats::agents, &Stats::waiting, &Stats::late, &Stats::filter_path_hits,
                      &Stats::filter_settled, &Stats::filter_fall_failures, &Stats::work_units,
                      &Stats::commit_work_units, &Stats::search_state_bytes, &Stats::evictions,
                      &Stats::first_legs, &Stats::leg_work_units, &Stats::map_bytes, &Stats::fields,
                      &Stats::frame}) {
    engine.*member += more.*member;
  }
  for (auto member :
       {&WorldFigures::frames_over_budget, &WorldFigures::late_frames, &WorldFigures::memory_bytes,
        &WorldFigures::history_bytes, &WorldFigures::answers_bytes, &WorldFigures::sessions,
        &WorldFigures::streams, &WorldFigures::coalesced, &WorldFigures::quarantined,
        &WorldFigures::loaded}) {
    this->*member += other.*member;
  }
  oldest_wait_seconds = std::max(oldest_wait_seconds, other.oldest_wait_seconds);
  return *this;
}

struct Metrics::Families {
  using Histograms = prometheus::Family<prometheus::Histogram>;
  using Counters = prometheus::Family<prometheus::Counter>;

  Histograms& histograms(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }
  Counters& counters(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }

  prometheus::Registry registry;
  prometheus::Histogram& frame =
      histograms("repath_frame_seconds", "Planning time of one frame, all its portions together.")
          .Add({}, kSeconds);
  Histograms& verdicts =
      histograms("repath_verdict_seconds", "Time from a change to an agent's verdict.");
  std::array<prometheus::Histogram*, Stats::kEventTypes> by_type{};
  Histograms& call_seconds = histograms(
      "repath_rpc_seconds", "Duration of calls and streams, from their beginning to their status.");
  Counters& calls = counters("repath_rpc_total", "Calls and streams that are over.");
  prometheus::Counter& quarantines =
      counters("repath_quarantines_total", "Worlds that were put aside after a failed check.")
          .Add({});

  // The counters of a method that has been called. It is found faster than by the library's search
  // by labels.
  struct Method {
    prometheus::Histogram* seconds = nullptr;
    std::map<std::string, prometheus::Counter*, std::less<>> by_code = {};
  };
  std::mutex mutex;  // guards the member below
  std::map<std::string, Method, std::less<>> methods;

  std::pair<prometheus::Histogram*, prometheus::Counter*> of_call(std::string_view method,
                                                                  std::string_view code) {
    const std::lock_guard lock(mutex);
    auto at = methods.find(method);
    if (at == methods.end()) {
      at = methods.try_emplace(std::string(method)).first;
      at->second.seconds = &call_seconds.Add({{"method", at->first}}, kSeconds);
    }
    auto counter = at->second.by_code.find(code);
    if (counter == at->second.by_code.end()) {
      counter = at->second.by_code.try_emplace(std::string(code)).first;
      counter->second = &calls.Add({{"method", at->first}, {"code", counter->first}});
    }
    return {at->second.seconds, counter->second};
  }
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {
  for (std::size_t i = 0; i < Stats::kEventTypes; ++i)
    families_->by_type[i] =
        &families_->verdicts.Add({{"type", std::string(Stats::kEventNames[i])}}, kSeconds);
}
Metrics::~Metrics() = default;

void Metrics::count_frame(Micros took) { families_->frame.Observe(seconds(took)); }

void Metrics::count_verdict(EventType type, Micros waited) {
  families_->by_type[static_cast<std::size_t>(type)]->Observe(seconds(waited));
}

void Metrics::count_quarantine() { families_->quarantines.Increment(); }

void Metrics::count_call(std::string_view method, std::string_view code, Micros took) {
  const auto [histogram, counter] = families_->of_call(method, code);
  histogram->Observe(seconds(took));
  counter->Increment();
}

std::string Metrics::text(const WorldFigures& sum, std::uint64_t worlds,
                          const std::optional<StoreState>& store, std::uint64_t long_pieces) const {
  Sheet sheet;
  sheet.families = families_->registry.Collect();
  put_planning(sum, sheet);
  put_queue(sum, sheet);
  put_pool(long_pieces, sheet);
  put_sizes(sum, worlds, sheet);
  if (store) put_store(*store, sheet);
  return prometheus::TextSerializer().Serializer::Serialize(sheet.families);
}

}  // namespace repath

#include "runtime/loaded_world.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/restore.h"
#include "runtime/recorder.h"
#include "runtime/threads.h"
#include "spdlog/spdlog.h"

namespace repath {
namespace {

constexpr std::uint64_t kMiB = 1u << 20;
constexpr std::size_t kReplayRecords = 1000;
constexpr std::size_t kReplayBytes = std::size_t{1} << 20;
// Memory of the answers kept for repeated requests: more than 65,536 with the longest ids take.
constexpr std::uint64_t kAnswersBytesMax = 40 * kMiB;
constexpr std::uint64_t kEdgesMin = std::uint64_t{1} << 20;  // that a batch may change
constexpr unsigned kIncarnationShift = 32;                   // of path versions
constexpr std::size_t kCopyBytes = std::size_t{16} << 20;

absl::Status damaged(const std::string& name, const std::string& place, const absl::Status& why) {
  return make_error(
      absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "world",
      "the world '" + name + "' is damaged: " + place + ": " + std::string(why.message()));
}

// Returns the memory of a world and its views.
std::uint64_t half_of_memory(const WorldSettings& settings) {
  return settings.memory_mb * kMiB / 2;
}

// Sets the sessions and returns the owners of agents by the name of their session.
std::map<std::string, OwnerId> restore_sessions(std::vector<SessionRow> rows, WallMicros opened_at,
                                                LoadedWorld* world) {
  std::map<std::string, OwnerId> owners;
  const WallMicros wall = wall_now_us();
  const Micros now = now_us();
  for (SessionRow& row : rows) {
    const OwnerId owner{static_cast<std::uint32_t>(owners.size()) + 1};
    owners.emplace(row.name, owner);
    if (row.left_at == 0) row.left_at = opened_at;
    // The clock may have been put back since.
    const WallMicros ends_at = std::min(row.left_at, wall) + row.ttl_us;
    const Micros expires_at = now + (ends_at > wall ? ends_at - wall : 0);
    world->sessions.push_back({std::move(row), owner, expires_at});
  }
  return owners;
}

absl::Status restore_agents(const StoredWorld& stored, const WorldCodec& codec,
                            const WorldFacts& facts, const std::map<std::string, OwnerId>& owners,
                            LoadedWorld* world) {
  world->newest_at = stored.positions_at;
  std::map<AgentId, Journal::ReportedPosition> kept;
  for (const PositionRow& row : stored.positions) kept[row.id] = {row.position, row.at};
  const WallMicros wall = wall_now_us();
  const auto age_of = [wall](WallMicros at) { return wall > at ? wall - at : 0; };
  std::vector<RestoredAgent> agents;
  std::vector<std::string> bytes;
  agents.reserve(stored.agents.size());
  for (const StoredAgent& row : stored.agents) {
    const std::string place = "agent " + std::to_string(value(row.id));
    absl::StatusOr<AgentRowContent> content = read_agent_row(row.spec);
    if (!content.ok()) return damaged(facts.name, place, content.status());
    absl::StatusOr<AgentSpec> spec = codec.read_agent(content->spec, facts);
    if (!spec.ok()) return damaged(facts.name, place, spec.status());
    world->newest_at = std::max(world->newest_at, content->at);
    Micros age = age_of(content->at);
    const auto position = kept.find(row.id);
    if (position != kept.end() && position->second.at >= content->at) {
      spec->position = position->second.position;
      age = age_of(position->second.at);
      world->positions.emplace(row.id, position->second);
    }
    const auto owner = owners.find(row.session);
    agents.push_back({*std::move(spec), owner == owners.end() ? kNoOwner : owner->second, age});
    bytes.push_back(std::move(content->spec));
  }
  if (agents.empty()) return absl::OkStatus();
  const Micros now = now_us();
  if (world->recorder != nullptr) world->recorder->on_restore(agents, bytes, now);
  const MemoryLimitLifted lifted(world->engine.get(), facts.settings);
  const absl::Status status = world->engine->restore_agents(agents, now);
  return status.ok() ? status : damaged(facts.name, "agents", status);
}

absl::Status restore_requests(const StoredWorld& stored, const WorldCodec& codec,
                              const WorldFacts& facts, Engine* engine) {
  const WallMicros wall = wall_now_us();
  std::map<std::string, const RequestRow*> newest;  // an id may have been used again
  for (const RequestRow& row : stored.requests) newest[row.request_id] = &row;
  std::vector<GivenAnswer> answers;
  answers.reserve(newest.size());
  for (const RequestRow& row : stored.requests) {
    if (newest.at(row.request_id) != &row) continue;
    const auto answer = codec.read_answer(row.answer);
    if (!answer.ok()) return damaged(facts.name, "request " + row.request_id, answer.status());
    answers.push_back({row.request_id, row.content, *answer, wall > row.at ? wall - row.at : 0});
  }
  return engine->restore_answers(answers, now_us());
}

}  // namespace

MemoryLimitLifted::MemoryLimitLifted(Engine* engine, const WorldSettings& settings)
    : engine_(*engine), limit_(half_of_memory(settings)) {
  engine_.set_memory_limit(std::numeric_limits<std::uint64_t>::max());
}

MemoryLimitLifted::~MemoryLimitLifted() { engine_.set_memory_limit(limit_); }

absl::Status replay_records(std::span<const LogRecord> records, const WorldCodec& codec,
                            const WorldFacts& facts, Engine* engine) {
  const MemoryLimitLifted lifted(engine, facts.settings);
  for (const LogRecord& record : records) {
    const std::string place = "log, revision " + std::to_string(value(record.revision));
    absl::StatusOr<ChangeBatch> batch = codec.read_batch(record.batch, facts);
    if (!batch.ok()) return damaged(facts.name, place, batch.status());
    ApplyChanges changes;
    changes.batch = *std::move(batch);
    const auto answer = engine->apply(changes, now_us());
    if (!answer.ok()) return damaged(facts.name, place, answer.status());
    if (answer->revision != record.revision || answer->state_hash != record.state_hash)
      return damaged(facts.name, place,
                     absl::DataLossError("gives another state than the one recorded"));
  }
  return absl::OkStatus();
}

absl::Status replay_log(Store& store, const WorldCodec& codec, WorldKey key,
                        const WorldFacts& facts, Revision last, Engine* engine) {
  while (engine->revision() < last) {
    const std::uint64_t left = value(last) - value(engine->revision());
    REPATH_ASSIGN_OR_RETURN(
        const std::vector<LogRecord> records,
        store.read(key, next(engine->revision()), std::min<std::uint64_t>(left, kReplayRecords),
                   kReplayBytes));
    if (records.empty())
      return damaged(facts.name, "log", absl::DataLossError("records are missing"));
    REPATH_RETURN_IF_ERROR(replay_records(records, codec, facts, engine));
  }
  return absl::OkStatus();
}

HistoryBound history_bound(const WorldSettings& settings, const Limits& limits) {
  return {settings.history_revisions, limits.history_mb * kMiB,
          std::min(limits.history_mb * kMiB, settings.memory_mb * kMiB / 8)};
}

absl::StatusOr<std::unique_ptr<Engine>> make_engine(AnyWorldSpec spec, const EngineParts& parts,
                                                    std::uint64_t incarnation, WorldFacts* facts,
                                                    WorkMeter* work) {
  // Half for the world and its views. Search state has the rest, without the shares of history,
  // answers and the changes that views remember.
  const std::uint64_t half = half_of_memory(facts->settings);
  EngineOptions options;
  options.strategy = facts->settings.strategy;
  options.request_answers_bytes = std::min(kAnswersBytesMax, half / 8);
  options.log_bytes_max = half / 8;
  options.search_memory_bytes = half - history_bound(facts->settings, parts.limits).memory -
                                options.request_answers_bytes - options.log_bytes_max;
  options.first_leg_cells = facts->settings.first_leg_cells;
  options.agents_max = static_cast<std::uint32_t>(parts.limits.agents_per_world_max);
  options.first_path_version = PathVersion{incarnation << kIncarnationShift};
  WorldLimits limits;
  limits.memory_bytes = half;
  // The list of a batch's edges is no more than the world itself, unless that is small.
  limits.batch_edges_max = std::min(limits.batch_edges_max, std::max(kEdgesMin, half / 32));
  std::optional<RestoredContent> content;
  if (auto* file = std::get_if<FiledWorld>(&spec)) {
    content = std::move(file->content);
    AnyWorldSpec ground =
        std::visit([](auto& one) { return AnyWorldSpec(std::move(one)); }, file->ground);
    spec = std::move(ground);
  }
  std::unique_ptr<EngineWorld> made;
  if (auto* grid = std::get_if<WorldSpec>(&spec)) {
    REPATH_ASSIGN_OR_RETURN(std::unique_ptr<World> world, World::create(std::move(*grid), limits));
    if (content) REPATH_RETURN_IF_ERROR(restore(*content, world.get(), work));
    facts->width = world->width();
    facts->height = world->height();
    facts->cell_size = world->cell_size();
    facts->terrain = world->terrain_classes();
    facts->default_topology = world->profile("default")->topology;
    made = make_engine_world(std::move(world), options, parts.executor);
  } else {
    std::unique_ptr<RouteWorld> world;
    if (auto* mesh = std::get_if<NavWorld::Source>(&spec)) {
      facts->base_radius = mesh->base_radius;
      REPATH_ASSIGN_OR_RETURN(world, NavWorld::create(std::move(*mesh), limits, work));
    } else {
      REPATH_ASSIGN_OR_RETURN(
          world, GraphWorld::create(std::get<GraphWorld::Source>(std::move(spec)), limits));
    }
    if (content) REPATH_RETURN_IF_ERROR(restore(*content, world.get(), work));
    facts->kind = world->kind();
    facts->bounds = world->bounds();
    made = make_engine_world(std::move(world), options, parts.executor);
  }
  if (parts.wrap) made = parts.wrap(std::move(made));
  return std::make_unique<Engine>(std::move(made), options);
}

std::shared_ptr<Recorder> begin_recording(const WorldFacts& facts, const EngineParts& parts,
                                          std::uint64_t incarnation,
                                          std::unique_ptr<Engine>* engine) {
  if (parts.recordings == nullptr || !parts.recordings->total->may_begin()) return nullptr;
  auto recorder = Recorder::begin(*parts.recordings, facts, parts, incarnation, engine);
  if (recorder.ok()) return *std::move(recorder);
  spdlog::error("no recording world={} reason=\"{}\"", facts.name,
                std::string(recorder.status().message()));
  return nullptr;
}

absl::StatusOr<LoadedWorld> load_world(Store& store, const WorldCodec& codec, WorldKey key,
                                       const WorldFacts& facts, const EngineParts& parts,
                                       WallMicros opened_at) {
  REPATH_ASSIGN_OR_RETURN(StoredWorld stored,
                          store.load(key, history_bound(facts.settings, parts.limits)));
  LoadedWorld world;
  world.incarnation = stored.incarnation;
  world.log = std::move(stored.log);
  const std::string place =
      "snapshot of revision " + std::to_string(value(stored.snapshot_revision));
  WorkMeter work(kNoWorkLimits, stored.snapshot.size());
  absl::StatusOr<FiledWorld> filed = codec.read_world(stored.snapshot, facts, &work);
  if (!filed.ok()) return damaged(facts.name, place, filed.status());
  stored.snapshot = {};
  WorldFacts as_now = facts;  // the facts of the world's beginning count
  auto engine = make_engine(*std::move(filed), parts, stored.incarnation, &as_now, &work);
  if (!engine.ok()) {
    if (absl::IsResourceExhausted(engine.status())) return engine.status();
    return damaged(facts.name, place, engine.status());
  }
  world.engine = *std::move(engine);
  REPATH_RETURN_IF_ERROR(
      replay_log(store, codec, key, facts, previous(world.log->end()), world.engine.get()));
  world.recorder = begin_recording(facts, parts, stored.incarnation, &world.engine);
  REPATH_RETURN_IF_ERROR(restore_requests(stored, codec, facts, world.engine.get()));
  const auto owners = restore_sessions(std::move(stored.sessions), opened_at, &world);
  REPATH_RETURN_IF_ERROR(restore_agents(stored, codec, facts, owners, &world));
  return world;
}

std::shared_ptr<const WorldContent> copy_whole(Engine& engine) {
  const absl::StatusOr<CopyId> copy = engine.begin_copy();
  REPATH_CHECK(copy.ok());
  for (;;)
    if (auto whole = engine.advance_copy(*copy, kCopyBytes))
      return std::make_shared<const WorldContent>(*std::move(whole));
}

}  // namespace repath

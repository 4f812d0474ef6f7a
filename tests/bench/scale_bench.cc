#include "bench/scale_bench.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/executor.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/ground.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "bench/scapes.h"
#include "bench/without.h"
#include "engine/queries.h"
#include "grid_ground/replanner.h"

namespace repath::bench {
namespace {

constexpr std::int32_t kSideMin = 256;
constexpr std::int32_t kRoom = 32;
constexpr std::int32_t kRoomDoor = 8;
constexpr std::int32_t kDoor = 8;          // length of an event's door, in cells
constexpr std::int32_t kBesidePath = 32;   // in cells
constexpr std::uint32_t kCheckEvery = 20;  // in events
constexpr WorkUnits kNoLimit = WorkUnits{1} << 40;
constexpr AgentId kAgent{1};
constexpr std::uint64_t kCutOff = 16;  // agents with a goal behind a wall

// One map with one agent that goes from corner to corner.
class Place {
 public:
  Place(std::int32_t side, const ScaleOptions& options)
      : options_(options),
        random_(options.seed),
        world_(world_of(make_rooms(side, kRoom, kRoomDoor, options.seed))),
        view_(world_->acquire_view("default", TeamId{}).value()),
        replanner_(*world_,
                   {.without = settlers_of(options.without).value_or(std::set<SettlerId>{})},
                   executor_) {
    from_ = free_cell_near(kRoom / 2);
    to_ = free_cell_near(side - kRoom / 2);
    AgentSpec agent;
    agent.id = kAgent;
    agent.position = centre(from_);
    agent.goals = {centre(to_)};
    REPATH_CHECK(replanner_.upsert({&agent, 1}, kNoOwner, now_).ok());
    settle();
  }

  // Shuts and opens doors in turns.
  void meet_events() {
    for (std::uint32_t event = 0; event < options_.events; ++event) {
      ChangeBatch batch;
      if (event % 2 == 0) {
        batch.upsert_obstacles.push_back(door_near_path());
      } else {
        batch.remove_obstacles.push_back(ObstacleId{1});
      }
      apply(batch, &replan_us_);
      if (event % kCheckEvery < 2) check();
    }
  }

  // A wall cuts the map in two and goes again. Measures how long some agents take to learn that no
  // path leads to their goals, and to learn the paths that are open again.
  void cut_agents_off() {
    for (std::uint64_t id = value(kAgent) + 1; id <= kCutOff; ++id) {
      AgentSpec agent;
      agent.id = AgentId{id};
      agent.position = centre(free_cell_near(kRoom / 2));
      agent.goals = {centre(free_cell_near(world_->width() - kRoom / 2))};
      REPATH_CHECK(replanner_.upsert({&agent, 1}, kNoOwner, now_).ok());
    }
    settle();
    for (std::uint32_t i = 0; i < options_.queries; ++i) {
      ChangeBatch shut;
      ObstacleSpec& wall = shut.upsert_obstacles.emplace_back();
      wall.id = ObstacleId{2};
      wall.shape = CellRect{world_->width() / 2, 0, world_->width() / 2 + 1, world_->height()};
      apply(shut, &cut_off_us_);
      mismatches_ += replanner_.view(kAgent, false)->held_cost != kUnreachable;
      ChangeBatch open;
      open.remove_obstacles.push_back(wall.id);
      apply(open, &reopened_us_);
    }
  }

  void ask_queries() {
    Snapshot snapshot = plain_snapshot();
    snapshot.clusters.emplace(snapshot.layer, Topology::k8, CornerRule::kNone,
                              hpa_shape_for(world_->width(), world_->height()));
    for (std::uint32_t i = 0; i < options_.queries; ++i) {
      PathQuery query;
      query.from = centre(free_cell_near(kRoom / 2));
      query.goals = {centre(free_cell_near(world_->width() - kRoom / 2))};
      ask(snapshot, query, &query_us_, &query_bytes_);
      query.algorithm = QueryAlgorithm::kHpa;
      ask(snapshot, query, &hpa_us_, &hpa_bytes_);
    }
    hpa_bytes_ += snapshot.clusters->bytes() + snapshot.clusters->memory().bytes;
  }

  // A wall cuts the map in two, with the goal behind it. Measures four cases: the plain search; the
  // first query in a world without labels; a query with labels; the first query after a stone was
  // added.
  void ask_behind_wall() {
    put(ObstacleId{2}, {world_->width() / 2, 0, world_->width() / 2 + 1, world_->height()});
    for (std::uint32_t i = 0; i < options_.queries; ++i) {
      Snapshot snapshot = plain_snapshot();
      ask_in_vain(snapshot, &flood_us_);
      ComponentMap components(snapshot.layer, Topology::k8);
      snapshot.components = components;
      ask_in_vain(snapshot, &first_us_);
      Samples others;
      for (int more = 0; more < 3; ++more) ask_in_vain(snapshot, &others);
      ask_in_vain(snapshot, &known_us_);
      const NodeId stone = free_cell_near(world_->width() - kRoom / 2);
      const std::int32_t x = world_->layer(view_).x_of(stone);
      const std::int32_t y = world_->layer(view_).y_of(stone);
      if (stone != to_) put(ObstacleId{3 + i}, {x, y, x + 1, y + 1});
      snapshot = plain_snapshot();
      const OnceStopwatch tell;
      components.update(snapshot.layer);
      snapshot.components = components;
      tell_us_.add(tell.us());
      ask_in_vain(snapshot, &edited_us_);
      label_bytes_ = components.bytes() + components.memory().bytes;
    }
  }

  Json rows() const {
    Json rows = Json::array();
    rows.push_back(row("edit", edit_us_, world_->bytes()));
    rows.push_back(row("replan", replan_us_, replanner_.memory_bytes()));
    rows.push_back(row("cut_off", cut_off_us_, replanner_.memory_bytes()));
    rows.push_back(row("reopened", reopened_us_, replanner_.memory_bytes()));
    rows.push_back(row("query", query_us_, query_bytes_));
    rows.push_back(row("query_hpa", hpa_us_, hpa_bytes_));
    rows.push_back(row("unreachable_flood", flood_us_, query_bytes_));
    rows.push_back(row("unreachable_first", first_us_, label_bytes_));
    rows.push_back(row("unreachable_known", known_us_, label_bytes_));
    rows.push_back(row("unreachable_edited", edited_us_, label_bytes_));
    rows.push_back(row("tell", tell_us_, label_bytes_));
    return rows;
  }
  std::uint64_t mismatches() const { return mismatches_; }
  std::uint64_t hash() const { return hash_.value(); }

 private:
  NodeId free_cell_near(std::int32_t at) {
    const GridLayer& layer = world_->layer(view_);
    for (;;) {
      const std::int32_t x = at + static_cast<std::int32_t>(random_.below(kRoom / 2)) - kRoom / 4;
      const std::int32_t y = at + static_cast<std::int32_t>(random_.below(kRoom / 2)) - kRoom / 4;
      if (layer.is_free(x, y)) return layer.node_at(x, y);
    }
  }
  MapPoint centre(NodeId node) const {
    const GridLayer& layer = world_->layer(view_);
    return {layer.x_of(node) + 0.5, layer.y_of(node) + 0.5};
  }
  void settle() {
    while (replanner_.waiting().size() > 0) replanner_.step(kNoLimit, now_ += 16'667);
    replanner_.take_events();
  }

  // Returns a door across or along the path, within kBesidePath of a random cell of it, but not on
  // its ends.
  ObstacleSpec door_near_path() {
    const GridLayer& layer = world_->layer(view_);
    const AgentView agent = *replanner_.view(kAgent, true);
    REPATH_CHECK(agent.verdict.path && !agent.verdict.path->nodes.empty());
    const std::vector<NodeId>& path = agent.verdict.path->nodes;
    for (;;) {
      const NodeId beside = path[random_.below(static_cast<std::uint32_t>(path.size()))];
      const std::int32_t x = layer.x_of(beside) + aside();
      const std::int32_t y = layer.y_of(beside) + aside();
      const bool along = random_.below(2) == 0;
      const CellRect cells{x, y, x + (along ? kDoor : 1), y + (along ? 1 : kDoor)};
      if (x < 0 || y < 0 || cells.x1 > layer.width() || cells.y1 > layer.height()) continue;
      if (has(cells, from_) || has(cells, to_)) continue;
      ObstacleSpec door;
      door.id = ObstacleId{1};
      door.shape = cells;
      return door;
    }
  }
  std::int32_t aside() {
    return static_cast<std::int32_t>(random_.below(2 * kBesidePath + 1)) - kBesidePath;
  }
  bool has(const CellRect& cells, NodeId node) const {
    const std::int32_t x = world_->layer(view_).x_of(node);
    const std::int32_t y = world_->layer(view_).y_of(node);
    return x >= cells.x0 && x < cells.x1 && y >= cells.y0 && y < cells.y1;
  }

  void apply(const ChangeBatch& batch, Samples* replan_us) {
    const OnceStopwatch edit;
    absl::StatusOr<StagedBatch> staged = world_->stage(batch);
    REPATH_CHECK(staged.ok());
    replanner_.before_commit();
    Commit commit = world_->commit(*std::move(staged));
    edit_us_.add(edit.us());
    const OnceStopwatch replan;
    replanner_.on_commit(std::move(commit), now_);
    settle();
    replan_us->add(replan.us());
    hash_.add(replanner_.view(kAgent, false)->held_cost);
  }

  Snapshot plain_snapshot() {
    Snapshot snapshot{world_->revision(), world_->layer(view_), Topology::k8, CornerRule::kNone};
    if (world_->keep_jumps(view_)) snapshot.jumps = *world_->jumps(view_);
    return snapshot;
  }
  // Changes the world when the replanner is no longer used.
  void put(ObstacleId id, const CellRect& cells) {
    ChangeBatch batch;
    ObstacleSpec spec;
    spec.id = id;
    spec.shape = cells;
    batch.upsert_obstacles.push_back(spec);
    absl::StatusOr<StagedBatch> staged = world_->stage(batch);
    REPATH_CHECK(staged.ok());
    world_->commit(*std::move(staged));
  }
  void ask_in_vain(const Snapshot& snapshot, Samples* us) {
    PathQuery query;
    query.from = centre(from_);
    query.goals = {centre(to_)};
    const OnceStopwatch watch;
    const PathAnswer answer = find_path(snapshot, query, {});
    us->add(watch.us());
    mismatches_ += answer.state != QueryState::kUnreachable;
  }

  void check() {
    PathQuery query;
    query.from = centre(from_);
    query.goals = {centre(to_)};
    Snapshot snapshot{world_->revision(), world_->layer(view_), Topology::k8, CornerRule::kNone};
    if (!world_->keep_jumps(view_)) return;  // a plain search takes seconds there
    snapshot.jumps = *world_->jumps(view_);
    const PathAnswer answer = find_path(snapshot, query, {});
    const Cost cost = answer.state == QueryState::kComplete ? answer.cost : kUnreachable;
    mismatches_ += cost != replanner_.view(kAgent, false)->held_cost;
  }

  void ask(const Snapshot& snapshot, const PathQuery& query, Samples* us, std::uint64_t* bytes) {
    const OnceStopwatch watch;
    const PathAnswer answer = find_path(snapshot, query, {});
    us->add(watch.us());
    *bytes = std::max(*bytes, answer.peak_bytes);
    hash_.add(answer.cost);
  }

  Json row(const char* op, const Samples& us, std::uint64_t bytes) const {
    return {{"side", world_->width()},
            {"op", op},
            {"n", us.size()},
            {"p50_us", us.quantile(0.5)},
            {"p99_us", us.quantile(0.99)},
            {"mean_us", us.mean()},
            {"bytes", bytes}};
  }

  const ScaleOptions& options_;
  Random random_;
  std::unique_ptr<World> world_;
  ViewId view_;
  InlineExecutor executor_;
  Replanner replanner_;
  NodeId from_{};
  NodeId to_{};
  Micros now_ = 0;
  Samples edit_us_, replan_us_, cut_off_us_, reopened_us_, query_us_, hpa_us_;
  Samples flood_us_, first_us_, known_us_, edited_us_, tell_us_;
  std::uint64_t query_bytes_ = 0, hpa_bytes_ = 0, label_bytes_ = 0;
  std::uint64_t mismatches_ = 0;
  Hasher hash_;
};

// Returns the slope of log(key) over log(cells), by least squares; null with fewer than two sides.
Json exponent(const Json& rows, const std::string& op, const std::string& key) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Json& row : rows) {
    if (row.at("op") != op) continue;
    const double x = 2 * std::log(row.at("side").get<double>());
    const double y = std::log(row.at(key).get<double>());
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  if (n < 2) return nullptr;
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// Returns the ratio of the largest side to the smallest.
Json growth(const Json& rows, const std::string& op, const std::string& key) {
  std::vector<double> values;
  for (const Json& row : rows)
    if (row.at("op") == op) values.push_back(row.at(key).get<double>());
  return values.back() / values.front();
}

}  // namespace

int run_scale(const ScaleOptions& options) {
  Json rows = Json::array();
  Hasher hash;
  std::uint64_t mismatches = 0;
  for (std::int32_t side = kSideMin; side <= options.max_side; side *= 2) {
    Place place(side, options);
    place.meet_events();
    place.cut_agents_off();
    place.ask_queries();
    place.ask_behind_wall();
    for (Json& row : place.rows()) rows.push_back(std::move(row));
    mismatches += place.mismatches();
    hash.add(place.hash());
  }
  Json figures;
  figures["replan_exponent"] = exponent(rows, "replan", "p50_us");
  figures["edit_exponent"] = exponent(rows, "edit", "p50_us");
  figures["edit_growth"] = growth(rows, "edit", "p50_us");
  figures["edit_bytes_exponent"] = exponent(rows, "edit", "bytes");
  figures["replan_bytes_exponent"] = exponent(rows, "replan", "bytes");
  figures["results"] = std::move(rows);
  figures["mismatches"] = mismatches;
  figures["seed"] = options.seed;
  figures["hash"] = hex(hash.value());
  print(std::move(figures), options.json);
  return mismatches == 0 ? 0 : 1;
}

}  // namespace repath::bench

#include "verify/replay.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "cli/read_file.h"
#include "verify/laying.h"
#include "verify/map_file.h"
#include "verify/protocol.h"
#include "verify/scen_file.h"
#include "verify/world_link.h"

namespace repath::verify {
namespace {

constexpr std::size_t kEditsMax = 10'000;  // of one batch
constexpr int kShownMax = 20;              // mismatches printed one by one
constexpr double kOwnTolerance = 1e-6;     // relative, between the server's costs and the model's

class Replay {
 public:
  Replay(const ScenFile& scen, cli::CommandContext& context)
      : scen_(scen), context_(context), link_(context.channel(), "replay") {}

  bool import_map(const std::string& text, const MapFile& map);
  bool create_empty();
  bool run(const std::vector<Patch>& patches);
  void report() const;

 private:
  bool start(const v1::World& world, WorldModel model);
  bool lay(const Stage& stage, const std::vector<Patch>& patches);
  bool ask(const Query& query);
  std::string judge(const Query& query, const v1::Path& path);
  std::string judge_route(const Query& query, const v1::Path& path, double cost);

  const ScenFile& scen_;
  cli::CommandContext& context_;
  WorldLink link_;
  std::unique_ptr<WorldModel> model_;
  std::vector<double> query_us_;
  std::uint64_t changes_ = 0;
  std::uint64_t mismatches_ = 0;
};

bool Replay::import_map(const std::string& text, const MapFile& map) {
  v1::CreateWorldRequest request;
  request.mutable_options()->set_lockstep(true);
  v1::World world;
  if (!context_.accepted(link_.import_map(text, std::move(request), world))) return false;
  int unknown = 0;
  WorldModel model(map, classes_of(world), unknown);
  if (unknown == 0) return start(world, std::move(model));
  context_.check_failed(std::to_string(unknown) + " cells have a character that no class has");
  return false;
}

bool Replay::create_empty() {
  v1::CreateWorldRequest request;
  request.set_width(scen_.width);
  request.set_height(scen_.height);
  request.mutable_options()->set_lockstep(true);
  v1::World world;
  if (!context_.accepted(link_.create(std::move(request), world))) return false;
  return start(world, WorldModel(scen_.width, scen_.height, classes_of(world)));
}

bool Replay::start(const v1::World& world, WorldModel model) {
  model_ = std::make_unique<WorldModel>(std::move(model));
  model_->add_view(Profile{}, 0);
  if (world.width() == model_->width() && world.height() == model_->height()) return true;
  context_.check_failed("the server's world has another size than the map");
  return false;
}

bool Replay::lay(const Stage& stage, const std::vector<Patch>& patches) {
  std::vector<int> have;
  for (int y = 0; y < scen_.height; ++y) {
    for (int x = 0; x < scen_.width; ++x) have.push_back(model_->terrain_at(x, y));
  }
  std::vector<int> want = have;
  for (const PlacedPatch& placed : stage.patches) {
    if (placed.patch < 0 || static_cast<std::size_t>(placed.patch) >= patches.size()) {
      context_.usage_error("the scenario names patch " + std::to_string(placed.patch) +
                           ", which the patch file does not have");
      return false;
    }
    const Patch& patch = patches[static_cast<std::size_t>(placed.patch)];
    for (int v = 0; v < static_cast<int>(patch.size()); ++v) {
      const std::string& row = patch[static_cast<std::size_t>(v)];
      for (int u = 0; u < static_cast<int>(row.size()); ++u) {
        const int x = placed.x + u;
        const int y = placed.y + v;
        if (x < 0 || y < 0 || x >= scen_.width || y >= scen_.height) continue;
        const int c = class_by_symbol(model_->classes(), row[static_cast<std::size_t>(u)]);
        if (c < 0) {
          context_.usage_error(std::string("no terrain class has the character ") +
                               row[static_cast<std::size_t>(u)]);
          return false;
        }
        want[static_cast<std::size_t>(y) * static_cast<std::size_t>(scen_.width) +
             static_cast<std::size_t>(x)] = c;
      }
    }
  }
  const std::vector<TerrainEdit> edits = edits_between(have, want, scen_.width, scen_.height);
  for (std::size_t at = 0; at < edits.size(); at += kEditsMax) {
    const std::size_t end = std::min(edits.size(), at + kEditsMax);
    const Batch batch{.terrain = {edits.begin() + static_cast<std::ptrdiff_t>(at),
                                  edits.begin() + static_cast<std::ptrdiff_t>(end)}};
    v1::ApplyChangesRequest request;
    fill(batch, model_->classes(), 1, *request.mutable_batch());
    v1::ApplyChangesResponse answer;
    if (!context_.accepted(link_.apply(std::move(request), answer))) return false;
    model_->apply(batch);
  }
  ++changes_;
  return true;
}

bool Replay::ask(const Query& query) {
  v1::FindPathRequest request;
  request.mutable_from()->mutable_cell()->set_x(query.from.x);
  request.mutable_from()->mutable_cell()->set_y(query.from.y);
  v1::Cell& goal = *request.add_goals()->mutable_cell();
  goal.set_x(query.to.x);
  goal.set_y(query.to.y);
  v1::FindPathResponse answer;
  const auto begin = std::chrono::steady_clock::now();
  if (!context_.accepted(link_.find_path(std::move(request), answer))) return false;
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  query_us_.push_back(took.count());
  const std::string wrong = judge(query, answer.path());
  if (wrong.empty()) return true;
  if (++mismatches_ <= kShownMax) {
    std::fprintf(stderr, "query %zu from %d,%d to %d,%d at revision %llu: %s\n", query_us_.size(),
                 query.from.x, query.from.y, query.to.x, query.to.y,
                 static_cast<unsigned long long>(model_->revision()), wrong.c_str());
  }
  return true;
}

// Returns the fault of the answer; empty if there is none.
std::string Replay::judge(const Query& query, const v1::Path& path) {
  const std::string status = without(v1::PathStatus_Name(path.status()), "PATH_STATUS_");
  if (path.revision() != model_->revision()) {
    return "the path names revision " + std::to_string(path.revision());
  }
  if (!query.length) {
    const bool none = path.status() == v1::PATH_STATUS_UNREACHABLE ||
                      path.status() == v1::PATH_STATUS_GOAL_BLOCKED ||
                      path.status() == v1::PATH_STATUS_START_BLOCKED;
    return none && path.cells().empty() ? "" : "the file says there is no path; got " + status;
  }
  if (path.status() != v1::PATH_STATUS_COMPLETE) {
    return "the file says " + std::to_string(*query.length) + "; got " + status;
  }
  if (std::abs(path.cost() - *query.length) > query.tolerance) {
    return "the file says " + std::to_string(*query.length) + "; got " +
           std::to_string(path.cost());
  }
  return judge_route(query, path, path.cost());
}

std::string Replay::judge_route(const Query& query, const v1::Path& path, double cost) {
  const Ground& ground = model_->view(0).now();
  const auto route = expand(ground, {path.cells().begin(), path.cells().end()});
  if (!route) return "the waypoints are no path of straight runs";
  if (route->cells.front() != ground.cell(query.from.x, query.from.y) ||
      route->cells.back() != ground.cell(query.to.x, query.to.y)) {
    return "the path does not lead from the start to the goal";
  }
  const double own = cost_of(ground, *route, 0);
  if (own == kInfinity) return "the path crosses something closed";
  if (std::abs(own - cost) > kOwnTolerance * std::max(1.0, own)) {
    return "the path's steps sum up to " + std::to_string(own) + ", not " + std::to_string(cost);
  }
  return "";
}

bool Replay::run(const std::vector<Patch>& patches) {
  std::size_t total = 0;
  for (const Stage& stage : scen_.stages) total += stage.queries.size();
  cli::Progress progress("replaying");
  for (const Stage& stage : scen_.stages) {
    if (!stage.patches.empty() && !lay(stage, patches)) return false;
    for (const Query& query : stage.queries) {
      if (!ask(query)) return false;
      progress.show(query_us_.size(), total);
    }
  }
  return true;
}

void Replay::report() const {
  std::vector<double> sorted = query_us_;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double share) {
    return sorted.empty()
               ? 0.0
               : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  const double mean = sorted.empty() ? 0 : sum / static_cast<double>(sorted.size());
  if (context_.json) {
    context_.print_json({{"queries", sorted.size()},
                         {"changes", changes_},
                         {"mismatches", mismatches_},
                         {"query_us", {{"mean", mean}, {"p50", at(0.5)}, {"p99", at(0.99)}}}});
  } else {
    std::printf(
        "%zu queries, %llu changes, %llu mismatches; a query takes %.0f us, p50 %.0f, p99 %.0f\n",
        sorted.size(), static_cast<unsigned long long>(changes_),
        static_cast<unsigned long long>(mismatches_), mean, at(0.5), at(0.99));
  }
  if (mismatches_ > 0) context_.check_failed(std::to_string(mismatches_) + " mismatches");
}

// Returns the file beside `scen` that its name or header gives.
std::string beside(const std::string& scen, const std::string& name) {
  return (std::filesystem::path(scen).parent_path() / name).string();
}

std::string map_of(const ReplayOptions& options) {
  if (!options.map.empty()) return options.map;
  return options.scen.ends_with(".scen") ? options.scen.substr(0, options.scen.size() - 5)
                                         : options.scen + ".map";
}

}  // namespace

void replay(const ReplayOptions& options, cli::CommandContext& context) {
  std::error_code error;
  const auto text = cli::read_file(options.scen, error);
  if (!text) return context.usage_error(cli::unreadable(options.scen, error));
  std::string problem;
  const auto scen = parse_scen(*text, problem);
  if (!scen) return context.usage_error(options.scen + ": " + problem);
  const bool dynamic = scen->version == 2;
  if (dynamic && !options.map.empty()) {
    return context.usage_error("a scenario of version 2 lays its own map: leave --map out");
  }
  const std::string file = dynamic ? beside(options.scen, scen->patch_file) : map_of(options);
  const auto ground = cli::read_file(file, error);
  if (!ground) return context.usage_error(cli::unreadable(file, error));
  const auto patches = dynamic ? parse_patches(*ground, problem) : std::nullopt;
  const auto map = dynamic ? std::nullopt : parse_map(*ground, problem);
  if (!patches && !map) return context.usage_error(file + ": " + problem);

  Replay replay(*scen, context);
  if (!(dynamic ? replay.create_empty() : replay.import_map(*ground, *map))) return;
  if (replay.run(patches.value_or(std::vector<Patch>{}))) replay.report();
}

}  // namespace repath::verify

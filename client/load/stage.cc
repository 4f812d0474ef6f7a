#include "load/stage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "cli/parse.h"
#include "load/route_scene.h"
#include "verify/graph_model.h"
#include "verify/map_file.h"
#include "verify/mesh_fetch.h"
#include "verify/protocol.h"

namespace repath::load {
namespace {

constexpr int kPlaces = 512;  // at least, on meshes and graphs

grpc::Status unsuited(const std::string& why) { return {grpc::StatusCode::INVALID_ARGUMENT, why}; }

// The ground of a grid as the default profile has it.
std::unique_ptr<GridGround> ground_of(const MadeMap& map, const v1::World& made,
                                      std::string* problem) {
  const auto parsed = verify::parse_map(map.file, *problem);
  if (!parsed) return nullptr;
  const auto classes = verify::classes_of(made);
  std::vector<std::uint8_t> walls;
  walls.reserve(static_cast<std::size_t>(parsed->width) * static_cast<std::size_t>(parsed->height));
  for (const std::string& row : parsed->rows) {
    for (const char symbol : row) {
      const int found = verify::class_by_symbol(classes, symbol);
      walls.push_back(found < 0 || classes[static_cast<std::size_t>(found)].forbidden ? 1 : 0);
    }
  }
  auto ground = std::make_unique<GridGround>(parsed->width, parsed->height, walls);
  if (ground->places() > 1) return ground;
  *problem = "nobody can walk on this map";
  return nullptr;
}

// Lets the server pick places; the same seed gives the same.
grpc::Status draw_places(const std::string& world, std::uint64_t seed, int count,
                         const std::shared_ptr<grpc::Channel>& channel,
                         std::vector<Place>* places) {
  const auto stub = v1::PathService::NewStub(channel);
  for (int i = 0; i < count; ++i) {
    grpc::ClientContext context;
    verify::limit_time(context);
    v1::FindRandomPointRequest request;
    request.set_world(world);
    request.set_seed(seed + static_cast<std::uint64_t>(i));
    v1::FindRandomPointResponse answer;
    grpc::Status status = stub->FindRandomPoint(&context, request, &answer);
    if (!status.ok()) return status;
    if (answer.status() != v1::PATH_STATUS_COMPLETE) continue;
    places->push_back({answer.position().x(), answer.position().y(), answer.position().z()});
  }
  return places->empty() ? unsuited("nobody can walk in this world") : grpc::Status::OK;
}

// Returns the model that checks verdicts of a mesh or graph. Call it before the world has
// obstacles.
std::unique_ptr<verify::RouteModel> model_of(const LoadOptions& options, const MadeMap& map,
                                             Stage& stage, grpc::Status* status) {
  if (options.verify <= 0) return nullptr;
  if (stage.made.kind() != "graph")
    return verify::fetch_mesh(*stage.link, {.views = {verify::MeshView{}}}, status);
  try {
    return std::make_unique<verify::GraphModel>(map.file);
  } catch (const nlohmann::json::exception& error) {
    *status = unsuited(error.what());
    return nullptr;
  }
}

grpc::Status put_first(Stage& stage) {
  for (v1::ChangeBatch& batch : stage.scene->first_changes()) {
    v1::ApplyChangesRequest request;
    *request.mutable_batch() = std::move(batch);
    v1::ApplyChangesResponse answer;
    grpc::Status status = stage.link->apply(std::move(request), answer);
    if (!status.ok()) return status;
    stage.base_revision = answer.revision();
  }
  return grpc::Status::OK;
}

}  // namespace

std::optional<Stage> make_stage(const LoadOptions& options, const MadeMap& map, int number,
                                std::shared_ptr<grpc::Channel> channel, grpc::Status* status) {
  Stage stage;
  stage.link = std::make_unique<verify::WorldLink>(
      channel, "load-" + options.scenario + "-" + std::to_string(number));
  v1::CreateWorldRequest request;
  request.mutable_options()->set_strategy(cli::parse_strategy("--strategy", options.strategy));
  *status = stage.link->import_map(map.file, std::move(request), stage.made);
  if (!status->ok()) return std::nullopt;
  stage.base_revision = stage.made.revision();
  const std::uint64_t seed = options.seed * 1'000'003 + static_cast<std::uint64_t>(number) * 10'007;
  if (stage.made.kind() == "grid") {
    std::string problem;
    auto ground = ground_of(map, stage.made, &problem);
    if (!ground) {
      *status = unsuited(problem);
      return std::nullopt;
    }
    stage.scene = std::make_unique<GridScene>(options, std::move(ground), map,
                                              verify::classes_of(stage.made), seed);
  } else {
    std::vector<Place> places;
    *status = draw_places(stage.link->name(), seed, std::max(kPlaces, 2 * options.agents), channel,
                          &places);
    if (!status->ok()) return std::nullopt;
    auto ground = std::make_unique<RouteGround>(stage.made.kind() == "graph", std::move(places));
    auto model = model_of(options, map, stage, status);
    if (!status->ok()) return std::nullopt;
    stage.scene = std::make_unique<RouteScene>(options, std::move(ground), std::move(model), seed);
  }
  *status = put_first(stage);
  if (!status->ok()) return std::nullopt;
  return stage;
}

}  // namespace repath::load

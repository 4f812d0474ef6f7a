// The calls of WorldService that read a world back in pages, and the stream of a whole one.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "rpc/calls.h"
#include "rpc/content_messages.h"
#include "rpc/services.h"
#include "rpc/world_codec.h"
#include "rpc/world_export.h"
#include "rpc/world_messages.h"
#include "world/checks.h"

namespace repath {
namespace {

constexpr int kTilesMax = 1024;
constexpr int kObstaclesMax = 5000;
constexpr int kGraphEntriesMax = 20'000;

template <class Request>
std::optional<Revision> expected_in(const Request& request) {
  if (!request.has_expected_revision()) return std::nullopt;
  return Revision{request.expected_revision()};
}

absl::Status unsuited_world(const WorldFacts& facts, const std::string& kinds) {
  return make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                    "is a " + std::string(name_of(facts.kind)) + "; this call is for " + kinds);
}

absl::StatusOr<TerrainQuestion> to_question(const v1::GetTerrainRequest& request,
                                            const WorldFacts& facts) {
  const Field field;
  TerrainQuestion question;
  if (request.has_area()) {
    const v1::CellRect& area = request.area();
    const CellRect rect{area.x0(), area.y0(), area.x1(), area.y1()};
    REPATH_RETURN_IF_ERROR(
        check_rect(rect, grid_bounds(facts.width, facts.height, facts.cell_size), "area"));
    question.area = CellRect{std::max(rect.x0, 0), std::max(rect.y0, 0),
                             std::min(rect.x1, facts.width), std::min(rect.y1, facts.height)};
  }
  REPATH_RETURN_IF_ERROR(check_epoch(request.epoch(), facts));
  question.changed_since = Revision{request.changed_since_revision()};
  if (request.has_team()) {
    REPATH_ASSIGN_OR_RETURN(const TeamId team, to_team(request.team(), field / "team"));
    question.team = team;
  }
  REPATH_RETURN_IF_ERROR(read_unless_zero(request.page_size(), 0, kTilesMax, field / "page_size",
                                          &question.tiles_max));
  REPATH_RETURN_IF_ERROR(
      read_token(request.page_token(), field / "page_token", &question.first_tile));
  question.expected_revision = expected_in(request);
  return question;
}

absl::StatusOr<ObstacleQuestion> to_question(const v1::ListObstaclesRequest& request) {
  const Field field;
  ObstacleQuestion question;
  if (request.has_area()) {
    const v1::PlaneArea& area = request.area();
    const Field at = field / "area";
    for (const auto& [number, name] : {std::pair{area.min_x(), "min_x"},
                                       {area.min_z(), "min_z"},
                                       {area.max_x(), "max_x"},
                                       {area.max_z(), "max_z"}})
      REPATH_RETURN_IF_ERROR(check_range(number, -kCoordinateMax, kCoordinateMax, at / name));
    if (area.min_x() > area.max_x() || area.min_z() > area.max_z())
      return refuse(at, "RECT_EMPTY", "must have a least x and z of at most the greatest");
    question.area = PlaneArea{area.min_x(), area.min_z(), area.max_x(), area.max_z()};
  }
  REPATH_RETURN_IF_ERROR(read_unless_zero(request.page_size(), 0, kObstaclesMax,
                                          field / "page_size", &question.limit));
  REPATH_RETURN_IF_ERROR(read_token(request.page_token(), field / "page_token", &question.after));
  question.expected_revision = expected_in(request);
  return question;
}

absl::StatusOr<GraphQuestion> to_question(const v1::GetGraphRequest& request) {
  const Field field;
  GraphQuestion question;
  REPATH_RETURN_IF_ERROR(read_unless_zero(request.page_size(), 0, kGraphEntriesMax,
                                          field / "page_size", &question.limit));
  REPATH_RETURN_IF_ERROR(read_token(request.page_token(), field / "page_token", &question.after));
  question.expected_revision = expected_in(request);
  return question;
}

// Answers with a page of the world as it is, by `now` of WorldHost, or as it was, by `then` of
// Engine.
template <class Page, class Question, class Request, class Fill>
void give_page(const WorldCall& call, const Request& request, Question question,
               void (WorldHost::*now)(Question, Answer<Page>),
               absl::StatusOr<Page> (Engine::*then)(const Question&) const, Fill fill) {
  Answer<Page> answer = call.answer<Page>(std::move(fill));
  if (request.at_revision() == 0) return (*call.host.*now)(std::move(question), std::move(answer));
  call.registry.read_past<Page>(
      {call.host, Revision{request.at_revision()}, CallLedger::client_of(*call.context),
       std::make_shared<const CallStop>(call.context), proto_codec()},
      [question = std::move(question), then](Engine& engine) { return (engine.*then)(question); },
      std::move(answer));
}

}  // namespace

UnaryCall* WorldService::GetTerrain(CallContext* context, const v1::GetTerrainRequest* request,
                                    v1::GetTerrainResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        const WorldFacts& facts = call.host->facts();
        if (!facts.is_grid()) return unsuited_world(facts, "grids");
        REPATH_ASSIGN_OR_RETURN(TerrainQuestion question, to_question(*request, facts));
        const auto fill = [=, host = call.host](const TerrainPage& page) {
          for (const TerrainTile& tile : page.tiles) fill_tile(tile, response->add_tiles());
          if (page.next_tile) response->set_next_page_token(token_of(*page.next_tile));
          response->set_revision(value(page.revision));
          response->set_epoch(host->facts().epoch);
        };
        give_page(call, *request, std::move(question), &WorldHost::read_terrain,
                  &Engine::read_terrain, fill);
        return absl::OkStatus();
      });
}

UnaryCall* WorldService::ListObstacles(CallContext* context,
                                       const v1::ListObstaclesRequest* request,
                                       v1::ListObstaclesResponse* response) {
  return ask_world(registry_, context, request->world(),
                   [=](const WorldCall& call) -> absl::Status {
                     REPATH_ASSIGN_OR_RETURN(ObstacleQuestion question, to_question(*request));
                     const auto fill = [=](const ObstaclePage& page) {
                       for (const ObstacleSpec& spec : page.obstacles)
                         fill_obstacle(spec, response->add_obstacles());
                       for (const Body& body : page.bodies) fill_body(body, response->add_bodies());
                       if (page.next) response->set_next_page_token(token_of(*page.next));
                       response->set_revision(value(page.revision));
                     };
                     give_page(call, *request, std::move(question), &WorldHost::read_obstacles,
                               &Engine::read_obstacles, fill);
                     return absl::OkStatus();
                   });
}

UnaryCall* WorldService::GetGraph(CallContext* context, const v1::GetGraphRequest* request,
                                  v1::GetGraphResponse* response) {
  return ask_world(registry_, context, request->world(),
                   [=](const WorldCall& call) -> absl::Status {
                     const WorldFacts& facts = call.host->facts();
                     if (facts.kind != WorldKind::kGraph) return unsuited_world(facts, "graphs");
                     REPATH_ASSIGN_OR_RETURN(GraphQuestion question, to_question(*request));
                     const auto fill = [=](const GraphPage& page) {
                       for (const GraphNode& node : page.nodes)
                         fill_node(node, response->add_nodes());
                       for (const GraphEdge& edge : page.edges)
                         fill_edge(edge, response->add_edges());
                       if (page.next) response->set_next_page_token(token_of(*page.next));
                       response->set_revision(value(page.revision));
                     };
                     give_page(call, *request, std::move(question), &WorldHost::read_graph,
                               &Engine::read_graph, fill);
                     return absl::OkStatus();
                   });
}

grpc::ServerWriteReactor<v1::ExportWorldResponse>* WorldService::ExportWorld(
    CallContext* context, const v1::ExportWorldRequest* request) {
  auto stream = std::make_shared<WorldExport>(registry_, *context);
  stream->keep_alive();
  stream->begin(*request);
  return stream.get();
}

}  // namespace repath

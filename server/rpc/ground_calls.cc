// The calls of DebugService that show the ground of meshes.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "geometry/grow.h"
#include "routes/query_ground.h"
#include "rpc/batch_messages.h"
#include "rpc/query_call.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"
#include "world/checks.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::uint32_t kCellsMax = 20'000;
constexpr std::uint32_t kCellsDefault = 5000;
// Three doubles each, below the message size that clients accept.
constexpr std::size_t kCornersMax = 100'000;

// Fills in as many of the cells as fit the message, at least one. Returns how many.
std::size_t fill_cells(const std::vector<GroundCell>& cells, v1::GetGroundResponse* out) {
  std::size_t corners = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const GroundCell& cell = cells[i];
    corners += cell.corners.size();
    if (corners > kCornersMax && i > 0) return i;
    out->add_corner_counts(static_cast<std::uint32_t>(cell.corners.size()));
    for (const Spot& corner : cell.corners) add_spot(corner, out->mutable_corners());
    out->add_areas(cell.area);
    out->add_flags(cell.flags);
  }
  if (std::ranges::any_of(cells, [](const GroundCell& cell) { return cell.factor != 1; }))
    for (const GroundCell& cell : cells) out->add_factors(cell.factor);
  return cells.size();
}

void fill_links(const GroundView& ground, v1::GetGroundResponse* out) {
  for (const GroundLink& link : ground.links()) {
    v1::GetGroundResponse::Link* message = out->add_links();
    message->set_id(link.id);
    fill_spot(link.from, message->mutable_from());
    fill_spot(link.to, message->mutable_to());
    message->set_factor(link.factor);
    message->set_both_ways(link.both_ways);
    message->set_enabled(link.enabled);
  }
}

absl::Status fill_ground(const AnySnapshot& world, std::uint32_t first, std::uint32_t most,
                         v1::GetGroundResponse* out) {
  const GroundView& ground = *world.routes->view();
  std::vector<GroundCell> cells;
  std::optional<std::uint32_t> next = ground.append_cells(first, most, &cells);
  // A message that is too large is cut to a smaller page; the client asks again for the rest.
  while (fill_cells(cells, out) < cells.size()) {
    const std::size_t fit = static_cast<std::size_t>(out->corner_counts_size());
    out->Clear();
    cells.clear();
    next = ground.append_cells(first, fit, &cells);
  }
  if (next) out->set_next_cell(*next);
  if (first == 0) fill_links(ground, out);
  out->set_revision(value(world.revision));
  return absl::OkStatus();
}

// Refuses all fields of the obstacle but its shape.
absl::Status check_shape_alone(const v1::Obstacle& obstacle, const Field& field) {
  using Case = v1::Obstacle::EffectCase;
  const Case effect = obstacle.effect_case();
  for (const auto& [is_given, name] : {std::pair{obstacle.id() != 0, "id"},
                                       {effect == Case::kBlocked, "blocked"},
                                       {effect == Case::kCostFactor, "cost_factor"},
                                       {effect == Case::kArea, "area"},
                                       {obstacle.team_mask() != 0, "team_mask"},
                                       {obstacle.disabled(), "disabled"},
                                       {obstacle.has_bottom(), "bottom"},
                                       {obstacle.has_top(), "top"}})
    if (is_given)
      return refuse(field / name, "OPTIONS_CONFLICT",
                    "must be left out: the area follows from the shape alone");
  return absl::OkStatus();
}

}  // namespace

UnaryCall* DebugService::GetGround(CallContext* context, const v1::GetGroundRequest* request,
                                   v1::GetGroundResponse* response) {
  const auto read = [=](const WorldFacts& facts, const MapUnits&) -> absl::StatusOr<Question> {
    if (facts.kind != WorldKind::kNavmesh)
      return make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                        "is a " + std::string(name_of(facts.kind)) + "; this call is for meshes");
    REPATH_ASSIGN_OR_RETURN(Question question, to_question(*request));
    std::uint32_t most = kCellsDefault;
    REPATH_RETURN_IF_ERROR(
        read_unless_zero(request->max_cells(), 0, kCellsMax, Field() / "max_cells", &most));
    question.work = [=, first = request->first_cell()](const AnySnapshot& world,
                                                       const QueryLimits&) {
      return fill_ground(world, first, most, response);
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* DebugService::GrowObstacle(CallContext* context, const v1::GrowObstacleRequest* request,
                                      v1::GrowObstacleResponse* response) {
  const auto grown = [&]() -> absl::StatusOr<std::vector<LatticeRing>> {
    const Field field;
    REPATH_RETURN_IF_ERROR(check_shape_alone(request->obstacle(), field / "obstacle"));
    REPATH_ASSIGN_OR_RETURN(const Shape shape, to_shape(request->obstacle(), field / "obstacle"));
    REPATH_RETURN_IF_ERROR(check_places(request->obstacle(), field / "obstacle"));
    REPATH_RETURN_IF_ERROR(check_shape(shape, navmesh_bounds(), "obstacle"));
    REPATH_RETURN_IF_ERROR(check_range(request->radius(), 0, kNavRadiusMax, field / "radius"));
    auto rings = grow(shape, request->radius());
    if (!rings.ok()) return with_field_prefix(rings.status(), "obstacle.");
    return rings;
  };
  const auto rings = grown();
  if (!rings.ok()) return finish(context->DefaultReactor(), rings.status());
  for (const LatticeRing& ring : *rings) {
    v1::GrowObstacleResponse::Ring* message = response->add_rings();
    for (const LatticePoint corner : ring) {
      message->add_xz(to_point(corner).x);
      message->add_xz(to_point(corner).z);
    }
  }
  return finish(context->DefaultReactor(), absl::OkStatus());
}

}  // namespace repath

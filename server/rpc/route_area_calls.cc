// FindReachable and GetFlowField on meshes and graphs: pieces of the ground, with their outlines.
#include <algorithm>
#include <span>
#include <vector>

#include "routes/query_ground.h"
#include "rpc/path_messages.h"

namespace repath {
namespace {

// Limits of a message: 40 bytes for each piece; on meshes also 24 for each corner.
constexpr std::size_t kPiecesMax = 80'000;
constexpr std::size_t kPieceCornersMax = 80'000;

constexpr std::size_t kFlowPiecesDefault = 20'000;
constexpr double kFlowCostMax = 1e9;  // that a request may name, world units

// Returns the cost, rounded down to a unit.
Cost reach_of(double world_units) {
  return static_cast<Cost>(std::min(world_units, kFarthestWay) * kRouteCostUnit);
}

// Adds the cell of a mesh; nothing on graphs. Returns false if it does not fit.
template <class Response>
bool fill_outline(const QueryGround& ground, const ReachedPiece& piece, Response* out) {
  if (ground.view() == nullptr) return true;
  std::vector<GroundCell> cells;
  ground.view()->append_cells(piece.cell, 1, &cells);
  for (const GroundCell& cell : cells) {
    const std::size_t corners = place(out->corners_size()) / 3 + cell.corners.size();
    if (corners > kPieceCornersMax) return false;
    out->add_areas(cell.area);
    out->add_corner_counts(static_cast<std::uint32_t>(cell.corners.size()));
    for (const Spot& corner : cell.corners) add_spot(corner, out->mutable_corners());
  }
  return true;
}

// Fills in the keys of edges of graphs, unless all are 0.
template <class Response>
void fill_keys(std::span<const ReachedPiece> pieces, Response* out) {
  if (std::ranges::all_of(pieces, [](const ReachedPiece& piece) { return piece.key == 0; })) return;
  for (const ReachedPiece& piece : pieces) out->add_edge_keys(piece.key);
}

// Fills in pieces from the part's first one on: as many as it asks for and as fit the message.
void fill_flow(const QueryGround& ground, const PiecesAnswer& flow, const FlowPart& part,
               v1::GetFlowFieldResponse* out) {
  const std::size_t end = part.first_piece < flow.pieces.size()
                              ? std::min(flow.pieces.size(), part.first_piece + part.max_pieces)
                              : flow.pieces.size();
  std::size_t i = part.first_piece;
  for (; i < end; ++i) {
    const ReachedPiece& piece = flow.pieces[i];
    if (!fill_outline(ground, piece, out)) break;
    out->add_costs(units_from_route_cost(piece.cost));
    add_spot(piece.at, out->mutable_positions());
    out->add_next(piece.before == i ? -1 : static_cast<std::int32_t>(piece.before));
    if (!ground.is_continuous()) {
      out->add_nodes(ground.node_id({piece.at, piece.cell}));
      continue;
    }
    out->add_toward(piece.bend_x);
    out->add_toward(piece.bend_z);
    out->add_links(piece.link.value_or(0));
  }
  if (i > part.first_piece)
    fill_keys(std::span(flow.pieces).subspan(part.first_piece, i - part.first_piece), out);
  if (i < flow.pieces.size()) out->set_next_piece(static_cast<std::uint32_t>(i));
}

}  // namespace

void fill_pieces_within(const QueryGround& ground, MapPoint from, double max_cost,
                        std::size_t max_pieces, const QueryLimits& limits,
                        v1::FindReachableResponse* out) {
  const PiecesAnswer answer =
      find_pieces(ground, from, reach_of(max_cost), std::min(max_pieces, kPiecesMax), limits);
  out->set_status(to_message<v1::PathStatus>(answer.state));
  out->set_truncated(answer.truncated);
  if (answer.state != QueryState::kComplete) return;
  out->set_optimality(answer.is_exact ? v1::OPTIMALITY_OPTIMAL : v1::OPTIMALITY_VALID_ONLY);
  for (std::uint32_t i = 0; i < answer.pieces.size(); ++i) {
    const ReachedPiece& piece = answer.pieces[i];
    if (!fill_outline(ground, piece, out)) return out->set_truncated(true);
    out->add_costs(units_from_route_cost(piece.cost));
    out->add_previous(piece.before == i ? -1 : static_cast<std::int32_t>(piece.before));
    add_spot(piece.at, out->mutable_positions());
    if (!ground.is_continuous()) out->add_nodes(ground.node_id({piece.at, piece.cell}));
  }
  fill_keys(answer.pieces, out);
}

absl::StatusOr<FlowPart> to_flow_part(const v1::GetFlowFieldRequest& request) {
  const Field field;
  if (request.has_area())
    return refuse(field / "area", "KIND_UNSUITED", "this world has no cells: give max_cost");
  REPATH_RETURN_IF_ERROR(check_range(request.max_cost(), 0, kFlowCostMax, field / "max_cost"));
  FlowPart part{.max_pieces = kFlowPiecesDefault};
  REPATH_RETURN_IF_ERROR(read_unless_zero(request.max_pieces(), 0, kPiecesMax, field / "max_pieces",
                                          &part.max_pieces));
  part.max_cost = reach_of(request.max_cost() == 0 ? kFarthestWay : request.max_cost());
  part.first_piece = request.first_piece();
  return part;
}

void fill_pieces_to(const QueryGround& ground, const FlowQuery& query, const FlowPart& part,
                    const QueryLimits& limits, v1::GetFlowFieldResponse* out) {
  const PiecesAnswer flow = find_pieces_to(ground, query, part.max_cost, limits);
  out->set_status(to_message<v1::PathStatus>(flow.state));
  out->set_expanded(flow.expanded);
  if (flow.state != QueryState::kComplete) return;
  out->set_optimality(flow.is_exact ? v1::OPTIMALITY_OPTIMAL : v1::OPTIMALITY_VALID_ONLY);
  fill_flow(ground, flow, part, out);
}

}  // namespace repath

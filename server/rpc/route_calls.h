// Parts of the calls of PathService and DebugService that only meshes and graphs have.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/queries.h"
#include "repath/v1/debug.pb.h"
#include "repath/v1/path.pb.h"

namespace repath {

// Answers FindReachable. `max_cost` in world units.
void fill_pieces_within(const QueryGround& ground, MapPoint from, double max_cost,
                        std::size_t max_pieces, const QueryLimits& limits,
                        v1::FindReachableResponse* out);

// The fields of GetFlowField that only meshes and graphs use.
struct FlowPart {
  Cost max_cost = 0;
  std::size_t first_piece = 0;
  std::size_t max_pieces = 0;
};
absl::StatusOr<FlowPart> to_flow_part(const v1::GetFlowFieldRequest& request);
// Answers GetFlowField. The query is in world units.
void fill_pieces_to(const QueryGround& ground, const FlowQuery& query, const FlowPart& part,
                    const QueryLimits& limits, v1::GetFlowFieldResponse* out);

// Reads the waypoints of CheckPath as a client sends them back.
absl::StatusOr<std::vector<RoutePoint>> to_route(const v1::CheckPathRequest& request);

// Adds the searches and the places that they touched: at most `max_nodes`, and as many as fit the
// message.
void fill_trace(const RouteTrace& trace, bool is_mesh, std::size_t max_nodes,
                v1::ExplainPathResponse* out);

}  // namespace repath

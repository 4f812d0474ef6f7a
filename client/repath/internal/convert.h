// Between the library's values and the protocol's messages. Not installed.
#pragma once

#include "repath/query.h"
#include "repath/read_back.h"
#include "repath/v1/agent.pb.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"
#include "repath/values.h"
#include "repath/world.h"

namespace repath::client {

void to_proto(const Location& from, v1::Location* to);
void to_proto(const Agent& from, v1::Agent* to);
void to_proto(const AgentPosition& from, v1::AgentPosition* to);
void to_proto(const Profile& from, v1::Profile* to);
void to_proto(const NewWorld& from, v1::CreateWorldRequest* to);
void to_proto(const ImportOptions& from, v1::ImportWorldRequest::Header* to);
void to_proto(const ChangeBatch& from, v1::ChangeBatch* to);
void to_proto(const Pair& from, v1::TestChangesRequest::Pair* to);
void to_proto(const Walker& from, v1::Walker* to);
void to_proto(const CellRect& from, v1::CellRect* to);

inline Vec3 from_proto(const v1::Vec3& from) { return {from.x(), from.y(), from.z()}; }
Path from_proto(const v1::Path& from);
Path from_proto(const v1::FindPathResponse& from);
PathEvent from_proto(const v1::PathEvent& from);
BatchInfo from_proto(const v1::EventBatch& from);
World from_proto(const v1::World& from);
Applied from_proto(const v1::ApplyChangesResponse& from);
Tested from_proto(const v1::TestChangesResponse& from);
Ticked from_proto(const v1::TickResponse& from);
Nearest from_proto(const v1::FindNearestResponse& from);
Reachable from_proto(const v1::FindReachableResponse& from);
Away from_proto(const v1::FindAwayResponse& from);
FlowField from_proto(const v1::GetFlowFieldResponse& from);
Placements from_proto(const v1::FindPlacementsResponse& from);
RaycastHit from_proto(const v1::RaycastResponse& from);
PathCheck from_proto(const v1::CheckPathResponse& from);
RandomPlace from_proto(const v1::FindRandomPointResponse& from);
TerrainPage from_proto(const v1::GetTerrainResponse& from);
ObstaclePage from_proto(const v1::ListObstaclesResponse& from);
GraphPage from_proto(const v1::GetGraphResponse& from);

}  // namespace repath::client

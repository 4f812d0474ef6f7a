// The calls of a Play that change nothing. Included by play.h only.
#pragma once

#include "rpc/random/play.h"

namespace repath::test {

inline void Play::query(const World& world) {
  Requests requests(random_, world->facts);
  switch (random_.below(6)) {
    case 0: {
      v1::FindPathsRequest request;
      request.set_world(world->facts.name);
      for (std::uint32_t i = 0, n = 1 + random_.below(4); i < n; ++i)
        *request.add_requests() = requests.find_path();
      return start<v1::FindPathsResponse>("PathService.FindPaths", request);
    }
    case 1: {
      v1::ExplainPathRequest request;
      *request.mutable_request() = requests.find_path();
      request.set_max_nodes(random_.below(200));
      return start<v1::ExplainPathResponse>("DebugService.ExplainPath", request);
    }
    case 2: {
      v1::CheckPathRequest request;
      request.set_world(world->facts.name);
      requests.walker(request.mutable_walker());
      request.set_check_optimal(requests.one_in(3));
      for (std::uint32_t i = 0, n = 1 + random_.below(4); i < n; ++i) {
        v1::Location place;
        requests.place(&place);
        if (place.has_cell()) {
          request.add_cells(place.cell().x());
          request.add_cells(place.cell().y());
        } else {
          request.add_positions(place.position().x());
          request.add_positions(place.position().y());
          request.add_positions(place.position().z());
        }
      }
      return start<v1::CheckPathResponse>("PathService.CheckPath", request);
    }
    default:
      return start<v1::FindPathResponse>("PathService.FindPath", requests.find_path());
  }
}

inline void Play::query_area(const World& world) {
  Requests requests(random_, world->facts);
  const std::string& name = world->facts.name;
  switch (random_.below(7)) {
    case 0: {
      v1::FindNearestRequest request;
      request.set_world(name);
      requests.place(request.mutable_from());
      const std::uint32_t goals = requests.one_in(4) ? 1 + random_.below(1024) : random_.below(5);
      for (std::uint32_t i = 0; i < goals; ++i) requests.place(request.add_goals());
      requests.walker(request.mutable_walker());
      return start<v1::FindNearestResponse>("PathService.FindNearest", request);
    }
    case 1: {
      v1::FindReachableRequest request;
      request.set_world(name);
      requests.place(request.mutable_from());
      request.set_max_cost(requests.between(0, 40));
      requests.walker(request.mutable_walker());
      return start<v1::FindReachableResponse>("PathService.FindReachable", request);
    }
    case 2: {
      v1::FindAwayRequest request;
      request.set_world(name);
      requests.place(request.mutable_from());
      requests.place(request.add_threats());
      request.set_distance(requests.between(0, 30));
      requests.walker(request.mutable_walker());
      request.set_allow_partial(requests.one_in(2));
      return start<v1::FindAwayResponse>("PathService.FindAway", request);
    }
    case 3: {
      v1::GetFlowFieldRequest request;
      request.set_world(name);
      requests.place(request.add_goals());
      requests.walker(request.mutable_walker());
      if (!is_grid(world->facts.kind)) request.set_max_cost(requests.between(0, 50));
      return start<v1::GetFlowFieldResponse>("PathService.GetFlowField", request);
    }
    case 4: {
      v1::RaycastRequest request;
      request.set_world(name);
      requests.place(request.mutable_from());
      requests.place(request.mutable_to());
      requests.walker(request.mutable_walker());
      return start<v1::RaycastResponse>("PathService.Raycast", request);
    }
    case 5: {
      v1::FindPlacementsRequest request;
      request.set_world(name);
      request.set_width(1 + random_.below(3));
      request.set_height(1 + random_.below(3));
      requests.walker(request.mutable_walker());
      return start<v1::FindPlacementsResponse>("PathService.FindPlacements", request);
    }
    default: {
      v1::FindRandomPointRequest request;
      request.set_world(name);
      requests.walker(request.mutable_walker());
      request.set_seed(random_.next());
      return start<v1::FindRandomPointResponse>("PathService.FindRandomPoint", request);
    }
  }
}

inline void Play::look(const World& world) {
  Requests requests(random_, world->facts);
  const std::string& name = world->facts.name;
  switch (random_.below(13)) {
    case 7: {
      v1::GetTerrainRequest request;
      request.set_world(name);
      if (requests.one_in(2)) request.set_changed_since_revision(random_.below(40));
      if (requests.one_in(2)) request.set_team(random_.below(Requests::kTeams));
      return start<v1::GetTerrainResponse>("WorldService.GetTerrain", request);
    }
    case 8: {
      v1::ListObstaclesRequest request;
      request.set_world(name);
      if (requests.one_in(2)) {
        request.mutable_area()->set_max_x(requests.between(0, 40));
        request.mutable_area()->set_max_z(requests.between(0, 40));
      }
      request.set_page_size(static_cast<int>(random_.below(5)));
      return start<v1::ListObstaclesResponse>("WorldService.ListObstacles", request);
    }
    case 9: {
      v1::GetGraphRequest request;
      request.set_world(name);
      request.set_page_size(static_cast<int>(random_.below(50)));
      if (requests.one_in(2)) request.set_page_token("node-7-1");
      return start<v1::GetGraphResponse>("WorldService.GetGraph", request);
    }
    case 0: {
      v1::GetWorldRequest request;
      request.set_world(name);
      return start<v1::World>("WorldService.GetWorld", request);
    }
    case 1: {
      v1::ListWorldsRequest request;
      request.set_page_size(static_cast<int>(random_.below(10)));
      return start<v1::ListWorldsResponse>("WorldService.ListWorlds", request);
    }
    case 2: {
      v1::ReadChangesRequest request;
      request.set_world(name);
      request.set_start_revision(2 + random_.below(20));
      return start<v1::ReadChangesResponse>("WorldService.ReadChanges", request);
    }
    case 3: {
      v1::ListAgentsRequest request;
      request.set_world(name);
      request.set_with_paths(requests.one_in(2));
      if (requests.one_in(2)) requests.ids(5, request.mutable_agent_ids());
      return start<v1::ListAgentsResponse>("AgentService.ListAgents", request);
    }
    case 4: {
      v1::GetGroundRequest request;
      request.set_world(name);
      requests.walker(request.mutable_walker());
      return start<v1::GetGroundResponse>("DebugService.GetGround", request);
    }
    case 5: {
      v1::GrowObstacleRequest request;
      const v1::ChangeBatch batch = requests.batch();
      if (batch.upsert_obstacles_size() > 0) {
        v1::Obstacle* obstacle = request.mutable_obstacle();
        *obstacle = batch.upsert_obstacles(0);
        obstacle->clear_id();
        obstacle->clear_effect();
        obstacle->clear_team_mask();
        obstacle->clear_disabled();
        obstacle->clear_bottom();
        obstacle->clear_top();
      }
      request.set_radius(requests.between(0, 3));
      return start<v1::GrowObstacleResponse>("DebugService.GrowObstacle", request);
    }
    case 6: {
      v1::ListVerdictsRequest request;
      request.set_world(name);
      request.set_agent_id(1 + random_.below(Requests::kAgents));
      request.set_limit(random_.below(70));
      return start<v1::ListVerdictsResponse>("AgentService.ListVerdicts", request);
    }
    case 10: {
      v1::ListSessionsRequest request;
      request.set_world(name);
      request.set_page_size(static_cast<int>(random_.below(3)));
      if (requests.one_in(2)) request.set_page_token(session_name(random_.below(2)));
      return start<v1::ListSessionsResponse>("AdminService.ListSessions", request);
    }
    case 11: {
      v1::CloseSessionRequest request;
      request.set_world(name);
      request.set_session_id("nobody");
      return start<v1::CloseSessionResponse>("AdminService.CloseSession", request);
    }
    default: {
      v1::GetStatsRequest request;
      request.set_world(name);
      return start<v1::GetStatsResponse>("DebugService.GetStats", request);
    }
  }
}

}  // namespace repath::test

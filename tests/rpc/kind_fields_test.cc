// Every field of a request that does not suit the world's kind is rejected by name, KIND_UNSUITED;
// no field is ignored silently. The fields come from the messages' own descriptions. So a new field
// must be added to a list of fields that suit, or be rejected.
#include <chrono>
#include <thread>

#include "rpc/kind_fields_fixture.h"

namespace repath {
namespace {

using google::protobuf::FieldDescriptor;
using test::Context;
using test::fault_of;
using test::KindFields;
using test::Names;
using test::set_sample;

TEST_F(KindFields, QueryOptions) {
  const Names suits{"algorithm", "max_expansions", "min_revision", "at_revision", "max_waypoints"};
  const auto* options = v1::QueryOptions::descriptor();
  for (const std::string world : {"house", "streets"}) {
    Names suits_paths = suits;
    suits_paths.insert({"weight", "heuristic"});
    if (world == "streets") suits_paths.insert({"memory_limit_bytes", "turn_penalty"});
    if (world == "house") suits_paths.insert("smoothing");  // see CurvesOnMeshesNeedATurningRadius
    const auto ask = [&](auto request, auto call) {
      return [this, world, request, call](const FieldDescriptor* field) mutable {
        request.Clear();
        set_sample(fill(world, &request), field);
        Context context;
        return call(&context, request);
      };
    };
    expect_only(options, suits_paths, "options.",
                ask(v1::FindPathRequest(), [this](auto* context, const auto& request) {
                  v1::FindPathResponse response;
                  return paths_->FindPath(context, request, &response);
                }));
    expect_only(options, suits_paths, "requests[0].options.",
                ask(v1::FindPathRequest(), [this](auto* context, const auto& request) {
                  v1::FindPathsRequest all;
                  all.set_world(request.world());
                  *all.add_requests() = request;
                  v1::FindPathsResponse response;
                  return paths_->FindPaths(context, all, &response);
                }));
    expect_only(options, suits_paths, "request.options.",
                ask(v1::FindPathRequest(), [this](auto* context, const auto& request) {
                  v1::ExplainPathRequest one;
                  *one.mutable_request() = request;
                  v1::ExplainPathResponse response;
                  return debug_->ExplainPath(context, one, &response);
                }));
    expect_only(options, suits, "options.",
                ask(v1::FindNearestRequest(), [this](auto* context, const auto& request) {
                  v1::FindNearestResponse response;
                  return paths_->FindNearest(context, request, &response);
                }));
    expect_only(options, suits, "options.",
                ask(v1::FindAwayRequest(), [this](auto* context, const auto& request) {
                  v1::FindAwayResponse response;
                  return paths_->FindAway(context, request, &response);
                }));
    expect_only(options, suits, "options.", [&](const FieldDescriptor* field) {
      v1::CheckPathRequest request;
      request.set_world(world);
      request.mutable_positions()->Resize(3, 0);
      set_sample(request.mutable_options(), field);
      Context context;
      v1::CheckPathResponse response;
      return paths_->CheckPath(&context, request, &response);
    });
  }
}

TEST_F(KindFields, OptionsThatAskForWhatComesAnywayAreTaken) {
  for (const std::string world : {"house", "streets"}) {
    v1::FindPathRequest request;
    v1::QueryOptions* options = fill(world, &request);
    options->set_weight(1);
    options->set_smoothing(v1::SMOOTHING_NONE);
    Context context;
    v1::FindPathResponse response;
    const grpc::Status status = paths_->FindPath(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.path().status(), v1::PATH_STATUS_COMPLETE);
  }
}

TEST_F(KindFields, CurvesOnMeshesNeedATurningRadius) {
  v1::ChangeBatch batch;
  batch.add_add_profiles()->set_name("car");
  batch.mutable_add_profiles(0)->set_turning_radius(0.5);
  batch.add_add_profiles()->set_name("lorry");
  batch.mutable_add_profiles(1)->set_turning_radius(60);
  ASSERT_TRUE(apply_batch("house", batch).ok());
  v1::FindPathRequest request;
  request.set_world("house");
  set_place(3, 0, 5, request.mutable_from());
  set_place(17, 0, 5, request.add_goals());
  request.mutable_options()->set_smoothing(v1::SMOOTHING_CURVES);
  v1::FindPathResponse response;
  const auto find = [&] {
    Context context;
    return paths_->FindPath(&context, request, &response);
  };
  test::expect_fault(find(), grpc::FAILED_PRECONDITION, "SMOOTHING_UNSUITED", "options.smoothing");
  request.mutable_walker()->set_profile("car");
  ASSERT_TRUE(find().ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_BOUNDED);
  EXPECT_GT(response.path().bound(), 1);
  EXPECT_GT(response.path().positions_size(), 3 * 4);  // more than start, two corners, goal
  request.mutable_walker()->set_profile("lorry");
  ASSERT_TRUE(find().ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_TURN_TOO_TIGHT);
  EXPECT_EQ(response.path().positions_size(), 0);
}

TEST_F(KindFields, AgentsOnMeshesTurnInCurves) {
  v1::ChangeBatch batch;
  batch.add_add_profiles()->set_name("car");
  batch.mutable_add_profiles(0)->set_turning_radius(0.5);
  batch.add_add_profiles()->set_name("lorry");
  batch.mutable_add_profiles(1)->set_turning_radius(60);
  ASSERT_TRUE(apply_batch("house", batch).ok());
  v1::UpsertAgentsRequest request;
  request.set_world("house");
  v1::Agent* agent = request.add_agents();
  agent->set_id(1);
  set_place(3, 0, 5, agent->mutable_position());
  set_place(17, 0, 5, agent->add_goals());
  agent->set_curves(true);
  const auto upsert = [&] {
    Context context;
    v1::UpsertAgentsResponse response;
    return agents_->UpsertAgents(&context, request, &response);
  };
  test::expect_fault(upsert(), grpc::INVALID_ARGUMENT, "SMOOTHING_UNSUITED", "agents[0].curves");
  const auto path = [&] {
    v1::ListAgentsRequest list;
    list.set_world("house");
    list.set_with_paths(true);
    v1::ListAgentsResponse agents;
    for (int look = 0; look < 400; ++look) {
      Context context;
      EXPECT_TRUE(agents_->ListAgents(&context, list, &agents).ok());
      if (agents.agents_size() == 1 && !agents.agents(0).waiting()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(agents.agents(0).agent().curves());
    return agents.agents(0).verdict().path();
  };
  agent->set_profile("car");
  ASSERT_TRUE(upsert().ok());
  const v1::Path driven = path();
  EXPECT_EQ(driven.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(driven.optimality(), v1::OPTIMALITY_BOUNDED);
  EXPECT_GT(driven.bound(), 1);
  EXPECT_GT(driven.positions_size(), 3 * 4);
  EXPECT_FALSE(driven.turn_too_tight());
  agent->set_profile("lorry");
  ASSERT_TRUE(upsert().ok());
  const v1::Path tight = path();
  EXPECT_EQ(tight.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(tight.optimality(), v1::OPTIMALITY_OPTIMAL);
  EXPECT_TRUE(tight.turn_too_tight());
  EXPECT_LT(tight.cost(), driven.cost());
}

TEST_F(KindFields, PathsToCheck) {
  const Names common{"world", "walker", "check_optimal", "options"};
  const std::pair<std::string, Names> kinds[] = {
      {"grid", {"cells"}}, {"house", {"positions", "links"}}, {"streets", {"positions"}}};
  for (const auto& [world, own] : kinds) {
    Names suits = common;
    suits.insert(own.begin(), own.end());
    expect_only(v1::CheckPathRequest::descriptor(), suits, "",
                [&, world = world](const FieldDescriptor* field) { return check(world, field); });
  }
}

TEST_F(KindFields, FlowFields) {
  const Names common{"world",        "goals",       "goal_radius",   "walker",
                     "min_revision", "at_revision", "max_expansions"};
  for (const std::string world : kKinds) {
    Names suits = common;
    if (world == "grid") {
      suits.insert("area");
    } else {
      suits.insert({"max_cost", "first_piece", "max_pieces"});
    }
    expect_only(v1::GetFlowFieldRequest::descriptor(), suits, "",
                [&](const FieldDescriptor* field) {
                  v1::GetFlowFieldRequest request;
                  request.set_world(world);
                  v1::Location from;
                  put_places(world, &from, request.add_goals());
                  set_sample(&request, field);
                  Context context;
                  v1::GetFlowFieldResponse response;
                  return paths_->GetFlowField(&context, request, &response);
                });
  }
}

TEST_F(KindFields, Profiles) {
  const std::pair<std::string, Names> kinds[] = {
      {"grid", {"name", "topology", "corner_rule", "terrain_rules", "radius", "turning_radius"}},
      {"house",
       {"name", "radius", "include_flags", "exclude_flags", "area_costs", "turning_radius"}},
      {"streets", {"name", "radius", "include_flags", "exclude_flags", "area_costs"}}};
  for (const auto& [world, suits] : kinds) {
    expect_only(v1::Profile::descriptor(), suits, "batch.add_profiles[0].",
                [&, world = world](const FieldDescriptor* field) {
                  v1::ChangeBatch batch;
                  batch.add_add_profiles()->set_name("other");
                  set_sample(batch.mutable_add_profiles(0), field);
                  return apply_batch(world, batch);
                });
  }
  v1::CreateWorldRequest request;
  request.set_name("made");
  request.set_width(4);
  request.set_height(4);
  request.add_profiles()->set_name("other");
  request.mutable_profiles(0)->set_exclude_flags(2);
  Context context;
  v1::World world;
  expect_unsuited(worlds_->CreateWorld(&context, request, &world), "profiles[0].exclude_flags");
}

TEST_F(KindFields, Obstacles) {
  const Names common{"id",      "box",         "cylinder",  "polygon", "capsule",
                     "blocked", "cost_factor", "team_mask", "disabled"};
  for (const std::string world : {"grid", "house"}) {
    Names suits = common;
    if (world == "grid") {
      suits.insert("cells");
    } else {
      suits.insert({"area", "bottom", "top"});
    }
    expect_only(v1::Obstacle::descriptor(), suits, "batch.upsert_obstacles[0].",
                [&](const FieldDescriptor* field) {
                  v1::ChangeBatch batch;
                  v1::Obstacle* obstacle = batch.add_upsert_obstacles();
                  obstacle->set_id(1);
                  obstacle->set_blocked(true);
                  obstacle->mutable_cylinder()->mutable_center()->set_x(2);
                  obstacle->mutable_cylinder()->mutable_center()->set_z(2);
                  obstacle->mutable_cylinder()->set_radius(1);
                  set_sample(obstacle, field);
                  return apply_batch(world, batch);
                });
  }
}

TEST_F(KindFields, Batches) {
  const Names obstacles{"upsert_obstacles", "remove_obstacles", "switch_obstacles"};
  const std::pair<std::string, Names> kinds[] = {
      {"grid",
       {"terrain_edits", "decay_influence", "influence_edits", "fog_edits", "stand", "walk_on"}},
      {"house", {"switch_links"}},
      {"streets", {"graph_edits"}}};
  for (const auto& [world, own] : kinds) {
    const auto* batches = v1::ChangeBatch::descriptor();
    for (int i = 0; i < batches->field_count(); ++i) {
      const std::string name(batches->field(i)->name());
      if (name == "add_profiles" || own.contains(name)) continue;
      if (world != "streets" && obstacles.contains(name)) continue;
      v1::ChangeBatch batch;
      set_sample(&batch, batches->field(i));
      for (v1::GraphEdit& edit : *batch.mutable_graph_edits()) edit.set_remove_node(1);
      for (v1::Obstacle& obstacle : *batch.mutable_upsert_obstacles()) {
        obstacle.set_blocked(true);
        obstacle.mutable_cylinder()->set_radius(1);
      }
      const grpc::Status status = apply_batch(world, batch);
      EXPECT_EQ(fault_of(status).reason, "KIND_UNSUITED") << world << ": " << name;
      EXPECT_EQ(fault_of(status).field.rfind("batch." + name, 0), 0u) << fault_of(status).field;
    }
  }
}

TEST_F(KindFields, AgentsAndWorldsOfRoutes) {
  for (const std::string world : {"house", "streets"}) {
    for (const char* name : {"stands", "crowd"}) {
      v1::UpsertAgentsRequest request;
      request.set_world(world);
      v1::Agent* agent = request.add_agents();
      put_places(world, agent->mutable_position(), agent->add_goals());
      set_sample(agent, v1::Agent::descriptor()->FindFieldByName(name));
      Context context;
      v1::UpsertAgentsResponse response;
      expect_unsuited(agents_->UpsertAgents(&context, request, &response),
                      std::string("agents[0].") + name);
    }
  }
  v1::UpsertAgentsRequest request;
  request.set_world("streets");
  v1::Agent* driver = request.add_agents();
  put_places("streets", driver->mutable_position(), driver->add_goals());
  driver->set_curves(true);
  Context curves_context;
  v1::UpsertAgentsResponse curves_response;
  expect_unsuited(agents_->UpsertAgents(&curves_context, request, &curves_response),
                  "agents[0].curves");
  for (const auto& [format, name] : {std::pair{v1::MAP_FORMAT_GRAPH, "first_leg_cells"},
                                     {v1::MAP_FORMAT_FLOOR_PLAN, "first_leg_cells"}}) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name("other");
    part.mutable_header()->set_format(format);
    set_sample(part.mutable_header()->mutable_world()->mutable_options(),
               v1::WorldOptions::descriptor()->FindFieldByName(name));
    writer->Write(part);
    writer->WritesDone();
    expect_unsuited(writer->Finish(), std::string("header.world.options.") + name);
  }
}

TEST_F(KindFields, CellsOfPlaces) {
  for (const std::string world : {"house", "streets"}) {
    v1::FindReachableRequest request;
    request.set_world(world);
    request.mutable_from()->mutable_cell();
    Context context;
    v1::FindReachableResponse response;
    expect_unsuited(paths_->FindReachable(&context, request, &response), "from.cell");
  }
}

// The duplicate id is reported before any other mistake beside it.
TEST_F(KindFields, AnIdNamedTwiceIsToldBeforeThatItIsUnknown) {
  for (const std::string world : {"grid", "house"}) {
    const auto expect_twice = [&](const v1::ChangeBatch& batch, const std::string& field) {
      test::expect_fault(apply_batch(world, batch), grpc::INVALID_ARGUMENT, "DUPLICATE_ID", field);
    };
    v1::Obstacle obstacle;
    obstacle.set_id(7);
    obstacle.set_blocked(true);
    obstacle.mutable_cylinder()->mutable_center()->set_x(2);
    obstacle.mutable_cylinder()->mutable_center()->set_z(2);
    obstacle.mutable_cylinder()->set_radius(0.5);
    v1::ChangeBatch batch;
    *batch.add_upsert_obstacles() = obstacle;
    batch.add_switch_obstacles()->set_id(7);
    expect_twice(batch, "batch.switch_obstacles[0].id");
    batch.clear_switch_obstacles();
    batch.add_remove_obstacles(7);
    expect_twice(batch, "batch.remove_obstacles[0]");
    batch.clear_upsert_obstacles();
    batch.add_switch_obstacles()->set_id(7);
    expect_twice(batch, "batch.switch_obstacles[0].id");
    batch.clear_remove_obstacles();
    batch.add_switch_obstacles()->set_id(7);
    expect_twice(batch, "batch.switch_obstacles[1].id");
  }
  v1::ChangeBatch batch;
  batch.add_switch_links()->set_id(99);
  batch.add_switch_links()->set_id(99);
  test::expect_fault(apply_batch("house", batch), grpc::INVALID_ARGUMENT, "DUPLICATE_ID",
                     "batch.switch_links[1].id");
  batch.Clear();
  batch.add_walk_on(9);
  batch.add_stand()->set_agent_id(9);
  batch.mutable_stand(0)->mutable_cylinder()->mutable_center()->set_x(2);
  batch.mutable_stand(0)->mutable_cylinder()->set_radius(1);
  test::expect_fault(apply_batch("grid", batch), grpc::INVALID_ARGUMENT, "DUPLICATE_ID",
                     "batch.walk_on[0]");
}

}  // namespace
}  // namespace repath

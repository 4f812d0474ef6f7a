// Fields that suit the world's kind, but that a call or a file would ignore, are refused by name.
#include "rpc/kind_fields_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::KindFields;
using test::set_sample;

// Whether the format is given or guessed from the file.
TEST_F(KindFields, HeadersOfImports) {
  struct File {
    v1::MapFormat format;
    const char* text;
    std::set<std::string> suits;
  };
  const File files[] = {
      {v1::MAP_FORMAT_GRAPH, test::kStreets, {}},
      {v1::MAP_FORMAT_TEXT, "..\n..\n", {}},
      {v1::MAP_FORMAT_MOVING_AI, "type octile\n", {}},
      {v1::MAP_FORMAT_POLYANYA, "mesh\n2\n", {"base_radius"}},
      {v1::MAP_FORMAT_FLOOR_PLAN, test::kHouse, {"base_radius", "plan_method", "plan_tau_radians"}},
      {v1::MAP_FORMAT_OBJ, "v 0 0 0\nf 1 1 1\n", {"recast", "base_radius"}},
      {v1::MAP_FORMAT_REPATH, "RPWORLD1", {}}};
  const auto refused = [&](const File& file, bool is_guessed, const std::string& name) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    v1::ImportWorldRequest::Header* header = part.mutable_header();
    header->mutable_world()->set_name("other");
    if (!is_guessed) header->set_format(file.format);
    set_sample(header, header->GetDescriptor()->FindFieldByName(name));
    if (name == "plan_tau_radians") header->set_plan_tau_radians(0.25);
    writer->Write(part);
    part.set_chunk(file.text);
    writer->Write(part);
    writer->WritesDone();
    return writer->Finish();
  };
  for (const char* name : {"base_radius", "plan_method", "plan_tau_radians", "recast"}) {
    for (const File& file : files) {
      if (file.suits.contains(name)) continue;
      for (const bool is_guessed : {false, true})
        expect_unsuited(refused(file, is_guessed, name), "header." + std::string(name));
    }
  }
}

// Each call refuses the options that its search does not read, on every kind of world.
TEST_F(KindFields, OptionsThatACallDoesNotRead) {
  const auto expect_conflict = [](const grpc::Status& status, const std::string& field) {
    test::expect_fault(status, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT", field);
  };
  const auto* options = v1::QueryOptions::descriptor();
  for (const std::string world : kKinds) {
    v1::FindNearestRequest nearest;
    fill(world, &nearest);
    nearest.set_max_distance(2);
    Context context;
    v1::FindNearestResponse found;
    expect_conflict(paths_->FindNearest(&context, nearest, &found), "max_distance");
    for (const char* name : {"algorithm", "max_expansions", "max_waypoints"}) {
      const std::string field = std::string("options.") + name;
      nearest.Clear();
      fill(world, &nearest);
      nearest.clear_goals();
      set_sample(nearest.mutable_options(), options->FindFieldByName(name));
      Context snapping;
      expect_conflict(paths_->FindNearest(&snapping, nearest, &found), field);
      v1::CheckPathRequest check;
      check.set_world(world);
      if (world == "grid") check.mutable_cells()->Resize(2, 0);
      if (world != "grid") check.mutable_positions()->Resize(3, 0);
      set_sample(check.mutable_options(), options->FindFieldByName(name));
      if (std::string_view(name) == "algorithm")
        check.mutable_options()->set_algorithm(v1::ALGORITHM_ASTAR);
      Context checking;
      v1::CheckPathResponse checked;
      expect_conflict(paths_->CheckPath(&checking, check, &checked), field);
    }
  }
  for (const char* name : {"algorithm", "weight", "memory_limit_bytes", "heuristic", "turn_penalty",
                           "smoothing", "curve_deviation", "cluster_side", "cluster_levels"}) {
    v1::FindAwayRequest request;
    set_sample(fill("grid", &request), options->FindFieldByName(name));
    Context context;
    v1::FindAwayResponse response;
    expect_conflict(paths_->FindAway(&context, request, &response), std::string("options.") + name);
  }
}

TEST_F(KindFields, AnObstacleToGrowIsAShapeAlone) {
  for (const char* name :
       {"id", "blocked", "cost_factor", "area", "team_mask", "disabled", "bottom", "top"}) {
    v1::GrowObstacleRequest request;
    request.mutable_obstacle()->mutable_cylinder()->set_radius(1);
    set_sample(request.mutable_obstacle(), v1::Obstacle::descriptor()->FindFieldByName(name));
    Context context;
    v1::GrowObstacleResponse response;
    test::expect_fault(debug_->GrowObstacle(&context, request, &response), grpc::INVALID_ARGUMENT,
                       "OPTIONS_CONFLICT", std::string("obstacle.") + name);
  }
}

}  // namespace
}  // namespace repath

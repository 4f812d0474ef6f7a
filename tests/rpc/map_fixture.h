// A world of each kind, made of the project's own maps.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rpc/fixture.h"

namespace repath::test {

inline const std::vector<std::string> kMaps{"harbour.map", "house.json", "hall.obj",
                                            "streets.json"};

// Imports a map of the project, and changes it once.
inline v1::ApplyChangesResponse import_changed(v1::WorldService::Stub& worlds,
                                               const std::string& name, const std::string& map) {
  Context context;
  v1::World world;
  auto writer = worlds.ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  part.mutable_header()->mutable_world()->set_name(name);
  writer->Write(part);
  std::ifstream file(std::string(REPATH_SOURCE_DIR) + "/deploy/maps/" + map);
  part.set_chunk(std::string(std::istreambuf_iterator<char>(file), {}));
  writer->Write(part);
  writer->WritesDone();
  EXPECT_TRUE(writer->Finish().ok()) << map;
  v1::ApplyChangesRequest request;
  request.set_world(name);
  if (world.kind() == "graph") {
    request.mutable_batch()->add_graph_edits()->mutable_switch_node()->set_id(2);
  } else {
    v1::Obstacle* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(9);
    obstacle->set_blocked(true);
    obstacle->mutable_cylinder()->mutable_center()->set_x(7);
    obstacle->mutable_cylinder()->mutable_center()->set_z(7);
    obstacle->mutable_cylinder()->set_radius(1);
  }
  Context applying;
  v1::ApplyChangesResponse response;
  const grpc::Status status = worlds.ApplyChanges(&applying, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_NE(response.state_hash(), world.state_hash());
  return response;
}

}  // namespace repath::test

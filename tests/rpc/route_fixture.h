// Two small worlds on a server, a mesh and a graph.
#pragma once

#include <string>

#include "rpc/fixture.h"

namespace repath::test {

// A hall of 20 x 10 with a wall from (9, 1) to (10, 7), a gallery above it, and a stair that only
// leads up.
inline constexpr const char* kHouse = R"({"floors": [
  {"y": 0, "outer": [[0, 0], [20, 0], [20, 10], [0, 10]],
   "holes": [[[9, 1], [10, 1], [10, 7], [9, 7]]]},
  {"y": 4, "outer": [[0, 0], [20, 0], [20, 10], [0, 10]]}],
 "links": [{"id": 5, "from_floor": 0, "from": [19, 9], "to_floor": 1, "to": [19, 5], "both": false}]})";
// A one-way square: 1, 2, 3, 4. An edge of cost 30 joins 4 and 1 both ways.
inline constexpr const char* kStreets = R"({"nodes": [
  {"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [10, 0, 0]},
  {"id": 3, "position": [10, 0, 10]}, {"id": 4, "position": [0, 0, 10]}],
 "edges": [{"from": 1, "to": 2, "both": false}, {"from": 2, "to": 3, "both": false},
  {"from": 3, "to": 4, "both": false}, {"from": 4, "to": 1, "cost": 30, "both": true}]})";

class RouteServer : public Server {
 protected:
  void SetUp() override {
    Server::SetUp();
    import("house", kHouse, v1::MAP_FORMAT_FLOOR_PLAN);
    import("streets", kStreets, v1::MAP_FORMAT_GRAPH);
  }
  void import(const std::string& name, const std::string& text, v1::MapFormat format) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->set_format(format);
    writer->Write(part);
    part.set_chunk(text);
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  static void set_place(double x, double y, double z, v1::Location* out) {
    out->mutable_position()->set_x(x);
    out->mutable_position()->set_y(y);
    out->mutable_position()->set_z(z);
  }
};

}  // namespace repath::test

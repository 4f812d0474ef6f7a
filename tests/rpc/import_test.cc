// Imports that do not finish, and the fields of their header about the file.
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/sha256.h"
#include "rpc/fixture.h"
#include "support/cut_proxy.h"

namespace repath {
namespace {

std::string sha256_of(std::string_view file) {
  const Sha256::Digest digest = sha256(file);
  return {digest.begin(), digest.end()};
}

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr int kRowsOfMap = 8;
const char* const kRowOfMap = "..........\n";

class Imports : public test::Server {
 protected:
  struct Call {
    test::Context context;
    v1::World world;
    std::unique_ptr<grpc::ClientWriter<v1::ImportWorldRequest>> writer;
    bool send_header(const std::string& name) {
      v1::ImportWorldRequest part;
      part.mutable_header()->mutable_world()->set_name(name);
      return writer->Write(part);
    }
    bool send_chunk(const std::string& chunk) {
      v1::ImportWorldRequest part;
      part.set_chunk(chunk);
      return writer->Write(part);
    }
    // Sends a header and this many rows.
    void send(const std::string& name, int rows) {
      bool open = send_header(name);
      for (int i = 0; i < rows && open; ++i) open = send_chunk(kRowOfMap);
    }
  };
  std::unique_ptr<Call> begin() {
    auto call = std::make_unique<Call>();
    call->writer = worlds_->ImportWorld(&call->context, &call->world);
    return call;
  }
  // Waits until the server holds no import. Returns false if that does not happen.
  bool wait_for_end() {
    const auto end = steady_clock::now() + std::chrono::seconds(10);
    while (registry_.imports().bytes() > 0) {
      if (steady_clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(1));
    }
    std::this_thread::sleep_for(milliseconds(2));
    return true;
  }
  // Imports a mesh with the profile "truck" of radius 1.
  grpc::Status import_mesh(double base_radius, v1::MapFormat format, const std::string& file,
                           v1::World* world) {
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name("m" + std::to_string(++meshes_));
    v1::Profile* truck = part.mutable_header()->mutable_world()->add_profiles();
    truck->set_name("truck");
    truck->set_radius(1);
    part.mutable_header()->set_format(format);
    part.mutable_header()->set_base_radius(base_radius);
    const auto call = begin();
    call->writer->Write(part);
    call->send_chunk(file);
    call->writer->WritesDone();
    const grpc::Status status = call->writer->Finish();
    *world = call->world;
    return status;
  }
  int meshes_ = 0;
  std::size_t worlds() { return registry_.list("", 1000).size(); }
  // Imports the whole file under the name, as a client's retry.
  grpc::Status import_whole(const std::string& name) {
    const auto call = begin();
    call->send(name, kRowsOfMap);
    call->writer->WritesDone();
    return call->writer->Finish();
  }
  grpc::Status import_with(const v1::ImportWorldRequest& header, const std::string& file) {
    const auto call = begin();
    call->writer->Write(header);
    call->send_chunk(file);
    call->writer->WritesDone();
    return call->writer->Finish();
  }
  static v1::ImportWorldRequest header_for(const std::string& name, std::uint64_t size,
                                           const std::string& hash) {
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->set_size_bytes(size);
    part.mutable_header()->set_sha256(hash);
    return part;
  }
};

TEST_F(Imports, ACancelledImportMakesNoWorld) {
  for (int i = 0; i < 120; ++i) {
    const std::string name = "w" + std::to_string(i);
    const auto call = begin();
    call->send(name, i % (kRowsOfMap + 1));
    if (i % 3 == 0) std::this_thread::sleep_for(milliseconds(1));
    call->context.TryCancel();
    EXPECT_EQ(call->writer->Finish().error_code(), grpc::StatusCode::CANCELLED);
    ASSERT_TRUE(wait_for_end());
    ASSERT_EQ(worlds(), 0u) << "half a file has become a world, try " << i;
  }
  EXPECT_TRUE(import_whole("w1").ok());
}

TEST_F(Imports, AnImportThatRunsOutOfTimeMakesNoWorld) {
  for (int i = 0; i < 60; ++i) {
    const auto call = std::make_unique<Call>();
    call->context.set_deadline(system_clock::now() + milliseconds(1 + i % 12));
    call->writer = worlds_->ImportWorld(&call->context, &call->world);
    call->send("w", 1 + i % kRowsOfMap);
    EXPECT_EQ(call->writer->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    ASSERT_TRUE(wait_for_end());
    ASSERT_EQ(worlds(), 0u) << "half a file has become a world, try " << i;
  }
  EXPECT_TRUE(import_whole("w").ok());
}

TEST_F(Imports, AnImportThatLosesItsConnectionMakesNoWorld) {
  const std::string server = server_->addresses().front();
  test::CutProxy proxy(server);
  ASSERT_TRUE(proxy.is_up());
  for (int i = 0; i < 60; ++i) {
    grpc::ChannelArguments own;  // a separate channel with a separate connection
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto stub = v1::WorldService::NewStub(
        grpc::CreateCustomChannel(proxy.address_text(), grpc::InsecureChannelCredentials(), own));
    const auto call = std::make_unique<Call>();
    call->writer = stub->ImportWorld(&call->context, &call->world);
    call->send("w", i % (kRowsOfMap + 1));
    if (i % 2 == 0) std::this_thread::sleep_for(milliseconds(2));
    proxy.cut(i % 4 < 2);
    EXPECT_EQ(call->writer->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
    ASSERT_TRUE(wait_for_end());
    ASSERT_EQ(worlds(), 0u) << "half a file has become a world, try " << i;
  }
  EXPECT_TRUE(import_whole("w").ok());
}

// Whichever state the cancellation meets: the file arriving, the world being made, or the finished
// world.
TEST_F(Imports, ARetryAfterACancelledImportGetsItsWorld) {
  for (int i = 0; i < 100; ++i) {
    const std::string name = "w" + std::to_string(i);
    const auto call = begin();
    call->send(name, kRowsOfMap);
    call->writer->WritesDone();
    std::this_thread::sleep_for(std::chrono::microseconds(40 * (i % 25)));
    call->context.TryCancel();
    call->writer->Finish();
    const grpc::Status again = import_whole(name);
    ASSERT_TRUE(again.ok()) << again.error_message() << ", try " << i;
  }
  EXPECT_EQ(worlds(), 100u);
}

// Returns ground that takes Recast about a second.
std::string wide_ground() {
  std::string file;
  for (int i = 0; i < 60; ++i)
    file += "v 0 0 " + std::to_string(4 * i) + "\nv 200 0 " + std::to_string(4 * i) + "\n";
  for (int i = 1; i < 60; ++i) {
    const int k = 2 * i;
    file += "f " + std::to_string(k - 1) + " " + std::to_string(k + 1) + " " + std::to_string(k) +
            "\nf " + std::to_string(k) + " " + std::to_string(k + 1) + " " + std::to_string(k + 2) +
            "\n";
  }
  return file;
}

TEST_F(Imports, AWorldThatNobodyWaitsForIsNotMade) {
  v1::ImportWorldRequest header;
  header.mutable_header()->mutable_world()->set_name("wide");
  header.mutable_header()->set_format(v1::MAP_FORMAT_OBJ);
  const auto call = begin();
  call->writer->Write(header);
  call->send_chunk(wide_ground());
  call->writer->WritesDone();
  std::this_thread::sleep_for(milliseconds(60));
  EXPECT_GT(registry_.imports().bytes(), 0u) << "it is made already, which shows nothing";
  call->context.TryCancel();
  EXPECT_EQ(call->writer->Finish().error_code(), grpc::StatusCode::CANCELLED);
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(worlds(), 0u);
  EXPECT_TRUE(import_with(header, wide_ground()).ok());
}

TEST_F(Imports, AnotherCallerOfTheSameWorldGetsItWhenTheFirstHasGone) {
  v1::ImportWorldRequest header;
  header.mutable_header()->mutable_world()->set_name("wide");
  header.mutable_header()->set_format(v1::MAP_FORMAT_OBJ);
  const auto first = begin();
  first->writer->Write(header);
  first->send_chunk(wide_ground());
  first->writer->WritesDone();
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(80));
    first->context.TryCancel();
  });
  std::this_thread::sleep_for(milliseconds(30));
  const grpc::Status second = import_with(header, wide_ground());
  canceller.join();
  first->writer->Finish();
  EXPECT_TRUE(second.ok()) << second.error_message();
}

TEST_F(Imports, SizeAndHashOfTheFileAreHeldToItsChunks) {
  const std::string file = "....\n....\n";
  const std::string hash = sha256_of(file);
  EXPECT_TRUE(import_with(header_for("a", file.size(), hash), file).ok());
  EXPECT_TRUE(import_with(header_for("a", 0, ""), file).ok()) << "they say nothing of the world";
  test::expect_fault(import_with(header_for("b", file.size() + 1, ""), file),
                     grpc::StatusCode::INVALID_ARGUMENT, "SIZE_MISMATCH", "header.size_bytes");
  test::expect_fault(import_with(header_for("b", file.size() - 1, ""), file),
                     grpc::StatusCode::INVALID_ARGUMENT, "SIZE_MISMATCH", "chunk");
  test::expect_fault(import_with(header_for("b", 0, sha256_of("....\n.. .\n")), file),
                     grpc::StatusCode::INVALID_ARGUMENT, "HASH_MISMATCH", "header.sha256");
  test::expect_fault(import_with(header_for("b", 0, "short"), file),
                     grpc::StatusCode::INVALID_ARGUMENT, "LENGTH", "header.sha256");
  EXPECT_EQ(worlds(), 1u);
}

TEST_F(Imports, TauIsForFloorPlansCutByAnavmg) {
  const std::string plan = R"({"outer": [[0, 0], [9, 0], [9, 9], [5, 9], [4, 8], [0, 9]]})";
  const auto with_tau = [&](double tau, v1::PlanMethod method, v1::MapFormat format,
                            const std::string& file) {
    v1::ImportWorldRequest part = header_for("tau", 0, "");
    part.mutable_header()->set_format(format);
    part.mutable_header()->set_plan_method(method);
    part.mutable_header()->set_plan_tau_radians(tau);
    return import_with(part, file);
  };
  const auto refused = [](const grpc::Status& status, const std::string& reason) {
    test::expect_fault(status, grpc::StatusCode::INVALID_ARGUMENT, reason,
                       "header.plan_tau_radians");
  };
  constexpr v1::MapFormat kPlan = v1::MAP_FORMAT_FLOOR_PLAN;
  constexpr v1::MapFormat kGuessed = v1::MAP_FORMAT_UNSPECIFIED;
  const grpc::Status above = with_tau(0.5001, v1::PLAN_METHOD_ANAVMG, kPlan, plan);
  refused(above, "OUT_OF_RANGE");
  EXPECT_NE(above.error_message().find("[0, 0.5]"), std::string::npos) << above.error_message();
  refused(with_tau(-0.1, v1::PLAN_METHOD_ANAVMG, kPlan, plan), "OUT_OF_RANGE");
  refused(with_tau(std::nan(""), v1::PLAN_METHOD_ANAVMG, kPlan, plan), "NOT_FINITE");
  refused(with_tau(0.2, v1::PLAN_METHOD_DELAUNAY, kPlan, plan), "METHOD_UNSUITED");
  refused(with_tau(0.2, v1::PLAN_METHOD_SHORTEST_DIAGONALS, kPlan, plan), "METHOD_UNSUITED");
  refused(with_tau(0.2, v1::PLAN_METHOD_UNSPECIFIED, v1::MAP_FORMAT_TEXT, "..\n"), "KIND_UNSUITED");
  refused(with_tau(0.2, v1::PLAN_METHOD_UNSPECIFIED, kGuessed, "..\n"), "KIND_UNSUITED");
  EXPECT_EQ(worlds(), 0u);
  const grpc::Status good = with_tau(0.5, v1::PLAN_METHOD_UNSPECIFIED, kGuessed, plan);
  EXPECT_TRUE(good.ok()) << good.error_message();
}

// Graphs whose edges come from what sees what. Their faults name the place in the file.
TEST_F(Imports, GraphsOfWhatSeesWhatAreGuessedAndRefused) {
  const auto import_as = [&](v1::MapFormat format, const std::string& file, double cell_size = 0) {
    v1::ImportWorldRequest part = header_for("seen", 0, "");
    part.mutable_header()->set_format(format);
    part.mutable_header()->mutable_world()->set_cell_size(cell_size);
    return import_with(part, file);
  };
  const auto refused = [](const grpc::Status& status, const std::string& reason,
                          const std::string& place) {
    test::expect_fault(status, grpc::StatusCode::INVALID_ARGUMENT, reason, "chunk");
    EXPECT_NE(status.error_message().find(place), std::string::npos) << status.error_message();
  };
  const std::string sight =
      R"({"nodes": [{"id": 1, "position": [0.5, 0, 0.5]}], "map": "..", "link_distance": 3)";
  const std::string corners = R"({"holes": [[[0, 0], [4, 0], [0, 4]]], "radius": )";
  refused(import_as(v1::MAP_FORMAT_SIGHT, sight + R"(, "cell_size": 0})"), "JSON_FIELD",
          "cell_size");
  refused(import_as(v1::MAP_FORMAT_UNSPECIFIED, sight + R"(, "corner_rule": 1})"), "JSON_FIELD",
          "corner_rule");
  refused(import_as(v1::MAP_FORMAT_UNSPECIFIED, corners + "65}"), "JSON_FIELD", "radius");
  refused(import_as(v1::MAP_FORMAT_GRAPH, corners + "0}"), "JSON_FIELD", "holes");
  refused(import_as(v1::MAP_FORMAT_FLOOR_PLAN, corners + "0}"), "JSON_FIELD", "radius");
  for (const v1::MapFormat format : {v1::MAP_FORMAT_VISIBILITY, v1::MAP_FORMAT_SIGHT})
    test::expect_fault(import_as(format, corners + "0}", 2), grpc::StatusCode::INVALID_ARGUMENT,
                       "KIND_UNSUITED", "header.world.cell_size");
  EXPECT_EQ(worlds(), 0u);
  EXPECT_TRUE(import_as(v1::MAP_FORMAT_UNSPECIFIED, sight + "}").ok());
  EXPECT_EQ(worlds(), 1u);
}

TEST_F(Imports, AFileAboveTheLimitIsRefusedByItsHeader) {
  const auto call = begin();
  call->writer->Write(header_for("a", (limits_.import_mb_max << 20) + 1, ""));
  test::expect_fault(call->writer->Finish(), grpc::StatusCode::RESOURCE_EXHAUSTED,
                     "IMPORT_TOO_LARGE", "header.size_bytes");
}

TEST_F(Imports, AnImportWithoutEndIsEndedWhenTheServerDrains) {
  const auto call = begin();
  call->send("w", 2);
  const auto wait = steady_clock::now() + std::chrono::seconds(10);
  while (registry_.imports().bytes() == 0 && steady_clock::now() < wait)
    std::this_thread::sleep_for(milliseconds(1));
  registry_.drain();
  test::expect_fault(call->writer->Finish(), grpc::StatusCode::UNAVAILABLE, "DRAINING", "");
  EXPECT_EQ(worlds(), 0u);
}

TEST_F(Imports, APolygonThatCrossesItselfIsRefusedAtOnce) {
  // A comb with a knot at its end: every cut of it leads to the knot.
  std::string vertices = "0 0 1 0\n26 0 1 0\n26 9 1 0\n23 7 1 0\n23 9 1 0\n25 7 1 0\n";
  std::string polygon = "26 0 1 2 3 4 5";
  for (int x = 20; x > 0; --x) {
    vertices += std::to_string(x) + (x % 2 != 0 ? " 9 1 0\n" : " 3 1 0\n");
    polygon += " " + std::to_string(26 - x);
  }
  std::string sides;
  for (int i = 0; i < 26; ++i) sides += " -1";
  v1::ImportWorldRequest header;
  header.mutable_header()->mutable_world()->set_name("comb");
  const auto before = steady_clock::now();
  const grpc::Status status =
      import_with(header, "mesh\n2\n26 1\n" + vertices + polygon + sides + "\n");
  EXPECT_LT(steady_clock::now() - before, std::chrono::seconds(15));
  test::expect_fault(status, grpc::StatusCode::INVALID_ARGUMENT, "MESH_POLYGON", "chunk");
  EXPECT_NE(status.error_message().find("edges 2 and 4"), std::string::npos)
      << status.error_message();
}

// Two rooms and a passage that is one wide: a truck that needs two passes if the plan is drawn for
// trucks.
TEST_F(Imports, AMeshHasTheRadiusItWasMadeFor) {
  const std::string plan =
      R"({"outer": [[0,0],[4,0],[4,1.5],[6,1.5],[6,0],[10,0],[10,4],[6,4],[6,2.5],[4,2.5],[4,4],
      [0,4]]})";
  for (const auto& [base_radius, status] : {std::pair{0.0, v1::PATH_STATUS_UNREACHABLE},
                                            {0.25, v1::PATH_STATUS_UNREACHABLE},
                                            {0.75, v1::PATH_STATUS_COMPLETE},
                                            {100.0, v1::PATH_STATUS_COMPLETE}}) {
    v1::World world;
    ASSERT_TRUE(import_mesh(base_radius, v1::MAP_FORMAT_FLOOR_PLAN, plan, &world).ok());
    EXPECT_EQ(world.base_radius(), base_radius);
    v1::FindPathRequest request;
    request.set_world(world.name());
    request.mutable_walker()->set_profile("truck");
    request.mutable_from()->mutable_position()->set_x(2);
    request.mutable_from()->mutable_position()->set_z(2);
    v1::Vec3* goal = request.add_goals()->mutable_position();
    goal->set_x(8);
    goal->set_z(2);
    test::Context context;
    v1::FindPathResponse answer;
    ASSERT_TRUE(paths_->FindPath(&context, request, &answer).ok());
    EXPECT_EQ(answer.path().status(), status) << base_radius;
  }
  v1::World world;
  for (const double wrong : {-1.0, 100.1, std::numeric_limits<double>::quiet_NaN()})
    test::expect_fault(import_mesh(wrong, v1::MAP_FORMAT_FLOOR_PLAN, plan, &world),
                       grpc::INVALID_ARGUMENT, std::isnan(wrong) ? "NOT_FINITE" : "OUT_OF_RANGE",
                       "header.base_radius");
}

// What Recast kept from walls is the mesh's own; it cannot be given twice.
TEST_F(Imports, TrianglesAreBuiltForTheirOwnRadius) {
  const std::string hall = "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 4 3 2 1\n";
  v1::World world;
  ASSERT_TRUE(import_mesh(0, v1::MAP_FORMAT_OBJ, hall, &world).ok());
  EXPECT_EQ(world.base_radius(), 0.6);
  test::expect_fault(import_mesh(0.5, v1::MAP_FORMAT_OBJ, hall, &world), grpc::INVALID_ARGUMENT,
                     "OUT_OF_RANGE", "header.base_radius");
}

}  // namespace
}  // namespace repath

// Imports that do not finish, and the fields of their header about the file.
#include <chrono>
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
  EXPECT_LT(steady_clock::now() - before, std::chrono::seconds(2));
  test::expect_fault(status, grpc::StatusCode::INVALID_ARGUMENT, "MESH_POLYGON", "chunk");
  EXPECT_NE(status.error_message().find("edges 2 and 4"), std::string::npos)
      << status.error_message();
}

}  // namespace
}  // namespace repath

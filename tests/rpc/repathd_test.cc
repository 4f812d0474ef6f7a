// The program itself: how it starts, refuses and ends.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rpc/fixture.h"
#include "support/temp_path.h"

extern char** environ;

namespace repath {
namespace {

class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), REPATHD_PATH);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_.c_str(),
                                     O_CREAT | O_TRUNC | O_WRONLY, 0600);
    EXPECT_EQ(posix_spawn(&pid_, REPATHD_PATH, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Program() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    std::remove(log_.c_str());
  }

  void signal(int number) const { kill(pid_, number); }
  int exit_status() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }
  // False if it has not come within ten seconds.
  bool wait_for_log(const std::string& part) const {
    for (int i = 0; i < 1000; ++i) {
      if (log().find(part) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::string last_line() const {
    std::string text = log();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }

 private:
  const std::string log_ = test::temp_path("repathd.log");
  pid_t pid_ = 0;
};

void expect_refused(const std::vector<std::string>& arguments, int status, const std::string& why) {
  Program program(arguments);
  EXPECT_EQ(program.exit_status(), status);
  EXPECT_NE(program.last_line().find(why), std::string::npos) << program.log();
}

TEST(Repathd, WrongFlagsEndItWithTwoAndTheReason) {
  expect_refused({"--unheard-of"}, 2, "--unheard-of");
  expect_refused({"--frame-rate-hz", "1001"}, 2, "[1, 1000]");
  expect_refused({"--data", "/var/lib/repath"}, 2, "memory only");
}

TEST(Repathd, AWrongConfigFileEndsItWithTwoAndTheLine) {
  const std::string path = test::temp_path("repathd.conf");
  std::ofstream(path) << "worlds-max = 5\nwriter-threads = many\n";
  expect_refused({"--config", path}, 2, path + ":2: writer-threads");
  std::remove(path.c_str());
}

TEST(Repathd, HelpEndsItWithZero) {
  Program program({"--help"});
  EXPECT_EQ(program.exit_status(), 0);
}

TEST(Repathd, AnAddressInUseEndsItWithOne) {
  Program first({"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"});
  ASSERT_TRUE(first.wait_for_log("ready admin="));
  const std::string log = first.log();
  const std::size_t at = log.find("listen=") + 7;
  const std::string address = log.substr(at, log.find('\n', at) - at);
  Program second({"--listen", address, "--admin", "127.0.0.1:0"});
  EXPECT_EQ(second.exit_status(), 1);
}

TEST(Repathd, ASignalDrainsItAndStreamsEndWithUnavailable) {
  const std::string socket = "unix:" + test::temp_path("drain.sock");
  for (const int signal : {SIGTERM, SIGINT}) {
    Program program({"--listen", socket, "--admin", "127.0.0.1:0"});
    ASSERT_TRUE(program.wait_for_log("ready admin="));
    auto channel = grpc::CreateChannel(socket, grpc::InsecureChannelCredentials());
    auto worlds = v1::WorldService::NewStub(channel);
    v1::CreateWorldRequest create;
    create.set_name("a");
    create.set_width(8);
    create.set_height(8);
    v1::World world;
    test::Context creating;
    ASSERT_TRUE(worlds->CreateWorld(&creating, create, &world).ok());
    v1::WatchWorldRequest watch;
    watch.set_world("a");
    test::Context watching;
    auto reader = worlds->WatchWorld(&watching, watch);
    v1::WatchWorldResponse message;
    ASSERT_TRUE(reader->Read(&message));
    program.signal(signal);
    EXPECT_FALSE(reader->Read(&message));
    test::expect_fault(reader->Finish(), grpc::UNAVAILABLE, "DRAINING", "");
    EXPECT_EQ(program.exit_status(), 0);
    EXPECT_NE(program.last_line().find("drained"), std::string::npos);
  }
}

// A stream of bytes, opened with one empty message; gRPC's own services have no generated stubs
// here.
class RawStream {
 public:
  RawStream(const std::shared_ptr<grpc::Channel>& channel, const std::string& method)
      : call_(grpc::GenericStub(channel).PrepareCall(&context_, method, &queue_)) {
    call_->StartCall(tag());
    EXPECT_TRUE(wait());
    call_->Write(grpc::ByteBuffer(&nothing_, 1), tag());
    EXPECT_TRUE(wait());
  }
  ~RawStream() { queue_.Shutdown(); }

  bool read() {
    grpc::ByteBuffer message;
    call_->Read(&message, tag());
    return wait();
  }
  grpc::Status finish() {
    grpc::Status status;
    call_->Finish(&status, tag());
    EXPECT_TRUE(wait());
    return status;
  }

 private:
  void* tag() { return this; }
  bool wait() {
    void* tag = nullptr;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  }

  test::Context context_;
  grpc::CompletionQueue queue_;
  grpc::Slice nothing_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

TEST(Repathd, StreamsOfHealthAndReflectionDoNotOutliveTheDrain) {
  const std::string socket = "unix:" + test::temp_path("health.sock");
  Program program({"--listen", socket, "--admin", "127.0.0.1:0", "--drain-timeout-ms", "300"});
  ASSERT_TRUE(program.wait_for_log("ready admin="));
  auto channel = grpc::CreateChannel(socket, grpc::InsecureChannelCredentials());
  RawStream health(channel, "/grpc.health.v1.Health/Watch");
  ASSERT_TRUE(health.read());  // SERVING
  // An empty question has an answer too: an error, and the stream stays open.
  RawStream reflection(channel, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
  ASSERT_TRUE(reflection.read());
  program.signal(SIGTERM);
  ASSERT_TRUE(health.read());  // NOT_SERVING
  EXPECT_EQ(program.exit_status(), 0);
  EXPECT_NE(program.last_line().find("drained"), std::string::npos) << program.log();
  EXPECT_FALSE(health.read());
  EXPECT_FALSE(health.finish().ok());
  EXPECT_FALSE(reflection.read());
  EXPECT_FALSE(reflection.finish().ok());
}

TEST(Repathd, TextThatIsNoUtf8IsRefusedAndLeavesNoLineOfItsOwn) {
  const std::string socket = "unix:" + test::temp_path("utf8.sock");
  Program program({"--listen", socket, "--admin", "127.0.0.1:0"});
  ASSERT_TRUE(program.wait_for_log("ready admin="));
  const std::string before = program.log();
  auto channel = grpc::CreateChannel(socket, grpc::InsecureChannelCredentials());
  grpc::GenericStub stub(channel);
  // A name of two bytes that are no character, and a world of 4 x 4 cells.
  const grpc::Slice bytes(std::string("\x0a\x02\xc3\x28\x10\x04\x18\x04"));
  const grpc::ByteBuffer request(&bytes, 1);
  for (int i = 0; i < 3; ++i) {
    test::Context context;
    grpc::CompletionQueue queue;
    auto call =
        stub.PrepareUnaryCall(&context, "/repath.v1.WorldService/CreateWorld", request, &queue);
    grpc::ByteBuffer answer;
    grpc::Status status;
    call->StartCall();
    call->Finish(&answer, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    ASSERT_TRUE(queue.Next(&tag, &ok));
    EXPECT_EQ(status.error_code(), grpc::UNIMPLEMENTED) << status.error_message();
    queue.Shutdown();
  }
  EXPECT_EQ(program.log(), before);
}

}  // namespace
}  // namespace repath

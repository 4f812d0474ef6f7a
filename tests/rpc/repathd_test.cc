// The program itself: how it starts, rejects wrong settings and ends.
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/program.h"
#include "support/temp_path.h"

namespace repath {
namespace {

using test::expect_refused;
using test::Program;

TEST(Repathd, WrongFlagsEndItWithTwoAndTheReason) {
  expect_refused({"--unheard-of"}, 2, "--unheard-of");
  expect_refused({"--frame-rate-hz", "1001"}, 2, "reason=\"--frame-rate-hz: '1001' is not");
  expect_refused({"--frame-rate-hz", "1001"}, 2, "[1, 1000]");
  expect_refused({"--data", ""}, 2, "must be a folder");
  expect_refused({"--restore", ""}, 2, "--restore: must be a path");
  expect_refused({"--play", ""}, 2, "--play: must be a path");
  expect_refused({"--admin", "127.0.0.1:0", "extra"}, 2, "not expected: extra");
  expect_refused({"--listen", "127.0.0.1:0", "extra"}, 2, "not expected: extra");
}

TEST(Repathd, TheLastLineHasTheReasonOfTheErrorsPage) {
  expect_refused({"--unheard-of"}, 2, "error=WRONG_USAGE");
  expect_refused({"--frame-rate-hz", "1001"}, 2, "error=CONFIG_VALUE");
  expect_refused({"--config", "/nowhere"}, 2, "error=CONFIG_FILE");
  expect_refused({"--tokens", "/nowhere"}, 2, "error=TOKEN_FILE");
}

TEST(Repathd, AFolderThatCannotBeUsedEndsItWithTwo) {
  const std::vector<std::string> addresses{"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"};
  for (const char* flag : {"console-dir", "record", "backup-dir"}) {
    std::vector<std::string> arguments = addresses;
    arguments.insert(arguments.end(), {std::string("--") + flag, "/proc/nowhere"});
    expect_refused(arguments, 2, std::string("reason=\"") + flag + ": ");
    expect_refused(arguments, 2, "error=CONFIG_VALUE");
  }
  const std::string file = test::temp_path("no-folder");
  std::ofstream(file) << "a file\n";
  expect_refused({"--backup-dir", file}, 2, "'" + file + "' cannot be used: Not a directory");
  std::remove(file.c_str());
}

TEST(Repathd, MakesTheFoldersOfItsSettings) {
  const std::string folder = test::temp_path("made");
  Program program({"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--record", folder + "/a/b",
                   "--backup-dir", folder + "/c"});
  EXPECT_TRUE(program.wait_for_log("ready admin=")) << program.log();
  for (const char* made : {"/a/b", "/a", "/c", ""})
    EXPECT_EQ(rmdir((folder + made).c_str()), 0) << made;
}

TEST(Repathd, TellsItsVersion) {
  Program program({"--version"});
  EXPECT_EQ(program.exit_status(), 0);
}

TEST(Repathd, AWrongConfigFileEndsItWithTwoAndTheLine) {
  const std::string path = test::temp_path("repathd.conf");
  std::ofstream(path) << "worlds-max = 5\nwriter-threads = many\n";
  expect_refused({"--config", path}, 2, path + ":2: writer-threads");
  std::remove(path.c_str());
}

TEST(Repathd, AFlagGivenAsOffWinsOverTheFile) {
  const std::string path = test::temp_path("open.conf");
  std::ofstream(path) << "insecure = on\nlisten = 0.0.0.0:0\nadmin = 127.0.0.1:0\n";
  const std::string refused = "other machines reach this address without TLS";
  expect_refused({"--config", path, "--insecure=off"}, 2, refused);
  expect_refused({"--config", path, "--insecure", "off"}, 2, refused);
  expect_refused({"--config", path, "--insecure=maybe"}, 2, "neither on nor off");
  Program open({"--insecure", "--listen", "0.0.0.0:0", "--admin", "127.0.0.1:0"});
  EXPECT_TRUE(open.wait_for_log("ready admin=")) << open.log();
  std::remove(path.c_str());
}

TEST(Repathd, AConfigThatIsNoTextFileEndsItWithTwoAndTheReason) {
  const std::string path = test::temp_path("strange");
  mkdir(path.c_str(), 0700);
  expect_refused({"--config", path}, 2, path + ": it is a folder");
  rmdir(path.c_str());
  expect_refused({"--config", "/dev/zero"}, 2, "/dev/zero:1: the line has a byte that is not text");
  std::ofstream(path) << "worlds-max = 5\n# " << std::string(5000, 'x') << "\n";
  expect_refused({"--config", path}, 2, path + ":2: the line is longer than 4096 bytes");
  std::ofstream(path) << "worlds-max = 5\n"
                      << std::string(
                             "\x7f"
                             "ELF\0",
                             5);
  expect_refused({"--config", path}, 2, path + ":2: the line has a byte that is not text");
  std::remove(path.c_str());
  expect_refused({"--config", path}, 2, path + ": the file cannot be read: No such file");
}

TEST(Repathd, TooFewThreadsEndItWithOneAndTheReason) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
#endif
  // Each thread's stack counts as memory, even where the number of processes is unlimited.
  Program program({"sh", "-c", "ulimit -v 1500000; exec \"$@\"", "sh"},
                  {"--listen", "unix:" + test::temp_path("few.sock"), "--admin", "127.0.0.1:0",
                   "--world-threads", "256", "--query-threads", "256"});
  EXPECT_EQ(program.exit_status(), 1);
  EXPECT_NE(program.last_line().find("stopped exit=1 reason=\"the server needs"), std::string::npos)
      << program.log();
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
  EXPECT_NE(second.last_line().find(" error=ADDRESS_IN_USE"), std::string::npos) << second.log();
}

// A bound socket; no process listens on it if `listens` is false.
class BoundSocket {
 public:
  BoundSocket(const std::string& path, bool listens) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    file_ = socket(AF_UNIX, SOCK_STREAM, 0);
    const void* any = &address;
    EXPECT_EQ(bind(file_, static_cast<const sockaddr*>(any), sizeof address), 0);
    if (listens) {
      EXPECT_EQ(listen(file_, 4), 0);
    }
  }
  ~BoundSocket() { close(file_); }

 private:
  int file_ = -1;
};

ino_t inode_of(const std::string& path) {
  struct stat file {};
  return lstat(path.c_str(), &file) == 0 ? file.st_ino : 0;
}

std::vector<std::string> listening_on(const std::string& path) {
  return {"--listen", "unix:" + path, "--admin", "127.0.0.1:0"};
}

TEST(Repathd, ASecondServerOnAUnixSocketIsRefusedAndLeavesItToTheFirst) {
  const std::string path = test::temp_path("taken.sock");
  Program first(listening_on(path));
  ASSERT_TRUE(first.wait_for_log("ready admin="));
  const ino_t socket = inode_of(path);
  expect_refused(listening_on(path), 1, "unix:" + path + ": another process listens there");
  EXPECT_EQ(inode_of(path), socket);
  auto channel = grpc::CreateChannel("unix:" + path, grpc::InsecureChannelCredentials());
  v1::ListWorldsResponse worlds;
  test::Context context;
  EXPECT_TRUE(v1::WorldService::NewStub(channel)->ListWorlds(&context, {}, &worlds).ok());
  first.signal(SIGTERM);
  EXPECT_EQ(first.exit_status(), 0);
  EXPECT_EQ(inode_of(path), 0u);
}

TEST(Repathd, ASocketOfAnotherProgramIsRefusedWhileThatListens) {
  const std::string path = test::temp_path("other.sock");
  const BoundSocket other(path, /*listens=*/true);
  const ino_t socket = inode_of(path);
  expect_refused(listening_on(path), 1, "another process listens there");
  EXPECT_EQ(inode_of(path), socket);
  std::remove(path.c_str());
}

TEST(Repathd, ASocketThatNobodyListensOnIsReplaced) {
  const std::string path = test::temp_path("stale.sock");
  { const BoundSocket dead(path, /*listens=*/false); }
  const ino_t socket = inode_of(path);
  Program program(listening_on(path));
  ASSERT_TRUE(program.wait_for_log("ready admin=")) << program.log();
  EXPECT_NE(inode_of(path), socket);
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_status(), 0);
}

TEST(Repathd, AFileThatIsNoSocketIsNeverRemoved) {
  const std::string path = test::temp_path("precious.txt");
  std::ofstream(path) << "kept\n";
  expect_refused(listening_on(path), 1, "a file that is no socket is there");
  EXPECT_NE(inode_of(path), 0u);
  std::remove(path.c_str());
}

TEST(Repathd, ASocketThatReplacedItsOwnIsLeftAlone) {
  const std::string path = test::temp_path("moved.sock");
  Program program(listening_on(path));
  ASSERT_TRUE(program.wait_for_log("ready admin="));
  std::remove(path.c_str());
  const BoundSocket other(path, /*listens=*/true);
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_status(), 0);
  EXPECT_NE(inode_of(path), 0u);
  std::remove(path.c_str());
}

TEST(Repathd, APathOfTheGreatestLengthCanBeListenedOn) {
  std::string path = test::temp_path("");
  path += std::string(102 - path.size(), 'x');
  Program program(listening_on(path));
  ASSERT_TRUE(program.wait_for_log("ready admin=")) << program.log();
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_status(), 0);
  EXPECT_EQ(inode_of(path), 0u);
}

// If many start at once, one serves and the others report why they do not.
TEST(Repathd, OfServersThatStartAtOnceOneGetsTheSocket) {
  const std::string path = test::temp_path("race.sock");
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < 5; ++i) programs.push_back(std::make_unique<Program>(listening_on(path)));
  int serving = 0;
  for (const auto& program : programs)
    ASSERT_TRUE(program->wait_for_log("reason=\"", "ready admin="));
  for (const auto& program : programs) {
    if (program->log().find("ready admin=") == std::string::npos) {
      EXPECT_EQ(program->exit_status(), 1);
      EXPECT_NE(program->last_line().find("another process listens there"), std::string::npos);
      continue;
    }
    ++serving;
    program->signal(SIGTERM);
    EXPECT_EQ(program->exit_status(), 0);
  }
  EXPECT_EQ(serving, 1);
}

TEST(Repathd, AHangUpIsLoggedAndEndsNothing) {
  const std::string path = test::temp_path("hup.sock");
  Program program(listening_on(path));
  ASSERT_TRUE(program.wait_for_log("ready admin="));
  program.signal(SIGHUP);
  ASSERT_TRUE(program.wait_for_log("signal=SIGHUP tokens=none tls=none"));
  EXPECT_TRUE(program.is_running());
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_status(), 0);
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

// A stream of bytes, opened with one empty message, because gRPC's own services have no generated
// stubs here.
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
  // An empty request gets an answer, too: an error, and the stream stays open.
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
  // A name of two bytes that are not a character, and a world of 4 x 4 cells.
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

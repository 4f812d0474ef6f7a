// The program itself: how it starts, refuses and ends.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rpc/fixture.h"

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
  static std::string new_log() {
    static int count = 0;
    return testing::TempDir() + "repathd_test_" + std::to_string(getpid()) + "_" +
           std::to_string(++count) + ".log";
  }

  const std::string log_ = new_log();
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
  const std::string path = testing::TempDir() + "repathd_test.conf";
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
  const std::string socket = "unix:" + testing::TempDir() + "repathd_drain.sock";
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

}  // namespace
}  // namespace repath

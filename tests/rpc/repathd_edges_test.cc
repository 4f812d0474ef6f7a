// The program where its surroundings are unusual: closed streams, a signal before it serves, a disk
// that is full when it drains.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "rpc/data_fixture.h"

namespace repath::test {
namespace {

class DataEdges : public Data {
 protected:
  void end() {
    program_->signal(SIGTERM);
    EXPECT_EQ(program_->exit_status(), 0) << program_->log();
  }
  std::string lock_file() const {
    std::ifstream file(folder_ + "/lock");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// The log would be written into the file that gets the number of stderr.
TEST_F(DataEdges, WithClosedStreamsNoFileGetsTheLog) {
  end();
  program_ = std::make_unique<Program>(
      std::vector<std::string>{"sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh"}, arguments());
  ASSERT_TRUE(
      channel_->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(60)));
  ASSERT_TRUE(create("w").ok());
  EXPECT_EQ(block(1).revision(), 2u);
  const std::string pid = lock_file();
  for (const std::string stream : {"0", "1", "2"}) {
    std::error_code error;
    const std::string path = "/proc/" + pid.substr(0, pid.size() - 1) + "/fd/" + stream;
    EXPECT_EQ(std::filesystem::read_symlink(path, error), "/dev/null") << error.message();
  }
  end();
  EXPECT_EQ(lock_file(), pid);
  EXPECT_FALSE(pid.empty());
  EXPECT_EQ(pid.find_first_not_of("0123456789"), pid.size() - 1) << pid;
  start();
  EXPECT_EQ(get("w").revision(), 2u);
}

// Reading the settings waits for the test, so the signal comes before the server can handle it.
TEST(RepathdEdges, AHangUpBeforeItServesIsHandledLater) {
  const std::string settings = temp_path("settings");
  ASSERT_EQ(mkfifo(settings.c_str(), 0600), 0);
  Program program({"--config", settings});
  {
    std::ofstream file(settings);
    program.signal(SIGHUP);
    file << "listen = unix:" << temp_path("early.sock") << "\nadmin = 127.0.0.1:0\n";
  }
  EXPECT_TRUE(program.wait_for_log("signal=SIGHUP tokens=none")) << program.log();
  EXPECT_NE(program.log().find("ready admin="), std::string::npos);
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_status(), 0);
  std::remove(settings.c_str());
}

class FullDisk : public DataEdges {
 protected:
  // Applies a change of many obstacles, and does not wait for the disk.
  grpc::Status fill() {
    v1::ApplyChangesRequest request;
    request.set_world("w");
    request.set_durability(v1::DURABILITY_APPLIED);
    for (std::uint64_t id = 1; id <= 500; ++id) {
      auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
      obstacle->set_id(id);
      obstacle->set_cost_factor(++factor_ % 2 == 0 ? 2 : 3);
      obstacle->mutable_cells()->set_x1(1);
      obstacle->mutable_cells()->set_y1(1);
    }
    ++factor_;  // so that the next change is one
    Context context;
    v1::ApplyChangesResponse response;
    return worlds_->ApplyChanges(&context, request, &response);
  }

  int factor_ = 0;
};

TEST_F(FullDisk, ADrainThatLeavesChangesBehindSaysSoLastAndEndsWithOne) {
  ASSERT_TRUE(create("w").ok());
  end();
  // No file grows beyond some hundred kilobytes.
  start({}, {"sh", "-c", "trap '' XFSZ; ulimit -f 1024; exec \"$@\"", "sh"});
  const auto refuses = [&] {
    return program_->log().find("the store refuses changes") != std::string::npos;
  };
  for (int i = 0; i < 10'000 && !refuses(); ++i) ASSERT_TRUE(fill().ok());
  ASSERT_TRUE(refuses());
  // More than fits into what is left below that limit.
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(fill().ok());
  program_->signal(SIGTERM);
  EXPECT_EQ(program_->exit_status(), 1);
  const std::string last = program_->last_line();
  EXPECT_NE(last.find("stopped exit=1 reason=\"SIGTERM, drained, but units that are not on the "
                      "disk: "),
            std::string::npos)
      << program_->log();
  EXPECT_NE(last.find(" error=STORE_UNAVAILABLE"), std::string::npos) << last;
  // The reason is not the time.
  EXPECT_NE(program_->log().find("no snapshot world=w reason=\""), std::string::npos);
  EXPECT_EQ(program_->log().find("drain timeout"), std::string::npos) << program_->log();
}

}  // namespace
}  // namespace repath::test

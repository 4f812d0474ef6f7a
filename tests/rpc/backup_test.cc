// Backups of a repathd that serves, and what a server makes of them.
#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "repath/v1/admin.grpc.pb.h"
#include "rpc/data_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;
using test::Program;

class ServerBackups : public test::Data {
 protected:
  ~ServerBackups() override {
    program_.reset();
    std::filesystem::remove_all(root_);
  }
  void end() {
    program_->signal(SIGKILL);
    program_->exit_status();
    std::filesystem::remove(socket_);
  }
  void serve_with_backups() {
    end();
    start({"--backup-dir", root_ + "/backups"});
  }
  grpc::Status back_up(const std::string& name, v1::BackupResponse* response = nullptr) {
    Context context;
    v1::BackupRequest request;
    request.set_name(name);
    v1::BackupResponse own;
    return v1::AdminService::NewStub(channel_)->Backup(&context, request,
                                                       response == nullptr ? &own : response);
  }
  int restore(const std::string& backup, const std::string& data) const {
    Program program({"--data", data, "--restore", backup});
    return program.exit_status();
  }

  const std::string root_ = test::temp_path("backups");
};

TEST_F(ServerBackups, UnderLoadEveryWorldIsAtARevisionThatWasAcknowledged) {
  serve_with_backups();
  const std::vector<std::string> names{"w", "v", "u"};
  for (const std::string& name : names) ASSERT_TRUE(create(name, 200).ok());
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> hashes;
  for (const std::string& name : names) hashes[name][1] = get(name).state_hash();
  std::atomic<bool> ends{false};
  std::map<std::string, std::atomic<std::uint64_t>> acknowledged;
  for (const std::string& name : names) acknowledged[name] = 1;
  std::vector<std::thread> clients;
  for (const std::string& name : names) {
    clients.emplace_back([&, &known = hashes[name], &last = acknowledged[name]] {
      for (std::int32_t x = 0; !ends; x = (x + 1) % 200) {
        const auto answer = block(x, "", v1::DURABILITY_UNSPECIFIED, name);
        known[answer.revision()] = answer.state_hash();
        last = answer.revision();
      }
    });
  }
  const auto wait_for_more = [&](std::uint64_t more) {
    const std::uint64_t wanted = acknowledged["u"] + more;
    while (acknowledged["u"] < wanted && program_->is_running())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  wait_for_more(50);
  std::map<std::string, std::uint64_t> before;
  for (const std::string& name : names) before[name] = acknowledged[name];
  v1::BackupResponse response;
  const grpc::Status status = back_up("one", &response);
  wait_for_more(20);
  ends = true;
  for (std::thread& client : clients) client.join();
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.folder(), root_ + "/backups/one");
  EXPECT_EQ(response.worlds(), names.size());
  EXPECT_GT(response.taken_at_us(), 0u);
  const std::string epoch = get("w").epoch();
  end();
  std::filesystem::remove_all(folder_);
  ASSERT_EQ(restore(response.folder(), folder_), 0);
  start();
  for (const std::string& name : names) {
    const v1::World world = get(name);
    EXPECT_GE(world.revision(), before[name]);
    EXPECT_LE(world.revision(), acknowledged[name]);
    ASSERT_TRUE(hashes[name].contains(world.revision()));
    EXPECT_EQ(world.state_hash(), hashes[name][world.revision()]) << name;
    EXPECT_EQ(block(1, "", v1::DURABILITY_UNSPECIFIED, name).revision(), world.revision() + 1);
  }
  EXPECT_NE(get("w").epoch(), epoch);
}

TEST_F(ServerBackups, OnlyNewFoldersBelowTheOperatorsOneAreWritten) {
  expect_fault(back_up("one"), grpc::FAILED_PRECONDITION, "BACKUP_DIR_MISSING", "");
  serve_with_backups();
  ASSERT_TRUE(create("w").ok());
  for (const std::string name :
       {"", ".", "..", ".hidden", "../x", "a/b", "/etc/x", "-x", "one.partial"})
    expect_fault(back_up(name), grpc::INVALID_ARGUMENT, "NAME_INVALID", "name");
  EXPECT_TRUE(back_up("one").ok());
  expect_fault(back_up("one"), grpc::ALREADY_EXISTS, "BACKUP_EXISTS", "name");
  EXPECT_TRUE(back_up("two").ok());
  // The server has the folder.
  EXPECT_EQ(restore(root_ + "/backups/one", folder_), 1);
}

}  // namespace
}  // namespace repath

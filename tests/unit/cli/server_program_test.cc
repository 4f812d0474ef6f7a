#include "cli/server_program.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_path.h"

namespace repath::cli {
namespace {

namespace fs = std::filesystem;

TEST(ServerProgram, StandsBesideTheCommandOrInSbinOrInPath) {
  const fs::path top = test::temp_path("installed");
  const fs::path bin = top / "bin";
  fs::create_directories(bin);
  fs::create_directories(top / "sbin");
  EXPECT_EQ(server_program_near(bin), "repathd");
  // A folder of this name is no program.
  fs::create_directories(bin / "repathd");
  std::ofstream(top / "sbin" / "repathd") << '\n';
  EXPECT_EQ(server_program_near(bin), top / "sbin" / "repathd");
  fs::remove(bin / "repathd");
  std::ofstream(bin / "repathd") << '\n';
  EXPECT_EQ(server_program_near(bin), bin / "repathd");
  fs::remove_all(top);
}

TEST(ServerProgram, TheWorkingFolderIsNotLookedAt) {
  const fs::path top = test::temp_path("working");
  fs::create_directories(top / "sbin");
  std::ofstream(top / "sbin" / "repathd") << '\n';
  const fs::path before = fs::current_path();
  fs::current_path(top);
  EXPECT_EQ(server_program_near(""), "repathd");
  fs::current_path(before);
  fs::remove_all(top);
}

}  // namespace
}  // namespace repath::cli

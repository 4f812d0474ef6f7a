#include "verify/file_kind.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "verify/verify.h"

namespace repath::verify {
namespace {

TEST(FileKind, FollowsTheRuleOfTheApi) {
  EXPECT_EQ(kind_of_file("..#\n...\n"), FileKind::kGrid);
  EXPECT_EQ(kind_of_file("type octile\nheight 1\n"), FileKind::kGrid);
  EXPECT_EQ(kind_of_file("# made by hand\nv 0 0 0\nf 1 2 3\n"), FileKind::kMesh);
  EXPECT_EQ(kind_of_file("mesh\r\n2\r\n"), FileKind::kMesh);
  EXPECT_EQ(kind_of_file("TESM"), FileKind::kMesh);
  EXPECT_EQ(kind_of_file(" \n{\"outer\": []}"), FileKind::kMesh);
  EXPECT_EQ(kind_of_file("{\"nodes\": []}"), FileKind::kGraph);
  EXPECT_EQ(kind_of_file("{\"link_distance\": 4, \"nodes\": []}"), FileKind::kSight);
  EXPECT_EQ(kind_of_file("{\"radius\": 1, \"holes\": []}"), FileKind::kVisibility);
  EXPECT_EQ(kind_of_file("RPWORLD1\n"), FileKind::kWorld);
}

TEST(FileKind, FilesWhoseEdgesTheServerMakesAreNotTaken) {
  EXPECT_EQ(not_taken("a.json", "{\"nodes\": []}"), "");
  EXPECT_EQ(not_taken("a.txt", "..."), "");
  EXPECT_EQ(not_taken("a.json", "{\"radius\": 1}").rfind("a.json: holds obstacles", 0), 0u);
  EXPECT_NE(not_taken("a.json", "{\"link_distance\": 4}").find("graph with its edges"),
            std::string::npos);
  EXPECT_EQ(not_taken("a.world", "RPWORLD1").rfind("a.world: holds an exported world", 0), 0u);
}

TEST(FileKind, AFeatureOfOtherKindsIsRefusedAndSaysWhich) {
  const std::string map = ::testing::TempDir() + "feature.map";
  std::ofstream(map) << "..\n..\n";
  const auto told = [&](const std::string& feature, const Kinds& kinds) {
    VerifyOptions options;
    options.map = map;
    options.given = {{"--features " + feature, kinds}};
    cli::CommandContext context;
    ::testing::internal::CaptureStderr();
    verify(options, context);
    EXPECT_EQ(context.exit_code, cli::kWrongUsage);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(told("kinds", {.grid = false, .mesh = false, .graph = true})
                .find("--features kinds: is for graphs, and " + map + " is a grid"),
            std::string::npos);
  EXPECT_NE(told("sums", {.grid = false, .mesh = true, .graph = true})
                .find("--features sums: is for meshes and graphs, and " + map + " is a grid"),
            std::string::npos);
  std::filesystem::remove(map);
}

}  // namespace
}  // namespace repath::verify

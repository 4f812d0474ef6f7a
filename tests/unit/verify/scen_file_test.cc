#include "verify/scen_file.h"

#include <gtest/gtest.h>

#include "verify/laying.h"

namespace repath::verify {
namespace {

TEST(ScenFile, AllowsHalfAUnitOfTheLastDecimalOrTenThousandth) {
  EXPECT_DOUBLE_EQ(length_tolerance("2.82843", 2.82843), 2.82843e-4);
  EXPECT_DOUBLE_EQ(length_tolerance("2.83", 2.83), 0.005);
  EXPECT_DOUBLE_EQ(length_tolerance("3", 3), 0.5);
}

TEST(ScenFile, ReadsVersionOne) {
  std::string problem;
  const auto scen =
      parse_scen("version 1.0\r\n0\tarena.map\t49\t49\t1\t11\t1\t12\t1\r\n\r\n", problem);
  ASSERT_TRUE(scen) << problem;
  EXPECT_EQ(scen->version, 1);
  EXPECT_EQ(scen->width, 49);
  ASSERT_EQ(scen->stages.size(), 1u);
  ASSERT_EQ(scen->stages[0].queries.size(), 1u);
  EXPECT_EQ(scen->stages[0].queries[0].from, (CellXY{1, 11}));
  EXPECT_EQ(scen->stages[0].queries[0].to, (CellXY{1, 12}));
  EXPECT_EQ(scen->stages[0].queries[0].length, 1.0);
}

TEST(ScenFile, PatchesBetweenQueriesAreOneStage) {
  std::string problem;
  const auto scen = parse_scen(
      "version 2\nheight 4\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n"
      "Q 0 0 0 4 3 5.5\nP 1 0 2 1\nP 1 1 0 0\nQ 1 0 0 4 3 -1\n",
      problem);
  ASSERT_TRUE(scen) << problem;
  EXPECT_EQ(scen->patch_file, "a.patch");
  ASSERT_EQ(scen->stages.size(), 2u);
  EXPECT_TRUE(scen->stages[0].patches.empty());
  EXPECT_EQ(scen->stages[1].patches.size(), 2u);
  EXPECT_EQ(scen->stages[1].queries[0].length, std::nullopt);
}

TEST(ScenFile, SaysWhichLineIsWrong) {
  std::string problem;
  EXPECT_FALSE(parse_scen("version 1\n0 a.map 4 4 0 0 3 x 1\n", problem));
  EXPECT_TRUE(problem.starts_with("line 2:")) << problem;
  EXPECT_FALSE(parse_scen("version 3\n", problem));
  EXPECT_FALSE(parse_patches("patch 0\nheight 2\nwidth 2\nmap\n..\n.\n", problem));
  EXPECT_TRUE(problem.starts_with("line 6:")) << problem;
}

TEST(ScenFile, ReadsPatches) {
  std::string problem;
  const auto patches = parse_patches(
      "type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n@.\n"
      "patch 1\nheight 2\nwidth 1\nmap\n.\n@\n",
      problem);
  ASSERT_TRUE(patches) << problem;
  EXPECT_EQ((*patches)[0], (Patch{"@."}));
  EXPECT_EQ((*patches)[1], (Patch{".", "@"}));
}

TEST(Laying, TurnsOnePictureIntoTheOther) {
  const std::vector<int> have = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const std::vector<int> want = {1, 1, 1, 1, 0, 1, 2, 2, 1};
  std::vector<int> laid = have;
  const std::vector<TerrainEdit> edits = edits_between(have, want, 3, 3);
  for (const TerrainEdit& edit : edits) {
    for (int y = edit.cells.y0; y < edit.cells.y1; ++y) {
      for (int x = edit.cells.x0; x < edit.cells.x1; ++x) {
        laid[static_cast<std::size_t>(3 * y + x)] = edit.terrain_class;
      }
    }
  }
  EXPECT_EQ(laid, want);
  EXPECT_EQ(edits.size(), 5u);
  EXPECT_TRUE(edits_between(want, want, 3, 3).empty());
}

}  // namespace
}  // namespace repath::verify

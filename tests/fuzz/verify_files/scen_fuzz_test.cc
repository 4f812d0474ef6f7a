// The checker's own readers of maps, scenarios and patches.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/error.h"
#include "support/fuzz.h"
#include "support/hostile.h"
#include "verify/map_file.h"
#include "verify/scen_file.h"

namespace repath {
namespace {

// Returns the status of a reader that gives nothing and a problem, or something.
template <class Read>
absl::Status status_of(Read read, const std::string& text) {
  std::string problem;
  const auto made = read(text, problem);
  if (made) return absl::OkStatus();
  EXPECT_NE(problem, "");
  return invalid_field("FILE_INVALID", "", problem);
}

TEST(Fuzz, CheckersMap) {
  test::feed(
      {"type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\nGG.O\n", "....\r\n.##.\r\n"},
      [](const std::string& text) {
        const auto read = [](const std::string& map, std::string& problem) {
          const auto made = verify::parse_map(map, problem);
          if (made) {
            EXPECT_EQ(made->rows.size(), static_cast<std::size_t>(made->height));
          }
          return made;
        };
        return status_of(read, text);
      },
      test::hostile_map);
}

TEST(Fuzz, CheckersScenario) {
  test::feed({"version 1.0\n0\tarena.map\t49\t49\t1\t11\t1\t12\t1\n3\ta\t49\t49\t1\t1\t9\t9\t8.5\n",
              "version 2\nheight 4\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n"
              "Q 0 0 0 4 3 5.5\nP 1 0 2 1\nP 1 1 0 0\nQ 1 0 0 4 3 -1\n"},
             [](const std::string& text) { return status_of(verify::parse_scen, text); });
}

TEST(Fuzz, CheckersPatches) {
  test::feed({"type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n.@\n"},
             [](const std::string& text) { return status_of(verify::parse_patches, text); });
}

}  // namespace
}  // namespace repath

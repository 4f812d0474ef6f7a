#include "cli/visible_text.h"

#include <gtest/gtest.h>

#include "cli/context.h"
#include "cli/print.h"

namespace repath::cli {
namespace {

// Sets the title of a terminal, and begins a line.
const std::string kHostile = "ok\r\n2026 forged\x1b]0;title\x07\u009b31m\x9b";
const std::string kHarmless = R"(ok\r\n2026 forged\x1b]0;title\x07\xc2\x9b31m\x9b)";

// Runs `print` and returns what it wrote on stdout and stderr.
template <class Print>
std::string printed(Print print) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  print();
  return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
}

TEST(VisibleText, OrdinaryTextStaysAsItIs) {
  for (const char* text : {"", "game-1 \"a\" \\n ~", "\u00a0\u00e9\u4e16\U0001f600\U0010ffff"})
    EXPECT_EQ(visible(text), text);
}

TEST(VisibleText, ControlCharactersAreEscaped) {
  EXPECT_EQ(visible(kHostile), kHarmless);
  EXPECT_EQ(visible(std::string_view("\0\t\x1f\x7f", 4)), R"(\x00\t\x1f\x7f)");
  EXPECT_EQ(visible("\u0080\u009f"), R"(\xc2\x80\xc2\x9f)");
}

TEST(VisibleText, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(visible("a\x80z"), R"(a\x80z)");
  EXPECT_EQ(visible("\xc3"), R"(\xc3)");
  EXPECT_EQ(visible("\xc3("), R"(\xc3()");
  // An escape character in two bytes, one half of a surrogate pair, a number above U+10FFFF.
  EXPECT_EQ(visible("\xc0\x9b"), R"(\xc0\x9b)");
  EXPECT_EQ(visible("\xe0\x80\x9b"), R"(\xe0\x80\x9b)");
  EXPECT_EQ(visible("\xed\xa0\x80"), R"(\xed\xa0\x80)");
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");
  EXPECT_EQ(visible("\xf0\x9f\x98"), R"(\xf0\x9f\x98)");
}

TEST(VisibleText, AWorldShowsTextsOfItsServerSo) {
  v1::World world;
  world.set_name(kHostile);
  world.set_kind("grid");
  world.set_state(v1::WORLD_STATE_QUARANTINED);
  world.set_quarantine_reason(kHostile);
  world.add_profiles()->set_name(kHostile);
  world.add_terrain_classes()->set_name(kHostile);
  world.mutable_terrain_classes(0)->set_symbol("\x1b");
  const std::string text = printed([&] { print_world(CommandContext(), world); });
  EXPECT_EQ(text.find_first_of("\r\x1b\x07\x9b"), std::string::npos) << text;
  EXPECT_EQ(text.rfind(kHarmless + ": grid of", 0), 0u) << text;
  EXPECT_NE(text.find("QUARANTINED: " + kHarmless + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("profile " + kHarmless), std::string::npos) << text;
  EXPECT_NE(text.find("\\x1b " + kHarmless), std::string::npos) << text;
}

TEST(VisibleText, LinesAndTablesShowTextsOfTheirServerSo) {
  v1::Change change;
  change.mutable_batch()->add_terrain_edits()->set_terrain_class(kHostile);
  EXPECT_NE(line_of(change).find("terrain " + kHarmless + "  hash"), std::string::npos);
  EXPECT_EQ(printed([] {
              print_table({{"A", "B"}, {kHostile, "1"}});
            }),
            "A" + std::string(kHarmless.size() + 1, ' ') + "B\n" + kHarmless + "  1\n");
}

TEST(VisibleText, ErrorsShowTextsOfTheirServerSo) {
  const client::Error error{client::Code::kNotFound, "UNKNOWN", "name\x1b", "no " + kHostile};
  CommandContext context;
  EXPECT_EQ(printed([&] { context.refused(error); }),
            "repath: UNKNOWN in name\\x1b: no " + kHarmless + "\n");
  EXPECT_EQ(printed([&] { context.check_failed(kHostile); }), "repath: " + kHarmless + "\n");
  const std::string unreachable = printed([&] {
    context.refused(client::Error{client::Code::kUnavailable, "", "", kHostile});
  });
  EXPECT_NE(unreachable.find(kHarmless + "\n        Is repathd"), std::string::npos) << unreachable;
  context.json = true;
  const std::string json = printed([&] { context.print_json({{"id", kHostile}}); });
  EXPECT_EQ(json, R"({"id":"ok\r\n2026 forged\u001b]0;title\u0007\u009b31m\ufffd"})"
                  "\n");
}

}  // namespace
}  // namespace repath::cli

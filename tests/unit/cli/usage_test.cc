// Messages for command lines that cannot be parsed. No server is needed: the commands fail before
// they call one.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/change_options.h"
#include "cli/commands.h"
#include "cli/help_format.h"
#include "cli/world_settings.h"

namespace repath::cli {
namespace {

// Returns the message for `repath ARGUMENTS`; empty if they are parsed and run.
std::string message_for(std::vector<std::string> arguments) {
  CommandContext context;
  context.server = "unix:/nowhere";
  CLI::App app("repath", "repath");
  add_commands(app, context);
  check_numbers(app);
  // CLI::App::parse takes a vector in reverse order.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error);
  }
  return "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(Usage, AnUnknownCommandIsToldWhichThereAre) {
  EXPECT_EQ(
      message_for({"world", "frobnicate"}),
      "there is no command \"repath world frobnicate\"; give one of: create, import, list, "
      "show, delete, apply, test, placements, watch, export, obstacles, terrain, ground, grow, "
      "graph, fork, history");
  EXPECT_EQ(
      message_for({"frobnicate"}),
      "there is no command \"repath frobnicate\"; give one of: world, path, agent, session, demo, "
      "stats, top, backup, restore, play, token, tls");
}

TEST(Usage, AMissingCommandIsToldWhichThereAre) {
  EXPECT_EQ(message_for({"path"}),
            "`repath path` needs a command, one of: find, nearest, away, raycast, check, random, "
            "reachable, flow, explain");
}

TEST(Usage, AnUnknownOptionIsNamedWithItsCommand) {
  EXPECT_EQ(first_line(message_for({"world", "list", "--frob"})),
            "`repath world list` has no option \"--frob\"");
  EXPECT_EQ(first_line(message_for({"world", "list", "square"})),
            "`repath world list` does not take the argument \"square\"");
}

TEST(Usage, AnOptionInTheWrongPlaceIsToldTheRightOne) {
  EXPECT_EQ(message_for({"--json", "world", "list"}),
            "`repath` has no option \"--json\"; it belongs after `repath world list`");
  EXPECT_EQ(message_for({"path", "--radius=3", "find", "w", "--from", "1,1", "--to", "2,2"}),
            "`repath path` has no option \"--radius\"; it belongs after `repath path find`");
  EXPECT_EQ(message_for({"world", "list", "--server", "unix:/nowhere"}),
            "`repath world list` has no option \"--server\"; it belongs after `repath`");
  EXPECT_EQ(first_line(message_for({"--frob", "world", "list"})),
            "`repath` has no option \"--frob\"");
}

TEST(Usage, NumbersAreFinite) {
  for (const char* number : {"nan", "-nan", "inf", "infinity", "-inf", "1e999"}) {
    SCOPED_TRACE(number);
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"agent", "watch", "w", "--for", number},
             {"world", "watch", "w", "--for", number},
             {"top", "w", "--for", number},
             {"path", "find", "w", "--from", "1,1", "--to", "2,2", "--radius", number},
             {"path", "find", "w", "--from", "1,1," + std::string(number), "--to", "2,2"},
             {"world", "import", "w", "FILE", "--slope", number}}) {
      EXPECT_NE(message_for(arguments).find(number), std::string::npos) << arguments[0];
    }
  }
  EXPECT_NE(message_for({"top", "w", "--for", "nan"}).find("--for: must be a finite number"),
            std::string::npos);
}

// Returns the message for `repath agent remove w ID`. Such an id was read: without a server the
// command fails later, with another exit status.
std::string message_for_id(const std::string& id) {
  return first_line(message_for({"agent", "remove", "w", id}));
}

TEST(Usage, WholeNumbersAreDecimalAndInRange) {
  for (const char* id : {"0x10", "0b1", "1.0", "1e3", "1 2", " 7", "7 ", "+7", "", "007a"}) {
    EXPECT_EQ(message_for_id(id),
              "ID: expected a whole number in decimal digits, got \"" + std::string(id) + "\"");
  }
  EXPECT_EQ(message_for_id("18446744073709551615"), "");
  for (const char* id : {"18446744073709551616", "99999999999999999999999"}) {
    EXPECT_EQ(message_for_id(id),
              "ID: must be from 0 to 18446744073709551615, got " + std::string(id));
  }
  // Every kind of option has the same reader.
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"world", "create", "w", "--height", "4", "--width", "0x10"},
           {"world", "apply", "w", "--remove", "0x10"},
           {"world", "apply", "w", "--walk-on", "0x10"},
           {"world", "history", "w", "--limit", "0x10"},
           {"world", "obstacles", "w", "--max", "0x10"},
           {"demo", "doors", "--agents", "0x10"},
           {"path", "away", "w", "--from", "1,1", "--threat", "2,2", "--distance", "0x10"}}) {
    EXPECT_NE(message_for(arguments).find("in decimal digits, got \"0x10\""), std::string::npos)
        << arguments[1] << ": " << message_for(arguments);
  }
  EXPECT_EQ(first_line(message_for(
                {"path", "find", "w", "--from", "1,1", "--to", "2,2", "--team", "4294967296"})),
            "--team: must be from 0 to 4294967295, got 4294967296");
  EXPECT_EQ(
      first_line(message_for({"world", "create", "w", "--width", "-2147483649", "--height", "4"})),
      "--width: must be from -2147483648 to 2147483647, got -2147483649");
}

// A zero in front does not make a number octal.
TEST(Usage, ZerosInFrontCountForNothing) {
  std::uint64_t id = 0;
  int width = 0;
  double weight = 0;
  CLI::App app;
  app.add_option("--id", id);
  app.add_option("--width", width);
  app.add_option("--weight", weight);
  check_numbers(app);
  app.parse("--id 010 --width -010 --weight 010.5");
  EXPECT_EQ(id, 10u);
  EXPECT_EQ(width, -10);
  EXPECT_EQ(weight, 10.5);
}

TEST(Usage, APortThatIsNoneIsRefused) {
  for (const char* server : {"127.0.0.1:65536", "localhost:99999", "[::1]:4294967296"}) {
    EXPECT_NE(message_for({"--server", server, "world", "list"}).find("a port up to 65535"),
              std::string::npos)
        << server;
  }
  for (const char* server : {"127.0.0.1:65535", "unix:/nowhere:99999"})
    EXPECT_EQ(message_for({"--server", server, "world", "list"}), "");
}

// Each command that takes a file says of a folder that it is one.
TEST(Usage, AFolderIsNoFile) {
  const std::string folder = testing::TempDir();
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"world", "import", "w", folder},
           {"world", "import", "w", folder, "--profile", folder},
           {"world", "create", "w", "--width", "4", "--height", "4", "--profile", folder},
           {"world", "apply", "w", "--file", folder},
           {"--tls-ca", folder, "world", "list"}}) {
    EXPECT_NE(message_for(arguments).find(folder + ": cannot be read: Is a directory"),
              std::string::npos)
        << arguments[0] << " " << arguments[1] << ": " << message_for(arguments);
  }
  EXPECT_NE(message_for({"world", "import", "w", "/nowhere/map"})
                .find("FILE: /nowhere/map: cannot be read: No such file or directory"),
            std::string::npos);
}

TEST(Usage, AWrongValueIsToldWhatIsAllowed) {
  EXPECT_EQ(first_line(message_for({"path", "find", "w", "--from", "1,x", "--to", "2,2"})),
            "--from: expected a cell X,Y of whole numbers or a point X,Y,Z, got \"1,x\"");
  EXPECT_EQ(first_line(message_for({"agent", "add", "w", "seven", "--from", "1,1", "--to", "2,2"})),
            "ID: expected a whole number in decimal digits, got \"seven\"");
  EXPECT_NE(message_for({"path", "find", "w", "--from", "1,1", "--to", "2,2", "--smooth", "very"})
                .find("none, straight, curves"),
            std::string::npos);
}

TEST(Usage, OptionsThatNeedOthersAreRefusedAlone) {
  EXPECT_NE(
      message_for({"path", "nearest", "w", "--from", "1,1", "--to", "2,2", "--max-distance", "3"}),
      "");
  EXPECT_NE(message_for({"world", "test", "w", "--remove", "1", "--pair-team", "3"}), "");
  EXPECT_NE(
      message_for({"path", "find", "w", "--from", "1,1", "--to", "2,2", "--deviation", "0.1"}), "");
}

TEST(Usage, EffectsWithoutAShapeAreRefused) {
  ChangeOptions options;
  options.removed = {1};
  EXPECT_EQ(to_batch(options).upsert_obstacles_size(), 0);
  options.area = 3;
  EXPECT_THROW(to_batch(options), CLI::ValidationError);
  options.area.reset();
  options.top = 2;
  EXPECT_THROW(to_batch(options), CLI::ValidationError);
}

TEST(Usage, ACornerRuleIsForEightNeighbours) {
  WorldSettings settings;
  settings.corner = "one";
  EXPECT_EQ(to_request(settings).profiles(0).corner_rule(), v1::CORNER_RULE_ONE);
  settings.topology = "8";
  EXPECT_EQ(to_request(settings).profiles(0).corner_rule(), v1::CORNER_RULE_ONE);
  settings.topology = "hex";
  EXPECT_THROW(to_request(settings), CLI::ValidationError);
  settings.topology = "4";
  EXPECT_THROW(to_request(settings), CLI::ValidationError);
}

TEST(Help, LinesAreCutBetweenWords) {
  EXPECT_EQ(wrapped("one two  three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("immeasurable two", 7), "immeasurable\ntwo");
  EXPECT_EQ(wrapped("", 7), "");
}

TEST(Help, NoLineIsLongerThanAHundredCharacters) {
  CommandContext context;
  CLI::App app("repath", "repath");
  add_commands(app, context);
  for (CLI::App* group : app.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::App* command : group->get_subcommands([](CLI::App*) { return true; })) {
      std::istringstream help(command->help());
      for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 100u) << line;
    }
  }
}

TEST(Usage, TheJsonFlagIsSeenWhereverItStands) {
  const char* const with[] = {"repath", "world", "--json", "frobnicate"};
  const char* const without[] = {"repath", "world", "json"};
  EXPECT_TRUE(has_json_flag(4, with));
  EXPECT_FALSE(has_json_flag(3, without));
}

}  // namespace
}  // namespace repath::cli

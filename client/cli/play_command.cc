// play: a recording of what came in to a world, played again.
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/server_program.h"
#include "cli/visible_text.h"

namespace repath::cli {
namespace {

void play(CommandContext& context, const std::string& file) {
  const ServerFacts played = ask_server_program({"--play", file});
  if (!played.facts.contains("world")) return context.file_refused(played.error());
  const std::string& difference = played.facts.at("difference");
  const bool is_cut_off = played.number("is_cut_off") != 0;
  const std::string& end = played.facts.at("end");
  if (context.json) {
    context.print_json({{"world", played.facts.at("world")},
                        {"inputs", played.number("inputs")},
                        {"frames", played.number("frames")},
                        {"events", played.number("events")},
                        {"revision", played.number("revision")},
                        {"state_hash", hex(played.number("state_hash"))},
                        {"difference", difference},
                        {"is_cut_off", is_cut_off},
                        {"end", end}});
  } else {
    std::cout << visible(played.facts.at("world")) << ": "
              << counted(played.number("inputs"), "input") << ", "
              << counted(played.number("frames"), "frame") << ", "
              << counted(played.number("events"), "event") << "; revision "
              << played.number("revision") << ", hash " << hex(played.number("state_hash"))
              << (is_cut_off ? "; the recording is cut off" : "")
              << (end.empty() ? "" : "; the server ended the recording: " + visible(end)) << '\n'
              << (difference.empty() ? "The events are those of the recording."
                                     : visible(difference))
              << std::endl;
  }
  if (!difference.empty()) context.check_failed("other events came than then");
}

}  // namespace

void add_play_command(CLI::App& app, CommandContext& context) {
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      add_command(app, context, "play",
                  "Play a recording that a server made with --record, and check that the same "
                  "events come. Exit status 1 if they do not. Needs the program repathd, and no "
                  "server",
                  "repath play /var/lib/repath/recordings/square-1790000000000000.recording");
  command->add_option("FILE", *file, "The recording")->required();
  command->callback([&context, file] { play(context, *file); });
}

}  // namespace repath::cli

#include "ceiling/footprint_command.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "ceiling/footprint.h"

namespace repath::cli {
namespace {

Json json_of(const std::vector<ceiling::Weight>& weights) {
  Json bytes = Json::object();
  for (const ceiling::Weight& weight : weights) bytes[weight.key] = weight.bytes;
  return {{"bytes", bytes}};
}

void print(const std::vector<ceiling::Weight>& weights) {
  std::printf("  %-66s %10s %10s\n", "the server's process grows by", "of", "bytes each");
  for (const ceiling::Weight& weight : weights) {
    std::printf("  %-66s %10d %10.0f\n", weight.what.c_str(), weight.things, weight.bytes);
  }
}

}  // namespace

void add_footprint_command(CLI::App& load, CommandContext& context) {
  auto* command =
      add_command(load, context, "footprint",
                  "Measure what worlds, agents, goals and sessions cost a server in memory",
                  "repath load footprint");
  const auto repathd = std::make_shared<std::string>(
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "repathd");
  const auto percent = std::make_shared<int>(100);
  command->add_option("--repathd", *repathd, "Program of the server, which is started here")
      ->capture_default_str();
  command
      ->add_option("--percent", *percent,
                   "Percentage of the full numbers of worlds, agents and so on, 1 to 100; "
                   "fewer give less exact figures")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->callback([repathd, percent, &context] {
    std::vector<ceiling::Weight> weights;
    if (!context.accepted(ceiling::weigh(*repathd, *percent, weights))) return;
    context.json ? context.print_json(json_of(weights)) : print(weights);
  });
}

}  // namespace repath::cli

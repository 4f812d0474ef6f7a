// world placements: where a tower may stand without cutting an agent off.
#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "repath/v1/path.grpc.pb.h"

namespace repath::cli {
namespace {

struct PlacementOptions {
  std::string world;
  std::string size = "1x1";
  std::string area;
  std::uint64_t max_expansions = 0;
  std::uint64_t min_revision = 0;
  WalkerOptions walker;
};

struct PlacementMark {
  char letter;
  const char* name;  // in the object of --json
};

// By the number of a Placement.
constexpr std::array<PlacementMark, v1::Placement_ARRAYSIZE> kPlacementMarks{{{'!', "unspecified"},
                                                                              {'.', "free"},
                                                                              {'#', "ground"},
                                                                              {'A', "agent"},
                                                                              {'X', "cuts_off"},
                                                                              {'?', "unknown"}}};

std::size_t number_of_placement(char placement) {
  const auto number = static_cast<unsigned char>(placement);
  return number < kPlacementMarks.size() ? number : 0;
}

// "2x3": columns and rows.
void fill_tower_size(const std::string& text, v1::FindPlacementsRequest* request) {
  const std::size_t by = text.find('x');
  const auto values = parse_reals(
      "--size", by == std::string::npos ? text : text.substr(0, by) + "," + text.substr(by + 1), 2,
      2, "two whole numbers COLUMNSxROWS, 1 to 64 each");
  for (const double value : values)
    if (value < 1 || value > 64 || value != static_cast<double>(static_cast<int>(value)))
      throw CLI::ValidationError(
          "--size", "must be COLUMNSxROWS, whole numbers from 1 to 64, not \"" + text + "\"");
  request->set_width(static_cast<std::uint32_t>(values[0]));
  request->set_height(static_cast<std::uint32_t>(values[1]));
}

void print_placements(CommandContext& context, const v1::FindPlacementsResponse& answer) {
  const v1::CellRect& area = answer.area();
  std::array<std::uint64_t, kPlacementMarks.size()> counts{};
  for (const char placement : answer.placements()) ++counts[number_of_placement(placement)];
  if (context.json) {
    Json numbers = Json::array();
    for (const char placement : answer.placements())
      numbers.push_back(number_of_placement(placement));
    Json by_name;
    for (std::size_t i = 1; i < kPlacementMarks.size(); ++i)
      by_name[kPlacementMarks[i].name] = counts[i];
    context.print_json({{"area", {area.x0(), area.y0(), area.x1(), area.y1()}},
                        {"counts", by_name},
                        {"placements", numbers},
                        {"revision", answer.revision()},
                        {"expanded", answer.expanded()}});
    return;
  }
  std::cout << "at revision " << answer.revision() << ": " << counts[v1::PLACEMENT_FREE]
            << " places are free (.), " << counts[v1::PLACEMENT_GROUND]
            << " have no free ground (#), " << counts[v1::PLACEMENT_AGENT]
            << " are on an agent (A), " << counts[v1::PLACEMENT_CUTS_OFF]
            << " cut an agent off (X)";
  if (counts[v1::PLACEMENT_UNKNOWN] > 0)
    std::cout << ", " << counts[v1::PLACEMENT_UNKNOWN] << " are not known (?)";
  std::cout << "\nupper left cell " << area.x0() << ',' << area.y0() << '\n';
  const auto columns = static_cast<std::size_t>(area.x1() - area.x0());
  for (std::size_t at = 0; at < answer.placements().size(); at += columns) {
    std::string row;
    for (const char placement : answer.placements().substr(at, columns))
      row += kPlacementMarks[number_of_placement(placement)].letter;
    std::cout << "  " << row << '\n';
  }
  std::cout.flush();
}

void placements(CommandContext& context, const PlacementOptions& options) {
  v1::FindPlacementsRequest request;
  request.set_world(options.world);
  fill_tower_size(options.size, &request);
  if (!options.area.empty()) *request.mutable_area() = parse_rect("--area", options.area);
  request.set_max_expansions(options.max_expansions);
  request.set_min_revision(options.min_revision);
  fill_walker(options.walker, request.mutable_walker());
  grpc::ClientContext call;
  v1::FindPlacementsResponse answer;
  if (context.accepted(context.stub<v1::PathService>()->FindPlacements(&call, request, &answer)))
    print_placements(context, answer);
}

}  // namespace

void add_placements_command(CLI::App& world, CommandContext& context) {
  auto options = std::make_shared<PlacementOptions>();
  CLI::App* command = add_command(world, context, "placements",
                                  "Show the cells of a grid where a tower may stand without "
                                  "cutting an agent off. A mark stands "
                                  "for the tower's upper left cell",
                                  "repath world placements square --size 2x2 --area 0,0,20,10");
  command->add_option("WORLD", options->world, "Name of the world")->required();
  command
      ->add_option("--size", options->size,
                   "Columns and rows of the tower, 1 to 64 each (default 1x1)")
      ->type_name("COLUMNSxROWS");
  command
      ->add_option(
          "--area", options->area,
          "Cells X0,Y0,X1,Y1 to show (X1 and Y1 are outside), at most 1048576 (default: the "
          "whole map)")
      ->type_name("RECT");
  command->add_option("--max-expansions", options->max_expansions,
                      "Limit of the work in expanded nodes; the rest is then not known (default 0: "
                      "the server's limit)");
  command->add_option("--min-revision", options->min_revision,
                      "Fail if the world is at an earlier revision (default 0: any will do)");
  add_walker_options(*command, options->walker);
  command->callback([&context, options] { placements(context, *options); });
}

}  // namespace repath::cli

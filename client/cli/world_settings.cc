#include "cli/world_settings.h"

#include "cli/parse.h"

namespace repath::cli {

void add_world_settings(CLI::App& command, WorldSettings& settings) {
  command.add_option("NAME", settings.name, "The world's name")->required();
  command.add_option("--cell-size", settings.cell_size,
                     "World units along a cell's side (default 1)");
  command.add_option("--topology", settings.topology,
                     "Steps of the profile \"default\": 4, 8 or hex (default 8)");
  command.add_option("--corner", settings.corner,
                     "How many cells beside a diagonal step of \"default\" may be blocked: none or "
                     "one (default none)");
  command.add_option("--radius", settings.radius,
                     "Radius of the agents of \"default\" in world units (default 0)");
  command.add_option(
      "--profile", settings.profile_file,
      "JSON file: {\"profiles\": [{\"name\", \"topology\", \"corner\", \"radius\", \"terrain\": "
      "{\"swamp\": 3.5, "
      "\"water\": \"forbidden\"}, \"areas\": {\"3\": 2.5}, \"include\": 65535, "
      "\"exclude\": 4}]}; the last three for meshes and graphs, what stands before for grids");
  command.add_flag("--lockstep", settings.lockstep, "Frames pass by Tick only");
  command.add_option("--frame-rate", settings.frame_rate_hz, "Frames a second");
  command.add_option("--budget-units", settings.budget_units, "Planning per frame in work units");
  command.add_option("--budget-us", settings.budget_us, "Planning per frame in microseconds");
  command.add_option("--strategy", settings.strategy,
                     "auto, astar, lpa, dstar_lite or field (default auto)");
  command.add_option("--history", settings.history, "Batches kept for watchers");
  command.add_option("--memory-mb", settings.memory_mb, "Limit for map, views and search state");
  command.add_option("--first-leg-cells", settings.first_leg_cells,
                     "Grids of so many cells on tell agents a bounded path while the exact one is "
                     "searched for (default 1048576)");
}

v1::CreateWorldRequest to_request(const WorldSettings& settings) {
  v1::CreateWorldRequest request;
  request.set_name(settings.name);
  request.set_cell_size(settings.cell_size);
  if (!settings.profile_file.empty()) {
    for (auto& profile :
         parse_profiles("--profile", read_file("--profile", settings.profile_file))) {
      *request.add_profiles() = std::move(profile);
    }
  }
  if (!settings.topology.empty() || !settings.corner.empty() || settings.radius) {
    v1::Profile* standard = nullptr;
    for (auto& profile : *request.mutable_profiles()) {
      if (profile.name() == "default") standard = &profile;
    }
    if (standard == nullptr) standard = request.add_profiles();
    standard->set_name("default");
    if (!settings.topology.empty())
      standard->set_topology(parse_topology("--topology", settings.topology));
    if (!settings.corner.empty())
      standard->set_corner_rule(parse_corner("--corner", settings.corner));
    if (settings.radius) standard->set_radius(*settings.radius);
  }
  v1::WorldOptions* options = request.mutable_options();
  options->set_lockstep(settings.lockstep);
  options->set_frame_rate_hz(settings.frame_rate_hz);
  options->set_frame_budget_work_units(settings.budget_units);
  options->set_frame_budget_us(settings.budget_us);
  if (!settings.strategy.empty())
    options->set_strategy(parse_strategy("--strategy", settings.strategy));
  options->set_history_revisions(settings.history);
  options->set_memory_limit_mb(settings.memory_mb);
  options->set_first_leg_cells(settings.first_leg_cells);
  return request;
}

}  // namespace repath::cli

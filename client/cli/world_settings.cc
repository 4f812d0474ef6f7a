#include "cli/world_settings.h"

#include "cli/parse.h"

namespace repath::cli {

void add_world_settings(CLI::App& command, WorldSettings& settings) {
  command.add_option("NAME", settings.name, "Name of the world: 1 to 64 of A-Z a-z 0-9 _ . -")
      ->required();
  command
      .add_option(
          "--topology", settings.topology,
          "Grids: neighbours of a cell for the profile \"default\": 4, 8 or hex (default 8)")
      ->type_name("WHICH");
  command
      .add_option("--corner", settings.corner,
                  "Grids, with topology 8: how many of the two cells beside a diagonal step "
                  "may be blocked for the profile \"default\": none or one (default none)")
      ->type_name("WHICH");
  command.add_option("--radius", settings.radius,
                     "Radius of agents of the profile \"default\", in world units (default 0)");
  command
      .add_option("--profile", settings.profile_file,
                  "JSON file of agent profiles: {\"profiles\": [{\"name\": \"cart\", "
                  "\"radius\": 0.8, ...}]}. Grids and meshes: also \"turning_radius\": 2. Grids: "
                  "also \"topology\": \"8\", \"corner\": "
                  "\"one\", \"terrain\": {\"swamp\": 3.5, \"water\": \"forbidden\"}. Meshes "
                  "and graphs: also \"areas\": {\"3\": 2.5}, \"include\": 65535, \"exclude\": "
                  "4")
      ->type_name("FILE");
  command.add_flag("--lockstep", settings.lockstep,
                   "Let frames pass by calls of AgentService.Tick, not by the server's clock");
  command.add_option("--frame-rate", settings.frame_rate_hz,
                     "Frames per second, up to 1000 (default 0: the server's default)");
  command.add_option(
      "--budget-units", settings.budget_units,
      "Planning per frame, in work units, from 64 (default 0: limited by --budget-us)");
  command.add_option("--budget-us", settings.budget_us,
                     "Planning per frame, in microseconds, 50 to 10000000 (default 0: the "
                     "server's default)");
  command
      .add_option(
          "--strategy", settings.strategy,
          "Search that keeps agents' paths up to date: auto, astar, lpa, dstar_lite or field "
          "(default auto)")
      ->type_name("NAME");
  command.add_option("--history", settings.history,
                     "Number of batches kept for `world watch`, up to 1000000 (default 0: "
                     "the server's default)");
  command.add_option(
      "--memory-mb", settings.memory_mb,
      "Memory for map, views and search state, in MiB, up to 1000000 (default 0: the "
      "server's default)");
  command.add_option(
      "--first-leg-cells", settings.first_leg_cells,
      "Grids: from this number of cells on, agents get a BOUNDED path first, while the exact "
      "search goes on (default 1048576)");
}

v1::CreateWorldRequest to_request(const WorldSettings& settings) {
  v1::CreateWorldRequest request;
  request.set_name(settings.name);
  request.set_cell_size(settings.cell_size);
  if (!settings.profile_file.empty()) {
    for (auto& profile :
         parse_profiles("--profile", read_given_file("--profile", settings.profile_file))) {
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
    if (!settings.corner.empty()) {
      if (standard->topology() != v1::TOPOLOGY_8 && standard->topology() != 0)
        throw CLI::ValidationError("--corner",
                                   "is for --topology 8: others have no diagonal steps");
      standard->set_corner_rule(parse_corner("--corner", settings.corner));
    }
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

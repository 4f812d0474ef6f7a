// repath-bench: the cost of the kernels and of the replanner, in process and without a network.
// Compare the rows of one run; the times depend on the machine, which is printed beside them.
#include <iostream>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "bench/agent_commands.h"
#include "bench/compare_bench.h"
#include "bench/dynamic_bench.h"
#include "bench/field_bench.h"
#include "bench/first_leg_bench.h"
#include "bench/graph_settle_bench.h"
#include "bench/log_bench.h"
#include "bench/navmesh_bench.h"
#include "bench/navmesh_carve_bench.h"
#include "bench/navmesh_ground.h"
#include "bench/navmesh_query_bench.h"
#include "bench/navmesh_settle_bench.h"
#include "bench/placement_bench.h"
#include "bench/report.h"
#include "bench/scale_bench.h"
#include "bench/static_bench.h"
#include "bench/studies_bench.h"
#include "bench/without.h"

namespace {

void add_files(CLI::App* command, std::string* map, std::string* scen) {
  command->add_option("--map", *map, "Map file: Moving AI or plain text")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--scen", *scen, "Moving AI scenario, version 1")
      ->required()
      ->check(CLI::ExistingFile);
}

CLI::App* add_static(CLI::App* app, repath::bench::StaticOptions* options) {
  CLI::App* command =
      app->add_subcommand("static", "Measure fresh searches on every query of a scenario");
  command->footer(
      "Example:\n  repath-bench static --map arena.map --scen arena.map.scen "
      "--algorithm astar,dijkstra");
  add_files(command, &options->map, &options->scen);
  command->add_option("--algorithm", options->algorithms, "Names, separated by commas")
      ->delimiter(',')
      ->required();
  repath::bench::add_peer(command, &options->peer);
  command
      ->add_option("--queries", options->queries,
                   "Maximum number of queries, spread evenly; 0: all")
      ->capture_default_str();
  command
      ->add_option("--work", options->work_max, "Maximum expansions of one search, for ida and sma")
      ->capture_default_str();
  command
      ->add_option("--memory", options->memory_max,
                   "Memory of one search in bytes, for ida and sma")
      ->capture_default_str();
  command->add_option("--passes", options->passes, "Number of passes; the best time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_flag("--cold", options->cold, "Empty the processor's caches before each search");
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_navmesh_static(CLI::App* app, repath::bench::NavmeshOptions* options) {
  CLI::App* command = app->add_subcommand(
      "navmesh-static",
      "Measure paths over a navmesh: exact, by corridor, and Detour on the same polygons");
  command->footer("Example:\n  repath-bench navmesh-static --mesh arena.mesh --scen arena.scen");
  command
      ->add_option("--mesh", options->mesh,
                   "Mesh file: Polyanya, version 2; MSET; or .obj triangles for Recast")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--scen", options->scen, "Scenario file, version 1 (default: random places)")
      ->check(CLI::ExistingFile);
  options->algorithms = {"any_angle", "corridor", "detour"};
  command->add_option("--algorithm", options->algorithms, "Names, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--queries", options->queries,
                   "Maximum number of queries; 0: all of the scenario, or 1000 random ones")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the random places")->capture_default_str();
  command->add_option("--passes", options->passes, "Number of passes; the best time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  repath::bench::add_peer(command, &options->peer, "MESH SCEN (with fractional coordinates)");
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

// Takes a file or an open field, not both.
void add_ground(CLI::App* command, std::string* mesh, unsigned* open) {
  CLI::Option* file =
      command
          ->add_option("--mesh", *mesh, "Mesh file: Polyanya, version 2; MSET; or .obj triangles")
          ->check(CLI::ExistingFile);
  CLI::Option* field =
      command->add_option("--open", *open, "Side of an open field in place of a mesh, world units")
          ->check(CLI::Range(1U, repath::bench::kOpenSideMax));
  file->excludes(field);
  command->callback([command, file, field] {
    if (file->count() + field->count() == 0) throw CLI::RequiredError("--mesh or --open");
  });
}

void add_radius(CLI::App* command, double* radius) {
  command->add_option("--radius", *radius, "Radius of the agents, world units")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
}

CLI::App* add_navmesh_carve(CLI::App* app, repath::bench::NavmeshCarveOptions* options) {
  CLI::App* command = app->add_subcommand(
      "navmesh-carve", "Measure obstacles that come and go, beside DetourTileCache");
  command->footer("Example:\n  repath-bench navmesh-carve --mesh nav_test.obj --live 0,60");
  add_ground(command, &options->mesh, &options->open);
  command
      ->add_option("--live", options->live,
                   "Numbers of other obstacles, separated by commas; each is a round")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(0, 60'000));
  command
      ->add_option("--obstacles", options->obstacles,
                   "Number of obstacles that come and go in each round")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of the obstacles")->capture_default_str();
  add_radius(command, &options->radius);
  command->add_option("--cell-side", options->cell_side, "Maximum side of a base cell, world units")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_navmesh_query(CLI::App* app, repath::bench::NavmeshQueryOptions* options) {
  CLI::App* command = app->add_subcommand(
      "navmesh-query",
      "Measure paths over a navmesh with more and more obstacles carved out of it");
  command->footer("Example:\n  repath-bench navmesh-query --open 300 --obstacles 0,300,1000,3000");
  add_ground(command, &options->mesh, &options->open);
  command
      ->add_option("--obstacles", options->obstacles, "Numbers of obstacles, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--queries", options->queries,
                   "Number of random queries, the same for each number of obstacles")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--seed", options->seed, "Seed of obstacles and queries")
      ->capture_default_str();
  add_radius(command, &options->radius);
  command
      ->add_option("--landmarks", options->landmarks,
                   "Number of landmarks (default: as many as a world has)")
      ->check(CLI::Range(0, 32));
  command->add_option("--cell-side", options->cell_side, "Maximum side of a base cell, world units")
      ->capture_default_str();
  command->add_option("--passes", options->passes, "Number of passes; the best time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  repath::bench::add_peer(command, &options->peer, "MESH SCEN (the mesh without obstacles)")
      ->needs("--mesh");
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_navmesh_settle(CLI::App* app, repath::bench::NavmeshSettleOptions* options) {
  CLI::App* command = app->add_subcommand(
      "navmesh-settle",
      "Measure settling agents of a navmesh after an obstacle came near a path, or went");
  command->footer("Example:\n  repath-bench navmesh-settle --open 300 --agents 1000 --events 200");
  add_ground(command, &options->mesh, &options->open);
  command->add_option("--agents", options->agents, "Number of agents")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--goals", options->goals,
                   "Number of goals that the agents share; 0: each agent has its own")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000));
  command->add_option("--obstacles", options->obstacles, "Number of obstacles that stay")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000));
  command->add_option("--events", options->events, "Number of obstacles that come and go")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--dear", options->dear,
                   "Also set the strategies side by side on ground that so many obstacles make "
                   "dearer; 0: do not")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000));
  command->add_option("--seed", options->seed, "Seed of all random choices")->capture_default_str();
  command
      ->add_option("--landmarks", options->landmarks,
                   "Number of landmarks (default: as many as a world has)")
      ->check(CLI::Range(0, 32));
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_graph_settle(CLI::App* app, repath::bench::GraphSettleOptions* options) {
  CLI::App* command = app->add_subcommand(
      "graph-settle", "Measure settling agents of a graph of roads after one shut or opened");
  command->footer("Example:\n  repath-bench graph-settle --agents 200 --events 200");
  command->add_option("--side", options->side, "Nodes along a side of the graph")
      ->capture_default_str()
      ->check(CLI::Range(4, 1000));
  command->add_option("--agents", options->agents, "Number of agents")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--goals", options->goals,
                   "Number of goals that the agents share; 0: each agent has its own")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000));
  command->add_option("--events", options->events, "Number of changes of each kind")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of all random choices")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

void add_placements(CLI::App* app, int* status) {
  auto options = std::make_shared<repath::bench::PlacementBenchOptions>();
  CLI::App* command = app->add_subcommand(
      "placements", "Measure where a tower may stand, for all cells of generated maps");
  command->footer("Example:\n  repath-bench placements --side 256 --agents 300 --tower 2");
  command->add_option("--side", options->side, "Side of the maps, cells")
      ->capture_default_str()
      ->check(CLI::Range(16, 1024));
  command->add_option("--agents", options->agents, "Number of agents")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--tower", options->tower, "Side of the tower, cells")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  command->add_option("--tries", options->tries, "Number of anchors to try with TestChanges")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of maps and agents")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options, status] { *status = repath::bench::run_placements(*options); });
}

CLI::App* add_scale(CLI::App* app, repath::bench::ScaleOptions* options) {
  CLI::App* command = app->add_subcommand(
      "scale", "Measure local changes on maps of 256 x 256 to 8192 x 8192 cells");
  command
      ->add_option("--without", options->without,
                   "Settlers that the agent does without, with + between several")
      ->check([](const std::string& entry) {
        return repath::bench::settlers_of(entry) ? std::string() : "no settler '" + entry + "'";
      });
  command->footer("Example:\n  repath-bench scale --max-side 2048");
  command->add_option("--max-side", options->max_side, "Side of the largest map, cells")
      ->capture_default_str()
      ->check(CLI::Range(256, 16384));
  command->add_option("--events", options->events, "Number of doors that shut and open on each map")
      ->capture_default_str()
      ->check(CLI::Range(2, 100'000));
  command
      ->add_option("--queries", options->queries,
                   "Number of queries from corner to corner on each map")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  command->add_option("--seed", options->seed, "Seed of maps and events")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_first_legs(CLI::App* app, repath::bench::FirstLegOptions* options) {
  CLI::App* command = app->add_subcommand(
      "first-legs",
      "Measure how long new agents on large maps wait for a path, with first legs and without");
  command->footer("Example:\n  repath-bench first-legs --sides 1024,2048 --grounds rough");
  command->add_option("--sides", options->sides, "Sides of the maps, cells, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(256, 16384));
  command->add_option("--grounds", options->grounds, "Grounds, separated by commas: rough, rooms4")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::IsMember({"rough", "rooms4"}));
  command->add_option("--agents", options->agents, "Number of agents that join at the same time")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  command->add_option("--budget", options->budget, "Budget of a frame, work units")
      ->capture_default_str()
      ->check(CLI::Range(1000, 1'000'000'000));
  command->add_option("--seed", options->seed, "Seed of maps and agents")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_compare(CLI::App* app, repath::bench::CompareOptions* options) {
  CLI::App* command = app->add_subcommand(
      "compare", "Compare all algorithms on generated maps, or on a map of your own");
  command->footer(
      "Examples:\n  repath-bench compare --sides 200 --densities 0.2\n"
      "  repath-bench compare --map arena.map --queries 50 --runs 3");
  CLI::Option* map =
      command
          ->add_option("--map", options->map,
                       "Map file in place of generated maps: Moving AI or plain text; queries "
                       "between random cells")
          ->check(CLI::ExistingFile);
  command
      ->add_option("--runs", options->runs,
                   "Number of times that each search is run; the best time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--sides", options->sides, "Sides of the maps, cells, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(32, 4096))
      ->excludes(map);
  command
      ->add_option("--densities", options->densities,
                   "Shares of blocked cells, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5))
      ->excludes(map);
  command
      ->add_option("--algorithm", options->algorithms, "Names, separated by commas (default: all)")
      ->delimiter(',');
  command->add_option("--queries", options->queries, "Number of queries on each map")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  command->add_option("--seed", options->seed, "Seed of maps and queries")->capture_default_str();
  command
      ->add_option("--work", options->work_max, "Maximum expansions of one search, for ida and sma")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

CLI::App* add_report(CLI::App* app, repath::bench::ReportOptions* options) {
  CLI::App* command =
      app->add_subcommand("report", "Write one HTML page with plots, and the JSON that it shows");
  command->footer(
      "Examples:\n  repath-bench report out --map arena.map --scen arena.map.scen\n"
      "  repath-bench report out --from static.json scale.json");
  command->add_option("folder", options->folder, "Folder for index.html; made if it is missing")
      ->required();
  command
      ->add_option("--from", options->from,
                   "Files that commands printed with --json; then nothing is run")
      ->check(CLI::ExistingFile);
  CLI::Option* map =
      command->add_option("--map", options->map, "Map file for static, dynamic and field")
          ->check(CLI::ExistingFile);
  command->add_option("--scen", options->scen, "Scenario file for static and dynamic")
      ->check(CLI::ExistingFile)
      ->needs(map);
  command->add_option("--max-side", options->max_side, "Side of the largest map of scale, cells")
      ->capture_default_str()
      ->check(CLI::Range(256, 16384));
  command
      ->add_option("--sides", options->sides,
                   "Sides of the maps of compare, cells, separated by commas")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(32, 4096));
  return command;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What searches and replanning cost, measured in process"};
  app.require_subcommand(1);
  repath::bench::StaticOptions static_options;
  const CLI::App* static_command = add_static(&app, &static_options);
  repath::bench::DynamicOptions dynamic_options;
  const CLI::App* dynamic_command = repath::bench::add_dynamic(&app, &dynamic_options);
  repath::bench::FieldOptions field_options;
  const CLI::App* field_command = repath::bench::add_field(&app, &field_options);
  repath::bench::NavmeshOptions navmesh_options;
  const CLI::App* navmesh_static_command = add_navmesh_static(&app, &navmesh_options);
  repath::bench::NavmeshCarveOptions carve_options;
  const CLI::App* carve_command = add_navmesh_carve(&app, &carve_options);
  repath::bench::NavmeshQueryOptions query_options;
  const CLI::App* query_command = add_navmesh_query(&app, &query_options);
  repath::bench::NavmeshSettleOptions settle_options;
  const CLI::App* settle_command = add_navmesh_settle(&app, &settle_options);
  repath::bench::GraphSettleOptions graph_options;
  const CLI::App* graph_command = add_graph_settle(&app, &graph_options);
  repath::bench::LogOptions log_options;
  const CLI::App* log_command = repath::bench::add_log(&app, &log_options);
  repath::bench::ScaleOptions scale_options;
  const CLI::App* scale_command = add_scale(&app, &scale_options);
  repath::bench::FirstLegOptions leg_options;
  const CLI::App* leg_command = add_first_legs(&app, &leg_options);
  repath::bench::CompareOptions compare_options;
  const CLI::App* compare_command = add_compare(&app, &compare_options);
  repath::bench::StudiesOptions studies_options;
  const CLI::App* studies_command = repath::bench::add_studies(&app, &studies_options);
  repath::bench::ReportOptions report_options;
  const CLI::App* report_command = add_report(&app, &report_options);
  int status = 2;
  add_placements(&app, &status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (static_command->parsed()) {
    if (!static_options.peer.empty() && static_options.queries != 0) {
      std::cerr << "repath-bench: --peer answers all queries; --queries cannot be given with it\n";
      return 2;
    }
    return repath::bench::run_static(static_options);
  }
  if (dynamic_command->parsed()) return repath::bench::run_dynamic(dynamic_options);
  if (field_command->parsed()) return repath::bench::run_field(field_options);
  if (navmesh_static_command->parsed()) return repath::bench::run_navmesh_static(navmesh_options);
  if (carve_command->parsed()) return repath::bench::run_navmesh_carve(carve_options);
  if (query_command->parsed()) return repath::bench::run_navmesh_query(query_options);
  if (settle_command->parsed()) return repath::bench::run_navmesh_settle(settle_options);
  if (log_command->parsed()) return repath::bench::run_log(log_options);
  if (graph_command->parsed()) return repath::bench::run_graph_settle(graph_options);
  if (compare_command->parsed()) return repath::bench::run_compare(compare_options);
  if (studies_command->parsed()) return repath::bench::run_studies(studies_options);
  if (report_command->parsed()) return repath::bench::run_report(report_options);
  if (leg_command->parsed()) return repath::bench::run_first_legs(leg_options);
  if (scale_command->parsed()) return repath::bench::run_scale(scale_options);
  return status;
}

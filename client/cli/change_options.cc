#include "cli/change_options.h"

#include "cli/parse.h"
#include "cli/shape_options.h"

namespace repath::cli {
namespace {

// Returns the obstacle that the flags describe, if they describe one.
std::optional<v1::Obstacle> to_obstacle(const ChangeOptions& options) {
  v1::Obstacle obstacle;
  int shapes = 0;
  for (const ShapeOption& shape : shape_options()) {
    const auto given = options.shapes.find(shape.name);
    if (given == options.shapes.end() || given->second.empty()) continue;
    shape.read(shape.name, given->second, obstacle);
    ++shapes;
  }
  if (shapes > 1)
    throw CLI::ValidationError("--id", "give only one of " + shape_option_names(" and "));
  if (shapes == 0) {
    if (!options.id && !options.cost && !options.area && options.teams.empty() && !options.open &&
        !options.bottom && !options.top)
      return std::nullopt;
    throw CLI::ValidationError("--id", "an obstacle needs " + shape_option_names(" or "));
  }
  if (!options.id.has_value())
    throw CLI::ValidationError("--id", "the obstacle needs an id of your choice");
  obstacle.set_id(*options.id);
  if (options.cost.has_value() && options.area.has_value())
    throw CLI::ValidationError("--area", "give only one of --cost and --area");
  if (options.cost.has_value()) {
    obstacle.set_cost_factor(*options.cost);
  } else if (options.area.has_value()) {
    obstacle.set_area(*options.area);
  } else {
    obstacle.set_blocked(true);
  }
  for (const std::uint32_t team : options.teams) {
    if (team > 31)
      throw CLI::ValidationError("--team", "expected 0 to 31, got " + std::to_string(team));
    obstacle.set_team_mask(obstacle.team_mask() | 1u << team);
  }
  obstacle.set_disabled(options.open);
  if (options.bottom) obstacle.set_bottom(*options.bottom);
  if (options.top) obstacle.set_top(*options.top);
  return obstacle;
}

}  // namespace

namespace {

// One obstacle: its id, its shape, and what it does.
void add_obstacle_options(CLI::App& command, ChangeOptions& options) {
  command.add_option("--id", options.id,
                     "Id of the obstacle to add, a number of your choice; needs one of " +
                         shape_option_names(" and ") + ". Replaces the obstacle that has this id");
  for (const ShapeOption& shape : shape_options())
    command.add_option(shape.name, options.shapes[shape.name], shape.help)->type_name(shape.type);
  command.add_option(
      "--cost", options.cost,
      "Cost factor of the ground under the obstacle, 1 to 1000 (default: the obstacle blocks)");
  command.add_option(
      "--area", options.area,
      "Meshes: area type of the ground under the obstacle, 0 to 63 (default: the obstacle "
      "blocks)");
  command
      .add_option("--team", options.teams,
                  "Team for which the obstacle exists, 0 to 31; repeatable (default: all teams)")
      ->allow_extra_args(false);
  command.add_option("--bottom", options.bottom,
                     "Meshes: lowest height of the obstacle, in world units (default: unlimited)");
  command.add_option(
      "--top", options.top,
      "Meshes: greatest height of the obstacle, in world units (default: unlimited)");
  command.add_flag("--open", options.open, "Add the obstacle disabled, as an open door");
}

// Switches of obstacles and links, removals, and edits of the terrain.
void add_switch_options(CLI::App& command, ChangeOptions& options) {
  command
      .add_option("--door", options.doors,
                  "Disable or enable an obstacle: ID=open or ID=shut; repeatable")
      ->type_name("SWITCH")
      ->allow_extra_args(false);
  command.add_option("--remove", options.removed, "Id of an obstacle to remove; repeatable")
      ->allow_extra_args(false);
  command
      .add_option("--link", options.links,
                  "Meshes: enable or disable a link: ID=open or ID=shut; repeatable")
      ->type_name("SWITCH")
      ->allow_extra_args(false);
  command
      .add_option("--terrain", options.terrain,
                  "Grids: give cells a terrain class: X0,Y0,X1,Y1=CLASS; repeatable")
      ->type_name("EDIT")
      ->allow_extra_args(false);
}

// Influence and fog of single teams, and agents that stand.
void add_team_options(CLI::App& command, ChangeOptions& options) {
  command
      .add_option(
          "--influence", options.influence,
          "Grids: set the influence of a team's layer on cells: TEAM,LAYER:X0,Y0,X1,Y1=LEVEL "
          "or TEAM,LAYER:X,Z,RADIUS=LEVEL; =+LEVEL and =-LEVEL add to it. A cell then costs the "
          "team 1 + LEVEL/64 times as much; repeatable")
      ->type_name("EDIT")
      ->allow_extra_args(false);
  command
      .add_option(
          "--decay", options.decays,
          "Grids: multiply each level of a layer by PERMILLE/1000: TEAM,LAYER=PERMILLE, before "
          "--influence takes effect; repeatable")
      ->type_name("STEP")
      ->allow_extra_args(false);
  command
      .add_option("--hide", options.hidden,
                  "Grids: hide cells from a team, for which they then count as free: "
                  "TEAM:X0,Y0,X1,Y1 or TEAM:X,Z,RADIUS, before --reveal takes effect; repeatable")
      ->type_name("PART")
      ->allow_extra_args(false);
  command
      .add_option("--reveal", options.revealed,
                  "Grids: reveal cells to a team, written like --hide; repeatable")
      ->type_name("PART")
      ->allow_extra_args(false);
  command
      .add_option("--stand", options.bodies,
                  "Grids: cells that the body of an agent blocks for all others: "
                  "AGENT:X0,Y0,X1,Y1 or AGENT:X,Z,RADIUS; repeatable")
      ->type_name("BODY")
      ->allow_extra_args(false);
  command
      .add_option("--walk-on", options.walking, "Grids: id of an agent whose body goes; repeatable")
      ->allow_extra_args(false);
}

}  // namespace

void add_change_options(CLI::App& command, ChangeOptions& options) {
  add_obstacle_options(command, options);
  add_switch_options(command, options);
  add_team_options(command, options);
  command
      .add_option(
          "--file", options.file,
          "JSON file with a ChangeBatch (changes.proto); the other options are added to it. "
          "Graphs are edited this way only")
      ->type_name("FILE");
}

v1::ChangeBatch to_batch(const ChangeOptions& options) {
  v1::ChangeBatch batch;
  if (!options.file.empty()) batch = parse_batch("--file", read_given_file("--file", options.file));
  if (auto obstacle = to_obstacle(options)) *batch.add_upsert_obstacles() = std::move(*obstacle);
  for (const std::string& door : options.doors)
    *batch.add_switch_obstacles() = parse_door("--door", door);
  for (const std::uint64_t id : options.removed) batch.add_remove_obstacles(id);
  for (const std::string& link : options.links) {
    const v1::ObstacleSwitch door = parse_door("--link", link);
    v1::LinkSwitch* made = batch.add_switch_links();
    made->set_id(door.id());
    made->set_enabled(!door.enabled());  // an open door lets pass, and so does an open link
  }
  for (const std::string& edit : options.terrain)
    *batch.add_terrain_edits() = parse_terrain("--terrain", edit);
  for (const std::string& step : options.decays)
    *batch.add_decay_influence() = parse_decay("--decay", step);
  for (const std::string& edit : options.influence)
    *batch.add_influence_edits() = parse_influence("--influence", edit);
  for (const std::string& part : options.hidden)
    *batch.add_fog_edits() = parse_fog("--hide", part, true);
  for (const std::string& part : options.revealed)
    *batch.add_fog_edits() = parse_fog("--reveal", part, false);
  for (const std::string& body : options.bodies) *batch.add_stand() = parse_body("--stand", body);
  for (const std::uint64_t id : options.walking) batch.add_walk_on(id);
  if (batch.ByteSizeLong() == 0) {
    throw CLI::ValidationError(
        "changes",
        "nothing to change: give --file, --id with a shape, --door, --remove, --link, "
        "--terrain, --influence, --decay, --hide, --reveal, --stand or --walk-on");
  }
  return batch;
}

}  // namespace repath::cli

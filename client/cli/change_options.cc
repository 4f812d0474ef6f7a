#include "cli/change_options.h"

#include "cli/parse.h"

namespace repath::cli {
namespace {

// The obstacle that the flags describe, if they describe one.
std::optional<v1::Obstacle> to_obstacle(const ChangeOptions& options) {
  v1::Obstacle obstacle;
  int shapes = 0;
  if (!options.block.empty() && ++shapes > 0)
    *obstacle.mutable_cells() = parse_rect("--block", options.block);
  if (!options.box.empty() && ++shapes > 0)
    *obstacle.mutable_box() = parse_box("--box", options.box);
  if (!options.circle.empty() && ++shapes > 0)
    *obstacle.mutable_cylinder() = parse_circle("--circle", options.circle);
  if (!options.polygon.empty() && ++shapes > 0)
    *obstacle.mutable_polygon() = parse_polygon("--polygon", options.polygon);
  if (shapes > 1)
    throw CLI::ValidationError("--id", "give one of --block, --box, --circle and --polygon");
  if (shapes == 0) {
    if (!options.id.has_value() && !options.cost.has_value() && options.teams.empty() &&
        !options.open)
      return std::nullopt;
    throw CLI::ValidationError("--id", "an obstacle needs --block, --box, --circle or --polygon");
  }
  if (!options.id.has_value())
    throw CLI::ValidationError("--id", "the obstacle needs an id of your choice");
  obstacle.set_id(*options.id);
  if (options.cost.has_value() && options.area.has_value())
    throw CLI::ValidationError("--area", "give one of --cost and --area");
  if (options.cost.has_value()) {
    obstacle.set_cost_factor(*options.cost);
  } else if (options.area.has_value()) {
    obstacle.set_area(*options.area);
  } else {
    obstacle.set_blocked(true);
  }
  for (const std::uint32_t team : options.teams) {
    if (team > 31) throw CLI::ValidationError("--team", "expected 0 to 31");
    obstacle.set_team_mask(obstacle.team_mask() | 1u << team);
  }
  obstacle.set_disabled(options.open);
  if (options.bottom) obstacle.set_bottom(*options.bottom);
  if (options.top) obstacle.set_top(*options.top);
  return obstacle;
}

}  // namespace

void add_change_options(CLI::App& command, ChangeOptions& options) {
  command.add_option("--file", options.file, "A ChangeBatch of world.proto as JSON");
  command.add_option("--id", options.id, "The obstacle's id; an obstacle of that id is replaced");
  command.add_option("--block", options.block, "Its cells X0,Y0,X1,Y1 (the last two are outside)")
      ->type_name("RECT");
  command.add_option("--box", options.box, "Its box X,Z,HALF_X,HALF_Z[,YAW] in world units")
      ->type_name("BOX");
  command.add_option("--circle", options.circle, "Its circle X,Z,RADIUS in world units")
      ->type_name("CIRCLE");
  command.add_option("--polygon", options.polygon, "Its corners X,Z,X,Z,X,Z,... in world units")
      ->type_name("CORNERS");
  command.add_option("--cost", options.cost,
                     "It slows by this factor in [1, 1000] instead of blocking");
  command.add_option("--area", options.area,
                     "On meshes: its ground becomes of this area type, 0 to 63");
  command.add_option("--team", options.teams, "It concerns this team only (0 to 31; repeatable)")
      ->allow_extra_args(false);
  command.add_option("--bottom", options.bottom, "On meshes: it reaches down to this height");
  command.add_option("--top", options.top, "On meshes: and up to this one");
  command.add_option("--link", options.links, "On meshes: ID=open or ID=shut (repeatable)")
      ->allow_extra_args(false);
  command.add_flag("--open", options.open, "It is a door that stands open at first");
  command.add_option("--door", options.doors, "ID=open or ID=shut (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--remove", options.removed, "Id of an obstacle to take away (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--terrain", options.terrain, "X0,Y0,X1,Y1=CLASS (repeatable)")
      ->allow_extra_args(false);
  command
      .add_option("--influence", options.influence,
                  "TEAM,LAYER:X0,Y0,X1,Y1=LEVEL or TEAM,LAYER:X,Z,RADIUS=LEVEL: a cell costs the "
                  "team 1 + LEVEL/64 times as much; =+LEVEL and =-LEVEL add (repeatable)")
      ->type_name("EDIT")
      ->allow_extra_args(false);
  command
      .add_option("--decay", options.decays,
                  "TEAM,LAYER=PERMILLE: keep so much of each level of the layer (repeatable)")
      ->type_name("STEP")
      ->allow_extra_args(false);
  command
      .add_option("--hide", options.hidden,
                  "TEAM:X0,Y0,X1,Y1 or TEAM:X,Z,RADIUS: the team knows nothing of these cells, "
                  "which count as free for it (repeatable; before what --reveal shows)")
      ->type_name("PART")
      ->allow_extra_args(false);
  command
      .add_option("--stand", options.bodies,
                  "AGENT:X0,Y0,X1,Y1 or AGENT:X,Z,RADIUS: where the agent stands in the way of all "
                  "others (repeatable)")
      ->type_name("BODY")
      ->allow_extra_args(false);
  command.add_option("--walk-on", options.walking, "The agent stands no longer (repeatable)")
      ->type_name("AGENT")
      ->allow_extra_args(false);
  command.add_option("--reveal", options.revealed, "The same: the team has seen these cells")
      ->type_name("PART")
      ->allow_extra_args(false);
}

v1::ChangeBatch to_batch(const ChangeOptions& options) {
  v1::ChangeBatch batch;
  if (!options.file.empty()) batch = parse_batch("--file", read_file("--file", options.file));
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
        "nothing to change: give --file, --id with a shape, --door, --remove, --terrain, "
        "--influence, --decay, --hide, --reveal, --stand or --walk-on");
  }
  return batch;
}

}  // namespace repath::cli

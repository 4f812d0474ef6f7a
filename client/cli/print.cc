#include "cli/print.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>

#include "cli/visible_text.h"

namespace repath::cli {
namespace {

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

bool has_path(const v1::Path& path) { return path.cells_size() > 0 || path.positions_size() > 0; }

// Events have cost 0 if there is no path or it is broken.
Json cost_or_null(double cost, bool is_path) { return cost > 0 || is_path ? Json(cost) : Json(); }

Json flag_names(std::uint32_t flags) {
  Json names = Json::array();
  if ((flags & v1::WAYPOINT_FLAG_START) != 0) names.push_back("START");
  if ((flags & v1::WAYPOINT_FLAG_END) != 0) names.push_back("END");
  if ((flags & v1::WAYPOINT_FLAG_LINK) != 0) names.push_back("LINK");
  return names;
}

Json waypoints_of(const v1::Path& path) {
  Json waypoints = Json::array();
  for (int i = 0; 3 * i + 2 < path.positions_size(); ++i) {
    Json waypoint = {
        {"position",
         {path.positions(3 * i), path.positions(3 * i + 1), path.positions(3 * i + 2)}}};
    if (2 * i + 1 < path.cells_size())
      waypoint["cell"] = {path.cells(2 * i), path.cells(2 * i + 1)};
    if (i < path.areas_size()) waypoint["area"] = path.areas(i);
    if (i < path.nodes_size()) waypoint["node"] = path.nodes(i);
    if (i < path.flags_size()) waypoint["flags"] = flag_names(path.flags(i));
    if (i < path.links_size() && (path.flags(i) & v1::WAYPOINT_FLAG_LINK) != 0)
      waypoint["link"] = path.links(i);
    if (i < path.edge_keys_size()) waypoint["edge_key"] = path.edge_keys(i);
    waypoints.push_back(std::move(waypoint));
  }
  return waypoints;
}

std::string joined(const google::protobuf::RepeatedField<std::uint64_t>& values) {
  std::string text;
  for (const std::uint64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

}  // namespace

std::string name_of(v1::PathStatus status) {
  return short_name(v1::PathStatus_Name(status), "PATH_STATUS_");
}
std::string name_of(v1::Optimality optimality) {
  return short_name(v1::Optimality_Name(optimality), "OPTIMALITY_");
}
std::string name_of(v1::EventType type) {
  return short_name(v1::EventType_Name(type), "EVENT_TYPE_");
}
std::string name_of(v1::EventReason reason) {
  return short_name(v1::EventReason_Name(reason), "EVENT_REASON_");
}

std::string name_of(v1::WorldState state) {
  // Older servers leave the state out.
  if (state == v1::WORLD_STATE_UNSPECIFIED) state = v1::WORLD_STATE_SERVING;
  return short_name(v1::WorldState_Name(state), "WORLD_STATE_");
}

std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

std::string counted(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string fixed2(double value) { return formatted("%.2f", value); }

std::string bytes(std::uint64_t count) {
  const auto value = static_cast<double>(count);
  if (value >= 1e9) return formatted("%.1f GB", value / 1e9);
  if (value >= 1e6) return formatted("%.1f MB", value / 1e6);
  if (value >= 1e3) return formatted("%.1f kB", value / 1e3);
  return std::to_string(count) + " B";
}

std::string text_of(const v1::Cell& cell) {
  return std::to_string(cell.x()) + "," + std::to_string(cell.y());
}

std::string text_of(const v1::Vec3& at) {
  // Adding 0 makes -0 the only zero there is.
  return formatted("%g", at.x() + 0.0) + "," + formatted("%g", at.y() + 0.0) + "," +
         formatted("%g", at.z() + 0.0);
}

v1::Vec3 point_of(const google::protobuf::RepeatedField<double>& list, int i) {
  v1::Vec3 at;
  at.set_x(list[3 * i]);
  at.set_y(list[3 * i + 1]);
  at.set_z(list[3 * i + 2]);
  return at;
}

std::string text_of(const v1::Location& location) {
  if (location.has_cell()) return text_of(location.cell());
  return text_of(location.position());
}

bool holds_path(const v1::AgentState& state) {
  const v1::PathStatus status = state.verdict().path().status();
  return state.cost() > 0 || status == v1::PATH_STATUS_COMPLETE ||
         status == v1::PATH_STATUS_PARTIAL;
}

std::string place_of(const v1::AgentState& state) {
  return state.has_cell() ? text_of(state.cell()) : text_of(state.agent().position());
}

Json json_of(const v1::Cell& cell) { return {cell.x(), cell.y()}; }
Json json_of(const v1::Vec3& at) { return {at.x(), at.y(), at.z()}; }

Json json_of(const v1::Location& location) {
  if (location.has_cell()) return {{"cell", json_of(location.cell())}};
  return {{"position", json_of(location.position())}};
}

Json json_of(const v1::World& world) {
  Json profiles = Json::array();
  for (const auto& profile : world.profiles()) profiles.push_back(profile.name());
  Json terrain = Json::array();
  for (const auto& terrain_class : world.terrain_classes()) {
    terrain.push_back(
        {{"name", terrain_class.name()},
         {"symbol", terrain_class.symbol()},
         {"factor", terrain_class.forbidden() ? Json() : Json(terrain_class.factor())}});
  }
  Json bounds;  // null on grids
  if (world.has_bounds_min())
    bounds = {{"min", {world.bounds_min().x(), world.bounds_min().z()}},
              {"max", {world.bounds_max().x(), world.bounds_max().z()}}};
  return {{"name", world.name()},
          {"kind", world.kind()},
          {"revision", world.revision()},
          {"width", world.width()},
          {"height", world.height()},
          {"cell_size", world.cell_size()},
          {"bounds", bounds},
          {"agents", world.agents()},
          {"obstacles", world.obstacles()},
          {"state_hash", hex(world.state_hash())},
          {"epoch", world.epoch()},
          {"oldest_revision", world.oldest_revision()},
          {"durable_revision", world.durable_revision()},
          {"incarnation", world.incarnation()},
          {"memory_bytes", world.memory_bytes()},
          {"base_radius", world.base_radius()},
          {"lockstep", world.options().lockstep()},
          {"frame_rate_hz", world.options().frame_rate_hz()},
          {"frame_budget_work_units", world.options().frame_budget_work_units()},
          {"frame_budget_us", world.options().frame_budget_us()},
          {"strategy", short_name(v1::Strategy_Name(world.options().strategy()), "STRATEGY_")},
          {"profiles", profiles},
          {"terrain", terrain},
          {"state", name_of(world.state())},
          {"quarantine_reason", world.quarantine_reason()}};
}

Json json_of(const v1::Path& path) {
  Json row = {{"status", name_of(path.status())},
              {"cost", has_path(path) ? Json(path.cost()) : Json()},
              {"waypoints", waypoints_of(path)},
              {"revision", path.revision()},
              {"optimality", name_of(path.optimality())}};
  if (path.bound() > 0) row["bound"] = path.bound();
  if (path.path_version() > 0) row["path_version"] = path.path_version();
  if (has_path(path)) row["digest"] = hex(path.digest());
  if (path.waypoints_left_out() > 0) row["waypoints_left_out"] = path.waypoints_left_out();
  if (path.turn_too_tight()) row["turn_too_tight"] = true;
  if (path.line_size() > 0) row["line"] = path.line();
  return row;
}

Json json_of(const v1::PathEvent& event) {
  Json row = {{"type", name_of(event.type())},
              {"agent", event.agent_id()},
              {"revision", event.revision()},
              {"cell", event.has_cell() ? json_of(event.cell()) : Json()},
              {"position", event.has_position() ? json_of(event.position()) : Json()},
              {"path_version", event.path_version()},
              {"old_cost", cost_or_null(event.old_cost(), false)},
              {"cost", cost_or_null(event.cost(), has_path(event.path()))},
              {"waited_frames", event.waited_frames()},
              {"waited_us", event.waited_us()}};
  if (event.reason() != v1::EVENT_REASON_UNSPECIFIED) row["reason"] = name_of(event.reason());
  if (event.has_first_invalid_waypoint())
    row["first_invalid_waypoint"] = event.first_invalid_waypoint();
  if (event.cause_revisions_size() > 0) {
    row["cause_revisions"] =
        std::vector<std::uint64_t>(event.cause_revisions().begin(), event.cause_revisions().end());
  }
  if (event.cause_obstacles_size() > 0) {
    row["cause_obstacles"] =
        std::vector<std::uint64_t>(event.cause_obstacles().begin(), event.cause_obstacles().end());
  }
  if (event.coalesced() > 0) row["coalesced"] = event.coalesced();
  if (event.goal_generation() > 0) row["goal_generation"] = event.goal_generation();
  if (event.path().status() != v1::PATH_STATUS_UNSPECIFIED) row["path"] = json_of(event.path());
  return row;
}

Json json_of(const v1::AgentState& state, bool with_path) {
  const v1::Agent& agent = state.agent();
  Json goals = Json::array();
  for (const auto& goal : agent.goals()) goals.push_back(json_of(goal));
  Json row = {{"id", agent.id()},
              {"profile", agent.profile()},
              {"team", agent.team()},
              {"cell", state.has_cell() ? json_of(state.cell()) : Json()},
              {"position", json_of(agent.position().position())},
              {"goals", goals},
              {"verdict", name_of(state.verdict().type())},
              {"status", name_of(state.verdict().path().status())},
              {"cost", holds_path(state) ? Json(state.cost()) : Json()},
              {"path_version", state.verdict().path_version()},
              {"revision", state.verdict().revision()},
              {"waiting", state.waiting()},
              {"settled_revision", state.settled_revision()},
              {"position_age_ms", state.position_age_ms()}};
  if (state.waiting()) row["waiting_since"] = state.waiting_since();
  if (with_path) row["path"] = json_of(state.verdict().path());
  return row;
}

Json json_of(const v1::Change& change) {
  return {{"revision", change.revision()},
          {"state_hash", hex(change.state_hash())},
          {"game_tick", change.game_tick()},
          {"applied_at_us", change.applied_at_us()},
          {"request_id", change.request_id()},
          {"upserted", change.batch().upsert_obstacles_size()},
          {"removed", change.batch().remove_obstacles_size()},
          {"switched", change.batch().switch_obstacles_size()},
          {"terrain_edits", change.batch().terrain_edits_size()},
          {"profiles", change.batch().add_profiles_size()},
          {"influence_decays", change.batch().decay_influence_size()},
          {"influence_edits", change.batch().influence_edits_size()},
          {"fog_edits", change.batch().fog_edits_size()},
          {"standing", change.batch().stand_size()},
          {"walking_on", change.batch().walk_on_size()},
          {"links_switched", change.batch().switch_links_size()},
          {"graph_edits", change.batch().graph_edits_size()}};
}

std::string time_text(std::uint64_t micros) {
  constexpr std::uint64_t kMicros = 1'000'000;
  const auto seconds = static_cast<std::time_t>(micros / kMicros);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t n = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  char milli[8];
  std::snprintf(milli, sizeof milli, ".%03u", static_cast<unsigned>(micros % kMicros / 1000));
  return std::string(text, n) + milli;
}

std::string line_of(const v1::PathEvent& event) {
  std::string line = "revision " + std::to_string(event.revision()) + "  agent " +
                     std::to_string(event.agent_id()) + "  " + name_of(event.type());
  if (event.reason() != v1::EVENT_REASON_UNSPECIFIED) line += " (" + name_of(event.reason()) + ")";
  if (event.has_cell()) {
    line += "  at " + text_of(event.cell());
  } else if (event.has_position()) {
    line += "  at " + text_of(event.position());
  }
  switch (event.type()) {
    case v1::EVENT_TYPE_INVALIDATED:
      line += "  broken before waypoint " + std::to_string(event.first_invalid_waypoint());
      break;
    case v1::EVENT_TYPE_IMPROVED:
    case v1::EVENT_TYPE_COST_CHANGED:
    case v1::EVENT_TYPE_REPLANNED:
      line += "  length " + (event.old_cost() > 0 ? fixed2(event.old_cost()) : "-") + " -> " +
              fixed2(event.cost());
      break;
    case v1::EVENT_TYPE_NEW_PATH:
    case v1::EVENT_TYPE_PARTIAL:
    case v1::EVENT_TYPE_CONFIRMED:
      line += "  length " + fixed2(event.cost());
      break;
    case v1::EVENT_TYPE_UNREACHABLE:
      line += "  " + name_of(event.path().status());
      break;
    default:
      break;
  }
  if (event.cause_obstacles_size() > 0) line += "  obstacle " + joined(event.cause_obstacles());
  if (event.coalesced() > 0) {
    line += "  replaces " + counted(event.coalesced(), "earlier event");
  }
  if (event.waited_us() > 0) {
    line += "  after " + formatted("%.1f ms", static_cast<double>(event.waited_us()) / 1e3);
  }
  return line;
}

std::string line_of(const v1::Change& change) {
  const v1::ChangeBatch& batch = change.batch();
  std::string line = "revision " + std::to_string(change.revision());
  for (const auto& obstacle : batch.upsert_obstacles())
    line += "  obstacle " + std::to_string(obstacle.id());
  for (const std::uint64_t id : batch.remove_obstacles()) line += "  removed " + std::to_string(id);
  for (const auto& door : batch.switch_obstacles()) {
    line += "  door " + std::to_string(door.id()) + (door.enabled() ? " shut" : " open");
  }
  for (const auto& edit : batch.terrain_edits()) line += "  terrain " + edit.terrain_class();
  for (const auto& profile : batch.add_profiles()) line += "  profile " + profile.name();
  for (const auto& step : batch.decay_influence())
    line += "  team " + std::to_string(step.team()) + " layer " + std::to_string(step.layer()) +
            " decays to " + std::to_string(step.keep_permille()) + "/1000";
  for (const auto& edit : batch.influence_edits())
    line += "  team " + std::to_string(edit.team()) + " layer " + std::to_string(edit.layer());
  for (const auto& edit : batch.fog_edits())
    line += "  team " + std::to_string(edit.team()) + (edit.hidden() ? " forgets" : " sees");
  for (const auto& body : batch.stand())
    line += "  agent " + std::to_string(body.agent_id()) + " stands";
  for (const std::uint64_t id : batch.walk_on())
    line += "  agent " + std::to_string(id) + " walks on";
  for (const auto& link : batch.switch_links())
    line += "  link " + std::to_string(link.id()) + (link.enabled() ? " open" : " shut");
  if (batch.graph_edits_size() > 0)
    line += "  graph edits " + std::to_string(batch.graph_edits_size());
  constexpr std::size_t kLongest = 160;
  if (line.size() > kLongest) line = line.substr(0, kLongest) + " ...";
  return visible(line) + "  hash " + hex(change.state_hash());
}

namespace {

// Returns the waypoint's cell, node or position as text.
std::string waypoint_text(const v1::Path& path, int i, bool by_position) {
  std::string text;
  if (2 * i + 1 < path.cells_size() && !by_position) {
    text = std::to_string(path.cells(2 * i)) + "," + std::to_string(path.cells(2 * i + 1));
  } else if (i < path.nodes_size()) {
    text = std::to_string(path.nodes(i));
  } else {
    text = text_of(point_of(path.positions(), i));
  }
  const bool is_link = i < path.links_size() && (path.flags(i) & v1::WAYPOINT_FLAG_LINK) != 0;
  if (i < path.edge_keys_size() && path.edge_keys(i) != 0)
    return text + " =edge " + std::to_string(path.edge_keys(i)) + "=>";
  return is_link ? text + " =link " + std::to_string(path.links(i)) + "=>" : text;
}

}  // namespace

std::string text_of(const v1::Path& path, bool by_position) {
  std::string text = name_of(path.status());
  if (!has_path(path)) return text + " at revision " + std::to_string(path.revision());
  text += ", length " + fixed2(path.cost()) + ", " + name_of(path.optimality());
  if (path.bound() > 0) text += " " + formatted("%g", path.bound());
  text += " at revision " + std::to_string(path.revision());
  text += path.turn_too_tight() ? ", a turn is too tight\n " : "\n ";
  if (path.nodes_size() > 0) text += " nodes";
  for (int i = 0; 3 * i + 2 < path.positions_size(); ++i)
    text += " " + waypoint_text(path, i, by_position);
  if (path.waypoints_left_out() > 0)
    text += " and " + std::to_string(path.waypoints_left_out()) + " more";
  return text;
}

void print_table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = visible(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    std::cout << line << '\n';
  }
  std::cout.flush();
}

Json json_of_message(const google::protobuf::Message& message) {
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(message, &text).ok()) return nullptr;
  return Json::parse(text);
}

}  // namespace repath::cli

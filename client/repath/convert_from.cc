#include <algorithm>

#include "repath/internal/convert.h"

namespace repath::client {
namespace {

Cell from_proto(const v1::Cell& from) { return {from.x(), from.y()}; }

}  // namespace

Path from_proto(const v1::Path& from) {
  Path path;
  path.status = static_cast<PathStatus>(from.status());
  path.cost = from.cost();
  const int waypoints = from.positions_size() / 3;
  path.waypoints.reserve(static_cast<std::size_t>(waypoints));
  for (int i = 0; i < waypoints; ++i) {
    Waypoint& waypoint = path.waypoints.emplace_back();
    waypoint.position = {from.positions(3 * i), from.positions(3 * i + 1),
                         from.positions(3 * i + 2)};
    if (2 * i + 1 < from.cells_size()) waypoint.cell = {from.cells(2 * i), from.cells(2 * i + 1)};
    if (i < from.areas_size()) waypoint.area = from.areas(i);
    if (i < from.nodes_size()) waypoint.node = from.nodes(i);
    if (i < from.links_size()) waypoint.link = from.links(i);
    if (i < from.edge_keys_size()) waypoint.edge_key = from.edge_keys(i);
    waypoint.is_link = i < from.flags_size() && (from.flags(i) & v1::WAYPOINT_FLAG_LINK) != 0;
  }
  path.revision = from.revision();
  path.optimality = static_cast<Optimality>(from.optimality());
  path.bound = from.bound();
  path.version = from.path_version();
  path.digest = from.digest();
  path.waypoints_left_out = from.waypoints_left_out();
  path.turn_too_tight = from.turn_too_tight();
  for (int i = 0; 3 * i + 2 < from.line_size(); ++i)
    path.line.push_back({from.line(3 * i), from.line(3 * i + 1), from.line(3 * i + 2)});
  return path;
}

Path from_proto(const v1::FindPathResponse& from) {
  Path path = from_proto(from.path());
  path.turns = from.turns();
  path.turn_cost = from.turn_cost();
  return path;
}

PathEvent from_proto(const v1::PathEvent& from) {
  PathEvent event;
  event.type = static_cast<EventType>(from.type());
  event.agent_id = from.agent_id();
  event.revision = from.revision();
  event.cell = from_proto(from.cell());
  event.position = from_proto(from.position());
  event.path = from_proto(from.path());
  event.path_version = from.path_version();
  event.cause_revisions.assign(from.cause_revisions().begin(), from.cause_revisions().end());
  event.cause_obstacles.assign(from.cause_obstacles().begin(), from.cause_obstacles().end());
  if (from.has_first_invalid_waypoint())
    event.first_invalid_waypoint = from.first_invalid_waypoint();
  event.old_cost = from.old_cost();
  event.cost = from.cost();
  event.waited_frames = from.waited_frames();
  event.waited_us = from.waited_us();
  event.reason = static_cast<EventReason>(from.reason());
  event.coalesced = from.coalesced();
  event.goal_generation = from.goal_generation();
  return event;
}

BatchInfo from_proto(const v1::EventBatch& from) {
  BatchInfo info;
  info.batch_number = from.batch_number();
  info.revision = from.revision();
  info.settled_revision = from.settled_revision();
  info.coalesced = from.coalesced();
  info.waiting = from.waiting();
  info.late = from.late();
  info.frame = from.frame();
  info.events = static_cast<std::size_t>(from.events_size());
  info.durable_revision = from.durable_revision();
  info.incarnation = from.incarnation();
  return info;
}

World from_proto(const v1::World& from) {
  World world;
  world.name = from.name();
  world.kind = from.kind();
  world.revision = from.revision();
  world.state_hash = from.state_hash();
  world.width = from.width();
  world.height = from.height();
  world.cell_size = from.cell_size();
  world.epoch = from.epoch();
  world.options.frame_rate_hz = from.options().frame_rate_hz();
  world.options.lockstep = from.options().lockstep();
  world.options.frame_budget_work_units = from.options().frame_budget_work_units();
  world.options.frame_budget_us = from.options().frame_budget_us();
  world.options.strategy = static_cast<Strategy>(from.options().strategy());
  world.options.history_revisions = from.options().history_revisions();
  world.options.memory_limit_mb = from.options().memory_limit_mb();
  world.options.first_leg_cells = from.options().first_leg_cells();
  world.obstacles = from.obstacles();
  world.agents = from.agents();
  world.memory_bytes = from.memory_bytes();
  world.base_radius = from.base_radius();
  world.durable_revision = from.durable_revision();
  world.incarnation = from.incarnation();
  return world;
}

Applied from_proto(const v1::ApplyChangesResponse& from) {
  return {from.revision(),         from.state_hash(),         from.repeated_request(),
          from.changed_edges(),    from.invalidated_agents(), from.waiting_agents(),
          from.durable_revision(), from.incarnation()};
}

Tested from_proto(const v1::TestChangesResponse& from) {
  Tested tested;
  tested.revision = from.revision();
  for (const auto& pair : from.pairs()) {
    tested.pairs.push_back({pair.connected_before(), pair.connected_after()});
  }
  tested.affected_agents.assign(from.affected_agents().begin(), from.affected_agents().end());
  tested.cut_off_agents.assign(from.cut_off_agents().begin(), from.cut_off_agents().end());
  tested.truncated = from.truncated();
  for (const auto& led : from.new_paths())
    tested.new_paths.push_back({led.agent_id(), from_proto(led.path())});
  return tested;
}

Ticked from_proto(const v1::TickResponse& from) {
  Ticked ticked;
  ticked.revision = from.revision();
  ticked.settled_revision = from.settled_revision();
  ticked.last_batch_number = from.last_batch_number();
  ticked.backlog = from.backlog();
  ticked.late = from.late();
  ticked.used_work_units = from.used_work_units();
  ticked.frame = from.frame();
  ticked.state_hash = from.state_hash();
  ticked.game_tick = from.game_tick();
  return ticked;
}

Nearest from_proto(const v1::FindNearestResponse& from) {
  return {static_cast<PathStatus>(from.status()),
          from.goal_index(),
          from_proto(from.cell()),
          from_proto(from.position()),
          from.distance(),
          from_proto(from.path()),
          from.revision()};
}

namespace {

Vec3 spot_at(const google::protobuf::RepeatedField<double>& list, int i) {
  return {list.Get(3 * i), list.Get(3 * i + 1), list.Get(3 * i + 2)};
}

// Fills in node, area and corners of a piece. `corner` runs through the corners of all pieces.
template <class Response, class Piece>
void fill_piece(const Response& from, int i, int* corner, Piece* piece) {
  if (i < from.nodes_size()) piece->node = from.nodes(i);
  if (i < from.areas_size()) piece->area = from.areas(i);
  if (i < from.edge_keys_size()) piece->edge_key = from.edge_keys(i);
  const int corners = i < from.corner_counts_size() ? static_cast<int>(from.corner_counts(i)) : 0;
  for (int k = 0; k < corners && *corner < from.corners_size() / 3; ++k)
    piece->corners.push_back(spot_at(from.corners(), (*corner)++));
}

// Fields stay unset where the server's lists are shorter.
std::vector<ReachablePiece> pieces_of(const v1::FindReachableResponse& from) {
  const int count = std::min({from.positions_size() / 3, from.costs_size(), from.previous_size()});
  std::vector<ReachablePiece> pieces;
  pieces.reserve(static_cast<std::size_t>(count));
  int corner = 0;
  for (int i = 0; i < count; ++i) {
    ReachablePiece piece;
    piece.position = spot_at(from.positions(), i);
    piece.cost = from.costs(i);
    piece.previous = from.previous(i);
    fill_piece(from, i, &corner, &piece);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<FlowPiece> pieces_of(const v1::GetFlowFieldResponse& from) {
  const int count = std::min({from.positions_size() / 3, from.costs_size(), from.next_size()});
  std::vector<FlowPiece> pieces;
  pieces.reserve(static_cast<std::size_t>(count));
  int corner = 0;
  for (int i = 0; i < count; ++i) {
    FlowPiece piece;
    piece.position = spot_at(from.positions(), i);
    piece.cost = from.costs(i);
    piece.next = from.next(i);
    if (2 * i + 1 < from.toward_size()) {
      piece.toward_x = from.toward(2 * i);
      piece.toward_z = from.toward(2 * i + 1);
    }
    if (i < from.links_size()) piece.link = from.links(i);
    fill_piece(from, i, &corner, &piece);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

Reachable from_proto(const v1::FindReachableResponse& from) {
  Reachable reachable;
  reachable.status = static_cast<PathStatus>(from.status());
  reachable.truncated = from.truncated();
  reachable.revision = from.revision();
  const int cells = std::min({from.cells_size() / 2, from.costs_size(), from.previous_size()});
  reachable.cells.reserve(static_cast<std::size_t>(cells));
  for (int i = 0; i < cells; ++i) {
    reachable.cells.push_back(
        {{from.cells(2 * i), from.cells(2 * i + 1)}, from.costs(i), from.previous(i)});
  }
  reachable.optimality = static_cast<Optimality>(from.optimality());
  reachable.pieces = pieces_of(from);
  return reachable;
}

Away from_proto(const v1::FindAwayResponse& from) {
  return {static_cast<PathStatus>(from.status()),
          from_proto(from.cell()),
          from_proto(from.position()),
          from.distance(),
          from_proto(from.path()),
          from.revision()};
}

FlowField from_proto(const v1::GetFlowFieldResponse& from) {
  FlowField field;
  field.status = static_cast<PathStatus>(from.status());
  field.area = {from.area().x0(), from.area().y0(), from.area().x1(), from.area().y1()};
  field.directions.assign(from.directions().begin(), from.directions().end());
  if (from.has_area()) field.costs.assign(from.costs().begin(), from.costs().end());
  field.revision = from.revision();
  field.pieces = pieces_of(from);
  field.optimality = static_cast<Optimality>(from.optimality());
  if (from.has_next_piece()) field.next_piece = from.next_piece();
  return field;
}

Placements from_proto(const v1::FindPlacementsResponse& from) {
  Placements placements;
  placements.area = {from.area().x0(), from.area().y0(), from.area().x1(), from.area().y1()};
  for (const char number : from.placements())
    placements.placements.push_back(static_cast<Placement>(number));
  placements.revision = from.revision();
  return placements;
}

RaycastHit from_proto(const v1::RaycastResponse& from) {
  return {from.hit(), from_proto(from.position()), from.distance(), from.revision()};
}

RandomPlace from_proto(const v1::FindRandomPointResponse& from) {
  RandomPlace place;
  place.status = static_cast<PathStatus>(from.status());
  place.position = {from.position().x(), from.position().y(), from.position().z()};
  place.cell = {from.cell().x(), from.cell().y()};
  place.node = from.node();
  place.revision = from.revision();
  return place;
}

PathCheck from_proto(const v1::CheckPathResponse& from) {
  return {from.valid(),           from.first_invalid_waypoint(), from.cost(),
          from.optimal(),         from.optimal_cost(),           from.revision(),
          from.optimal_is_known()};
}

}  // namespace repath::client

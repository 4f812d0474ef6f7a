#include "rpc/event_bytes.h"

#include <grpcpp/support/slice.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>

#include "absl/container/inlined_vector.h"
#include "base/hash.h"
#include "repath/v1/agent.pb.h"
#include "rpc/wire.h"

namespace repath {
namespace {

// ---- paths ----

// The parts of a path through cells that are written.
struct CellPath {
  struct Waypoint {
    std::int32_t x;
    std::int32_t y;
  };
  std::uint64_t digest = 0;
  std::uint64_t left_out = 0;
  absl::InlinedVector<Waypoint, 16> waypoints;  // most paths have fewer turns
  std::span<const RoutePoint> line;             // of a driven path, cells

  CellPath(std::span<const NodeId> nodes, std::span<const RoutePoint> driven, const MapUnits& map)
      : digest(digest_of(nodes)) {
    for_each_waypoint(nodes, [&](std::uint32_t place) {
      if (waypoints.size() < kPathWaypointsMax) {
        waypoints.push_back({map.x_of(nodes[place]), map.y_of(nodes[place])});
      } else {
        ++left_out;
      }
    });
    line = driven.first(fitting_line(driven.size(), waypoints.size()));
  }

  template <class Out>
  void write(const MapUnits& map, Out& out) const {
    using Path = v1::Path;
    out.reals(Path::kPositionsFieldNumber, 3 * waypoints.size(), [&](std::size_t i) {
      const Waypoint& at = waypoints[i / 3];
      return i % 3 == 1 ? 0 : ((i % 3 == 0 ? at.x : at.y) + 0.5) * map.cell_size;
    });
    out.numbers(Path::kCellsFieldNumber, 2 * waypoints.size(), [&](std::size_t i) {
      return static_cast<std::uint64_t>(i % 2 == 0 ? waypoints[i / 2].x : waypoints[i / 2].y);
    });
    out.fixed(Path::kDigestFieldNumber, digest);
    out.number(Path::kWaypointsLeftOutFieldNumber, left_out);
    out.reals(Path::kLineFieldNumber, 3 * line.size(), [&](std::size_t i) {
      const Spot& at = line[i / 3].at;
      return i % 3 == 1 ? 0 : (i % 3 == 0 ? at.x : at.z) * map.cell_size;
    });
  }
};

// The parts of a path on a mesh or graph that are written.
struct RoutePath {
  std::span<const RoutePoint> points;
  std::uint64_t digest = 0;
  std::uint64_t left_out = 0;
  bool has_nodes = false;
  bool has_links = false;
  bool has_keys = false;

  explicit RoutePath(std::span<const RoutePoint> all) : points(all), digest(digest_of(all)) {
    has_nodes = std::ranges::any_of(all, [](const auto& p) { return p.node != 0; });
    has_links = std::ranges::any_of(all, [](const auto& p) { return p.link.has_value(); });
    has_keys = std::ranges::any_of(all, [](const auto& p) { return p.key != 0; });
    points = all.first(fitting_points(all));
    left_out = all.size() - points.size();
  }

  template <class Out>
  void write(Out& out) const {
    using Path = v1::Path;
    const std::size_t count = points.size();
    out.reals(Path::kPositionsFieldNumber, 3 * count, [&](std::size_t i) {
      const Spot& at = points[i / 3].at;
      return i % 3 == 0 ? at.x : i % 3 == 1 ? at.y : at.z;
    });
    out.fixed(Path::kDigestFieldNumber, digest);
    out.number(Path::kWaypointsLeftOutFieldNumber, left_out);
    out.numbers(Path::kFlagsFieldNumber, count, [&](std::size_t i) {
      return waypoint_flags(points[i], i == 0, left_out == 0 && i + 1 == count);
    });
    out.numbers(Path::kAreasFieldNumber, count, [&](std::size_t i) { return points[i].area; });
    if (has_nodes)
      out.numbers(Path::kNodesFieldNumber, count, [&](std::size_t i) { return points[i].node; });
    if (has_links) {
      out.numbers(Path::kLinksFieldNumber, count,
                  [&](std::size_t i) { return points[i].link.value_or(0); });
    }
    if (has_keys)
      out.numbers(Path::kEdgeKeysFieldNumber, count, [&](std::size_t i) { return points[i].key; });
  }
};

template <class Out>
void write_claim(const AgentPath& path, const MapUnits& map, Out& out) {
  using Path = v1::Path;
  out.real(Path::kCostFieldNumber, map.world_cost(path.cost));
  out.number(Path::kOptimalityFieldNumber, to_message<v1::Optimality>(path.optimality));
  if (path.optimality == Optimality::kWithin)
    out.real(Path::kBoundFieldNumber, map.world_cost(path.allowance));
  if (path.optimality == Optimality::kBounded ||
      (path.optimality == Optimality::kStale && path.weight > 1))
    out.real(Path::kBoundFieldNumber, path.weight);
}

// ---- events ----

template <class Out>
void write_position(double x, double y, double z, Out& out) {
  out.message(v1::PathEvent::kPositionFieldNumber, [&](auto& point) {
    point.real(v1::Vec3::kXFieldNumber, x);
    point.real(v1::Vec3::kYFieldNumber, y);
    point.real(v1::Vec3::kZFieldNumber, z);
  });
}

template <class Out>
void write_place(const AgentEvent& event, const MapUnits& map, Out& out) {
  if (!map.has_cells) return write_position(event.spot.x, event.spot.y, event.spot.z, out);
  const std::int32_t x = map.x_of(event.position);
  const std::int32_t y = map.y_of(event.position);
  out.message(v1::PathEvent::kCellFieldNumber, [&](auto& cell) {
    cell.number(v1::Cell::kXFieldNumber, static_cast<std::uint64_t>(x));
    cell.number(v1::Cell::kYFieldNumber, static_cast<std::uint64_t>(y));
  });
  write_position((x + 0.5) * map.cell_size, 0, (y + 0.5) * map.cell_size, out);
}

// Writes everything but position, path and `coalesced`.
template <class Out>
void write_facts(const AgentEvent& event, const MapUnits& map, Out& out) {
  using Event = v1::PathEvent;
  const auto& revisions = event.cause_revisions;
  const auto& obstacles = event.cause_obstacles;
  out.number(Event::kTypeFieldNumber, to_message<v1::EventType>(event.type));
  out.number(Event::kAgentIdFieldNumber, value(event.agent));
  out.number(Event::kRevisionFieldNumber, value(event.revision));
  out.number(Event::kPathVersionFieldNumber, value(event.path_version));
  out.numbers(Event::kCauseRevisionsFieldNumber, revisions.size(),
              [&](std::size_t i) { return value(revisions[i]); });
  out.numbers(Event::kCauseObstaclesFieldNumber, obstacles.size(),
              [&](std::size_t i) { return value(obstacles[i]); });
  if (event.first_invalid_waypoint)
    out.number_even_if_zero(Event::kFirstInvalidWaypointFieldNumber, *event.first_invalid_waypoint);
  out.real(Event::kOldCostFieldNumber, map.cost_or_zero(event.old_cost));
  out.real(Event::kCostFieldNumber, map.cost_or_zero(event.cost));
  out.number(Event::kWaitedFramesFieldNumber, event.waited_frames);
  out.number(Event::kWaitedUsFieldNumber, event.waited_us);
  out.number(Event::kReasonFieldNumber, event.reason);  // as v1::EventReason
  out.number(Event::kGoalGenerationFieldNumber, event.goal_generation);
}

// ---- batches ----

template <class Out>
void write_batch(const EventBatch& batch, const MapUnits& map, const std::string& epoch, Out& out) {
  using Batch = v1::EventBatch;
  out.number(Batch::kBatchNumberFieldNumber, batch.number);
  out.number(Batch::kRevisionFieldNumber, value(batch.revision));
  out.number(Batch::kSettledRevisionFieldNumber, value(batch.settled));
  out.number(Batch::kAppliedSequenceFieldNumber, batch.applied_sequence);
  const auto write = [&map](const AgentEvent& event) { return event_bytes(event, map); };
  for (const OutgoingEvent& outgoing : batch.events) {
    out.message(Batch::kEventsFieldNumber, [&](auto& event) {
      const SharedEvent::Bytes& bytes = outgoing.event->bytes(write);
      event.bytes(bytes.data(), bytes.size());
      event.number(v1::PathEvent::kCoalescedFieldNumber, outgoing.coalesced);
    });
  }
  out.number(Batch::kCoalescedFieldNumber, batch.coalesced);
  out.number(Batch::kWaitingFieldNumber, batch.waiting);
  out.number(Batch::kLateFieldNumber, batch.late);
  out.number(Batch::kFrameFieldNumber, batch.frame);
  out.text(Batch::kEpochFieldNumber, epoch);
  out.number(Batch::kDurableRevisionFieldNumber, value(batch.durable.revision));
  out.number(Batch::kIncarnationFieldNumber, batch.durable.incarnation);
  if (batch.taken_sequence > batch.applied_sequence)
    out.number(Batch::kTakenSequenceFieldNumber, batch.taken_sequence);
}

// Returns the message in one slice, which gRPC takes without a copy.
template <class Body>
grpc::ByteBuffer buffer_of(Body body) {
  std::optional<grpc::Slice> slice;
  write_wire(body, [&](std::size_t size) {
    auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    std::uint8_t* const begin = bytes.release();
    slice.emplace(begin, size, [](void* p) { delete[] static_cast<std::uint8_t*>(p); });
    return begin;
  });
  return grpc::ByteBuffer(&*slice, 1);
}

}  // namespace

std::vector<std::uint8_t> event_bytes(const AgentEvent& event, const MapUnits& map) {
  std::optional<CellPath> cells;
  std::optional<RoutePath> route;
  if (event.path && map.has_cells && !event.path->nodes.empty())
    cells.emplace(event.path->nodes, event.path->points, map);
  if (event.path && !map.has_cells && !event.path->points.empty())
    route.emplace(event.path->points);
  return wire_bytes([&](auto& out) {
    write_facts(event, map, out);
    write_place(event, map, out);
    if (!event.path) return;
    out.message(v1::PathEvent::kPathFieldNumber, [&](auto& path) {
      path.number(v1::Path::kStatusFieldNumber, to_message<v1::PathStatus>(event.path->state));
      path.number(v1::Path::kRevisionFieldNumber, value(event.path->revision));
      path.number(v1::Path::kPathVersionFieldNumber, value(event.path->version));
      if (cells || route) write_claim(*event.path, map, path);
      path.number(v1::Path::kTurnTooTightFieldNumber, event.path->turn_too_tight ? 1 : 0);
      if (cells) cells->write(map, path);
      if (route) route->write(path);
    });
  });
}

grpc::ByteBuffer batch_buffer(const EventBatch& batch, const MapUnits& map,
                              const std::string& epoch) {
  return buffer_of([&](auto& out) { write_batch(batch, map, epoch, out); });
}

grpc::ByteBuffer session_batch_buffer(const EventBatch& batch, const MapUnits& map,
                                      const std::string& epoch) {
  return buffer_of([&](auto& out) {
    out.message(v1::SessionResponse::kBatchFieldNumber,
                [&](auto& message) { write_batch(batch, map, epoch, message); });
  });
}

}  // namespace repath

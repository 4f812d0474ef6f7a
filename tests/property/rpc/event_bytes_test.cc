// Bytes written straight to the wire against messages filled field by field, on random verdicts of
// every type in every kind of world.
#include "rpc/event_bytes.h"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "base/random.h"
#include "repath/v1/agent.pb.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr int kRounds = 3000;

// ---- the model: a message, from the order of the enums in the .proto ----

v1::Path path_message(const AgentPath& path, const MapUnits& map) {
  v1::Path out;
  out.set_status(static_cast<v1::PathStatus>(static_cast<int>(path.state) + 1));
  out.set_revision(value(path.revision));
  out.set_path_version(value(path.version));
  if (path.nodes.empty() && path.points.empty()) return out;
  out.set_cost(map.world_cost(path.cost));
  out.set_optimality(static_cast<v1::Optimality>(static_cast<int>(path.optimality) + 1));
  if (path.optimality == Optimality::kWithin) out.set_bound(map.world_cost(path.allowance));
  if (path.optimality == Optimality::kBounded ||
      (path.optimality == Optimality::kStale && path.weight > 1))
    out.set_bound(path.weight);
  if (map.has_cells) {
    const auto waypoints = waypoints_of(path.nodes, map, /*every_cell=*/false);
    fill_points(waypoints, path.nodes, map, kPathWaypointsMax, &out);
  } else {
    fill_route(path.points, fitting_points(path.points), &out);
  }
  return out;
}

v1::PathEvent event_message(const AgentEvent& event, const MapUnits& map) {
  v1::PathEvent out;
  out.set_type(static_cast<v1::EventType>(static_cast<int>(event.type) + 1));
  out.set_agent_id(value(event.agent));
  out.set_revision(value(event.revision));
  if (map.has_cells) {
    fill_cell(event.position, map, out.mutable_cell());
    fill_center(event.position, map, out.mutable_position());
  } else {
    fill_spot(event.spot, out.mutable_position());
  }
  if (event.path) *out.mutable_path() = path_message(*event.path, map);
  out.set_path_version(value(event.path_version));
  for (const Revision revision : event.cause_revisions) out.add_cause_revisions(value(revision));
  for (const ObstacleId obstacle : event.cause_obstacles) out.add_cause_obstacles(value(obstacle));
  if (event.first_invalid_waypoint)
    out.set_first_invalid_waypoint(static_cast<std::int32_t>(*event.first_invalid_waypoint));
  out.set_old_cost(event.old_cost == kUnreachable ? 0 : map.world_cost(event.old_cost));
  out.set_cost(event.cost == kUnreachable ? 0 : map.world_cost(event.cost));
  out.set_waited_frames(event.waited_frames);
  out.set_waited_us(event.waited_us);
  out.set_reason(static_cast<v1::EventReason>(static_cast<int>(event.reason)));
  out.set_goal_generation(event.goal_generation);
  return out;
}

// ---- random verdicts ----

class Verdicts {
 public:
  Verdicts(const MapUnits& map, bool is_graph) : map_(map), is_graph_(is_graph) {}

  AgentEvent next() {
    AgentEvent event;
    event.type = static_cast<EventType>(random_.below(10));
    event.reason = static_cast<EventReason>(random_.below(11));
    event.agent = AgentId{number()};
    event.revision = Revision{number()};
    event.position = node();
    if (!map_.has_cells) event.spot = spot();
    event.path_version = PathVersion{number()};
    if (random_.below(3) != 0) event.path = path();
    event.old_cost = cost();
    event.cost = cost();
    if (random_.below(2) == 0) event.first_invalid_waypoint = random_.below(100);
    for (std::uint32_t i = random_.below(17); i > 0; --i)
      event.cause_revisions.push_back(Revision{number()});
    for (std::uint32_t i = random_.below(17); i > 0; --i)
      event.cause_obstacles.push_back(ObstacleId{number()});
    event.waited_frames = number();
    event.waited_us = number();
    event.goal_generation = number();
    return event;
  }
  // Numbers of every length on the wire; often zero.
  std::uint64_t number() { return random_.below(4) == 0 ? 0 : random_.next() >> random_.below(64); }
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }

 private:
  NodeId node() {
    return NodeId{random_.below(static_cast<std::uint32_t>(map_.width * map_.height))};
  }
  double real() { return random_.below(4) == 0 ? 0 : (random_.unit() - 0.5) * 1e6; }
  Spot spot() { return {real(), real(), real()}; }
  Cost cost() { return random_.below(4) == 0 ? kUnreachable : number() >> 20; }

  AgentPath path() {
    AgentPath path;
    path.state = static_cast<PathState>(random_.below(5));
    path.optimality = static_cast<Optimality>(random_.below(5));
    path.allowance = number() >> 20;
    path.weight = 1 + random_.unit();
    path.cost = number() >> 20;
    path.revision = Revision{number()};
    path.version = PathVersion{number()};
    const std::uint32_t length = random_.below(40);
    if (map_.has_cells) {
      for (std::uint32_t i = 0; i < length; ++i) path.nodes.push_back(step_from(path.nodes));
    } else {
      for (std::uint32_t i = 0; i < length; ++i) path.points.push_back(point());
    }
    return path;
  }
  // Straight on most of the time.
  NodeId step_from(const std::vector<NodeId>& nodes) {
    const auto cells = static_cast<std::uint32_t>(map_.width * map_.height);
    if (nodes.size() < 2 || random_.below(4) == 0) return node();
    return NodeId{(2 * index(nodes.back()) - index(nodes[nodes.size() - 2])) % cells};
  }
  RoutePoint point() {
    RoutePoint point{spot(), is_graph_ ? number() : 0, static_cast<std::uint8_t>(below(256)), {}};
    if (random_.below(20) == 0) point.link = number();
    return point;
  }

  MapUnits map_;
  bool is_graph_;
  Random random_{test::seed()};
};

template <class Message>
Message parsed(const void* bytes, std::size_t size) {
  Message message;
  EXPECT_TRUE(message.ParseFromArray(bytes, static_cast<int>(size)));
  EXPECT_TRUE(message.GetReflection()->GetUnknownFields(message).empty());
  return message;
}
template <class Message>
Message parsed(const grpc::ByteBuffer& buffer) {
  grpc::Slice slice;
  EXPECT_TRUE(buffer.DumpToSingleSlice(&slice).ok());
  return parsed<Message>(slice.begin(), slice.size());
}

template <class Message>
void expect_same(const Message& found, const Message& wanted) {
  google::protobuf::util::MessageDifferencer differencer;
  std::string report;
  differencer.ReportDifferencesToString(&report);
  EXPECT_TRUE(differencer.Compare(wanted, found)) << report;
}

struct Kind {
  const char* name;
  MapUnits map;
  bool is_graph;
};
const Kind kKinds[] = {{"grid", {300, 200, 0.5, true}, false},
                       {"mesh", {0, 0, 1, false}, false},
                       {"graph", {0, 0, 1, false}, true}};

TEST(EventBytes, SayWhatTheMessageSays) {
  SCOPED_TRACE(test::seed_trace());
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    Verdicts verdicts(kind.map, kind.is_graph);
    for (int i = 0; i < kRounds && !testing::Test::HasFailure(); ++i) {
      const AgentEvent event = verdicts.next();
      const std::vector<std::uint8_t> bytes = event_bytes(event, kind.map);
      expect_same(parsed<v1::PathEvent>(bytes.data(), bytes.size()),
                  event_message(event, kind.map));
      EXPECT_LE(bytes.size(), estimated_bytes(event));
    }
  }
}

TEST(EventBytes, OfAPathThatIsTooLongTheFirstWaypointsAreWritten) {
  constexpr std::size_t kOver = 7;
  AgentEvent event;
  event.path.emplace();
  event.path->state = PathState::kComplete;
  for (std::size_t i = 0; i < kPathWaypointsMax + kOver; ++i) {
    event.path->nodes.push_back(NodeId{static_cast<std::uint32_t>(i + i % 2 * 500)});
    event.path->points.push_back({{static_cast<double>(i), 0, 1}, i, 1, {}});
  }
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    AgentEvent long_event = event;
    kind.map.has_cells ? long_event.path->points.clear() : long_event.path->nodes.clear();
    const std::vector<std::uint8_t> bytes = event_bytes(long_event, kind.map);
    const auto message = parsed<v1::PathEvent>(bytes.data(), bytes.size());
    EXPECT_EQ(message.path().waypoints_left_out(), kOver);
    expect_same(message, event_message(long_event, kind.map));
    EXPECT_LE(bytes.size(), estimated_bytes(long_event));
  }
}

// 4 MiB is what clients of gRPC take by default.
TEST(EventBytes, OfTheLongestPathsFitAMessage) {
  constexpr std::size_t kMessageMax = (4u << 20) - (64u << 10);
  AgentEvent driven;
  driven.path.emplace();
  driven.path->state = PathState::kComplete;
  AgentEvent keyed = driven;
  for (std::size_t i = 0; i < kPathWaypointsMax + 5; ++i) {
    const RoutePoint point{{static_cast<double>(i), 0, 1}, ~std::uint64_t{i}, 1, {}};
    keyed.path->points.push_back(point);
    keyed.path->points.back().key = static_cast<std::uint8_t>(i | 1);
    driven.path->points.push_back({{static_cast<double>(i), 0, 1}, 0, 0, {}});
    driven.path->nodes.push_back(NodeId{static_cast<std::uint32_t>(i / 2 + i % 2 * 300)});
  }
  for (const std::size_t nodes : {std::size_t{0}, kPathWaypointsMax / 2, kPathWaypointsMax}) {
    AgentEvent event = nodes == 0 ? keyed : driven;
    if (nodes != 0) event.path->nodes.resize(nodes);
    const std::vector<std::uint8_t> bytes = event_bytes(event, kKinds[nodes == 0 ? 2 : 0].map);
    EXPECT_LE(bytes.size(), kMessageMax) << nodes;
    EXPECT_LE(bytes.size(), estimated_bytes(event)) << nodes;
    const auto message = parsed<v1::PathEvent>(bytes.data(), bytes.size());
    EXPECT_GT(message.path().positions_size() + message.path().line_size(), 3 * 75'000) << nodes;
  }
}

TEST(BatchBuffer, CarriesEachEventWithWhatItReplacesInWatchesAndSessions) {
  SCOPED_TRACE(test::seed_trace());
  const MapUnits map = kKinds[0].map;
  Verdicts verdicts(map, false);
  std::vector<EventPtr> events;
  for (int i = 0; i < 50; ++i) events.push_back(share(verdicts.next()));
  for (int round = 0; round < 20; ++round) {  // the same events, written once, sent to many readers
    EventBatch batch{verdicts.number(),
                     Revision{verdicts.number()},
                     Revision{verdicts.number()},
                     verdicts.number(),
                     {},
                     verdicts.number(),
                     verdicts.number(),
                     verdicts.number(),
                     verdicts.number(),
                     {Revision{verdicts.number()}, verdicts.number()},
                     verdicts.number()};
    v1::EventBatch wanted;
    for (const EventPtr& event : events) {
      if (verdicts.below(3) == 0) continue;
      batch.events.push_back({event, verdicts.below(2) == 0 ? 0 : verdicts.below(1000)});
      *wanted.add_events() = event_message(*event, map);
      wanted.mutable_events()->rbegin()->set_coalesced(batch.events.back().coalesced);
    }
    wanted.set_batch_number(batch.number);
    wanted.set_revision(value(batch.revision));
    wanted.set_settled_revision(value(batch.settled));
    wanted.set_applied_sequence(batch.applied_sequence);
    wanted.set_coalesced(batch.coalesced);
    wanted.set_waiting(batch.waiting);
    wanted.set_late(batch.late);
    wanted.set_frame(batch.frame);
    wanted.set_epoch("an epoch");
    wanted.set_durable_revision(value(batch.durable.revision));
    wanted.set_incarnation(batch.durable.incarnation);
    if (batch.taken_sequence > batch.applied_sequence)
      wanted.set_taken_sequence(batch.taken_sequence);
    expect_same(parsed<v1::EventBatch>(batch_buffer(batch, map, "an epoch")), wanted);
    v1::SessionResponse answer;
    *answer.mutable_batch() = wanted;
    expect_same(parsed<v1::SessionResponse>(session_batch_buffer(batch, map, "an epoch")), answer);
  }
}

TEST(BatchBuffer, OfNothingIsAnEmptyMessage) {
  const MapUnits map = kKinds[0].map;
  EXPECT_EQ(batch_buffer(EventBatch{}, map, "").Length(), 0u);
  EXPECT_TRUE(parsed<v1::SessionResponse>(session_batch_buffer(EventBatch{}, map, "")).has_batch());
}

}  // namespace
}  // namespace repath

#include <gtest/gtest.h>

#include "agents/agent.h"
#include "engine/queries.h"
#include "geometry/partition.h"
#include "grid/cells/topology.h"
#include "repath/v1/event.pb.h"
#include "repath/v1/import.pb.h"
#include "repath/v1/query.pb.h"
#include "repath/v1/world.pb.h"
#include "rpc/field.h"
#include "store/world_log.h"

namespace repath {
namespace {

// Plain enums are converted by their order, so each must keep that of its twin in the API.
#define REPATH_EXPECT_TWINS(Message, Plain, kPlain, MESSAGE) \
  static_assert(to_message<v1::Message>(Plain::kPlain) == v1::MESSAGE)

REPATH_EXPECT_TWINS(Topology, Topology, k4, TOPOLOGY_4);
REPATH_EXPECT_TWINS(Topology, Topology, k8, TOPOLOGY_8);
REPATH_EXPECT_TWINS(Topology, Topology, kHex, TOPOLOGY_HEX);
REPATH_EXPECT_TWINS(CornerRule, CornerRule, kNone, CORNER_RULE_NONE);
REPATH_EXPECT_TWINS(CornerRule, CornerRule, kOne, CORNER_RULE_ONE);
REPATH_EXPECT_TWINS(Strategy, Strategy, kAuto, STRATEGY_AUTO);
REPATH_EXPECT_TWINS(Strategy, Strategy, kAStar, STRATEGY_ASTAR);
REPATH_EXPECT_TWINS(Strategy, Strategy, kLpa, STRATEGY_LPA);
REPATH_EXPECT_TWINS(Strategy, Strategy, kDStarLite, STRATEGY_DSTAR_LITE);
REPATH_EXPECT_TWINS(Strategy, Strategy, kField, STRATEGY_FIELD);
REPATH_EXPECT_TWINS(PlanMethod, PartitionMethod, kAnavmg, PLAN_METHOD_ANAVMG);
REPATH_EXPECT_TWINS(PlanMethod, PartitionMethod, kDelaunay, PLAN_METHOD_DELAUNAY);
REPATH_EXPECT_TWINS(PlanMethod, PartitionMethod, kShortestDiagonals,
                    PLAN_METHOD_SHORTEST_DIAGONALS);
REPATH_EXPECT_TWINS(Smoothing, Smoothing, kNone, SMOOTHING_NONE);
REPATH_EXPECT_TWINS(Smoothing, Smoothing, kStraight, SMOOTHING_STRAIGHT);
REPATH_EXPECT_TWINS(Smoothing, Smoothing, kCurves, SMOOTHING_CURVES);
REPATH_EXPECT_TWINS(Durability, Durability, kApplied, DURABILITY_APPLIED);
REPATH_EXPECT_TWINS(Durability, Durability, kLocalDisk, DURABILITY_LOCAL_DISK);
REPATH_EXPECT_TWINS(Optimality, Optimality, kOptimal, OPTIMALITY_OPTIMAL);
REPATH_EXPECT_TWINS(Optimality, Optimality, kWithin, OPTIMALITY_WITHIN);
REPATH_EXPECT_TWINS(Optimality, Optimality, kBounded, OPTIMALITY_BOUNDED);
REPATH_EXPECT_TWINS(Optimality, Optimality, kValidOnly, OPTIMALITY_VALID_ONLY);
REPATH_EXPECT_TWINS(Optimality, Optimality, kStale, OPTIMALITY_STALE);
REPATH_EXPECT_TWINS(PathStatus, PathState, kComplete, PATH_STATUS_COMPLETE);
REPATH_EXPECT_TWINS(PathStatus, PathState, kPartial, PATH_STATUS_PARTIAL);
REPATH_EXPECT_TWINS(PathStatus, PathState, kUnreachable, PATH_STATUS_UNREACHABLE);
REPATH_EXPECT_TWINS(PathStatus, PathState, kStartBlocked, PATH_STATUS_START_BLOCKED);
REPATH_EXPECT_TWINS(PathStatus, PathState, kGoalBlocked, PATH_STATUS_GOAL_BLOCKED);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kComplete, PATH_STATUS_COMPLETE);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kPartial, PATH_STATUS_PARTIAL);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kUnreachable, PATH_STATUS_UNREACHABLE);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kStartBlocked, PATH_STATUS_START_BLOCKED);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kGoalBlocked, PATH_STATUS_GOAL_BLOCKED);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kOutOfBudget, PATH_STATUS_OUT_OF_BUDGET);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kOutOfMemory, PATH_STATUS_OUT_OF_MEMORY);
REPATH_EXPECT_TWINS(PathStatus, QueryState, kTurnTooTight, PATH_STATUS_TURN_TOO_TIGHT);
REPATH_EXPECT_TWINS(EventType, EventType, kNewPath, EVENT_TYPE_NEW_PATH);
REPATH_EXPECT_TWINS(EventType, EventType, kInvalidated, EVENT_TYPE_INVALIDATED);
REPATH_EXPECT_TWINS(EventType, EventType, kCostChanged, EVENT_TYPE_COST_CHANGED);
REPATH_EXPECT_TWINS(EventType, EventType, kReplanned, EVENT_TYPE_REPLANNED);
REPATH_EXPECT_TWINS(EventType, EventType, kImproved, EVENT_TYPE_IMPROVED);
REPATH_EXPECT_TWINS(EventType, EventType, kUnreachable, EVENT_TYPE_UNREACHABLE);
REPATH_EXPECT_TWINS(EventType, EventType, kPartial, EVENT_TYPE_PARTIAL);
REPATH_EXPECT_TWINS(EventType, EventType, kStartBlocked, EVENT_TYPE_START_BLOCKED);
REPATH_EXPECT_TWINS(EventType, EventType, kConfirmed, EVENT_TYPE_CONFIRMED);
REPATH_EXPECT_TWINS(EventType, EventType, kRemoved, EVENT_TYPE_REMOVED);

#undef REPATH_EXPECT_TWINS

// EventReason::kNone is UNSPECIFIED, so the values are equal.
constexpr bool are_twins(EventReason plain, v1::EventReason message) {
  return static_cast<int>(plain) == static_cast<int>(message);
}
static_assert(are_twins(EventReason::kNone, v1::EVENT_REASON_UNSPECIFIED));
static_assert(are_twins(EventReason::kNewAgent, v1::EVENT_REASON_NEW_AGENT));
static_assert(are_twins(EventReason::kAgentChanged, v1::EVENT_REASON_AGENT_CHANGED));
static_assert(are_twins(EventReason::kOffPath, v1::EVENT_REASON_OFF_PATH));
static_assert(are_twins(EventReason::kReachableAgain, v1::EVENT_REASON_REACHABLE_AGAIN));
static_assert(are_twins(EventReason::kStartFreeAgain, v1::EVENT_REASON_START_FREE_AGAIN));
static_assert(are_twins(EventReason::kRemovedByClient, v1::EVENT_REASON_REMOVED_BY_CLIENT));
static_assert(are_twins(EventReason::kWorldDeleted, v1::EVENT_REASON_WORLD_DELETED));
static_assert(are_twins(EventReason::kSessionExpired, v1::EVENT_REASON_SESSION_EXPIRED));
static_assert(are_twins(EventReason::kTakenOver, v1::EVENT_REASON_TAKEN_OVER));
static_assert(are_twins(EventReason::kRecovered, v1::EVENT_REASON_RECOVERED));

// The values of Algorithm and Heuristic begin with UNSPECIFIED, which is kAuto.
constexpr bool are_twins(QueryAlgorithm plain, v1::Algorithm message) {
  return static_cast<int>(plain) == static_cast<int>(message);
}
constexpr bool are_twins(Heuristic plain, v1::Heuristic message) {
  return static_cast<int>(plain) == static_cast<int>(message);
}

TEST(Enums, AlgorithmsAndHeuristicsKeepTheOrderOfTheApi) {
  using A = QueryAlgorithm;
  EXPECT_TRUE(are_twins(A::kAuto, v1::ALGORITHM_UNSPECIFIED));
  EXPECT_TRUE(are_twins(A::kBfs, v1::ALGORITHM_BFS));
  EXPECT_TRUE(are_twins(A::kDijkstra, v1::ALGORITHM_DIJKSTRA));
  EXPECT_TRUE(are_twins(A::kAStar, v1::ALGORITHM_ASTAR));
  EXPECT_TRUE(are_twins(A::kLpa, v1::ALGORITHM_LPA));
  EXPECT_TRUE(are_twins(A::kDStarLite, v1::ALGORITHM_DSTAR_LITE));
  EXPECT_TRUE(are_twins(A::kJps, v1::ALGORITHM_JPS));
  EXPECT_TRUE(are_twins(A::kFringe, v1::ALGORITHM_FRINGE));
  EXPECT_TRUE(are_twins(A::kIdaStar, v1::ALGORITHM_IDA_STAR));
  EXPECT_TRUE(are_twins(A::kSmaStar, v1::ALGORITHM_SMA_STAR));
  EXPECT_TRUE(are_twins(A::kDStar, v1::ALGORITHM_DSTAR));
  EXPECT_TRUE(are_twins(A::kHpa, v1::ALGORITHM_HPA));
  EXPECT_TRUE(are_twins(A::kFloydWarshall, v1::ALGORITHM_FLOYD_WARSHALL));
  EXPECT_TRUE(are_twins(Heuristic::kAuto, v1::HEURISTIC_UNSPECIFIED));
  EXPECT_TRUE(are_twins(Heuristic::kZero, v1::HEURISTIC_ZERO));
  EXPECT_TRUE(are_twins(Heuristic::kManhattan, v1::HEURISTIC_MANHATTAN));
  EXPECT_TRUE(are_twins(Heuristic::kChebyshev, v1::HEURISTIC_CHEBYSHEV));
  EXPECT_TRUE(are_twins(Heuristic::kOctile, v1::HEURISTIC_OCTILE));
  EXPECT_TRUE(are_twins(Heuristic::kEuclid, v1::HEURISTIC_EUCLID));
}

}  // namespace
}  // namespace repath

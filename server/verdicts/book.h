// The state that all parts of the promise share in every kind of world: the queue, the waiting
// agents, unsent events and figures. The state of a kind adds world, agents, goals and the log
// (kind.h).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "agents/agent.h"
#include "agents/queue.h"
#include "agents/stats.h"
#include "agents/waiting_book.h"
#include "verdicts/agent_record.h"

namespace repath {

// Filter tests, and edges, cells or changes looked at, that make up a unit of work.
inline constexpr WorkUnits kTestsPerUnit = 64;

struct BookCore {
  Queue queue;
  WaitingBook waiting;
  std::set<Slot> confirming;  // agents that asked for CONFIRMED
  std::set<Slot> off_ground;  // agents that stand in an obstacle, or did at their last verdict
  std::vector<AgentEvent> events;
  std::vector<Revision> being_read;  // by searches whose answers agents wait for, see the planner
  Stats stats;
  std::uint64_t last_epoch = 0;  // latest epoch of searches, see AgentCore::search_epoch
  std::uint64_t frame = 0;
  Micros now = 0;
};

}  // namespace repath

// Hears of what comes in to an engine and goes out of it, so that a run can be written down and
// played again. The same inputs in the same order give the same events.
//
// Batches and new questions of agents are not among these calls: the caller of the engine records
// them itself, with the bytes that they came as (runtime/journal.h). Calls that only read and
// change nothing are not among them either.
//
// Thread rule: called by the engine's owner, within the engine's calls.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "base/ids.h"
#include "engine/engine_world.h"

namespace repath {

class EngineTap {
 public:
  virtual ~EngineTap() = default;
  virtual void on_report(std::span<const PositionReport> positions, Micros now) = 0;
  virtual void on_remove(std::span<const AgentId> agents, EventReason reason) = 0;
  virtual void on_acknowledge(AgentId agent, PathVersion version) = 0;
  virtual void on_frame() = 0;
  virtual void on_plan(WorkUnits budget, Micros now) = 0;
  virtual void on_latest_verdict(AgentId agent) = 0;
  virtual void on_capture(const std::string& profile, TeamId team) = 0;
  virtual void on_test(const TestChanges& command) = 0;
  // The events that are taken out, in their order.
  virtual void on_events(std::span<const AgentEvent> events) = 0;
};

}  // namespace repath

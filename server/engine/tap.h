// Observes what goes into an engine and what comes out, so that a run can be recorded and played
// again. The same inputs in the same order give the same events.
//
// The tap does not get batches and new questions of agents: the caller of the engine records them
// itself, with the bytes that they came as (runtime/journal.h). It gets no calls that only read.
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

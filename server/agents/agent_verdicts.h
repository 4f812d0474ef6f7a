// The agents of one world and their verdicts, whatever the kind of the world: the interface by
// which `engine` uses `verdicts`, the room that keeps the promise. AgentBook implements it for each
// kind of world. Calls are virtual: one for each command, slice or question, none within a search.
//
// Not thread-safe; one strand owns it. The same calls give the same events, whatever the number of
// workers. Arguments must be valid (engine/validate.h checks them). `now` never goes back.
// The effect of a commit on the agents depends on the kind: see before_commit and on_commit of
// AgentBook.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "agents/budget.h"
#include "agents/stats.h"
#include "agents/waiting_book.h"
#include "base/ids.h"

namespace repath {

class AgentVerdicts {
 public:
  virtual ~AgentVerdicts() = default;

  // ---- agents ----
  // Adds or changes all of the agents, or none: fails only if a view cannot be had, naming the
  // field "agents[i].profile". A new or changed agent waits. An agent that asks the same keeps its
  // verdict; if its position differs, that counts as a report.
  virtual absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) = 0;
  // Adds all of the agents, or none, as upsert() adds new ones, except for the reason of their
  // first verdict: kRecovered. Fails if a view cannot be had, with DATA_LOSS and reason
  // WORLD_DAMAGED; the message names the agent. REQUIRES: no agent has any of the ids.
  virtual absl::Status restore(std::span<const RestoredAgent> agents, Micros now) = 0;
  // Takes in where the agent is. Returns false for an unknown agent. REQUIRES: the point is on the
  // map.
  virtual bool report(const PositionReport& position, Micros now) = 0;
  // Removes the agent with a kRemoved event. Returns false for an unknown agent.
  virtual bool remove(AgentId id, EventReason reason) = 0;
  // The client has this path of the agent, and older ones. Ignores an unknown agent.
  virtual void acknowledge(AgentId id, PathVersion version) = 0;

  // ---- planning ----
  // Begins a frame; until the next one its work may be done in portions.
  virtual void begin_frame() = 0;
  // Plans one portion.
  virtual SpentUnits plan(WorkUnits budget, Micros now) = 0;
  // Moves out the events since the last call, in the order they arose.
  virtual std::vector<AgentEvent> take_events() = 0;

  // ---- questions ----
  virtual std::uint64_t size() const = 0;
  // Number of frames begun.
  virtual std::uint64_t frame() const = 0;
  virtual const WaitingBook& waiting() const = 0;
  // These return nothing for an unknown agent. O(log agents).
  virtual std::optional<OwnerId> owner_of(AgentId id) const = 0;
  virtual std::optional<AgentView> view(AgentId id, bool with_path) const = 0;
  virtual std::optional<Revision> settled_revision_of(AgentId id) const = 0;
  // See Engine::latest_verdict.
  virtual std::optional<AgentEvent> latest_verdict(AgentId id) = 0;
  // The first `limit` agents with id >= from, ascending by id; of this owner only, if given.
  virtual std::vector<AgentView> views(AgentId from, std::size_t limit, bool with_paths,
                                       std::optional<OwnerId> owner) const = 0;
  // All agents as a viewer sees them, ascending by id. O(all agents).
  virtual std::vector<AgentGlance> glances() const = 0;
  // The agents of the owner, or all, ascending. O(all agents).
  virtual std::vector<AgentId> ids_of(std::optional<OwnerId> owner) const = 0;
  virtual Stats stats() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
};

}  // namespace repath

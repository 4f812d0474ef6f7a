// The event that sends a path to an agent to which nothing else happened.
#pragma once

#include "agents/agent.h"
#include "verdicts/agent_record.h"

namespace repath {

struct DueAnswer {
  EventType type;
  EventReason reason;
};

// Returns the answer due to an agent that begins to wait with this standing.
DueAnswer answer_of(Standing standing);

// Returns whether events of this type leave the latest verdict as it is.
bool is_note(EventType type);

}  // namespace repath

// How a path is told to an agent to which nothing else happened.
#pragma once

#include "agents/agent.h"
#include "verdicts/agent_record.h"

namespace repath {

struct DueAnswer {
  EventType type;
  EventReason reason;
};

// Of an agent that begins to wait with this standing.
DueAnswer answer_of(Standing standing);

// Whether events of this type leave the latest verdict as it is.
bool is_note(EventType type);

}  // namespace repath

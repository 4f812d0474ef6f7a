#include "agents/agent.h"

namespace repath {

bool is_same_question(const AgentSpec& a, AgentSpec b) {
  b.position = a.position;
  b.priority = a.priority;
  b.max_staleness_ms = a.max_staleness_ms;
  b.confirm = a.confirm;
  b.goal_generation = a.goal_generation;
  return a == b;
}

}  // namespace repath

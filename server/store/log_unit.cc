#include "store/log_unit.h"

namespace repath {

bool LogUnit::empty() const {
  return !change && !request && agents.empty() && removed_agents.empty() && sessions.empty() &&
         removed_sessions.empty();
}

std::uint64_t LogUnit::bytes() const {
  constexpr std::uint64_t kRow = 64;  // keys, numbers and checksum of a row
  std::uint64_t sum = kRow;
  if (change) sum += kRow + change->batch.size() + change->request_id.size();
  if (request) sum += kRow + request->request_id.size() + request->answer.size();
  for (const StoredAgent& row : agents) sum += kRow + row.session.size() + row.spec.size();
  for (const SessionRow& row : sessions)
    sum += sum +=
        kRow + row.name.size() + row.taken.size() + row.secret.size() + row.identity.size();
  for (const std::string& name : removed_sessions) sum += kRow + name.size();
  return sum + kRow * removed_agents.size();
}

}  // namespace repath

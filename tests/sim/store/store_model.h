// The plain model of a store: every world as the list of its units.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "store/store.h"

namespace repath::sim {

// The sum of some units of a world.
struct PlainWorld {
  std::vector<LogRecord> records;
  std::vector<RequestRow> requests;
  std::map<AgentId, StoredAgent> agents;
  std::map<std::string, SessionRow> sessions;

  void add(const LogUnit& unit) {
    if (unit.change) records.push_back(*unit.change);
    if (unit.request) requests.push_back(*unit.request);
    for (const StoredAgent& row : unit.agents) agents.insert_or_assign(row.id, row);
    for (const AgentId id : unit.removed_agents) agents.erase(id);
    for (const SessionRow& row : unit.sessions) sessions.insert_or_assign(row.name, row);
    for (const std::string& name : unit.removed_sessions) sessions.erase(name);
  }
};

// The bytes of the world file of that revision: they differ by world and revision.
inline std::string file_bytes(const std::string& name, std::uint64_t revision) {
  std::string bytes = name + " at " + std::to_string(revision) + ": ";
  const std::uint64_t n = mix(revision) % 3000;
  for (std::uint64_t i = 0; i < n; ++i) bytes.push_back(static_cast<char>(mix(revision + i)));
  return bytes;
}

struct ModelWorld {
  std::string name;
  std::uint64_t first = 2;
  std::vector<LogUnit> units;  // all that were appended
  std::size_t durable = 0;     // so many of them are durable for certain
  std::size_t at_load = 0;     // number of units when its log was opened
  std::uint64_t incarnation = 1;
  bool may_be_gone = false;     // a removal failed
  bool may_be_missing = false;  // its creation failed
  bool is_new_key = false;
  WallMicros positions_kept = 0;   // positions of that time or later must be there
  WallMicros positions_there = 0;  // saved last, or found there by the last load
  std::map<WallMicros, std::vector<PositionRow>> positions;

  std::uint64_t end() const {
    std::uint64_t n = first;
    for (const LogUnit& unit : units) n += unit.change ? 1 : 0;
    return n;
  }
};

// Compares a loaded world with the model after so many of its units. Returns what differs; empty:
// nothing.
inline std::string differences(const StoredWorld& world, const PlainWorld& plain,
                               const ModelWorld& model, WallMicros oldest_request) {
  if (value(world.log->end()) != model.first + plain.records.size()) return "records";
  std::vector<StoredAgent> agents;
  for (const auto& [id, row] : plain.agents) agents.push_back(row);
  if (agents != world.agents) return "agents";
  std::vector<SessionRow> sessions;
  for (const auto& [name, row] : plain.sessions) sessions.push_back(row);
  if (sessions != world.sessions) return "sessions";
  std::vector<RequestRow> requests;
  for (const RequestRow& row : plain.requests)
    if (row.at >= oldest_request) requests.push_back(row);
  if (requests != world.requests) return "requests";
  return "";
}

}  // namespace repath::sim

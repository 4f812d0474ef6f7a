// Plain value types that every room shares. They neither allocate nor do I/O.
#pragma once

#include <cstdint>

namespace repath {

// A node of one world: a grid cell (row-major, y * width + x), a navmesh edge or a waypoint. Node
// ids are dense, [0, node_count). They only have a meaning together with their world and are never
// sent over the wire alone.
enum class NodeId : std::uint32_t {};
inline constexpr NodeId kNoNode{~std::uint32_t{0}};
constexpr std::uint32_t index(NodeId n) { return static_cast<std::uint32_t>(n); }

// Ids that the client chooses. Any value is allowed; each is unique within one world.
enum class AgentId : std::uint64_t {};
enum class ObstacleId : std::uint64_t {};
constexpr std::uint64_t value(AgentId a) { return static_cast<std::uint64_t>(a); }
constexpr std::uint64_t value(ObstacleId o) { return static_cast<std::uint64_t>(o); }

// Number of committed batches of one world. A new world is at revision 1; 0 means "none" or "before
// the world".
enum class Revision : std::uint64_t {};
constexpr std::uint64_t value(Revision r) { return static_cast<std::uint64_t>(r); }
constexpr Revision next(Revision r) { return Revision{value(r) + 1}; }
constexpr Revision previous(Revision r) { return Revision{value(r) - 1}; }

// The team of an agent, [0, kTeams). Bit t of an obstacle's mask is set when the obstacle concerns
// team t.
enum class TeamId : std::uint8_t {};
inline constexpr int kTeams = 32;
using TeamMask = std::uint32_t;
inline constexpr TeamMask kAllTeams = ~TeamMask{0};
constexpr bool concerns(TeamMask mask, TeamId t) {
  return (mask >> static_cast<unsigned>(t) & 1u) != 0;
}

// Counts the paths that one agent was sent; 0 means that it never had a path. A client drops every
// path that is older than the one it has.
enum class PathVersion : std::uint64_t {};
constexpr std::uint64_t value(PathVersion v) { return static_cast<std::uint64_t>(v); }

// Units in which budgets count work: one expansion, 64 scanned bitmap words, 64 filter tests or one
// written label.
using WorkUnits = std::uint64_t;

// Microseconds of a clock that the caller reads; the rooms below store/ own no clock.
using Micros = std::uint64_t;

}  // namespace repath

// Plain value types that every room shares. No allocation, no I/O.
#pragma once

#include <cstdint>

namespace repath {

// A node of one world: a grid cell (row-major, y * width + x), later a navmesh edge or a waypoint.
// Dense, [0, node_count). Means nothing without the world it came from; never sent over the wire
// bare.
enum class NodeId : std::uint32_t {};
inline constexpr NodeId kNoNode{~std::uint32_t{0}};
constexpr std::uint32_t index(NodeId n) { return static_cast<std::uint32_t>(n); }

// Chosen by the client, any value; unique within one world.
enum class AgentId : std::uint64_t {};
enum class ObstacleId : std::uint64_t {};
constexpr std::uint64_t value(AgentId a) { return static_cast<std::uint64_t>(a); }
constexpr std::uint64_t value(ObstacleId o) { return static_cast<std::uint64_t>(o); }

// Counts the committed batches of one world. A new world is at revision 1; 0 means "none" or
// "before the world".
enum class Revision : std::uint64_t {};
constexpr std::uint64_t value(Revision r) { return static_cast<std::uint64_t>(r); }
constexpr Revision next(Revision r) { return Revision{value(r) + 1}; }
constexpr Revision previous(Revision r) { return Revision{value(r) - 1}; }

// Who an agent plays for, [0, kTeams). An obstacle's mask has bit t set when it concerns team t.
enum class TeamId : std::uint8_t {};
inline constexpr int kTeams = 32;
using TeamMask = std::uint32_t;
inline constexpr TeamMask kAllTeams = ~TeamMask{0};
constexpr bool concerns(TeamMask mask, TeamId t) {
  return (mask >> static_cast<unsigned>(t) & 1u) != 0;
}

// Counts one agent's paths; 0 is "never had one". A client drops what is older than what it has.
enum class PathVersion : std::uint64_t {};
constexpr std::uint64_t value(PathVersion v) { return static_cast<std::uint64_t>(v); }

// Work units, as budgets count them (see the README of replan): one expansion, 64 scanned bitmap
// words, 64 filter tests or one label written.
using WorkUnits = std::uint64_t;

// Microseconds of a clock that is handed in from outside; the rooms below store/ own no clock.
using Micros = std::uint64_t;

}  // namespace repath

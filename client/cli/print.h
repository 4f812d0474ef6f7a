// Answers of the API as JSON rows and as lines of text.
//
// Thread rule: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"
#include "repath/v1/agent.pb.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"

namespace repath::cli {

// Names of enum values without their prefix.
std::string name_of(v1::PathStatus status);
std::string name_of(v1::Optimality optimality);
std::string name_of(v1::EventType type);
std::string name_of(v1::EventReason reason);

// Sixteen hexadecimal digits: hashes do not fit a JSON number.
std::string hex(std::uint64_t hash);
// Places, written so that they can be given to --from and --to: "4,2" or "1.5,0,2.5".
std::string text_of(const v1::Location& location);
std::string text_of(const v1::Cell& cell);
std::string text_of(const v1::Vec3& at);
// The `i`th point of a list x, y, z, x, y, z, ...; it must be there.
v1::Vec3 point_of(const google::protobuf::RepeatedField<double>& list, int i);
// Returns whether the agent has a path now. A waiting agent may hold a path that a change has
// broken.
bool holds_path(const v1::AgentState& state);
// Where an agent is: its cell on grids, else its position.
std::string place_of(const v1::AgentState& state);
// "SERVING" or "QUARANTINED".
std::string name_of(v1::WorldState state);
// "1 agent", "2 agents".
std::string counted(std::uint64_t count, const std::string& thing);
// A length or cost with two decimals.
std::string fixed2(double value);
// 12345678 -> "12.3 MB".
std::string bytes(std::uint64_t count);

// "2026-11-26 08:15:00.123" of microseconds since 1970, in UTC.
std::string time_text(std::uint64_t micros);

Json json_of(const v1::World& world);
Json json_of(const v1::Cell& cell);
Json json_of(const v1::Vec3& at);
Json json_of(const v1::Location& location);
// `status`, `cost` (null without a path), `waypoints` [{position, cell | area, node, flags,
// link}], `revision`, `optimality`,
// ...
Json json_of(const v1::Path& path);
Json json_of(const v1::PathEvent& event);
Json json_of(const v1::AgentState& agent, bool with_path);
Json json_of(const v1::Change& change);
// Returns a message in Protobuf's JSON form, as `world apply --file` takes it.
Json json_of_message(const google::protobuf::Message& message);

// "64 x 48" cells of a grid; else the sides of the ground's bounds, in units.
std::string size_of(const v1::World& world);
// Prints a world in some lines, or as JSON.
void print_world(const CommandContext& context, const v1::World& world);
// Returns one line. An event gives the number of earlier ones that it replaces.
std::string line_of(const v1::PathEvent& event);
std::string line_of(const v1::Change& change);
// "COMPLETE, length 4.00, OPTIMAL at revision 1" and the waypoints below: cells on grids, node ids
// on graphs, positions on meshes. With `by_position` positions on grids too, where the waypoints of
// a smoothed path need not be centres of cells.
std::string text_of(const v1::Path& path, bool by_position = false);

// Columns padded to their widest cell, each cell as visible() shows it; the first row is the
// heading. Prints to stdout.
void print_table(std::vector<std::vector<std::string>> rows);

}  // namespace repath::cli

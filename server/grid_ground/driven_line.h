// The lines of agents that keep a turning radius on a grid: straight lines and arcs over the cells
// of the held path. The path is that of the cells that its line passes, so it is a held path as any
// other. One thing is new: a change may close the line though all of these cells stay open.
//
// Pure functions. An agent's lines are kept apart from the agents (ReplanState::lines), because few
// agents have any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/line_of_sight.h"
#include "verdicts/agent_record.h"

namespace repath {

struct DrivenLine {
  PathVersion version{};         // of the path that it belongs to
  std::vector<MapPoint> points;  // ends of its straight lines and chords, cells
  // For each point, the place in the path of the cell that it lies in; ascending. A cell that the
  // line cuts a corner of may be left out of the path; then the next one.
  std::vector<std::uint32_t> at;
};

// By agent: the line of its path if that is driven, and those of older paths. An agent with
// AgentSpec::curves that was sent a path has an entry.
using DrivenLines = std::map<Slot, std::vector<DrivenLine>>;

struct FoundLine {
  DrivenLine line;
  std::vector<NodeId> nodes;  // cells that it passes, a path of the graph
};

// Drives along the path. Empty: a turn has no room. REQUIRES: a path of the graph; the topology is
// not kHex; turning_radius > 0, in cells.
std::optional<FoundLine> drive_cells(const LineOfSight& sight, std::span<const NodeId> nodes,
                                     double turning_radius);

// Returns the line from beside nodes[from] on: its first point is the one nearest to that cell's
// centre on the part of the line that is there. `first`, if given, gets the number of the line's
// point that comes next.
std::vector<MapPoint> rest_of_line(const DrivenLine& line, const GridLayer& layer,
                                   std::span<const NodeId> nodes, std::uint32_t from,
                                   std::size_t* first = nullptr);

// Returns the place in the path, from `from` on, of a point within half a cell of the line that is
// in a cell of the path. Empty: the point is off the line.
std::optional<std::uint32_t> place_on_line(const DrivenLine& line, const GridLayer& layer,
                                           std::span<const NodeId> nodes, std::uint32_t from,
                                           MapPoint point);

// Returns the place in the path where the line's first closed chord from `from` on ends; empty: the
// line is open.
std::optional<std::uint32_t> first_closed(const DrivenLine& line, const LineOfSight& sight,
                                          std::span<const NodeId> nodes, std::uint32_t from);

}  // namespace repath

// Judge: checks the lines that agents with a turning radius drive over their cells.
#include <algorithm>
#include <cmath>
#include <set>

#include "verify/judge.h"
#include "verify/turns.h"

namespace repath::verify {
namespace {

constexpr double kLineSample = 1.0 / 24;  // cells between the samples of a line
constexpr double kLineBorder = 1e-6;      // on a border either cell counts
constexpr double kLineBeside = 0.75;      // a cell's centre from a line that passes it

double line_length(LinePoint a, LinePoint b) { return std::hypot(b.x - a.x, b.y - a.y); }

// Calls visit(point) for samples of the line; stops as soon as that returns false.
template <class Visit>
bool all_samples(const std::vector<LinePoint>& line, Visit&& visit) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    const LinePoint a = line[i - 1];
    const LinePoint b = line[i];
    const int steps = 1 + static_cast<int>(line_length(a, b) / kLineSample);
    for (int k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      if (!visit(LinePoint{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share})) return false;
    }
  }
  return true;
}

// Returns the last part of the line that begins so near to the point; the whole line if none does.
std::vector<LinePoint> line_from(const std::vector<LinePoint>& line, LinePoint from) {
  for (std::size_t i = line.size(); i-- > 1;) {
    const LinePoint a = line[i - 1];
    const LinePoint b = line[i];
    const double squared = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    const double along = (from.x - a.x) * (b.x - a.x) + (from.y - a.y) * (b.y - a.y);
    const double share = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0;
    const LinePoint on{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    if (line_length(on, from) > kLineBeside) continue;
    std::vector<LinePoint> rest{on};
    rest.insert(rest.end(), line.begin() + static_cast<std::ptrdiff_t>(i), line.end());
    return rest;
  }
  return line;
}

bool is_free_at(const Ground& ground, double x, double y) {
  const int column = static_cast<int>(std::floor(x));
  const int row = static_cast<int>(std::floor(y));
  return ground.on_map(column, row) && ground.free(ground.cell(column, row));
}

// Returns whether one of the cells at the point is free; with a margin, whether all cells so near
// are.
bool is_clear_at(const Ground& ground, LinePoint at, double margin) {
  const double off = margin > 0 ? margin : kLineBorder;
  int free = 0;
  for (const double dx : {-off, 0.0, off})
    for (const double dy : {-off, 0.0, off})
      free += is_free_at(ground, at.x + dx, at.y + dy) ? 1 : 0;
  return margin > 0 ? free == 9 : free > 0;
}

}  // namespace

std::vector<LinePoint> line_of(const v1::Path& path, double cell_size) {
  std::vector<LinePoint> line;
  for (int i = 0; 3 * i + 2 < path.line_size(); ++i)
    line.push_back({path.line(3 * i) / cell_size, path.line(3 * i + 2) / cell_size});
  return line;
}

bool Judge::is_line_open(const Agent& agent, std::uint64_t revision, int from, double margin) {
  const std::vector<LinePoint>& line = agent.held.line;
  if (line.empty()) return true;
  const Ground& ground = oracle_.ground(agent.spec.view, revision);
  const CellXY at = ground.at(agent.held.route.cells[static_cast<std::size_t>(from)]);
  const std::vector<LinePoint> rest = from == 0 ? line : line_from(line, {at.x + 0.5, at.y + 0.5});
  return all_samples(rest, [&](LinePoint on) { return is_clear_at(ground, on, margin); });
}

// Checks that a driven path has a line, and that the line begins and ends with its cells, passes
// only them and cells beside them, is open, and turns no more than the agent can.
void Judge::check_line(const Case& c, const Route& route) {
  const v1::Path& path = c.event.path();
  const std::vector<LinePoint>& line = c.agent.held.line;
  const auto wrong = [&](const std::string& what) {
    defect(Defect::kWrong, c.agent, "a line of revision " + std::to_string(path.revision()) + what);
  };
  if (path.turn_too_tight() && !c.agent.spec.curves) return wrong(" is too tight without curves");
  if (line.empty() != (!c.agent.spec.curves || path.turn_too_tight()))
    return wrong(line.empty() ? " is missing" : " is one too many");
  if (line.empty()) return;
  ++tally_.checked;
  const std::uint64_t revision = c.event.revision();
  const Ground& ground = oracle_.ground(c.agent.spec.view, revision);
  const CellXY first = ground.at(route.cells.front());
  const CellXY last = ground.at(route.cells.back());
  if (line_length(line.front(), {first.x + 0.5, first.y + 0.5}) > kLineBeside ||
      line_length(line.back(), {last.x + 0.5, last.y + 0.5}) > kLineBorder)
    wrong(" does not begin and end with its cells");
  if (!is_line_open(c.agent, revision, 0))
    defect(Defect::kInvalidPath, c.agent,
           "a line of revision " + std::to_string(revision) + " is closed");
  std::set<Cell> near;
  for (const Cell cell : route.cells)
    for (const int dy : {-1, 0, 1})
      for (const int dx : {-1, 0, 1}) near.insert(cell + dy * ground.stride + dx);
  if (!all_samples(line, [&](LinePoint on) {
        return near.contains(ground.cell(static_cast<int>(on.x), static_cast<int>(on.y)));
      }))
    wrong(" leads elsewhere than its cells");
  const double radius = world_.view(c.agent.spec.view).profile().turning_radius;
  for (std::size_t i = 2; i < line.size(); ++i) {
    const LinePoint a = line[i - 2];
    const LinePoint b = line[i - 1];
    const double in = i == 2 ? kInfinity : line_length(a, b);  // it may begin within a chord
    const double turn = turn_between(b.x - a.x, b.y - a.y, line[i].x - b.x, line[i].y - b.y);
    const double allowed = turn_allowed(in, line_length(b, line[i]), radius);
    if (turn > allowed)
      wrong(" turns by " + std::to_string(turn) + " radians, more than " + std::to_string(allowed));
  }
}

}  // namespace repath::verify

#include "geometry/turns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace repath {
namespace {

constexpr double kSamePoint = 1e-9;      // distance below which two points are one
constexpr double kShortened = 1 - 1e-9;  // so that rounding makes no way too long

// A vector of the plane.
struct Arrow {
  double x = 0;
  double y = 0;
};

Arrow operator+(Arrow a, Arrow b) { return {a.x + b.x, a.y + b.y}; }
Arrow operator-(Arrow a, Arrow b) { return {a.x - b.x, a.y - b.y}; }
Arrow operator*(Arrow a, double by) { return {a.x * by, a.y * by}; }
double dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y; }
double cross(Arrow a, Arrow b) { return a.x * b.y - a.y * b.x; }
double norm(Arrow a) { return std::sqrt(dot(a, a)); }
// Returns the vector turned by a right angle, from x to y.
Arrow turned(Arrow a) { return {-a.y, a.x}; }
Arrow plane_of(MapPoint p) { return {p.x, p.y}; }
MapPoint lifted(Arrow a, double height) { return {a.x, a.y, height}; }

// A circle that the way goes round with a sense: 1 from x to y, else -1. A point has radius 0.
struct Bend {
  Arrow centre;
  double radius = 0;
  double sense = 1;
};

// A straight line from one bend to the next.
struct Tangent {
  Arrow from;
  Arrow to;
};

// Returns the line that leaves `a` and reaches `b` in the senses of both. Empty if one circle
// lies in the way of the other. If u is the direction and l the same turned to the left, each
// centre lies at sense x radius along l. So the centres' difference d has the part q along l that
// those two differ by, and d = t u + q l.
std::optional<Tangent> tangent_between(const Bend& a, const Bend& b) {
  const Arrow d = b.centre - a.centre;
  const double squared = dot(d, d);
  const double q = b.sense * b.radius - a.sense * a.radius;
  if (squared <= q * q || squared == 0) return std::nullopt;
  const double t = std::sqrt(squared - q * q);
  const Arrow u = (d * t - turned(d) * q) * (1 / squared);
  const Arrow l = turned(u);
  return Tangent{a.centre - l * (a.sense * a.radius), b.centre - l * (b.sense * b.radius)};
}

// Appends the chords' ends of an arc, without its begin. `from` and `to` are unit vectors from the
// centre, less than half a turn apart. Each half of the arc is cut in the same way.
void append_arc(const Bend& bend, Arrow from, Arrow to, double deviation, double height,
                std::vector<MapPoint>* out) {
  const Arrow sum = from + to;
  const double half = norm(sum) / 2;  // cosine of half the angle
  if (bend.radius * (1 - half) <= deviation) {
    out->push_back(lifted(bend.centre + to * bend.radius, height));
    return;
  }
  const Arrow middle = sum * (0.5 / half);
  append_arc(bend, from, middle, deviation, height, out);
  append_arc(bend, middle, to, deviation, height, out);
}

// Appends the arc between two points of the circle, without its begin. Returns false if it would be
// more than three quarters of a turn: the lines that it joins cross.
bool append_turn(const Bend& bend, Arrow begin, Arrow end, double deviation, double height,
                 std::vector<MapPoint>* out) {
  const Arrow from = (begin - bend.centre) * (1 / bend.radius);
  const Arrow to = (end - bend.centre) * (1 / bend.radius);
  const double side = cross(from, to) * bend.sense;
  if (side >= 0 && dot(from, to) > -0.5) {
    append_arc(bend, from, to, deviation, height, out);
    return true;
  }
  if (side < 0 && dot(from, to) > 0) return false;
  // A third and more of a turn: by way of the point a quarter on.
  const Arrow quarter = turned(from) * bend.sense;
  append_arc(bend, from, quarter, deviation, height, out);
  append_turn(bend, bend.centre + quarter * bend.radius, end, deviation, height, out);
  return true;
}

double length_of(MapPoint from, std::span<const MapPoint> points) {
  double length = 0;
  for (const MapPoint& point : points) {
    length += std::sqrt(squared_distance(from, point));
    from = point;
  }
  return length;
}

// The circles that may replace one corner.
constexpr std::size_t kChoices = 6;
using Choices = std::array<Bend, kChoices>;

// Circles on the inner side of a corner, the innermost first: the one that touches both lines, one
// between, one that passes just outside the corner, and some farther out.
Choices choices_at(MapPoint before, MapPoint at, MapPoint after, const TurnRules& rules) {
  const Arrow in = plane_of(at) - plane_of(before);
  const Arrow on = plane_of(after) - plane_of(at);
  const Arrow u = in * (1 / norm(in));
  const Arrow v = on * (1 / norm(on));
  const double sense = cross(u, v) < 0 ? -1 : 1;
  const double half = norm(u + v) / 2;  // cosine of half the turn
  const Arrow bend = v - u;
  constexpr double kLeastBend = 1e-9;
  const Arrow inner = norm(bend) < kLeastBend ? turned(u) * sense : bend * (1 / norm(bend));
  const double r = rules.radius;
  constexpr double kFarthest = 4;  // radii; of sharp turns
  const double inmost = half * kFarthest > 1 ? r / half : r * kFarthest;
  const double outside = r - rules.margin;
  const double far[kChoices] = {inmost,         (inmost + r) / 2, outside,
                                0.75 * outside, 0.5 * outside,    0.25 * outside};
  Choices choices;
  for (std::size_t i = 0; i < kChoices; ++i) choices[i] = {plane_of(at) + inner * far[i], r, sense};
  return choices;
}

// The best way known to the circle of one choice at one corner.
struct Reached {
  double cost = std::numeric_limits<double>::infinity();
  Arrow entry;                   // where it reaches the circle
  std::size_t before = 0;        // choice at the corner before
  std::vector<MapPoint> points;  // from the entry of the circle before on: its arc, and `entry`
};

class Driver {
 public:
  Driver(std::span<const MapPoint> path, const TurnRules& rules) : path_(path), rules_(rules) {}

  std::optional<DrivenWay> run() {
    stages_.resize(path_.size());
    bends_.resize(path_.size());
    bends_[0].fill({plane_of(path_[0])});
    stages_[0][0].cost = 0;
    stages_[0][0].entry = plane_of(path_[0]);
    for (std::size_t i = 1; i < path_.size(); ++i) {
      if (rules_.stop != nullptr && rules_.stop->stop_requested()) return std::nullopt;
      const bool is_end = i + 1 == path_.size();
      if (is_end) {
        bends_[i].fill({plane_of(path_[i])});
      } else {
        bends_[i] = choices_at(path_[i - 1], path_[i], path_[i + 1], rules_);
      }
      for (std::size_t to = 0; to < (is_end ? 1 : kChoices); ++to)
        for (std::size_t from = 0; from < (i == 1 ? 1 : kChoices); ++from) extend(i, from, to);
    }
    if (std::isinf(stages_.back()[0].cost)) return std::nullopt;
    return way();
  }

 private:
  using Stage = std::array<Reached, kChoices>;

  // Goes on from a circle of the corner before i to one of corner i, if that is the best way there.
  void extend(std::size_t i, std::size_t from, std::size_t to) {
    const Reached& before = stages_[i - 1][from];
    Reached& here = stages_[i][to];
    if (before.cost >= here.cost) return;
    const auto tangent = tangent_between(bends_[i - 1][from], bends_[i][to]);
    if (!tangent) return;
    std::vector<MapPoint> points;
    const Bend& bend = bends_[i - 1][from];
    const double height = path_[i - 1].height;
    if (bend.radius > 0 &&
        !append_turn(bend, before.entry, tangent->from, rules_.deviation, height, &points))
      return;
    points.push_back(lifted(tangent->to, path_[i].height));
    double cost = before.cost;
    MapPoint last = lifted(before.entry, height);
    std::erase_if(points, [&, at = last](const MapPoint& point) mutable {
      const bool is_same = squared_distance(at, point) < kSamePoint * kSamePoint;
      if (!is_same) at = point;
      return is_same;
    });
    if (before.cost + length_of(last, points) * kShortened >= here.cost) return;
    for (const MapPoint& point : points) {
      const auto more = cost < here.cost ? rules_.cost(last, point) : std::nullopt;
      if (!more) return;
      cost += *more;
      last = point;
    }
    if (cost < here.cost) here = {cost, tangent->to, from, std::move(points)};
  }

  DrivenWay way() const {
    DrivenWay way;
    way.cost = stages_.back()[0].cost;
    std::vector<const Reached*> back;
    std::size_t choice = 0;
    for (std::size_t i = stages_.size() - 1; i > 0; --i) {
      back.push_back(&stages_[i][choice]);
      choice = back.back()->before;
    }
    way.points.push_back(path_.front());
    for (std::size_t i = back.size(); i-- > 0;)
      way.points.insert(way.points.end(), back[i]->points.begin(), back[i]->points.end());
    way.points.back() = path_.back();
    return way;
  }

  std::span<const MapPoint> path_;
  const TurnRules& rules_;
  std::vector<Stage> stages_;  // of each point of the path
  std::vector<Choices> bends_;
};

}  // namespace

std::optional<DrivenWay> drive(std::span<const MapPoint> path, const TurnRules& rules) {
  return Driver(path, rules).run();
}

}  // namespace repath

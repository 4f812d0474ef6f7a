// Files that are hard to read, for the fuzzers: polygons that cross themselves, spirals, combs,
// slivers, repeated corners, numbers at the ends of their ranges, brackets without end.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace repath::test {

using HostileRing = std::vector<std::pair<double, double>>;

inline std::string number_text(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", v);
  return text;
}

class Hostile {
 public:
  explicit Hostile(Random* random) : random_(random) {}

  std::uint32_t below(std::uint32_t end) { return random_->below(end); }
  double in(double low, double high) { return low + random_->unit() * (high - low); }

  std::string number() {
    static constexpr std::string_view kNumbers[] = {
        "0",       "-0.0",     "1e308",    "-1e308",    "5e-324",     "1e-310",
        "33554.4", "-33554.4", "33554.43", "0.0000625", "0.0001",     "1e999",
        "1e-999",  "3.5e38",   "1e39",     "0.1",       "2147483648", "18446744073709551616",
        "-1",      "1e6",      "1e-9",     "16777217"};
    return std::string(kNumbers[below(std::size(kNumbers))]);
  }

  // Returns corners around (x, z), mostly counterclockwise, of about this size.
  HostileRing ring(double x, double z, double size, std::uint32_t corners_max) {
    const std::uint32_t n = 3 + below(std::max(corners_max, 4u) - 3);
    HostileRing made;
    switch (below(8)) {
      case 0:  // random corners: it crosses itself
        for (std::uint32_t i = 0; i < n; ++i)
          made.emplace_back(x + in(-size, size), z + in(-size, size));
        break;
      case 1:  // a star that goes round several times
        star(n, 2 + below(5), size, &made);
        break;
      case 2:
        spiral(n, size, &made);
        break;
      case 3:
        comb(n, size, in(0.0001, 1), &made);
        break;
      case 4:  // a sliver
        for (std::uint32_t i = 0; i < n; ++i) {
          const bool is_back = 2 * i >= n;
          const double t = static_cast<double>(is_back ? n - i : i) / n;
          made.emplace_back(2 * size * t, (is_back ? 0.0001 : 0) + 0.0001 * below(3));
        }
        break;
      case 5:  // on a line, with one corner beside it
        for (std::uint32_t i = 0; i + 1 < n; ++i) made.emplace_back(size * i / n, 0);
        made.emplace_back(0, size);
        break;
      default:
        rough(n, size, &made);
    }
    for (auto& [cx, cz] : made) {
      cx += x;
      cz += z;
    }
    if (below(6) == 0) made.insert(made.begin() + below(n), made[below(n)]);  // comes twice
    return made;
  }

 private:
  static constexpr double kTurn = 6.283185307179586;

  void star(std::uint32_t n, std::uint32_t rounds, double size, HostileRing* made) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = kTurn * rounds * i / n;
      made->emplace_back(size * std::cos(angle), size * std::sin(angle));
    }
  }
  void spiral(std::uint32_t n, double size, HostileRing* made) {
    const double wall = in(0.3, 0.95);
    const std::uint32_t half = n / 2 + 1;
    const auto at = [&](std::uint32_t i, double share) {
      const double t = 1 - 0.9 * i / half;
      const double angle = 0.7 * i;
      made->emplace_back(share * size * t * std::cos(angle), share * size * t * std::sin(angle));
    };
    for (std::uint32_t i = 0; i < half; ++i) at(i, 1);
    for (std::uint32_t i = half; i-- > 0;) at(i, wall);
  }
  void comb(std::uint32_t n, double size, double depth, HostileRing* made) {
    made->emplace_back(0, 0);
    made->emplace_back(2 * size, 0);
    for (std::uint32_t i = 0; i + 2 < n; ++i)
      made->emplace_back(2 * size * (n - i) / n, i % 2 == 0 ? size : size * depth);
  }
  void rough(std::uint32_t n, double size, HostileRing* made) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = kTurn * i / n;
      const double far = size * in(0.2, 1);
      made->emplace_back(far * std::cos(angle), far * std::sin(angle));
    }
  }

  Random* random_;
};

inline double hostile_size(Hostile* dice) {
  static constexpr double kSizes[] = {0.001, 0.05, 1, 8, 50, 400, 3000, 16000, 33000};
  return kSizes[dice->below(std::size(kSizes))];
}

inline std::string json_ring(const HostileRing& ring, Hostile* dice) {
  std::string text = "[";
  const bool spoilt = dice->below(12) == 0;
  for (const auto& [x, z] : ring) {
    if (text.size() > 1) text += ",";
    const std::string first = spoilt && dice->below(4) == 0 ? dice->number() : number_text(x);
    text += "[" + first + "," + number_text(z) + "]";
  }
  return text + "]";
}

inline std::string hostile_plan(Random* random) {
  Hostile dice(random);
  std::string text = R"({"floors":[)";
  const std::uint32_t floors = 1 + (dice.below(4) == 0 ? dice.below(40) : 0);
  for (std::uint32_t f = 0; f < floors; ++f) {
    const double size = hostile_size(&dice);
    const std::uint32_t corners = dice.below(3) == 0 ? 600 : 40;
    text += f == 0 ? "" : ",";
    text += R"({"outer":)" + json_ring(dice.ring(0, 0, size, corners), &dice) + R"(,"holes":[)";
    const std::uint32_t holes = dice.below(3) == 0 ? dice.below(120) : 0;
    for (std::uint32_t h = 0; h < holes; ++h) {
      const double reach = size * 0.4;
      text += h == 0 ? "" : ",";
      text += json_ring(dice.ring(dice.in(-reach, reach), dice.in(-reach, reach), size * 0.02, 8),
                        &dice);
    }
    text += "]}";
  }
  text += R"(],"links":[)";
  const std::uint32_t links = dice.below(3) == 0 ? dice.below(30) : 0;
  for (std::uint32_t i = 0; i < links; ++i)
    text += std::string(i == 0 ? "" : ",") + R"({"from":[0,0],"to":[0.1,0.1],"to_floor":)" +
            std::to_string(dice.below(floors)) + "}";
  return text + "]}";
}

// Polygons at a distance from each other.
inline std::string hostile_polyanya(Random* random) {
  Hostile dice(random);
  std::string vertices;
  std::string polygons;
  std::uint32_t vertex = 0;
  const std::uint32_t count = 1 + dice.below(6);
  for (std::uint32_t p = 0; p < count; ++p) {
    const double size = hostile_size(&dice);
    const HostileRing ring =
        dice.ring(0, 0, size, dice.below(8) == 0 ? 500 : (dice.below(2) == 0 ? 60 : 12));
    polygons += std::to_string(ring.size());
    std::string sides;
    for (const auto& [x, z] : ring) {
      const std::string first = dice.below(400) == 0 ? dice.number() : number_text(x);
      vertices += first + " " + number_text(z) + " 1 " + std::to_string(p) + "\n";
      polygons += " " + std::to_string(vertex++);
      sides += " -1";
    }
    polygons += sides + "\n";
  }
  return "mesh\n2\n" + std::to_string(vertex) + " " + std::to_string(count) + "\n" + vertices +
         polygons;
}

// Ground and walls; some of it is stacked or very large.
inline std::string hostile_obj(Random* random) {
  Hostile dice(random);
  std::string text;
  const double size = hostile_size(&dice);
  const std::uint32_t count = 1 + dice.below(dice.below(4) == 0 ? 300 : 20);
  const bool stacked = dice.below(3) == 0;
  for (std::uint32_t t = 0; t < count; ++t) {
    const double y = stacked ? 0.3 * t : dice.in(-1, 1);
    for (int k = 0; k < 3; ++k) {
      const double up = dice.below(4) == 0 ? dice.in(0, size) : y;
      const std::string x =
          dice.below(500) == 0 ? dice.number() : number_text(dice.in(-size, size));
      text += "v " + x + " " + number_text(up) + " " + number_text(dice.in(-size, size)) + "\n";
    }
    text += dice.below(2) == 0 ? "f -1 -2 -3\n" : "f -3 -2 -1\n";
  }
  return text;
}

inline std::string hostile_graph(Random* random) {
  Hostile dice(random);
  std::string text = R"({"nodes":[)";
  const std::uint32_t nodes = 1 + dice.below(200);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::string x = dice.below(300) == 0 ? dice.number() : number_text(dice.in(-100, 100));
    text += std::string(i == 0 ? "" : ",") + R"({"id":)" + std::to_string(i) + R"(,"position":[)" +
            x + ",0," + number_text(dice.below(3) == 0 ? 0 : dice.in(-100, 100)) + "]}";
  }
  text += R"(],"edges":[)";
  const std::uint32_t edges = dice.below(300);
  const bool is_star = dice.below(2) == 0;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const std::uint32_t from = is_star ? 0 : dice.below(nodes);
    const std::uint32_t to = is_star ? nodes - 1 - i % nodes : dice.below(nodes);
    text += std::string(i == 0 ? "" : ",") + R"({"from":)" + std::to_string(from) + R"(,"to":)" +
            std::to_string(to) + (dice.below(3) == 0 ? R"(,"cost":)" + dice.number() : "") + "}";
  }
  return text + "]}";
}

// Obstacles that overlap, with a radius and points; as points of visibility or, with
// `link_distance` and nodes, as waypoints linked by sight.
inline std::string hostile_obstacles(Random* random, bool by_sight) {
  Hostile dice(random);
  const double size = hostile_size(&dice);
  const std::string radius = dice.below(20) == 0  ? dice.number()
                             : dice.below(2) == 0 ? "0"
                                                  : number_text(dice.in(0, size * 0.1));
  std::string plan = R"("radius":)" + radius;
  if (dice.below(3) != 0)
    plan += R"(,"outer":)" + json_ring(dice.ring(0, 0, size, dice.below(6) == 0 ? 300 : 20), &dice);
  plan += R"(,"holes":[)";
  const std::uint32_t holes = dice.below(dice.below(5) == 0 ? 60 : 8);
  for (std::uint32_t h = 0; h < holes; ++h)
    plan += std::string(h == 0 ? "" : ",") +
            json_ring(dice.ring(dice.in(-size, size), dice.in(-size, size), size * 0.2, 10), &dice);
  plan += "]";
  std::string places;
  const std::uint32_t count = dice.below(dice.below(4) == 0 ? 100 : 6);
  for (std::uint32_t i = 0; i < count; ++i)
    places += std::string(i == 0 ? "" : ",") + R"({"id":)" + std::to_string(i) +
              R"(,"position":[)" + number_text(dice.in(-size, size)) + (by_sight ? ",0," : ",") +
              number_text(dice.in(-size, size)) + "]}";
  if (!by_sight) return "{" + plan + R"(,"points":[)" + places + "]}";
  return R"({"link_distance":)" + number_text(dice.in(0, 2 * size)) + R"(,"nodes":[)" + places +
         R"(],"plan":{)" + plan + "}}";
}

// Brackets, members and strings in great number, seldom a valid document.
inline std::string hostile_json(Random* random) {
  Hostile dice(random);
  static constexpr std::string_view kParts[] = {"[",        "]",      "{",     "}",      ",",
                                                "[],",      "{},",    "\"\",", "\"a\":", "0,",
                                                "[[],[]],", "1e999,", "null,"};
  const std::string_view part = kParts[dice.below(std::size(kParts))];
  std::string text = dice.below(2) == 0 ? R"({"nodes":[)" : R"({"outer":[)";
  const std::uint32_t times = dice.below(4000);
  for (std::uint32_t i = 0; i < times; ++i)
    text += dice.below(50) == 0 ? kParts[dice.below(std::size(kParts))] : part;
  return text + "0]}";
}

inline std::string hostile_map(Random* random) {
  Hostile dice(random);
  const bool moving_ai = dice.below(2) == 0;
  const std::uint32_t width = 1 + dice.below(60);
  const std::uint32_t height = 1 + dice.below(60);
  std::string text;
  if (moving_ai) {
    const auto side = [&](std::uint32_t honest) {
      return dice.below(4) == 0 ? dice.number() : std::to_string(honest);
    };
    text = "type octile\nheight " + side(height) + "\nwidth " + side(width) + "\nmap\n";
  }
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) text += ".@#~^"[dice.below(2)];
    text += dice.below(200) == 0 ? "\r\r\n" : "\n";
  }
  return text;
}

}  // namespace repath::test

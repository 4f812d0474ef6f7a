#include "cli/parse.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/read_file.h"

namespace repath::cli {
namespace {

[[noreturn]] void wrong(const std::string& option, const std::string& what) {
  throw CLI::ValidationError(option, what);
}

// Returns the numbers between commas. Throws CLI::ValidationError if the text holds anything else.
template <typename Number>
std::vector<Number> numbers(const std::string& option, const std::string& text,
                            const std::string& expected) {
  std::vector<Number> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    Number number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) wrong(option, "expected " + expected + ", got \"" + text + "\"");
    found.push_back(number);
    if (next == end) return found;
    if (*next != ',') wrong(option, "expected " + expected + ", got \"" + text + "\"");
    at = next + 1;
  }
}

// Returns the text before and after the first `mark`.
std::pair<std::string, std::string> halves(const std::string& option, const std::string& text,
                                           char mark, const std::string& expected) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  return {text.substr(0, at), text.substr(at + 1)};
}

// Returns the text with each character as `change`, toupper or tolower, makes it.
std::string in_case(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

template <typename Value>
Value one_of(const std::string& option, const std::string& text,
             const std::vector<std::pair<std::string, Value>>& known) {
  std::string names;
  for (const auto& [name, value] : known) {
    if (name == text) return value;
    names += (names.empty() ? "" : ", ") + name;
  }
  wrong(option, "expected one of " + names + ", got \"" + text + "\"");
}

v1::Profile parse_profile(const std::string& option, const nlohmann::json& from) {
  v1::Profile profile;
  profile.set_name(from.at("name").get<std::string>());
  if (from.contains("topology"))
    profile.set_topology(parse_topology(option, from["topology"].get<std::string>()));
  if (from.contains("corner"))
    profile.set_corner_rule(parse_corner(option, from["corner"].get<std::string>()));
  if (from.contains("radius")) profile.set_radius(from["radius"].get<double>());
  if (from.contains("turning_radius"))
    profile.set_turning_radius(from["turning_radius"].get<double>());
  if (from.contains("include")) profile.set_include_flags(from["include"].get<std::uint32_t>());
  if (from.contains("exclude")) profile.set_exclude_flags(from["exclude"].get<std::uint32_t>());
  if (from.contains("areas")) {
    for (const auto& [area, factor] : from["areas"].items()) {
      auto* cost = profile.add_area_costs();
      cost->set_area(
          static_cast<std::uint32_t>(parse_reals(option, area, 1, 1, "an area type")[0]));
      cost->set_factor(factor.get<double>());
    }
  }
  if (!from.contains("terrain")) return profile;
  for (const auto& [name, factor] : from["terrain"].items()) {
    auto* rule = profile.add_terrain_rules();
    rule->set_terrain_class(name);
    if (factor.is_number()) {
      rule->set_factor(factor.get<double>());
    } else if (factor == "forbidden") {
      rule->set_forbidden(true);
    } else {
      wrong(option, "terrain \"" + name + "\" must be a factor or \"forbidden\"");
    }
  }
  return profile;
}

}  // namespace

std::vector<double> parse_reals(const std::string& option, const std::string& text,
                                std::size_t least, std::size_t most, const std::string& expected) {
  auto found = numbers<double>(option, text, expected);
  const bool is_finite = std::ranges::all_of(found, [](double one) { return std::isfinite(one); });
  if (found.size() < least || found.size() > most || !is_finite)
    wrong(option, "expected " + expected + ", got \"" + text + "\"");
  return found;
}

v1::Location parse_location(const std::string& option, const std::string& text) {
  const std::string expected = "a cell X,Y of whole numbers or a point X,Y,Z";
  v1::Location location;
  const auto values = parse_reals(option, text, 2, 3, expected);
  if (values.size() == 3) {
    location.mutable_position()->set_x(values[0]);
    location.mutable_position()->set_y(values[1]);
    location.mutable_position()->set_z(values[2]);
    return location;
  }
  const auto cell = numbers<std::int32_t>(option, text, expected);
  location.mutable_cell()->set_x(cell[0]);
  location.mutable_cell()->set_y(cell[1]);
  return location;
}

v1::CellRect parse_rect(const std::string& option, const std::string& text) {
  const std::string expected = "four whole numbers X0,Y0,X1,Y1 (the last two are outside)";
  const auto values = numbers<std::int32_t>(option, text, expected);
  if (values.size() != 4) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  v1::CellRect rect;
  rect.set_x0(values[0]);
  rect.set_y0(values[1]);
  rect.set_x1(values[2]);
  rect.set_y1(values[3]);
  return rect;
}

v1::CylinderShape parse_circle(const std::string& option, const std::string& text) {
  const auto values = parse_reals(option, text, 3, 3, "X,Z,RADIUS");
  v1::CylinderShape circle;
  circle.mutable_center()->set_x(values[0]);
  circle.mutable_center()->set_z(values[1]);
  circle.set_radius(values[2]);
  return circle;
}

v1::ObstacleSwitch parse_door(const std::string& option, const std::string& text) {
  const std::string expected = "ID=open or ID=shut";
  const auto [id, state] = halves(option, text, '=', expected);
  v1::ObstacleSwitch door;
  const auto ids = numbers<std::uint64_t>(option, id, expected);
  if (ids.size() != 1) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  door.set_id(ids[0]);
  door.set_enabled(one_of<bool>(option, state, {{"open", false}, {"shut", true}}));
  return door;
}

v1::TerrainEdit parse_terrain(const std::string& option, const std::string& text) {
  const auto [rect, name] = halves(option, text, '=', "X0,Y0,X1,Y1=CLASS");
  v1::TerrainEdit edit;
  *edit.mutable_cells() = parse_rect(option, rect);
  edit.set_terrain_class(name);
  return edit;
}

namespace {

// Three numbers are a circle, four a rectangle.
template <typename Message>
void parse_patch(const std::string& option, const std::string& text, Message& message) {
  if (std::count(text.begin(), text.end(), ',') == 2) {
    *message.mutable_cylinder() = parse_circle(option, text);
  } else {
    *message.mutable_cells() = parse_rect(option, text);
  }
}

}  // namespace

v1::Body parse_body(const std::string& option, const std::string& text) {
  const std::string expected = "AGENT:X0,Y0,X1,Y1 or AGENT:X,Z,RADIUS";
  const auto [id, shape] = halves(option, text, ':', expected);
  const auto ids = numbers<std::uint64_t>(option, id, expected);
  if (ids.size() != 1) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  v1::Body body;
  body.set_agent_id(ids[0]);
  parse_patch(option, shape, body);
  return body;
}

v1::FogEdit parse_fog(const std::string& option, const std::string& text, bool hidden) {
  const std::string expected = "TEAM:X0,Y0,X1,Y1 or TEAM:X,Z,RADIUS";
  const auto [team, shape] = halves(option, text, ':', expected);
  const auto teams = numbers<std::uint32_t>(option, team, expected);
  if (teams.size() != 1) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  v1::FogEdit edit;
  edit.set_team(teams[0]);
  edit.set_hidden(hidden);
  parse_patch(option, shape, edit);
  return edit;
}

v1::InfluenceEdit parse_influence(const std::string& option, const std::string& text) {
  const std::string expected = "TEAM,LAYER:RECT=LEVEL, or CIRCLE for RECT; =+LEVEL or =-LEVEL adds";
  const auto [where, level] = halves(option, text, '=', expected);
  const auto [layer, shape] = halves(option, where, ':', expected);
  v1::InfluenceEdit edit;
  const auto ids = numbers<std::uint32_t>(option, layer, expected);
  if (ids.size() != 2) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  edit.set_team(ids[0]);
  edit.set_layer(ids[1]);
  parse_patch(option, shape, edit);
  const bool adds = !level.empty() && (level[0] == '+' || level[0] == '-');
  const auto amounts =
      numbers<std::int32_t>(option, level.substr(level[0] == '+' ? 1 : 0), expected);
  if (amounts.size() != 1) wrong(option, "expected " + expected + ", got \"" + text + "\"");
  if (adds) {
    edit.set_add(amounts[0]);
  } else {
    edit.set_set(static_cast<std::uint32_t>(amounts[0]));
  }
  return edit;
}

v1::InfluenceDecay parse_decay(const std::string& option, const std::string& text) {
  const std::string expected = "TEAM,LAYER=PERMILLE";
  const auto [layer, keep] = halves(option, text, '=', expected);
  const auto ids = numbers<std::uint32_t>(option, layer, expected);
  const auto kept = numbers<std::uint32_t>(option, keep, expected);
  if (ids.size() != 2 || kept.size() != 1)
    wrong(option, "expected " + expected + ", got \"" + text + "\"");
  v1::InfluenceDecay decay;
  decay.set_team(ids[0]);
  decay.set_layer(ids[1]);
  decay.set_keep_permille(kept[0]);
  return decay;
}

v1::TestChangesRequest::Pair parse_pair(const std::string& option, const std::string& text) {
  const auto [from, to] = halves(option, text, ':', "X,Y[,Z]:X,Y[,Z]");
  v1::TestChangesRequest::Pair pair;
  *pair.mutable_from() = parse_location(option, from);
  *pair.mutable_to() = parse_location(option, to);
  return pair;
}

v1::Topology parse_topology(const std::string& option, const std::string& text) {
  return one_of<v1::Topology>(
      option, text, {{"4", v1::TOPOLOGY_4}, {"8", v1::TOPOLOGY_8}, {"hex", v1::TOPOLOGY_HEX}});
}

v1::CornerRule parse_corner(const std::string& option, const std::string& text) {
  return one_of<v1::CornerRule>(option, text,
                                {{"none", v1::CORNER_RULE_NONE}, {"one", v1::CORNER_RULE_ONE}});
}

v1::Strategy parse_strategy(const std::string& option, const std::string& text) {
  return one_of<v1::Strategy>(option, text,
                              {{"auto", v1::STRATEGY_AUTO},
                               {"astar", v1::STRATEGY_ASTAR},
                               {"lpa", v1::STRATEGY_LPA},
                               {"dstar_lite", v1::STRATEGY_DSTAR_LITE},
                               {"field", v1::STRATEGY_FIELD}});
}

v1::Algorithm parse_algorithm(const std::string& option, const std::string& text) {
  v1::Algorithm named{};
  if (v1::Algorithm_Parse("ALGORITHM_" + in_case(text, &toupper), &named)) return named;
  return one_of<v1::Algorithm>(option, in_case(text, &tolower),
                               {{"auto", v1::ALGORITHM_UNSPECIFIED},
                                {"bfs", v1::ALGORITHM_BFS},
                                {"dijkstra", v1::ALGORITHM_DIJKSTRA},
                                {"astar", v1::ALGORITHM_ASTAR},
                                {"lpa", v1::ALGORITHM_LPA},
                                {"dstar_lite", v1::ALGORITHM_DSTAR_LITE},
                                {"jps", v1::ALGORITHM_JPS},
                                {"fringe", v1::ALGORITHM_FRINGE},
                                {"ida", v1::ALGORITHM_IDA_STAR},
                                {"sma", v1::ALGORITHM_SMA_STAR},
                                {"dstar", v1::ALGORITHM_DSTAR},
                                {"hpa", v1::ALGORITHM_HPA},
                                {"floyd_warshall", v1::ALGORITHM_FLOYD_WARSHALL}});
}

v1::Heuristic parse_heuristic(const std::string& option, const std::string& text) {
  return one_of<v1::Heuristic>(option, text,
                               {{"auto", v1::HEURISTIC_UNSPECIFIED},
                                {"zero", v1::HEURISTIC_ZERO},
                                {"manhattan", v1::HEURISTIC_MANHATTAN},
                                {"chebyshev", v1::HEURISTIC_CHEBYSHEV},
                                {"octile", v1::HEURISTIC_OCTILE},
                                {"euclid", v1::HEURISTIC_EUCLID}});
}

v1::MapFormat parse_format(const std::string& option, const std::string& text) {
  return one_of<v1::MapFormat>(option, text,
                               {{"auto", v1::MAP_FORMAT_UNSPECIFIED},
                                {"moving_ai", v1::MAP_FORMAT_MOVING_AI},
                                {"text", v1::MAP_FORMAT_TEXT},
                                {"obj", v1::MAP_FORMAT_OBJ},
                                {"mset", v1::MAP_FORMAT_MSET},
                                {"polyanya", v1::MAP_FORMAT_POLYANYA},
                                {"floor_plan", v1::MAP_FORMAT_FLOOR_PLAN},
                                {"graph", v1::MAP_FORMAT_GRAPH},
                                {"repath", v1::MAP_FORMAT_REPATH},
                                {"visibility", v1::MAP_FORMAT_VISIBILITY},
                                {"sight", v1::MAP_FORMAT_SIGHT}});
}

v1::PlanMethod parse_plan_method(const std::string& option, const std::string& text) {
  return one_of<v1::PlanMethod>(option, text,
                                {{"anavmg", v1::PLAN_METHOD_ANAVMG},
                                 {"delaunay", v1::PLAN_METHOD_DELAUNAY},
                                 {"shortest_diagonals", v1::PLAN_METHOD_SHORTEST_DIAGONALS}});
}

v1::Smoothing parse_smoothing(const std::string& option, const std::string& text) {
  return one_of<v1::Smoothing>(option, text,
                               {{"none", v1::SMOOTHING_NONE},
                                {"straight", v1::SMOOTHING_STRAIGHT},
                                {"curves", v1::SMOOTHING_CURVES}});
}

std::vector<v1::Profile> parse_profiles(const std::string& option, const std::string& json) {
  std::vector<v1::Profile> profiles;
  try {
    const nlohmann::json file = nlohmann::json::parse(json);
    for (const auto& profile : file.at("profiles")) {
      profiles.push_back(parse_profile(option, profile));
    }
  } catch (const nlohmann::json::exception& error) {
    wrong(option, error.what());
  }
  return profiles;
}

v1::ChangeBatch parse_batch(const std::string& option, const std::string& json) {
  v1::ChangeBatch batch;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &batch);
  if (!status.ok()) wrong(option, "not a ChangeBatch: " + std::string(status.message()));
  return batch;
}

std::string read_given_file(const std::string& option, const std::string& path) {
  std::error_code error;
  auto text = path == "-" ? read_stdin(error) : read_file(path, error);
  if (!text) wrong(option, unreadable(path == "-" ? "stdin" : path, error));
  return *std::move(text);
}

}  // namespace repath::cli

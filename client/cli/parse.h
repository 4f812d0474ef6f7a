// Reads the words of the command line as messages of the API. Errors say what was expected and what
// was given.
//
// Thread rule: free functions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "repath/v1/common.pb.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"

namespace repath::cli {

// All of these throw CLI::ValidationError, which ends the parse with exit status 2; `option` names
// the culprit.

// Finite numbers between commas, `least` to `most` of them; `expected` says in errors what was
// expected.
std::vector<double> parse_reals(const std::string& option, const std::string& text,
                                std::size_t least, std::size_t most, const std::string& expected);
// "3,4" is a cell; "1.5,0,2.5" a point (x, y, z) in world units.
v1::Location parse_location(const std::string& option, const std::string& text);
// "x0,y0,x1,y1", half-open.
v1::CellRect parse_rect(const std::string& option, const std::string& text);
// "x,z,radius".
v1::CylinderShape parse_circle(const std::string& option, const std::string& text);
// "7=open" or "7=shut".
v1::ObstacleSwitch parse_door(const std::string& option, const std::string& text);
// "x0,y0,x1,y1=CLASS".
v1::TerrainEdit parse_terrain(const std::string& option, const std::string& text);
// "TEAM,LAYER:x0,y0,x1,y1=LEVEL" or "...:x,z,radius=LEVEL"; "=+LEVEL" and "=-LEVEL" add.
v1::InfluenceEdit parse_influence(const std::string& option, const std::string& text);
// "AGENT:x0,y0,x1,y1" or "AGENT:x,z,radius".
v1::Body parse_body(const std::string& option, const std::string& text);
// "TEAM:x0,y0,x1,y1" or "TEAM:x,z,radius".
v1::FogEdit parse_fog(const std::string& option, const std::string& text, bool hidden);
// "TEAM,LAYER=PERMILLE".
v1::InfluenceDecay parse_decay(const std::string& option, const std::string& text);
// "X,Y[,Z]:X,Y[,Z]".
v1::TestChangesRequest::Pair parse_pair(const std::string& option, const std::string& text);
// "4", "8" or "hex".
v1::Topology parse_topology(const std::string& option, const std::string& text);
// "none" or "one".
v1::CornerRule parse_corner(const std::string& option, const std::string& text);
// "auto", "astar", "lpa", "dstar_lite" or "field".
v1::Strategy parse_strategy(const std::string& option, const std::string& text);
// "auto", "bfs", "ida" and the like, or a name of the enum without its prefix, "IDA_STAR". Capitals
// or not.
v1::Algorithm parse_algorithm(const std::string& option, const std::string& text);
// "auto", "zero", "manhattan", "chebyshev", "octile" or "euclid".
v1::Heuristic parse_heuristic(const std::string& option, const std::string& text);
// "auto", "moving_ai", "text", "obj", "mset", "polyanya", "floor_plan", "graph" or "repath".
v1::MapFormat parse_format(const std::string& option, const std::string& text);
// "anavmg", "delaunay" or "shortest_diagonals".
v1::PlanMethod parse_plan_method(const std::string& option, const std::string& text);
// "none", "straight" or "curves".
v1::Smoothing parse_smoothing(const std::string& option, const std::string& text);
// {"profiles": [{"name", "topology": "4|8|hex", "corner": "none|one", "radius": 0.8, "terrain":
// {"swamp": 3.5, "water": "forbidden"}, "areas": {"3": 2.5}, "include": 65535, "exclude": 4}]};
// Only the name is required. The last three are for meshes and graphs; "topology", "corner" and
// "terrain" are for grids.
std::vector<v1::Profile> parse_profiles(const std::string& option, const std::string& json);
// The message ChangeBatch of changes.proto in Protobuf's JSON form, names as in the .proto.
v1::ChangeBatch parse_batch(const std::string& option, const std::string& json);

// Returns the whole file that an option or argument names; "-" is stdin.
std::string read_given_file(const std::string& option, const std::string& path);

}  // namespace repath::cli

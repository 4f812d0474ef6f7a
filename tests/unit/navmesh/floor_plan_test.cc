#include "navmesh/import/floor_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {
namespace {

std::int64_t twice_area_of(const MeshSource& mesh) {
  std::int64_t sum = 0;
  for (const MeshSource::Cell& cell : mesh.cells) {
    LatticeRing ring;
    for (std::uint32_t i = 0; i < cell.count; ++i)
      ring.push_back(mesh.vertices[mesh.corners[cell.first + i]].at);
    sum += twice_area(ring);
  }
  return sum;
}

// Both rings in both directions.
TEST(FloorPlan, ARoomWithAPillarBecomesFourCells) {
  for (const char* outer : {"[[0,0],[4,0],[4,4],[0,4]]", "[[0,4],[4,4],[4,0],[0,0]]"})
    for (const char* hole : {"[[1,1],[1,3],[3,3],[3,1]]", "[[3,1],[3,3],[1,3],[1,1]]"})
      for (const PlanMethod method :
           {PlanMethod::kAnavmg, PlanMethod::kDelaunay, PlanMethod::kShortestDiagonals}) {
        const auto mesh = import_floor_plan(
            std::string(R"({"outer": )") + outer + R"(, "holes": [)" + hole + R"(], "y": 2.5})",
            method);
        ASSERT_TRUE(mesh.ok()) << mesh.status();
        EXPECT_EQ(mesh->cells.size(), 4u);
        EXPECT_EQ(twice_area_of(*mesh), 2 * 12 * std::int64_t{16'000} * 16'000);
        EXPECT_EQ(mesh->vertices[0].y, 2.5);
        const auto built = NavMesh::build(*mesh);
        ASSERT_TRUE(built.ok()) << built.status();
        EXPECT_EQ(built->component_of(0), built->component_of(3));
      }
}

TEST(FloorPlan, FloorsAreApartUnlessALinkJoinsThem) {
  const std::string ground = R"({"outer": [[0,0],[4,0],[4,4],[0,4]]})";
  const std::string above = R"({"outer": [[0,0],[4,0],[4,4],[0,4]], "y": 3, "area": 2})";
  const std::string link = R"({"id": 9, "from": [1,1], "to": [2,2], "to_floor": 1, "both": false})";
  const auto apart = import_floor_plan("[" + ground + "," + above + "]", PlanMethod::kAnavmg);
  ASSERT_TRUE(apart.ok()) << apart.status();
  const auto two = NavMesh::build(*apart);
  ASSERT_TRUE(two.ok());
  EXPECT_NE(two->component_of(0), two->component_of(1));
  for (const std::string& text :
       {"[" + ground + "," + above + R"(,{"links": [)" + link + "]}]",
        R"({"floors": [)" + ground + "," + above + R"(], "links": [)" + link + "]}"}) {
    const auto joined = import_floor_plan(text, PlanMethod::kAnavmg);
    ASSERT_TRUE(joined.ok()) << joined.status();
    ASSERT_EQ(joined->links.size(), 1u);
    EXPECT_EQ(joined->links[0].id, 9u);
    EXPECT_EQ(joined->links[0].to_cell, 1u);
    EXPECT_EQ(joined->links[0].to_y, 3);
    EXPECT_FALSE(joined->links[0].both_ways);
    EXPECT_EQ(index(joined->cells[1].area), 2u);
    EXPECT_TRUE(NavMesh::build(*joined).ok());
  }
}

TEST(FloorPlan, ARoundHallHasNoCellWithTooManyCorners) {
  std::string outer;
  for (int i = 0; i < 300; ++i)
    outer += (i == 0 ? "[" : ",[") + std::to_string(i < 150 ? i : 299 - i) + "," +
             std::to_string(i < 150 ? i * (i - 149) : (299 - i) * (i - 150) + 1) + "]";
  const auto mesh = import_floor_plan(R"({"outer": [)" + outer + "]}", PlanMethod::kAnavmg);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->cells.size(), 3u);
  EXPECT_TRUE(NavMesh::build(*mesh).ok());
}

// A pillar of 32 corners in a square hall: no corner of it is sharper than 0.2.
TEST(FloorPlan, RelaxedConvexityStillGivesConvexCells) {
  std::string hole;
  for (int i = 0; i < 32; ++i) {
    const double angle = 2 * 3.141592653589793 * i / 32;
    hole += (i == 0 ? "[" : ",[") + std::to_string(5 + 2 * std::cos(angle)) + "," +
            std::to_string(5 + 2 * std::sin(angle)) + "]";
  }
  const std::string text = R"({"outer": [[0,0],[10,0],[10,10],[0,10]], "holes": [[)" + hole + "]]}";
  const auto exact = import_floor_plan(text, PlanMethod::kAnavmg);
  const auto relaxed = import_floor_plan(text, PlanMethod::kAnavmg, nullptr, 0.2);
  ASSERT_TRUE(exact.ok() && relaxed.ok()) << relaxed.status();
  EXPECT_TRUE(NavMesh::build(*relaxed).ok());
  // Portals end on the walls at points of their own; shortest diagonals end at corners.
  EXPECT_GT(exact->vertices.size(), 36u);
  EXPECT_EQ(relaxed->vertices.size(), 36u);
  EXPECT_NEAR(static_cast<double>(twice_area_of(*exact)),
              static_cast<double>(twice_area_of(*relaxed)), 1e6);
}

struct Fault {
  const char* text;
  const char* reason;
  const char* field;
};

TEST(FloorPlan, WhatIsWrongIsNamed) {
  const Fault faults[] = {
      {"{", "JSON_SYNTAX", ""},
      {"[[[[[[[[[[[[[[[[[[", "JSON_SYNTAX", ""},
      {"7", "JSON_FIELD", ""},
      {"[]", "JSON_FIELD", "floors"},
      {R"({"holes": []})", "JSON_FIELD", "outer"},
      {R"({"outer": [[0,0],[1,0]]})", "JSON_FIELD", "outer"},
      {R"({"outer": [[0,0],[1,"a"],[1,1]]})", "JSON_FIELD", "outer[1][1]"},
      {R"({"outer": [[0,0],[1e9,0],[1,1]]})", "JSON_FIELD", "outer[1][0]"},
      {R"({"outer": [[0,0],[1e999,0],[1,1]]})", "JSON_SYNTAX", ""},
      {R"({"outer": [[0,0],[1,0],[1,1]], "hole": []})", "JSON_FIELD", "hole"},
      {R"({"outer": [[0,0],[1,0],[1,1]], "y": null})", "JSON_FIELD", "y"},
      // Crossed, touching itself, folded back, and two corners that are the same lattice point.
      {R"({"outer": [[0,0],[4,4],[4,0],[0,4]]})", "PLAN_NOT_SIMPLE", "outer[0]"},
      {R"({"outer": [[0,0],[4,0],[4,4],[2,0],[0,4]]})", "PLAN_NOT_SIMPLE", "outer[0]"},
      {R"({"outer": [[0,0],[4,0],[2,0],[0,4]]})", "PLAN_NOT_SIMPLE", "outer[1]"},
      {R"({"outer": [[0,0],[4,0],[4.00001,0],[0,4]]})", "PLAN_NOT_SIMPLE", "outer[2]"},
      // A hole that crosses, touches, lies outside, or lies in another hole.
      {R"([{"outer": [[0,0],[4,0],[4,4],[0,4]], "holes": [[[1,1],[5,1],[1,2]]]}])",
       "PLAN_NOT_SIMPLE", "floors[0].outer[1]"},
      {R"({"outer": [[0,0],[4,0],[4,4],[0,4]], "holes": [[[1,0],[3,1],[1,2]]]})", "PLAN_NOT_SIMPLE",
       "outer[0]"},
      {R"({"outer": [[0,0],[4,0],[4,4],[0,4]], "holes": [[[5,1],[6,1],[5,2]]]})", "PLAN_HOLE",
       "holes[0][0]"},
      {R"({"outer": [[0,0],[9,0],[9,9],[0,9]],
           "holes": [[[1,1],[8,1],[8,8],[1,8]], [[2,2],[3,2],[2,3]]]})",
       "PLAN_HOLE", "holes[1][0]"},
      {R"({"floors": [{"outer": [[0,0],[4,0],[4,4]]}], "links": [{"from": [1,3], "to": [3,1]}]})",
       "PLAN_LINK", "links[0].from"},
      {R"({"floors": [{"outer": [[0,0],[4,0],[4,4]]}],
           "links": [{"from": [3,1], "to": [3,1], "factor": 0.5}]})",
       "JSON_FIELD", "links[0].factor"},
  };
  for (const Fault& fault : faults) {
    const auto mesh = import_floor_plan(fault.text, PlanMethod::kAnavmg);
    ASSERT_FALSE(mesh.ok()) << fault.text;
    EXPECT_EQ(error_reason(mesh.status()), fault.reason) << fault.text << mesh.status();
    EXPECT_EQ(error_field(mesh.status()), fault.field) << fault.text << mesh.status();
  }
}

TEST(FloorPlan, BrokenTextIsRefusedOrRead) {
  const std::string good =
      R"({"floors": [{"outer": [[0,0],[4,0],[4,4],[0,4]], "holes": [[[1,1],[1,3],[3,1]]]}],)"
      R"("links": [{"from": [0.5,0.5], "to": [3.5,3.5]}]})";
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_FALSE(import_floor_plan(good.substr(0, i), PlanMethod::kAnavmg).ok());
    for (const char c : {'0', '9', '-', ']', '{', '"', 'e', '\0', '\xff'}) {
      std::string text = good;
      text[i] = c;
      const auto mesh = import_floor_plan(text, PlanMethod::kDelaunay);
      if (mesh.ok()) {
        EXPECT_TRUE(NavMesh::build(*mesh).ok()) << text;
      }
    }
  }
}

}  // namespace
}  // namespace repath

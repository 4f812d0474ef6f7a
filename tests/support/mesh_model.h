// An edited mesh against the same cells built from scratch: neighbours, fans, corners, dead ends,
// components.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "navmesh/mesh/nav_mesh.h"

namespace repath::test {

// Returns the live cells of a mesh with the mesh's own vertex numbers; `indices` are their cell
// indexes in the mesh.
inline MeshSource source_of(const NavMesh& mesh, std::vector<std::uint32_t>* indices) {
  MeshSource source;
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v)
    source.vertices.push_back({mesh.vertex(v).at, mesh.vertex(v).y});
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    if (!mesh.is_live(c)) continue;
    std::vector<std::uint32_t> corners;
    for (const NavMesh::Edge& e : mesh.edges_of(c)) corners.push_back(e.vertex);
    MeshSource::Cell& cell = source.add_cell(corners);
    cell.area = mesh.cell(c).area;
    cell.flags = mesh.cell(c).flags;
    indices->push_back(c);
  }
  return source;
}

// Checks the data of each cell's edges and of the edges behind them.
inline void expect_edges_in_order(const NavMesh& mesh) {
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    if (!mesh.is_live(c)) continue;
    for (std::uint32_t k = 0; k < mesh.cell(c).count; ++k) {
      const std::uint32_t e = mesh.cell(c).first + k;
      const NavMesh::Edge& edge = mesh.edge(e);
      ASSERT_EQ(mesh.cell_of(e), c);
      ASSERT_EQ(edge.place, k);
      ASSERT_EQ(edge.count, mesh.cell(c).count);
      ASSERT_EQ(edge.x, mesh.vertex(edge.vertex).at.x);
      ASSERT_EQ(edge.z, mesh.vertex(edge.vertex).at.z);
      ASSERT_EQ(edge.is_corner, mesh.vertex(edge.vertex).is_corner);
      if (edge.twin == kNoEdge) {
        ASSERT_EQ(edge.neighbour, kNoCell);
        continue;
      }
      ASSERT_EQ(mesh.edge(edge.twin).twin, e);
      ASSERT_EQ(edge.neighbour, mesh.cell_of(edge.twin));
      ASSERT_TRUE(mesh.is_live(edge.neighbour));
      ASSERT_EQ(edge.vertex, mesh.edge(mesh.next(edge.twin)).vertex);
    }
  }
}

// Checks all invariants of NavMesh: the edited mesh equals what build() makes of its cells, except
// for numbers and for the dead ends of components that are trees.
inline void expect_as_built(const NavMesh& mesh) {
  expect_edges_in_order(mesh);
  if (testing::Test::HasFatalFailure()) return;
  std::vector<std::uint32_t> indices;
  const absl::StatusOr<NavMesh> built = NavMesh::build(source_of(mesh, &indices));
  ASSERT_TRUE(built.ok()) << built.status();
  ASSERT_EQ(built->vertices_end(), mesh.vertices_end()) << "two fans share a vertex";
  std::map<std::uint32_t, std::uint32_t> to_built;  // by component
  std::set<std::uint32_t> taken;
  std::map<std::uint32_t, bool> has_core;  // by component: whether a cell is not in a dead end
  for (std::uint32_t i = 0; i < indices.size(); ++i) {
    const auto ours = mesh.edges_of(indices[i]);
    const auto theirs = built->edges_of(i);
    std::set<std::uint32_t> open;
    for (std::size_t k = 0; k < ours.size(); ++k) {
      ASSERT_EQ(ours[k].twin == kNoEdge, theirs[k].twin == kNoEdge);
      ASSERT_EQ(ours[k].is_corner, theirs[k].is_corner);
      ASSERT_EQ(ours[k].vertex, theirs[k].vertex);
      const NavMesh::Vertex& one = mesh.vertex(ours[k].vertex);
      const NavMesh::Vertex& other = built->vertex(theirs[k].vertex);
      if (one.is_corner) {
        ASSERT_EQ(one.after, other.after);
        ASSERT_EQ(one.before, other.before);
      }
      if (ours[k].twin == kNoEdge) continue;
      ASSERT_EQ(ours[k].neighbour, indices[theirs[k].neighbour]);
      if (!theirs[k].leads_into_dead_end && !built->edge(theirs[k].twin).leads_into_dead_end)
        has_core[built->component_of(i)] = true;
    }
    const auto [known, is_new] =
        to_built.try_emplace(mesh.component_of(indices[i]), built->component_of(i));
    ASSERT_EQ(known->second, built->component_of(i));
    if (is_new) {
      ASSERT_TRUE(taken.insert(known->second).second) << "one component has two labels";
    }
  }
  for (std::uint32_t i = 0; i < indices.size(); ++i)
    for (std::size_t k = 0; k < built->edges_of(i).size(); ++k) {
      const NavMesh::Edge& ours = mesh.edges_of(indices[i])[k];
      if (has_core.count(built->component_of(i)) != 0) {
        ASSERT_EQ(ours.leads_into_dead_end, built->edges_of(i)[k].leads_into_dead_end);
      } else if (ours.twin != kNoEdge) {  // in a tree each edge leads into a dead end from one side
        ASSERT_NE(ours.leads_into_dead_end, mesh.edge(ours.twin).leads_into_dead_end);
      }
    }
}

}  // namespace repath::test

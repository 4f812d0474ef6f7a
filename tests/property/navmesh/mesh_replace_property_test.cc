// Cells that are taken out and put back at random, against meshes built from scratch.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "navmesh/mesh/mesh_patch.h"
#include "support/mesh_model.h"
#include "support/random_meshes.h"
#include "support/seed.h"

namespace repath {
namespace {

// A mesh without some of its cells.
class Puzzle {
 public:
  explicit Puzzle(const MeshSource& source)
      : source_(source), whole_(*NavMesh::build(source)), mesh(whole_) {
    for (std::uint32_t c = 0; c < whole_.cells_end(); ++c) now_.push_back(c);
  }

  void turn_over(Random* random) {
    NavMesh::Replacement change;
    std::vector<std::uint32_t> come;
    firsts_.assign(now_.size(), ~std::uint32_t{0});
    for (std::uint32_t c = 0; c < now_.size(); ++c) {
      const bool is_in = now_[c] != kNoCell;
      if (random->below(6) != 0) continue;
      if (is_in) change.gone.push_back(now_[c]);
      if (is_in && random->below(3) != 0) continue;  // out; otherwise replaced by an equal cell
      come.push_back(c);
    }
    std::ranges::sort(change.gone);
    for (const std::uint32_t c : come) {
      const std::uint32_t count = whole_.cell(c).count;
      firsts_[c] = static_cast<std::uint32_t>(change.edges.size());
      change.come.push_back({.first = firsts_[c], .count = count, .flags = 1});
      change.edges.resize(change.edges.size() + count);
    }
    for (const std::uint32_t c : come)
      for (std::uint32_t k = 0; k < whole_.cell(c).count; ++k) {
        const NavMesh::Edge& e = whole_.edges_of(c)[k];
        change.edges[firsts_[c] + k] = {whole_.vertex(e.vertex).at, twin_of(e, change)};
      }
    std::vector<std::uint32_t> made;
    MeshPatcher().replace(&mesh, change, &made, [](std::size_t) { return 0; });
    for (std::uint32_t& cell : now_)
      if (std::ranges::binary_search(change.gone, cell)) cell = kNoCell;
    for (std::size_t i = 0; i < come.size(); ++i) now_[come[i]] = made[i];
  }

  std::size_t live() const {
    return now_.size() - static_cast<std::size_t>(std::ranges::count(now_, kNoCell));
  }

 private:
  std::uint32_t twin_of(const NavMesh::Edge& e, const NavMesh::Replacement& change) const {
    if (e.twin == kNoEdge) return kNoEdge;
    const std::uint32_t place = whole_.edge(e.twin).place;
    if (firsts_[e.neighbour] != ~std::uint32_t{0})
      return NavMesh::new_edge(firsts_[e.neighbour] + place);
    const std::uint32_t other = now_[e.neighbour];
    if (other == kNoCell || std::ranges::binary_search(change.gone, other)) return kNoEdge;
    return mesh.cell(other).first + place;
  }

  MeshSource source_;
  NavMesh whole_;
  std::vector<std::uint32_t> now_;     // by cell of the whole mesh; kNoCell: it is out
  std::vector<std::uint32_t> firsts_;  // of inserted cells, in the list of new edges

 public:
  NavMesh mesh;
};

TEST(MeshReplace, IsTheSameAsBuildingAnew) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Puzzle puzzle(test::random_mesh(&random, 8));
    for (int step = 0; step < 25; ++step) {
      puzzle.turn_over(&random);
      test::expect_as_built(puzzle.mesh);
      if (HasFatalFailure()) FAIL() << "step " << step;
    }
  }
}

TEST(MeshReplace, PlacesThatBecomeFreeAreUsedAgain) {
  Random random(1);
  Puzzle puzzle(test::squares(std::vector<std::string>(12, std::string(12, '.'))));
  for (int step = 0; step < 50; ++step) puzzle.turn_over(&random);
  const std::uint32_t edges = puzzle.mesh.edges_end();
  const std::uint32_t vertices = puzzle.mesh.vertices_end();
  for (int step = 0; step < 500; ++step) puzzle.turn_over(&random);
  EXPECT_GT(puzzle.live(), 20u);
  EXPECT_LE(puzzle.mesh.cells_end(), 144u);
  EXPECT_LE(puzzle.mesh.edges_end(), edges + 80);
  EXPECT_LE(puzzle.mesh.vertices_end(), vertices + 80);
}

}  // namespace
}  // namespace repath

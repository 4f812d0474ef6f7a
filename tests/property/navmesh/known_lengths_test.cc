// The lengths that a search leaves to later searches, against true lengths. Searches that use them
// after ground was removed and restored, against searches that do not.
#include "navmesh/search/known_lengths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "geometry/lattice.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/lengths_from.h"
#include "support/carved_worlds.h"
#include "support/mesh_ends.h"
#include "support/random_meshes.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kNearly = 1 + 1e-9;
constexpr double kAnyHeight = 100;  // meshes of one floor

template <class Search>
bool ends_with_path(Search* search) {
  std::uint32_t plenty = 1'000'000;
  return search->advance(&plenty) == Progress::kPathFound;
}

// An agent between two places of a random mesh, and the lengths that its first search left.
class KnownLengthsTrial {
 public:
  explicit KnownLengthsTrial(Random* random)
      : random_(*random),
        carved_(*CarvedMesh::make(test::random_mesh(random, 10), 1.5, random->below(3) * 8)) {}

  // Returns false if these two places leave no known lengths.
  bool prepare() {
    std::map<ObstacleId, CarveShape> shapes;
    for (int step = 0; step < 3; ++step)
      EXPECT_TRUE(carved_.apply(test::random_edits(&random_, 4, 10, &shapes)).ok());
    const auto from = some_place();
    const auto to = some_place();
    if (!from || !to) return false;
    from_ = *from;
    to_ = *to;
    WithOwnCore<AnyAngleSearch> search;
    const double beyond = kLatticePerUnit * (0.1 + 4 * random_.unit());
    search.begin(carved_.mesh(), to_, from_, landmarks(), {.beyond = beyond});
    if (!ends_with_path(&search) || !search.append_lengths(&known_)) return false;
    length_ = search.path_length();
    certain_ = known_.certain;
    EXPECT_NEAR(certain_, length_ * kLatticePerUnit + beyond, 1e-3);
    return true;
  }

  // Compares with a flood from either end.
  void expect_true() {
    WithOwnCore<LengthsFrom> back;
    WithOwnCore<LengthsFrom> ahead;
    back.begin(carved_.mesh(), to_);
    EXPECT_FALSE(ends_with_path(&back));
    ahead.begin(carved_.mesh(), from_);
    EXPECT_FALSE(ends_with_path(&ahead));
    std::vector<double> listed(carved_.mesh().vertices_end(), kFar);
    for (const KnownLengths::Of& one : known_.of) {
      EXPECT_EQ(listed[one.vertex], kFar);
      listed[one.vertex] = one.steps;
    }
    for (std::uint32_t v = 0; v < listed.size(); ++v) {
      const double way = back.length(v) + ahead.length(v);
      if (way * kNearly > known_.certain) continue;
      EXPECT_LE(listed[v], back.length(v));
      EXPECT_GE(listed[v], back.length(v) * (1 - 0x1p-21));
    }
  }

  // Adds something, or removes something that was added after the first search.
  void change() {
    const bool goes = !added_.empty() && random_.below(3) == 0;
    CarveEdit edit;
    if (goes) {
      const std::uint32_t which = random_.below(static_cast<std::uint32_t>(added_.size()));
      edit = {CarveEdit::Kind::kRemove, added_[which], {}};
      added_.erase(added_.begin() + which);
    } else {
      const ObstacleId id{next_id_++};
      edit = {CarveEdit::Kind::kUpsert, id, test::random_carve_shape(&random_, 10, false)};
      added_.push_back(id);
    }
    EXPECT_TRUE(carved_.apply({&edit, 1}).ok());
  }

  // Moves the start: along the path, or beside it.
  void walk() {
    WithOwnCore<AnyAngleSearch> search;
    if (!find_ends_again() || from_.cell == to_.cell) return;
    search.begin(carved_.mesh(), from_, random_.below(3) == 0 ? *some_place() : to_);
    if (!ends_with_path(&search)) return;
    std::vector<PathCorner> path;
    search.append_path(&path);
    const double share = random_.unit();
    const Point on{path[0].at.x + share * (path[1].at.x - path[0].at.x),
                   path[0].at.z + share * (path[1].at.z - path[0].at.z)};
    const auto place = carved_.ground().find_cell(on, 0, kAnyHeight);
    if (!place) return;
    certain_ -= std::hypot(place->x - from_.x, place->z - from_.z);
    from_ = *place;
  }

  // Returns the length found; empty if an end, or every path between them, is gone.
  std::optional<double> expect_same(std::uint64_t* expanded, std::uint64_t* expanded_fresh) {
    if (!find_ends_again()) return std::nullopt;
    WithOwnCore<AnyAngleSearch> fresh;
    fresh.begin(carved_.mesh(), from_, to_, landmarks());
    const bool is_found = ends_with_path(&fresh);
    knowing_.begin(carved_.mesh(), from_, to_, landmarks(),
                   {.known = &known_, .certain = certain_});
    EXPECT_EQ(ends_with_path(&knowing_), is_found);
    if (!is_found) return std::nullopt;
    EXPECT_NEAR(knowing_.path_length(), fresh.path_length(), 1e-9 * (1 + fresh.path_length()));
    *expanded += knowing_.expanded();
    *expanded_fresh += fresh.expanded();
    return fresh.path_length();
  }

  double length() const { return length_; }
  std::size_t known() const { return known_.of.size(); }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  // Empty if all ground is gone.
  std::optional<MeshPlace> some_place() {
    for (int tries = 0; tries < 10'000; ++tries) {
      const std::uint32_t cell = random_.below(carved_.mesh().cells_end());
      if (!carved_.mesh().is_live(cell)) continue;
      if (random_.below(4) == 0) {  // a corner of the cell
        const auto edges = carved_.mesh().edges_of(cell);
        const NavMesh::Edge& edge = edges[random_.below(static_cast<std::uint32_t>(edges.size()))];
        return pull_into(carved_.mesh(), cell, edge.x, edge.z);
      }
      double x = 0;
      double z = 0;
      double sum = 0;
      for (const NavMesh::Edge& edge : carved_.mesh().edges_of(cell)) {
        const double weight = 0.01 + random_.unit();
        x += weight * edge.x;
        z += weight * edge.z;
        sum += weight;
      }
      return pull_into(carved_.mesh(), cell, x / sum, z / sum);
    }
    return std::nullopt;
  }
  // Finds the ends again, because their cells may have changed. Where blocked ground touches itself
  // there are two places in one point, and it is unknown which of them is meant.
  bool find_ends_again() {
    for (MeshPlace* place : {&from_, &to_}) {
      const auto again = carved_.ground().find_cell(place->point(), 0, kAnyHeight);
      if (!again) return false;
      *place = *again;
      std::vector<std::uint32_t> here;
      std::vector<std::uint32_t> around;
      carved_.ground().find_cells(place->point(), &here);
      cells_around(carved_.mesh(), *place, &around);
      if (here.size() != around.size()) return false;
    }
    return true;
  }
  LandmarkView landmarks() const {
    LandmarkView view = carved_.ground().landmarks();
    view.nodes_before = 0;
    return view;
  }

  Random& random_;
  CarvedMesh carved_;
  MeshPlace from_;
  MeshPlace to_;
  KnownLengths known_;
  double length_ = 0;
  double certain_ = 0;
  WithOwnCore<AnyAngleSearch> knowing_;
  std::vector<ObstacleId> added_;
  std::uint64_t next_id_ = 100;
};

TEST(KnownLengths, SayNeverTooMuchWhateverHasGone) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t known = 0;
  int longer = 0;
  std::uint64_t expanded = 0;
  std::uint64_t expanded_fresh = 0;
  for (int round = 0; round < 4000 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    KnownLengthsTrial trial(&random);
    if (!trial.prepare()) continue;
    known += trial.known();
    trial.expect_true();
    for (int step = 0; step < 8; ++step) {
      trial.change();
      if (random.below(2) == 0) trial.walk();
      const auto found = trial.expect_same(&expanded, &expanded_fresh);
      if (!found) break;
      longer += *found > trial.length() ? 1 : 0;
    }
  }
  EXPECT_GT(known, 3000u);
  EXPECT_GT(longer, 100);
  EXPECT_LT(expanded, expanded_fresh);
}

}  // namespace
}  // namespace repath

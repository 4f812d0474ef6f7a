#include "bench/navmesh_carve_bench.h"

#include <cmath>
#include <deque>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "bench/carve_obstacles.h"
#include "bench/navmesh_ground.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "bench/tile_cache_side.h"

namespace repath::bench {
namespace {

// Both sides round: voxels, simplified outlines, corners of boxes. Points this far from all our
// borders should be the same for both.
constexpr double kAwayFromBorders = 0.75;
constexpr double kComparedReach = 1.0;

struct EditTimes {
  Samples repath;
  Samples detour;
};

// Results with one number of live obstacles.
struct EditRound {
  std::size_t live = 0;
  EditTimes add;
  EditTimes remove;
  std::size_t compared = 0;
  std::size_t disagreements = 0;
  std::size_t mismatches = 0;  // mismatches of our mesh
  std::size_t refused = 0;     // edits that DetourTileCache refused
  std::uint64_t hash = 0;
  std::string without_detour;  // cause, if Detour is left out
};

class CarveRound {
 public:
  CarveRound(const NavmeshCarveOptions& options, const NavmeshGround& ground, CarvedMesh bare,
             std::size_t live)
      : options_(options),
        carved_(std::move(bare)),
        bare_hash_(carved_.content_hash()),
        maker_(options.seed, options.radius),
        points_(options.seed + 1) {
    round_.live = live;
    detour_ = TileCacheSide::make(ground, static_cast<int>(live) + 1, &round_.without_detour);
    if (detour_) round_.without_detour.clear();
    double y = 0;
    for (int end = 0; end < 2; ++end)  // start and goal of an agent
      maker_.keep_free(maker_.random_point(carved_.ground(), &y));
  }

  // Removes the oldest obstacle after each new one.
  EditRound run() {
    for (std::size_t i = 0; i < round_.live + options_.obstacles; ++i) {
      if (!add(i >= round_.live)) break;
      if (i >= round_.live) remove(true);
    }
    while (!there_.empty()) remove(false);
    round_.mismatches += carved_.content_hash() != bare_hash_;
    round_.hash = hash_.value();
    return std::move(round_);
  }

 private:
  struct There {
    ObstacleId id{};
    unsigned of_detour = 0;
    Point middle;
    double y = 0;
  };

  bool add(bool is_measured) {
    const std::optional<BenchObstacle> made = maker_.next(carved_.ground());
    if (!made) {
      ++round_.mismatches;
      std::cerr << "repath-bench: no room for another obstacle beside " << there_.size() << "\n";
      return false;
    }
    There there{ObstacleId{++last_id_}, 0, made->middle(), made->y};
    const OnceStopwatch ours;
    const absl::StatusOr<CarveEdit> edit = upsert_of(there.id, *made);
    const bool is_done = edit.ok() && carved_.apply({&*edit, 1}).ok();
    const double us = ours.us();
    if (!is_done) {
      ++round_.mismatches;
      return false;
    }
    if (is_measured) round_.add.repath.add(us);
    if (detour_) {
      const OnceStopwatch theirs;
      there.of_detour = detour_->add(*made);
      note_detour(theirs.us(), there.of_detour != 0, is_measured, &round_.add.detour);
    }
    hash_.add(carved_.content_hash());
    there_.push_back(there);
    if (is_measured) compare(there);
    return true;
  }

  void remove(bool is_measured) {
    const There there = there_.front();
    there_.pop_front();
    const OnceStopwatch ours;
    const CarveEdit edit = removal_of(there.id);
    const bool is_done = carved_.apply({&edit, 1}).ok();
    const double us = ours.us();
    round_.mismatches += !is_done;
    if (is_measured) round_.remove.repath.add(us);
    if (there.of_detour != 0) {
      const OnceStopwatch theirs;
      const bool is_gone = detour_->remove(there.of_detour);
      note_detour(theirs.us(), is_gone, is_measured, &round_.remove.detour);
    }
    hash_.add(carved_.content_hash());
    if (is_measured) compare(there);
  }

  // Counts Detour's edit; a refused edit cannot be compared.
  void note_detour(double us, bool is_done, bool is_measured, Samples* times) {
    round_.refused += !is_done;
    if (is_done && is_measured) times->add(us);
  }

  // Compares the obstacle's middle and two points near it.
  void compare(const There& there) {
    if (there.of_detour == 0) return;
    compare_at(there.middle, there.y);
    for (int i = 0; i < 2; ++i)
      compare_at({there.middle.x + 6 * points_.unit() - 3, there.middle.z + 6 * points_.unit() - 3},
                 there.y);
  }

  bool is_free(Point at, double y) const {
    return carved_.find_cell(at, y, kComparedReach).has_value();
  }

  void compare_at(Point at, double y) {
    const bool here = is_free(at, y);
    for (const double dx : {-kAwayFromBorders, 0.0, kAwayFromBorders})
      for (const double dz : {-kAwayFromBorders, 0.0, kAwayFromBorders})
        if (is_free({at.x + dx, at.z + dz}, y) != here) return;
    if (!here && !carved_.ground().finder().find_cell(at, y, kComparedReach))
      return;  // there is no ground
    ++round_.compared;
    round_.disagreements += detour_->is_free(at, y) != here;
  }

  const NavmeshCarveOptions& options_;
  CarvedMesh carved_;
  std::uint64_t bare_hash_;
  std::unique_ptr<TileCacheSide> detour_;
  ObstacleMaker maker_;
  Random points_;
  std::deque<There> there_;
  std::uint64_t last_id_ = 0;
  Hasher hash_;
  EditRound round_;
};

void append_edit_rows(const std::string& op, const std::string& map, const EditRound& round,
                      const EditTimes& times, Json* rows) {
  for (const auto& [side, us] :
       {std::pair{"repath", &times.repath}, std::pair{"detour", &times.detour}}) {
    if (us->size() == 0) continue;
    rows->push_back({{"map", map},
                     {"op", op},
                     {"live", round.live},
                     {"side", side},
                     {"n", us->size()},
                     {"mean_us", us->mean()},
                     {"p50_us", us->quantile(0.5)},
                     {"p99_us", us->quantile(0.99)},
                     {"compared", round.compared},
                     {"disagreements", round.disagreements},
                     {"mismatches", round.mismatches},
                     {"refused_by_detour", round.refused}});
  }
}

// Returns Detour's time divided by ours: the geometric mean over all rounds with both; null if
// there is none.
Json ratio_to_detour(const std::vector<EditRound>& rounds, EditTimes EditRound::*times,
                     double quantile) {
  double sum = 0;
  int count = 0;
  for (const EditRound& round : rounds) {
    const EditTimes& t = round.*times;
    if (t.detour.size() == 0 || t.repath.size() == 0) continue;
    sum += std::log(t.detour.quantile(quantile) / t.repath.quantile(quantile));
    ++count;
  }
  if (count == 0) return nullptr;
  return std::exp(sum / count);
}

int report_edits(const NavmeshCarveOptions& options, const std::string& map, std::size_t base_cells,
                 const std::vector<EditRound>& rounds) {
  Json figures;
  Json rows = Json::array();
  Hasher hash;
  std::size_t mismatches = 0;
  Json without = Json::object();
  for (const EditRound& round : rounds) {
    append_edit_rows("add", map, round, round.add, &rows);
    append_edit_rows("remove", map, round, round.remove, &rows);
    hash.add(round.hash);
    mismatches += round.mismatches;
    if (!round.without_detour.empty()) without[std::to_string(round.live)] = round.without_detour;
  }
  figures["results"] = std::move(rows);
  figures["add_ratio_p50"] = ratio_to_detour(rounds, &EditRound::add, 0.5);
  figures["remove_ratio_p50"] = ratio_to_detour(rounds, &EditRound::remove, 0.5);
  figures["add_ratio_p99"] = ratio_to_detour(rounds, &EditRound::add, 0.99);
  figures["remove_ratio_p99"] = ratio_to_detour(rounds, &EditRound::remove, 0.99);
  figures["base_cells"] = base_cells;
  figures["radius"] = options.radius;
  figures["cell_side"] = options.cell_side;
  figures["detour"] = "DetourTileCache, tiles of " + std::to_string(kTileCacheVoxels) +
                      " voxels, no compression, update() until up to date";
  if (!without.empty()) figures["without_detour"] = std::move(without);
  figures["mismatches"] = mismatches;
  figures["hash"] = hex(hash.value());
  print(std::move(figures), options.json);
  return mismatches == 0 ? 0 : 1;
}

}  // namespace

int run_navmesh_carve(const NavmeshCarveOptions& options) {
  absl::StatusOr<NavmeshGround> ground =
      options.mesh.empty() ? open_navmesh_ground(options.open) : load_navmesh_ground(options.mesh);
  if (!ground.ok()) {
    std::cerr << "repath-bench: " << options.mesh << ": " << ground.status().message() << "\n";
    return 3;
  }
  const absl::StatusOr<CarvedMesh> bare = CarvedMesh::make(ground->source, options.cell_side);
  if (!bare.ok()) {
    std::cerr << "repath-bench: " << ground->name << ": " << bare.status().message() << "\n";
    return 3;
  }
  std::vector<EditRound> rounds;
  for (const std::size_t live : options.live)
    rounds.push_back(CarveRound(options, *ground, bare->clone(), live).run());
  return report_edits(options, ground->name, bare->base().cells_end(), rounds);
}

}  // namespace repath::bench

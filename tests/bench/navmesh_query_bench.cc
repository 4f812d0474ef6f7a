#include "bench/navmesh_query_bench.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "bench/carve_obstacles.h"
#include "bench/navmesh_ground.h"
#include "bench/output.h"
#include "bench/peer.h"
#include "bench/samples.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"

namespace repath::bench {
namespace {

// Heights of a base cell and of its fragments may differ by this.
constexpr double kEndsReach = 0.5;
constexpr double kLengthNoise = 1e-9;
constexpr std::size_t kTriesPerQuery = 200;

struct QueryEnds {
  Point from;
  Point to;
  double from_y = 0;
  double to_y = 0;
};

// The results of one search over all queries.
struct QuerySide {
  explicit QuerySide(std::size_t queries) : us(queries, 0), lengths(queries, -1) {}
  std::vector<double> us;       // the best of all passes
  std::vector<double> lengths;  // below 0: no path
  double expanded = 0;          // in the last pass
};

struct QueryLevel {
  std::size_t obstacles = 0;
  std::uint32_t cells = 0;
  QuerySide exact;
  QuerySide corridor;
};

class NavmeshQueryBench {
 public:
  NavmeshQueryBench(const NavmeshQueryOptions& options, std::string map, CarvedMesh bare)
      : options_(options),
        map_(std::move(map)),
        maker_(options.seed, options.radius, Rounds::kOctagons),
        bare_(std::move(bare)) {}

  // Returns false, with a message to the user, if there is no room for so many obstacles, or for
  // queries.
  bool prepare() {
    std::vector<std::size_t> numbers = options_.obstacles;
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    CarvedMesh carved = bare_.clone();
    for (const std::size_t number : numbers) {
      while (obstacles_.size() < number)
        if (!add_obstacle(&carved)) return false;
      numbers_.push_back(number);
    }
    choose_queries(carved);
    if (!queries_.empty()) return true;
    std::cerr << "repath-bench: the obstacles leave no two points with a path between them\n";
    return false;
  }

  // Asks the peer on the mesh as the file has it. REQUIRES: there is a peer.
  bool ask_peer() {
    std::vector<PeerQuery> queries;
    for (const QueryEnds& ends : queries_) queries.push_back({ends.from, ends.to});
    const auto answers = PeerFolder().ask(options_.peer, options_.mesh, queries);
    if (!answers) return false;
    peer_.emplace(queries_.size());
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      peer_->us[q] = (*answers)[q].us;
      peer_->lengths[q] = (*answers)[q].length;
    }
    return true;
  }

  void run() {
    CarvedMesh carved = bare_.clone();
    std::size_t there = 0;
    for (const std::size_t number : numbers_) {
      for (; there < number; ++there) mismatches_ += !carved.apply({&obstacles_[there], 1}).ok();
      measure(carved, number);
    }
  }

  int report() const {
    Json rows = Json::array();
    Hasher hash;
    const QueryLevel& fewest = levels_.front();
    if (peer_) {
      rows.push_back(row("peer", fewest, *peer_, *peer_));
      for (const char* of_our_mesh : {"expanded_mean", "cells"}) rows.back()[of_our_mesh] = nullptr;
    }
    for (const QueryLevel& level : levels_) {
      rows.push_back(row("any_angle", level, level.exact, fewest.exact));
      rows.push_back(row("corridor", level, level.corridor, fewest.corridor));
      for (const QuerySide* side : {&level.exact, &level.corridor})
        for (const double length : side->lengths) hash.add(length);
    }
    Json figures;
    figures["results"] = std::move(rows);
    figures["base_cells"] = bare_.base().cells_end();
    figures["radius"] = options_.radius;
    figures["passes"] = options_.passes;
    figures["landmarks"] = bare_.ground().landmarks().count();
    figures["mismatches"] = mismatches_;
    figures["hash"] = hex(hash.value());
    print(std::move(figures), options_.json);
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  bool add_obstacle(CarvedMesh* carved) {
    const std::optional<BenchObstacle> made = maker_.next(carved->ground());
    const absl::StatusOr<CarveEdit> edit =
        made ? upsert_of(ObstacleId{obstacles_.size() + 1}, *made)
             : absl::StatusOr<CarveEdit>(absl::NotFoundError("no free ground is left"));
    absl::Status status = edit.status();
    if (status.ok()) status = carved->apply({&*edit, 1}).status();
    if (status.ok()) {
      obstacles_.push_back(*edit);
      return true;
    }
    std::cerr << "repath-bench: no room for obstacle " << obstacles_.size() + 1 << ": "
              << status.message() << "\n";
    return false;
  }

  // Chooses pairs without a look at the obstacles: carving only takes ground away.
  void choose_queries(const CarvedMesh& carved) {
    const auto choose = [&](Point* at, double* y) {
      *at = maker_.random_point(carved.ground(), y);
      return carved.find_cell(*at, *y, kEndsReach);
    };
    for (std::size_t tries = kTriesPerQuery * options_.queries;
         tries > 0 && queries_.size() < options_.queries; --tries) {
      QueryEnds ends;
      const auto from = choose(&ends.from, &ends.from_y);
      const auto to = choose(&ends.to, &ends.to_y);
      if (!from || !to) continue;
      if (carved.mesh().component_of(from->cell) == carved.mesh().component_of(to->cell))
        queries_.push_back(ends);
    }
  }

  void measure(const CarvedMesh& carved, std::size_t number) {
    QueryLevel level{number, 0, QuerySide(queries_.size()), QuerySide(queries_.size())};
    const NavMesh& mesh = carved.mesh();
    for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) level.cells += mesh.is_live(c);
    for (unsigned pass = 0; pass < options_.passes; ++pass) {
      level.exact.expanded = level.corridor.expanded = 0;
      for (std::size_t q = 0; q < queries_.size(); ++q) {
        const auto from = carved.find_cell(queries_[q].from, queries_[q].from_y, kEndsReach);
        const auto to = carved.find_cell(queries_[q].to, queries_[q].to_y, kEndsReach);
        if (!from || !to) continue;  // counted below as a missing path
        search_exact(carved, *from, *to, pass, q, &level.exact);
        search_corridor(mesh, *from, *to, pass, q, &level.corridor);
      }
    }
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const double exact = level.exact.lengths[q];
      const double corridor = level.corridor.lengths[q];
      mismatches_ += exact < 0 || corridor < 0 || exact > corridor * (1 + kLengthNoise);
      const bool is_peers = peer_ && number == 0;
      if (is_peers) mismatches_ += std::abs(exact - peer_->lengths[q]) > kPeerNoise * exact;
      // Carving makes no path shorter.
      if (!levels_.empty()) mismatches_ += exact < levels_.back().exact.lengths[q] * (1 - kShorter);
    }
    levels_.push_back(std::move(level));
  }

  void search_exact(const CarvedMesh& carved, const MeshPlace& from, const MeshPlace& to,
                    unsigned pass, std::size_t q, QuerySide* side) {
    std::uint32_t plenty = ~std::uint32_t{0};
    path_.clear();
    const Stopwatch watch;
    exact_.begin(carved.mesh(), from, to, carved.ground().landmarks());
    const bool is_found = exact_.advance(&plenty) == Progress::kPathFound;
    if (is_found) exact_.append_path(&path_);
    note(watch.us(), pass, q, side);
    if (is_found) side->lengths[q] = exact_.path_length();
    side->expanded += static_cast<double>(exact_.expanded());
  }

  void search_corridor(const NavMesh& mesh, const MeshPlace& from, const MeshPlace& to,
                       unsigned pass, std::size_t q, QuerySide* side) {
    std::uint32_t plenty = ~std::uint32_t{0};
    const Stopwatch watch;
    corridor_.begin(mesh, from, to, filter_);
    const bool is_found = corridor_.advance(&plenty) == Progress::kPathFound;
    note(watch.us(), pass, q, side);
    if (is_found) side->lengths[q] = corridor_.length();
    side->expanded += static_cast<double>(corridor_.expanded());
  }

  static void note(double us, unsigned pass, std::size_t q, QuerySide* side) {
    side->us[q] = pass == 0 ? us : std::min(side->us[q], us);
  }

  // `fewest`: the same search with the fewest obstacles.
  Json row(const std::string& algorithm, const QueryLevel& level, const QuerySide& side,
           const QuerySide& fewest) const {
    const auto samples = [](const QuerySide& of) {
      Samples us;
      for (const double v : of.us) us.add(v);
      return us;
    };
    const Samples us = samples(side);
    const Samples first = samples(fewest);
    Samples excess;
    for (std::size_t q = 0; q < queries_.size(); ++q)
      if (level.exact.lengths[q] > 0 && side.lengths[q] >= 0)
        excess.add(std::max(0.0, side.lengths[q] / level.exact.lengths[q] - 1));
    Json json = {{"map", map_},
                 {"obstacles", level.obstacles},
                 {"algorithm", algorithm},
                 {"queries", queries_.size()},
                 {"mean_us", us.mean()},
                 {"p50_us", us.quantile(0.5)},
                 {"p99_us", us.quantile(0.99)},
                 {"p50_ratio", us.quantile(0.5) / first.quantile(0.5)},
                 {"p99_ratio", us.quantile(0.99) / first.quantile(0.99)},
                 {"excess_mean", excess.mean()},
                 {"excess_max", excess.quantile(1)},
                 {"expanded_mean", side.expanded / static_cast<double>(queries_.size())},
                 {"cells", level.cells}};
    if (peer_) json["p50_to_peer"] = us.quantile(0.5) / samples(*peer_).quantile(0.5);
    return json;
  }

  static constexpr double kShorter = 1e-4;  // corners are rounded to the lattice

  const NavmeshQueryOptions& options_;
  const std::string map_;
  ObstacleMaker maker_;
  const CarvedMesh bare_;
  std::vector<CarveEdit> obstacles_;
  std::vector<std::size_t> numbers_;  // ascending
  std::vector<QueryEnds> queries_;
  WithOwnCore<AnyAngleSearch> exact_;
  CorridorSearch corridor_;
  const NavFilter filter_;
  std::vector<PathCorner> path_;
  std::vector<QueryLevel> levels_;
  std::optional<QuerySide> peer_;
  std::size_t mismatches_ = 0;
};

}  // namespace

int run_navmesh_query(const NavmeshQueryOptions& options) {
  if (!options.peer.empty() &&
      std::ranges::find(options.obstacles, 0U) == options.obstacles.end()) {
    std::cerr
        << "repath-bench: the peer knows of no obstacles: --obstacles must have 0 among them\n";
    return 2;
  }
  absl::StatusOr<NavmeshGround> ground =
      options.mesh.empty() ? open_navmesh_ground(options.open) : load_navmesh_ground(options.mesh);
  absl::StatusOr<CarvedMesh> bare =
      ground.ok() ? CarvedMesh::make(ground->source, options.cell_side, options.landmarks)
                  : absl::StatusOr<CarvedMesh>(ground.status());
  if (!bare.ok()) {
    std::cerr << "repath-bench: " << options.mesh << ": " << bare.status().message() << "\n";
    return 3;
  }
  NavmeshQueryBench bench(options, ground->name, *std::move(bare));
  if (!bench.prepare()) return 2;
  if (!options.peer.empty() && !bench.ask_peer()) return report_failed_peer();
  bench.run();
  return bench.report();
}

}  // namespace repath::bench

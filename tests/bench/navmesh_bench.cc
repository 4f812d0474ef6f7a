#include "bench/navmesh_bench.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "bench/detour_side.h"
#include "bench/navmesh_ground.h"
#include "bench/output.h"
#include "bench/peer.h"
#include "bench/samples.h"
#include "navmesh/mesh/mesh_ray.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"

namespace repath::bench {
namespace {

// Relative error of Detour's lengths, which are sums of floats.
constexpr double kFloatNoise = 1e-5;

struct Answer {
  double length = -1;  // below 0: no path
  double noise = 0;    // possible error of the length
  std::uint64_t expanded = 0;
  std::size_t bytes = 0;
};

class Side {
 public:
  virtual ~Side() = default;
  // Searches from scratch to the path's points.
  virtual void search(std::size_t query, Answer* answer) = 0;
  // Returns the path found last; empty if the side does not give it.
  virtual const std::vector<PathCorner>& path() const = 0;
};

class ExactSide : public Side {
 public:
  ExactSide(const NavMesh& mesh, const std::vector<NavmeshQuery>& queries)
      : mesh_(mesh), queries_(queries) {}
  void search(std::size_t query, Answer* answer) override {
    path_.clear();
    search_.begin(mesh_, queries_[query].from, queries_[query].to);
    std::uint32_t plenty = ~std::uint32_t{0};
    if (search_.advance(&plenty) == Progress::kPathFound) {
      search_.append_path(&path_);
      answer->length = search_.path_length();
    }
    answer->expanded = search_.expanded();
    answer->bytes = search_.bytes();
  }
  const std::vector<PathCorner>& path() const override { return path_; }

 private:
  const NavMesh& mesh_;
  const std::vector<NavmeshQuery>& queries_;
  WithOwnCore<AnyAngleSearch> search_;
  std::vector<PathCorner> path_;
};

class CorridorSide : public Side {
 public:
  CorridorSide(const NavMesh& mesh, const std::vector<NavmeshQuery>& queries)
      : mesh_(mesh), queries_(queries) {}
  void search(std::size_t query, Answer* answer) override {
    search_.begin(mesh_, queries_[query].from, queries_[query].to, filter_);
    std::uint32_t plenty = ~std::uint32_t{0};
    if (search_.advance(&plenty) == Progress::kPathFound) answer->length = search_.length();
    answer->expanded = search_.expanded();
    answer->bytes = search_.bytes();
  }
  const std::vector<PathCorner>& path() const override {
    path_.clear();
    for (const CorridorCorner& corner : search_.path()) path_.push_back({corner.at, corner.vertex});
    return path_;
  }

 private:
  const NavMesh& mesh_;
  const std::vector<NavmeshQuery>& queries_;
  const NavFilter filter_;
  CorridorSearch search_;
  mutable std::vector<PathCorner> path_;
};

class DetourAsSide : public Side {
 public:
  DetourAsSide(const NavMesh& mesh, const std::vector<NavmeshQuery>& queries,
               std::unique_ptr<DetourSide> detour)
      : detour_(std::move(detour)) {
    for (const NavmeshQuery& query : queries)
      for (const MeshPlace& end : {query.from, query.to})
        ends_.push_back(
            detour_->locate(end.point().x, mesh.height_at(end.cell, end.x, end.z), end.point().z));
  }
  void search(std::size_t query, Answer* answer) override {
    answer->length = detour_->search(ends_[2 * query], ends_[2 * query + 1]);
    answer->noise = kFloatNoise * (1 + answer->length) + detour_->noise();
  }
  const std::vector<PathCorner>& path() const override { return none_; }

 private:
  std::unique_ptr<DetourSide> detour_;
  std::vector<DetourSide::Place> ends_;
  const std::vector<PathCorner> none_;
};

// Returns whether every part lies on the ground and the parts add up. A ray starts in a cell that
// holds its begin, on the floor where the last ray ended.
bool is_on_ground(const NavMesh& mesh, const NavmeshQuery& query,
                  const std::vector<PathCorner>& path, double length) {
  if (path.empty()) return true;
  MeshPlace at = query.from;
  double sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool is_vertex = path[i].vertex != ~std::uint32_t{0};
    const LatticePoint v = is_vertex ? mesh.vertex(path[i].vertex).at : LatticePoint{};
    const double x = is_vertex ? v.x : query.to.x;
    const double z = is_vertex ? v.z : query.to.z;
    sum += from_steps(std::hypot(x - at.x, z - at.z));
    const RayResult ray = cast_ray(mesh, at, x, z, {}, nullptr);
    if (!ray.is_free) return false;
    at = ray.end;
  }
  return std::abs(sum - length) <= 1e-9 * (1 + length);
}

struct SideRow {
  std::string algorithm;
  std::unique_ptr<Side> side;  // null: it was asked for all answers at once
  bool is_ours = false;
  std::vector<double> us;  // by query; the best of all passes
  std::vector<Answer> answers;
  std::uint64_t mismatches = 0;
};

class NavmeshStatic {
 public:
  NavmeshStatic(const NavmeshOptions& options, NavMesh mesh)
      : options_(options), mesh_(std::move(mesh)) {
    queries_ = options.scen.empty()
                   ? random_navmesh_queries(mesh_, options.queries == 0 ? 1000 : options.queries,
                                            options.seed)
                   : load_navmesh_queries(options.scen, mesh_, &skipped_);
    if (options.queries != 0 && queries_.size() > options.queries) thin_out(options.queries);
  }

  // Returns false for an unknown algorithm, or one that cannot take the mesh.
  bool add(const std::string& algorithm, std::string* why) {
    SideRow row;
    row.algorithm = algorithm;
    row.is_ours = algorithm != "detour";
    if (algorithm == "any_angle") {
      row.side = std::make_unique<ExactSide>(mesh_, queries_);
    } else if (algorithm == "corridor") {
      row.side = std::make_unique<CorridorSide>(mesh_, queries_);
    } else if (algorithm == "detour") {
      std::unique_ptr<DetourSide> detour = DetourSide::make(mesh_, why);
      if (!detour) return false;
      detour_polygons_ = detour->polygons();
      row.side = std::make_unique<DetourAsSide>(mesh_, queries_, std::move(detour));
    } else {
      *why = "there is no algorithm '" + algorithm + "'; there are: any_angle corridor detour";
      return false;
    }
    rows_.push_back(std::move(row));
    return true;
  }

  bool ask_peer() {
    std::vector<PeerQuery> queries;
    for (const NavmeshQuery& q : queries_) queries.push_back({q.from.point(), q.to.point()});
    const auto answers = PeerFolder().ask(options_.peer, options_.mesh, queries);
    if (!answers) return false;
    SideRow row;
    row.algorithm = "peer";
    for (const PeerAnswer& answer : *answers) {
      row.us.push_back(answer.us);
      row.answers.push_back({answer.length, kPeerNoise * answer.length});
    }
    rows_.push_back(std::move(row));
    return true;
  }

  // Measures the sides in turns, so that other work of the machine affects all of them.
  void measure() {
    for (unsigned pass = 0; pass < options_.passes; ++pass)
      for (SideRow& row : rows_)
        for (std::size_t q = 0; row.side != nullptr && q < queries_.size(); ++q)
          measure_one(pass, q, &row);
    find_optima();
    for (SideRow& row : rows_) check(&row);
  }

  int report() const {
    Json rows = Json::array();
    Hasher hash;
    std::uint64_t mismatches = 0;
    for (const SideRow& row : rows_) {
      rows.push_back(json_of(row));
      mismatches += row.mismatches;
      if (row.is_ours)
        for (const Answer& answer : row.answers) hash.add(answer.length);
    }
    Json figures;
    figures["results"] = std::move(rows);
    figures["cells"] = mesh_.cells_end();
    figures["detour_polygons"] = detour_polygons_;
    figures["passes"] = options_.passes;
    figures["skipped"] = skipped_;
    figures["shorter_than_scenario"] = shorter_;
    figures["hash"] = hex(hash.value());
    print(std::move(figures), options_.json);
    return mismatches == 0 ? 0 : 1;
  }

 private:
  void thin_out(std::size_t size) {
    std::vector<NavmeshQuery> kept;
    for (std::size_t i = 0; i < size; ++i) kept.push_back(queries_[i * queries_.size() / size]);
    queries_ = std::move(kept);
  }

  void measure_one(unsigned pass, std::size_t q, SideRow* row) {
    Answer answer;
    const Stopwatch watch;
    row->side->search(q, &answer);
    const double us = watch.us();
    if (pass > 0) {
      row->us[q] = std::min(row->us[q], us);
      return;
    }
    row->us.push_back(us);
    row->answers.push_back(answer);
    row->mismatches += !is_on_ground(mesh_, queries_[q], row->side->path(), answer.length);
  }

  // Takes the exact side's lengths if it runs, otherwise the best ones.
  void find_optima() {
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      double best = queries_[q].length;
      for (const SideRow& row : rows_)
        if (row.answers[q].length >= 0 && (best < 0 || row.answers[q].length < best))
          best = row.answers[q].length;
      for (const SideRow& row : rows_)
        if (row.algorithm == "any_angle") best = row.answers[q].length;
      optima_.push_back(best);
      shorter_ += best < queries_[q].length - queries_[q].tolerance;
    }
  }

  // A path longer than the scenario's is not a shortest one. A shorter path on the ground shows
  // that the scenario's is not a shortest one.
  void check(SideRow* row) {
    const bool is_exact = row->algorithm == "any_angle";
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const double length = row->answers[q].length;
      bool is_wrong = length < 0 || length < optima_[q] * (1 - 1e-9) - row->answers[q].noise;
      if (is_exact && queries_[q].length >= 0)
        is_wrong |= length > queries_[q].length + queries_[q].tolerance;
      for (const SideRow& other : rows_)
        is_wrong |= is_exact && other.answers[q].length >= 0 &&
                    length > other.answers[q].length * (1 + 1e-9) + other.answers[q].noise;
      row->mismatches += is_wrong;
    }
  }

  Json json_of(const SideRow& row) const {
    Samples us;
    Samples excess;
    double expanded = 0;
    std::size_t bytes = 0;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      us.add(row.us[q]);
      expanded += static_cast<double>(row.answers[q].expanded);
      bytes = std::max(bytes, row.answers[q].bytes);
      if (optima_[q] > 0 && row.answers[q].length >= 0)
        excess.add(std::max(0.0, row.answers[q].length / optima_[q] - 1));
    }
    Json json;
    json["map"] = std::filesystem::path(options_.mesh).stem().string();
    json["algorithm"] = row.algorithm;
    json["queries"] = queries_.size();
    json["mismatches"] = row.mismatches;
    json["mean_us"] = us.mean();
    json["p50_us"] = us.quantile(0.5);
    json["p99_us"] = us.quantile(0.99);
    json["excess_mean"] = excess.mean();
    json["excess_max"] = excess.quantile(1);
    json["expanded_mean"] = nullptr;
    json["bytes"] = nullptr;
    if (row.is_ours) {
      json["expanded_mean"] =
          expanded / static_cast<double>(std::max<std::size_t>(1, queries_.size()));
      json["bytes"] = bytes;
    }
    return json;
  }

  const NavmeshOptions& options_;
  NavMesh mesh_;
  std::vector<NavmeshQuery> queries_;
  std::size_t skipped_ = 0;
  std::size_t shorter_ = 0;
  std::size_t detour_polygons_ = 0;
  std::vector<SideRow> rows_;
  std::vector<double> optima_;
};

}  // namespace

int run_navmesh_static(const NavmeshOptions& options) {
  absl::StatusOr<NavMesh> mesh = load_navmesh(options.mesh);
  if (!mesh.ok()) {
    std::cerr << "repath-bench: " << options.mesh << ": " << mesh.status().message() << "\n";
    return 3;
  }
  NavmeshStatic bench(options, *std::move(mesh));
  for (const std::string& algorithm : options.algorithms) {
    std::string why;
    if (bench.add(algorithm, &why)) continue;
    std::cerr << "repath-bench: " << why << "\n";
    return 2;
  }
  if (!options.peer.empty() && !bench.ask_peer()) return report_failed_peer();
  bench.measure();
  return bench.report();
}

}  // namespace repath::bench

// Exact answers about any view of the model at any revision. Fields are kept while memory allows,
// so that agents with equal goals share one. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "verify/field.h"
#include "verify/world_model.h"

namespace repath::verify {

class Oracle {
 public:
  // Borrows `world`.
  explicit Oracle(WorldModel& world) : world_(world) {}

  const Ground& ground(int view, std::uint64_t revision) { return world_.view(view).at(revision); }

  // Returns the least cost from `from` to one of `goals`; kInfinity if there is no way.
  double distance(int view, std::uint64_t revision, const std::vector<Cell>& goals, Cell from);

  // The end of a partial path: the reachable cells of least metric distance to a goal, and among
  // them the least cost.
  struct Nearest {
    double metric = kInfinity;
    double cost = kInfinity;
  };
  Nearest nearest_reachable(int view, std::uint64_t revision, const std::vector<Cell>& goals,
                            Cell from);

 private:
  struct Kept {
    Field field;
    std::uint64_t used;
  };
  using Key = std::tuple<int, std::uint64_t, std::vector<Cell>>;

  Field& field(int view, std::uint64_t revision, const std::vector<Cell>& goals);
  void make_room();

  WorldModel& world_;
  std::map<Key, Kept> fields_;
  std::size_t bytes_ = 0;
  std::uint64_t clock_ = 0;
};

// Returns the least metric distance from `cell` to one of `goals`.
double metric_to(const Ground& ground, const std::vector<Cell>& goals, Cell cell);

}  // namespace repath::verify

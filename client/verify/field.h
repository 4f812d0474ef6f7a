// The checker's search: exact distances from every cell to the nearest of some goals, by Dijkstra's
// method with no memory from one revision to the next. Costs are the same in both directions, so
// that a field rooted at one cell also gives the distances from it.
//
// Queue: buckets one cell wide. Every step costs at least 1, so cells of the lowest bucket cannot
// improve each other, and the order within a bucket does not matter (Denardo and Fox, 1979). The
// search is lazy: distance_to() goes on until its cell is final. The ground must be the same at
// every call. Thread rule: one thread.
#pragma once

#include <vector>

#include "verify/ground.h"

namespace repath::verify {

class Field {
 public:
  // Begins at the free cells of `goals`.
  Field(const Ground& ground, const std::vector<Cell>& goals);

  // Returns the least cost from `cell` to a goal; kInfinity if there is no way. At most O(cells) in
  // all calls together.
  double distance_to(const Ground& ground, Cell cell);

  // Returns the final distances of all cells.
  const std::vector<double>& all(const Ground& ground);

  std::size_t bytes() const { return distance_.size() * sizeof(double); }

 private:
  void reach(Cell cell, double distance);  // at less than before
  void settle_next_bucket(const Ground& ground);
  bool done() const { return queued_ == 0; }

  std::vector<double> distance_;
  std::vector<std::vector<Cell>> buckets_;  // a ring that is longer than any step
  std::vector<Cell> settling_;
  long bucket_ = 0;  // every distance below it is final
  std::size_t queued_ = 0;
};

}  // namespace repath::verify

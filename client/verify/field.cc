#include "verify/field.h"

namespace repath::verify {
namespace {

// Above the dearest step: a diagonal between cells of factor 1000.
constexpr long kRing = 2048;

}  // namespace

Field::Field(const Ground& ground, const std::vector<Cell>& goals)
    : distance_(ground.factor.size(), kInfinity), buckets_(kRing) {
  for (const Cell goal : goals) {
    if (ground.free(goal)) reach(goal, 0);
  }
}

void Field::reach(Cell cell, double distance) {
  distance_[static_cast<std::size_t>(cell)] = distance;
  buckets_[static_cast<std::size_t>(static_cast<long>(distance) % kRing)].push_back(cell);
  ++queued_;
}

void Field::settle_next_bucket(const Ground& ground) {
  settling_.clear();
  settling_.swap(buckets_[static_cast<std::size_t>(bucket_ % kRing)]);
  queued_ -= settling_.size();
  for (const Cell cell : settling_) {
    const double here = distance_[static_cast<std::size_t>(cell)];
    if (static_cast<long>(here) != bucket_) continue;  // is final at a lower cost
    ground.for_each_step(cell, [&](Cell next, double cost) {
      if (here + cost < distance_[static_cast<std::size_t>(next)]) reach(next, here + cost);
    });
  }
  ++bucket_;
}

double Field::distance_to(const Ground& ground, Cell cell) {
  while (!done() && distance_[static_cast<std::size_t>(cell)] >= static_cast<double>(bucket_)) {
    settle_next_bucket(ground);
  }
  return distance_[static_cast<std::size_t>(cell)];
}

const std::vector<double>& Field::all(const Ground& ground) {
  while (!done()) settle_next_bucket(ground);
  return distance_;
}

}  // namespace repath::verify

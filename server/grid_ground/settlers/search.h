// The last settler: any other search from scratch. It cannot be switched off.
//
// Why it is exact: D* Lite, A* and LPA* find an optimal path of the revision that they read, and
// the flood behind PARTIAL visits everything that can be reached. Their results go through all
// deltas since (Settling::finish).
//
// D* Lite keeps its state for the settler `repair`.
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class SearchSettler final : public Settler {
 public:
  explicit SearchSettler(Planning& planning) : p_(planning) {}
  // kJob.
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

}  // namespace repath

// `repath-bench graph-settle`: the cost of settling the agents of a graph of roads when one road
// shuts near a path or far from all, and when it opens again, for each strategy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace repath::bench {

struct GraphSettleOptions {
  unsigned side = 110;  // nodes along a side of the lattice that the roads are drawn on
  std::size_t agents = 200;
  std::size_t goals = 0;     // number of goals that the agents share; 0: each has its own
  std::size_t events = 200;  // of each kind
  std::uint64_t seed = 1;
  bool json = false;
};

// Returns 0, 1 if strategies settled an agent on different costs, 2 if there is no room.
int run_graph_settle(const GraphSettleOptions& options);

}  // namespace repath::bench

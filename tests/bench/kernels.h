// The kernels that repath-bench runs by name, each as a search from scratch from one node to
// another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "engine/snapshot.h"
#include "search/graph.h"

namespace repath::bench {

// The result of one search.
struct Found {
  bool is_refused = false;   // by the search's own limits: the result says nothing about the path
  std::string why;           // cause of the refusal
  Cost cost = kUnreachable;  // cost of the path; for bfs of the path with the fewest steps
  std::optional<Cost> lower_bound;  // set by kernels that do not promise the optimum
  std::uint64_t expanded = 0;
  std::size_t bytes = 0;     // memory of the search when it ended
  std::vector<NodeId> path;  // every cell
  // Time of what the kernel made once for all its searches, and what a query would make for itself.
  double shared_us = 0;

  // Clears the result but keeps the path's memory, as a caller that asks repeatedly would.
  void clear() {
    std::vector<NodeId> kept = std::move(path);
    kept.clear();
    *this = {};
    path = std::move(kept);
  }
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string_view name() const = 0;
  // Searches from scratch, as a service would be asked. Clears and fills `*out`.
  virtual void search(NodeId from, NodeId to, Found* out) = 0;
};

// Returns the names in a fixed order.
const std::vector<std::string>& kernel_names();
// Returns null for an unknown name. `limits` apply to ida and sma. Borrows `ground`.
std::unique_ptr<Kernel> make_kernel(std::string_view name, const Snapshot& ground,
                                    const SearchLimits& limits);

}  // namespace repath::bench

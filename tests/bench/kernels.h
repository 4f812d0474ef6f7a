// The kernels that repath-bench runs by name, each as a fresh search from one node to another.
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
#include "search/limits.h"

namespace repath::bench {

// What one search came to.
struct Found {
  bool is_refused = false;          // by the search's own limits: nothing is said of the path
  std::string why;                  // it was
  Cost cost = kUnreachable;         // of the path; of bfs the one with the fewest steps
  std::optional<Cost> lower_bound;  // of a kernel that does not promise the optimum
  std::uint64_t expanded = 0;
  std::size_t bytes = 0;     // the search's own memory when it ended
  std::vector<NodeId> path;  // every cell

  // Keeps the path's memory, as who asks again and again would.
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
  // From nothing to the path, as a service would be asked. Clears and fills `*out`.
  virtual void search(NodeId from, NodeId to, Found* out) = 0;
};

// Names in a fixed order.
const std::vector<std::string>& kernel_names();
// `limits` are those of ida and sma. Null: no kernel has the name. Borrows `ground`.
std::unique_ptr<Kernel> make_kernel(std::string_view name, const Snapshot& ground,
                                    const SearchLimits& limits);

}  // namespace repath::bench

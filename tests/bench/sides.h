// The ways to keep one walking agent's path right that `repath-bench dynamic` compares. All see the
// same changes of the same world, and the agent at the same cells.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cost.h"
#include "bench/without.h"
#include "world/world.h"

namespace repath::bench {

struct Answer {
  Cost cost = kUnreachable;
  std::vector<NodeId> path;  // every cell from the agent on; empty if there is none
};

class Side {
 public:
  virtual ~Side() = default;

  // Finds the first path of an agent.
  virtual void begin(NodeId from, NodeId to) = 0;
  // Moves the agent to `rest`.front(). `rest` is the rest of the scout's path, an optimal one; a
  // side that holds another path of the same cost may continue with it.
  virtual void move(std::span<const NodeId> rest) = 0;
  // Report that the world is about to change, and that it has changed. The answer must be right
  // when the call returns.
  virtual void before_change() {}
  virtual void on_change(Commit commit) = 0;

  // Returns the present answer; not measured.
  virtual Answer answer() const = 0;
};

const std::vector<std::string>& side_names();
// Returns null for an unknown name. Borrows `world`, whose view `view` is in use.
std::unique_ptr<Side> make_side(const SideName& name, World& world, ViewId view);

}  // namespace repath::bench

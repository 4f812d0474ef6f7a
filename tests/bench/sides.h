// The ways to keep one walking agent's path right that `repath-bench dynamic` sets side by side.
// All see the same changes of the same world and the agent at the same cells.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cost.h"
#include "world/world.h"

namespace repath::bench {

struct Answer {
  Cost cost = kUnreachable;
  std::vector<NodeId> path;  // every cell from the agent on; empty if there is none
};

class Side {
 public:
  virtual ~Side() = default;

  // The first path of an agent.
  virtual void begin(NodeId from, NodeId to) = 0;
  // The agent stands elsewhere now: at `rest`.front(), which is what is left of the path that the
  // scout was given, an optimal one. A side that holds another path of the same cost may go on with
  // this one.
  virtual void move(std::span<const NodeId> rest) = 0;
  // The world is about to change, and has changed. A side owes its answer when the call returns.
  virtual void before_change() {}
  virtual void on_change(Commit commit) = 0;

  // What it would tell the agent now. Not measured.
  virtual Answer answer() const = 0;
};

const std::vector<std::string>& side_names();
// Null: there is no such side. Borrows `world`, whose view `view` is in use.
std::unique_ptr<Side> make_side(std::string_view name, World& world, ViewId view);

}  // namespace repath::bench

// The ways to keep the paths of many agents with one goal right that `repath-bench field` compares.
// All see the same changes of the same world; the agents stand still.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cost.h"
#include "bench/without.h"
#include "world/world.h"

namespace repath::bench {

struct Crowd {
  NodeId goal{};
  std::vector<NodeId> agents;
};

class CrowdSide {
 public:
  virtual ~CrowdSide() = default;

  // Finds the first path of every agent.
  virtual void begin() = 0;
  // Reports that the world is about to change; not measured.
  virtual void before_change() {}
  // Reports that the world has changed; `delta` is the view's part of `commit`. All answers must be
  // right when the call returns.
  virtual void on_change(const Commit& commit, const ViewDelta& delta) = 0;

  // Return the present answer for the agent, not measured: the cost, and every cell from the agent
  // to the goal.
  virtual Cost cost(std::uint32_t agent) const = 0;
  virtual std::span<const NodeId> path(std::uint32_t agent) const = 0;
  // Returns the memory beside the paths.
  virtual std::size_t bytes() const = 0;
};

const std::vector<std::string>& crowd_side_names();
// Returns null for an unknown name. Borrows `world`, whose view `view` is in use, and `crowd`.
// REQUIRES: the view keeps a jump map and is uniform.
std::unique_ptr<CrowdSide> make_crowd_side(const SideName& name, World& world, ViewId view,
                                           const Crowd& crowd);

}  // namespace repath::bench

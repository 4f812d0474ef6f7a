// Not a verdict but what the settlers after it need: the jump map of the agent's view.
//
// An agent whose question jump point search can answer waits until the map is made. A large map
// takes the work of many searches, so making it gets half of each frame at most. Switched off with
// the settler `jumps`.
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class JumpMapSettler final : public Settler {
 public:
  explicit JumpMapSettler(Planning& planning) : p_(planning) {}
  // kNext or kLater.
  Tried attempt(Turn* turn) override;

 private:
  bool is_made(ViewId view);

  Planning& p_;
};

}  // namespace repath

// The ground of a mesh as those see it who look at it: its cells and links. Graphs have no such
// view.
//
// Thread rule: as routes/route_ground.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agents/route.h"

namespace repath {

struct GroundCell {
  std::vector<Spot> corners;  // counterclockwise
  std::uint8_t area = 0;
  std::uint16_t flags = 0;
  double factor = 1;  // on top of what the area costs
};
struct GroundLink {
  std::uint64_t id = 0;
  Spot from;
  Spot to;
  double factor = 1;
  bool both_ways = true;
  bool enabled = true;
};

class GroundView {
 public:
  virtual ~GroundView() = default;

  // Appends at most `most` cells, from the place `first` on, ascending. Returns the place to go on
  // from; empty: these were the last.
  virtual std::optional<std::uint32_t> append_cells(std::uint32_t first, std::size_t most,
                                                    std::vector<GroundCell>* cells) const = 0;
  virtual std::vector<GroundLink> links() const = 0;
};

}  // namespace repath

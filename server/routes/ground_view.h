// The ground of a mesh for display: its cells and links. Graphs have no such view.
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
  double factor = 1;  // multiplies the factor of the area
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

  // Appends at most `most` cells, from index `first` on, ascending. Returns the index to go on
  // from; empty after the last cell.
  virtual std::optional<std::uint32_t> append_cells(std::uint32_t first, std::size_t most,
                                                    std::vector<GroundCell>* cells) const = 0;
  virtual std::vector<GroundLink> links() const = 0;
};

}  // namespace repath

// Finds all cells of a carved navmesh within a cost of a place, or from which one of several places
// can be reached within it; see routes/nav_ground.h.
//
// The cost of a cell is that of the way to its nearest point. If all ground has factor 1 and no
// link can be taken, CellsWithin finds it exactly. Otherwise CorridorSearch is asked, too or alone.
// Its ways, pulled tight, lead to the point where they enter a cell. They cost at least the
// optimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "routes/nav_ground.h"
#include "routes/nav_kernels.h"
#include "routes/query_ground.h"

namespace repath {

enum class FloodDirection : std::uint8_t { kFrom, kTo };

class NavFlood final : public RouteFlood {
 public:
  // Floods from the place, or to the nearest of the places. The places are searched one after the
  // other, and each cell keeps its cheapest way. Ground costs the same both ways; links do not.
  // REQUIRES: 1 or more places.
  NavFlood(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
           FloodDirection direction, std::span<const RoutePlace> places, Cost most);
  ~NavFlood() override;
  NavFlood(const NavFlood&) = delete;
  NavFlood& operator=(const NavFlood&) = delete;

  // Pulling one way tight counts as one expansion, too.
  Progress advance(std::uint32_t* expansions) override;
  bool is_exact() const override { return !asks_corridors_; }
  void append_pieces(std::vector<ReachedPiece>* out) const override;
  std::uint64_t expanded() const override { return expanded_; }

 private:
  enum class Stage { kAnyAngle, kCorridor, kPull, kDone };
  struct Entry {
    Cost cost = kUnreachable;
    double x = 0;  // lattice steps
    double z = 0;
    std::uint32_t before = kNoCell;  // the cell before; its own index where ways begin
    Point bend;                      // world units
    std::uint32_t link = kNoLink;
  };

  void begin_place();
  void begin_corridors();
  void end_place();
  void take_any_angle();
  bool pull_one();
  void note(std::uint32_t cell, const Entry& entry);
  void settle();

  const NavGround* ground_;
  std::shared_ptr<const NavKernels> kernels_;
  std::unique_ptr<NavKernel> kernel_;  // while it runs
  FloodDirection direction_;
  std::vector<MeshPlace> places_;
  std::size_t next_ = 0;  // index of the place whose turn it is
  Cost most_;
  bool asks_corridors_;
  Stage stage_ = Stage::kDone;
  std::size_t pulled_ = 0;
  std::vector<Entry> entries_;        // by cell
  std::vector<std::uint32_t> cells_;  // cells that have an entry; in order at the end
  std::uint64_t expanded_ = 0;
};

}  // namespace repath

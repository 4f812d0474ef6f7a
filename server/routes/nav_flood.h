// All cells of a carved navmesh within a cost; see routes/nav_ground.h.
//
// A cell costs what the way to the nearest point of it does. Where all ground counts as it is,
// AnyAngleSearch finds that exactly, over the ground alone. Where links can be taken, or ground
// counts for more, CorridorSearch is asked (too): its ways, pulled tight, lead to the point where
// they enter a cell, and are no cheaper than the least there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routes/nav_ground.h"
#include "routes/nav_kernels.h"
#include "routes/route_ground.h"

namespace repath {

class NavFlood final : public RouteFlood {
 public:
  NavFlood(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
           const RoutePlace& from, Cost most);
  ~NavFlood() override;
  NavFlood(const NavFlood&) = delete;
  NavFlood& operator=(const NavFlood&) = delete;

  // Pulling one way tight is one expansion, too.
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
    std::uint32_t before = kNoCell;  // the cell; its own where ways begin
  };

  void begin_corridors();
  void take_any_angle();
  bool pull_one();
  void note(std::uint32_t cell, const Entry& entry);
  void settle();

  const NavGround* ground_;
  std::shared_ptr<const NavKernels> kernels_;
  std::unique_ptr<NavKernel> kernel_;  // while it runs
  MeshPlace from_;
  Cost most_;
  bool asks_corridors_;
  Stage stage_ = Stage::kDone;
  std::size_t pulled_ = 0;
  std::vector<Entry> entries_;        // by cell
  std::vector<std::uint32_t> cells_;  // that have one; in order once all is done
  std::uint64_t expanded_ = 0;
};

}  // namespace repath

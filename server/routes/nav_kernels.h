// Searches of one mesh that wait to be used again. They keep their memory, which is of the order of
// the mesh. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/cells_within.h"
#include "navmesh/search/corridor.h"
#include "navmesh/search/lengths_from.h"
#include "navmesh/search/nearest_far_place.h"

namespace repath {

// The any-angle searches share a core: one of them runs at a time.
struct NavKernel {
  ConeCore cones;
  AnyAngleSearch any_angle{&cones};
  LengthsFrom lengths_from{&cones};
  CellsWithin cells_within{&cones};
  NearestFarPlace nearest_far_place{&cones};
  CorridorSearch corridor;
};

class NavKernels {
 public:
  NavKernels() = default;
  NavKernels(const NavKernels&) = delete;
  NavKernels& operator=(const NavKernels&) = delete;
  ~NavKernels() {
    for (std::atomic<NavKernel*>& idle : idle_) delete idle.load();
  }

  std::unique_ptr<NavKernel> take() const {
    for (std::atomic<NavKernel*>& idle : idle_)
      if (NavKernel* kernel = idle.exchange(nullptr)) return std::unique_ptr<NavKernel>(kernel);
    return std::make_unique<NavKernel>();
  }
  void give(std::unique_ptr<NavKernel> kernel) const {
    for (std::atomic<NavKernel*>& idle : idle_) {
      NavKernel* none = nullptr;
      if (!idle.compare_exchange_strong(none, kernel.get())) continue;
      kernel.release();
      return;
    }
  }

 private:
  mutable std::array<std::atomic<NavKernel*>, 4> idle_{};
};

// Gives a kernel back to where it was taken from. Destroys it instead after a failed check, because
// it may have been at work.
struct GiveBack {
  std::shared_ptr<const NavKernels> kernels;
  void operator()(NavKernel* kernel) const {
    std::unique_ptr<NavKernel> owned(kernel);
    if (std::uncaught_exceptions() == 0) kernels->give(std::move(owned));
  }
};
// A kernel that goes back when its holder lets go of it.
using LentKernel = std::unique_ptr<NavKernel, GiveBack>;

inline LentKernel lend(std::shared_ptr<const NavKernels> kernels) {
  NavKernel* kernel = kernels->take().release();
  return {kernel, GiveBack{std::move(kernels)}};
}

}  // namespace repath

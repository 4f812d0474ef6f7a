// Proof without a search that no path connects a place and a goal set. An agent that is cut off
// would otherwise expand all it can reach, at every door that opens anywhere.
//
// Keeps the components of the views that were asked for; from then on commits only mark what they
// touch, and the next question brings the labels up to date. Not thread-safe. Borrows the world.
#pragma once

#include <cstdint>
#include <map>

#include "base/ids.h"
#include "grid/cells/goals.h"
#include "grid/components/components.h"
#include "world/world.h"

namespace repath {

class Reachability {
 public:
  // Units that a commit may spend on the labels of one view: about 0.2 ms.
  static constexpr WorkUnits kUnitsAtCommit = 2048;
  // Agents of a view that a commit looks at for whether they are enclosed; labels answer for many
  // at less.
  static constexpr std::size_t kLooksAtCommit = 8;

  explicit Reachability(const World& world) : world_(world) {}

  // Keeps labels of the view, because questions about it pay from now on. REQUIRES: in use. O(map /
  // 1024 cells) the first time.
  void keep(ViewId view);
  // Drops the labels of a view that is not in use any more.
  void drop(ViewId view);
  // Takes in what a commit freed and blocked; after it was made, before the next question.
  void on_commit(const Commit& commit);

  // Brings the view's labels up to the world's revision, for at most `*left` units. Takes the units
  // it used off `*left` and adds them to `*units`. Returns false if the labels are not there yet,
  // or not kept.
  bool update(ViewId view, WorkUnits* left, WorkUnits* units);
  // Returns about how many units update() would take now; 0: the labels are current. REQUIRES:
  // kept.
  WorkUnits units_behind(ViewId view) const { return views_.at(view).components.units_behind(); }
  // Returns whether no path leads from `from` to any of the goals. REQUIRES: update() returned
  // true, and no commit since. O(goal nodes), added to `*units`.
  bool are_apart(ViewId view, NodeId from, const Goals& goals, WorkUnits* units) const;

  // Returns whether a look around the goals or around `from` shows that no path leads from one to
  // the other (grid/components/surroundings.h). For one agent this is cheaper than labels, which
  // need not be current or kept here. False proves nothing. O(goal nodes), 64 of them at most.
  bool is_enclosed(ViewId view, NodeId from, const Goals& goals) const;

  // Returns whether all cells that were connected at `since` still are, so that no agent need be
  // checked for being cut off. It is true if every commit since then closed only cells that cannot
  // part the ground (grid/components/surroundings.h). False proves nothing. O(log views).
  bool is_whole_since(ViewId view, Revision since) const;

  std::uint64_t bytes() const;

 private:
  struct Kept {
    Components components;
    Revision parted_at{};  // the last revision that may have parted ground
  };

  const World& world_;
  std::map<ViewId, Kept> views_;
};

}  // namespace repath

// The goal sets in use in one world: agents with equal goals, radius, profile and team share one
// entry.
//
// Each use of an entry holds one use of its view, so the world knows how many agents keep a view in
// use. A view is open in the log for as long as an entry uses it. Not thread-safe. Borrows world
// and log, which must outlive it.
//
// `Table` derives from this class, and defines:
//   `acquire_view`  acquires a use of the view that a spec asks for. Views that lose their last use
//                   with `ending` do not count against the limit of views.
//   `key_point`     the part of a goal's position that counts.
//   `make_entry`    the entry of a spec; `points` are those of its goals, ascending.
//   `close_entry`   called before an entry goes.
//   `close_view`    called when no entry uses the view any more.
// `Entry` has a `view`, and the number of `agents` that use it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "base/ending_uses.h"
#include "verdicts/agent_record.h"

namespace repath {

template <class Table, class World, class Log, class Entry>
class GoalTableCore {
 public:
  using View = std::remove_const_t<decltype(Entry::view)>;

  // Adds a use of the entry for these goals. Fails as the world's acquire_view does. `ending`: the
  // uses of views that the caller ends by release() once it has acquired all that it needs.
  // REQUIRES: valid points and radius.
  absl::StatusOr<GoalsId> acquire(const AgentSpec& spec, const EndingUses<View>& ending = {}) {
    const absl::StatusOr<View> view = table().acquire_view(spec, ending);
    if (!view.ok()) return view.status();
    std::vector<KeyPoint> points;
    for (const MapPoint& goal : spec.goals) points.push_back(table().key_point(spec, goal));
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    const auto [known, is_new] = by_key_.try_emplace({*view, spec.goal_radius, std::move(points)});
    if (!is_new) {
      ++(*this)[known->second].agents;
      return known->second;
    }
    if (view_uses_[*view]++ == 0) log_.open(*view, world_.revision());
    if (empty_.empty()) {
      empty_.push_back(static_cast<std::uint32_t>(entries_.size()));
      entries_.emplace_back();
      keys_.emplace_back();
    }
    const std::uint32_t at = empty_.back();
    empty_.pop_back();
    entries_[at] = table().make_entry(spec, *view, std::get<2>(known->first));
    entries_[at]->agents = 1;
    keys_[at] = known;
    return known->second = GoalsId{at};
  }

  // Takes a use off. The last one removes the entry.
  void release(GoalsId id) {
    Entry& entry = (*this)[id];
    const View view = entry.view;
    if (--entry.agents > 0) return world_.release_view(view);
    table().close_entry(&entry);
    by_key_.erase(keys_[index(id)]);
    entries_[index(id)].reset();
    empty_.push_back(index(id));
    world_.release_view(view);
    const auto uses = view_uses_.find(view);
    if (--uses->second > 0) return;
    view_uses_.erase(uses);
    log_.close(view);
    table().close_view(view);
  }

  Entry& operator[](GoalsId id) { return *entries_[index(id)]; }
  const Entry& operator[](GoalsId id) const { return *entries_[index(id)]; }

 protected:
  using KeyPoint = std::array<double, 3>;

  GoalTableCore(World& world, Log& log) : world_(world), log_(log) {}

  World& world_;
  std::vector<std::unique_ptr<Entry>> entries_;  // by id; null: free for use

 private:
  using ByKey = std::map<std::tuple<View, double, std::vector<KeyPoint>>, GoalsId>;

  Table& table() { return static_cast<Table&>(*this); }

  Log& log_;
  ByKey by_key_;
  std::vector<typename ByKey::iterator> keys_;  // by id
  std::vector<std::uint32_t> empty_;
  std::map<View, std::uint32_t> view_uses_;
};

}  // namespace repath

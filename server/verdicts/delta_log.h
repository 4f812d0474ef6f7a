// The changes that the latest batches made to each view. With them a search that read an older
// revision can catch up or be put to trial.
//
// `Delta` has a `revision`. Not thread-safe while open(), close() or append() run; reads may run in
// parallel. Memory is bounded: the oldest deltas of a view go when it holds more than `changes_max`
// changes. A search that still needs them must begin again; covers() is false for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace repath {

template <class ViewIdType, class DeltaType>
class DeltaLogOf {
 public:
  using View = ViewIdType;
  using Delta = DeltaType;

  explicit DeltaLogOf(std::size_t changes_max) : changes_max_(changes_max) {}

  // Opens the view, which is in use from revision `now` on. No effect if it is open already.
  void open(View view, Revision now) {
    const auto [it, is_new] = views_.try_emplace(view);
    if (is_new) it->second.complete_after = now;
  }
  void close(View view) { views_.erase(view); }
  // Appends the delta of a commit for the view, which has `changes` changes. Does nothing if the
  // view is closed. REQUIRES: revisions ascend.
  void append(View view, Delta delta, std::size_t changes) {
    const auto it = views_.find(view);
    if (it == views_.end()) return;
    Kept& kept = it->second;
    kept.changes += changes;
    kept.deltas.push_back({std::move(delta), changes});
    while (kept.changes > changes_max_) {
      kept.changes -= kept.deltas.front().changes;
      kept.complete_after = kept.deltas.front().delta.revision;
      kept.deltas.pop_front();
    }
  }

  // Returns whether every delta after `since` is still here. REQUIRES: the view is open.
  bool covers(View view, Revision since) const { return since >= views_.at(view).complete_after; }
  // Calls visit(const Delta&) for every delta after `since`, oldest first. REQUIRES: as covers.
  template <class Visit>
  void for_each_after(View view, Revision since, Visit&& visit) const {
    const Deltas& deltas = views_.at(view).deltas;
    for (auto it = first_after(deltas, since); it != deltas.end(); ++it) visit(it->delta);
  }
  // Returns how many these are.
  std::size_t count_after(View view, Revision since) const {
    const Deltas& deltas = views_.at(view).deltas;
    return static_cast<std::size_t>(deltas.end() - first_after(deltas, since));
  }
  // Returns the open views, ascending.
  std::vector<View> views() const {
    std::vector<View> views;
    for (const auto& [view, kept] : views_) views.push_back(view);
    return views;
  }
  // Returns the number of changes kept over all views.
  std::uint64_t changes() const {
    std::uint64_t sum = 0;
    for (const auto& [view, kept] : views_) sum += kept.changes;
    return sum;
  }
  std::uint64_t deltas() const {
    std::uint64_t sum = 0;
    for (const auto& [view, kept] : views_) sum += kept.deltas.size();
    return sum;
  }

 private:
  struct Entry {
    Delta delta;
    std::size_t changes = 0;
  };
  using Deltas = std::deque<Entry>;
  struct Kept {
    Deltas deltas;
    Revision complete_after{};  // deltas up to this revision are gone or never were
    std::size_t changes = 0;
  };

  // Mostly one of the last: from there back in strides that double.
  static typename Deltas::const_iterator first_after(const Deltas& deltas, Revision since) {
    const auto is_later = [](Revision r, const Entry& entry) { return r < entry.delta.revision; };
    auto end = deltas.end();
    for (std::ptrdiff_t stride = 1; end - deltas.begin() > stride; stride *= 2) {
      if (!is_later(since, *(end - stride)))
        return std::upper_bound(end - stride, end, since, is_later);
      end -= stride;
    }
    return std::upper_bound(deltas.begin(), end, since, is_later);
  }

  std::map<View, Kept> views_;
  std::size_t changes_max_;
};

}  // namespace repath

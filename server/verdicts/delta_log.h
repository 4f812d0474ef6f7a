// The changes that the latest batches made to each view. With them a search that read an older
// revision can catch up or be put to trial.
//
// `Delta` has a `revision`, and bytes() for the memory that it takes. Not thread-safe while open(),
// close() or append() run; reads may run in parallel. Memory is bounded: the oldest deltas of a
// view go when it holds more than `changes_max` changes. The oldest deltas of any view go when all
// views together take more than `bytes_max` bytes. A search that still needs them must begin again;
// covers() is false for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace repath {

// Returns the memory of the list's items, in bytes.
template <class T>
std::uint64_t list_bytes(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

template <class ViewIdType, class DeltaType>
class DeltaLogOf {
 public:
  using View = ViewIdType;
  using Delta = DeltaType;

  DeltaLogOf(std::size_t changes_max, std::uint64_t bytes_max)
      : changes_max_(changes_max), bytes_max_(bytes_max) {}

  // Opens the view, which is in use from revision `now` on. No effect if it is open already.
  void open(View view, Revision now) {
    const auto [it, is_new] = views_.try_emplace(view);
    if (is_new) it->second.complete_after = now;
  }
  void close(View view) {
    const auto it = views_.find(view);
    if (it == views_.end()) return;
    while (!it->second.deltas.empty()) drop_first(it);
    views_.erase(it);
  }
  // Appends the delta of a commit for the view, which has `changes` changes. Does nothing if the
  // view is closed. O(log views), and so much for each delta that goes. REQUIRES: revisions ascend.
  void append(View view, Delta delta, std::size_t changes) {
    const auto it = views_.find(view);
    if (it == views_.end()) return;
    Kept& kept = it->second;
    if (kept.deltas.empty()) oldest_.emplace(delta.revision, view);
    bytes_ += delta.bytes();
    kept.changes += changes;
    kept.deltas.push_back({std::move(delta), changes});
    while (kept.changes > changes_max_) drop_first(it);
    while (bytes_ > bytes_max_) drop_first(views_.find(oldest_.begin()->second));
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
  // Returns the memory of the deltas of all views, in bytes.
  std::uint64_t bytes() const { return bytes_; }

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
  using Views = std::map<View, Kept>;

  // Drops the view's oldest delta.
  void drop_first(typename Views::iterator it) {
    auto& [view, kept] = *it;
    const Entry& first = kept.deltas.front();
    oldest_.erase({first.delta.revision, view});
    bytes_ -= first.delta.bytes();
    kept.changes -= first.changes;
    kept.complete_after = first.delta.revision;
    kept.deltas.pop_front();
    if (!kept.deltas.empty()) oldest_.emplace(kept.deltas.front().delta.revision, view);
  }

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

  Views views_;
  std::set<std::pair<Revision, View>> oldest_;  // the oldest delta of each view that has one
  std::uint64_t bytes_ = 0;
  std::size_t changes_max_;
  std::uint64_t bytes_max_;
};

}  // namespace repath

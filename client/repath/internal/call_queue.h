// Ids to be sent, each under the number of the first call that named it. Not installed.
//
// An id waits once, however often it is asked for: memory is bounded by the number of agents.
// Thread rule: guarded by its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace repath::client {

class CallQueue {
 public:
  struct Group {
    std::uint64_t call = 0;
    std::vector<std::uint64_t> ids;
  };

  // Keeps the older of two calls for the same id. O(log n).
  void put(std::uint64_t id, std::uint64_t call) {
    const auto [at, added] = call_of_.try_emplace(id, call);
    if (!added) {
      if (at->second <= call) return;
      take_out(id, at->second);
      at->second = call;
    }
    ids_of_[call].insert(id);
  }

  void erase(std::uint64_t id) {
    const auto at = call_of_.find(id);
    if (at == call_of_.end()) return;
    take_out(id, at->second);
    call_of_.erase(at);
  }

  void clear() {
    call_of_.clear();
    ids_of_.clear();
  }

  [[nodiscard]] bool contains(std::uint64_t id) const { return call_of_.contains(id); }

  // Returns the oldest call with a waiting id.
  [[nodiscard]] std::optional<std::uint64_t> oldest() const {
    if (ids_of_.empty()) return std::nullopt;
    return ids_of_.begin()->first;
  }

  // Takes up to `max` ids of the oldest call, ascending. Requires oldest().
  Group take(std::size_t max) {
    Group group{ids_of_.begin()->first, {}};
    std::set<std::uint64_t>& ids = ids_of_.begin()->second;
    while (!ids.empty() && group.ids.size() < max) {
      const std::uint64_t id = *ids.begin();
      group.ids.push_back(id);
      call_of_.erase(id);
      ids.erase(ids.begin());
    }
    if (ids.empty()) ids_of_.erase(ids_of_.begin());
    return group;
  }

 private:
  void take_out(std::uint64_t id, std::uint64_t call) {
    const auto group = ids_of_.find(call);
    group->second.erase(id);
    if (group->second.empty()) ids_of_.erase(group);
  }

  std::map<std::uint64_t, std::uint64_t> call_of_;
  std::map<std::uint64_t, std::set<std::uint64_t>> ids_of_;
};

}  // namespace repath::client

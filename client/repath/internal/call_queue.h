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
#include <utility>
#include <vector>

namespace repath::client {

class CallQueue {
 public:
  struct Group {
    std::uint64_t call = 0;
    std::vector<std::uint64_t> ids;
    std::vector<std::size_t> places;  // Of each id, its index in the list of the call.
  };

  // Adds the id that stands at `place` in the list of the call. Keeps the older of two calls for
  // the same id. O(log n).
  void put(std::uint64_t id, std::uint64_t call, std::size_t place) {
    const auto [at, added] = origin_of_.try_emplace(id, Origin{call, place});
    if (!added) {
      if (at->second.call <= call) return;
      take_out(id, at->second);
      at->second = {call, place};
    }
    ids_of_[call].emplace(place, id);
  }

  void erase(std::uint64_t id) {
    const auto at = origin_of_.find(id);
    if (at == origin_of_.end()) return;
    take_out(id, at->second);
    origin_of_.erase(at);
  }

  [[nodiscard]] bool contains(std::uint64_t id) const { return origin_of_.contains(id); }

  // Returns the oldest call with a waiting id.
  [[nodiscard]] std::optional<std::uint64_t> oldest() const {
    if (ids_of_.empty()) return std::nullopt;
    return ids_of_.begin()->first;
  }

  // Takes up to `max` ids of the oldest call, in the order of its list. Requires oldest().
  Group take(std::size_t max) {
    Group group{ids_of_.begin()->first, {}, {}};
    Places& waiting = ids_of_.begin()->second;
    while (!waiting.empty() && group.ids.size() < max) {
      const auto [place, id] = *waiting.begin();
      group.ids.push_back(id);
      group.places.push_back(place);
      origin_of_.erase(id);
      waiting.erase(waiting.begin());
    }
    if (waiting.empty()) ids_of_.erase(ids_of_.begin());
    return group;
  }

 private:
  struct Origin {
    std::uint64_t call = 0;
    std::size_t place = 0;
  };
  using Places = std::set<std::pair<std::size_t, std::uint64_t>>;  // {place, id}

  void take_out(std::uint64_t id, const Origin& origin) {
    const auto waiting = ids_of_.find(origin.call);
    waiting->second.erase({origin.place, id});
    if (waiting->second.empty()) ids_of_.erase(waiting);
  }

  std::map<std::uint64_t, Origin> origin_of_;
  std::map<std::uint64_t, Places> ids_of_;
};

}  // namespace repath::client

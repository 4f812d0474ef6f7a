// Copies of a world that are made piece by piece while the world goes on changing. A copy shows the
// world at the revision at which it was begun. Before a batch changes a part that the copy has not
// reached yet, the copy keeps that part as it was.
//
// Not thread-safe; part of a world, so all calls come from the world's strand. Cost: that of the
// pieces, and for each batch the parts that it changes for the first time since the copy began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "world/world_content.h"

namespace repath {

enum class CopyId : std::uint32_t {};

// Maximum number of copies of one world under way at a time.
inline constexpr std::size_t kCopiesMax = 4;

// The copy of one map from keys to values, in ascending order of keys.
template <class Key, class Value>
class PiecewiseCopy {
 public:
  // Is called before `key` changes, appears or goes. `read()` returns its value as a
  // std::optional<Value>, empty if there is none yet.
  template <class Read>
  void keep(const Key& key, Read read) {
    if (is_whole_ || (last_ && key <= *last_)) return;
    const auto [place, is_new] = kept_.try_emplace(key);
    if (is_new) place->second = read();
  }

  // Copies on until `*bytes` are used up, and takes them off. Returns true if the copy is whole.
  // `next(const std::optional<Key>& last)` returns the least key of the world after `last` as a
  // std::optional<Key>, `read(key)` its value, and `size(value)` the bytes it counts.
  template <class Next, class Read, class Size>
  bool advance(std::int64_t* bytes, Next next, Read read, Size size) {
    while (!is_whole_ && *bytes > 0) {
      const std::optional<Key> key = next(last_);
      const auto kept = last_ ? kept_.upper_bound(*last_) : kept_.begin();
      std::optional<Value> value;
      if (kept != kept_.end() && (!key || kept->first <= *key)) {
        last_ = kept->first;
        value = std::move(kept->second);
        kept_.erase(kept);
      } else if (key) {
        last_ = *key;
        value = read(*key);
      } else {
        is_whole_ = true;
      }
      *bytes -= value ? static_cast<std::int64_t>(size(*value)) : 1;
      if (value) values_.push_back(*std::move(value));
    }
    return is_whole_;
  }

  // Moves out the values. REQUIRES: the copy is whole.
  std::vector<Value> take() { return std::move(values_); }

 private:
  std::optional<Key> last_;  // all keys up to here are copied
  bool is_whole_ = false;
  std::map<Key, std::optional<Value>> kept_;  // values that have changed since, by keys after last_
  std::vector<Value> values_;
};

// The copies of one world under way. `Copy` has advance(std::int64_t* bytes), which returns true
// when the copy is whole, and take().
template <class Copy>
class CopiesUnderWay {
 public:
  // REQUIRES: size() < kCopiesMax.
  CopyId begin(std::unique_ptr<Copy> copy) {
    const CopyId id{++last_};
    copies_.emplace(id, std::move(copy));
    return id;
  }
  // Copies about this many bytes more. Returns the content once it is whole, which ends the copy.
  // REQUIRES: the copy is under way.
  std::optional<WorldContent> advance(CopyId id, std::size_t bytes) {
    auto left = static_cast<std::int64_t>(bytes);
    Copy& copy = *copies_.at(id);
    if (!copy.advance(&left)) return std::nullopt;
    std::optional<WorldContent> content = copy.take();
    copies_.erase(id);
    return content;
  }
  void end(CopyId id) { copies_.erase(id); }
  std::size_t size() const { return copies_.size(); }
  // Calls visit(copy) for each, oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [id, copy] : copies_) visit(*copy);
  }

 private:
  std::map<CopyId, std::unique_ptr<Copy>> copies_;
  std::uint32_t last_ = 0;
};

// Returns the key of the first entry of `map` after `last`, which is a key or empty.
template <class Map, class Last>
auto key_after(const Map& map, const Last& last) {
  const auto at = last ? map.upper_bound(typename Map::key_type{*last}) : map.begin();
  return at == map.end() ? std::optional<typename Map::key_type>()
                         : std::optional<typename Map::key_type>(at->first);
}

}  // namespace repath

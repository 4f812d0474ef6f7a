// The records of jump point search about the cells it has reached, by cell.
//
// Jump points lie far apart, so pages of neighbours would be mostly empty; a hash table takes
// memory for the reached cells only. Open addressing, linear probing, at most half full, as in D.
// Knuth, "The Art of Computer Programming", volume 3, section 6.4. The records lie in the table
// itself, so that finding one costs one cache line. Records are not removed one by one. Not
// thread-safe.
// 1. A record moves when the table grows; its key finds it again.
// 2. No order of a search depends on the hash: only for_each() walks the table, for drawings.
// 3. A place is in use if it has the number of this search and is among the first slots_. The
//    numbers repeat after 65,535 searches; before they do, all places are emptied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/cost.h"
#include "grid/cells/place.h"

namespace repath {

class JumpRecords {
 public:
  // A cell of a map of at most 16384 x 16384 cells.
  using Key = std::uint32_t;
  static constexpr Key kKeyMask = (1u << 28) - 1;       // all bits that a key has
  static constexpr Cost kNoCost = (Cost{1} << 48) - 1;  // above the cost of any path on such a map
  struct Record {
    Cost g : 48 = 0;
    Cost search : 16 = 0;  // number of the search it belongs to; 0: none
    Key key : 28 = 0;
    std::uint32_t arrival : 4 = 0;  // direction in which the cell was reached
    Key parent : 28 = 0;
    std::uint32_t is_open : 1 = 0;  // whether the cell waits to be expanded
  };

  JumpRecords() : table_(kTableLeast) {}

  // Forgets all records and keeps the memory. O(1); O(places) once in 65,535 times.
  void clear() {
    if (++search_ == kSearches) {
      wipe(table_.size());
      search_ = 1;
    }
    slots_ = kTableLeast;
    shift_ = kShiftLeast;
    size_ = 0;
  }

  static Key key_of(Place p) { return static_cast<Key>(p.y) << kSideBits | static_cast<Key>(p.x); }
  static Place place_of(Key key) {
    return {static_cast<std::int32_t>(key & kSideMask),
            static_cast<std::int32_t>(key >> kSideBits)};
  }

  // Returns the record of a cell; g is kNoCost if it is new. Valid until the next call. Amortized
  // O(1).
  Record& touch(Key key) {
    Record& found = table_[slot_of(key)];
    if (found.search == search_) return found;
    if (2 * (size_ + 1) > slots_) [[unlikely]] {
      grow();
      return touch(key);
    }
    ++size_;
    found.g = kNoCost;
    found.search = search_ & (kSearches - 1);
    found.key = key & kKeyMask;
    found.is_open = 0;
    return found;
  }
  // REQUIRES: the cell has a record.
  const Record& at(Key key) const { return table_[slot_of(key)]; }
  Record& at(Key key) { return table_[slot_of(key)]; }

  // Calls visit(const Record&) for each record, in an order without meaning.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Record& record : std::span(table_).first(slots_))
      if (record.search == search_) visit(record);
  }

  std::size_t bytes() const { return (table_.capacity() + moved_.capacity()) * sizeof(Record); }

 private:
  static constexpr int kSideBits = 14;
  static constexpr Key kSideMask = (1u << kSideBits) - 1;
  static constexpr int kTableLeastBits = 9;
  static constexpr std::size_t kTableLeast = std::size_t{1} << kTableLeastBits;
  static constexpr int kShiftLeast = 64 - kTableLeastBits;

  // Returns the slot of the cell's record, or a free one for it. Begins at the upper bits of a
  // product with 2^64 / golden ratio.
  std::size_t slot_of(Key key) const {
    auto slot = static_cast<std::size_t>(key * 0x9E37'79B9'7F4A'7C15u >> shift_);
    while (table_[slot].search == search_ && table_[slot].key != key)
      slot = (slot + 1) & (slots_ - 1);
    return slot;
  }

  // Makes the first `slots` records new, which means that all bits are zero. Filling record by
  // record takes five times as long, and on a small map as long as the search.
  void wipe(std::size_t slots) {
    static_assert(std::is_trivially_copyable_v<Record>);
    std::memset(static_cast<void*>(table_.data()), 0, slots * sizeof(Record));
  }

  void grow() {
    for_each([this](const Record& record) { moved_.push_back(record); });
    wipe(slots_);
    slots_ <<= kGrowthBits;
    shift_ -= kGrowthBits;
    if (table_.size() < slots_) table_.resize(slots_);
    for (const Record& record : moved_) table_[slot_of(record.key)] = record;
    moved_.clear();
  }

  static constexpr int kGrowthBits = 2;
  // Numbers that the bits of a record can distinguish.
  static constexpr Cost kSearches = Cost{1} << 16;

  Cost search_ = 1;
  std::size_t slots_ = kTableLeast;  // 2^(64 - shift_)
  int shift_ = kShiftLeast;
  std::size_t size_ = 0;
  std::vector<Record> table_;
  std::vector<Record> moved_;  // used while the table grows
};

}  // namespace repath

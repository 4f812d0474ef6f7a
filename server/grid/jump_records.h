// What jump point search knows of the cells it came to: a list in the order they were found, and a
// table from cell to place in the list.
//
// Jump points lie far apart, so pages of neighbours would be mostly empty; a table by hash takes
// memory by the number of cells alone. Open addressing, linear probing, at most half full, as in D.
// Knuth, "The Art of Computer Programming", volume 3, section 6.4. Nothing is ever taken out, and
// nobody walks the table, so no order depends on the hash. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cost.h"

namespace repath {

class JumpRecords {
 public:
  // A cell of a map of at most 16384 x 16384.
  struct Place {
    std::int32_t x = 0;
    std::int32_t y = 0;
  };
  struct Record {
    Cost g = kUnreachable;
    std::uint32_t key : 28 = 0;     // of the place
    std::uint32_t arrival : 4 = 0;  // direction in which the cell was reached
    std::uint32_t parent : 31 = 0;  // number of a record
    std::uint32_t is_open : 1 = 0;  // waits to be expanded
    Place place() const {
      return {static_cast<std::int32_t>(key & kSideMask),
              static_cast<std::int32_t>(key >> kSideBits)};
    }
  };

  JumpRecords() : table_(kTableLeast) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }
  Record& at(std::uint32_t number) { return records_[number]; }
  const Record& at(std::uint32_t number) const { return records_[number]; }

  // The number of the cell's record, which is made if there is none. Amortized O(1).
  std::uint32_t number_of(std::int32_t x, std::int32_t y) {
    const std::uint32_t key =
        static_cast<std::uint32_t>(y) << kSideBits | static_cast<std::uint32_t>(x);
    for (std::size_t slot = slot_of(key);; slot = (slot + 1) & (table_.size() - 1)) {
      const Slot& found = table_[slot];
      if (found.number == 0) return add(key, slot);
      if (found.key == key) return found.number - 1;
    }
  }

  std::size_t bytes() const {
    return records_.capacity() * sizeof(Record) + table_.capacity() * sizeof(Slot);
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t number = 0;  // one more than that of the record; 0: empty
  };
  static constexpr int kSideBits = 14;
  static constexpr std::uint32_t kSideMask = (1u << kSideBits) - 1;
  static constexpr std::size_t kTableLeast = 128;

  // The upper bits of a product with 2^64 / golden ratio.
  std::size_t slot_of(std::uint32_t key) const {
    return static_cast<std::size_t>(key * 0x9E37'79B9'7F4A'7C15u >> shift_);
  }

  std::uint32_t add(std::uint32_t key, std::size_t slot) {
    Record& made = records_.emplace_back();
    made.key = key & ((1u << 2 * kSideBits) - 1);
    table_[slot] = {key, size()};
    if (2 * records_.size() > table_.size()) grow();
    return size() - 1;
  }

  void grow() {
    table_.assign(4 * table_.size(), {});
    shift_ -= 2;
    for (std::uint32_t i = 0; i < size(); ++i) {
      std::size_t slot = slot_of(records_[i].key);
      while (table_[slot].number != 0) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = {records_[i].key, i + 1};
    }
  }

  int shift_ = 64 - 7;
  std::vector<Slot> table_;  // its size is a power of two: 2^(64 - shift_)
  std::vector<Record> records_;
};

}  // namespace repath

// The costs between all pairs of a few nodes, as Floyd-Warshall lowers them: square tiles, relaxed
// strip by strip.
//
// Source: G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths
// algorithm", SWAT 2000. A round takes one tile of the diagonal, lets paths pass the nodes of that
// tile, and has one strip for each row of tiles. The round's own strip comes first; the others
// read it and write only themselves. Within a tile three rows of kSide values stay in the nearest
// cache, and the inner loop is plain enough for the compiler to use the processor's vectors.
//
// Thread rule: not thread-safe, but relax_strip() of one round may run on several threads at once,
// once the round's own strip is done. The result does not depend on the order. Memory: 4 or 8 bytes
// for each pair, the number of nodes rounded up to kSide, allocated at once.
// 1. A value is a whole number in [-most, most], or unreachable. `most` is cost_max(width).
// 2. There is no cycle of a negative sum, so no value falls below the least cost of a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace repath {

// The size of a table, before it is made.
struct PairTableNeed {
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;
};

class PairTable {
 public:
  enum class Width : std::uint8_t { k32, k64 };
  static constexpr std::uint32_t kSide = 64;  // of a tile
  static constexpr std::int64_t kNoCost = std::numeric_limits<std::int64_t>::max();

  // Returns the greatest cost of a path without a loop that a table of the width can hold, either
  // sign.
  static std::int64_t cost_max(Width width);
  // Returns the memory of a table.
  static std::uint64_t bytes_for(std::uint64_t nodes, Width width);

  // Makes an empty table.
  PairTable() = default;
  // Makes a table where each node reaches itself alone. O(nodes^2).
  PairTable(std::uint32_t nodes, Width width);

  // Notes an edge: lowers the cost of the pair to `cost`. REQUIRES: |cost| <= cost_max.
  void lower(std::uint32_t from, std::uint32_t to, std::int64_t cost);
  // Returns the cost of the pair; kNoCost if no path is known. O(1).
  std::int64_t cost(std::uint32_t from, std::uint32_t to) const;

  // Number of rows of tiles, which is also the number of rounds and of the strips of a round.
  std::uint32_t strips() const { return strips_; }
  // Number of nodes in a row of tiles; kSide except in the last one.
  std::uint32_t nodes_in(std::uint32_t strip) const {
    return strip + 1 < strips_ ? kSide : nodes_ - strip * kSide;
  }
  // Lowers the costs from the nodes of the strip by paths through the nodes of the round. REQUIRES:
  // all earlier rounds are done, and in this round the strip `round`, unless it is this one. Costs
  // kSide^2 x nodes steps.
  void relax_strip(std::uint32_t round, std::uint32_t strip);

  std::size_t bytes() const {
    return narrow_.capacity() * sizeof(narrow_[0]) + wide_.capacity() * sizeof(wide_[0]);
  }

 private:
  static constexpr std::size_t kTile = std::size_t{kSide} * kSide;

  std::size_t tile(std::uint32_t row, std::uint32_t column) const {
    return (std::size_t{row} * strips_ + column) * kTile;
  }
  std::size_t at(std::uint32_t from, std::uint32_t to) const {
    return tile(from / kSide, to / kSide) + std::size_t{from % kSide} * kSide + to % kSide;
  }

  std::uint32_t nodes_ = 0;
  std::uint32_t strips_ = 0;
  // Tiles in rows, each row by row; one of the two is empty.
  std::vector<std::int32_t> narrow_;
  std::vector<std::int64_t> wide_;
};

}  // namespace repath

// The tally of each world: what its rows add up to. A row whose key is damaged lies where its world
// does not look, so its own checksum is never compared. The tally shows that the row is missing.
//
// Belongs to the store's thread. Errors are remembered by the connection. Damage is returned as
// DATA_LOSS.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/sql.h"
#include "store/store.h"

namespace repath {

// Number of some rows, and the sum of their checksums modulo 2^64. Each checksum covers key and
// columns of its row, so the sum stands for the set of rows, in whatever order they come.
struct RowSum {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;

  void add(std::uint64_t checksum) {
    ++rows;
    sum += checksum;
  }
  void take(std::uint64_t checksum) {
    --rows;
    sum -= checksum;
  }
  bool operator==(const RowSum&) const = default;
};

struct RowSums {
  RowSum agents;
  RowSum sessions;
  bool operator==(const RowSums&) const = default;
};

struct Tally {
  std::uint64_t revision = 0;     // one that the log reached; it is no shorter
  std::uint64_t request_seq = 0;  // row of the newest request that is known; 0: none
  // Whether `rows` holds. A world of version 3 or earlier is counted when it is loaded.
  bool is_counted = true;
  RowSums rows;
};

class TallyTable {
 public:
  explicit TallyTable(Sql& sql);

  void put(WorldKey key, const Tally& tally);
  // DATA_LOSS also if the world has no tally: each world has one.
  absl::StatusOr<Tally> get(WorldKey key);

 private:
  Sql& sql_;
  Statement put_, get_;
};

// Returns DATA_LOSS if the rows that were found in a table are not those that were kept.
absl::Status check_rows(WorldKey key, const char* table, const RowSum& kept, const RowSum& found);

}  // namespace repath

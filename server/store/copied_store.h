// The catalogue of a copied database that no server uses: what its worlds need to be loaded.
//
// Thread rule: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/world_tables.h"

namespace repath {

struct CopiedWorld {
  WorldKey key{};
  std::string name;
  WorldState state;
  std::uint64_t end = 0;  // revision of the newest record, or of the base

  // Returns whether the records lead from a world file of that revision to the end.
  bool can_begin_at(std::uint64_t revision) const {
    return revision <= end && revision + 1 >= state.floor;
  }
};

// Reads all worlds, ascending by key. Entries that are damaged are left out, for the server cannot
// load them either. UNAVAILABLE with reason STORE_UNAVAILABLE if the database cannot be read.
absl::StatusOr<std::vector<CopiedWorld>> read_copied(const std::string& database);

// Checks the structure of a copied database, and that this server can read it. DATA_LOSS with
// reason BACKUP_DAMAGED; FAILED_PRECONDITION with reason STORE_VERSION.
absl::Status check_copied(const std::string& database);

}  // namespace repath

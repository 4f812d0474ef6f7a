// The tables of the database, version 4, and how a file is opened.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "store/sql.h"

namespace repath {

inline constexpr std::uint64_t kSchemaVersion = 4;
inline constexpr std::uint64_t kApplicationId = 0x52505354;  // "RPST"

// Puts an open connection into the mode that the store needs: one connection, a write-ahead log,
// every commit on the disk. Makes the tables in an empty file, if `may_be_new` says that it may,
// and brings those of an earlier version to this one. `sync_commits` is false only in tests that
// plant this fault. Errors: FAILED_PRECONDITION with reason STORE_VERSION if the file is of a later
// version or of another program; UNAVAILABLE otherwise.
absl::Status open_schema(Sql& sql, bool sync_commits, const std::function<bool()>& may_be_new);

}  // namespace repath

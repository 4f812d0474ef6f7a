// The errors that several parts of the room give.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "store/sql.h"
#include "store/store.h"

namespace repath {

// ALREADY_EXISTS, WORLD_EXISTS.
absl::Status world_exists(const std::string& name);
// NOT_FOUND, WORLD_UNKNOWN.
absl::Status key_unknown(WorldKey key);
// UNAVAILABLE, STORE_UNAVAILABLE: nothing can be made durable now.
absl::Status store_unavailable(const std::string& why);
// The same of an error of a Disk, or of SQLite, which has no reason. Returns others as they are.
absl::Status if_disk_failed(const absl::Status& status);
// UNAVAILABLE, STORE_UNAVAILABLE: the database cannot be read when it is opened.
absl::Status database_unreadable(const std::string& why);
// UNAVAILABLE, STORE_UNAVAILABLE: there is no database, but what belongs to one, as `left` says.
absl::Status database_missing(const std::string& left);
// OUT_OF_RANGE, HISTORY_GONE with the fact oldest_revision; `field` names what was asked for.
absl::Status history_gone(Revision oldest, const std::string& field, const std::string& what);
// The error of a connection that failed at rows of a world: STORE_UNAVAILABLE if it may pass, else
// WORLD_DAMAGED. `place` names the table.
absl::Status rows_unreadable(WorldKey key, const std::string& place, const Sql& sql);
// Whether a later read of a world's file or folder may succeed: it is neither damaged nor gone.
bool read_may_pass(const absl::Status& status);
// The error of such a read: STORE_UNAVAILABLE if it may pass, else WORLD_DAMAGED.
absl::Status files_unreadable(WorldKey key, const absl::Status& status);
// DATA_LOSS, WORLD_DAMAGED. `place` names file or table and what is wrong there.
absl::Status world_damaged(WorldKey key, const std::string& place);

}  // namespace repath

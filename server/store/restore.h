// Makes a data folder of a backup, while no server uses it.
//
// Thread rule: free functions.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/disk.h"
#include "store/store.h"

namespace repath {

// Checks every file of the backup, and that each world in it can be loaded. Then copies it to
// `folder`, which must be missing or empty, and waits until it is on the disk. The backup stays as
// it is. Each world gets a new epoch, because the backup does not have what came after it. Errors:
// DATA_LOSS with reason BACKUP_DAMAGED; NOT_FOUND with reason BACKUP_MISSING; FAILED_PRECONDITION
// with reason BACKUP_UNFINISHED, STORE_VERSION, FOLDER_NOT_EMPTY or STORE_LOCKED; UNAVAILABLE with
// reason STORE_UNAVAILABLE.
absl::StatusOr<BackupFigures> restore_backup(const std::string& backup, const std::string& folder);

// Returns FAILED_PRECONDITION if no server may use the folder of this disk. The reason is
// BACKUP_FOLDER if it is a backup, or RESTORE_UNFINISHED if a restore to it has not ended.
absl::Status check_restored(Disk& disk, const std::string& folder);

}  // namespace repath

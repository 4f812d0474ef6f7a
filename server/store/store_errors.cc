#include "store/store_errors.h"

#include "base/error.h"

namespace repath {

absl::Status world_exists(const std::string& name) {
  return make_error(absl::StatusCode::kAlreadyExists, "WORLD_EXISTS", "name",
                    "there is a world '" + name + "' already");
}

absl::Status key_unknown(WorldKey key) {
  return make_error(absl::StatusCode::kNotFound, "WORLD_UNKNOWN", "world",
                    "the store has no world with the key " + std::to_string(value(key)));
}

absl::Status store_unavailable(const std::string& why) {
  return make_error(absl::StatusCode::kUnavailable, "STORE_UNAVAILABLE", "", why);
}

absl::Status if_disk_failed(const absl::Status& status) {
  if (status.ok() || !error_reason(status).empty()) return status;
  return store_unavailable(std::string(status.message()));
}

absl::Status database_unreadable(const std::string& why) {
  return store_unavailable("repath.db cannot be read: " + why +
                           "; restore the folder from a backup");
}

absl::Status database_missing(const std::string& left) {
  return store_unavailable("repath.db is missing or empty, but " + left +
                           "; put it back, or restore the folder from a backup, or remove "
                           "`repath.db-wal` and `worlds` to begin without their worlds");
}

absl::Status history_gone(Revision oldest, const std::string& field, const std::string& what) {
  const std::string bound = std::to_string(value(oldest));
  return with_fact(make_error(absl::StatusCode::kOutOfRange, "HISTORY_GONE", field,
                              what + " starts at revision " + bound),
                   "oldest_revision", bound);
}

absl::StatusOr<BackupFigures> Store::backup(const std::string&,
                                            const std::function<absl::Status()>&) {
  return make_error(absl::StatusCode::kFailedPrecondition, "NOT_DURABLE", "",
                    "this server keeps worlds in memory only; start it with --data");
}

absl::Status rows_unreadable(WorldKey key, const std::string& place, const Sql& sql) {
  if (!sql.may_pass()) return world_damaged(key, place + ": " + sql.message());
  return store_unavailable(place + " cannot be read now: " + sql.message());
}

bool read_may_pass(const absl::Status& status) {
  return !absl::IsDataLoss(status) && !absl::IsNotFound(status);
}

absl::Status files_unreadable(WorldKey key, const absl::Status& status) {
  const std::string why(status.message());
  return read_may_pass(status) ? store_unavailable("cannot be read now: " + why)
                               : world_damaged(key, why);
}

absl::Status world_damaged(WorldKey key, const std::string& place) {
  return with_fact(
      make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "world",
                 "what is stored of the world is damaged (key " + std::to_string(value(key)) +
                     "): " + place + "; restore it from a backup or delete it"),
      "place", place);
}

}  // namespace repath

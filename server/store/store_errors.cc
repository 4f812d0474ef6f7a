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

absl::Status world_damaged(WorldKey key, const std::string& place) {
  return with_fact(
      make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "world",
                 "what is stored of the world is damaged (key " + std::to_string(value(key)) +
                     "): " + place + "; restore it from a backup or delete it"),
      "place", place);
}

}  // namespace repath

// Operating errors: an absl::Status that also carries a stable reason and the field at fault, so
// that rpc can turn it into ErrorInfo and BadRequest details without reading prose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace repath {

// `reason` is stable, SCREAMING_SNAKE_CASE ("OBSTACLE_UNKNOWN", "OUT_OF_RANGE_FIELD"); `field` is
// the dotted path of the request's field ("batch.upsert_obstacles[3].shape.circle.radius") or
// empty; `message` names the limit. REQUIRES: code is not OK.
absl::Status make_error(absl::StatusCode code, std::string_view reason, std::string_view field,
                        std::string_view message);

// kInvalidArgument with make_error's details: the commonest case.
absl::Status invalid_field(std::string_view reason, std::string_view field,
                           std::string_view message);

// The field of the element at place i of a list: "goals[3]".
std::string item(std::string_view list, std::size_t i);

// Empty when the status carries none.
std::string error_reason(const absl::Status& status);
std::string error_field(const absl::Status& status);

// A fact for programs beside the error, such as ("oldest_revision", "17"); replaces the one of that
// name.
absl::Status with_fact(absl::Status status, std::string_view name, std::string_view fact);
// Ascending by name.
std::vector<std::pair<std::string, std::string>> error_facts(const absl::Status& status);

// The same error, its facts too, with `prefix` put before its field ("batch." + field); as it is if
// it names no field.
absl::Status with_field_prefix(const absl::Status& status, std::string_view prefix);

}  // namespace repath

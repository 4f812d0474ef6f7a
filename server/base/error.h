// Operating errors: an absl::Status that also carries a stable reason and the field at fault, so
// that rpc can fill in ErrorInfo and BadRequest details without parsing the message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace repath {

// Returns a status with these details. `reason` is stable and in SCREAMING_SNAKE_CASE
// ("OBSTACLE_UNKNOWN", "OUT_OF_RANGE_FIELD"). `field` is the dotted path of the request's field
// ("batch.upsert_obstacles[3].shape.circle.radius") or empty. `message` names the limit. REQUIRES:
// `code` is not OK.
absl::Status make_error(absl::StatusCode code, std::string_view reason, std::string_view field,
                        std::string_view message);

// Returns make_error() with kInvalidArgument, the most frequent code.
absl::Status invalid_field(std::string_view reason, std::string_view field,
                           std::string_view message);

// Returns the field name of element `i` of a list: "goals[3]".
std::string item(std::string_view list, std::size_t i);

// Return the reason and the field of a status; empty if the status carries none.
std::string error_reason(const absl::Status& status);
std::string error_field(const absl::Status& status);

// Adds a fact for programs to the error, such as ("oldest_revision", "17"). Replaces an earlier
// fact of the same name.
absl::Status with_fact(absl::Status status, std::string_view name, std::string_view fact);
// Returns all facts of the error, in ascending order of their names.
std::vector<std::pair<std::string, std::string>> error_facts(const absl::Status& status);

// Returns the same error and facts with another field. REQUIRES: it is an error that names one.
absl::Status with_field(const absl::Status& status, std::string_view field);

// Returns the same error and facts with `prefix` put before the field ("batch." + field). Returns
// the status unchanged if it names no field.
absl::Status with_field_prefix(const absl::Status& status, std::string_view prefix);

}  // namespace repath

// Returns the status from the calling function unless it is OK.
#define REPATH_RETURN_IF_ERROR(expression)                                                    \
  do {                                                                                        \
    if (absl::Status repath_status = (expression); !repath_status.ok()) return repath_status; \
  } while (false)

// Assigns the value of an absl::StatusOr to `target`, which may be a declaration, or returns its
// status from the calling function.
#define REPATH_ASSIGN_OR_RETURN(target, expression) \
  REPATH_ASSIGN_BY(REPATH_JOIN(repath_value_, __LINE__), target, expression)
#define REPATH_ASSIGN_BY(value, target, expression) \
  auto value = (expression);                        \
  if (!value.ok()) return value.status();           \
  target = *std::move(value)
#define REPATH_JOIN(a, b) REPATH_JOIN_TOKENS(a, b)
#define REPATH_JOIN_TOKENS(a, b) a##b

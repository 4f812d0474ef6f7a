// Reads JSON that somebody else wrote: every mistake becomes an error that names the line or the
// field. Pure functions, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/work_meter.h"

namespace repath {

using Json = nlohmann::json;

// Nesting costs memory out of proportion to the text.
inline constexpr int kJsonDepthMax = 16;

// The document, or INVALID_ARGUMENT with reason JSON_SYNTAX naming line and column, both from 1, or
// RESOURCE_EXHAUSTED with JSON_TOO_LARGE if there are more than `bytes_max` bytes; or
// WorkMeter::error where `work` does not allow for the work, or for the memory, estimated from the
// text before any is taken.
absl::StatusOr<Json> parse_json(std::string_view text, std::size_t bytes_max, WorkMeter* work);

// Takes the items of lists.
class JsonItems {
 public:
  virtual ~JsonItems() = default;
  // A list begins; it takes the place of one of the same name that was there before.
  virtual void begin(std::string_view list) = 0;
  virtual void take(std::string_view list, std::size_t place, const Json& item) = 0;
};
// The same of a document whose lists are long: items of lists that are members of the document's
// object are handed over one by one, in the text's order, and not kept; the document that is
// returned has these lists empty. Memory counts one item at a time.
absl::StatusOr<Json> parse_json_items(std::string_view text, std::size_t bytes_max, WorkMeter* work,
                                      JsonItems* items);

// What the members of an object are read with; errors are INVALID_ARGUMENT with reason JSON_FIELD
// and the field `path`.name. Borrows the object.
class JsonObject {
 public:
  // REQUIRES: value.is_object().
  JsonObject(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string field(std::string_view name) const;
  // A number in [least, most], `fallback` if there is none (without one that is an error).
  absl::Status number(std::string_view name, double least, double most,
                      std::optional<double> fallback, double* out) const;
  // A whole number in [0, most].
  absl::Status whole(std::string_view name, std::uint64_t most,
                     std::optional<std::uint64_t> fallback, std::uint64_t* out) const;
  absl::Status flag(std::string_view name, bool fallback, bool* out) const;
  // A list of at most `size_max` items; null in `out` if there is none and it may be missing.
  absl::Status list(std::string_view name, bool may_miss, std::size_t size_max,
                    const Json** out) const;
  // A list of exactly `count` numbers, each in [-limit, limit].
  absl::Status numbers(std::string_view name, std::size_t count, double limit, double* out) const;
  // Names that are none of `known` are refused: they would be typing errors.
  absl::Status only(std::initializer_list<std::string_view> known) const;

 private:
  const Json* find(std::string_view name) const;

  const Json* value_;
  std::string path_;
};

absl::Status json_field_error(std::string_view field, std::string_view message);
// `count` numbers in [-limit, limit].
absl::Status read_numbers(const Json& value, const std::string& field, std::size_t count,
                          double limit, double* out);

}  // namespace repath
